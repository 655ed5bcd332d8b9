/* The definition of the lamps of highlight.h that the CPU and the CUDA code share: sums of a summed-area table decide, so
 * lamps of any size take the same time. Functions are inlined with constant channels and bits. */
#ifndef SATK_HIGHLIGHT_FIND_RULE_H
#define SATK_HIGHLIGHT_FIND_RULE_H

#include "highlight/highlight_rule.h"

#define SATK_LIGHT_RATIO 4  /* brightness of a light, times the mean around it */
#define SATK_RING_RATIO  8  /* bright pixels near a light, times those in the ring around it */
#define SATK_BELOW_RATIO 3  /* the same at the next level below */
#define SATK_BELOW_MOST  3  /* bright pixels there, by those that a lamp may have */
#define SATK_LAMP_SURE   4  /* pixels */
#define SATK_LEAST_LAMP  3  /* the smallest size */
#define SATK_GLOW_STEPS  4  /* pixels that glow is found in, in each direction */
#define SATK_GLOW_SHARE  16 /* white, times what is added to all colours of the glow */

/* --- Table ------------------------------------------------------------------------------------ */

/* A pixel's words have fields, whose sums do not meet, as windows have fewer than 2^21 pixels.
 *   word  bits
 *   0     0 .. 31, its brightest sample, cut to 10 bits; 32 .. 52, 1 if it is bright at level 3
 *   1     three fields of 21 bits: the same at levels 0 to 2
 *   2     at levels 4 to 6 */
#define SATK_LAMP_WORDS(levels) ((levels) < 4 ? 2 : 3)
#define SATK_LAMP_BITS          10
#define SATK_COUNT_BITS         21

/* Return the word that counts the pixels that are bright at a level, and its place there. */
SATK_FN int satk_word_of(int level)
{
    return level < 3 ? 1 : level == 3 ? 0 : 2;
}

