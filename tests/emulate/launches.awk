# Turns what C++ does not know into what it does, outside comments and texts:
#     kernel<A, B><<<grid, block, shared, stream>>>(arguments)
#  -> emulate(emulate_kernel(kernel<A, B>), grid, block, shared,
#             [](const auto &...of) { kernel<A, B>(of...); }, arguments)
# with nullptr for the kernel where shared is 0, and
#     extern __shared__ T name[];  ->  T *const name = (T *)emulate_dynamic_shared();

BEGIN { RS = "\001"; print "#include <cuda_runtime.h>" } # the whole file is one record

function spaces(text) { gsub(/[^\n]/, " ", text); return text }

# The text with spaces for everything in comments and quotes: positions stay as they are.
function bare(text,    out, rest) {
    while (match(text, /\/\/|\/\*|"|'/)) {
        rest = substr(text, RSTART)
        out = out substr(text, 1, RSTART - 1)
        if (rest ~ /^\/\//) match(rest, /^[^\n]*/)
        else if (rest ~ /^\/\*/) { match(substr(rest, 3), /\*\//); RLENGTH = RSTART + 3 }
        else if (rest ~ /^"/) match(rest, /^"([^"\\\n]|\\.)*"?/)
        else if (!match(rest, /^'(\\.[^'\n]*|[^'\\\n])'/)) RLENGTH = 1 # of a number
        out = out spaces(substr(rest, 1, RLENGTH))
        text = substr(rest, RLENGTH + 1)
    }
    return out text
}

# Where the name (and template arguments) of the kernel begins that ends at position `end` of text.
function name_begin(text, end,    depth, c) {
    while (substr(text, end, 1) ~ /[ \t\n]/) end--
    do {
        c = substr(text, end, 1)
        if (c == ">") depth++
        if (c == "<") depth--
        end--
    } while (depth > 0 || substr(text, end, 1) ~ /[A-Za-z0-9_<>:]/)
    return end + 1
}

# Where the part of text that begins at `at` ends: before a "," or ")" of its own level.
function part_end(text, at,    depth, c) {
    for (; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (depth == 0 && (c == "," || c == ")")) break
        if (c ~ /[({[]/) depth++
        if (c ~ /[)}\]]/) depth--
    }
    return at
}

# Part number n of a launch's configuration.
function part(config, n,    at, end) {
    for (at = 1; (end = part_end(config, at)) && n > 1; n--) at = end + 1
    return substr(config, at, end - at)
}

# The launch at position `at` of text, which ends at launch_end.
function launch(at,    begin, kernel, close_at, config, shared, which, end, arguments) {
    begin = name_begin(code, at - 1)
    kernel = substr(text, begin, at - begin)
    close_at = at + index(substr(code, at), ">>>") - 1
    config = substr(code, at + 3, close_at - at - 3)
    shared = part(config, 3)
    if (shared ~ /^[ \t\n]*0?[ \t\n]*$/) shared = "0"
    which = shared == "0" ? "nullptr" : "emulate_kernel(" kernel ")"
    for (end = close_at + 4; substr(code, (end = part_end(code, end)), 1) == ","; end++);
    launch_end = end
    arguments = substr(text, close_at + 4, end - close_at - 4)
    if (arguments !~ /^[ \t\n]*$/) arguments = ", " arguments
    printf "%semulate(%s, %s, %s, %s, [](const auto &...of) { %s(of...); }%s)", substr(text, 1, begin - 1), which,
           part(config, 1), part(config, 2), shared, kernel, arguments
}

# The declaration of dynamic shared memory that matched. An alignment named there is given anyway.
function shared_array(declaration,    name, type) {
    sub(/^extern[ \t\n]+__shared__[ \t\n]+/, "", declaration)
    gsub(/(__align__|alignas)[ \t\n]*\([^()]*\)[ \t\n]*/, "", declaration)
    sub(/[ \t\n]*\[[ \t\n]*\][ \t\n]*;$/, "", declaration)
    match(declaration, /[A-Za-z0-9_]+$/)
    name = substr(declaration, RSTART)
    type = substr(declaration, 1, RSTART - 1)
    sub(/[ \t\n]+$/, "", type)
    printf "%s *const %s = (%s *)emulate_dynamic_shared();", type, name, type
}

{
    text = $0
    code = bare(text)
    printf "#line 1 \"%s\"\n", FILENAME
    while (1) {
        at = index(code, "<<<")
        found = match(code, /extern[ \t\n]+__shared__[^;]*;/)
        if (at == 0 && found == 0) break
        if (found && (at == 0 || found < at)) {
            end = RSTART + RLENGTH - 1
            printf "%s", substr(text, 1, RSTART - 1)
            shared_array(substr(code, RSTART, RLENGTH))
        } else {
            launch(at)
            end = launch_end
        }
        text = substr(text, end + 1)
        code = substr(code, end + 1)
    }
    printf "%s", text
}
