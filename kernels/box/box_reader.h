/* Windows of one radius along a row, read from a ring of table rows with four 32-bit words a pixel, several
 * pixels at a time: the numbers of satk_window_total(), except beside the left and right edges. For
 * SATK_LEVELED() sources. */
#ifndef SATK_BOX_READER_H
#define SATK_BOX_READER_H

#include "box/box_rule.h"

#include <immintrin.h>
#include <string.h>

/* Pixels at a time. A read may go beyond the last pixel by one less than these. */
#ifdef __AVX512BW__
enum { AT_ONCE = 4 };
#else
enum { AT_ONCE = 2 };
#endif

typedef uint32_t pixels __attribute__((vector_size(16 * AT_ONCE)));

#ifdef __AVX512BW__
typedef double weight;
typedef __m512d weights; /* the same in all lanes */
#else
typedef int64_t weight;
typedef __m256i weights;
#endif

/* Numbers that depend on the radius, and on the number of the windows' rows in the picture. */
typedef struct reader {
    uint32_t radius;            /* Q8; 0: nothing is set */
    int first, last;            /* the pixels of a row whose windows' columns are all inside */
    weight inner, mixed, outer; /* of a box: both sides inner, one, none */
    weight half;                /* of the area; in doubles, and a half */
    double inverse;             /* 1 / area */
} reader;

static inline weights all_of(weight value)
{
#ifdef __AVX512BW__
    return _mm512_set1_pd(value);
#else
    return _mm256_set1_epi64x(value);
#endif
}

/* Returns row y of the table, continued: zeros above the picture, its last row below. */
static inline const uint32_t *continued_row(const satk_box *job, int y)
{
    const int row = y < -1 ? -1 : y < job->src.height ? y : job->src.height - 1;

    return (const uint32_t *)job->table + satk_row_at(job, row) * 4;
}

static inline int rows_inside(const satk_box *job, int y, int reach)
{
    const satk_range rows = satk_clip(satk_window(y, reach), job->src.height);

    return rows.hi - rows.lo;
}

/* Sets the reader's radius. rows: of a window, Q8. */
static void set_radius(reader *r, const satk_box *job, uint32_t radius, int64_t rows)
{
    const int64_t f = radius % SATK_ONE, g = (int64_t)SATK_ONE - f;
    const int reach = (int)(radius / SATK_ONE);
    const int64_t area = rows * (2 * (int64_t)radius + SATK_ONE);

    r->radius = radius;
    r->first = reach + 2;
    r->last = job->src.width - reach - 1;
    r->inner = (weight)(g * g);
    r->mixed = (weight)(g * f);
    r->outer = (weight)(f * f);
    r->half = (weight)(area / 2);
#ifdef __AVX512BW__
    r->half += 0.5;
#endif
    r->inverse = 1.0 / (double)area;
}

/* Returns the reader for row y: `kept` for all rows whose windows' rows are inside, else `own`. */
static inline const reader *reader_for(const satk_box *job, int y, uint32_t radius, reader *kept,
                                       reader *own)
{
    const int64_t f = radius % SATK_ONE, g = (int64_t)SATK_ONE - f;
    const int reach = (int)(radius / SATK_ONE);

    if (y > reach && y < job->src.height - reach - 1) {
        if (kept->radius != radius)
            set_radius(kept, job, radius, 2 * (int64_t)radius + SATK_ONE);
        return kept;
    }
    set_radius(own, job, radius,
               g * rows_inside(job, y, reach) + f * rows_inside(job, y, reach + 1));
    return own;
}

/* --- Sums ------------------------------------------------------------------------------------- */

static inline pixels words_at(const uint32_t *row, ptrdiff_t at)
{
    pixels p;
    memcpy(&p, row + at, sizeof p);
    return p;
}

