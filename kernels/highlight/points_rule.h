/* The definition that the CPU and the CUDA code of points.h share. Functions are inlined with constant channels and bits. */
#ifndef SATK_POINTS_RULE_H
#define SATK_POINTS_RULE_H

#include "highlight/highlight_rule.h"
#include "highlight/points.h"
#include "layer/layer_rule.h"

#define SATK_LIGHT_NEAR 2
#define SATK_VOID       0x10000u /* above the number of a cell's pixels */
#define SATK_GRAY_BITS  24       /* of brightness */
#define SATK_PLACE_BITS 20       /* of the number of pixels in surroundings */

/* --- Surroundings ----------------------------------------------------------------------------- */

/* The cells of a job, and an inclusive table of them. A word has sums of brightness above SATK_PLACE_BITS, and below them numbers
 * of pixels. A cell has a word for each group: of the pixels whose group is not below. */
typedef struct satk_gray_table {
    satk_grid grid;
    const uint64_t *words; /* [row][column][groups] */
    int groups;
} satk_gray_table;

/* A cell's brightest pixel, and a code of its map that stands for all of its pixels if it is not mixed: most cells have no
 * point. */
typedef struct satk_gray_cell {
    uint32_t most;
    uint16_t code;
    uint8_t is_mixed;
} satk_gray_cell;

SATK_FN satk_grid satk_points_grid(const satk_points *job)
{
    return satk_make_grid(&job->src, job->row, job->rows, SATK_GRAY_CELL);
}

/* Returns the bits of brightness that surroundings lose. */
SATK_FN int satk_gray_shift(const satk_points *job)
{
    const int own = satk_sample_bits(&job->tone, job->src.bits);

    return own > SATK_GRAY_BITS ? own - SATK_GRAY_BITS : 0;
}

/* Returns a pixel's brightest sample. Those of half floats below 0 are 0. */
SATK_FN uint32_t satk_brightest_sample(const satk_tone *tone, const uint32_t *codes, int channels,
                                       int bits)
{
    const int half = bits == 16 && tone->half;
    uint32_t most = satk_sample_of(tone, half ? codes[0] : satk_brightest(codes, channels));

    for (int c = 1; c < satk_light_colours(channels) && half; c++)
        most = tone->decode[codes[c]] > most ? tone->decode[codes[c]] : most;
    return most;
}

/* A pixel of some surroundings, or a sum of them. */
typedef struct satk_gray {
    uint32_t gray;  /* brightness */
    uint32_t count; /* 1, or SATK_VOID if it is void */
} satk_gray;

/* Returns what surroundings have of a half float's pixel with alpha. */
SATK_FN satk_gray satk_half_gray(uint32_t sample, uint32_t alpha)
{
    const int is_thin = alpha < SATK_HALF_WHITE / SATK_THIN;
    const uint64_t colour =
        is_thin || alpha == SATK_HALF_WHITE ? sample : (uint64_t)sample * SATK_HALF_WHITE / alpha;
    const satk_gray g = {colour < UINT32_MAX ? (uint32_t)colour : UINT32_MAX,
                         is_thin && sample == 0 ? SATK_VOID : 1};

    return g;
}

/* Returns what surroundings have of a pixel. */
SATK_FN satk_gray satk_gray_of(const satk_points *job, const uint32_t *codes, int channels,
                               int bits)
{
    const satk_tone *const tone = &job->tone;
    const uint32_t alpha = codes[channels - 1], most = (1u << bits) - 1;
    const satk_gray g = {satk_brightest_sample(tone, codes, channels, bits), 1};
    const satk_gray none = {0, SATK_VOID};

    if (!satk_has_alpha(channels))
        return g;
    if (bits == 16 && tone->half)
        return satk_half_gray(g.gray, tone->decode[alpha]);
    return tone->weighted && alpha * SATK_THIN < most ? none : g;
}

SATK_FN void satk_add_gray(satk_gray *sum, satk_gray g, int shift)
{
    sum->gray += g.gray >> shift;
    sum->count += g.count;
}

/* Returns the word of a cell, from the sum of its pixels. */
SATK_FN uint64_t satk_gray_word(const satk_points *job, satk_gray sum)
{
    const uint32_t voids = job->tone.half ? (sum.count / SATK_VOID + SATK_THIN / 2) / SATK_THIN : 0;

    return (uint64_t)sum.gray << SATK_PLACE_BITS | (sum.count % SATK_VOID + voids);
}

