#!/bin/bash
# The real program on real folders: its outputs, its messages, and the files that it leaves behind.
#   cli_batch.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

# --- A tree of pictures with their maps -----------------------------------------------------------
mkdir -p in/sub/deep depths/sub/deep
number=0
for name in a b 'c d' sub/a sub/b sub/deep/a; do
    number=$((number + 1))
    make png 60 40 3 8 noise:$number "in/$name.png"
    make png 60 40 1 8 ramp "depths/${name}_depth.png"
done
mv depths/b_depth.png depths/b.png
mv 'depths/c d_depth.png' 'depths/c d.depth.png'
echo 'not a picture' > in/notes.txt

run in flat --depth-dir depths --max-radius 5
ok 'a folder' status_is 0
ok 'a folder: the pictures in it, no deeper ones, no others' count_is flat 3
ok 'a folder: nothing on stdout' test ! -s out
ok 'a folder: a last line tells' says '^satblur: 3 done, 0 skipped, 0 failed, 0 left; '
run in tree --depth-dir depths --max-radius 5 --recursive --quiet
ok '--recursive keeps the tree' count_is tree 6
ok '--quiet is silent' silent
run in/sub/a.png single.png --depth depths/sub/a_depth.png --max-radius 5
ok 'a picture is what it is when given alone' cmp single.png tree/sub/a.png
for jobs in 1 2 7; do
    run in jobs$jobs --depth-dir depths --max-radius 5 --recursive --jobs $jobs --device cpu
    ok "--jobs $jobs changes no byte" same_folders tree jobs$jobs
done
run in ones --radius-map depths/b.png --max-radius 4
ok 'one map for all' count_is ones 3
run in pairs --radius-map depths --max-radius 4
ok 'a folder of radius maps' count_is pairs 3
mkdir mixed && cp in/a.png in/b.png mixed && cp depths/a_depth.png mixed && cp depths/b.png mixed/b_depth.png
run mixed mixed_out --depth-dir mixed --max-radius 5
ok 'maps among the pictures are no pictures' count_is mixed_out 2
run in named --radius 2 --suffix _blur --format jpg
ok '--suffix and --format' test -s named/a_blur.jpg -a -s 'named/c d_blur.jpg'
for spelled in ./mixed mixed/. "$PWD/mixed"; do
    run mixed spelled --depth-dir "$spelled" --max-radius 5
    ok "also as --depth-dir ${spelled#"$PWD/"}" says '^satblur: 2 done, 0 skipped, 0 failed'
done
left_out() { "$satblur" in flat --radius 1 --resume 2>&1 | grep -q '^satblur: in: 1 file without a picture.s ending, like .jpg, is skipped'; }
ok 'files that are no pictures are counted' left_out
run in in/inside --radius 2 --recursive --quiet && run in in/inside --radius 2 --recursive
ok 'an output folder among the inputs is not entered' count_is in/inside 6
rm -r in/inside
run in 'new/folders here' --radius 2
ok 'missing folders are made' count_is 'new/folders here' 3

mkdir rare && run in/a.png rare/a.jpg --radius 0 && for end in jfif jpe mpo insp; do cp rare/a.jpg rare/$end.$end; done
make pnm 20 10 1 8 noise:2 rare/b.pgm && printf 'P1 2 1 0 1\n' > rare/c.pbm
run rare rare_out --radius 2
ok 'rarer endings; a format that is only read becomes PNG' \
    test -s rare_out/jfif.jfif -a -s rare_out/jpe.jpe -a -s rare_out/mpo.mpo -a -s rare_out/insp.insp -a -s rare_out/c.png

# --- Lists of files -------------------------------------------------------------------------------
printf 'in/sub/a.png\n\nin/b.png\n' > list
run listed --files-from list --radius 2
ok '--files-from' test -s listed/a.png -a -s listed/b.png
"$satblur" in listed2 --files-from - --radius 2 --recursive < <(printf './sub/a.png\nb.png') 2> err
status=$?
ok '--files-from - within INPUT, with the tree' test -s listed2/sub/a.png -a -s listed2/b.png
odd=$'new\nline "quoted" \xff\\ \'.png'
mkdir odd && cp in/a.png "odd/$odd" && cp in/b.png 'odd/ two  blanks.png' && cp in/a.png 'odd/-dash.png'
find odd -name '*.png' -print0 | "$satblur" odd_out --files-from - --radius 2 --report odd.jsonl 2> err
status=$?
ok 'names with newlines and other oddities, NUL-separated' test -s "odd_out/$odd" -a $status = 0
ok 'such names in the report' valid_json odd.jsonl
run odd odd_out --radius 2 --resume
ok 'such names in the list of what is done' says ' 3 skipped'
shuf -e -z in/a.png in/b.png 'in/c d.png' | "$satblur" shuffled --files-from - --radius 2 2> err
run in sorted --radius 2
ok 'the order of the list changes no byte' same_folders sorted shuffled
printf '../in/a.png\n/etc/passwd\nb.png\n' > list
run in outside --files-from list --radius 2 --recursive
escapes() { status_is 1 && says '2 of 3 pictures failed' && count_is outside 1; }
ok 'no name leads out of the folder' escapes
mkfifo pipe.png && printf 'in/a.png\npipe.png\n' > list
pipe() { # reads it for ever, or not
    timeout 20 "$satblur" piped --files-from list --radius 2 2> err
    status=$?
    status_is 1 && says '^satblur: pipe.png: not a regular file' && count_is piped 1
}
ok 'a pipe in a list' pipe
run x --files-from nowhere --radius 2
ok 'a list that is not there' says 'files-from nowhere: cannot be opened'

