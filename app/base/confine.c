#define _GNU_SOURCE /* syscall(), CLONE_THREAD */
#include "base/confine.h"

#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* --- Files: Landlock -------------------------------------------------------------------------- */

/* Bits of what is denied. A kernel takes zeros for members that it does not know. A system's headers may know less of Landlock
 * than its kernel does. Its numbers never change, so they stand here. */
typedef struct ruleset {
    uint64_t files, network, scopes;
} ruleset;

#ifdef SYS_landlock_create_ruleset
static int landlock_version(void)
{
    enum { ASK_VERSION = 1 };
    const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

/* Denies all that the kernel's version of Landlock can deny: there is no rule that allows any of it. */
static void deny_files(void)
{
    enum { WITH_NETWORK = 4, WITH_SCOPES = 6 };
    static const int bits[] = {0, 13, 14, 15, 15, 16}; /* of files, by version */
    enum { LAST = sizeof bits / sizeof *bits - 1 };
    const int version = landlock_version();
    const ruleset all = {
        .files = (UINT64_C(1) << bits[version < LAST ? version : LAST]) - 1,
        .network = version >= WITH_NETWORK ? 3 : 0, /* TCP */
        .scopes = version >= WITH_SCOPES ? 3 : 0,   /* abstract sockets and signals of others */
    };
    const long fd = version ? syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0) : -1;
    if (fd < 0)
        return;
    syscall(SYS_landlock_restrict_self, (int)fd, 0);
    close((int)fd);
}
#else
static int landlock_version(void)
{
    return 0;
}

static void deny_files(void)
{
}
#endif

/* --- Calls of the system: seccomp ------------------------------------------------------------- */

#if !defined SYS_clone3 /* headers of a kernel before 5.3 */
#elif defined __x86_64__ && defined __LP64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#ifdef MACHINE
/* Calls that reach beyond the process, and that no decoder of pictures makes. */
static const int refused[] = {
    /* the network, and calls by way of a ring */
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_sendmsg,
    SYS_sendmmsg,
    SYS_io_uring_setup,
    /* programs and processes; those of clone() are below */
    SYS_execve,
    SYS_execveat,
    SYS_unshare,
    /* other processes */
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_pidfd_open,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setpgid,
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_sched_setaffinity,
    SYS_sched_setattr,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_migrate_pages,
    SYS_move_pages,
    /* what processes share by number or name */
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semctl,
    SYS_semop,
    SYS_semtimedop,
    SYS_msgget,
    SYS_msgctl,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_mq_open,
    SYS_mq_unlink,
    /* parts of the kernel with a history */
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    /* attributes of files, which Landlock leaves */
    SYS_fchmodat,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
#ifdef __x86_64__ /* older names of those above */
    SYS_fork,
    SYS_vfork,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
};

/* A call that depends on a test of the lower half of an argument, which has no other half that counts. */
typedef struct condition {
    int call, argument;
    uint16_t test; /* BPF_JEQ: it is the value; BPF_JSET: it has the bit */
    uint32_t value;
    bool refuses; /* what passes the test; otherwise all else is refused */
} condition;

enum {
    CONDITIONS = 9,
    NEWER = 452, /* the first call that is newer than the list above; x32 counts from 2^30 */
    REFUSED = SECCOMP_RET_ERRNO | EPERM,
    UNKNOWN = SECCOMP_RET_ERRNO | ENOSYS, /* the C library falls back to an older call */
    LENGTH = 9 + 2 * (sizeof refused / sizeof *refused) + 5 * CONDITIONS
};

static void put(struct sock_fprog *to, uint16_t code, uint32_t value, uint8_t yes, uint8_t no)
{
    to->filter[to->len++] = (struct sock_filter){code, yes, no, value};
}

static void put_load(struct sock_fprog *to, size_t offset)
{
    put(to, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* Puts a jump over `count` instructions unless the loaded number passes the test. */
static void put_test(struct sock_fprog *to, uint16_t test, uint32_t value, uint8_t count)
{
    put(to, BPF_JMP | test | BPF_K, value, 0, count);
}

static void put_return(struct sock_fprog *to, uint32_t verdict)
{
    put(to, BPF_RET | BPF_K, verdict, 0, 0);
}

static void put_condition(struct sock_fprog *to, const condition *c)
{
    put_test(to, BPF_JEQ, (uint32_t)c->call, 4);
    put_load(to, offsetof(struct seccomp_data, args) + (size_t)c->argument * sizeof(uint64_t));
    put_test(to, c->test, c->value, 1);
    put_return(to, c->refuses ? REFUSED : SECCOMP_RET_ALLOW);
    if (c->refuses)
        put_load(to, offsetof(struct seccomp_data, nr));
    else
        put_return(to, REFUSED);
}

/* SPEC_ALLOW: without it kernels before 5.16 slow the process down, to keep it from guessing at secrets, of which it has none. */
static void deny_calls(void)
{
    const condition conditions[CONDITIONS] = {
        {SYS_clone, 0, BPF_JSET, CLONE_THREAD, false},
        {SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), false}, /* as abort() does */
        {SYS_prlimit64, 0, BPF_JEQ, 0, false},               /* the process itself */
        {SYS_sendto, 5, BPF_JEQ, 0, false},                  /* bytes of an address */
        {SYS_prctl, 0, BPF_JEQ, PR_SET_PDEATHSIG, true},
        {SYS_fcntl, 1, BPF_JEQ, F_SETOWN, true}, /* signals of a descriptor go there */
        {SYS_fcntl, 1, BPF_JEQ, F_SETOWN_EX, true},
        {SYS_ioctl, 1, BPF_JEQ, FIOSETOWN, true},
        {SYS_ioctl, 1, BPF_JEQ, SIOCSPGRP, true},
    };
    struct sock_filter code[LENGTH];
    struct sock_fprog filter = {.len = 0, .filter = code};
    put_load(&filter, offsetof(struct seccomp_data, arch));
    put(&filter, BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0);
    put_return(&filter, REFUSED);
    put_load(&filter, offsetof(struct seccomp_data, nr));
    put_test(&filter, BPF_JGE, NEWER, 1);
    put_return(&filter, UNKNOWN);
    put_test(&filter, BPF_JEQ, SYS_clone3, 1); /* whose flags cannot be read here */
    put_return(&filter, UNKNOWN);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        put_test(&filter, BPF_JEQ, (uint32_t)refused[i], 1);
        put_return(&filter, REFUSED);
    }
    for (int i = 0; i < CONDITIONS; i++)
        put_condition(&filter, &conditions[i]);
    put_return(&filter, SECCOMP_RET_ALLOW);
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter);
}

static bool has_seccomp(void)
{
    const uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}
#else
static void deny_calls(void)
{
}

static bool has_seccomp(void)
{
    return false;
}
#endif

/* --- All of it -------------------------------------------------------------------------------- */

/* Closes the descriptors, but for the standard streams, that the program was started with. */
static void close_others(void)
{
#ifdef SYS_close_range
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);
#endif
}

static void drop_rights(void)
{
    struct __user_cap_header_struct of_this = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{.effective = 0}};
    syscall(SYS_capset, &of_this, none);
}

void confine_process(void)
{
    close_others();
    drop_rights();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return;
    deny_files();
    deny_calls();
}

const char *confine_words(void)
{
    return landlock_version() ? (has_seccomp() ? "Landlock, seccomp" : "Landlock")
           : has_seccomp()    ? "seccomp; this kernel has no Landlock"
                              : "none; neither Landlock nor seccomp can be used here";
}
