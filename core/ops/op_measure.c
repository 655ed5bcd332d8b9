/* Statistics. The back end counts every code, and its counts come to the host in one copy. All numbers follow exactly from
 * them, and become floating-point in their last step. */
#include "backend/image.h"
#include "ops/code_counts.h"

#include "common/pool.h"

#include <exact_math.h>
#include <math.h>
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

/* Counts the codes, and brings the counts to the host. They are valid until the context's next call. */
static satb_status count_codes(satb_context *context, const satb_image *src, satb_subject what,
                               const uint64_t **counts)
{
    const satb_backend *const b = context->backend;
    const counting job = {src, what};
    satb_bands bands = {.height = src->height};
    satk_plane plane;
    uint64_t *there = NULL;
    const void *here = NULL;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_cut(context, &bands, add_need, &job);
    if (status == SATB_OK)
        status = satb_count(context, src, what, &bands, &plane, &there);
    if (status == SATB_OK)
        status = satb_bring_bytes(context, there, satb_count_bytes(src, what), &here);
    if (status == SATB_OK)
        status = b->finish(context);
    *counts = here;
    return satb_settled(context, status);
}

/* --- Statistics ------------------------------------------------------------------------------- */

/* The counts of a channel. A bin of the histogram has `width` codes. */
typedef struct tally {
    const uint64_t *counts;
    uint32_t codes, width;
} tally;

/* Returns the population's standard deviation. n sum(x^2) - sum(x)^2 is exact in 128 bits, so nothing cancels. */
static double deviation(const satb_channel_stats *s)
{
    const satk_u128 scaled = (satk_u128)s->sum_squares * s->count - (satk_u128)s->sum * s->sum;

    return sqrt((double)scaled) / (double)s->count;
}

/* Returns the smallest code that at least `percent` % of the pixels do not exceed. */
static uint32_t percentile(const tally *t, const satb_channel_stats *s, uint64_t percent)
{
    uint64_t below = 0;
    uint32_t bin = 0;

    while (100 * (below + s->histogram[bin]) < percent * s->count)
        below += s->histogram[bin++];
    uint32_t code = bin * t->width;
    while (100 * (below += t->counts[code]) < percent * s->count)
        code++;
    return code;
}

/* Counts for which a term of the entropy is remembered. In 16 bits, most codes of a picture have one of a few counts, and
 * no more than the pixels / KNOWN have a larger one. */
enum { KNOWN = 4096 };

/* Returns the entropy in bits: a sum over the codes, in their order. */
static double entropy(const tally *t, const satb_channel_stats *s)
{
    double known[KNOWN] = {0}; /* 0: not yet */
    double bits = 0;

    for (uint32_t code = 0; code < t->codes; code++) {
        const uint64_t n = t->counts[code];
        if (n == 0)
            continue;
        double term = n < KNOWN ? known[n] : 0;
        if (term == 0) {
            const double share = (double)n / (double)s->count;
            term = share * satb_log2(share);
            if (n < KNOWN)
                known[n] = term;
        }
        bits -= term;
    }
    return bits;
}

/* Adds a bin's codes. The squares of 2^31 pixels of 16 bits fit 63 bits. */
static void add_bin(const tally *t, uint32_t bin, satb_channel_stats *s)
{
    const uint64_t first = (uint64_t)bin * t->width;
    uint64_t count = 0, sum = 0, squares = 0; /* of codes from the bin's first one on */

    for (uint32_t i = 0; i < t->width; i++) {
        const uint64_t n = t->counts[first + i];
        count += n;
        sum += n * i;
        squares += n * (i * i);
    }
    s->histogram[bin] = count;
    s->count += count;
    s->sum += first * count + sum;
    s->sum_squares += first * first * count + 2 * first * sum + squares;
}

/* Finds the extreme codes. There are some. */
static void find_extremes(const tally *t, satb_channel_stats *s)
{
    uint32_t low = 0, high = SATB_BINS - 1;

    while (s->histogram[low] == 0)
        low++;
    while (s->histogram[high] == 0)
        high--;
    s->min = low * t->width;
    while (t->counts[s->min] == 0)
        s->min++;
    s->max = (high + 1) * t->width - 1;
    while (t->counts[s->max] == 0)
        s->max--;
}

typedef struct describing {
    const uint64_t *counts; /* channel after channel */
    int bits;
    satb_channel_stats *stats;
} describing;

static void describe_channel(const void *job, int channel)
{
    const describing *const d = job;
    const tally t = {d->counts + ((size_t)channel << d->bits), 1u << d->bits,
                     (1u << d->bits) / SATB_BINS};
    satb_channel_stats *const s = &d->stats[channel];

    memset(s, 0, sizeof *s); /* padding between the members, too */
    for (uint32_t bin = 0; bin < SATB_BINS; bin++)
        add_bin(&t, bin, s);
    if (s->count == 0) /* no visible pixel has a luminance */
        return;
    find_extremes(&t, s);
    s->mean = (double)s->sum / (double)s->count;
    s->stddev = deviation(s);
    s->p1 = percentile(&t, s, 1);
    s->p5 = percentile(&t, s, 5);
    s->median = percentile(&t, s, 50);
    s->p95 = percentile(&t, s, 95);
    s->p99 = percentile(&t, s, 99);
    s->entropy = entropy(&t, s);
    s->clipped_low = (double)t.counts[0] / (double)s->count;
    s->clipped_high = (double)t.counts[t.codes - 1] / (double)s->count;
}

static satb_status measure_subject(satb_context *context, const satb_image *src, satb_subject what,
                                   satb_channel_stats *stats)
{
    describing d = {.stats = stats};
    satb_status status = satb_check_codes(context, src, "source");

    if (status == SATB_OK && !stats)
        status = satb_fail(context, SATB_ERR_ARG, "statistics: stats is NULL");
    if (status != SATB_OK)
        return status;
    d.bits = src->bits;
    status = count_codes(context, src, what, &d.counts);
    if (status == SATB_OK) /* 256 counts take less time than a thread to wake up */
        satk_for(d.bits == 8 ? 1 : context->threads, what == SATB_CHANNELS ? src->channels : 1, 1,
                 describe_channel, &d);
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
