/* The means of a row in vectors: the scan of what its windows gain and lose, column by column. For SATK_LEVELED() sources. */
#ifndef SATK_BOX_WALK_H
#define SATK_BOX_WALK_H

#include "common/lanes.h"

/* A row on its way. */
typedef struct row_walk {
    scanner scan;
    lanes sums; /* of the windows before the next vector: scan_lanes()'s carry */
    size_t next;
    int rows; /* of the windows that are inside */
    const uint32_t *enters,
        *leaves; /* by sample: the column sums that its window gains and loses */
    const double *inverse;
    void *out;
} row_walk;

/* Finds the means from the next vector on, while it begins before `last` and ends by `samples`. whole: the columns of
 * all their windows, or 0 where these differ. */
typedef void means_step(row_walk *w, size_t last, size_t samples, int whole);

/* bits of an element of out: 8, 16 or 32. */
SATK_FN void find_means(row_walk *w, size_t last, size_t samples, int whole, int channels, int bits)
{
    const uint32_t *const enters = w->enters, *const leaves = w->leaves;
    const double *const inverse = w->inverse;
    const double_lanes by_rows = (double_lanes){0} + ABOVE_ONE / w->rows;
    const quotient q = make_quotient((uint32_t)(whole ? whole : 1) * (uint32_t)w->rows);
    const scanner scan = w->scan; /* in registers */
    uint8_t *const out = w->out;
    lanes sums = w->sums;
    size_t i = w->next;

    for (; i < last && i + LANES <= samples; i += LANES) {
        const lanes change = lanes_at(enters + i) - lanes_at(leaves + i);
        const lanes total = scan_lanes(&scan, change, &sums, channels);
        lanes mean;
        if (whole) {
            mean = mean_by_quotient(total, &q);
        } else {
            double_pair by;
            memcpy(&by, inverse + i, sizeof by);
            by.even *= by_rows;
            by.odd *= by_rows;
            mean = mean_by_inverse(total, by);
        }
        put_lanes(out + i * (size_t)(bits / 8), mean, LANES, bits);
    }
    w->sums = sums;
    w->next = i;
}

/* Finds the sums of the window before the first pixel: those of the pixels that enter until then. */
SATK_FN void begin_walk(row_walk *w, size_t enters, int channels)
{
    for (size_t i = (enters + LANES - 1) / LANES * LANES; i > 0; i -= LANES)
        scan_lanes(&w->scan, lanes_at(w->enters - i), &w->sums, channels);
}

#define MEANS_STEP(channels, bits)                                                                 \
    static void means_##channels##_##bits(row_walk *w, size_t last, size_t samples, int whole)     \
    {                                                                                              \
        if (whole)                                                                                 \
            find_means(w, last, samples, whole, channels, bits);                                   \
        else                                                                                       \
            find_means(w, last, samples, 0, channels, bits);                                       \
    }
#define WALK_STEPS(channels)                                                                       \
    static void begin_##channels(row_walk *w, size_t enters)                                       \
    {                                                                                              \
        begin_walk(w, enters, channels);                                                           \
    }                                                                                              \
    MEANS_STEP(channels, 8) MEANS_STEP(channels, 16) MEANS_STEP(channels, 32)
WALK_STEPS(1)
WALK_STEPS(2)
WALK_STEPS(3)
WALK_STEPS(4)

/* The steps of a row by channels; its means have 8, 16 or 32 bits. */
typedef struct walk_steps {
    void (*begin)(row_walk *w, size_t enters);
    means_step *means[3];
} walk_steps;

#define STEPS(channels)                                                                            \
    {                                                                                              \
        begin_##channels,                                                                          \
        {                                                                                          \
            means_##channels##_8, means_##channels##_16, means_##channels##_32                     \
        }                                                                                          \
    }
static const walk_steps walks[4] = {STEPS(1), STEPS(2), STEPS(3), STEPS(4)};

#endif
