/* The changes of the column sums of box_slide.c by rows that enter the windows and leave them. For
 * SATK_LEVELED() sources. */
#ifndef SATK_BOX_MOVE_H
#define SATK_BOX_MOVE_H

#include "box/box_strip.h"
#include "common/tone_lanes.h"

/* The column sums, and how codes become samples. */
typedef struct mover {
    satk_tone tone;
    int channels;
    void *sums;     /* by sample; words of 32 or 64 bits */
    lanes alpha;    /* all bits of the lanes that have alpha */
    decoder decode; /* of 8 bits */
} mover;

/* Adds the pixels first <= x < last of a row that enters and subtracts those of a row that leaves. */
typedef void move_step(const mover *to, move m, int first, int last);

/* --- Codes ------------------------------------------------------------------------------------ */

/* Moves the samples first <= i < last. enter or leave may be NULL, and is constant then. */
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

SATK_FN void move_code_rows(const mover *to, move m, int first, int last, int bits, int word)
{
    const size_t channels = (size_t)to->channels;
    const size_t begin = (size_t)first * channels, end = (size_t)last * channels;

    if (m.enter && m.leave)
        move_codes(m.enter, m.leave, begin, end, to->sums, bits, word);
    else if (m.enter)
        move_codes(m.enter, NULL, begin, end, to->sums, bits, word);
    else if (m.leave)
        move_codes(NULL, m.leave, begin, end, to->sums, bits, word);
}

/* --- Linear light, of 8 bits ------------------------------------------------------------------ */

/* Returns a sample of linear light, or of alpha; 0 for no row (NULL). */
SATK_FN uint32_t linear_at(const satk_tone *tone, const uint8_t *row, size_t i, int channels,
                           int bits)
{
    const int is_alpha = satk_has_alpha(channels) && i % (size_t)channels == (size_t)channels - 1;

    if (!row)
        return 0;
    return is_alpha && !tone->half ? satk_code(row, i, bits)
                                   : tone->decode[satk_code(row, i, bits)];
}

/* Moves the pixels first <= x < last. enter or leave may be NULL, and is constant then. */
SATK_FN void move_linear(const mover *to, const uint8_t *enter, const uint8_t *leave, int first,
                         int last, int channels)
{
    const decoder d = to->decode; /* in registers */
    const lanes weights = pairs_of(lanes_of(enter != NULL), lanes_of(leave ? UINT32_MAX : 0));
    const lanes alpha = to->alpha;
    const satk_tone tone = to->tone;
    uint32_t *const sums = to->sums;
    const size_t end = (size_t)last * (size_t)channels;
    size_t i = (size_t)first * (size_t)channels;

    for (; i + LANES <= end; i += LANES) {
        const lanes codes = pairs_of(enter ? lanes_from(enter + i, 8) : (lanes){0},
                                     leave ? lanes_from(leave + i, 8) : (lanes){0});
        const lanes samples = satk_has_alpha(channels)
                                  ? (decoded(&d, codes) & ~alpha) | (codes & alpha)
                                  : decoded(&d, codes);
        add_lanes(sums + i, change_of(samples, weights));
    }
    for (; i < end; i++)
        sums[i] +=
            linear_at(&tone, enter, i, channels, 8) - linear_at(&tone, leave, i, channels, 8);
}

SATK_FN void move_linear_rows(const mover *to, move m, int first, int last, int channels)
{
    if (m.enter && m.leave)
        move_linear(to, m.enter, m.leave, first, last, channels);
    else if (m.enter)
        move_linear(to, m.enter, NULL, first, last, channels);
    else if (m.leave)
        move_linear(to, NULL, m.leave, first, last, channels);
}

/* --- Linear light, of 16 bits ----------------------------------------------------------------- */

/* Returns a vector's samples; zeros for no row (NULL). */
SATK_FN lanes deep_samples(const satk_tone *tone, lanes alpha, const uint8_t *row, size_t i)
{
    if (!row)
        return (lanes){0};
    const lanes codes = lanes_from(row + 2 * i, 16), samples = entries_at(tone->decode, codes);
    return (samples & ~alpha) | (codes & alpha);
}

/* Moves the pixels first <= x < last. enter or leave may be NULL, and is constant then. */
SATK_FN void move_deep(const mover *to, const uint8_t *enter, const uint8_t *leave, int first,
                       int last, int channels, int word)
{
    const satk_tone tone = to->tone;
    const lanes alpha = tone.half ? (lanes){0} : to->alpha;
    uint32_t *const sums32 = to->sums;
    uint64_t *const sums64 = to->sums;
    const size_t end = (size_t)last * (size_t)channels;
    size_t i = (size_t)first * (size_t)channels;

    for (; i + LANES <= end; i += LANES) {
        const lanes in = deep_samples(&tone, alpha, enter, i);
        const lanes out = deep_samples(&tone, alpha, leave, i);
        if (word == 32)
            add_lanes(sums32 + i, in - out);
        for (int k = 0; word == 64 && k < 2; k++)
            add_wide(sums64 + i + k * LANES / 2, widened(in, k) - widened(out, k));
    }
    for (; i < end; i++) {
        const uint64_t change = (uint64_t)linear_at(&tone, enter, i, channels, 16) -
                                linear_at(&tone, leave, i, channels, 16);
        if (word == 32)
            sums32[i] += (uint32_t)change;
        else
            sums64[i] += change;
    }
}

