/* The definition of the lamps of highlight.h that the CPU and the CUDA code share: sums of a summed-area table decide, so
 * lamps of any size take the same time. Functions are inlined with constant channels and bits. */
#ifndef SATK_HIGHLIGHT_FIND_RULE_H
#define SATK_HIGHLIGHT_FIND_RULE_H

#include "highlight/highlight_rule.h"

#define SATK_LIGHT_RATIO   8  /* brightness of a light, times the mean around it */
#define SATK_CLIPPED_TIMES 2  /* assumed brightness of clipped light, times white */
#define SATK_RING_RATIO    8  /* bright pixels near a light, times those in the ring around it */
#define SATK_LEAST_LAMP    3  /* the smallest size */
#define SATK_LEAST_CLIPPED 12 /* the same where only clipped pixels are bright */
#define SATK_GLOW_SHARE    16 /* white, times what is added to all colours of the glow */

SATK_FN uint32_t satk_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* --- Table ------------------------------------------------------------------------------------ */

/* A pixel's words have fields, whose sums do not meet, as windows have fewer than 2^21 pixels.
 *   word  bits
 *   0     0 .. 31, its brightest sample, cut to 10 bits; 32 .. 52, 1 if it is bright at level 3
 *   1     three fields of 21 bits: the same at levels 0 to 2 */
#define SATK_LAMP_WORDS 2
#define SATK_LAMP_BITS  10
#define SATK_COUNT_BITS 21

/* Return the word that counts the pixels that are bright at a level, and its place there. */
SATK_FN int satk_word_of(int level)
{
    return level < 3;
}

SATK_FN int satk_shift_of(int level)
{
    return level < 3 ? level * SATK_COUNT_BITS : 32;
}

/* Returns the count of a level in a sum of its word. */
SATK_FN uint32_t satk_lamp_count(uint64_t sum, int level)
{
    return (uint32_t)(sum >> satk_shift_of(level)) & ((1u << SATK_COUNT_BITS) - 1);
}

/* Returns a pixel's brightest sample: white where it was clipped, and 0 where alpha is 0. */
SATK_FN uint32_t satk_lamp_light(const satk_highlight *job, const uint32_t *codes, int channels,
                                 int bits)
{
    const uint32_t brightest = satk_brightest(codes, channels);

    if (satk_has_alpha(channels) && codes[channels - 1] == 0)
        return 0;
    return satk_is_clipped(brightest, bits) ? job->level[0] : satk_sample_of(&job->tone, brightest);
}

/* Returns a sample of 10 bits. */
SATK_FN uint32_t satk_lamp_sample(const satk_highlight *job, uint32_t sample, int bits)
{
    const int own = satk_sample_bits(&job->tone, bits);

    return sample >> (own > SATK_LAMP_BITS ? own - SATK_LAMP_BITS : 0);
}

/* Finds the words that a pixel adds to the table. */
SATK_FN void satk_lamp_words(const satk_highlight *job, int x, int y, int channels, int bits,
                             uint64_t *words)
{
    uint32_t codes[4];

    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    const uint32_t light = satk_lamp_light(job, codes, channels, bits);
    words[0] = satk_lamp_sample(job, light, bits);
    words[1] = 0;
    for (int level = 0; level < SATK_LAMP_LEVELS; level++)
        words[satk_word_of(level)] |= (uint64_t)(light >= job->level[level])
                                      << satk_shift_of(level);
}

/* An inclusive table, of which memory holds the last `rows` rows: from row `base` on they begin with the memory, and those
 * before are at its end. From a pixel to the next there are `column` words, and from a pixel's word to its next there
 * are `word`. */
typedef struct satk_lamp_table {
    const uint64_t *words;
    int width, rows, base;
    size_t column, word;
} satk_lamp_table;

