# Turns the launches of a CUDA source into calls that C++ understands:
#     kernel<A, B><<<grid, block, shared, stream>>>(arguments)
#  -> emulate(grid, block, [=] { kernel<A, B>(arguments); })

BEGIN { RS = "\001"; print "#include <cuda_runtime.h>" } # the whole file is one record

# Where the name (and template arguments) of the kernel begins that ends at position `end` of text.
function name_begin(text, end,    depth, c) {
    while (substr(text, end, 1) ~ /[ \t\n]/) end--
    do {
        c = substr(text, end, 1)
        if (c == ">") depth++
        if (c == "<") depth--
        end--
    } while (depth > 0 || substr(text, end, 1) ~ /[A-Za-z0-9_<>]/)
    return end + 1
}

# Where the part of text that begins at `at` ends: before a "," or ")" of its own level.
function part_end(text, at,    depth, c) {
    for (; at <= length(text); at++) {
        c = substr(text, at, 1)
        if (depth == 0 && (c == "," || c == ")")) break
        if (c == "(") depth++
        if (c == ")") depth--
    }
    return at
}

{
    text = $0
    while ((at = index(text, "<<<")) > 0) {
        begin = name_begin(text, at - 1)
        kernel = substr(text, begin, at - begin)
        close_at = index(text, ">>>")
        config = substr(text, at + 3, close_at - at - 3)
        comma = part_end(config, 1)
        grid = substr(config, 1, comma - 1)
        block = substr(config, comma + 1, part_end(config, comma + 1) - comma - 1)
        open_at = close_at + 3
        for (end = open_at + 1; substr(text, (end = part_end(text, end)), 1) == ","; end++);
        printf "%semulate(%s, %s, [=] { %s%s; })", substr(text, 1, begin - 1), grid, block, kernel,
               substr(text, open_at, end - open_at + 1)
        text = substr(text, end + 1)
    }
    printf "%s", text
}
