#!/bin/bash
# What --help prints: two screens, every option, the manual page and the completions of three shells.
# cli_help.sh SATBLUR MKIMAGE PAGES    (PAGES: the folder of the pages that the build printed)
pages=$(realpath "$3")
. "$(dirname "$0")/cli_case.sh"

run --help
cp out daily
ok '--help: status 0, no message' eval 'status_is 0 && silent'
ok '--help has at most 50 lines' test "$(wc -l < daily)" -le 50
ok '--help has at most 80 columns' test "$(wc -L < daily)" -le 80
ok '--help begins with the usage' grep -q 'satblur INPUT OUTPUT --depth MAP' daily
run -h
ok '-h is --help' cmp out daily
run --help=all
cp out all
ok '--help=all has at most 80 columns' test "$(wc -L < all)" -le 80
sed -n 's/^  --\([a-z-]*\).*/\1/p' all > options
ok '--help=all has many options' test "$(wc -l < options)" -ge 49
blanks() { ! grep -n ' $' "$@"; }
ok 'no line ends with a blank' blanks daily all
refused 'a help that is none' 2 "--help=most: expected --help, --help=all," --help=most
refused 'a section that is none' 2 '--help=zzz: .*; the sections are .*depth.* report' --help=zzz
refused '--page and a picture' 2 "leave out 'i.png'" i.png --page o.page
refused '--page and an operation' 2 '--page and --radius exclude each other' --page o.page --radius 2
refused '--onnxruntime and a picture' 2 '--onnxruntime needs --page DIR' i.png o.png --radius 2 --onnxruntime dist
for style in '' =all =man =bash =zsh =fish =json; do
    "$satblur" --help$style > /dev/full 2> err
    status=$?
    full() { status_is 1 && [ "$(wc -l < err)" = 1 ] && says '^satblur: standard output cannot be written: '; }
    ok "--help$style into a full disk: one line, status 1" full
done
"$satblur" --version > /dev/full 2> err
status=$?
ok '--version into a full disk: one line, status 1' full

# --- Sections -------------------------------------------------------------------------------------
run --help=depth
part() { grep -q -- '^  --depth-range' out && ! grep -q -- '--quality\|^Usage' out && silent; }
ok '--help=depth has the options of that section alone' part
sections=$(sed -n '/^--help=SECTION/,/^$/p' all | sed 's/.*sections: //')
all_sections() { for word in $sections; do "$satblur" --help="$word" | grep -qi "^$word.*:$" || { echo "$word"; return 1; }; done; }
ok '--help=all names the sections' all_sections
ok '--help=all names many sections' test "$(wc -w <<< "$sections")" -ge 15
rest() { grep -v '^$' | sort; }
parts() { for word in $sections; do "$satblur" --help="$word"; done | rest > pieces; sed '1,/^--help=SECTION/d' all | sed '1,/^$/d' | rest | diff - pieces; }
ok 'the sections are all of --help=all' parts

# --- Formats and reports --------------------------------------------------------------------------
"$satblur" --version | sed -n '/^GPU\|^video\|^sandbox\|^satblur\|--codec/d; s/:.*//; s/ (depth maps)//p; t; p' > formats
"$satblur" --help=formats > out
every_format() { while read -r format; do grep -q "^  $format  " out || { echo "$format"; return 1; }; done < formats; }
ok '--help=formats has every format of --version' every_format
make png 60 40 1 8 ramp depth.png
mkdir pictures
make png 60 40 3 8 noise:1 pictures/a.png
make png 60 40 1 8 step mask.png
head -c 100 pictures/a.png > pictures/b.png
"$satblur" pictures made --depth depth.png --matte mask.png --stats --report keys.jsonl > /dev/null 2>&1
python3 - keys.jsonl > keys << 'END'
import json, sys
for line in open(sys.argv[1]):
    print("\n".join(json.loads(line)))
END
"$satblur" --help=report > out
"$satblur" --help=summary >> out
every_key() { while read -r key; do grep -q "^  $key  " out || { echo "$key"; return 1; }; done < keys; }
ok 'the help has every key of a report' every_key
ok 'the report has many keys' test "$(sort -u keys | wc -l)" -ge 25
rm -r pictures made

# --- The pages of the build -----------------------------------------------------------------------
for page in man/satblur.1 bash/satblur zsh/_satblur fish/satblur.fish; do
    "$satblur" --help="${page%%/*}" > printed
    ok "the build's ${page##*/} is the program's" cmp printed "$pages/$page"
done

# --- The manual page ------------------------------------------------------------------------------
if command -v groff > /dev/null; then
    groff -ww -man -Tascii -P-cbou "$pages/man/satblur.1" > page 2> err
    ok 'groff warns of nothing' silent
    in_page() { while read -r option; do grep -q -- "^ *--$option\( \|\[\|$\)" page || { echo "$option"; return 1; }; done < options; }
    ok 'the manual page has every option' in_page
    for part in NAME SYNOPSIS DESCRIPTION OPTIONS METADATA EXAMPLES 'EXIT STATUS'; do
        ok "the manual page has $part" grep -qx "$part" page
    done
else
    skip 'THE MANUAL PAGE WAS NOT FORMATTED: groff is missing'
fi
if command -v mandb > /dev/null; then
    man --warnings -l "$pages/man/satblur.1" > page 2> err
    ok 'man warns of nothing' silent
else
    skip 'THE MANUAL PAGE WAS NOT READ BY man: man-db is missing'
fi

