/* The threads of loops: which items they do, how many there are, and when they end. The start of threads is refused by a
 * function in front of pthread_create(), and others tell of more processors than there are. */
#include "unit/unit.h"

#include "common/pool.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <satblur.h>

static atomic_int startable = 1 << 20; /* threads that may still be started */

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *), void *user)
{
    return atomic_fetch_sub(&startable, 1) > 0
               ? __real_pthread_create(thread, attributes, body, user)
               : EAGAIN;
}

static atomic_long processors; /* of a machine with too many for a set of them; 0: of this one */

int __real_sched_getaffinity(pid_t, size_t, void *);
int __wrap_sched_getaffinity(pid_t, size_t, void *);
long __real_sysconf(int);
long __wrap_sysconf(int);

int __wrap_sched_getaffinity(pid_t process, size_t bytes, void *set)
{
    return processors ? -1 : __real_sched_getaffinity(process, bytes, set);
}

long __wrap_sysconf(int name)
{
    return processors ? processors : __real_sysconf(name);
}

static int count_tasks(void)
{
    int count = 0;
    DIR *const tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

/* Returns whether there are that many threads; a joined one may still be counted for a moment. */
static int has_tasks(int wanted)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < 2000 && count_tasks() != wanted; i++)
        nanosleep(&moment, NULL);
    return count_tasks() == wanted;
}

/* --- Items ------------------------------------------------------------------------------------ */

enum { MOST = 1000, THREADS = 7 };

typedef struct marks {
    atomic_int *times; /* by item */
    atomic_int *users; /* by number of a thread: how many have it now */
    atomic_int *wrong;
    int threads;
} marks;

static void mark(const void *job, int i)
{
    const marks *const m = job;
    const int own = satk_thread();

    if (own < 0 || own >= m->threads || atomic_fetch_add(&m->users[own], 1) != 0)
        atomic_store(m->wrong, 1);
    atomic_fetch_add(&m->times[i], 1);
    atomic_fetch_sub(&m->users[own], 1);
}

static void check_items(int threads, int count, int grain)
{
    atomic_int times[MOST] = {0}, users[THREADS] = {0}, wrong = 0;

    satk_for(threads, count, grain, mark, &(marks){times, users, &wrong, threads});
    assert_int_equal(wrong, 0);
    for (int i = 0; i < MOST; i++)
        assert_int_equal(times[i], i < count);
}

static void test_items(void **state)
{
    static const int counts[] = {0, 1, 2, 6, 7, 8, 50, MOST}, grains[] = {0, 1, 3, 16, 2 * MOST};

    for (int threads = 1; threads <= THREADS; threads++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++)
                check_items(threads, counts[c], grains[g]);
}

static uint64_t square(const void *unused, int i)
{
    (void)unused;
    return (uint64_t)i * (uint64_t)i;
}

static uint64_t squares_before(uint64_t n)
{
    return (n - 1) * n * (2 * n - 1) / 6;
}

/* Waits until all threads of the loop have come, two seconds at most. */
static void meet(const void *job, int i)
{
    atomic_int *const seen = (atomic_int *)job;
    const struct timespec moment = {.tv_nsec = 1000000};

    (void)i;
    atomic_fetch_or(seen, 1 << satk_thread());
    for (int k = 0; k < 2000 && atomic_load(seen) != (1 << THREADS) - 1; k++)
        nanosleep(&moment, NULL);
}

static void begin_inner(const void *seen, int i)
{
    (void)i;
    satk_for(THREADS, THREADS, 1, meet, seen);
}

/* A loop of one thread, or of one item, leaves the threads to its body. */
static void test_alone(void **state)
{
    static const int outer[][2] = {{1, 3}, {THREADS, 1}};

    for (int i = 0; i < 2; i++) {
        atomic_int seen = 0;
        satk_for(outer[i][0], outer[i][1], 1, begin_inner, &seen);
        assert_int_equal(seen, (1 << THREADS) - 1);
        assert_int_equal(satk_thread(), 0);
    }
}