SATK_FN const uint8_t *satk_points_row(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

/* The sums around a cell. */
typedef struct satk_gray_sums {
    uint64_t gray, pixels; /* pixels: at least 1 if one there has light */
} satk_gray_sums;

SATK_FN satk_gray_sums satk_sum_gray(const satk_gray_table *t, int column, int row,
                                     const satk_disc *disc)
{
    const satk_range across = satk_clip(satk_window(column, disc->cells), t->grid.columns);
    const satk_range down = satk_clip(satk_window(row, disc->cells), t->grid.rows);
    const size_t words = (size_t)t->groups, pitch = (size_t)t->grid.columns * words;
    const uint64_t *const below = t->words + (size_t)(down.hi - 1) * pitch + disc->group;
    const uint64_t *const above =
        t->words + (size_t)(down.lo > 0 ? down.lo - 1 : 0) * pitch + disc->group;
    const size_t right = (size_t)(across.hi - 1) * words, left = (size_t)(across.lo - 1) * words;
    uint64_t sum = below[right] - (across.lo > 0 ? below[left] : 0);

    if (down.lo > 0)
        sum -= above[right] - (across.lo > 0 ? above[left] : 0);
    const satk_gray_sums sums = {sum >> SATK_PLACE_BITS, sum & ((1u << SATK_PLACE_BITS) - 1)};
    return sums;
}

/* Returns the most brightness that is ground there: SATK_POINT_RATIO times the mean. */
SATK_FN uint32_t satk_ground_of(const satk_points *job, const satk_gray_sums *s)
{
    const uint64_t most = SATK_POINT_RATIO * s->gray / s->pixels << satk_gray_shift(job);

    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

/* Returns 1 if a brightness is surely ground there, without a division. */
SATK_FN int satk_is_ground(const satk_points *job, const satk_gray_sums *s, uint32_t gray)
{
    const int shift = satk_gray_shift(job);

    return ((uint64_t)(gray >> shift) + (shift > 0)) * s->pixels <= SATK_POINT_RATIO * s->gray;
}

/* --- Find ------------------------------------------------------------------------------------- */

/* Takes the excess out of a pixel's codes. gray: its brightness, more than `least`, that of the ground. */
SATK_FN void satk_take_excess(const satk_points *job, uint32_t gray, uint32_t least, uint32_t fade,
                              int channels, uint32_t *codes)
{
    const uint64_t all = (uint64_t)gray << SATK_FRACTION_BITS;
    const uint64_t ground = (uint64_t)least * least / gray;
    const uint64_t rest = all - (gray - ground) * fade;

    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint64_t sample = satk_sample_of(&job->tone, codes[c]);
        const uint64_t kept = satk_mean128((satk_u128)sample * rest, all);
        if (kept >= sample)
            continue;
        codes[c] = job->tone.half ? satk_half_float(kept) : satk_encoded(&job->tone, kept);
    }
}

/* --- Add -------------------------------------------------------------------------------------- */

/* Finds the light of a pixel by colour. Returns 1 if there is some. */
SATK_FN int satk_light_of(const satk_points *job, int x, int y, int channels, int bits,
                          uint64_t *light)
{
    const uint32_t most = (1u << bits) - 1;
    uint32_t codes[4], rest[4];
    uint64_t all = 0;

    satk_get_pixel(satk_points_row(&job->src, y), x, channels, bits, codes);
    satk_get_pixel(satk_points_row(&job->base, y), x, channels, bits, rest);
    for (int c = 0; c < satk_light_colours(channels); c++)
        all |= codes[c] ^ rest[c];
    if (!all)
        return 0;
    const int is_clipped = job->halo.data && satk_is_clipped(satk_brightest(codes, channels), bits);
    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint64_t sample = satk_sample_of(&job->tone, codes[c]);
        light[c] = sample - satk_sample_of(&job->tone, rest[c]);
        if (is_clipped) {
            const uint64_t halo =
                satk_points_row(&job->halo, y)[(size_t)x * (size_t)channels + (size_t)c];
            const uint64_t full =
                (sample * job->boost * halo + 255 * SATK_ONE / 2) / (255 * SATK_ONE);
            light[c] = light[c] > full ? light[c] : full;
        }
        if (job->tone.weighted)
            light[c] = (light[c] * codes[channels - 1] + most / 2) / most;
        if (job->cover.data) {
            const int lacks = satk_lack_of(satk_points_row(&job->cover, y)[x]);
            light[c] = (light[c] * (uint64_t)(SATK_SLAB - lacks) + SATK_SLAB / 2) / SATK_SLAB;
        }
    }
    return 1;
}

