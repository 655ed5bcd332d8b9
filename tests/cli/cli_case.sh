# Shared by the command line tests, which source it with their arguments: SATBLUR MKIMAGE. It changes to a
# folder of its own, which is removed when the script ends. Then the checks are counted, and decide about the status.
set -u
export LC_ALL=C XDG_CONFIG_HOME=/dev/null/none # not the developer's configuration
python=${PYTHON:-python3} # with the libraries whose files are compared

satblur=$(realpath "$1") mkimage=$(realpath "$2")
work=$(mktemp -d) || exit 1
passed=0 failed=0 skipped=0

finish() { # also of a script that breaks off; one that checked nothing has failed
    local status=$?
    rm -rf "$work"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ] || exit 1
    exit $status
}
trap finish EXIT
cd "$work" || exit 1

ok() { # ok NAME CONDITION...: the condition is a command
    local name=$1
    shift
    if "$@" > check.log 2>&1; then
        passed=$((passed + 1))
        echo "ok    $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name: $*"
        sed 's/^/        /' check.log err 2> /dev/null | head -8
    fi
}

skip() {
    skipped=$((skipped + 1))
    echo "SKIP  $1"
}

run() { # run ARGUMENTS...: out, err and $status tell how it went; err has all notes, unless there is --quiet
    case " $* " in '  ' | *' --quiet '*) ;; *) set -- --verbose "$@" ;; esac
    "$satblur" "$@" > out 2> err < /dev/null
    status=$?
}

make() { # make FORMAT WIDTH HEIGHT CHANNELS BITS PATTERN FILE
    "$mkimage" "$@" || { echo "mkimage $* failed"; exit 1; }
}

make_frames() { # six pictures in/00N.png with their maps depth/00N.png
    local i
    mkdir in depth
    for i in 1 2 3 4 5 6; do
        make png 64 48 3 8 noise:$i in/00$i.png
        make png 64 48 1 8 noise:1$i depth/00$i.png
    done
}

same() { "$mkimage" same "$1" "$2"; }
different() { ! cmp -s "$1" "$2"; }
shape_is() { [ "$("$mkimage" shape "$1")" = "$2" ]; }
status_is() { [ "$status" = "$1" ]; }
says() { grep -qe "$1" err; }
silent() { [ ! -s err ]; }
no_leftover() { [ -z "$(find . -name '.*.??????' -print)" ]; }
number_near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !(a - b <= by && b - a <= by) }'; }
count_is() { [ "$(find "$1" -type f ! -name '.satblur*' | wc -l)" = "$2" ]; }
report_has() { [ "$(grep -c "$2" "$1")" = "$3" ]; } # report_has FILE PATTERN COUNT
valid_json() { python3 -c 'import json, sys; [json.loads(line) for line in open(sys.argv[1])]' "$1"; }

# Expects an error: that status, one line on stderr that begins with the program's name and holds PATTERN,
# nothing on stdout, no output file o.*, no temporary.
refused() { # refused NAME STATUS PATTERN ARGUMENTS...
    local name=$1 want=$2 pattern=$3
    shift 3
    rm -f o.*
    run "$@"
    one_error() {
        status_is "$want" && [ "$(wc -l < err)" = 1 ] && grep -q '^satblur: ' err &&
            says "$pattern" && [ ! -s out ] && [ -z "$(find . -maxdepth 1 -name 'o.*')" ] &&
            no_leftover
    }
    ok "$name" one_error
}

same_folders() { diff -r --exclude='.satblur*' "$1" "$2"; }
