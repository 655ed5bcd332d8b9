#!/bin/bash
# Folders that the real program goes on with: --resume, shards, and runs that are interrupted or killed.
#   cli_resume.sh SATBLUR MKIMAGE
. "$(dirname "$0")/cli_case.sh"

# --- Resume ---------------------------------------------------------------------------------------
mkdir many
for ((i = 100; i < 140; i++)); do
    make png 150 150 3 8 noise:$i many/$i.png
done
run many clean --radius 2.5
ok 'forty' count_is clean 40
cp -rp clean again
touch many/105.png
echo x >> again/107.png
rm again/109.png
touch again/110.png
make png 150 150 3 8 noise:7 many/112.png
run many again --radius 2.5 --resume
ok '--resume does what has changed' says '^satblur: 5 done, 35 skipped, 0 failed'
run many clean --radius 2.5
ok '--resume: the same in the end' same_folders clean again
run many again --radius 2.5 --resume
ok '--resume: then all is done' says '^satblur: 0 done, 40 skipped'
run many again --radius 3 --resume
ok '--resume: other options, all again' says '^satblur: 40 done, 0 skipped'
rm -f again/.satblur.done
run many again --radius 2.5 --resume
ok '--resume: what merely is there is not done' says '^satblur: 40 done, 0 skipped'
echo 'hello' > again/.satblur.done
run many again --radius 2.5 --resume
ok '--resume: a list of something else' says '^satblur: 40 done, 0 skipped'

make png 30 20 3 8 ramp target.png && cp target.png target_was.png
rm again/.satblur.done && ln -s ../target.png again/.satblur.done
run many again --radius 2.5 --resume
linked() { says 'again/.satblur.done: not a regular file' && cmp target.png target_was.png; }
ok '--resume: a list that is a link' linked

# --- Shards ---------------------------------------------------------------------------------------
for shard in 1 2 3; do
    "$satblur" many shards --radius 2.5 --shard $shard/3 2> err.$shard &
done
wait
ok 'the union of three shards, at the same time, is the whole' same_folders clean shards
shared() { grep -q '14 done' err.1 && grep -q '13 done' err.2 && grep -q '13 done' err.3; }
ok 'each has its share' shared
run many shards --radius 2.5 --resume
ok 'a run without shards knows what they did' says '^satblur: 0 done, 40 skipped'
run many empty --radius 2.5 --shard 50/60
ok 'a shard of nothing' says '^satblur: 0 done'
SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=4 \
    "$satblur" many slurm --radius 2.5 --shard slurm 2> err
ok "Slurm's job array" says '^satblur: 10 done'
SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3 \
    refused 'an array with gaps' 2 'without gaps' many o.x --radius 2.5 --shard slurm

# A shard that works, as its locked list tells, beside runs of other divisions, and of its own
mkdir beside && touch beside/.100.png.satblur.abcdef
resume_beside() { # resume_beside SHARD...: whether the unfinished file is still there
    flock beside/.satblur-2-of-3.done "$satblur" many beside --radius 2.5 --resume "$@" 2> err
    [ -e beside/.100.png.satblur.abcdef ]
}
ok 'what another division has begun stays' resume_beside
ok 'and that is told' says 'another satblur is writing there'
ok 'also beside other shards' resume_beside --shard 1/2
gone() { ! resume_beside --shard 1/3; }
ok 'shards of one division are swept' gone

