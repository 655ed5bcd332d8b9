/* 8-bit codes to samples (tone.h) in vectors, of two rows at once: a lane holds a pair, the sample that
 * enters a window in its low half and the one that leaves in its high half. For SATK_LEVELED() sources. */
#ifndef SATK_TONE_LANES_H
#define SATK_TONE_LANES_H

#include "common/lanes.h"
#include "common/tone.h"

typedef struct decoder {
#ifdef __AVX512BW__
    __m512i sample[8]; /* by code */
#else
    uint32_t sample[256];
#endif
} decoder;

/* Returns the entries of a table that lanes name. */
SATK_FN lanes entries_at(const uint32_t *table, lanes at)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_i32gather_epi32((__m512i)at, table, 4);
#elif defined(__AVX2__)
    return (lanes)_mm256_i32gather_epi32((const int *)table, (__m256i)at, 4);
#else
    lanes v;
    for (int i = 0; i < LANES; i++)
        v[i] = table[at[i]];
    return v;
#endif
}

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

/* Returns all bits of the lanes that have alpha, where the first one begins a pixel. */
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

/* Of the low halves of lanes. */
SATK_FN lanes low_pairs_of(lanes enter, lanes leave)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_mask_blend_epi16(0xaaaaaaaa, (__m512i)enter,
                                          _mm512_slli_epi32((__m512i)leave, 16));
#else
    return pairs_of(enter & 0xffff, leave);
#endif
}

/* Of the high halves. */
SATK_FN lanes high_pairs_of(lanes enter, lanes leave)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32((__m512i)enter, 16),
                                          (__m512i)leave);
#else
    return enter >> 16 | (leave & 0xffff0000);
#endif
}

#ifdef __AVX512BW__
/* Looks up 256 entries. One instruction takes 64; the upper bits of an index choose among four. */
SATK_FN __m512i entries_of(const __m512i *t, __m512i at)
{
    const __mmask32 odd = _mm512_test_epi16_mask(at, _mm512_set1_epi16(64));
    const __mmask32 upper = _mm512_test_epi16_mask(at, _mm512_set1_epi16(128));
    const __m512i low = _mm512_mask_blend_epi16(odd, _mm512_permutex2var_epi16(t[0], at, t[1]),
                                                _mm512_permutex2var_epi16(t[2], at, t[3]));
    const __m512i high = _mm512_mask_blend_epi16(odd, _mm512_permutex2var_epi16(t[4], at, t[5]),
                                                 _mm512_permutex2var_epi16(t[6], at, t[7]));
    return _mm512_mask_blend_epi16(upper, low, high);
}
#endif

/* Returns the samples of a pair of codes. */
SATK_FN lanes decoded(const decoder *d, lanes codes)
{
#ifdef __AVX512BW__
    return (lanes)entries_of(d->sample, (__m512i)codes);
#else
    return pairs_of(entries_at(d->sample, codes & 0xffff), entries_at(d->sample, codes >> 16));
#endif
}

/* By a pair of signs: 1 is kept, -1 reverses. */
SATK_FN lanes signed_pairs(lanes pairs, lanes signs)
{
    typedef uint16_t halves __attribute__((vector_size(4 * LANES)));

    return (lanes)((halves)pairs * (halves)signs);
}

/* Returns samples times weights: the one that enters, less the one that leaves. Neither has more
 * than 15 bits (SATK_LINEAR_BITS). weights: a pair, its second one negative. */
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
/* A code is the value of a line through a piece of the curve, or one more above a threshold. */
typedef struct encoder {
    __m512i slope[2], offset[2]; /* by piece: quarters of a code, by 2^16 samples and in all */
    __m512i next[8];             /* by code: the first sample that has a larger one */
} encoder;

enum { PIECES = 64 };

/* Pieces of 32 samples where the curve is steep, and of 512 elsewhere. */
static inline uint32_t piece_of(uint32_t sample)
{
    const uint32_t dark = sample >> 5, bright = (sample >> 9) + 32;

    return dark < bright ? dark : bright;
}

/* Returns the highest line of this slope that is nowhere above the codes of the samples first <= i
 * < end. */
static inline uint16_t offset_of(const uint16_t *encode, uint32_t first, uint32_t end,
                                 uint32_t slope)
{
    int32_t least = INT16_MAX;

    for (uint32_t i = first; i < end; i++) {
        const int32_t below = 4 * encode[i] + 3 - (int32_t)(i * slope >> 16);
        least = below < least ? below : least;
    }
    return (uint16_t)least; /* modulo 2^16, as it is added */
}

/* encode NULL: of no use. largest: sample. */
static inline encoder make_encoder(const uint16_t *encode, uint32_t largest)
{
    uint16_t slope[PIECES] = {0}, offset[PIECES] = {0}, next[256];
    encoder e;

    memset(next, 255, sizeof next);
    for (uint32_t i = 0; encode && i < largest; i++)
        for (uint32_t code = encode[i]; code < encode[i + 1]; code++)
            next[code] = (uint16_t)(i + 1);
    for (uint32_t first = 0, end; encode && first < largest; first = end) {
        const uint32_t piece = piece_of(first);
        for (end = first + 1; end < largest && piece_of(end) == piece; end++)
            ;
        slope[piece] = (uint16_t)(((uint32_t)(encode[end] - encode[first]) << 18) / (end - first));
        offset[piece] = offset_of(encode, first, end + 1, slope[piece]);
    }
    memcpy(e.slope, slope, sizeof slope);
    memcpy(e.offset, offset, sizeof offset);
    memcpy(e.next, next, sizeof next);
    return e;
}

/* Turns pairs of samples into pairs of codes. */
SATK_FN void encode_pairs(const encoder *e, lanes *pairs, int count)
{
    for (int i = 0; i < count; i++) {
        const __m512i sample = (__m512i)pairs[i];
        const __m512i dark = _mm512_srli_epi16(sample, 5);
        const __m512i bright =
            _mm512_add_epi16(_mm512_srli_epi16(sample, 9), _mm512_set1_epi16(32));
        const __m512i piece = _mm512_min_epu16(dark, bright);
        const __m512i slope = _mm512_permutex2var_epi16(e->slope[0], piece, e->slope[1]);
        const __m512i offset = _mm512_permutex2var_epi16(e->offset[0], piece, e->offset[1]);
        const __m512i code =
            _mm512_srli_epi16(_mm512_add_epi16(_mm512_mulhi_epu16(sample, slope), offset), 2);
        const __mmask32 more = _mm512_cmpge_epu16_mask(sample, entries_of(e->next, code));
        pairs[i] = (lanes)_mm512_mask_sub_epi16(code, more, code, _mm512_set1_epi16(-1));
    }
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
