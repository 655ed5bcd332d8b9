#!/usr/bin/env bash
# Packs the files of a folder into an archive, the same bytes for the same files: pack.sh FOLDER ARCHIVE.tar
set -euo pipefail
export LC_ALL=C
archive=$(realpath "$2")
cd "$1"
tar --create --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=644 --mtime=@0 --blocking-factor=1 \
    --file="$archive.new" -- *
mv "$archive.new" "$archive"