SATK_FN const uint64_t *satk_lamp_row(const satk_lamp_table *table, int y)
{
    const int place = y < table->base ? y - table->base + table->rows : y - table->base;

    return table->words + (size_t)place * (size_t)table->width * SATK_LAMP_WORDS;
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

/* Returns word `at`, summed over the window. */
SATK_FN uint64_t satk_lamp_sum(const satk_lamp_table *table, const satk_lamp_window *w, int at)
{
    const size_t word = (size_t)at * table->word;
    const size_t right = (size_t)(w->columns.hi - 1) * table->column + word;
    const size_t left = (size_t)(w->columns.lo - 1) * table->column + word;
    const int begins = w->columns.lo > 0; /* otherwise nothing is left of it */
    const uint64_t *const below = satk_lamp_row(table, w->rows.hi - 1);
    uint64_t sum = below[right] - (begins ? below[left] : 0);

    if (w->rows.lo > 0) {
        const uint64_t *const above = satk_lamp_row(table, w->rows.lo - 1);
        sum -= above[right] - (begins ? above[left] : 0);
    }
    return sum;
}

SATK_FN uint64_t satk_lamp_area(const satk_lamp_window *w)
{
    return (uint64_t)(w->columns.hi - w->columns.lo) * (uint64_t)(w->rows.hi - w->rows.lo);
}

/* --- Lamps ------------------------------------------------------------------------------------ */

/* Returns the radius where the ring ends. */
SATK_FN int satk_ring_end(int size)
{
    return size + (size + 1) / 2;
}

/* Returns the size after one. */
SATK_FN int satk_next_size(int size, int largest)
{
    const int next = size + (size + 1) / 2;

    return size < largest && next > largest ? largest : next;
}

/* Returns the light that is compared with the ring, of 10 bits, of a pixel that is bright from level `first` on. */
SATK_FN uint64_t satk_contrast_light(const satk_highlight *job, uint32_t light, int first, int bits)
{
    return (uint64_t)satk_lamp_sample(job, light, bits) * (first ? 1 : SATK_CLIPPED_TIMES);
}

/* Returns the first level at which a light that is bright from level `first` on may be a lamp of that size. */
SATK_FN int satk_top_level(const satk_highlight *job, int size, int first)
{
    return first == 0 && size < SATK_LEAST_CLIPPED && size < job->size ? 1 : first;
}

/* Pixels of a row before `end` are in no lamp if they are not bright at a level above this one. */
typedef struct satk_sure {
    int end, level;
} satk_sure;

/* Returns 1 if near and ring have few bright pixels at the level, and the ring has far fewer than near. */
SATK_FN int satk_is_compact(const satk_lamp_table *table, const satk_lamp_window *near,
                            const satk_lamp_window *wide, int size, int level)
{
    const int word = satk_word_of(level);
    const uint32_t all = satk_lamp_count(satk_lamp_sum(table, wide, word), level);

    return all <= (uint32_t)(size * size) &&
           SATK_RING_RATIO * all <=
               (SATK_RING_RATIO + 1) * satk_lamp_count(satk_lamp_sum(table, near, word), level);
}

/* Returns 1 if the mean of the ring is far darker than the light. */
SATK_FN int satk_is_dark_around(const satk_lamp_table *table, const satk_lamp_window *near,
                                const satk_lamp_window *wide, uint64_t light)
{
    const uint64_t ring = satk_lamp_area(wide) - satk_lamp_area(near);
    const uint32_t around =
        (uint32_t)satk_lamp_sum(table, wide, 0) - (uint32_t)satk_lamp_sum(table, near, 0);

    return ring > 0 && light * ring >= SATK_LIGHT_RATIO * (uint64_t)around;
}

/* Returns 1 if a lamp of that size fits at x, y, at a level from `top` on. light: of satk_contrast_light(). */
SATK_FN int satk_fits_lamp(const satk_highlight *job, const satk_lamp_table *table, int x, int y,
                           int size, int top, uint64_t light)
{
    const satk_lamp_window near = satk_lamp_window_at(job, x, y, size),
                           wide = satk_lamp_window_at(job, x, y, satk_ring_end(size));
    int level = top;

    while (level < job->levels && !satk_is_compact(table, &near, &wide, size, level))
        level++;
    return level < job->levels && satk_is_dark_around(table, &near, &wide, light);
}

/* Returns the size of the lamp of a pixel that is bright from level `first` on, or 0. light: of satk_contrast_light().
 * sure: a window that moves by a pixel loses at most the bright pixels of a column. So if all sizes have too many by some
 * columns, they have too many at the next pixels as well. */
SATK_FN int satk_lamp_size(const satk_highlight *job, const satk_lamp_table *table, int x, int y,
                           uint64_t light, int first, satk_sure *sure)
{
    uint64_t sum = 0; /* of the last window that was read: larger ones have no fewer */
    uint32_t column = 1, spare = (uint32_t)job->src.width;

    for (int size = satk_smaller(job->size, SATK_LEAST_LAMP); size <= job->size;
         size = satk_next_size(size, job->size)) {
        const uint32_t most = (uint32_t)(size * size);
        const int top = satk_top_level(job, size, first);
        if (satk_lamp_count(sum, top) <= 2 * most) { /* a few too many would spare few columns */
            const satk_lamp_window wide = satk_lamp_window_at(job, x, y, satk_ring_end(size));
            sum = satk_lamp_sum(table, &wide, satk_word_of(top));
            column = 2 * (uint32_t)satk_ring_end(size) + 1;
        }
        const uint32_t bright = satk_lamp_count(sum, top);
        if (bright > most) {
            if (bright - most <= spare * column)
                spare = (bright - most - 1) / column;
            continue;
        }
        spare = 0;
        if (satk_fits_lamp(job, table, x, y, size, top, light))
            return size;
    }
    if (spare)
        *sure = (satk_sure){x + 1 + (int)spare, first};
    return 0;
}

/* --- Lights ----------------------------------------------------------------------------------- */

/* Finds the pixel at a distance from x, y in one of eight directions, which are 0 .. 8 without 4. Returns 1 if it is in the
 * picture, and its alpha is not 0. */
SATK_FN int satk_look_beside(const satk_highlight *job, int x, int y, int direction, int distance,
                             int channels, int bits, uint32_t *codes)
{
    const int at = x + (direction % 3 - 1) * distance, row = y + (direction / 3 - 1) * distance;

    if (direction == 4 || at < 0 || row < 0 || at >= job->src.width || row >= job->src.height)
        return 0;
    satk_get_pixel((const uint8_t *)job->src.data + row * job->src.pitch, at, channels, bits,
                   codes);
    return !(satk_has_alpha(channels) && codes[channels - 1] == 0);
}

/* Returns the distance of what surrounds a lamp. */
SATK_FN int satk_lamp_reach(int size)
{
    return size + (size + 3) / 4;
}

/* Adds up a lamp's glow by colour: what unclipped pixels in eight directions have more than what surrounds the lamp. */
SATK_FN void satk_find_glow(const satk_highlight *job, int x, int y, int reach, int channels,
                            int bits, uint64_t *glow)
{
    uint32_t codes[4], far[4];

    for (int direction = 0; direction < 9; direction++) {
        if (!satk_look_beside(job, x, y, direction, reach, channels, bits, far))
            continue;
        for (int away = 1; away < reach; away += (away + 3) / 4) {
            if (!satk_look_beside(job, x, y, direction, away, channels, bits, codes) ||
                satk_is_clipped(satk_brightest(codes, channels), bits))
                continue;
            for (int c = 0; c < 3; c++)
                if (codes[c] > far[c])
                    glow[c] +=
                        satk_sample_of(&job->tone, codes[c]) - satk_sample_of(&job->tone, far[c]);
        }
    }
}

/* Stores the part of its boost that each sample of a clipped light gets: as in the glow where all samples were clipped, and the
 * same, so that the hue stays, where one is an eighth of all codes below clipped ones. Between, both count. */
SATK_FN void satk_store_halo(const satk_highlight *job, int x, int y, int size,
                             const uint32_t *codes, int channels, int bits)
{
    uint8_t *const halo =
        (uint8_t *)job->halo.data + y * job->halo.pitch + (size_t)x * (size_t)channels;
    const uint32_t all = 1u << (bits - 3), from = satk_clipped_from(bits) - all;
    const uint64_t some = job->level[0] / SATK_GLOW_SHARE + 1;
    uint64_t glow[3] = {some, some, some}, most = some;
    uint32_t lost = all; /* of the colour, in parts of all */

    for (int c = 0; c < satk_light_colours(channels); c++)
        lost = satk_least(lost, codes[c] < from ? 0 : codes[c] - from);
    if (channels >= 3 && lost > 0)
        satk_find_glow(job, x, y, satk_lamp_reach(size), channels, bits, glow);
    for (int c = 0; c < 3; c++)
        most = glow[c] > most ? glow[c] : most;
    for (int c = 0; c < satk_light_colours(channels); c++)
        halo[c] = (uint8_t)(255 - (255 - (uint32_t)(255 * glow[c] / most)) * lost / all);
}

/* Makes the codes of a light those of its surroundings where these are darker: the mean colours of eight pixels, as far as
 * they are in the picture, less than half as bright, and not of alpha 0. Without any they are black. */
SATK_FN void satk_take_light(const satk_highlight *job, int x, int y, int size, uint32_t light,
                             int channels, int bits, uint32_t *codes)
{
    uint64_t sums[3] = {0}, count = 0;
    uint32_t beside[4];

    for (int i = 0; i < 9; i++) {
        if (!satk_look_beside(job, x, y, i, satk_lamp_reach(size), channels, bits, beside) ||
            2 * satk_lamp_light(job, beside, channels, bits) >= light)
            continue;
        count++;
        for (int c = 0; c < satk_light_colours(channels); c++)
            sums[c] += satk_sample_of(&job->tone, beside[c]);
    }
    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint32_t mean = count ? satk_encoded(&job->tone, (sums[c] + count / 2) / count) : 0;
        codes[c] = satk_least(codes[c], mean);
    }
}