/* A loop within a loop of several threads is a fault. */
static void test_nested(void **state)
{
    int status;

#if defined(NDEBUG) || defined(__SANITIZE_THREAD__)
    skip(); /* nothing is asserted, or no threads of a forked child are followed */
#endif
    const pid_t child = fork();
    if (child == 0) {
        atomic_int seen = 0;
        (void)!freopen("/dev/null", "w", stderr);
        satk_for(2, 2, 1, begin_inner, &seen);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void *call_often(void *wrong)
{
    for (int i = 0; i < 300; i++)
        if (satk_sum(2 + i % 4, MOST, i % 5, square, NULL) != squares_before(MOST))
            atomic_store((atomic_int *)wrong, 1);
    return NULL;
}

static void test_callers(void **state)
{
    pthread_t callers[5];
    atomic_int wrong = 0;

    for (int i = 0; i < 5; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, call_often, &wrong), 0);
    for (int i = 0; i < 5; i++)
        pthread_join(callers[i], NULL);
    assert_int_equal(wrong, 0);
}

static void test_processors(void **state)
{
    static const long counts[][2] = {{-1, 1}, {1, 1}, {1024, 1024}, {1025, 1024}, {5000, 1024}};
    satb_context *context;

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        atomic_store(&processors, counts[i][0]);
        const int got = satk_processors();
        const satb_status status = satb_open(&context, &(satb_config){.device = SATB_DEVICE_CPU});
        atomic_store(&processors, 0);
        assert_int_equal(got, counts[i][1]);
        assert_int_equal(status, SATB_OK);
        satb_close(&context);
    }
    assert_in_range(satk_processors(), 1, 1024);
}

/* --- Life ------------------------------------------------------------------------------------- */

static void test_end(void **state)
{
    satb_context *a, *b;
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 4};
    const int before = count_tasks();

    assert_int_equal(satb_open(&a, &config), SATB_OK);
    assert_int_equal(satb_open(&b, &config), SATB_OK);
    assert_true(satk_sum(4, MOST, 0, square, NULL) == squares_before(MOST));
    assert_true(has_tasks(before + 3));
    satb_close(&a);
    assert_int_equal(count_tasks(), before + 3);
    satb_close(&b);
    assert_true(has_tasks(before));
}

static void test_few(void **state)
{
    const int before = count_tasks();

    satk_pool_enter();
    for (int few = 0; few < 3; few++) {
        atomic_store(&startable, few > 0);
        check_items(THREADS, MOST, 1);
    }
    assert_true(has_tasks(before + 2));
    atomic_store(&startable, 1 << 20);
    check_items(THREADS, MOST, 1);
    assert_true(has_tasks(before + THREADS - 1));
    satk_pool_leave();
    assert_true(has_tasks(before));
}

/* A sanitizer's allocator may be locked by a thread that begins while another forks: all have begun. */
static void test_fork(void **state)
{
    atomic_int seen = 0;
    int status;

#if defined(__SANITIZE_THREAD__)
    skip(); /* it follows no threads of a forked child */
#endif
    satk_pool_enter();
    begin_inner(&seen, 0);
    assert_int_equal(seen, (1 << THREADS) - 1);
    const pid_t child = fork();
    if (child == 0) {
        const int alone = count_tasks() == 1;
        const int right = satk_sum(4, MOST, 1, square, NULL) == squares_before(MOST);
        const int threads = has_tasks(4);
        satk_pool_leave();
        _exit(alone && right && threads && has_tasks(1) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(satk_sum(4, MOST, 1, square, NULL) == squares_before(MOST));
    satk_pool_leave();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_end),    UNIT(test_few),     UNIT(test_fork),  UNIT(test_alone),
        UNIT(test_nested), UNIT(test_callers), UNIT(test_items), UNIT(test_processors),
    };
    satk_pool_enter(); /* a sanitizer starts a thread beside the first one */
    check_items(2, MOST, 1);
    satk_pool_leave();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
