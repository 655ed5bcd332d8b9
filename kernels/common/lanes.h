/* Sums and means of a row's windows, a vector of samples at a time. One column enters from a window to the
 * next and one leaves: the sums are the scan of these differences. A scan within a vector takes log2 of
 * its pixels additions. For SATK_LEVELED() sources. */
#ifndef SATK_LANES_H
#define SATK_LANES_H

#include "common/rule.h"

#include <string.h>

#ifdef __AVX512BW__
#include <immintrin.h>
enum { LANES = 16 };
#elif defined(__AVX2__)
#include <immintrin.h>
enum { LANES = 8 };
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
enum { LANES = 4 };
#else
enum { LANES = 4 };
#endif

typedef uint32_t lanes __attribute__((vector_size(4 * LANES)));
typedef uint64_t wide_lanes __attribute__((vector_size(4 * LANES)));
typedef double double_lanes __attribute__((vector_size(4 * LANES)));

static inline lanes lanes_at(const uint32_t *from)
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline double_lanes doubles_at(const double *from)
{
    double_lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void add_lanes(uint32_t *to, lanes change)
{
    change += lanes_at(to);
    memcpy(to, &change, sizeof change);
}

static inline lanes lanes_of(uint32_t value)
{
    return value - (lanes){0};
}

typedef uint32_t half_lanes __attribute__((vector_size(2 * LANES)));

/* Returns lanes from those of twice as many bits. */
SATK_FN lanes narrowed(wide_lanes first, wide_lanes second)
{
    const half_lanes two[2] = {__builtin_convertvector(first, half_lanes),
                               __builtin_convertvector(second, half_lanes)};
    lanes v;

    memcpy(&v, two, sizeof v);
    return v;
}

/* Returns the first or the second half of the lanes, with 64 bits each. */
SATK_FN wide_lanes widened(lanes v, int half)
{
    half_lanes halves[2];

    memcpy(halves, &v, sizeof v);
    return __builtin_convertvector(halves[half], wide_lanes);
}

SATK_FN void add_wide(uint64_t *to, wide_lanes change)
{
    wide_lanes sums;

    memcpy(&sums, to, sizeof sums);
    sums += change;
    memcpy(to, &sums, sizeof sums);
}

/* Returns 1 if some bit is set. */
SATK_FN int any_bit(lanes v)
{
#ifdef __AVX512BW__
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined(__wasm_simd128__)
    return wasm_v128_any_true((v128_t)v);
#else
    uint32_t any = 0;
    for (int i = 0; i < LANES; i++)
        any |= v[i];
    return any != 0;
#endif
}

/* --- Scan ------------------------------------------------------------------------------------- */

enum { SCAN_STEPS = 4 };

/* Indices of lanes: one pixel behind, two, four ... (index LANES and above: zeros), and the last
 * pixel for all. */
typedef struct scanner {
    lanes behind[SCAN_STEPS], last;
} scanner;

/* Returns the lanes of v that `at` names, modulo LANES. */
SATK_FN lanes shuffled(lanes v, lanes at)
{
#ifdef __wasm_simd128__
    const lanes first = (at & (LANES - 1)) * 0x04040404 + 0x03020100; /* the lanes' bytes */
    return (lanes)wasm_i8x16_swizzle((v128_t)v, (v128_t)first);
/* clang lacks the builtin; its builds are the fuzzers, and they need no speed here */
#elif defined(__clang__)
    lanes out;
    for (uint32_t i = 0; i < LANES; i++)
        out[i] = v[at[i] % LANES];
    return out;
#else
    return __builtin_shuffle(v, at);
#endif
}

SATK_FN lanes lanes_behind(lanes v, lanes behind)
{
#ifdef __AVX512BW__
    const __mmask16 inside = _mm512_cmplt_epu32_mask((__m512i)behind, _mm512_set1_epi32(LANES));
    return (lanes)_mm512_maskz_permutexvar_epi32(inside, (__m512i)behind, (__m512i)v);
#else
    return shuffled(v, behind) & (lanes)(behind != LANES);
#endif
}

SATK_FN scanner make_scanner(uint32_t channels)
{
    scanner s;
    uint32_t by = channels;

    for (int step = 0; step < SCAN_STEPS; step++, by *= 2)
        for (uint32_t i = 0; i < LANES; i++)
            s.behind[step][i] = i >= by ? i - by : LANES;
    for (uint32_t i = 0; i < LANES; i++)
        s.last[i] = LANES - channels + i % channels;
    return s;
}

/* Returns the inclusive scan of a vector's pixels, on top of *carry. *carry becomes the next
 * vector's: in each lane, the last sum of the lane's channel there. */
SATK_FN lanes scan_lanes(const scanner *s, lanes v, lanes *carry, int channels)
{
#if defined(__AVX2__) && !defined(__AVX512BW__)
    /* Steps within each half need neither masks nor indices. */
    if (channels == 1) {
        __m256i n = (__m256i)v;
        n = _mm256_add_epi32(n, _mm256_slli_si256(n, 4));
        n = _mm256_add_epi32(n, _mm256_slli_si256(n, 8));
        const __m256i low = _mm256_permute2x128_si256(n, n, 0x08); /* zeros, and the low half */
        v = (lanes)_mm256_add_epi32(n, _mm256_shuffle_epi32(low, 0xff)) + *carry;
        *carry = shuffled(v, s->last);
        return v;
    }
#elif defined(__wasm_simd128__)
    /* Steps need neither masks nor indices. */
    if (channels == 1) {
        const v128_t none = wasm_i32x4_const_splat(0);
        v128_t n = (v128_t)v;
        n = wasm_i32x4_add(n, wasm_i32x4_shuffle(n, none, 4, 0, 1, 2));
        n = wasm_i32x4_add(n, wasm_i32x4_shuffle(n, none, 4, 4, 0, 1));
        n = wasm_i32x4_add(n, (v128_t)*carry);
        *carry = (lanes)wasm_i32x4_shuffle(n, n, 3, 3, 3, 3);
        return (lanes)n;
    }
#endif
    for (int step = 0, by = channels; by < LANES; step++, by *= 2)
        v += lanes_behind(v, s->behind[step]);
    v += *carry;
    *carry = shuffled(v, s->last);
    return v;
}

/* Returns the lanes of 64 bits that are 1, 2 or 4 behind, by step; the scanner is that of two channels. */
SATK_FN wide_lanes wide_behind(const scanner *s, wide_lanes v, int step)
{
#ifdef __AVX512BW__ /* steps that need neither masks nor indices */
    const __m512i none = _mm512_setzero_si512(), n = (__m512i)v;

    (void)s;
    return (wide_lanes)(step == 0   ? _mm512_alignr_epi64(n, none, 7)
                        : step == 1 ? _mm512_alignr_epi64(n, none, 6)
                                    : _mm512_alignr_epi64(n, none, 4));
#else
    return (wide_lanes)lanes_behind((lanes)v, s->behind[step]);
#endif
}

/* Does the same as scan_lanes() for numbers of 64 bits, of one channel; the scanner is that of two. */
SATK_FN wide_lanes scan_wide(const scanner *s, wide_lanes v, wide_lanes *carry)
{
    for (int step = 0, by = 2; by < LANES; step++, by *= 2)
        v += wide_behind(s, v, step);
    const wide_lanes sums = v + *carry;
    *carry += (wide_lanes)shuffled((lanes)v, s->last);
    return sums;
}

/* Does the same for whole numbers below 2^53. */
SATK_FN double_lanes scan_doubles(const scanner *s, double_lanes v, double_lanes *carry)
{
    for (int step = 0, by = 2; by < LANES; step++, by *= 2)
        v += (double_lanes)wide_behind(s, (wide_lanes)v, step);
    const double_lanes sums = v + *carry;
    *carry += (double_lanes)shuffled((lanes)v, s->last);
    return sums;
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Division by one area: floor((n + area / 2) / area) as (n + half) * magic >> (32 + shift), exact for
 * n + half < 2^32 (A. D. Robison, "N-bit unsigned division via N-bit multiply-add", 2005). */
typedef struct quotient {
    lanes half, magic;
    uint32_t shift;
} quotient;

SATK_FN quotient make_quotient(uint32_t area)
{
    const uint32_t shift = 31 - (uint32_t)__builtin_clz(area);
    const uint64_t power = (uint64_t)1 << (32 + shift);
    const uint64_t down = area & (area - 1) ? power / area : UINT32_MAX; /* below power / area */

    if (power - down * area <= (uint64_t)1 << shift) /* one more in the numerator makes up for it */
        return (quotient){lanes_of(area / 2 + 1), lanes_of((uint32_t)down), shift};
    return (quotient){lanes_of(area / 2), lanes_of((uint32_t)down + 1), shift};
}

/* Returns the products of the low halves. */
SATK_FN wide_lanes products(wide_lanes a, wide_lanes b)
{
#ifdef __AVX512BW__
    return (wide_lanes)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (wide_lanes)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#else
    return (a & UINT32_MAX) * (b & UINT32_MAX);
#endif
}

SATK_FN lanes mean_by_quotient(lanes sums, const quotient *q)
{
    const wide_lanes low = (wide_lanes){0} + UINT32_MAX, magic = (wide_lanes)q->magic;
    const wide_lanes n = (wide_lanes)(sums + q->half);
    const wide_lanes even = products(n, magic) >> (32 + q->shift);
    const wide_lanes odd = products(n >> 32, magic) >> q->shift;

    return (lanes)(even | (odd & ~low));
}

/* Whole numbers below 2^52. */
SATK_FN double_lanes to_doubles(wide_lanes n)
{
    const wide_lanes two52 = (wide_lanes)((double_lanes){0} + 0x1p52);

    return (double_lanes)(n | two52) - 0x1p52;
}

/* The even lanes and the odd ones, as doubles. */
typedef struct double_pair {
    double_lanes even, odd;
} double_pair;

/* Returns lanes that are 2^52 too large: a difference of two of them is exact. */
SATK_FN double_pair above_two52(lanes n)
{
    const double_lanes two52 = (double_lanes){0} + 0x1p52;
#ifdef __AVX512BW__
    const __m512i high = (__m512i)two52;

    return (double_pair){
        (double_lanes)_mm512_mask_mov_epi32((__m512i)n, 0xaaaa, high),
        (double_lanes)_mm512_mask_shuffle_epi32(high, 0x5555, (__m512i)n, _MM_PERM_DDBB)};
#else
    const wide_lanes low = (wide_lanes){0} + UINT32_MAX;

    return (double_pair){(double_lanes)(((wide_lanes)n & low) | (wide_lanes)two52),
                         (double_lanes)((wide_lanes)n >> 32 | (wide_lanes)two52)};
#endif
}

/* Returns the whole numbers, below 2^32, that are nearest to products. Between 2^52 and 2^53 a
 * double has no fraction, and its low bits are the number. */
SATK_FN lanes nearest(double_pair a, double_pair b)
{
    const double_lanes two52 = (double_lanes){0} + 0x1p52;
#ifdef __AVX512BW__
    const __m512d even = _mm512_fmadd_pd((__m512d)a.even, (__m512d)b.even, (__m512d)two52);
    const __m512d odd = _mm512_fmadd_pd((__m512d)a.odd, (__m512d)b.odd, (__m512d)two52);

    return (lanes)_mm512_mask_shuffle_epi32((__m512i)even, 0xaaaa, (__m512i)odd, _MM_PERM_CCAA);
#else
    const wide_lanes low = (wide_lanes){0} + UINT32_MAX;

    return (lanes)(((wide_lanes)(a.even * b.even + two52) & low) |
                   (wide_lanes)(a.odd * b.odd + two52) << 32);
#endif
}

/* Divides by areas that differ, in twice the steps of mean_by_quotient(). n / area, rounded half
 * up, is the whole number nearest to n * inverse, where inverse is ABOVE_ONE / area. The product is
 * above n / area by some 2^-50 of it, as at most four roundings err by 2^-51: halves go up. A
 * number less than a half above lacks at least 1 / (2 area), and stays below while n < 2^48. */
#define ABOVE_ONE (1 + 0x1p-50)

SATK_FN lanes mean_by_inverse(lanes sums, double_pair inverse)
{
    const wide_lanes n = (wide_lanes)sums, low = (wide_lanes){0} + UINT32_MAX;

    return nearest((double_pair){to_doubles(n & low), to_doubles(n >> 32)}, inverse);
}

/* Loads samples of 8 or 16 bits. */
SATK_FN lanes lanes_from(const void *from, int bits)
{
#ifdef __AVX512BW__
    return bits == 8 ? (lanes)_mm512_cvtepu8_epi32(_mm_loadu_si128(from))
                     : (lanes)_mm512_cvtepu16_epi32(_mm256_loadu_si256(from));
#elif defined(__AVX2__)
    return bits == 8 ? (lanes)_mm256_cvtepu8_epi32(_mm_loadl_epi64(from))
                     : (lanes)_mm256_cvtepu16_epi32(_mm_loadu_si128(from));
#elif defined(__wasm_simd128__)
    return bits == 8 ? (lanes)wasm_u32x4_extend_low_u16x8(
                           wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(from)))
                     : (lanes)wasm_u32x4_load16x4(from);
#else
    lanes v;
    for (int i = 0; i < LANES; i++)
        v[i] = bits == 8 ? ((const uint8_t *)from)[i] : ((const uint16_t *)from)[i];
    return v;
#endif
}

/* Stores the first `count` lanes of a vector as samples of 8, 16 or 32 bits; the lanes' higher bits are 0. */
SATK_FN void put_lanes(void *to, lanes v, int count, int bits)
{
    const size_t n = (size_t)count;

    if (bits == 32) {
        memcpy(to, &v, n * sizeof v[0]);
        return;
    }
#ifdef __AVX512BW__
    const __m128i bytes = _mm512_cvtepi32_epi8((__m512i)v);
    const __m256i shorts = _mm512_cvtepi32_epi16((__m512i)v);
#elif defined(__AVX2__)
    const __m256i halves = _mm256_packus_epi32((__m256i)v, (__m256i)v);
    const __m128i shorts = _mm256_castsi256_si128(_mm256_permute4x64_epi64(halves, 0x08));
    const __m128i bytes = _mm_packus_epi16(shorts, shorts);
#else
    uint8_t bytes[LANES];
    uint16_t shorts[LANES];
    for (int i = 0; i < LANES; i++) {
        bytes[i] = (uint8_t)v[i];
        shorts[i] = (uint16_t)v[i];
    }
#endif
    memcpy(to, bits == 8 ? (const void *)&bytes : (const void *)&shorts, n * (size_t)bits / 8);
}

#endif