# --- Two inputs, one output -----------------------------------------------------------------------
mkdir twins && cp in/a.png twins && make bmp 20 20 3 8 noise:1 twins/a.bmp
refused 'two inputs that would become one output' 1 'would both be written to .*a.png, so nothing was' \
    twins o.twins --radius 2 --format png
printf 'in/a.png\nin/sub/a.png\n' > list
refused 'the same, of a list' 1 'would both be written' o.twins --files-from list --radius 2
mkdir -p spelled_in/sub links/one links/two linked/two
cp in/a.png spelled_in/sub && cp twins/a.bmp spelled_in/sub && cp in/a.png links/one && cp in/b.png links/two/a.png
for other in sub//a.bmp sub/./a.bmp; do
    printf 'sub/a.png\n%s\n' $other > list
    refused "the same, spelled $other" 1 'would both be written' \
        spelled_in o.x --files-from list --recursive --radius 2 --format png
done
ln -s two linked/one
mkdir dangling && ln -s ./later/../two dangling/one
refused 'the same, through a link to what is not there yet' 1 'would both be written to dangling/' \
    links dangling --radius 2 --recursive
cp -r in by_way && cp -r depths by_way_depths
refused 'INPUT and OUTPUT are the same, by way of a missing folder' 1 'outputs would become inputs' by_way new.d/../by_way --radius 2
refused 'maps in OUTPUT, by way of a missing folder' 1 'and the folder of maps' in new.d/../by_way_depths --depth-dir by_way_depths
printf 'by_way/a.png\n' > one
refused 'an output over an input, so, too' 1 'is an input and would be' new.d/x/../../by_way/sub/.. --files-from one --radius 2
refused 'the report is an output, so, too' 1 '--report and by_way/a.png would both be written' by_way o.x/sub --radius 2 --report o.x/sub/./deep/.././a.png
unchanged() { diff -r in by_way && diff -r depths by_way_depths && [ ! -e new.d ]; }
ok 'nothing was made or written over' unchanged
removed() { (mkdir left && cd left && rmdir ../left && "$satblur" ../in o --radius 2 > ../out 2> ../err; [ $? = 1 ]) && says 'No such file'; }
ok 'in a folder that is removed' removed
refused 'the same, through a link' 1 'would both be written to linked/' links linked --radius 2 --recursive
refused 'maps in OUTPUT' 1 'is OUTPUT and the folder of maps' in depths --depth-dir depths
refused 'each its own map' 1 "suffix '' would make" mixed o.x --depth-dir mixed --depth-suffix ''
refused 'INPUT and OUTPUT are the same' 1 'outputs would become inputs' in in/ --radius 2
printf 'in/a.png\n' > list
refused 'an output over an input' 1 'is an input and would be replaced' in --files-from list --radius 2
refused 'OUTPUT is a file' 1 'is a file; name a folder' in in/a.png --radius 2
run in o.depth --depth depths
run in o.dir --depth-dir depths
ok 'a folder for --depth is one for --depth-dir' same_folders o.depth o.dir
rm -r o.depth o.dir
mkdir nothing
refused 'an empty folder' 1 'no pictures found' nothing o.x --radius 2
refused 'no such folder' 1 'nowhere/: there is no such folder; check the name' nowhere/ o.x --radius 2
refused 'batch options of a file' 2 'is for folders' in/a.png o.png --radius 2 --jobs 2

# --- What --report would write over ---------------------------------------------------------------
cp -r in kept && cp -r depths kept_depths && cp list kept_list && echo '{"mine": 1}' > notes
kept() { diff -r in kept && diff -r depths kept_depths && cmp list kept_list && grep -qx '{"mine": 1}' notes; }
for file in in/a.png ./in//a.png depths/b.png o.x/a.png o.x/.satblur.done; do
    refused "--report $file" 1 'nothing was done; \(name another\|give them two names\)' in o.x --depth-dir depths --report $file
