# Small new systems of Debian, in which nothing is installed that a package forgot to ask for. Scripts of this folder source
# this file. SATB_MIRROR is Debian's mirror; otherwise it is the one of this machine's apt.
mirror=${SATB_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' 2>/dev/null | head -n 1 || true)}

need_roots() { # need_roots WHAT STATUS: ends the script with that status where no system can be made; WHAT is not done then
    local why=
    if [ "$(id -u)" -ne 0 ]; then
        why="chroot needs root"
    elif ! command -v debootstrap > /dev/null; then
        why="debootstrap is missing (Debian: debootstrap)"
    elif [ -z "$mirror" ]; then
        why="apt has no source of Debian; SATB_MIRROR=URL names one"
    fi
    [ -n "$why" ] || return 0
    echo "SKIPPED: $1: $why"
    exit "$2"
}

new_root() { # new_root SUITE FOLDER: makes a system there; its log is FOLDER.log
    debootstrap --variant=minbase "$1" "$2" "$mirror" > "$2.log" 2>&1 || { tail "$2.log"; return 1; }
    apt-config dump | grep -E '^Acquire::(https?|Retries)' > "$2/etc/apt/apt.conf.d/90satblur" || true
    printf 'APT::Install-Recommends "0";\nDpkg::Use-Pty "0";\n' >> "$2/etc/apt/apt.conf.d/90satblur"
    mkdir "$2/trial"
}

inside() { # inside FOLDER COMMAND...: runs it in the system's folder /trial; /proc ends with it
    unshare --mount sh -ec 'root=$0; mount -t proc proc "$root/proc"; mkdir -p "$root/dev/shm"; mount -t tmpfs none "$root/dev/shm"; exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" sh -c "cd /trial; exec \"\$@\"" sh "$@"' "$@"
}

get() { # get FOLDER PACKAGE...: apt installs them and what they ask for
    inside "$1" apt-get update -qq && inside "$1" apt-get install -y -qq "${@:2}"
}
