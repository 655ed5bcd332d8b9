# For tests of clips that ffmpeg makes and ffprobe reads. Sourced with the arguments of the test; without them all is skipped.
here=$(dirname "$(realpath "$0")")
. "$here/../cli_case.sh"

if ! "$satblur" --version | grep -q '^video: lib'; then
    skip "EVERY TEST OF $(basename "$0" .sh): FFmpeg's libraries are not built in"
    exit
elif ! command -v ffmpeg > /dev/null || ! command -v ffprobe > /dev/null; then
    skip "EVERY TEST OF $(basename "$0" .sh): no ffmpeg and ffprobe"
    exit
fi

by_python() { # by_python SCRIPT [OPTION...]: the cases are those that it prints
    python3 "$here/$1" "$satblur" "${@:2}" > cases || failed=1
    cat cases
    passed=$(grep -c '^ok' cases) skipped=$(grep -c '^SKIP' cases) failed=$((failed + $(grep -c '^FAIL' cases)))
    [ "$passed" -gt 0 ] || failed=1
    rm cases
    ok "nothing is left behind" no_leftover
    exit
}