done
refused '--report over the list' 1 'nothing was done; name another' o.x --files-from list --radius 2 --report ./list
for resume in '' --resume; do
    run in noted --radius 2 --report notes $resume
    ok "--report on another's file $resume" says 'report notes: the file exists and is not a report'
done
ok '--report: nothing was written over' kept

# --- Streams that are closed, and permissions -----------------------------------------------------
cp -r in closed && echo bad > closed/1.png && echo bad > closed/2.png
run closed open --radius 2
all_open() {
    for _ in 1 2 3 4 5 6 7 8; do
        rm -rf shut
        "$satblur" closed shut --radius 2 --jobs 2 --report shut.jsonl <&- >&- 2>&-
        same_folders open shut && valid_json shut.jsonl || return 1
    done
}
ok 'closed streams: no message gets into a file' all_open
no_report() {
    "$satblur" in unsaid --radius 2 --report - >&- 2> err
    [ $? = 1 ] && says '^satblur: --report -: cannot be written' && count_is unsaid 0
}
ok 'closed streams: a report that cannot be written is told at once' no_report
no_output() { ! "$satblur" in/a.png --stats >&- 2> err; }
ok 'closed streams: what cannot be printed is an error' no_output
mkdir private && for i in 1 2 3 4 5 6 7 8; do
    mkdir private/$i && cp twins/a.bmp private/$i
done
(umask 077; for _ in 1 2 3 4 5 6 7 8; do "$satblur" private hidden --radius 1 --recursive --jobs 16 --quiet; done)
hidden() { [ -z "$(find hidden -perm /077)" ] && [ "$(find hidden -type f -name '*.bmp' | wc -l)" = 8 ]; }
ok 'umask holds for all files and folders' hidden

# --- More pixels than allowed ---------------------------------------------------------------------
cp -r in large && make png 61 40 3 8 ramp large/large.png
run large large_out --radius 2 --max-pixels 2400
within_the_limit() {
    status_is 1 && says '^satblur: large/large.png: 61 x 40 pixels are more than the 2400 that' &&
        count_is large_out 3
}
ok 'what has more than --max-pixels is not done, the rest is' within_the_limit
run large large_out --radius 2 --max-pixels 2.5K --resume
ok 'another limit does nothing again' says '^satblur: 1 done, 3 skipped'

# --- Failures -------------------------------------------------------------------------------------
mkdir broken && head -c 500 in/b.png > broken/b.png && : > broken/e.png
run broken none --radius 2 --report none.jsonl
ok 'failed pictures do not count as images a second' eval \
    'says "0 done, 0 skipped, 2 failed, 0 left; .* 0.0 images/s" && grep -q "images_per_second.: 0.00" none.jsonl'
cp -r in bad && head -c 500 in/b.png > bad/b.png && : > bad/e.png
rm depths/'c d.depth.png'
run bad bad_out --depth-dir depths --max-radius 5 --report bad.jsonl
failures() {
    status_is 1 && says '^satblur: bad/b.png: .*\(cut off\|damaged\)' &&
        says '^satblur: bad/c d.png: its map is missing' && says '^satblur: bad/e.png: its map' &&
        says '^satblur: 3 of 4 pictures failed; see the lines above$' && count_is bad_out 1 && no_leftover
}
ok 'what fails is told, the rest is done' failures
reported() {
    valid_json bad.jsonl && report_has bad.jsonl '"status": "failed"' 3 &&
        report_has bad.jsonl '"status": "done"' 1 &&
        tail -n 1 bad.jsonl | grep -q '"summary": true, "items": 4, "done": 1, "skipped": 0, "failed": 3'
}
ok '--report has each once, and a summary last' reported
ok '--report has the work on the depth map' report_has bad.jsonl '"ms": {.*"depth": 0*[.0-9]*[1-9]' 1
make png 60 40 1 8 ramp 'depths/c d.png'
cp in/b.png bad/b.png
run bad bad_out --depth-dir depths --max-radius 5 --report bad.jsonl --resume
ok '--resume does again what failed' says '2 done, 1 skipped, 1 failed'
ok '--resume adds to the report' report_has bad.jsonl '"summary": true' 2
run in --stats --report stats.jsonl
statistics() { valid_json stats.jsonl && report_has stats.jsonl '"stats": {"file": "in/' 3; }
ok 'statistics of a folder' statistics
run in --stats --report -
ok 'statistics of a folder on stdout' report_has out '"stats": {' 3
if [ "$(id -u)" = 0 ]; then
    as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$satblur" "$@" > out 2> err; }
else
    as_nobody() { "$satblur" "$@" > out 2> err; }
