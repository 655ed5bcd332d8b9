#!/bin/bash
# Clips of high dynamic range, PQ and HLG: their light, what is written, refusals. cli_clip_hdr.sh SATBLUR MKIMAGE
here=$(dirname "$(realpath "$0")")
. "$here/../cli_case.sh"

if ! "$satblur" --version | grep -q '^video: lib'; then
    skip "EVERY TEST OF $(basename "$0" .sh): FFmpeg's libraries are not built in"
elif ! command -v ffmpeg > /dev/null || ! command -v ffprobe > /dev/null; then
    skip "EVERY TEST OF $(basename "$0" .sh): no ffmpeg and ffprobe"
else
    python3 "$here/clip_hdr.py" "$satblur" > clips || failed=1
    cat clips
    passed=$(grep -c '^ok' clips) skipped=$(grep -c '^SKIP' clips) failed=$((failed + $(grep -c '^FAIL' clips)))
    [ "$passed" -gt 0 ] || failed=1
    ok "nothing is left behind" no_leftover
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
