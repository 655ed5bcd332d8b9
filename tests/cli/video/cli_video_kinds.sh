#!/bin/bash
# Every kind of clip that the real program writes can be decoded: codecs, containers, pixel formats, times and sound.
#   cli_video_kinds.sh SATBLUR MKIMAGE
here=$(dirname "$(realpath "$0")")
. "$here/../cli_case.sh"

if ! "$satblur" --version | grep -q '^video: lib'; then
    skip "EVERY TEST OF $(basename "$0" .sh): FFmpeg's libraries are not built in"
elif ! command -v ffmpeg > /dev/null || ! command -v ffprobe > /dev/null; then
    skip "EVERY TEST OF $(basename "$0" .sh): no ffmpeg and ffprobe"
else
    python3 "$here/video_kinds.py" "$satblur" > kinds || failed=1
    cat kinds
    passed=$(grep -c '^ok' kinds) skipped=$(grep -c '^SKIP' kinds) failed=$((failed + $(grep -c '^FAIL' kinds)))
    [ "$passed" -gt 0 ] || failed=1
    ok "nothing is left behind" no_leftover
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
