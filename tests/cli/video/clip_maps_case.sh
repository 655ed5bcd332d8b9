# What tests of clips with arrays of depth maps share: six frames in in/, and the maps of clip_maps.py. Sourced in a test's
# folder; without numpy the test ends.
here=$(dirname "$(realpath "$0")")
. "$here/../cli_case.sh"

if ! "$python" "$here/clip_maps.py" . > libraries; then
    skip "EVERY TEST OF $(basename "$0" .sh): no numpy in PYTHON"
    exit 0
fi
mkdir in
for i in 1 2 3 4 5 6; do make png 64 48 3 8 noise:$i in/00$i.png; done
