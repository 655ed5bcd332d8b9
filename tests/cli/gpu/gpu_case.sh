# Shared by the tests of --codec gpu, which source it with their arguments: SATBLUR MKIMAGE [MKJPEG ASSETS]. SATBLUR has a
# GPU, real or emulated.
mkjpeg=${3:+$(realpath "$3")} assets=${4:+$(realpath "$4")}
. "$(dirname "${BASH_SOURCE[0]}")/../cli_case.sh"

# On an emulated device: enough for as many codecs as jobs.
export EMULATE_MEMORY=${EMULATE_MEMORY:-64000000000}

# with_nvjpeg: prints the word of the library, if it is built in
with_nvjpeg() { "$satblur" --version | grep '^JPEG with --codec gpu: nvJPEG'; }

# emulated FILE.jpg: whether nvJPEG is emulated
emulated() { ! EMULATE_DECODE=6 "$satblur" "$1" o.png --radius 0 --codec gpu --timings 2>&1 | grep -qE '^decode .*nvJPEG'; }

# turn FILE.jpg: a tag says that it is to be turned clockwise for display
turn() { printf 'Exif\0\0MM\0*\0\0\0\010\0\001\001\022\0\003\0\0\0\001\0\006\0\0\0\0\0\0' | "$mkimage" segment e1 "$1"; }

# The pictures in stay/ go through the GPU alone where they can; within a bound on memory they come to the host in between.
stayed() { [ "$(grep -c '"stayed": true' "$1.jsonl")" = "$2" ]; } # NAME HOW_MANY
through_stay() {                                                  # NAME OPTIONS...
    local name=$1
    shift
    rm -rf "$name" && run stay "$name" --codec gpu --report "$name.jsonl" "$@"
}
notes() { grep -o '"message": "[^"]*"' "$1.jsonl" | sed "s,$1/,," | sort; } # some name an output
same_notes() { diff <(notes "$1") <(notes "$2"); }
stays() { # stays WORDS HOW_MANY OPTIONS...: both ways, by six jobs; all but the first $broken pictures are done
    local words=$1 many=$2
    shift 2
    through_stay host --jobs 1 --gpu-memory 64G --device cuda "$@"
    ok "$words: all that are not broken are done" says " 0 skipped, $broken failed"
    ok "$words, within a bound on memory: none stays" stayed host 0
    through_stay several --jobs 6 --device cuda "$@"
    ok "$words: $many stay on the GPU" stayed several "$many"
    ok "$words: the bytes of the host's way" same_folders host several
    ok "$words: and its notes" same_notes host several
}

# Of the report on an emulated device's memory, memory.txt: the bytes that it sent down to the host, and got up from it.
down_below() { [ "$(sed 's/.* down \([0-9]*\) .*/\1/' memory.txt)" -lt "$1" ]; }
up_below() { [ "$(sed 's/.* up \([0-9]*\) .*/\1/' memory.txt)" -lt "$1" ]; }
all_given_back() { grep -q ' left 0 pinned 0 still 0$' memory.txt; }
