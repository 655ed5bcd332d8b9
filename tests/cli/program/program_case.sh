# Shared by the tests of programs that make maps: cli_case.sh, and runs of which an earlier one's files prove nothing.
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "${BASH_SOURCE[0]}")/../cli_case.sh"
eval "$(declare -f run | sed '1s/run/run_it/')"
run() {
    local word
    for word; do case $word in o.png | o.jpg) rm -f "$word" ;; esac; done
    run_it "$@"
}
PATH=$(python3 -c "import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)))"):$PATH # past slow wrappers of python3
export PYTHONDONTWRITEBYTECODE=1
