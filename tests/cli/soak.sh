#!/bin/bash
# A folder of good, broken, hostile and odd files is blurred by runs that are killed or interrupted at random moments, until one
# ends normally.    soak.sh SATBLUR MKIMAGE [FILES [SEED]]
# soak.py makes the files, and decides which are good; of hostile ones the first run does.
here=$(realpath "$(dirname "$0")")
. "$here/cli_case.sh"
files=${3:-120} seed=${4:-$RANDOM}
RANDOM=$seed
echo "$files files, seed $seed"
soak() { python3 "$here/soak.py" "$@"; }
folder() { run in/ "$1/" --radius 3 --report "$1.jsonl" "${@:2}"; }

# --- What is right --------------------------------------------------------------------------------
# A run ends well; then half of the good files get other pixels, and some of the outputs are lost.
soak make "$files" "$seed" || exit 1
folder killed --jobs 1
cp -rp killed before
soak change "$seed"
soak some "$seed" killed
now() { date +%s%6N; } # microseconds
begin=$(now)
folder right
took=$(($(now) - begin)) begin=$(now)
run --version
start=$(($(now) - begin))
ok 'undisturbed: each good one done, each bad one failed, told once' soak report right.jsonl done
ok 'undisturbed: the good ones have outputs, and nothing else is there' soak all right right
decode() { find right -type f ! -name '.satblur.done' -print0 | xargs -0 -n 1 "$mkimage" shape; }
ok 'undisturbed: the outputs can be read' decode
alone() {
    for file in right/*[05]*.*; do
        run "in/${file#right/}" "one.${file##*.}" --radius 3
        cmp "one.${file##*.}" "$file" || return 1
    done
}
ok 'undisturbed: outputs are those of a run for one file' alone

# --- Killed ---------------------------------------------------------------------------------------
# One run in four gets SIGINT, which a shell's background jobs ignore: env turns it on again. The time that they
# get grows slowly, so that one ends normally. If one does before three were ended, since the machine is faster than
# before, all begins anew with half the time.
kills=0 interrupts=0 runs=0 unfinished=0 left='' delay=$((took / 60 + 2 * start))
cp -rp killed at_first
rm killed.jsonl
anew() {
    rm -rf killed killed.jsonl
    cp -rp at_first killed
    kills=0 interrupts=0 runs=0 unfinished=0 left='' delay=$((delay / 2))
}
while :; do
    runs=$((runs + 1))
    signal=KILL
    [ $((RANDOM % 4)) = 0 ] && signal=INT
    env --default-signal=INT "$satblur" in/ killed/ --radius 3 --resume --jobs $((RANDOM % 4 + 1)) --report killed.jsonl 2> err &
    pid=$!
    sleep "$(printf '%d.%06d' $((delay / 1000000)) $(((RANDOM * 32768 + RANDOM) % delay % 1000000)))"
    kill -$signal $pid 2> /dev/null
    wait $pid 2> /dev/null
    status=$?
    soak present killed before right 2> half || break
    case $status in
    137) kills=$((kills + 1)) ;;
    130) interrupts=$((interrupts + 1)) ;;
    1)
        [ $((kills + interrupts)) -lt 3 ] && [ "$delay" -gt 1000 ] || break
        anew
        continue
        ;;
    *) break ;;
    esac
    before=$left # an early SIGINT finds those of the run before
    left=$(find killed -name '.*.??????' -printf x)
    [ -z "$left" ] || unfinished=$((unfinished + 1))
    [ $status = 137 ] || [ ${#left} -le ${#before} ] || { echo 'a temporary after SIGINT' > half; break; }
    delay=$((delay + delay / 20))
done
no_half() { ! grep . half; }
ok "$kills kills (temporaries were left after $unfinished), $interrupts interrupts, $runs runs: no half output" no_half
ok 'killed: often enough' test $((kills + interrupts)) -ge 3
ok 'killed: the last run told of errors' status_is 1
ok 'killed: the right outputs in the end, and nothing else' soak all killed right
ok 'killed: the reports are sound' soak reports killed.jsonl
rm killed.jsonl
folder killed --resume
ok 'then all is done, and the bad ones fail again' soak report killed.jsonl skipped
