/* Rows that enter the windows and leave them: the columns' sums of box_slide.c. For SATK_LEVELED() sources. */
#ifndef SATK_BOX_MOVE_H
#define SATK_BOX_MOVE_H

#include "box/box_slide.h"
#include "common/tone_lanes.h"

/* The samples first <= i < last of a row of codes; enter or leave may be NULL, and is then constant. */
SATK_FN void move_codes(const uint8_t *enter, const uint8_t *leave, size_t first, size_t last,
                        void *sums, int bits, int word)
{
    uint32_t *const sums32 = sums;
    uint64_t *const sums64 = sums;
    const size_t sample = (size_t)bits / 8;
    size_t i = first;

    for (; word == 32 && i + LANES <= last; i += LANES) {
        lanes change = {0};
        if (enter)
            change += lanes_from(enter + i * sample, bits);
        if (leave)
            change -= lanes_from(leave + i * sample, bits);
        add_lanes(sums32 + i, change);
    }
    for (; i < last; i++) {
        const uint32_t change =
            (enter ? satk_code(enter, i, bits) : 0) - (leave ? satk_code(leave, i, bits) : 0);
        if (word == 32)
            sums32[i] += change;
        else
            sums64[i] += (uint64_t)(int32_t)change;
    }
}

/* A sample of linear light, or of alpha. */
SATK_FN uint32_t linear_at(const satk_tone *tone, const uint8_t *row, size_t i, int channels)
{
    const int is_alpha = satk_has_alpha(channels) && i % (size_t)channels == (size_t)channels - 1;

    if (!row)
        return 0;
    return is_alpha ? row[i] : tone->decode[row[i]];
}

/* The same in linear light, of 8 bits; first is a pixel's first sample. */
SATK_FN void move_linear(const satk_tone *tone, const decoder *decode, const uint8_t *enter,
                         const uint8_t *leave, size_t first, size_t last, uint32_t *sums,
                         int channels)
{
    const decoder d = *decode; /* in registers */
    const lanes weights = pairs_of(lanes_of(enter != NULL), lanes_of(leave ? UINT32_MAX : 0));
    const lanes alpha = alpha_lanes(channels);
    size_t i = first;

    for (; i + LANES <= last; i += LANES) {
        const lanes codes = pairs_of(enter ? lanes_from(enter + i, 8) : (lanes){0},
                                     leave ? lanes_from(leave + i, 8) : (lanes){0});
        const lanes samples = (decoded(&d, codes) & ~alpha) | (codes & alpha);
        add_lanes(sums + i, change_of(samples, weights));
    }
    for (; i < last; i++)
        sums[i] += linear_at(tone, enter, i, channels) - linear_at(tone, leave, i, channels);
}

/* Pixels of any kind. */
SATK_FN void move_pixels(const satk_tone *tone, const uint8_t *enter, const uint8_t *leave,
                         int first, int last, void *sums, int channels, int bits, int word)
{
    uint32_t *const sums32 = sums;
    uint64_t *const sums64 = sums;

    for (int x = first; x < last; x++) {
        uint64_t in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0};
        if (enter)
            satk_samples(tone, enter, x, channels, bits, in);
        if (leave)
            satk_samples(tone, leave, x, channels, bits, out);
        for (int c = 0; c < channels; c++)
            if (word == 32)
                sums32[x * channels + c] += (uint32_t)(in[c] - out[c]);
            else
                sums64[x * channels + c] += in[c] - out[c];
    }
}

/* sums += the samples that enter, - those that leave, of the pixels first <= x < last. */
SATK_FN void move_rows(const satk_tone *tone, const decoder *d, const uint8_t *enter,
                       const uint8_t *leave, int first, int last, void *sums, int channels,
                       int bits, int word)
{
    const size_t from = (size_t)first * (size_t)channels, to = (size_t)last * (size_t)channels;

    if (!tone->decode && !tone->weighted)
        move_codes(enter, leave, from, to, sums, bits, word);
    else if (bits == 8 && word == 32 && !tone->weighted)
        move_linear(tone, d, enter, leave, from, to, sums, channels);
    else
        move_pixels(tone, enter, leave, first, last, sums, channels, bits, word);
}

/* Inlined with constant NULLs. */
SATK_FN void slide(const satk_tone *tone, const decoder *d, move m, int first, int last, void *sums,
                   int channels, int bits, int word)
{
    if (m.enter && m.leave)
        move_rows(tone, d, m.enter, m.leave, first, last, sums, channels, bits, word);
    else if (m.enter)
        move_rows(tone, d, m.enter, NULL, first, last, sums, channels, bits, word);
    else if (m.leave)
        move_rows(tone, d, NULL, m.leave, first, last, sums, channels, bits, word);
}

#endif
