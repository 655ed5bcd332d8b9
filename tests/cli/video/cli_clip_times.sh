#!/bin/bash
# Frames, times, durations, sound, turns and colours of clips as 12 kinds of cameras, phones, editors and recorders write them.
#   cli_clip_times.sh SATBLUR MKIMAGE [--all] [--quick]
. "$(dirname "$0")/ffmpeg_case.sh"
by_python clip_times.py "${@:3}"
