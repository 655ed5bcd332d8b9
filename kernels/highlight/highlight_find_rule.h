/* The definition of the lamps of highlight.h that the CPU and the CUDA code share: sums of a summed-area table decide, so
 * lamps of any size take the same time. Functions are inlined with constant channels and bits. */
#ifndef SATK_HIGHLIGHT_FIND_RULE_H
#define SATK_HIGHLIGHT_FIND_RULE_H

#include "highlight/highlight_rule.h"

#define SATK_LIGHT_RATIO 4  /* brightness of a light, times the mean around it */
#define SATK_RING_RATIO  8  /* bright pixels near a light, times those in the ring around it */
#define SATK_LAMP_SURE   4  /* pixels */
#define SATK_RING_LEAST  5  /* no lamp has fewer */
#define SATK_LEAST_LAMP  3  /* the smallest size */
#define SATK_GLOW_RATIO  8  /* threshold, times the least brightness of a glow */
#define SATK_GLOW_SHARE  32 /* white light of a lamp, times what is added to its glow */

/* --- Table ------------------------------------------------------------------------------------ */

/* A pixel's words have two fields each, of 32 bits. Samples in them are cut to 10 bits. Windows have fewer than 2^22
 * pixels, so no field's sum passes 32 bits.
 *   word  low                    high
 *   0     red of a glow          1 if the pixel is bright
 *   1     green of a glow        1 if the pixel is not clipped
 *   2     blue of a glow         the brightest sample if the pixel is not clipped
 * Gray pictures have no word 2, and the brightest sample in place of the green. */
#define SATK_LAMP_WORDS(channels) ((channels) < 3 ? 2 : 3)
#define SATK_LAMP_BITS            10

/* Returns a sample of 10 bits. */
SATK_FN uint32_t satk_lamp_sample(const satk_highlight *job, uint32_t code, int bits)
{
    const int own = satk_sample_bits(&job->tone, bits);
    const int shift = own > SATK_LAMP_BITS ? own - SATK_LAMP_BITS : 0;

    return satk_sample_of(&job->tone, code) >> shift;
}

/* Returns 1 if a pixel is bright. It is not where alpha is 0. */
SATK_FN int satk_is_bright(const satk_highlight *job, const uint32_t *codes, int channels)
{
    return !(satk_has_alpha(channels) && codes[channels - 1] == 0) &&
           satk_sample_of(&job->tone, satk_brightest(codes, channels)) >= job->threshold;
}

/* Finds the words that a pixel adds to the table. */
SATK_FN void satk_lamp_words(const satk_highlight *job, int x, int y, int channels, int bits,
                             uint64_t *words)
{
    uint32_t codes[4];

    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    const uint32_t brightest = satk_brightest(codes, channels);
    const uint64_t sample = satk_lamp_sample(job, brightest, bits);
    const int counts = !(satk_has_alpha(channels) && codes[channels - 1] == 0) &&
                       !satk_is_clipped(brightest, bits);
    const int glows = counts && satk_sample_of(&job->tone, brightest) >=
                                    (job->threshold - 1) / SATK_GLOW_RATIO + 1;
    words[0] = (uint64_t)satk_is_bright(job, codes, channels) << 32;
    words[1] = (uint64_t)counts << 32;
    if (channels < 3) {
        words[1] += counts ? sample : 0;
        return;
    }
    words[2] = counts ? sample << 32 : 0;
    for (int c = 0; c < 3 && glows; c++)
        words[c] += satk_lamp_sample(job, codes[c], bits);
}

/* An inclusive table, of which memory holds the last `rows` rows: from row `base` on they begin with the memory, and those
 * before are at its end. From a pixel to the next there are `column` words, and from a pixel's word to its next there
 * are `word`. */
typedef struct satk_lamp_table {
    const uint64_t *words;
    int width, rows, base;
    size_t column, word;
} satk_lamp_table;

SATK_FN const uint64_t *satk_lamp_row(const satk_lamp_table *table, int y, int count)
{
    const int place = y < table->base ? y - table->base + table->rows : y - table->base;

    return table->words + (size_t)place * (size_t)table->width * (size_t)count;
}

typedef struct satk_lamp_window {
    satk_range columns, rows;
} satk_lamp_window;

SATK_FN satk_lamp_window satk_lamp_window_at(const satk_highlight *job, int x, int y, int radius)
{
    const satk_lamp_window w = {satk_clip(satk_window(x, radius), job->src.width),
                                satk_clip(satk_window(y, radius), job->src.height)};
    return w;
}

