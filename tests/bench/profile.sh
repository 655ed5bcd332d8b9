#!/bin/sh
# Do the kernels move what their models count? The profiler's requests and sectors against the table
# of launches that satbench --textbook prints.
#
# usage: profile.sh SATBENCH FOLDER        runs the profiler, its report goes to the folder
#        profile.sh --compare TEXT REPORT  compares what satbench has printed with a report in CSV
#
# Exit status: 0 the same, 1 different, 77 not confirmed: there is no profiler, or it may not count.
set -u

loads=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
load_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
stores=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
store_sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum

not_confirmed()
{
    echo "NOT CONFIRMED: $*"
    exit 77
}

# A report has a line per launch and a column per metric, or a line per launch and metric. Lines
# before its header, a line of units after it, and columns of other names do not matter. A launch is
# known by its kernel and its number of threads.
compare()
{
    awk -v metrics="$loads $load_sectors $stores $store_sectors" '
    # The fields of a CSV line into f[]; quotes are doubled inside quotes.
    function fields(line,    n, i, c, quoted) {
        split("", f)
        n = 1
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"" && quoted && substr(line, i + 1, 1) == "\"") { f[n] = f[n] c; i++ }
            else if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) n++
            else if (c != "\r") f[n] = f[n] c
        }
        return n
    }
    function number(text) { # "1,024" or "1024.000000"
        gsub(/,/, "", text)
        return text ~ /^[0-9]+(\.0*)?$/ ? text + 0 : -1
    }
    function threads(text,    side) { # "(128, 1, 1)" or "1,024"
        if (text !~ /[(]/) return number(text)
        gsub(/[^0-9]+/, " ", text)
        split(text, side, " ")
        return side[1] * side[2] * side[3]
    }
    function kernel(text) { # "void reduce_convergent<unsigned int, maximum>(...)"
        return match(text, /reduce_[a-z]+/) ? substr(text, RSTART, RLENGTH) : ""
    }
    function found(key, id, metric, value) {
        if (!((key, id) in seen)) { seen[key, id] = 1; launches[key]++ }
        got[key, metric] = number(value)
    }
    BEGIN { split(metrics, metric, " ") }
    FNR == NR {
        if (split($0, cell, / *\| */) >= 8 && cell[2] ~ /^reduce_/) {
            key = cell[2] " " cell[4]
            keys[++wanted] = key
            for (m = 1; m <= 4; m++) want[key, m] = cell[4 + m] + 0
        }
        next
    }
    /^"?ID"?,/ {
        split("", column)
        for (i = fields($0); i >= 1; i--) column[f[i]] = i
        next
    }
    ("Kernel Name" in column) {
        fields($0)
        name = kernel(f[column["Kernel Name"]])
        if (name == "") next
        size = "Block Size" in column ? f[column["Block Size"]] : f[column["launch__block_size"]]
        key = name " " threads(size)
        id = f[column["ID"]]
        for (m = 1; m <= 4; m++)
            if (metric[m] in column) found(key, id, m, f[column[metric[m]]])
            else if (f[column["Metric Name"]] == metric[m]) found(key, id, m, f[column["Metric Value"]])
    }
    END {
        for (i = 1; i <= wanted; i++) {
            key = keys[i]
            if (launches[key] != 1) {
                printf "FAIL %s threads: %d launches in the report, 1 wanted\n", key, launches[key]
                failed++
                continue
            }
            for (m = 1; m <= 4; m++) {
                same = (key, m) in got && got[key, m] == want[key, m]
                printf "%s %s threads: %s counted %d, profiled %s\n", same ? "ok  " : "FAIL", key,
                       metric[m], want[key, m], (key, m) in got ? got[key, m] : "nothing"
                failed += !same
            }
        }
        if (!wanted) print "FAIL no table of launches"
        exit failed > 0 || !wanted
    }' "$1" "$2"
}

# A profiler that does not work is no fault of the kernels; kernels that it does not meet are one.
reported()
{
    if grep -q ERR_NVGPUCTRPERM "$1" "$2"; then
        not_confirmed "the profiler may not read the counters"
    elif grep -q 'No kernels were profiled' "$1" "$2"; then
        echo "FAIL the profiler has met none of the kernels"
        exit 1
    elif ! grep -q '"Kernel Name"' "$1"; then
        not_confirmed "the profiler has reported nothing: $(tail -qn 1 "$1" "$2" | tr '\n' ' ')"
    fi
}

profile()
{
    report=$2/profile.csv
    text=$2/textbook.out
    command -v ncu >/dev/null || PATH=$PATH:/usr/local/cuda/bin
    command -v ncu >/dev/null || not_confirmed "no profiler (ncu)"
    ncu --csv --page raw --print-units base --log-file "$report" --kernel-name-base function \
        --kernel-name 'regex:^reduce_(interleaved|convergent)$' \
        --metrics "$loads,$load_sectors,$stores,$store_sectors,launch__block_size" \
        "$1" --textbook --cuda >"$text" 2>&1
    reported "$report" "$text"
    compare "$text" "$report"
}

if [ $# -eq 3 ] && [ "$1" = --compare ]; then
    reported "$3" "$2"
    compare "$2" "$3"
elif [ $# -eq 2 ]; then
    profile "$1" "$2"
else
    echo "usage: profile.sh SATBENCH FOLDER | --compare TEXT REPORT" >&2
    exit 2
fi
