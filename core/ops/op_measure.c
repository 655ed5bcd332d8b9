/* Statistics. The back end counts every code. All numbers follow exactly from the counts, and become floating-point in
 * their last step. */
#include "backend/image.h"
#include "ops/code_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct counting {
    const satb_image *src;
    satb_subject what;
} counting;

static void add_need(satb_context *context, const void *job, int rows, satb_need *need)
{
    const counting *const c = job;

    (void)context;
    satb_add_plane(need, SATB_SLOT_SRC, c->src, rows);
    need->bytes[SATB_SLOT_STATS] += satb_count_bytes(c->src, c->what);
}

static satb_status count_codes(satb_context *context, const satb_image *src, satb_subject what,
                               uint64_t *counts)
{
    const satb_backend *const b = context->backend;
    const counting job = {src, what};
    satb_bands bands = {.height = src->height};
    satk_plane plane;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_cut(context, &bands, add_need, &job);
    if (status == SATB_OK)
        status = satb_count(context, src, what, &bands, &plane, counts);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

/* Returns the population's standard deviation. n sum(x^2) - sum(x)^2 is exact in 128 bits, so nothing cancels. */
static double deviation(const satb_channel_stats *s)
{
    const satk_u128 scaled = (satk_u128)s->sum_squares * s->count - (satk_u128)s->sum * s->sum;

    return sqrt((double)scaled) / (double)s->count;
}

/* Returns the smallest code that at least `percent` % of the pixels do not exceed. */
static uint32_t percentile(const uint64_t *counts, uint64_t pixels, uint64_t percent)
{
    uint64_t below = counts[0];
    uint32_t code = 0;

    while (100 * below < percent * pixels)
        below += counts[++code];
    return code;
}

static double entropy(const uint64_t *counts, uint32_t largest, uint64_t pixels)
{
    double bits = 0;

    for (uint32_t code = 0; code <= largest; code++)
        if (counts[code]) {
            const double share = (double)counts[code] / (double)pixels;
            bits -= share * log2(share);
        }
    return bits;
}

/* 16-bit squares of 2^31 pixels fit 63 bits. */
static void add_up(const uint64_t *counts, int bits, satb_channel_stats *s)
{
    const uint32_t largest = (1u << bits) - 1;

    s->min = largest;
    for (uint32_t code = 0; code <= largest; code++) {
        const uint64_t n = counts[code];
        if (n == 0)
            continue;
        s->min = code < s->min ? code : s->min;
        s->max = code;
        s->count += n;
        s->sum += n * code;
        s->sum_squares += n * code * code;
        s->histogram[code >> (bits - 8)] += n;
    }
}

static void describe_channel(const uint64_t *counts, int bits, satb_channel_stats *s)
{
    const uint32_t largest = (1u << bits) - 1;

    memset(s, 0, sizeof *s); /* padding between the members, too */
    add_up(counts, bits, s);
    if (s->count == 0) { /* no visible pixel has a luminance */
        s->min = 0;
        return;
    }
    s->mean = (double)s->sum / (double)s->count;
    s->stddev = deviation(s);
    s->p1 = percentile(counts, s->count, 1);
    s->p5 = percentile(counts, s->count, 5);
    s->median = percentile(counts, s->count, 50);
    s->p95 = percentile(counts, s->count, 95);
    s->p99 = percentile(counts, s->count, 99);
    s->entropy = entropy(counts, largest, s->count);
    s->clipped_low = (double)counts[0] / (double)s->count;
    s->clipped_high = (double)counts[largest] / (double)s->count;
}

static satb_status measure_subject(satb_context *context, const satb_image *src, satb_subject what,
                                   satb_channel_stats *stats)
{
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK && !stats)
        status = satb_fail(context, SATB_ERR_ARG, "statistics: stats is NULL");
    if (status != SATB_OK)
        return status;
    uint64_t *const counts = malloc(satb_count_bytes(src, what));
    if (!counts)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    status = count_codes(context, src, what, counts);
    for (int c = 0; c < (what == SATB_CHANNELS ? src->channels : 1) && status == SATB_OK; c++)
        describe_channel(counts + ((size_t)c << src->bits), src->bits, &stats[c]);
    free(counts);
    return status;
}

satb_status satb_measure(satb_context *context, const satb_image *src, satb_channel_stats *stats)
{
    return measure_subject(context, src, SATB_CHANNELS, stats);
}

satb_status satb_measure_luminance(satb_context *context, const satb_image *src,
                                   satb_channel_stats *stats)
{
    return measure_subject(context, src, SATB_LUMINANCE, stats);
}
