#!/bin/bash
# Every kind of clip that the real program writes can be decoded: codecs, containers, pixel formats, times and sound.
#   cli_video_kinds.sh SATBLUR MKIMAGE [--quick]
. "$(dirname "$0")/ffmpeg_case.sh"
by_python video_kinds.py "${@:3}"
