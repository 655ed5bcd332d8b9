/* Preloaded into the program: libheif's decoder misbehaves on pictures that are 64 pixels wide, as LIBHEIF_BAD_DECODER says; and
 * its encoder takes its time with the first picture, and crashes where another one comes meanwhile. With LIBHEIF_BAD_DECODER=load
 * the process that reads a picture ends by 7 as soon as this is loaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libheif/heif.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((constructor)) static void load(void)
{
    const char *const how = getenv("LIBHEIF_BAD_DECODER");
    if (how && strcmp(how, "load") == 0 && strcmp(program_invocation_name, "satblur-reader") == 0)
        _exit(7);
}

static void eat(void)
{
    enum { BITE = 1 << 24 };
    for (volatile char *block; (block = malloc(BITE));)
        for (int i = 0; i < BITE; i += 4096)
            block[i] = 1;
    abort(); /* as C++ does where nobody catches its exception */
}

/* Uses processor time for ever. If it is limited, a second of it shows that as well. */
static void spin(void)
{
    struct rlimit r;

    if (getrlimit(RLIMIT_CPU, &r) == 0 && r.rlim_cur < 60) {
        r.rlim_cur = 1;
        setrlimit(RLIMIT_CPU, &r);
    }
    for (volatile int i = 0;;)
        i = 1;
}

/* --- What only other processes need; each returns whether it succeeded ----------------------- */

static bool opens(void)
{
    return open("/etc/passwd", O_RDONLY) >= 0;
}

static bool makes(void)
{
    return open("made", O_WRONLY | O_CREAT, 0666) >= 0 || mkdir("made", 0777) == 0;
}

static bool removes(void)
{
    return unlink("victim") == 0 || rename("victim", "moved") == 0 || truncate("victim", 0) == 0;
}

static bool changes(void)
{
    return chmod("victim", 0600) == 0 || utimensat(AT_FDCWD, "victim", NULL, 0) == 0;
}

static bool connects(void)
{
    int ends[2];
    const struct sockaddr none = {.sa_family = AF_UNSPEC};
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_DGRAM, 0) >= 0 ||
           socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0 ||
           sendto(STDIN_FILENO, "", 0, 0, &none, sizeof none) == 0 || errno != EPERM ||
           connect(STDIN_FILENO, &none, sizeof none) == 0 || errno != EPERM;
}

static bool starts(void)
{
    pid_t pid;
    char *const words[] = {(char *)"true", NULL};
    return posix_spawn(&pid, "/bin/true", NULL, NULL, words, NULL) == 0;
}

static bool forks(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid > 0;
}

static bool becomes(void)
{
    execl("/bin/true", "true", (char *)NULL);
    return errno != EPERM; /* the call itself is refused */
}

static bool signals(void)
{
    const pid_t parent = getppid();
    return kill(parent, 0) == 0 || syscall(SYS_tgkill, parent, parent, 0) == 0 ||
           fcntl(STDIN_FILENO, F_SETOWN, parent) == 0 || setpriority(PRIO_PROCESS, parent, 1) == 0;
}

static bool shares(void)
{
    return shmget(IPC_PRIVATE, 1, 0600) >= 0 || msgget(IPC_PRIVATE, 0600) >= 0 ||
           semget(IPC_PRIVATE, 1, 0600) >= 0 ||
           syscall(SYS_mq_open, "made", O_RDWR | O_CREAT, 0600, NULL) >= 0;
}

static bool traces(void)
{
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static bool limits(void)
{
    struct rlimit r;
    const int all[] = {RLIMIT_CPU, RLIMIT_DATA};
    for (int i = 0; i < 2; i++)
        if (getrlimit(all[i], &r) != 0 || r.rlim_max == RLIM_INFINITY ||
            (r.rlim_max++, setrlimit(all[i], &r) == 0))
            return true;
    return syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, NULL, &r) == 0 ||
           prctl(PR_SET_PDEATHSIG, 0) == 0;
}

static bool inherits(void)
{
    return fcntl(9, F_GETFD) >= 0 || getenv("SECRET"); /* which the test has opened and set */
}

static bool is_root(void)
{
    return chroot("/") == 0;
}

static void *nothing(void *user)
{
    return user;
}

/* Returns whether what a decoder needs is missing. */
static bool lacks(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) != 0 || pthread_join(thread, NULL) != 0 ||
           raise(0) != 0;
}

/* Ends with 100, or with 100 and the number of the first that should not have succeeded. */
static void reach(void)
{
    static bool (*const tries[])(void) = {opens,  makes,    removes, changes, connects,
                                          starts, forks,    becomes, signals, traces,
                                          limits, inherits, is_root, shares,  lacks};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        if (tries[i]())
            _exit(101 + (int)i);
    _exit(100);
}

static void misbehave(const char *how)
{
    if (strcmp(how, "crash") == 0)
        raise(SIGSEGV);
    else if (strcmp(how, "leave") == 0)
        exit(3);
    else if (strcmp(how, "eat") == 0)
        eat();
    else if (strcmp(how, "talk") == 0)
        fputs("a decoder's own words\n", stderr);
    else if (strcmp(how, "reach") == 0)
        reach();
    else if (strcmp(how, "hang") == 0)
        for (;;)
            pause();
    else if (strcmp(how, "spin") == 0)
        spin();
}

struct heif_error heif_decode_image(const struct heif_image_handle *handle, struct heif_image **out,
                                    enum heif_colorspace colours, enum heif_chroma chroma,
                                    const struct heif_decoding_options *options)
{
    struct heif_error (*decode)(const struct heif_image_handle *, struct heif_image **,
                                enum heif_colorspace, enum heif_chroma,
                                const struct heif_decoding_options *) = NULL;
    const char *const how = getenv("LIBHEIF_BAD_DECODER");
    void *const found = dlsym(RTLD_NEXT, "heif_decode_image");
    memcpy(&decode, &found, sizeof decode);
    if (how && heif_image_handle_get_width(handle) == 64)
        misbehave(how);
    return decode(handle, out, colours, chroma, options);
}

struct heif_error heif_context_encode_image(struct heif_context *context,
                                            const struct heif_image *image,
                                            struct heif_encoder *encoder,
                                            const struct heif_encoding_options *options,
                                            struct heif_image_handle **handle)
{
    static atomic_int begun, ended;
    struct heif_error (*encode)(struct heif_context *, const struct heif_image *,
                                struct heif_encoder *, const struct heif_encoding_options *,
                                struct heif_image_handle **) = NULL;
    void *const found = dlsym(RTLD_NEXT, "heif_context_encode_image");
    memcpy(&encode, &found, sizeof encode);
    if (atomic_fetch_add(&begun, 1) == 0)
        usleep(300000);
    else if (atomic_load(&ended) == 0)
        raise(SIGSEGV);
    const struct heif_error error = encode(context, image, encoder, options, handle);
    atomic_fetch_add(&ended, 1);
    return error;
}
