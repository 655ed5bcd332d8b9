#!/usr/bin/env bash
# satbench --textbook prints what tests/textbook/textbook.txt holds, the README shows nothing else, and
# profile.sh tells a profiler's right report from a wrong one. usage: textbook.sh SATBENCH
set -uo pipefail
tests=$(cd "$(dirname "$0")/.." && pwd)
satbench=$(realpath "$1")
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

ok() { # ok NAME COMMAND...
    local name=$1
    shift
    if "$@" > log 2>&1; then
        passed=$((passed + 1))
        echo "ok    $name"
    else
        failed=$((failed + 1))
        echo "FAIL  $name"
        sed 's/^/        /' log | head -20
    fi
}

exits() { # exits STATUS COMMAND...
    local want=$1 status
    shift
    "$@"
    status=$?
    [ $status -eq "$want" ] || { echo "exit status $status, not $want"; return 1; }
}

# --- The table ---------------------------------------------------------------------------------

tables() { "$satbench" --textbook --cpu > out && grep '^|' out > rows; }
ok "satbench --textbook succeeds" tables
ok "it prints what is expected" diff "$tests/textbook/textbook.txt" rows

# Each row that the README shows in its section is a printed one, and there are some.
readme_rows() {
    sed -n '/^## Textbook figures/,/^#\+ [^T]/p' "$tests/README.md" | grep '^|' > readme &&
        ! grep -vxFf rows readme
}
ok "the README's rows are printed ones" readme_rows

# --- profile.sh --------------------------------------------------------------------------------

# The profiler's two layouts, by hand.
cat > lines.csv << 'END'
==PROF== Connected to process 4711 (/somewhere/satbench)
==PROF== Profiling "reduce_interleaved" - 0: 0%....50%....100% - 1 pass
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","l1tex__t_requests_pipe_lsu_mem_global_op_st.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum","launch__block_size"
"","","","","","","","","","","","request","request","sector","sector",""
"0","4711","satbench","127.0.0.1","void reduce_interleaved<unsigned int, satk_max>(T1 *, unsigned long, T1 *)","1","13","(128, 1, 1)","(1, 1, 1)","0","9.0","55","28","255","128","128"
"1","4711","satbench","127.0.0.1","void reduce_interleaved<unsigned int, satk_max>(T1 *, unsigned long, T1 *)","1","13","(1024, 1, 1)","(1, 1, 1)","0","9.0","447","224","2,047","1,024","1,024"
"2","4711","satbench","127.0.0.1","void reduce_convergent<unsigned int, satk_max>(T1 *, unsigned long, T1 *)","1","13","(128, 1, 1)","(1, 1, 1)","0","9.0","25","13","69","35","128"
"3","4711","satbench","127.0.0.1","void reduce_convergent<unsigned int, satk_max>(T1 *, unsigned long, T1 *)","1","13","(1024, 1, 1)","(1, 1, 1)","0","9.0","137.000000","69.000000","517.000000","259.000000","1,024"
END

metric() { # metric ID KERNEL THREADS NAME VALUE
    printf '"%s","4711","satbench","127.0.0.1","%s(unsigned int *, unsigned long)","1","13",' "$1" "$2"
    printf '"(%s, 1, 1)","(1, 1, 1)","0","9.0","Command line profiler metrics","%s","","%s"\n' "$3" "$4" "$5"
}
launch() { # launch ID KERNEL THREADS LOADS SECTORS STORES SECTORS
    metric "$1" "$2" "$3" l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum "$4"
    metric "$1" "$2" "$3" l1tex__t_requests_pipe_lsu_mem_global_op_st.sum "$6"
    metric "$1" "$2" "$3" l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum "$5"
    metric "$1" "$2" "$3" l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum "$7"
    metric "$1" "$2" "$3" launch__block_size "$3"
}
{
    echo '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"'
    launch 0 reduce_interleaved 128 55 255 28 128
    launch 1 reduce_interleaved 1024 447 2,047 224 1,024
    launch 2 reduce_convergent 128 25 69 13 35
    launch 3 reduce_convergent 1024 137 517 69 259
} > metrics.csv

compare() { exits "$1" "$tests/bench/profile.sh" --compare out "$2"; }
ok "profile: a line per launch" compare 0 lines.csv
ok "profile: a line per metric" compare 0 metrics.csv
sed '/reduce_convergent.*(128,/s/"69","35"/"69","36"/' lines.csv > more.csv
ok "profile: one sector more is found" compare 1 more.csv
sed '/reduce_interleaved.*(1024,.*requests.*_st/s/"224"/"223"/' metrics.csv > less.csv
ok "profile: one request less is found" compare 1 less.csv
sed '/reduce_convergent.*(1024,/d' lines.csv > absent.csv
ok "profile: a launch that is not there is found" compare 1 absent.csv
sed '/op_ld/d' metrics.csv > metric.csv
ok "profile: a metric that is not there is found" compare 1 metric.csv
{ cat lines.csv; tail -n 1 lines.csv | sed 's/^"3"/"4"/'; } > twice.csv
ok "profile: a second launch is found" compare 1 twice.csv
echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > permission.csv
ok "profile: no permission is not a failure" compare 77 permission.csv
echo '==WARNING== No kernels were profiled.' > none.csv
ok "profile: no kernel is one" compare 1 none.csv

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
