#!/usr/bin/env bash
# Checks that the files that are made from a table are as the table is. generated.sh SATBLUR
set -euo pipefail
satblur=$(realpath "$1") failed=0
cd "$(dirname "$0")/.."
"$satblur" --help=json | python3 core/python/dof_table.py --check || failed=1
"$satblur" --help=json | python3 app/web/option_facts.py --check || failed=1
exit $failed
