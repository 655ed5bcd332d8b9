/* check: compares every kernel with its contract. oracle = CPU, CPU = CUDA, to the bit.
 *
 * usage: check [--seed N] [--filter NAME] [--without NAME] [--part I/N] [--quick] [--plain] [--large] [--require-cuda] [--list]
 *
 * --plain: the CPU at its lowest level alone (common/cpu_level.h).
 * --part: one of N that together are all, I from 0 on, to run beside each other. */
#include "check/check.h"

#include "common/cpu_level.h"
#include "support/device.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN = 10, HOPELESS = 40 }; /* failures of a primitive: printed; it stops after them */

static const char *const backend_names[BACKENDS] = {"cpu", "cuda"};

/* --- Groups and cases ------------------------------------------------------------------------- */

static int begin_group(check *c, const char *name)
{
    if ((c->filter && !strstr(name, c->filter)) || (c->without && strstr(name, c->without)) ||
        c->groups++ % c->parts != c->part)
        return 0;
    c->group = name;
    c->random = c->seed;
    for (const char *p = name; *p; p++)
        c->random = random_next(&c->random) ^ (uint64_t)*p;
    check_case(c, "%s", "");
    if (c->list)
        printf("%s\n", name);
    return !c->list;
}

int check_group(check *c, const char *name)
{
    return (c->list || !c->large) && begin_group(c, name);
}

int check_large_group(check *c, const char *name)
{
    return (c->list || c->large) && begin_group(c, name);
}

void check_run(check *c, const char *name, void (*group)(check *c))
{
    if (check_group(c, name))
        group(c);
}

int check_count(const check *c, int all, int quick)
{
    return c->quick ? quick : all;
}

void check_case(check *c, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(c->parameters, sizeof c->parameters, format, arguments);
    va_end(arguments);
}

int check_hopeless(const check *c)
{
    return c->failed >= HOPELESS || (c->cuda && device_broken());
}

/* Counts a failure. Returns 1 if it is to be printed. */
static int failure(check *c, backend on)
{
    if (++c->failed > SHOWN)
        return 0;
    printf("FAIL %s on %s (seed %" PRIu64 ")\n  case: %s\n  ", c->group, backend_names[on], c->seed,
           c->parameters);
    return 1;
}

int check_that(check *c, backend on, int holds, const char *format, ...)
{
    va_list arguments;

    c->compared[on]++;
    if (holds || !failure(c, on))
        return holds;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    return holds;
}

void check_skip(check *c, const char *format, ...)
{
    va_list arguments;

    c->skipped++;
    printf("SKIPPED %s: ", c->group);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

/* --- Comparison ------------------------------------------------------------------------------- */

layout layout_of(const satk_plane *plane)
{
    const size_t element = (size_t)plane->bits / 8, pixel = element * (size_t)plane->channels;

    return (layout){(size_t)plane->pitch, pixel * (size_t)plane->width, pixel, element};
}

static uint64_t element_at(const uint8_t *at, size_t bytes)
{
    uint64_t value = 0; /* little-endian, as every machine with CUDA is */

    memcpy(&value, at, bytes);
    return value;
}

/* Prints the place of a differing byte in its block. */
static void print_difference(const block *want, const block *got, const layout *l, size_t i)
{
    if (i < want->at || i >= want->at + want->bytes) {
        const int before = i < want->at;
        printf("written outside: %zu bytes %s", before ? want->at - i : i - want->at - want->bytes,
               before ? "before the begin" : "after the end");
    } else {
        const size_t offset = i - want->at, y = offset / l->pitch, x = offset % l->pitch;
        if (x >= l->row)
            printf("written into the padding of row %zu, %zu bytes after its end", y, x - l->row);
        else
            printf("first difference at x %zu, y %zu, channel %zu", x / l->pixel, y,
                   x % l->pixel / l->element);
        if (x < l->row)
            i -= x % l->element;
    }
    const size_t bytes = i + l->element <= want->size ? l->element : 1;
    printf(": %" PRIu64 " wanted, %" PRIu64 " found\n", element_at(want->base + i, bytes),
           element_at(got->base + i, bytes));
}

int check_same(check *c, backend on, const block *want, const block *got, const layout *l)
{
    size_t i = 0;

    c->compared[on]++;
    if (want->size == got->size && memcmp(want->base, got->base, want->size) == 0)
        return 1;
    if (!failure(c, on))
        return 0;
    while (want->base[i] == got->base[i])
        i++;
    print_difference(want, got, l, i);
    return 0;
}

/* --- The device --------------------------------------------------------------------------- */

int check_launch(check *c, int error)
{
    if (error)
        return check_that(c, ON_CUDA, 0, "launch: %s", device_error());
    if (device_wait())
        return check_that(c, ON_CUDA, 0, "kernel: %s", device_error());
    return 1;
}

/* --- Program ---------------------------------------------------------------------------------- */

typedef struct primitive {
    const char *name;
    void (*check)(check *c);
    int host_only; /* 1: no kernel of its own, so nothing to require of a device */
} primitive;

static const primitive primitives[] = {
#define KERNEL(NAME) {#NAME, check_##NAME, 0},
#define HOST(NAME)   {#NAME, check_##NAME, 1},
    CHECKS(KERNEL, HOST)
#undef KERNEL
#undef HOST
};

typedef struct total {
    long passed, failed, skipped;
} total;

/* Returns 1 if a primitive that ran at all ran on every back end that it must run on. */
static int ran_where_required(const check *c, const primitive *p, int require_cuda)
{
    if (c->compared[ON_CPU] + c->compared[ON_CUDA] == 0)
        return 1; /* filtered out, unless everything was: then the total is 0 */
    return c->compared[ON_CPU] > 0 && (!require_cuda || p->host_only || c->compared[ON_CUDA] > 0);
}

static void run_primitive(check *c, const primitive *p, int require_cuda, total *sum)
{
    struct timespec began, ended;

    c->compared[ON_CPU] = c->compared[ON_CUDA] = c->failed = c->skipped = 0;
    clock_gettime(CLOCK_MONOTONIC, &began);
    p->check(c);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    if (c->list)
        return;
    if (!ran_where_required(c, p, require_cuda)) {
        printf("FAIL %s: nothing was compared on a back end that is required\n", p->name);
        sum->failed++; /* no comparison, so not counted below */
    }
    if (c->failed > SHOWN)
        printf("  %s: %ld further failures not shown%s\n", p->name, c->failed - SHOWN,
               check_hopeless(c) ? ", and stopped" : "");
    printf("%-10s cpu %ld, cuda %ld", p->name, c->compared[ON_CPU], c->compared[ON_CUDA]);
    if (p->host_only)
        printf(" (host code)");
    else if (!c->cuda)
        printf(" (%s)", device_reason());
    printf(", %ld s%s\n", (long)(ended.tv_sec - began.tv_sec), c->failed ? "  FAILED" : "");
    fflush(stdout);
    sum->passed += c->compared[ON_CPU] + c->compared[ON_CUDA] - c->failed;
    sum->failed += c->failed;
    sum->skipped += c->skipped;
}

static int run(check *c, int require_cuda)
{
    total sum = {0};

    oracle_start();
    c->cuda = device_open();
    tones_start(c);
    if (!c->list)
        printf("seed %" PRIu64 ", device: %s\n", c->seed,
               c->cuda ? device_name() : device_reason());
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++)
        run_primitive(c, &primitives[i], require_cuda, &sum);
    if (c->list)
        return 0;
    if (require_cuda && (sum.skipped || !c->cuda)) {
        printf("FAIL: a device is required: %ld skipped, %s\n", sum.skipped,
               c->cuda ? device_name() : device_reason());
        sum.failed++;
    }
    if (sum.passed + sum.failed == 0) {
        printf("FAIL: nothing was checked\n");
        sum.failed++;
    }
    printf("%ld passed, %ld failed, %ld skipped\n", sum.passed, sum.failed, sum.skipped);
    return sum.failed > 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: check [--seed N] [--filter NAME] [--without NAME] [--part I/N] [--quick] "
            "[--plain] [--large] [--require-cuda] [--list]\n");
    return 2;
}