SATK_FN void move_deep_rows(const mover *to, move m, int first, int last, int channels, int word)
{
    if (m.enter && m.leave)
        move_deep(to, m.enter, m.leave, first, last, channels, word);
    else if (m.enter)
        move_deep(to, m.enter, NULL, first, last, channels, word);
    else if (m.leave)
        move_deep(to, NULL, m.leave, first, last, channels, word);
}

/* --- Pixels of any kind ----------------------------------------------------------------------- */

SATK_FN void move_pixel_rows(const mover *to, move m, int first, int last, int channels, int bits,
                             int word)
{
    uint32_t *const sums32 = to->sums;
    uint64_t *const sums64 = to->sums;
    const satk_tone tone = to->tone;

    for (int x = first; x < last; x++) {
        uint64_t in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0};
        if (m.enter)
            satk_samples(&tone, m.enter, x, channels, bits, in);
        if (m.leave)
            satk_samples(&tone, m.leave, x, channels, bits, out);
        for (int c = 0; c < channels; c++)
            if (word == 32)
                sums32[x * channels + c] += (uint32_t)(in[c] - out[c]);
            else
                sums64[x * channels + c] += in[c] - out[c];
    }
}

/* --- Steps ------------------------------------------------------------------------------------ */

#define CODE_STEP(bits, word)                                                                      \
    static void move_codes_##bits##_##word(const mover *to, move m, int first, int last)           \
    {                                                                                              \
        move_code_rows(to, m, first, last, bits, word);                                            \
    }
CODE_STEP(8, 32)
CODE_STEP(8, 64)
CODE_STEP(16, 32)
CODE_STEP(16, 64)

#define PIXEL_STEP(channels, bits, word)                                                           \
    static void move_pixels_##channels##_##bits##_##word(const mover *to, move m, int first,       \
                                                         int last)                                 \
    {                                                                                              \
        move_pixel_rows(to, m, first, last, channels, bits, word);                                 \
    }
#define CHANNEL_STEPS(channels)                                                                    \
    static void move_linear_##channels(const mover *to, move m, int first, int last)               \
    {                                                                                              \
        move_linear_rows(to, m, first, last, channels);                                            \
    }                                                                                              \
    static void move_deep_##channels##_32(const mover *to, move m, int first, int last)            \
    {                                                                                              \
        move_deep_rows(to, m, first, last, channels, 32);                                          \
    }                                                                                              \
    static void move_deep_##channels##_64(const mover *to, move m, int first, int last)            \
    {                                                                                              \
        move_deep_rows(to, m, first, last, channels, 64);                                          \
    }                                                                                              \
    PIXEL_STEP(channels, 8, 32)                                                                    \
    PIXEL_STEP(channels, 8, 64)                                                                    \
    PIXEL_STEP(channels, 16, 32)                                                                   \
    PIXEL_STEP(channels, 16, 64)
CHANNEL_STEPS(1)
CHANNEL_STEPS(2)
CHANNEL_STEPS(3)
CHANNEL_STEPS(4)

/* Returns the step for a job's kind of picture and sums. */
static move_step *step_for(const satk_box *job)
{
    static move_step *const codes[2][2] = {{move_codes_8_32, move_codes_8_64},
                                           {move_codes_16_32, move_codes_16_64}};
    static move_step *const linear[4] = {move_linear_1, move_linear_2, move_linear_3,
                                         move_linear_4};
    static move_step *const deep[2][4] = {
        {move_deep_1_32, move_deep_2_32, move_deep_3_32, move_deep_4_32},
        {move_deep_1_64, move_deep_2_64, move_deep_3_64, move_deep_4_64}};
#define NAMES(channels)                                                                            \
    {                                                                                              \
        {move_pixels_##channels##_8_32, move_pixels_##channels##_8_64},                            \
        {                                                                                          \
            move_pixels_##channels##_16_32, move_pixels_##channels##_16_64                         \
        }                                                                                          \
    }
    static move_step *const pixels[4][2][2] = {NAMES(1), NAMES(2), NAMES(3), NAMES(4)};
#undef NAMES
    const int is_deep = job->src.bits == 16, is_wide = job->word == 64, c = job->src.channels - 1;

    if (!job->tone.decode && !job->tone.weighted)
        return codes[is_deep][is_wide];
    if (!is_deep && !is_wide && !job->tone.weighted)
        return linear[c];
    if (is_deep && !job->tone.weighted)
        return deep[is_wide][c];
    return pixels[c][is_deep][is_wide];
}

#endif