/* Stores base and halo at a pixel. Returns 1 if a light is there, else 0. sure: of the pixels to the left
 * in the row; zero at its beginning. */
SATK_FN int satk_find_pixel(const satk_highlight *job, const satk_lamp_table *table, int x, int y,
                            int channels, int bits, satk_sure *sure)
{
    uint8_t *const halo =
        (uint8_t *)job->halo.data + y * job->halo.pitch + (size_t)x * (size_t)channels;
    uint32_t codes[4];
    int size = 0;

    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    const uint32_t light = satk_lamp_light(job, codes, channels, bits);
    for (int c = 0; c < channels; c++)
        halo[c] = 0;
    if (light >= job->threshold && satk_disc_at(job->disc, &job->map, x, y)->side) {
        int first = 0;
        while (light < job->level[first])
            first++;
        if (x >= sure->end || first < sure->level)
            size = satk_lamp_size(job, table, x, y, satk_contrast_light(job, light, first, bits),
                                  first, sure);
    }
    if (size && satk_is_clipped(satk_brightest(codes, channels), bits))
        satk_store_halo(job, x, y, size, codes, channels, bits);
    if (size)
        satk_take_light(job, x, y, size, light, channels, bits, codes);
    satk_put_pixel((uint8_t *)job->base.data + y * job->base.pitch, x, channels, bits, codes);
    return size > 0;
}

#endif
