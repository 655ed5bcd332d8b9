/* 8-bit codes to samples (tone.h) in vectors, of two rows at once: a lane holds a pair, what enters a window
 * in its low half and what leaves in the other. For SATK_LEVELED() sources. */
#ifndef SATK_TONE_LANES_H
#define SATK_TONE_LANES_H

#include "lanes.h"
#include "tone.h"

typedef struct decoder {
#ifdef __AVX512BW__
    __m512i sample[8]; /* by code */
#else
    uint32_t sample[256];
#endif
} decoder;

/* decode NULL: samples are the codes. */
static inline decoder make_decoder(const uint32_t *decode)
{
    decoder d;
#ifdef __AVX512BW__
    uint16_t sample[256];
#else
    uint32_t *const sample = d.sample;
#endif

    for (uint32_t code = 0; code < 256; code++)
        sample[code] = decode ? decode[code] : code;
#ifdef __AVX512BW__
    memcpy(&d, sample, sizeof d);
#endif
    return d;
}

/* All bits of the lanes that have alpha, where the first one begins a pixel. */
SATK_FN lanes alpha_lanes(int channels)
{
    lanes v;

    for (int i = 0; i < LANES; i++)
        v[i] = satk_has_alpha(channels) && i % channels == channels - 1 ? UINT32_MAX : 0;
    return v;
}

SATK_FN lanes pairs_of(lanes enter, lanes leave)
{
    return enter | leave << 16;
}

/* The samples of a pair of codes. */
SATK_FN lanes decoded(const decoder *d, lanes codes)
{
#ifdef __AVX512BW__ /* a look-up takes 64 entries; the upper bits of a code choose among four */
    const __m512i at = (__m512i)codes, *const t = d->sample;
    const __mmask32 odd = _mm512_test_epi16_mask(at, _mm512_set1_epi16(64));
    const __mmask32 upper = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
    const __m512i low = _mm512_mask_blend_epi16(odd, _mm512_permutex2var_epi16(t[0], at, t[1]),
                                                _mm512_permutex2var_epi16(t[2], at, t[3]));
    const __m512i high = _mm512_mask_blend_epi16(odd, _mm512_permutex2var_epi16(t[4], at, t[5]),
                                                 _mm512_permutex2var_epi16(t[6], at, t[7]));
    return (lanes)_mm512_mask_blend_epi16(upper, low, high);
#elif defined(__AVX2__)
    const int *const table = (const int *)d->sample;
    const __m256i at = (__m256i)codes;
    const __m256i enter =
        _mm256_i32gather_epi32(table, _mm256_and_si256(at, _mm256_set1_epi32(0xffff)), 4);
    const __m256i leave = _mm256_i32gather_epi32(table, _mm256_srli_epi32(at, 16), 4);
    return pairs_of((lanes)enter, (lanes)leave);
#else
    lanes samples;
    for (int i = 0; i < LANES; i++)
        samples[i] = d->sample[codes[i] & 0xffff] | d->sample[codes[i] >> 16] << 16;
    return samples;
#endif
}

/* Sample by weight: what enters, less what leaves. Neither has more than 15 bits (SATK_LINEAR_BITS). weights: a pair,
 * its second one negative. */
SATK_FN lanes change_of(lanes samples, lanes weights)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_madd_epi16((__m512i)samples, (__m512i)weights);
#elif defined(__AVX2__)
    return (lanes)_mm256_madd_epi16((__m256i)samples, (__m256i)weights);
#else
    return (samples & 0xffff) * (weights & 0xffff) -
           (samples >> 16) * ((0 - (weights >> 16)) & 0xffff);
#endif
}

/* --- Encoding --------------------------------------------------------------------------------- */

#ifdef __AVX512BW__
/* A code is how many thresholds are not above the sample: a search in a tree that lies in registers. Node k has
 * the children 2 k and 2 k + 1, and the root is 1. */
typedef struct encoder {
    __m512i upper[2], middle[2], leaves[4]; /* nodes 0 to 63, 64 to 127, 128 to 255 */
} encoder;

/* encode NULL: of no use. largest: sample. */
static inline encoder make_encoder(const uint16_t *encode, uint32_t largest)
{
    uint16_t threshold[256] = {0}, node[256] = {0};
    encoder e;

    for (uint32_t sample = 0, code = 0; encode && code < 256; code++) {
        while (sample <= largest && encode[sample] < code)
            sample++;
        threshold[code] = (uint16_t)sample;
    }
    for (uint32_t k = 1; k < 256; k++) {
        const uint32_t level = 31 - (uint32_t)__builtin_clz(k), row = k - (1u << level);
        node[k] = threshold[(2 * row + 1) << (7 - level)];
    }
    memcpy(&e, node, sizeof e);
    return e;
}

enum { MOST_PAIRS = 6 };

/* The thresholds of nodes of one level. */
SATK_FN __m512i thresholds_of(const encoder *e, __m512i node, int level)
{
    const __m512i *const leaves = e->leaves;

    if (level < 6)
        return _mm512_permutex2var_epi16(e->upper[0], node, e->upper[1]);
    if (level < 7)
        return _mm512_permutex2var_epi16(e->middle[0], node, e->middle[1]);
    return _mm512_mask_blend_epi16(_mm512_test_epi16_mask(node, _mm512_set1_epi16(64)),
                                   _mm512_permutex2var_epi16(leaves[0], node, leaves[1]),
                                   _mm512_permutex2var_epi16(leaves[2], node, leaves[3]));
}

/* Pairs of samples become pairs of codes: several at a time, since each step waits for the one before. */
SATK_FN void encode_pairs(const encoder *e, lanes *pairs, int count)
{
    __m512i node[MOST_PAIRS];

    for (int i = 0; i < count; i++)
        node[i] = _mm512_set1_epi16(1);
    for (int level = 0; level < 8; level++)
        for (int i = 0; i < count; i++) {
            const __m512i left = _mm512_add_epi16(node[i], node[i]);
            const __mmask32 right =
                _mm512_cmpge_epu16_mask((__m512i)pairs[i], thresholds_of(e, node[i], level));
            node[i] = _mm512_mask_sub_epi16(left, right, left, _mm512_set1_epi16(-1));
        }
    for (int i = 0; i < count; i++)
        pairs[i] = (lanes)_mm512_and_si512(node[i], _mm512_set1_epi16(255));
}
#else
typedef struct encoder {
    const uint16_t *code;
} encoder;

static inline encoder make_encoder(const uint16_t *encode, uint32_t largest)
{
    (void)largest;
    return (encoder){encode};
}

SATK_FN void encode_pairs(const encoder *e, lanes *pairs, int count)
{
    for (int i = 0; i < count * LANES; i++) {
        const uint32_t pair = pairs[i / LANES][i % LANES];
        pairs[i / LANES][i % LANES] =
            (uint32_t)e->code[pair & 0xffff] | (uint32_t)e->code[pair >> 16] << 16;
    }
}
#endif

#endif