/* Returns word `at` of `count`, summed over the window. */
SATK_FN uint64_t satk_lamp_sum(const satk_lamp_table *table, const satk_lamp_window *w, int at,
                               int count)
{
    const size_t word = (size_t)at * table->word;
    const size_t right = (size_t)(w->columns.hi - 1) * table->column + word;
    const size_t left = (size_t)(w->columns.lo - 1) * table->column + word;
    const int begins = w->columns.lo > 0; /* otherwise nothing is left of it */
    const uint64_t *const below = satk_lamp_row(table, w->rows.hi - 1, count);
    uint64_t sum = below[right] - (begins ? below[left] : 0);

    if (w->rows.lo > 0) {
        const uint64_t *const above = satk_lamp_row(table, w->rows.lo - 1, count);
        sum -= above[right] - (begins ? above[left] : 0);
    }
    return sum;
}

/* --- Lamps ------------------------------------------------------------------------------------ */

/* Returns the radius where the ring ends. */
SATK_FN int satk_ring_end(int size)
{
    return size + (size + 1) / 2;
}

/* A lamp's surroundings: sums over its near window and over its ring. */
typedef struct satk_lamp {
    uint64_t near[3], ring[3];
} satk_lamp;

SATK_FN satk_lamp satk_lamp_around(const satk_highlight *job, const satk_lamp_table *table, int x,
                                   int y, int size, int channels)
{
    const int count = SATK_LAMP_WORDS(channels);
    const satk_lamp_window near = satk_lamp_window_at(job, x, y, size);
    const satk_lamp_window wide = satk_lamp_window_at(job, x, y, satk_ring_end(size));
    satk_lamp lamp;

    for (int i = 0; i < count; i++) {
        lamp.near[i] = satk_lamp_sum(table, &near, i, count);
        lamp.ring[i] = satk_lamp_sum(table, &wide, i, count) - lamp.near[i];
    }
    return lamp;
}

/* Returns 1 if the mean of the ring is far darker than a sample of 10 bits. */
SATK_FN int satk_is_dark_around(const satk_lamp *lamp, uint64_t sample, int channels)
{
    const uint64_t count = lamp->ring[1] >> 32;
    const uint64_t light = channels < 3 ? (uint32_t)lamp->ring[1] : lamp->ring[2] >> 32;

    return count > 0 && SATK_LIGHT_RATIO * light <= sample * count;
}

/* Returns the size after one. */
SATK_FN int satk_next_size(int size, int largest)
{
    const int next = size + (size + 1) / 2;

    return size < largest && next > largest ? largest : next;
}

/* Returns the size that fits a bright pixel, or 0. sample: its brightest, of 10 bits. *sure becomes a number of pixels to
 * the right that cannot fit either: a window that moves by a pixel loses at most the bright pixels of a column. */
SATK_FN int satk_lamp_size(const satk_highlight *job, const satk_lamp_table *table, int x, int y,
                           uint64_t sample, int channels, int *sure)
{
    const int count = SATK_LAMP_WORDS(channels);
    uint64_t bright = 1; /* larger windows have at least as many */
    uint64_t lost = 0;   /* of them, when the window moves */
    int half = 0;        /* the first size that fits, but for few bright pixels in the ring */
    int many = 1;        /* 1 while sizes have too many by far */

    for (int size = job->size < SATK_LEAST_LAMP ? job->size : SATK_LEAST_LAMP; size <= job->size;
         size = satk_next_size(size, job->size)) {
        const uint64_t most = (uint64_t)size * (uint64_t)size;
        if (most < bright) {
            many &= most + lost < bright;
            continue;
        }
        const satk_lamp_window near = satk_lamp_window_at(job, x, y, size);
        const satk_lamp_window wide = satk_lamp_window_at(job, x, y, satk_ring_end(size));
        bright = satk_lamp_sum(table, &wide, 0, count) >> 32;
        lost = SATK_LAMP_SURE * (2 * (uint64_t)satk_ring_end(size) + 1);
        many &= most + lost < bright;
        if (most < bright)
            continue;
        const uint64_t inner = satk_lamp_sum(table, &near, 0, count) >> 32, ring = bright - inner;
        const int is_clear = SATK_RING_RATIO * ring <= inner;
        if (!is_clear && (half || SATK_RING_LEAST * ring >= inner))
            continue;
        const satk_lamp lamp = satk_lamp_around(job, table, x, y, size, channels);
        if (!satk_is_dark_around(&lamp, sample, channels))
            continue;
        if (is_clear)
            return size;
        half = size;
    }
    *sure = many ? SATK_LAMP_SURE : 0;
    return half;
}

/* --- Lights ----------------------------------------------------------------------------------- */

