#include "bench/bench_run.h"

#include "support/device.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- Memory of either back end ---------------------------------------------------------------- */

static void *get_host(size_t bytes)
{
    return aligned_alloc(64, (bytes + 64) / 64 * 64);
}

void *bench_get(bench_back_end on, size_t bytes)
{
    return on == BENCH_CUDA ? device_alloc(bytes) : get_host(bytes);
}

void bench_put_back(bench_back_end on, void *memory)
{
    if (on == BENCH_CPU)
        free(memory);
    else if (memory)
        device_free(memory);
}

void *bench_get_filled(bench_back_end on, const void *host, size_t bytes)
{
    void *const memory = bench_get(on, bytes);

    if (memory && on == BENCH_CPU)
        memcpy(memory, host, bytes);
    else if (memory && device_upload(memory, host, bytes)) {
        bench_put_back(on, memory);
        return NULL;
    }
    return memory;
}

int bench_sets_for(size_t bytes)
{
    const size_t wanted = ((size_t)512 << 20) / bytes + 1;

    return wanted < BENCH_SETS ? (int)wanted : BENCH_SETS;
}

/* --- Clock ------------------------------------------------------------------------------------ */

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Returns the time of one sample: `batch` runs, each with the next set of buffers, in one interval.
 * Negative: failed. */
static double sample(const bench_work *w, int batch, int *set)
{
    const int first = *set;
    int failed = 0;

    for (int i = 0; i < batch && w->restore; i++)
        failed |= w->restore(w->of, (first + i) % w->sets);
    const double began = now_ms();
    if (w->on == BENCH_CUDA)
        failed |= device_start();
    for (int i = 0; i < batch; i++)
        failed |= w->run(w->of, (first + i) % w->sets);
    const double ms = w->on == BENCH_CUDA ? device_stop() : now_ms() - began;
    *set = (first + batch) % w->sets;
    return failed ? -1 : ms / batch;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the runs of a sample: as many as fill a millisecond, since the queue of a launch takes
 * longer than the smallest kernels run. A row that must be restored has only as many runs as there
 * are sets. */
static int batch_for(const bench_work *w, double ms)
{
    int batch = 1;

    if (w->on == BENCH_CUDA && ms > 0 && ms < 1)
        batch = ms < 0.01 ? 100 : (int)(1 / ms);
    return w->restore && batch > w->sets ? w->sets : batch;
}

double bench_median(const bench_work *w, int samples)
{
    double ms[64] = {0};
    int set = 0;

    for (int i = 0; i <= w->sets; i++) /* warm-up: every page is touched */
        ms[0] = sample(w, 1, &set);
    const int batch = batch_for(w, ms[0]);
    for (int i = 0; i < samples; i++)
        ms[i] = sample(w, batch, &set);
    qsort(ms, (size_t)samples, sizeof *ms, by_value);
    return ms[0] < 0 ? -1 : ms[samples / 2];
}
