/* The light of a square on its way through the slabs (layer.h), for the host and the device. Functions are inlined with
 * constant channels and word. */
#ifndef SATK_LAYER_LIGHT_H
#define SATK_LAYER_LIGHT_H

#include "layer/layer_farther.h"

enum { SATK_CLOSED = SATK_MAX_SLABS + 1 }; /* a light's slab: no other is laid under it */

/* A square on its way through the slabs. */
typedef struct satk_light {
    uint64_t sum[4]; /* shares times means with 8 more bits */
    uint32_t left;   /* of 2^16 */
    uint32_t before; /* what was left before the last slab; unknown if there was none */
    uint32_t moment; /* M */
    int slab;        /* the last one; -1: none; SATK_CLOSED */
} satk_light;

SATK_FN satk_light satk_no_light(void)
{
    const satk_light light = {{0, 0, 0, 0}, 1u << SATK_LIGHT_BITS, 0, 0, -1};
    return light;
}

SATK_FN int satk_is_open(const satk_light *light)
{
    return light->left > 0 && light->slab != SATK_CLOSED;
}

/* Returns T' of a slab. */
SATK_FN uint32_t satk_light_before(const satk_light *light, int slab)
{
    return light->slab == slab + 1 ? light->before : light->left;
}

/* A window's part of the light that a slab lays. */
typedef struct satk_part {
    uint32_t rest; /* R: light that comes to the window, of 2^16 */
    uint64_t by;   /* D */
} satk_part;

/* Returns D of a window of this area. Where at least a sixteenth is seen, V is at least the area. */
SATK_FN uint64_t satk_part_divisor(uint64_t visible, uint64_t area, int is_widest)
{
    return is_widest || visible > area ? visible : area;
}

/* Returns the light that comes to the next window. */
SATK_FN uint32_t satk_part_rest(const satk_part *part, uint64_t visible)
{
    return visible == part->by
               ? 0
               : part->rest - (uint32_t)((part->rest * visible + part->by / 2) / part->by);
}