fi
mkdir shared && cp -r in unread && chmod 777 . shared && chmod 755 unread && chmod 000 unread/sub/deep && chmod 444 unread/sub
unread() {
    status_is 1 && says '^satblur: unread/sub/a.png: cannot be read: Permission denied' &&
        says '^satblur: unread/sub/deep: cannot be read' && says '^satblur: 3 done, 0 skipped, 3 failed' &&
        count_is shared/o 3
}
no_share() { status_is 1 && says 'unread/sub/.*: cannot be read: Permission denied; make it readable, because --shard needs the whole' && [ ! -e shared/s ]; }
if as_nobody --version; then
    as_nobody unread shared/o --radius 2 --recursive
    status=$?
    ok 'what cannot be looked at fails, and the rest is done' unread
    as_nobody unread shared/s --radius 2 --recursive --shard 1/2
    status=$?
    ok 'but a share of what is not known is none' no_share
    chmod a-w shared
    as_nobody in shared/o2 --radius 2
    status=$?
    locked() { status_is 1 && says "the folder 'shared/o2' cannot be created: Permission denied"; }
    ok 'a folder that cannot be written' locked
else
    skip 'FOLDERS THAT CANNOT BE READ OR WRITTEN: nobody may not start this program'
fi
chmod 755 unread/sub unread/sub/deep shared && chmod 700 .
(ulimit -f 1; "$satblur" in small --radius 2 > out 2> err)
status=$?
no_room() { status_is 1 && says 'cannot be written: File too large' && count_is small 0; }
ok 'files that grow too large' no_room
run in /proc/out --radius 2
ok 'an OUTPUT that cannot be made' says "the folder '/proc/out' cannot be created"
mkdir full
if mount -t tmpfs -o size=64k none full 2> /dev/null; then
    make png 200 120 3 8 noise:1 in/large.png # would not fit alone, either
    run in full/out --radius 2 --compression 0 --report full.jsonl
    cp -r full full_copy
    umount full
    full_disk() {
        status_is 1 && says 'No space left on device; free some space' && says 'pictures failed' &&
            no_leftover && for file in full_copy/out/*.png; do shape_is "$file" '60 40 3 8' || return 1; done
    }
    rm in/large.png
    ok 'a full disk' full_disk
else
    skip 'a full disk: no file system can be mounted here'
fi
run in report_full --radius 2 --report /dev/full
ok 'a report that cannot be written ends the batch' says 'report /dev/full: cannot be written: No space'
ok 'nothing is left behind' no_leftover

# --- Few threads, little memory -------------------------------------------------------------------
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups "$satblur" --version > /dev/null 2>&1; then
    chmod 777 .
    few() { # few MOST: the report and the last line are there, and all is done
        rm -rf few few.jsonl
        setpriv --reuid 65534 --clear-groups prlimit --nproc="$1" \
            "$satblur" in few --depth-dir depths --max-radius 5 --jobs 1 --threads 3 --report few.jsonl 2> err
        status=$?
        count_is few 3 && report_has few.jsonl '"status": "done"' 3 && says '^satblur: 3 done'
    }
    few_is_said() { says '^satblur: too few threads can be started, so --jobs 1 --threads [12] are used'; }
    for most in 2 3 4 6 8; do
        ok "a folder with no more than $most threads" few $most
        [ $most = 3 ] && ok 'few threads are said' few_is_said
    done
    none() {
        ! few 1 && status_is 1 && report_has few.jsonl '"summary": true' 1 && no_leftover &&
            says '^satblur: no thread can be started'
    }
    ok 'a folder without a thread to be had' none
else
    skip "few threads: only root can start the program as a user without any others"
fi
little() { # an output, or a line that says why not, for each; and a last line; or a line that says that not even a thread starts
    rm -rf little
    prlimit --as="$1" "$satblur" in little --depth-dir depths --max-radius 5 --jobs 2 --threads 3 2> err
    no_leftover &&
        { says '^satblur: [0-3] done, 0 skipped, [0-3] failed, 0 left' || says '^satblur: no thread can be started'; }
}
if prlimit --as=150000000 "$satblur" --version > /dev/null 2>&1; then
    for bytes in 80 100 150 200 400; do
        ok "a folder within $bytes MB" little ${bytes}000000
    done
else
    skip 'little memory: this build needs more (sanitizers do)'
fi

# --- Many -----------------------------------------------------------------------------------------
mkdir tiny
for ((i = 0; i < 1000; i++)); do
    echo "tiny/$i.png"
done > list
make png 64 64 3 8 noise:9 tiny/0.png
tail -n +2 list | xargs -n 1 cp tiny/0.png
run tiny tiny_out --radius 3
ok "1000 tiny pictures: $(grep -o '[0-9.]* images/s' err)" count_is tiny_out 1000
all_equal() { [ "$(cat tiny_out/*.png | wc -c)" = $((1000 * $(wc -c < tiny_out/0.png))) ]; }
ok '1000 tiny pictures: all equal' all_equal
run tiny tiny_out --radius 3 --resume
ok '1000 tiny pictures: skipped' says '1000 skipped'
