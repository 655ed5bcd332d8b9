#!/bin/bash
# Clips of high dynamic range, PQ and HLG: their light, what is written, refusals. cli_clip_hdr.sh SATBLUR MKIMAGE
. "$(dirname "$0")/ffmpeg_case.sh"
by_python clip_hdr.py