static const check *crashing; /* for the signal handler */
static const int crashes[] = {SIGSEGV, SIGFPE, SIGABRT};
static struct sigaction before_crash[sizeof crashes / sizeof *crashes];

/* A fault in a kernel must name its case too. The fault happens again on return, under the
 * handler that was there before (a memory checker's, for example). */
static void crashed(int number)
{
    (void)number;
    const char *const texts[] = {"CRASHED in ", crashing->group ? crashing->group : "no group",
                                 "\n  case: ", crashing->parameters, "\n"};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (write(STDOUT_FILENO, texts[i], strlen(texts[i])) < 0)
            break;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (crashes[i] == number)
            sigaction(number, &before_crash[i], NULL);
}

static void name_crashes(const check *c)
{
    const struct sigaction name = {.sa_handler = crashed};

    crashing = c;
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &name, &before_crash[i]);
}

/* Starts the program again with passive waits. The checks run more threads than there are
 * processors, and OpenMP's default, to wait actively, then keeps the processors from the threads
 * that work. OpenMP reads the variable before main(). */
static void wait_passively(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || setenv("OMP_WAIT_POLICY", "passive", 0))
        return;
    execv("/proc/self/exe", argv); /* where that fails, it is only slower */
}

int main(int argc, char **argv)
{
    check c = {.seed = 1, .parts = 1};
    int require_cuda = 0;

    wait_passively(argv);
    setvbuf(stdout, NULL, _IOLBF, 0); /* nothing printed is lost with a crash */
    name_crashes(&c);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seed") && i + 1 < argc)
            c.seed = strtoull(argv[++i], NULL, 0);
        else if (!strcmp(argv[i], "--filter") && i + 1 < argc)
            c.filter = argv[++i];
        else if (!strcmp(argv[i], "--without") && i + 1 < argc)
            c.without = argv[++i];
        else if (!strcmp(argv[i], "--part") && i + 1 < argc) {
            char more;
            if (sscanf(argv[++i], "%ld/%ld%c", &c.part, &c.parts, &more) != 2 || c.part < 0 ||
                c.part >= c.parts)
                return usage();
        } else if (!strcmp(argv[i], "--quick"))
            c.quick = 1;
        else if (!strcmp(argv[i], "--plain"))
            satk_level_limit = SATK_PLAIN;
        else if (!strcmp(argv[i], "--large"))
            c.large = 1;
        else if (!strcmp(argv[i], "--require-cuda"))
            require_cuda = 1;
        else if (!strcmp(argv[i], "--list"))
            c.list = 1;
        else
            return usage();
    return run(&c, require_cuda);
}
