#include "common/parts.h"
#include "common/pool.h"
#include "matte/separate_rule.h"
#include "matte/sliding_sums.h"

#include <string.h>

enum { MOST_PLANES = 2 * (1 + 3) };

typedef struct separation {
    const satk_separate *job;
    int colours;     /* of a pixel, without alpha */
    uint8_t *sought; /* of every pixel: 1 until it is done, if it has a side */
    satk_sliding_sums sums;
} separation;

/* Reads pixels of a row with constant channels and bits. */
SATK_FN void read_pixels(const separation *s, int y, int x0, int x1, uint32_t *row, int channels,
                         int bits)
{
    const uint8_t *const cover = satk_row_of(&s->job->matte, y);
    const void *const src = satk_row_of(&s->job->src, y);
    const int colours = satk_separate_colours(channels), half = 1 + colours;

    for (int x = x0; x < x1; x++, row += 2 * half) {
        const int side = satk_matte_side(cover[x]);
        if (side == SATK_BOTH_SIDES)
            continue;
        uint32_t *const own = row + side * half;
        own[0] = 1;
        for (int c = 0; c < colours; c++)
            own[1 + c] = satk_code(src, (size_t)(x * channels + c), bits);
    }
}

/* Writes the planes: of the background, then of the subject, its pixels and their colours. */
static void read_row(const void *of, int y, int x0, int x1, uint32_t *row)
{
    const separation *const s = of;
    const int channels = s->job->src.channels, bits = s->job->src.bits;

    memset(row, 0, (size_t)s->sums.planes * (size_t)(x1 - x0) * sizeof *row);
    if (channels == 3 && bits == 8)
        read_pixels(s, y, x0, x1, row, 3, 8);
    else if (channels == 4 && bits == 8)
        read_pixels(s, y, x0, x1, row, 4, 8);
    else
        read_pixels(s, y, x0, x1, row, channels, bits);
}

/* Returns the mean of one channel of a side in the window around x. */
static int64_t mean_of(const separation *s, const satk_sliding_row *row, int x, int side, int c)
{
    const int first = side * (1 + s->colours);

    return satk_separate_divided((int64_t)satk_sliding_sum(&s->sums, row, x, first + 1 + c),
                                 (int64_t)satk_sliding_sum(&s->sums, row, x, first));
}

static void separate_pixel(const separation *s, const satk_sliding_row *row, int x)
{
    const satk_separate *const job = s->job;
    const uint32_t m = satk_sample_at(&job->matte, x, row->y, 0);
    const int of_subject = satk_sample_at(&job->sides, x, row->y, 0) == SATK_COLOUR_SUBJECT;

    for (int c = 0; c < s->colours; c++)
        satk_put_sample(&job->dst, x, row->y, c,
                        satk_separated(mean_of(s, row, x, SATK_SUBJECT, c),
                                       mean_of(s, row, x, SATK_BACKGROUND, c),
                                       satk_sample_at(&job->src, x, row->y, c), m, of_subject,
                                       job->src.bits));
}

static void take_row(void *of, const satk_sliding_row *row)
{
    const separation *const s = of;
    const int half = 1 + s->colours;
    uint8_t *const sought = s->sought + (size_t)row->y * (size_t)s->sums.width;

    for (int x = row->x0; x < row->x1; x++) {
        if (!sought[x] || satk_sliding_sum(&s->sums, row, x, 0) < SATK_SEPARATE_ENOUGH ||
            satk_sliding_sum(&s->sums, row, x, half) < SATK_SEPARATE_ENOUGH)
            continue;
        separate_pixel(s, row, x);
        sought[x] = 0;
    }
}

/* Copies a row of the picture, and seeks the pixels that have a side. */
static void begin_row(const void *of, int y)
{
    const separation *const s = of;
    const satk_separate *const job = s->job;
    const uint8_t *const sides = satk_row_of(&job->sides, y);
    uint8_t *const sought = s->sought + (size_t)y * (size_t)s->sums.width;

    memcpy(satk_row_of(&job->dst, y), satk_row_of(&job->src, y),
           (size_t)job->src.width * (size_t)job->src.channels * (size_t)job->src.bits / 8);
    for (int x = 0; x < s->sums.width; x++)
        sought[x] = sides[x] != SATK_COLOUR_KEEP;
}

size_t satk_separate_scratch_cpu(const satk_separate *job, int threads)
{
    const int width = job->src.width;
    size_t bytes = 0;

    satk_place(&bytes, satk_sliding_sums_scratch(width, MOST_PLANES, threads), 1);
    satk_place(&bytes, (uint64_t)width * (uint64_t)job->src.height, 1);
    return bytes;
}

void satk_separate_cpu(const satk_separate *job, int threads)
{
    const int width = job->src.width, height = job->src.height;
    const int colours = satk_separate_colours(job->src.channels);
    size_t bytes = 0;

    satk_place(&bytes, satk_sliding_sums_scratch(width, MOST_PLANES, threads), 1);
    separation s = {.job = job,
                    .colours = colours,
                    .sought = (uint8_t *)job->scratch + bytes,
                    .sums = {.width = width,
                             .height = height,
                             .planes = 2 * (1 + colours),
                             .radius = SATK_SEPARATE_NARROWEST,
                             .read = read_row,
                             .take = take_row,
                             .scratch = job->scratch}};
    s.sums.job = &s;
    satk_for(threads, height, 0, begin_row, &s);
    satk_sliding_sums_widen(&s.sums, s.sought, threads);
}