/* Returns the part of its boost that a lamp gets, 0 .. 255: less where more bright pixels are in the ring than may be. */
SATK_FN uint64_t satk_lamp_part(const satk_lamp *lamp)
{
    const uint64_t near = lamp->near[0] >> 32, ring = lamp->ring[0] >> 32;

    return SATK_RING_RATIO * ring <= near
               ? 255
               : 255 * SATK_RING_RATIO * (near - SATK_RING_LEAST * ring) /
                     ((SATK_RING_RATIO - SATK_RING_LEAST) * near);
}

/* Stores the colours of a clipped light in proportion to the brightest: those of the glow near the lamp beyond that of the
 * ring. A faint glow tells little, so all colours get the same light beside it. */
SATK_FN void satk_store_halo(const satk_highlight *job, const satk_lamp *lamp, int x, int y,
                             int channels, int bits)
{
    const uint64_t white = satk_lamp_sample(job, (1u << bits) - 1, bits);
    const uint64_t around = lamp->ring[1] >> 32, near = lamp->near[1] >> 32;
    uint8_t *const halo =
        (uint8_t *)job->halo.data + y * job->halo.pitch + (size_t)x * (size_t)channels;
    const uint64_t part = satk_lamp_part(lamp);
    uint64_t glow[3] = {0}, most = 0;

    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint64_t light = (uint32_t)lamp->near[c] * around; /* 32 and 22 bits */
        const uint64_t rest = (uint32_t)lamp->ring[c] * near;
        glow[c] = 1 + (lamp->near[0] >> 32) * white / SATK_GLOW_SHARE;
        glow[c] += light > rest ? (light - rest) / around : 0;
        most = glow[c] > most ? glow[c] : most;
    }
    for (int c = 0; c < satk_light_colours(channels); c++)
        halo[c] = (uint8_t)(channels < 3 ? part : (glow[c] * part + most / 2) / most);
}

/* Finds the mean colours of eight pixels in the ring, as far as they are in the picture, neither bright nor of alpha 0.
 * Without any they are black. */
SATK_FN void satk_colours_around(const satk_highlight *job, int x, int y, int size, int channels,
                                 int bits, uint32_t *mean)
{
    const int step = size + (size + 3) / 4;
    uint64_t sums[3] = {0}, count = 0;
    uint32_t codes[4];

    for (int i = 0; i < 9; i++) {
        const int at = x + (i % 3 - 1) * step, row = y + (i / 3 - 1) * step;
        if (i == 4 || at < 0 || row < 0 || at >= job->src.width || row >= job->src.height)
            continue;
        satk_get_pixel((const uint8_t *)job->src.data + row * job->src.pitch, at, channels, bits,
                       codes);
        if ((satk_has_alpha(channels) && codes[channels - 1] == 0) ||
            satk_is_bright(job, codes, channels))
            continue;
        count++;
        for (int c = 0; c < satk_light_colours(channels); c++)
            sums[c] += satk_sample_of(&job->tone, codes[c]);
    }
    for (int c = 0; c < satk_light_colours(channels); c++)
        mean[c] = count ? satk_encoded(&job->tone, (sums[c] + count / 2) / count) : 0;
}

/* Makes the codes of a light those of its surroundings where these are darker. */
SATK_FN void satk_take_light(const satk_highlight *job, int x, int y, int size, int channels,
                             int bits, uint32_t *codes)
{
    uint32_t mean[3];

    satk_colours_around(job, x, y, size, channels, bits, mean);
    for (int c = 0; c < satk_light_colours(channels); c++)
        codes[c] = mean[c] < codes[c] ? mean[c] : codes[c];
}

/* Stores base, halo and mask at a pixel. Returns the side of the light that is there, or 0. *sure: the number of pixels,
 * from this one to the right, that are no lights for sure; it is 0 at first. */
SATK_FN int satk_find_pixel(const satk_highlight *job, const satk_lamp_table *table, int x, int y,
                            int channels, int bits, int *sure)
{
    const satk_disc *const disc = satk_disc_at(job, x, y);
    uint32_t codes[4];
    int size = 0;

    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    if (*sure > 0)
        --*sure;
    else if (disc->side && satk_is_bright(job, codes, channels))
        size = satk_lamp_size(job, table, x, y,
                              satk_lamp_sample(job, satk_brightest(codes, channels), bits),
                              channels, sure);
    if (size && satk_is_clipped(satk_brightest(codes, channels), bits)) {
        const satk_lamp lamp = satk_lamp_around(job, table, x, y, size, channels);
        satk_store_halo(job, &lamp, x, y, channels, bits);
    }
    if (size)
        satk_take_light(job, x, y, size, channels, bits, codes);
    satk_put_pixel((uint8_t *)job->base.data + y * job->base.pitch, x, channels, bits, codes);
    ((uint8_t *)job->mask.data)[y * job->mask.pitch + x] = (uint8_t)disc->behind;
    return size ? disc->side : 0;
}

#endif
