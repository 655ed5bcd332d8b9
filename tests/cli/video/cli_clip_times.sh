#!/bin/bash
# Frames, times, durations, sound, turns and colours of clips as 12 kinds of cameras, phones, editors and recorders write them.
#   cli_clip_times.sh SATBLUR MKIMAGE [--all]
here=$(dirname "$(realpath "$0")")
. "$here/../cli_case.sh"

if ! "$satblur" --version | grep -q '^video: lib'; then
    skip "EVERY TEST OF $(basename "$0" .sh): FFmpeg's libraries are not built in"
elif ! command -v ffmpeg > /dev/null || ! command -v ffprobe > /dev/null; then
    skip "EVERY TEST OF $(basename "$0" .sh): no ffmpeg and ffprobe"
else
    python3 "$here/clip_times.py" "$satblur" "${@:3}" > table || failed=1
    cat table
    passed=$(grep -c '^ok' table) skipped=$(grep -c '^SKIP' table) failed=$((failed + $(grep -c '^FAIL' table)))
    [ "$passed" -gt 0 ] || failed=1
    ok "nothing is left behind" no_leftover
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