/* Returns the brightest sample of src at x, y. */
SATK_FN uint32_t satk_brightest_at(const satk_points *job, int x, int y, int channels, int bits)
{
    uint32_t codes[4];

    satk_get_pixel(satk_points_row(&job->src, y), x, channels, bits, codes);
    return satk_brightest_sample(&job->tone, codes, channels, bits);
}

/* Returns the disc of the point at x, y. */
SATK_FN const satk_disc *satk_disc_of_point(const satk_points *job, int x, int y, int channels,
                                            int bits)
{
    const satk_range columns = satk_clip(satk_window(x, SATK_LIGHT_NEAR), job->src.width);
    const satk_range rows = satk_clip(satk_window(y, SATK_LIGHT_NEAR), job->src.height);
    const uint32_t own = satk_brightest_at(job, x, y, channels, bits);
    const satk_disc *nearest = satk_disc_at(job->disc, &job->map, x, y);

    for (int j = rows.lo; j < rows.hi; j++)
        for (int i = columns.lo; i < columns.hi; i++) {
            const satk_disc *const disc = satk_disc_at(job->disc, &job->map, i, j);
            if (disc->side * disc->radius > nearest->side * nearest->radius &&
                satk_is_light(&job->src, &job->base, i, j, channels, bits) &&
                satk_brightest_at(job, i, j, channels, bits) >= own)
                nearest = disc;
        }
    return nearest;
}

/* Returns a colour's light for a 65536th of a pixel. area: of all spans. */
SATK_FN uint64_t satk_light_by(const satk_points *job, uint64_t light, uint64_t area)
{
    return ((light << job->fraction) + area / 2) / area;
}

/* Returns the plane of `left` of a group of `lit`; data NULL: all is seen. */
SATK_FN satk_plane satk_left_of(const satk_points *job, int group)
{
    const satk_plane all = {0};
    int before = 0;

    for (int i = 1; i < group; i++)
        before += job->lit >> i & 1;
    return group == 0 || !job->left.data ? all : satk_left_plane(&job->left, before);
}

/* Returns the part of a group's sum that a pixel sees. left: the group's. */
SATK_FN uint64_t satk_seen_part(const satk_plane *left, uint64_t sum, int x, int y)
{
    const uint64_t part = left->data ? satk_points_row(left, y)[x] : 255;

    return (int64_t)sum < 0 ? 0 : (sum >> 8) * (part + (part >> 7));
}

/* Adds what it sees of all groups, by colour, to dst(x, y). What is brighter than may be keeps its hue, but no sample falls. With
 * `alone` the light does, before it is added. */
SATK_FN void satk_add_to_pixel(const satk_points *job, int x, int y, const uint64_t *sums,
                               int channels, int bits)
{
    const uint32_t most = (1u << bits) - 1;
    const uint64_t largest = job->tone.half ? UINT32_MAX : satk_sample_of(&job->tone, most);
    const int fraction = job->fraction - 16;
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    uint64_t lit[3], brightest = 0, all = 0;
    uint32_t codes[4];

    satk_get_pixel(dst, x, channels, bits, codes);
    if (job->tone.weighted && codes[channels - 1] == 0)
        return;
    for (int c = 0; c < satk_light_colours(channels); c++) {
        uint64_t light = sums[c] >> fraction;
        if (job->tone.weighted)
            light = light * most / codes[channels - 1];
        lit[c] = (light + (1u << 15)) >> 16;
        all |= lit[c];
        if (!job->alone)
            lit[c] += satk_sample_of(&job->tone, codes[c]);
        brightest = lit[c] > brightest ? lit[c] : brightest;
    }
    if (all == 0)
        return;
    for (int c = 0; c < satk_light_colours(channels); c++) {
        uint64_t sample =
            brightest > largest ? (uint64_t)((satk_u128)lit[c] * largest / brightest) : lit[c];
        if (job->alone)
            sample += satk_sample_of(&job->tone, codes[c]);
        sample = sample < largest ? sample : largest;
        if (sample > satk_sample_of(&job->tone, codes[c]))
            codes[c] = job->tone.half ? satk_half_float(sample) : satk_encoded(&job->tone, sample);
    }
    satk_put_pixel(dst, x, channels, bits, codes);
}

#endif
