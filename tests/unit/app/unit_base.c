/* The base: ends by each signal and by a library, stacks, numbers of threads and in metadata, names on a terminal, writes. */
#include "base/guard.h"
#include "base/json.h"
#include "base/message.h"
#include "base/number.h"
#include "base/output.h"
#include "base/threads.h"
#include "base/utf8.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/unit.h"

/* --- Ends ------------------------------------------------------------------------------------- */

static const char temporary[] = "/tmp/satb_base.XXXXXX";

typedef struct child {
    pid_t process;
    int heard; /* the reading end of its stderr */
} child;

/* Creates a temporary, in the child, and prints its name as the first line. */
static void begin_file(void)
{
    char name[sizeof temporary];
    int guarded;
    strcpy(name, temporary);
    if (guard_create(name, &guarded) < 0)
        _exit(99);
    fprintf(stderr, "%s\n", name);
}

static child start_child(void (*body)(void))
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const child c = {.process = fork(), .heard = ends[0]};
    assert_true(c.process >= 0);
    if (c.process == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        for (int i = 1; i <= SIGRTMAX; i++) /* cmocka takes some */
            signal(i, SIG_DFL);
        dup2(ends[1], STDERR_FILENO);
        alarm(60);
        guard_start();
        begin_file();
        close(ends[1]);
        body();
        _exit(98);
    }
    close(ends[1]);
    return c;
}

/* Returns the child's status, and its other lines in text. The temporary must be gone. */
static int end_of(child c, char *text, size_t size)
{
    char told[2048];
    size_t used = 0;
    int status;
    for (ssize_t got; (got = read(c.heard, told + used, sizeof told - 1 - used)) > 0;)
        used += (size_t)got;
    told[used] = '\0';
    close(c.heard);
    assert_int_equal(waitpid(c.process, &status, 0), c.process);
    char *const end = strchr(told, '\n');
    assert_non_null(end);
    *end = '\0';
    if (access(told, F_OK) == 0) {
        unlink(told);
        fail_msg("%s is left behind, status %d", told, status);
    }
    snprintf(text, size, "%s", end + 1);
    return status;
}

static int raised;

static void raise_it(void)
{
    raise(raised);
}

/* Raises every signal whose default is to end the process. */
static void test_signals(void **state)
{
    static const int kept[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGCONT,  SIGTSTP,
                               SIGTTIN, SIGTTOU, SIGURG,  SIGWINCH, SIGXFSZ};
    for (raised = 1; raised <= SIGRTMAX; raised++) {
        bool ends = raised < 32 || raised >= SIGRTMIN;
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
            ends &= raised != kept[i];
        if (!ends)
            continue;
        char text[512];
        const int status = end_of(start_child(raise_it), text, sizeof text);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != raised)
            fail_msg("signal %d: status %x", raised, (unsigned)status);
        assert_string_equal(text, "");
    }
}

/* While a batch works, the first signal is only noted, unless it is of an error. */
static void soften_and_raise(void)
{
    guard_soften();
    raise(SIGUSR1);
    if (guard_signal() == SIGUSR1)
        raise(SIGSEGV);
}