# --- JSON -----------------------------------------------------------------------------------------
run --help=json
ok '--help=json: status 0, no message' eval 'status_is 0 && silent'
cp out json
named() { "$python" -c 'import json; print(*sorted(option["name"] for option in json.load(open("json"))), sep="\n")'; }
sort -u options > names
ok '--help=json names every option once' eval 'named | cmp - names'
ok '--help=json has a range and a default' grep -q '"name": "squeeze",.*"type": "number", "low": 0.25, "high": 4, "default": "1", ' json
ok '--help=json has choices' grep -q '"name": "method",.*"type": "choice",.*{"word": "gather", "help": "' json
ok '--help=json has what a preset sets' grep -q '{"word": "macro", .*"sets": {"focus-range": "0.03", "max-radius": "5%", "bokeh": "smooth"}}' json

# --- bash -----------------------------------------------------------------------------------------
bash_completes() { # bash_completes WORDS...: prints what completes the last word, a line each
    bash --norc -c '. "$1" || exit; shift
        COMP_WORDS=(satblur "$@") COMP_CWORD=$#
        _satblur 2>&1
        [ ${#COMPREPLY[@]} = 0 ] || printf "%s\n" "${COMPREPLY[@]}"' bash "$pages/bash/satblur" "$@"
}
completes() { # completes SHELL WANTED WORDS...
    local shell=$1 wanted=$2
    shift 2
    [ "$("${shell}_completes" "$@" | sort | tr '\n' ' ')" = "$wanted" ] || { echo "got: $("${shell}_completes" "$@")"; return 1; }
}
mkdir -p tree/maps
touch tree/mapfile
ok 'bash: --dep' completes bash '--depth --depth-cache --depth-channel --depth-colormap --depth-command --depth-dir --depth-edges --depth-from --depth-holes --depth-jobs --depth-key --depth-process --depth-range --depth-scale --depth-size --depth-suffix --depth-sync --depth-timeout --depth-type ' --dep
ok 'bash: a choice' completes bash 'layered ' a.png b.png --method l
ok 'bash: all choices' completes bash 'gather layered spread ' --method ''
ok "bash: a choice behind '='" completes bash 'gather ' --method = g
ok "bash: all choices behind '='" completes bash 'disc smooth square ' --bokeh =
ok 'bash: an optional value' completes bash 'json ' --stats = j
ok 'bash: no value behind a blank' completes bash '' a.png --stats j
ok 'bash: a folder' completes bash 'tree/maps ' --depth-dir tree/map
ok 'bash: a file is left to the shell' completes bash '' --depth tree/map
every_bash() { while read -r option; do bash_completes "--$option" | grep -qx -- "--$option" || { echo "$option"; return 1; }; done < options; }
ok 'bash: every option' every_bash

# --- zsh ------------------------------------------------------------------------------------------
if command -v zsh > /dev/null; then
    ok 'zsh: the syntax' zsh -n "$pages/zsh/_satblur"
    zsh -f -c '_arguments() { print -rl -- "$@"; }; . "$1"' zsh "$pages/zsh/_satblur" > specs
    every_zsh() { while read -r option; do grep -qE -- "^--$option(=-?)?\[" specs || { echo "$option"; return 1; }; done < options; }
    ok 'zsh: every option' every_zsh
    ok 'zsh: choices' grep -q '^--method=\[.*((layered\\:"' specs
    ok 'zsh: files' grep -q '^--depth=\[.*\]:MAP:_files$' specs
else
    skip "ZSH'S COMPLETIONS WERE NOT RUN: zsh is missing"
fi

# --- fish -----------------------------------------------------------------------------------------
fish_completes() { HOME=$work fish --no-config -c "source $pages/fish/satblur.fish; complete -C 'satblur $*'" | cut -f 1; }
if command -v fish > /dev/null; then
    ok 'fish: the syntax' fish -n "$pages/fish/satblur.fish"
    ok 'fish: --dep' completes fish '--depth --depth-cache --depth-channel --depth-colormap --depth-command --depth-dir --depth-edges --depth-from --depth-holes --depth-jobs --depth-key --depth-process --depth-range --depth-scale --depth-size --depth-suffix --depth-sync --depth-timeout --depth-type ' --dep
    ok 'fish: a choice' completes fish 'layered ' --method l
    ok 'fish: a choice with a colon' completes fish 'auto cpu cuda cuda:all ' "--device ''"
    ok 'fish: an optional value' completes fish '--stats=json ' --stats=
    fish_completes -- > lines
    every_fish() { while read -r option; do grep -qx -- "--$option" lines || { echo "$option"; return 1; }; done < options; }
    ok 'fish: every option' every_fish
else
    skip "FISH'S COMPLETIONS WERE NOT RUN: fish is missing"
fi

# --- Options that change no byte ------------------------------------------------------------------
# --resume does not compare these, so they must not change an output.
make png 60 40 3 8 noise:1 photo.png
make png 60 40 1 8 ramp depth.png
"$satblur" photo.png want.png --depth depth.png --quiet
for option in '--threads 1' '--device cpu' '--gpu-memory 1M' '--max-pixels 2400' --timings --quiet \
    --stats --stats=json '--histogram h.png' '--dump-coc c.png' '--focus-view v.png'; do
    run photo.png o.png --depth depth.png $option
    ok "$option changes no byte" cmp want.png o.png
done
mkdir in maps
cp photo.png in
cp depth.png maps/photo.png
echo photo.png > list
for option in '' '--jobs 1' '--shard 1/1' '--report r' --recursive '--files-from list' "--depth-suffix="; do
    rm -rf made
    run in made --depth-dir maps $option
    ok "a folder $option: the same bytes" cmp want.png made/photo.png
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