SATK_FN uint32_t satk_at_most(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

/* Lays a window's part under a square. sums: of a window that is not empty, and whose sum of m is the divisor `by`. */
SATK_FN void satk_lay_under(satk_light *light, const satk_part *part, const uint64_t *sums,
                            const satk_divisor *by, int channels)
{
    const uint64_t in = sums[channels];
    const uint32_t part_of =
        in == part->by ? part->rest : (uint32_t)((part->rest * in + part->by / 2) / part->by);
    const uint32_t share = satk_at_most(part_of, light->left);

    for (int c = 0; c < channels; c++)
        light->sum[c] += share * satk_mean64(sums[c] << 8, by);
    light->left -= share;
}

/* Does the same where in and the part's divisor are below 2^23 and the sums are below 2^32. A long division by digits of
 * 8 bits needs no number of more than 32 bits: a rest is below 2^23, and for the share 2^8 rest + digit in < (2^8 + 2^8 - 1)
 * divisor < 2^32. */
SATK_FN void satk_lay_under_narrow(satk_light *light, const satk_part *part, const uint32_t *sums,
                                   uint32_t in, int channels)
{
    const satk_divisor by_in = satk_divide_by(in, 1);
    uint32_t share = part->rest, rest;

    if (in != part->by) {
        const satk_divisor by = satk_divide_by((uint32_t)part->by, 1);
        share = satk_quotient32((part->rest >> 8) * in, &by, &rest) << 8;
        share += satk_mean32((rest << 8) + (part->rest & 255) * in, &by);
    }
    share = satk_at_most(share, light->left);
    for (int c = 0; c < channels; c++) {
        const uint32_t mean = satk_quotient32(sums[c], &by_in, &rest) << 8;
        light->sum[c] += (uint64_t)share * (mean + satk_mean32(rest << 8, &by_in));
    }
    light->left -= share;
}

/* Closes the light if nothing of slab k or farther is as near as the pixel has to look. */
SATK_FN void satk_look_farther(const satk_farther *f, int k, int x, int y, satk_light *light)
{
    if (f->sizes == 0 || light->left == 1u << SATK_LIGHT_BITS || !satk_is_open(light))
        return;
    if (*satk_least_at(f, satk_size_for(f, light->moment), x, y) > k)
        light->slab = SATK_CLOSED;
}

/* Returns what `left` says of a pixel before slab k: of open light that is left, by M. */
SATK_FN uint8_t satk_left_before(const satk_farther *f, int k, int x, int y, uint32_t left,
                                 uint32_t moment)
{
    const uint32_t all = 1u << SATK_LIGHT_BITS;
    const int is_between = f->sizes > 0 && left > 0 && left < all;

    if (is_between && *satk_least_at(f, satk_size_for(f, moment), x, y) > k)
        return 0;
    return (uint8_t)((255 * left + all / 2) >> SATK_LIGHT_BITS);
}

/* Stores `left` of a mark at a pixel. */
SATK_FN void satk_store_left(const satk_layer *job, const satk_farther *f, int mark, int x, int y,
                             const satk_light *light)
{
    uint8_t *const left = (uint8_t *)job->left.data;

    left[((ptrdiff_t)mark * job->left.height + y) * job->left.pitch + x] =
        satk_is_open(light) ? satk_left_before(f, job->mark[mark], x, y, light->left, light->moment)
                            : 0;
}

/* Adds what the last slab has laid to M. */
SATK_FN void satk_add_moment(const satk_farther *f, const satk_slab *slab, satk_light *light)
{
    light->moment +=
        (light->before - light->left) * (uint32_t)satk_moment_of(&slab->window[0], 1, f->unit);
}

/* Lays one square of slab k, by the definition. f: NULL for a cell. */
SATK_FN void satk_lay_square(const satk_layer *job, const satk_layer_table *table,
                             const satk_farther *f, int k, int x, int y, satk_light *light,
                             int channels, int word)
{
    const satk_slab *const slab = &job->slabs[k];
    satk_part part = {satk_light_before(light, k), 0};
    uint64_t sums[8];

    light->before = light->left;
    light->slab = k;

    for (int i = 0; i < slab->windows && part.rest > 0; i++) {
        if (f && i > 0 && light->moment < satk_least_moment(f, slab, i))
            break;
        const uint64_t area =
            satk_window_sums(job, table, slab, i, x, y, satk_layer_lanes(channels), word, sums);
        const uint64_t visible = sums[channels + 1];
        part.by = satk_part_divisor(visible, area, i + 1 == slab->windows);
        if (sums[channels] > 0) {
            const satk_divisor by = satk_divide_by(sums[channels], 0);
            satk_lay_under(light, &part, sums, &by, channels);
        }
        part.rest = satk_part_rest(&part, visible);
    }
    if (f)
        satk_add_moment(f, slab, light);
}

SATK_FN uint64_t satk_largest_sample(const satk_tone *tone, int bits)
{
    const uint32_t code = bits == 8 ? UINT8_MAX : UINT16_MAX;

    return tone->decode ? tone->decode[code] : code;
}

/* Returns the threshold of a pixel; 0 if the job's codes are not dithered. */
SATK_FN uint32_t satk_layer_threshold(const satk_layer *job, int x, int y, int bits)
{
    return bits == 8 ? satk_threshold(&job->pattern, x, y + job->row) : 0;
}

/* Stores the codes of the light of pixel x, y. src: its row of the source, where it keeps its colours
 * if all light is transparent. */
SATK_FN void satk_light_codes(const satk_layer *job, const satk_light *light, const void *src,
                              int x, int y, int channels, int bits, uint32_t *codes)
{
    const uint32_t threshold = satk_layer_threshold(job, x, y, bits);
    const int more = threshold > 0 ? SATK_DITHER_BITS : 0;
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    const uint64_t seen = (uint64_t)((1u << SATK_LIGHT_BITS) - light->left) << 8;
    satk_divisor by = satk_divide_by(seen ? seen : 1, 0);

    satk_get_pixel(src, x, channels, bits, codes);
    if (seen == 0)
        return;
    if (bits == 16 && job->tone.half) {
        uint64_t means[4];
        for (int c = 0; c < channels; c++)
            means[c] = satk_mean64(light->sum[c], &by);
        satk_half_codes(&job->tone, means, src, x, channels, codes);
        return;
    }
    if (colours < channels) {
        const uint64_t alpha = light->sum[colours];
        codes[colours] = (uint32_t)satk_mean64(alpha, &by);
        if (job->tone.weighted && alpha == 0)
            return;
        if (job->tone.weighted)
            by = satk_divide_by(alpha, 0);
    }
    const int above = colours < channels && job->tone.weighted; /* by the rounding of alpha */
    const uint64_t most = above ? satk_largest_sample(&job->tone, bits) << more : UINT64_MAX;
    for (int c = 0; c < colours; c++) {
        const uint64_t mean = satk_mean64(light->sum[c] << more, &by);
        const uint64_t sample = mean < most ? mean : most;
        codes[c] = threshold > 0 ? satk_dithered(&job->tone, (uint32_t)sample, threshold)
                                 : satk_encoded(&job->tone, sample);
    }
}

#endif
