#!/bin/bash
# Pictures of the old pixels that metadata hide, in every place and spelling, are in no output.    cli_previews.sh SATBLUR MKIMAGE
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../cli_case.sh"
make png 24 16 3 8 noise:3 base.png
"$satblur" base.png base.jpg --radius 0 --quiet
for ending in webp tif; do
    "$satblur" base.png base.$ending --radius 0 --quiet 2> /dev/null || skip "no $ending"
done
ok 'no output shows what its input hides' python3 "$here/previews.py" "$satblur" "$work"
cat check.log
