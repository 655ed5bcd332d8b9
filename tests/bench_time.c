#include "bench_run.h"
#include "device.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* --- The CPU's yardstick ---------------------------------------------------------------------- */

static void widen_cpu(const uint8_t *restrict in, uint32_t *restrict out, size_t n, int threads)
{
#pragma omp parallel for simd num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        out[i] = in[i];
}

/* Any proportion: every piece of the input is read, then its share of the output written. */
static void traffic_cpu(const uint64_t *restrict in, size_t words_in, uint64_t *restrict out,
                        size_t words_out, int threads)
{
    enum { PIECES = 4096 };
    const size_t in_each = words_in / PIECES, out_each = words_out / PIECES;
    uint64_t total = 0;

#pragma omp parallel for num_threads(threads) schedule(static) reduction(^ : total)
    for (size_t p = 0; p < PIECES; p++) {
        uint64_t sum = 0;
#pragma omp simd reduction(^ : sum)
        for (size_t i = p * in_each; i < (p + 1) * in_each; i++)
            sum ^= in[i];
        for (size_t i = p * out_each; i < (p + 1) * out_each; i++)
            out[i] = sum;
        total ^= sum;
    }
    out[0] = total; /* so that reading alone is not useless */
}

/* --- Either back end's ------------------------------------------------------------------------ */

static int is_widening(const bench *b)
{
    return b->bytes_out == 4 * b->bytes_in;
}

/* As many bytes as the row moves, between the row's own buffers. */
static void copy_run(bench *b, int set, int variant)
{
    const int from_table = b->row->primitive == BENCH_BOX;
    const uint8_t *const in = from_table ? b->table[set] : b->src[set];
    uint8_t *const out = from_table ? b->dst[set] : b->bytes_out ? b->table[set] : b->result;
    const size_t bytes_in = b->bytes_in & ~(size_t)15,
                 bytes_out = b->bytes_out ? b->bytes_out & ~(size_t)15 : 16;

    if (b->on == BENCH_CUDA)
        b->failed |= is_widening(b) ? device_widen(in, out, bytes_in, variant)
                                    : device_traffic(in, bytes_in, out, bytes_out, variant);
    else if (is_widening(b))
        widen_cpu(in, (uint32_t *)out, bytes_in, b->threads);
    else
        traffic_cpu((const uint64_t *)in, bytes_in / 8, (uint64_t *)out, bytes_out / 8, b->threads);
}

/* --- Clock ------------------------------------------------------------------------------------ */

typedef void runner(bench *b, int set, int variant);

/* One sample: `batch` runs, each with the next set of buffers, in one interval. */
static double sample(bench *b, runner *run, int variant, int batch, int *set)
{
    const double began = now_ms();
    double ms;

    if (b->on == BENCH_CUDA)
        b->failed |= device_start();
    for (int i = 0; i < batch; i++, *set = (*set + 1) % b->sets)
        run(b, *set, variant);
    ms = b->on == BENCH_CUDA ? device_stop() : now_ms() - began;
    b->failed |= ms < 0;
    return ms / batch;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median. A launch takes longer to be queued than the smallest kernels take to run, so a sample
 * is as many runs as fill a millisecond. */
static double median(bench *b, runner *run, int variant, int samples)
{
    double ms[64];
    int set = 0, batch = 1;

    for (int i = 0; i <= b->sets; i++) /* warm-up: every page is touched */
        ms[0] = sample(b, run, variant, 1, &set);
    if (b->on == BENCH_CUDA && ms[0] > 0 && ms[0] < 1)
        batch = ms[0] < 0.01 ? 100 : (int)(1 / ms[0]);
    for (int i = 0; i < samples; i++)
        ms[i] = sample(b, run, variant, batch, &set);
    qsort(ms, (size_t)samples, sizeof *ms, by_value);
    return b->failed ? -1 : ms[samples / 2];
}

double bench_time(bench *b, int samples)
{
    return median(b, bench_run, 0, samples);
}

double bench_time_copy(bench *b, int samples)
{
    int best = 0;
    double best_ms = -1;

    if (b->on == BENCH_CPU)
        return median(b, copy_run, 0, samples);
    for (int variant = 0; variant < device_copy_variants(); variant++) {
        const double ms = median(b, copy_run, variant, 5);
        if (ms > 0 && (best_ms < 0 || ms < best_ms))
            best_ms = ms, best = variant;
    }
    return median(b, copy_run, best, samples);
}

/* --- Is the yardstick right? ------------------------------------------------------------------ */

static int widens(int variant, size_t bytes)
{
    uint64_t random = 7;
    uint8_t *const in = malloc(bytes);
    uint32_t *const out = malloc(4 * bytes);
    void *const on_in = device_alloc(bytes), *const on_out = device_alloc(4 * bytes);
    int right = in && out && on_in && on_out;

    if (right) {
        random_bytes(&random, in, bytes);
        memset(out, 0xff, 4 * bytes);
        right = !device_upload(on_in, in, bytes) && !device_upload(on_out, out, 4 * bytes) &&
                !device_widen(on_in, on_out, bytes, variant) && !device_wait() &&
                !device_download(out, on_out, 4 * bytes);
    }
    for (size_t i = 0; i < bytes && right; i++)
        right = out[i] == in[i];
    device_free(on_in);
    device_free(on_out);
    free(in);
    free(out);
    return right;
}

int bench_copy_is_right(void)
{
    int right = 1;

    for (int variant = 0; variant < device_copy_variants(); variant++)
        right &= widens(variant, 16) && widens(variant, 123456 * 16);
    return right;
}
