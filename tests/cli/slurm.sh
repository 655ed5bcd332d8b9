#!/usr/bin/env bash
# The manual's Slurm recipe, run for real on a Slurm of this one machine, beside GNU parallel's; both must give the bytes
# of one plain run. As root, with Debian's slurm-wlm, munge and parallel.    slurm.sh SATBLUR MKIMAGE
set -euo pipefail
satblur=$(realpath "$1") mkimage=$(realpath "$2")
for need in slurmctld slurmd munged parallel; do
    command -v $need > /dev/null || { echo "SKIP: $need is not here (Debian: slurm-wlm munge parallel)"; exit 0; }
done
work=$(mktemp -d)
daemons=()
finish() {
    for file in "${daemons[@]}"; do
        [ -e "$file" ] && kill "$(cat "$file")"
    done
    sleep 1
    rm -rf "$work"
}
trap finish EXIT
cd "$work"
mkdir state spool photos

host=$(hostname -s)
cat > slurm.conf <<END
ClusterName=one
SlurmctldHost=$host
SlurmUser=root
ProctrackType=proctrack/pgid
TaskPlugin=task/none
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=$host CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
export SLURM_CONF=$work/slurm.conf
if ! munge -n > /dev/null 2>&1; then
    install -d -o munge /run/munge
    su munge -s /bin/sh -c munged
    daemons+=(/run/munge/munged.pid)
fi
slurmctld
daemons+=("$work/slurmctld.pid")
sleep 2
slurmd
daemons+=("$work/slurmd.pid")

for i in {1..10}; do
    "$mkimage" png 200 100 3 8 noise:$i photos/$i.png
done
"$satblur" photos/ plain/ --radius 8 --quiet
parallel "$satblur" photos/ parallel/ --radius 8 --quiet --shard {}/4 ::: 1 2 3 4
diff -r --exclude='.satblur*' plain parallel && echo "ok   GNU parallel"
sbatch --wait --array=1-4 --output=job-%a.log --wrap "'$satblur' photos/ slurm/ --radius 8 --shard slurm"
cat job-*.log
diff -r --exclude='.satblur*' plain slurm && echo "ok   Slurm"
