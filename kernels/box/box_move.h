/* Rows that enter the windows and leave them: the columns' sums of box_slide.c. For SATK_LEVELED() sources. */
#ifndef SATK_BOX_MOVE_H
#define SATK_BOX_MOVE_H

#include "box/box_strip.h"
#include "common/tone_lanes.h"

/* The sums of a row, and the kind of pixels that they add up: constants where functions are inlined. */
typedef struct mover {
    const satk_tone *tone;
    const decoder *decode; /* of 8 bits */
    void *sums;            /* by sample; words of `word` bits */
    int channels, bits, word;
} mover;

/* The samples first <= i < last of a row of codes; enter or leave may be NULL, and is then constant. */
SATK_FN void move_codes(const mover *m, const uint8_t *enter, const uint8_t *leave, size_t first,
                        size_t last)
{
    uint32_t *const sums32 = m->sums;
    uint64_t *const sums64 = m->sums;
    const int bits = m->bits, word = m->word;
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

/* A sample of linear light, or of alpha; 0 without a row. */
SATK_FN uint32_t linear_at(const satk_tone *tone, const uint8_t *row, size_t i, int channels)
{
    const int is_alpha = satk_has_alpha(channels) && i % (size_t)channels == (size_t)channels - 1;

    if (!row)
        return 0;
    return is_alpha ? row[i] : tone->decode[row[i]];
}

/* The same in linear light, of 8 bits and words of 32; first is a pixel's first sample. */
SATK_FN void move_linear(const mover *m, const uint8_t *enter, const uint8_t *leave, size_t first,
                         size_t last)
{
    const decoder d = *m->decode; /* in registers */
    const int channels = m->channels;
    const lanes weights = pairs_of(lanes_of(enter != NULL), lanes_of(leave ? UINT32_MAX : 0));
    const lanes alpha = alpha_lanes(channels);
    uint32_t *const sums = m->sums;
    size_t i = first;

    for (; i + LANES <= last; i += LANES) {
        const lanes codes = pairs_of(enter ? lanes_from(enter + i, 8) : (lanes){0},
                                     leave ? lanes_from(leave + i, 8) : (lanes){0});
        const lanes samples = (decoded(&d, codes) & ~alpha) | (codes & alpha);
        add_lanes(sums + i, change_of(samples, weights));
    }
    for (; i < last; i++)
        sums[i] += linear_at(m->tone, enter, i, channels) - linear_at(m->tone, leave, i, channels);
}

/* Pixels of any kind. */
SATK_FN void move_pixels(const mover *m, const uint8_t *enter, const uint8_t *leave, int first,
                         int last)
{
    const int channels = m->channels;
    uint32_t *const sums32 = m->sums;
    uint64_t *const sums64 = m->sums;

    for (int x = first; x < last; x++) {
        uint64_t in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0};
        if (enter)
            satk_samples(m->tone, enter, x, channels, m->bits, in);
        if (leave)
            satk_samples(m->tone, leave, x, channels, m->bits, out);
        for (int c = 0; c < channels; c++)
            if (m->word == 32)
                sums32[x * channels + c] += (uint32_t)(in[c] - out[c]);
            else
                sums64[x * channels + c] += in[c] - out[c];
    }
}

/* sums += the samples that enter, - those that leave, of the pixels first <= x < last. */
SATK_FN void move_rows(const mover *m, const uint8_t *enter, const uint8_t *leave, int first,
                       int last)
{
    const size_t channels = (size_t)m->channels;
    const size_t from = (size_t)first * channels, to = (size_t)last * channels;

    if (!m->tone->decode && !m->tone->weighted)
        move_codes(m, enter, leave, from, to);
    else if (m->bits == 8 && m->word == 32 && !m->tone->weighted)
        move_linear(m, enter, leave, from, to);
    else
        move_pixels(m, enter, leave, first, last);
}

/* move_rows(), inlined with constant NULLs. */
SATK_FN void slide(const mover *m, move rows, int first, int last)
{
    if (rows.enter && rows.leave)
        move_rows(m, rows.enter, rows.leave, first, last);
    else if (rows.enter)
        move_rows(m, rows.enter, NULL, first, last);
    else if (rows.leave)
        move_rows(m, NULL, rows.leave, first, last);
}

#endif
