/* The definition that the CPU and the CUDA code of highlight.h share. Functions are inlined with constant
 * channels and bits. */
#ifndef SATK_HIGHLIGHT_RULE_H
#define SATK_HIGHLIGHT_RULE_H

#include "highlight/highlight.h"

SATK_FN int satk_light_colours(int channels)
{
    return satk_has_alpha(channels) ? channels - 1 : channels;
}

SATK_FN uint32_t satk_sample_of(const satk_tone *tone, uint32_t code)
{
    return tone->decode ? tone->decode[code] : code;
}

SATK_FN uint32_t satk_brightest(const uint32_t *codes, int channels)
{
    uint32_t most = codes[0];

    for (int c = 1; c < satk_light_colours(channels); c++)
        most = codes[c] > most ? codes[c] : most;
    return most;
}

SATK_FN const satk_disc *satk_disc_at(const satk_highlight *job, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)job->map.data + y * job->map.pitch;

    return &job->disc[satk_code(row, (size_t)x * (size_t)job->map.channels, job->map.bits)];
}

/* Returns the least code that was clipped. */
SATK_FN uint32_t satk_clipped_from(int bits)
{
    return (1u << bits) - (1u << (bits - 6));
}

/* Returns 1 if a pixel was clipped; brightest: its code. */
SATK_FN int satk_is_clipped(uint32_t brightest, int bits)
{
    return brightest >= satk_clipped_from(bits);
}

/* --- Add -------------------------------------------------------------------------------------- */

/* Finds the light of a pixel by colour: what exceeds base, or what the pixel was before it was clipped, if that is more.
 * Returns 1 if there is some. */
SATK_FN int satk_light_of(const satk_highlight *job, int x, int y, int channels, int bits,
                          uint64_t *light)
{
    const uint32_t most = (1u << bits) - 1;
    const uint8_t *const halo =
        (const uint8_t *)job->halo.data + y * job->halo.pitch + (size_t)x * (size_t)channels;
    uint32_t codes[4], rest[4];
    uint64_t all = 0;

    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    satk_get_pixel((const uint8_t *)job->base.data + y * job->base.pitch, x, channels, bits, rest);
    for (int c = 0; c < satk_light_colours(channels); c++)
        all |= codes[c] ^ rest[c];
    const int is_clipped = all && satk_is_clipped(satk_brightest(codes, channels), bits);
    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint64_t sample = satk_sample_of(&job->tone, codes[c]);
        light[c] = sample - satk_sample_of(&job->tone, rest[c]);
        if (is_clipped) {
            const uint64_t full =
                (sample * job->boost * halo[c] + 255 * SATK_ONE / 2) / (255 * SATK_ONE);
            light[c] = light[c] > full ? light[c] : full;
        }
        if (job->tone.weighted)
            light[c] = (light[c] * codes[channels - 1] + most / 2) / most;
    }
    return all != 0;
}

/* Returns 1 if a light was taken out at x, y; 0 beside the picture, too. */
SATK_FN int satk_is_light(const satk_highlight *job, int x, int y, int channels, int bits)
{
    uint32_t codes[4], rest[4];
    int differs = 0;

    if (x < 0 || y < 0 || x >= job->src.width)
        return 0;
    satk_get_pixel((const uint8_t *)job->src.data + y * job->src.pitch, x, channels, bits, codes);
    satk_get_pixel((const uint8_t *)job->base.data + y * job->base.pitch, x, channels, bits, rest);
    for (int c = 0; c < satk_light_colours(channels); c++)
        differs |= codes[c] != rest[c];
    return differs;
}

/* Returns what a pixel adds to the number of lamps: 1 for a light that begins one, -1 for one that joins two. The sum is
 * Euler's number: of areas whose pixels meet at sides or corners, less their holes. */
SATK_FN int satk_points_at(const satk_highlight *job, int x, int y, int channels, int bits)
{
    if (!satk_is_light(job, x, y, channels, bits) || satk_is_light(job, x, y - 1, channels, bits))
        return 0;
    return !(satk_is_light(job, x - 1, y, channels, bits) ||
             satk_is_light(job, x - 1, y - 1, channels, bits)) -
           satk_is_light(job, x + 1, y - 1, channels, bits);
}

/* Returns the disc of the light at x, y. */
SATK_FN satk_disc satk_disc_of_light(const satk_highlight *job, int x, int y, int channels,
                                     int bits)
{
    const satk_range columns = satk_clip(satk_window(x, SATK_LIGHT_NEAR), job->src.width);
    const satk_range rows = satk_clip(satk_window(y, SATK_LIGHT_NEAR), job->src.height);
    satk_disc nearest = *satk_disc_at(job, x, y);

    for (int j = rows.lo; j < rows.hi; j++)
        for (int i = columns.lo; i < columns.hi; i++) {
            const satk_disc *const disc = satk_disc_at(job, i, j);
            if (disc->side * disc->radius > nearest.side * nearest.radius &&
                satk_is_light(job, i, j, channels, bits))
                nearest = *disc;
        }
    return nearest;
}

/* Returns the boxes of the disc of a light at x, y. */
SATK_FN const satk_form_box *satk_disc_form(const satk_highlight *job, int x, int y)
{
    return satk_form_at(&job->forms.pixels, job->forms.count, job->side > 0, x, y + job->row);
}

/* Returns the light's share of a pixel of its disc. */
SATK_FN uint64_t satk_disc_share(const satk_form_box *form, int count, int radius)
{
    const uint64_t area = satk_form_area(form, count, radius);

    return (((uint64_t)1 << SATK_SHARE_BITS) + area / 2) / area;
}

/* Adds the sums of its colours to dst(x, y). What is brighter than may be keeps its hue, but no sample falls. */
SATK_FN void satk_add_to_pixel(const satk_highlight *job, int x, int y, const uint64_t *sums,
                               int channels, int bits)
{
    const uint32_t most = (1u << bits) - 1, largest = satk_sample_of(&job->tone, most);
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const uint8_t *const seen = (const uint8_t *)job->seen.data;
    uint64_t lit[3], brightest = largest;
    uint32_t codes[4];

    satk_get_pixel(dst, x, channels, bits, codes);
    if (job->tone.weighted && codes[channels - 1] == 0)
        return;
    for (int c = 0; c < satk_light_colours(channels); c++) {
        uint64_t light = sums[c] >> 16;
        if (seen)
            light = (light * seen[y * job->seen.pitch + x] + 127) / 255;
        if (job->tone.weighted)
            light = light * most / codes[channels - 1];
        lit[c] = satk_sample_of(&job->tone, codes[c]) + ((light + (1u << 15)) >> 16);
        brightest = lit[c] > brightest ? lit[c] : brightest;
    }
    for (int c = 0; c < satk_light_colours(channels); c++) {
        const uint32_t code = satk_encoded(&job->tone, lit[c] * largest / brightest);
        codes[c] = code > codes[c] ? code : codes[c];
    }
    satk_put_pixel(dst, x, channels, bits, codes);
}

#endif