/* Returns the sums of the column that ends at `at`, between two rows. */
static inline pixels column(const uint32_t *above, const uint32_t *last, ptrdiff_t at)
{
    return words_at(last, at) - words_at(above, at);
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Each is floor((sum of weight * box + half the area) / area), by way of doubles. With n the numerator,
 * below 2^50, the result is the integer part of (n + 1/2) * (1 / area): all up to n + 1/2 is exact, it is
 * at least 1 / (2 area) away from any multiple of the area over the area, and two roundings err by less
 * than (n + 1/2) / area / 2^51. box: inner, mixed, mixed, outer; without a fraction only the first. */
#ifdef __AVX512BW__

static inline __m256i two_means(const pixels *box, int half, const reader *r, int fraction)
{
    const weights mixed = all_of(r->mixed);
    const weights by[4] = {all_of(r->inner), mixed, mixed, all_of(r->outer)};
    __m512d n = all_of(r->half);

    for (int i = 0; i < (fraction ? 4 : 1); i++) {
        const __m256i part = half ? _mm512_extracti64x4_epi64((__m512i)box[i], 1)
                                  : _mm512_castsi512_si256((__m512i)box[i]);
        n = _mm512_fmadd_pd(_mm512_cvtepu32_pd(part), by[i], n);
    }
    return _mm512_cvttpd_epi32(_mm512_mul_pd(n, _mm512_set1_pd(r->inverse)));
}

static inline void put_means(const pixels *box, const reader *r, int fraction, uint32_t (*means)[4])
{
    _mm256_storeu_si256((__m256i *)(void *)means[0], two_means(box, 0, r, fraction));
    _mm256_storeu_si256((__m256i *)(void *)means[2], two_means(box, 1, r, fraction));
}

#else

static inline __m128i two_channels(__m256i sums, const reader *r)
{
    const __m256i two52 = _mm256_set1_epi64x(0x4330000000000000);
    const __m256i n =
        _mm256_or_si256(_mm256_add_epi64(sums, all_of(r->half)), two52); /* 2^52 + n */
    const __m256d numerators = _mm256_sub_pd(_mm256_castsi256_pd(n), _mm256_set1_pd(0x1p52 - 0.5));

    return _mm256_cvttpd_epi32(_mm256_mul_pd(numerators, _mm256_set1_pd(r->inverse)));
}

/* A product has twice the bits of its factors, hence channels 0 and 2, and 1 and 3. */
static inline void put_means(const pixels *box, const reader *r, int fraction, uint32_t (*means)[4])
{
    const weights mixed = all_of(r->mixed);
    const weights by[4] = {all_of(r->inner), mixed, mixed, all_of(r->outer)};
    __m256i even = _mm256_setzero_si256(), odd = even;

    for (int i = 0; i < (fraction ? 4 : 1); i++) {
        const __m256i b = (__m256i)box[i];
        even = _mm256_add_epi64(even, _mm256_mul_epu32(b, by[i]));
        odd = _mm256_add_epi64(odd, _mm256_mul_epu32(_mm256_srli_epi64(b, 32), by[i]));
    }
    const __m128i low = two_channels(_mm256_unpacklo_epi64(even, odd), r);
    const __m128i high = two_channels(_mm256_unpackhi_epi64(even, odd), r);
    _mm_storeu_si128((__m128i *)(void *)means[0], _mm_unpacklo_epi64(low, high));
    _mm_storeu_si128((__m128i *)(void *)means[1], _mm_unpackhi_epi64(low, high));
}

#endif

/* Finds the means of the pixels first <= x < last of row y, which have the reader's radius, and of
 * up to AT_ONCE - 1 more. */
static inline __attribute__((always_inline)) void find_means(const satk_box *job,
                                                             const reader *reader_, int y,
                                                             int first, int last,
                                                             uint32_t (*means)[4], int fraction)
{
    const reader r = *reader_; /* in registers */
    const int reach = (int)(r.radius / SATK_ONE);
    /* of the table: above outer, above inner, last inner, last outer */
    const uint32_t *const row[4] = {
        continued_row(job, y - reach - 2), continued_row(job, y - reach - 1),
        continued_row(job, y + reach), continued_row(job, y + reach + 1)};
    /* words of the row, where a pixel's left and right pairs of columns are */
    ptrdiff_t left = 4 * ((ptrdiff_t)first - reach - 2), right = 4 * ((ptrdiff_t)first + reach);
    pixels box[4];

    for (int x = first; x < last; x += AT_ONCE, left += 4 * AT_ONCE, right += 4 * AT_ONCE) {
        box[0] = column(row[1], row[2], right) - column(row[1], row[2], left + 4);
        if (fraction) {
            box[1] = column(row[1], row[2], right + 4) - column(row[1], row[2], left);
            box[2] = column(row[0], row[3], right) - column(row[0], row[3], left + 4);
            box[3] = column(row[0], row[3], right + 4) - column(row[0], row[3], left);
        }
        put_means(box, &r, fraction, means);
        means += AT_ONCE;
    }
}

#endif
