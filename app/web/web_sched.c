/* What emscripten's C library declares of sched.h, but does not have. */
#define _GNU_SOURCE
#include <sched.h>

/* No system says which processors may be used. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    (void)size;
    (void)set;
    return -1;
}

int __sched_cpucount(size_t size, const cpu_set_t *set)
{
    (void)size;
    (void)set;
    return 0;
}
