#include "bench/bench_run.h"

#include "support/device.h"
#include "support/sample.h"

#include <stdlib.h>
#include <string.h>

/* --- The CPU's yardstick ---------------------------------------------------------------------- */

static void widen_cpu(const uint8_t *restrict in, uint32_t *restrict out, size_t n, int threads)
{
#pragma omp parallel for simd num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++)
        out[i] = in[i];
}

/* Copies in any proportion: every piece of the input is read, then its share of the output is
 * written. */
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

static int is_widening(const bench_copy *c)
{
    return c->bytes_out == 4 * c->bytes_in;
}

static int copy_run(void *of, int set)
{
    const bench_copy *const c = of;
    const void *const in = c->in[set];
    void *const out = c->out[set];
    const size_t bytes_in = c->bytes_in & ~(size_t)15,
                 bytes_out = c->bytes_out >= 16 ? c->bytes_out & ~(size_t)15 : 16;

    if (c->on == BENCH_CUDA)
        return is_widening(c) ? device_widen(in, out, bytes_in, c->variant)
                              : device_traffic(in, bytes_in, out, bytes_out, c->variant);
    if (is_widening(c))
        widen_cpu(in, out, bytes_in, c->threads);
    else
        traffic_cpu(in, bytes_in / 8, out, bytes_out / 8, c->threads);
    return 0;
}

double bench_median_copy(bench_copy *c, int samples)
{
    const bench_work work = {c->on, c->sets, copy_run, NULL, c};
    int best = 0;
    double best_ms = -1;

    if (c->on == BENCH_CPU)
        return bench_median(&work, samples);
    for (c->variant = 0; c->variant < device_copy_variants(); c->variant++) {
        const double ms = bench_median(&work, 5);
        if (ms > 0 && (best_ms < 0 || ms < best_ms))
            best_ms = ms, best = c->variant;
    }
    c->variant = best;
    return bench_median(&work, samples);
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