static void test_soft(void **state)
{
    char text[512];
    const int status = end_of(start_child(soften_and_raise), text, sizeof text);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void *leave(void *user)
{
    (void)user;
    exit(1);
}

static void summarize(void *user)
{
    fprintf(stderr, "%s\n", (const char *)user);
}

/* Calls exit() in another thread, as a library may. */
static void leave_by_thread(void)
{
    pthread_t thread;
    guard_summarize(summarize, "3 done");
    pthread_create(&thread, NULL, leave, NULL);
    for (;;)
        pause();
}

static void test_exit(void **state)
{
    char text[1024];
    const int status = end_of(start_child(leave_by_thread), text, sizeof text);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_string_equal(
        text, "3 done\nsatblur: stopped early, because no thread or memory was left; lower "
              "--jobs or --threads\n");
}

/* --- Threads ---------------------------------------------------------------------------------- */

static int use_stack(void *user)
{
    volatile char frame[1 << 20];
    for (size_t i = 0; i < sizeof frame; i += 1024)
        frame[i] = 1;
    return frame[0] + *(const int *)user;
}

static void test_stack(void **state)
{
    struct rlimit old, small;
    int one = 1;
    assert_int_equal(getrlimit(RLIMIT_STACK, &old), 0);
    small = old;
    small.rlim_cur = 128 << 10;
    assert_int_equal(setrlimit(RLIMIT_STACK, &small), 0);
    assert_int_equal(threads_run(use_stack, &one), 2);
    assert_int_equal(setrlimit(RLIMIT_STACK, &old), 0);
    assert_int_equal(threads_run(use_stack, &one), 2);
}

static void test_available(void **state)
{
    struct rlimit old, small;
    assert_int_equal(threads_available(5), 5);
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
    skip(); /* sanitizers need more memory than the limit, and end the process */
#endif
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    small = old;
    small.rlim_cur = 16 * (size_t)THREADS_STACK; /* no room for more than a few */
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    const int few = threads_available(100);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_in_range(few, 0, 4);
}

/* --- Text ------------------------------------------------------------------------------------- */

static void check_shown(const char *text, const char *shown, const char *json)
{
    char out[64], *memory = NULL;
    size_t size = 0;
    assert_int_equal(utf8_show(text, out, sizeof out), strlen(shown));
    assert_string_equal(out, shown);
    FILE *to = open_memstream(&memory, &size);
    json_string(to, text);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(memory, json);
    free(memory);
}

static void test_show(void **state)
{
    check_shown("plain \"ä\\€😀", "plain \"ä\\€😀", "\"plain \\\"ä\\\\€😀\"");
    check_shown("\x1b[31m\n\x7f", "?[31m??", "\"\\u001b[31m\\u000a\\u007f\"");
    check_shown("\x9b"
                "31m",
                "?31m", "\"\\ufffd31m\""); /* a byte that is no character */
    check_shown("\xc2\x9b"
                "31m",
                "?31m", "\"\\u009b31m\""); /* the control of that number */
    check_shown("gnp.\xe2\x80\xae"
                "a",
                "gnp.?a", "\"gnp.\\u202ea\""); /* from right to left */
    check_shown("\xe2\x80\xa8\xe2\x81\xa6\xd8\x9c", "???", "\"\\u2028\\u2066\\u061c\"");
    char out[4];
    assert_int_equal(utf8_show("a€b", out, sizeof out), 1); /* a character is whole or not there */
    assert_string_equal(out, "a");
}

static void check_problem(const problem *p, const char *json)
{
    char memory[1024] = "";
    FILE *const to = fmemopen(memory, sizeof memory, "w");
    assert_non_null(to);
    json_problem(to, p);
    fclose(to);
    assert_string_equal(memory, json);
}

/* A problem goes to programs as its kind, the names before its sentence, and its numbers. */
static void test_problem_json(void **state)
{
    problem a, b, c;
    problem_set(&a, "is \"odd\"");
    check_problem(&a, "{\"kind\": \"plain\", \"where\": \"\", \"text\": \"is \\\"odd\\\"\"}");
    problem_set_kind(&a, PROBLEM_TOO_LARGE, "is too large");
    a.width = 7, a.height = 9, a.most = 62;
    problem_at(&b, "its map", &a);
    problem_at(&c, "a.png", &b);
    check_problem(
        &c,
        "{\"kind\": \"too-large\", \"where\": \"a.png: its map: \", \"text\": \"is too large\", "
        "\"width\": 7, \"height\": 9, \"most\": 62}");
    problem_set_kind(&a, PROBLEM_NOT_BUILT_IN, "is foreign");
    a.format = "TIFF";
    check_problem(&a, "{\"kind\": \"not-built-in\", \"where\": \"\", \"text\": \"is foreign\", "
                      "\"format\": \"TIFF\"}");
    assert_false(problem_stop(&a));
    assert_int_equal(a.kind, PROBLEM_STOPPED);
}

/* The remedy at a long line's end stays when the file's name comes before it. */
static void test_problem_at(void **state)
{
    problem inner, p;
    problem_set_kind(&inner, PROBLEM_DEVICE_MEMORY,
                     "has no such channel; give one of %0*d: the last", 1000, 0);
    assert_false(problem_at(&p, "map.exr", &inner));
    assert_non_null(strstr(p.text, "map.exr: has no such channel"));
    assert_non_null(strstr(p.text, "0: the last"));
    assert_int_equal(p.kind, PROBLEM_DEVICE_MEMORY);
    assert_string_equal(p.text + p.sentence, inner.text);
}

static void test_number_of_text(void **state)
{
    static const struct {
        const char *text;
        size_t size; /* 0: all of it */
        double value;
    } rows[] = {{"0.086", 0, 0.086}, {"-1.5e2", 0, -150}, {"+.5", 0, 0.5}, {"12 m", 2, 12},
                {"12 m", 0, -7},     {"0x10", 0, -7},     {" 1", 0, -7},   {"--1", 0, -7},
                {"-", 0, -7},        {"inf", 0, -7},      {"-nan", 0, -7}, {"1e999", 0, -7},
                {"", 0, -7},         {"1\0", 2, -7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bytes text = {.data = (const uint8_t *)rows[i].text,
                            .size = rows[i].size ? rows[i].size : strlen(rows[i].text)};
        assert_true(number_of_text(text, -7) == rows[i].value);
    }
    uint8_t long_one[64];
    memset(long_one, '1', sizeof long_one);
    assert_true(number_of_text((bytes){long_one, 63}, -7) > 1e62);
    assert_true(number_of_text((bytes){long_one, 64}, -7) == -7);
}

/* Bytes that wait in the buffer come before those of a large write. */
static void test_large_write(void **state)
{
    enum { SMALL = 15, LARGE = 1 << 20 };
    char name[] = "/tmp/satb_write.XXXXXX";
    uint8_t *const data = malloc(SMALL + LARGE), *const again = malloc(SMALL + LARGE + 1);
    output out;
    problem p;
    assert_true(data && again && close(mkstemp(name)) == 0);
    for (size_t i = 0; i < SMALL + LARGE; i++)
        data[i] = (uint8_t)(i % 251);
    assert_true(output_begin(&out, name, &p) && output_write(&out, data, SMALL) &&
                output_write(&out, data + SMALL, LARGE) && output_commit(&out, &p));
    FILE *const from = fopen(name, "rb");
    assert_non_null(from);
    assert_int_equal(fread(again, 1, SMALL + LARGE + 1, from), SMALL + LARGE);
    assert_memory_equal(again, data, SMALL + LARGE);
    fclose(from);
    unlink(name);
    free(data);
    free(again);
}

UNIT_MAIN(UNIT(test_signals), UNIT(test_soft), UNIT(test_exit), UNIT(test_stack),
          UNIT(test_available), UNIT(test_show), UNIT(test_problem_json), UNIT(test_problem_at),
          UNIT(test_number_of_text), UNIT(test_large_write))
