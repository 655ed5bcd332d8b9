#!/usr/bin/env bash
# A replay that has run nothing, or less than all, fails: replay.sh REPLAY CORPUS.tar
set -u
replay=$(realpath "$1") corpus=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
expect() { # expect STATUS WHAT ARCHIVE...
    local want=$1 what=$2
    shift 2
    "$replay" "$@" > out 2>&1
    local status=$?
    [ $status = "$want" ] || { echo "FAIL  $what: status $status and not $want"; failed=1; }
}
size=$(stat -c %s "$corpus")
head -c $((size - 512)) "$corpus" > end.tar
head -c $((size / 2 + 100)) "$corpus" > cut.tar
head -c 1024 /dev/zero > nothing.tar
: > empty.tar
{ head -c 4 "$corpus"; printf x; tail -c +6 "$corpus"; } > changed.tar
expect 0 'the corpus' "$corpus"
expect 1 'no archive named'
for archive in missing end cut nothing empty changed; do
    expect 1 "$archive.tar" "$archive.tar"
    expect 1 "$archive.tar beside a good one" "$corpus" "$archive.tar"
done
[ $failed = 0 ]