# --- Interrupted, and killed ----------------------------------------------------------------------
# A shell's background jobs ignore SIGINT; env turns it on again.
start() { # start OUTPUT OPTIONS...
    ulimit -c 0 # for SIGQUIT
    env --default-signal=INT,TERM,HUP,QUIT,USR1 "$satblur" many "$@" --radius 2.5 --compression 11 2> err > out &
    pid=$!
}
wait_for() { # wait_for FOLDER COUNT: until COUNT outputs are there
    for ((i = 0; i < 1000; i++)); do
        [ "$(find "$1" -name '[0-9]*' 2> /dev/null | wc -l)" -ge "$2" ] && return
        sleep 0.01
    done
}
run many slow --radius 2.5 --compression 11
for signal in INT TERM HUP QUIT USR1; do
    for ((attempt = 0; attempt < 10; attempt++)); do # it may be done before it is met
        rm -rf stopped stopped.jsonl
        start stopped --jobs 1 --report stopped.jsonl
        wait_for stopped 3
        kill -$signal $pid 2> /dev/null
        wait $pid 2> /dev/null
        status=$?
        finished=$(find stopped -name '[0-9]*' | wc -l)
        [ "$status" = 0 ] || break
    done
    stopped() {
        [ "$status" = $((128 + $(kill -l $signal))) ] && no_leftover && [ "$finished" -lt 40 ] &&
            says '; use --resume to continue' && valid_json stopped.jsonl &&
            tail -n 1 stopped.jsonl | grep -q '"interrupted": true'
    }
    ok "SIG$signal ends it cleanly" stopped
    run many stopped --radius 2.5 --compression 11 --resume --report stopped.jsonl
    ok "SIG$signal: --resume goes on from there" says " $finished skipped, 0 failed"
    ok "SIG$signal: the same in the end" same_folders slow stopped
    ok "SIG$signal: each once in the report" report_has stopped.jsonl '"status": "done"' 40
done
for ((round = 0; round < 8; round++)); do
    rm -rf stopped
    start stopped --jobs 4
    wait_for stopped 2
    kill -INT $pid
    sleep 0.00$round
    kill -INT $pid 2> /dev/null
    wait $pid 2> /dev/null
    no_leftover || break
done
ok 'a second signal leaves nothing behind either' no_leftover

rm -rf killed
kills=0 unfinished=0
for ((round = 0; round < 12; round++)); do
    [ $((round % 4)) = 0 ] && rm -rf killed killed.jsonl
    start killed --jobs 1 --resume --report killed.jsonl
    sleep 0.$((RANDOM % 3))$((RANDOM % 10))
    kill -KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
    [ $? = 137 ] && kills=$((kills + 1)) # others were done before
    [ -n "$(find . -name '.*.??????' -print)" ] && unfinished=$((unfinished + 1))
    whole() {
        for file in killed/[0-9]*; do
            [ ! -e "$file" ] || cmp "$file" "slow/${file#killed/}" || return 1
        done
    }
    whole || { echo "round $round" > half; break; }
done
no_half() { [ "$kills" -gt 0 ] && [ ! -e half ]; }
ok "killed $kills times, half-written $unfinished times: no half output" no_half
mkdir -p killed # it may have been killed before that
touch killed/.other.png.satblur.abcdef killed/.100.png.satblur.abcdef killed/.100.png.backup
run many killed --radius 2.5 --compression 11 --resume --report killed.jsonl
swept() {
    [ -e killed/.other.png.satblur.abcdef ] && [ -e killed/.100.png.backup ] &&
        [ ! -e killed/.100.png.satblur.abcdef ] && says 'removed .* unfinished'
}
ok 'killed: temporaries of its outputs are removed, no others' swept
rm killed/.other.png.satblur.abcdef killed/.100.png.backup
ok 'killed: the same in the end' same_folders slow killed
ok 'killed: nothing is left behind' no_leftover
ok 'killed: the report is sound' valid_json killed.jsonl
at_least_once() { [ "$(grep -o '"input": "many/[0-9]*.png"' killed.jsonl | sort -u | wc -l)" = 40 ]; }
ok 'killed: each is in the report' at_least_once

touch slow/.target.png.satblur.abcdef
mv slow/100.png slow/target.png && ln -s target.png slow/100.png
run many slow --radius 2.5 --compression 11 --resume
ok 'temporaries are removed beside what a link leads to' test ! -e slow/.target.png.satblur.abcdef