SATK_FN int satk_shift_of(int level)
{
    return level == 3 ? 32 : level % 4 * SATK_COUNT_BITS;
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

/* Returns the first level at which light is bright; job->levels if there is none. */
SATK_FN int satk_lamp_level(const satk_highlight *job, uint32_t light)
{
    int level = 0;

    while (level < job->levels && light < job->level[level])
        level++;
    return level;
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
    for (int i = 0; i < SATK_LAMP_WORDS(job->levels); i++)
        words[i] = i == 0 ? satk_lamp_sample(job, light, bits) : 0;
    for (int level = 0; level < (job->levels < 4 ? 4 : SATK_LAMP_LEVELS); level++)
        words[satk_word_of(level)] |= (uint64_t)(light >= job->level[level])
                                      << satk_shift_of(level);
}

/* An inclusive table, of which memory holds the last `rows` rows: from row `base` on they begin with the memory, and those
 * before are at its end. From a pixel to the next there are `column` words, and from a pixel's word to its next there
 * are `word`. A pixel has `count`. */
typedef struct satk_lamp_table {
    const uint64_t *words;
    int width, rows, base, count;
    size_t column, word;
} satk_lamp_table;

SATK_FN const uint64_t *satk_lamp_row(const satk_lamp_table *table, int y)
{
    const int place = y < table->base ? y - table->base + table->rows : y - table->base;

    return table->words + (size_t)place * (size_t)table->width * (size_t)table->count;
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

/* Returns the count of a level in a sum of its word. */
SATK_FN uint64_t satk_lamp_count(uint64_t sum, int level)
{
    return sum >> satk_shift_of(level) & ((1u << SATK_COUNT_BITS) - 1);
}

/* Returns the level below. The last has none, and counts for itself. */
SATK_FN int satk_level_below(int level)
{
    return level < SATK_LAMP_LEVELS - 1 ? level + 1 : level;
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

/* A pixel's surroundings at a size. Words are summed over the windows when they are needed. */
typedef struct satk_lamp_around {
    satk_lamp_window near, wide;
    uint64_t in_near[3], in_wide[3];
    unsigned known; /* words, a bit each */
} satk_lamp_around;

SATK_FN void satk_learn_word(const satk_lamp_table *table, satk_lamp_around *around, int word)
{
    if (around->known >> word & 1)
        return;
    around->in_near[word] = satk_lamp_sum(table, &around->near, word);
    around->in_wide[word] = satk_lamp_sum(table, &around->wide, word);
    around->known |= 1u << word;
}

/* Returns 1 if near and ring have at most so many bright pixels, and few are in the ring: at most 1/ratio of those in near. */
SATK_FN int satk_is_compact(const satk_lamp_table *table, satk_lamp_around *around, int level,
                            uint64_t most, uint64_t ratio)
{
    const int word = satk_word_of(level);

    satk_learn_word(table, around, word);
    const uint64_t all = satk_lamp_count(around->in_wide[word], level);
    return all <= most &&
           ratio * all <= (ratio + 1) * satk_lamp_count(around->in_near[word], level);
}

/* Returns 1 if the mean of the ring is far darker than light of 10 bits. */
SATK_FN int satk_is_dark_around(const satk_lamp_table *table, satk_lamp_around *around,
                                uint64_t light)
{
    const uint64_t ring = satk_lamp_area(&around->wide) - satk_lamp_area(&around->near);

    satk_learn_word(table, around, 0);
    return ring > 0 && light * ring >= SATK_LIGHT_RATIO * (uint64_t)((uint32_t)around->in_wide[0] -
                                                                     (uint32_t)around->in_near[0]);
}

/* Returns the lowest of the levels down to `first` at which a lamp of that size fits at x, y; -1: none. light: the pixel's,
 * of 10 bits. */
SATK_FN int satk_fitting_level(const satk_highlight *job, const satk_lamp_table *table, int x,
                               int y, int size, uint64_t light, int first)
{
    satk_lamp_around around = {.near = satk_lamp_window_at(job, x, y, size),
                               .wide = satk_lamp_window_at(job, x, y, satk_ring_end(size))};
    const uint64_t most = (uint64_t)size * (uint64_t)size;
    int level = job->levels - 1;

    while (level >= first && !(satk_is_compact(table, &around, level, most, SATK_RING_RATIO) &&
                               satk_is_compact(table, &around, satk_level_below(level),
                                               SATK_BELOW_MOST * most, SATK_BELOW_RATIO)))
        level--;
    return level >= first && satk_is_dark_around(table, &around, light) ? level : -1;
}

/* Returns the size after one. */
SATK_FN int satk_next_size(int size, int largest)
{
    const int next = size + (size + 1) / 2;

    return size < largest && next > largest ? largest : next;
}

/* A bright pixel's place in a lamp. */
typedef struct satk_lamp {
    int size; /* 0: it is in none */
    int level;
} satk_lamp;

/* Pixels of a row before `end` are in no lamp if they are not bright at a level above this one. */
typedef struct satk_sure {
    int end, level;
} satk_sure;

/* Finds the lamp of a pixel that is bright from level `first` on, where bright pixels are fewest. light: the pixel's, of 10
 * bits. sure: a window that moves by a pixel loses at most the bright pixels of a column, so if all have too many by far,
 * the next pixels' windows have too many as well. */
SATK_FN satk_lamp satk_find_lamp(const satk_highlight *job, const satk_lamp_table *table, int x,
                                 int y, uint64_t light, int first, satk_sure *sure)
{
    const int below = satk_level_below(first);
    uint64_t bright = 1, under = 1; /* at these levels; larger windows have at least as many */
    uint64_t lost = 0;              /* of them, when the window moves */
    int many = 1;                   /* 1 while sizes have too many by far */

    for (int size = job->size < SATK_LEAST_LAMP ? job->size : SATK_LEAST_LAMP; size <= job->size;
         size = satk_next_size(size, job->size)) {
        const uint64_t most = (uint64_t)size * (uint64_t)size;
        if (bright <= most && under <= SATK_BELOW_MOST * most) {
            const satk_lamp_window wide = satk_lamp_window_at(job, x, y, satk_ring_end(size));
            uint64_t sum = satk_lamp_sum(table, &wide, satk_word_of(first));
            bright = satk_lamp_count(sum, first);
            if (satk_word_of(below) != satk_word_of(first))
                sum = satk_lamp_sum(table, &wide, satk_word_of(below));
            under = satk_lamp_count(sum, below);
            lost = SATK_LAMP_SURE * (2 * (uint64_t)satk_ring_end(size) + 1);
        }
        many &= most + lost < bright || SATK_BELOW_MOST * most + lost < under;
        if (most < bright || SATK_BELOW_MOST * most < under)
            continue;
        const int level = satk_fitting_level(job, table, x, y, size, light, first);
        if (level >= 0)
            return (satk_lamp){size, level};
    }
    if (many)
        *sure = (satk_sure){x + 1 + SATK_LAMP_SURE, first};
    return (satk_lamp){0, 0};
}

/* --- Lights ----------------------------------------------------------------------------------- */

/* Finds the pixel at a distance from x, y in one of eight directions, which are 0 .. 8 without 4. Returns 1 if it is in the
 * picture, and its alpha is not 0. */
SATK_FN int satk_look_beside(const satk_highlight *job, int x, int y, int direction, int distance,
                             int channels, int bits, uint32_t *codes)
{
    const int at = x + (direction % 3 - 1) * distance, row = y + (direction / 3 - 1) * distance;

    if (at < 0 || row < 0 || at >= job->src.width || row >= job->src.height)
        return 0;
    satk_get_pixel((const uint8_t *)job->src.data + row * job->src.pitch, at, channels, bits,
                   codes);
    return !(satk_has_alpha(channels) && codes[channels - 1] == 0);
}

SATK_FN uint32_t satk_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the distance of what surrounds a lamp. */
SATK_FN int satk_lamp_reach(int size)
{
    return size + (size + 3) / 4;
}

/* Finds the glow in a direction by colour: as far as it falls off from the lamp, in the first unclipped pixels, which are
 * ever farther apart. Returns 0 if they are not all in the picture and within reach. */
SATK_FN int satk_fall_off(const satk_highlight *job, int x, int y, int reach, int direction,
                          int channels, int bits, uint64_t *glow)
{
    const uint32_t white = job->level[0];
    uint32_t codes[4], least[3] = {white, white, white};
    int count = 0;

    for (int away = 1; away <= reach && count < SATK_GLOW_STEPS; away += (away + 3) / 4) {
        if (!satk_look_beside(job, x, y, direction, away, channels, bits, codes))
            return 0;
        if (satk_is_clipped(satk_brightest(codes, channels), bits))
            continue;
        count++;
        for (int c = 0; c < 3; c++) {
            least[c] = satk_least(least[c], satk_sample_of(&job->tone, codes[c]));
            glow[c] += least[c];
        }
    }
    for (int c = 0; c < 3; c++)
        glow[c] -= least[c] * (uint64_t)count;
    return count == SATK_GLOW_STEPS;
}

/* Adds up a lamp's glow by colour. In opposite directions the lesser counts: glow is all around, and coloured things are
 * not. */
SATK_FN void satk_find_glow(const satk_highlight *job, int x, int y, int size, int channels,
                            int bits, uint64_t *glow)
{
    const int reach = satk_lamp_reach(size);

    for (int direction = 0; direction < 4; direction++) {
        uint64_t one[3] = {0}, other[3] = {0};
        if (satk_fall_off(job, x, y, reach, direction, channels, bits, one) &&
            satk_fall_off(job, x, y, reach, 8 - direction, channels, bits, other))
            for (int c = 0; c < 3; c++)
                glow[c] += one[c] < other[c] ? one[c] : other[c];
    }
}

/* Stores the part of its boost that each sample of a clipped light gets: samples that were clipped have the proportions of
 * the glow, and the others stay in proportion to that one of these that gets least. Samples up to a sixteenth of all codes below clipped
 * ones are so in part. */
SATK_FN void satk_store_halo(const satk_highlight *job, int x, int y, int size,
                             const uint32_t *codes, int channels, int bits)
{
    uint8_t *const halo =
        (uint8_t *)job->halo.data + y * job->halo.pitch + (size_t)x * (size_t)channels;
    const uint32_t all = 1u << (bits - 4), from = satk_clipped_from(bits) - all;
    uint32_t clipped[3], part[3], least = 255;
    const uint64_t some = job->level[0] / SATK_GLOW_SHARE + 1;
    uint64_t glow[3] = {some, some, some}, most = 0;

    if (channels >= 3)
        satk_find_glow(job, x, y, size, channels, bits, glow);
    for (int c = 0; c < satk_light_colours(channels); c++) {
        clipped[c] = codes[c] < from ? 0 : satk_least(codes[c] - from, all);
        most = glow[c] * clipped[c] > most ? glow[c] * clipped[c] : most;
    }
    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint64_t own = glow[c] * all < most ? 255 * glow[c] * all / most : 255;
        part[c] = 255 - (255 - (uint32_t)own) * clipped[c] / all;
        least = satk_least(least, part[c]);
    }
    for (int c = 0; c < satk_light_colours(channels); c++)
        halo[c] = (uint8_t)((part[c] * clipped[c] + least * (all - clipped[c])) / all);
}

/* Makes the codes of a light those of its surroundings where these are darker: the mean colours of eight pixels, as far as
 * they are in the picture, neither bright at the lamp's level nor of alpha 0. Without any they are black. */
SATK_FN void satk_take_light(const satk_highlight *job, int x, int y, satk_lamp lamp, int channels,
                             int bits, uint32_t *codes)
{
    uint64_t sums[3] = {0}, count = 0;
    uint32_t beside[4];

    for (int i = 0; i < 9; i++) {
        if (i == 4 ||
            !satk_look_beside(job, x, y, i, satk_lamp_reach(lamp.size), channels, bits, beside))
            continue;
        if (satk_lamp_light(job, beside, channels, bits) >= job->level[lamp.level])
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

/* Stores base, halo and mask at a pixel. Returns the side of the light that is there, or 0. sure: of the pixels to the left
 * in the row; zero at its beginning. */
SATK_FN int satk_find_pixel(const satk_highlight *job, const satk_lamp_table *table, int x, int y,
                            int channels, int bits, satk_sure *sure)
{
    const satk_disc *const disc = satk_disc_at(job, x, y);
    satk_lamp lamp = {0, 0};
    uint32_t codes[4];

    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    const uint32_t light = satk_lamp_light(job, codes, channels, bits);
    if (disc->side && light >= job->threshold) {
        const int first = satk_lamp_level(job, light);
        if (x >= sure->end || first < sure->level)
            lamp =
                satk_find_lamp(job, table, x, y, satk_lamp_sample(job, light, bits), first, sure);
    }
    if (lamp.size && satk_is_clipped(satk_brightest(codes, channels), bits))
        satk_store_halo(job, x, y, lamp.size, codes, channels, bits);
    if (lamp.size)
        satk_take_light(job, x, y, lamp, channels, bits, codes);
    satk_put_pixel((uint8_t *)job->base.data + y * job->base.pitch, x, channels, bits, codes);
    ((uint8_t *)job->mask.data)[y * job->mask.pitch + x] = (uint8_t)disc->behind;
    return lamp.size ? disc->side : 0;
}

#endif
