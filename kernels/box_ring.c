/* A radius per pixel, or a fraction: windows read from a ring of table rows. See box.h. */
#include "box_level.h"

#define SATK_LANES(channels) ((channels) == 3 ? 4 : (channels)) /* RGB: a pixel is a vector */
#include "window.h"

#include <string.h>

#ifdef __AVX2__
#include <immintrin.h>
#endif

/* Rows above and below its own that a window reads: the wider of a fraction's boxes. */
static int reach_of(const satk_box *job)
{
    const int reach = (int)((job->radius_y + SATK_ONE - 1) / SATK_ONE);

    return reach < job->src.height ? reach : job->src.height;
}

/* Rows of the table that are needed at once: from the one above the window to its last. */
static uint32_t ring_rows(const satk_box *job)
{
    const uint32_t needed = 2 * (uint32_t)reach_of(job) + 2;
    uint32_t rows = 4;

    while (rows < needed && rows < (uint32_t)job->src.height + 2)
        rows *= 2;
    return rows;
}

/* --- Building --------------------------------------------------------------------------------- */

SATK_FN void *table_row(const satk_box *job, int y, int channels, int word)
{
    return (uint8_t *)(uintptr_t)job->table +
           satk_row_at(job, y) * (size_t)SATK_LANES(channels) * (size_t)(word / 8);
}

typedef uint32_t pixel_words __attribute__((vector_size(16)));

/* Row y of the table: the row above, plus the inclusive scan of the samples of row y. */
SATK_FN void build_row(const satk_box *job, int y, int channels, int bits, int word)
{
    const int width = job->src.width;
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const uint32_t *const above32 = table_row(job, y - 1, channels, word);
    const uint64_t *const above64 = table_row(job, y - 1, channels, word);
    uint32_t *const row32 = table_row(job, y, channels, word);
    uint64_t *const row64 = table_row(job, y, channels, word);
    const satk_tone tone = job->tone; /* no store of a word can change this one */
    pixel_words sums = {0, 0, 0, 0};
    uint64_t sum[4] = {0, 0, 0, 0};

    for (int x = 0; x < width; x++) {
        uint64_t s[4] = {0, 0, 0, 0};
        satk_samples(&tone, src, x, channels, bits, s);
        if (word == 32 && SATK_LANES(channels) == 4) {
            pixel_words above;
            memcpy(&above, above32 + 4 * (size_t)x, sizeof above);
            sums += (pixel_words){(uint32_t)s[0], (uint32_t)s[1], (uint32_t)s[2], (uint32_t)s[3]};
            above += sums;
            memcpy(row32 + 4 * (size_t)x, &above, sizeof above);
            continue;
        }
        for (int c = 0; c < SATK_LANES(channels); c++) {
            const size_t at = (size_t)x * (size_t)SATK_LANES(channels) + (size_t)c;
            sum[c] += s[c];
            if (word == 32)
                row32[at] = above32[at] + (uint32_t)sum[c];
            else
                row64[at] = above64[at] + sum[c];
        }
    }
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* One pixel at a time, by the definition. Apart, so that it takes no registers from vectors. */
SATK_FN void read_pixels(const satk_box *job, int y, int first, int last, int channels, int bits,
                         int word, int wide)
{
    for (int x = first; x < last; x++)
        satk_box_pixel(job, x, y, channels, bits, word, wide);
}

#ifdef __AVX2__

/* Windows of four 32-bit words a pixel, in vectors, except beside the left and right edges: what
 * satk_window_total() defines. This is what depends on the radius and the row; neighbours often
 * share it. */
typedef struct reader {
    uint32_t radius; /* Q8; 0: nothing is set */
    int first, last; /* the pixels of the row whose windows' columns are all inside */
    const uint32_t *left[4], *right[4]; /* of pixel 0, by row: above outer, above inner, last inner,
                                           last outer; the left and the right pair of columns */
    __m256i inner, outer;               /* weights of boxes over inner rows, over outer rows */
    __m256i half;                       /* of the area */
    __m256d reciprocal;
} reader;

/* Row y of the table, continued: zeros above the picture, its last row below. */
static const uint32_t *continued_row(const satk_box *job, int y)
{
    const int row = y < -1 ? -1 : y < job->src.height ? y : job->src.height - 1;

    return (const uint32_t *)job->table + satk_row_at(job, row) * 4;
}

static int rows_inside(const satk_box *job, int y, int reach)
{
    const satk_range rows = satk_clip(satk_window(y, reach), job->src.height);

    return rows.hi - rows.lo;
}

static __attribute__((noinline)) void set_radius(reader *r, const satk_box *job, int y,
                                                 uint32_t radius)
{
    const int64_t f = radius % SATK_ONE, g = (int64_t)SATK_ONE - f;
    const int reach = (int)(radius / SATK_ONE);
    const int64_t columns = 2 * (int64_t)radius + SATK_ONE;
    const int64_t rows = g * rows_inside(job, y, reach) + f * rows_inside(job, y, reach + 1);

    r->radius = radius;
    r->first = reach + 2;
    r->last = job->src.width - reach - 1;
    for (int i = 0; i < 4; i++) {
        const uint32_t *const row =
            continued_row(job, i < 2 ? y - reach - 2 + i : y + reach - 2 + i);
        r->left[i] = row - 4 * (ptrdiff_t)(reach + 2);
        r->right[i] = row + 4 * (ptrdiff_t)reach;
    }
    r->inner = _mm256_set_epi64x(g * f, g * f, g * g, g * g);
    r->outer = _mm256_set_epi64x(f * f, f * f, f * g, f * g);
    r->half = _mm256_set1_epi64x(rows * columns / 2);
    r->reciprocal = _mm256_set1_pd(1.0 / (double)(rows * columns));
}

/* Two neighbouring pixels of a row of the table. */
static inline __m256i two_pixels(const uint32_t *row, ptrdiff_t x)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)(row + 4 * x));
}

/* Boxes over the rows between two of the table: inner columns in the low half, outer ones in the
 * high half. */
static inline __m256i two_boxes(const reader *r, int above, int last, ptrdiff_t x)
{
    const __m256i left =
        _mm256_sub_epi32(two_pixels(r->left[last], x), two_pixels(r->left[above], x));
    const __m256i right =
        _mm256_sub_epi32(two_pixels(r->right[last], x), two_pixels(r->right[above], x));

    return _mm256_sub_epi32(right, _mm256_permute4x64_epi64(left, 0x4e)); /* halves swapped */
}

/* The four boxes' sums by their weights: 64 bits a channel, exact. A product has twice the bits of
 * its factors, hence channels 0 and 2, and 1 and 3. */
static inline __m256i weighted_sums(__m256i boxes, __m256i outer_boxes, const reader *r)
{
    const __m256i even = _mm256_add_epi64(_mm256_mul_epu32(boxes, r->inner),
                                          _mm256_mul_epu32(outer_boxes, r->outer));
    const __m256i odd =
        _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(boxes, 32), r->inner),
                         _mm256_mul_epu32(_mm256_srli_epi64(outer_boxes, 32), r->outer));
    const __m256i low = _mm256_unpacklo_epi64(even, odd), high = _mm256_unpackhi_epi64(even, odd);

    return _mm256_add_epi64(_mm256_permute2x128_si256(low, high, 0x20),
                            _mm256_permute2x128_si256(low, high, 0x31));
}

/* floor((sums + half the area) / area), by way of doubles. With n the numerator, below 2^50, the
 * result is the integer part of (n + 1/2) * (1 / area): n + 1/2 is a double, it is at least 1 / (2 area)
 * away from any multiple of the area over the area, and two roundings err by less than
 * (n + 1/2) / area / 2^51. */
static inline __m128i mean_of(__m256i sums, const reader *r)
{
    const __m256i two52 = _mm256_set1_epi64x(0x4330000000000000);
    const __m256i n = _mm256_or_si256(_mm256_add_epi64(sums, r->half), two52); /* 2^52 + n */
    const __m256d numerators = _mm256_sub_pd(_mm256_castsi256_pd(n), _mm256_set1_pd(0x1p52 - 0.5));

    return _mm256_cvttpd_epi32(_mm256_mul_pd(numerators, r->reciprocal));
}

static inline uint32_t radius_at(const satk_box *job, const uint8_t *map, int x)
{
    return map ? job->lut[satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits)]
               : job->radius_x;
}

/* Means of pixel x and of those behind it, up to `last`, that have the same radius. Returns where it
 * stopped. */
static inline int find_means(const satk_box *job, const reader *reader_, const uint8_t *map, int x,
                             int last, uint32_t (*means)[4])
{
    const reader r = *reader_; /* in registers */
    const int fraction = r.radius % SATK_ONE != 0;

    do {
        const __m256i inner = two_boxes(&r, 1, 2, x);
        const __m256i outer = fraction ? two_boxes(&r, 0, 3, x) : _mm256_setzero_si256();
        _mm_storeu_si128((__m128i *)(void *)*means++, mean_of(weighted_sums(inner, outer, &r), &r));
        x++;
    } while (x < last && radius_at(job, map, x) == r.radius);
    return x;
}

SATK_FN void put_means(const satk_box *job, int y, int first, int last, uint32_t (*means)[4],
                       int channels, int bits)
{
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const uint16_t *const encode = job->tone.encode;

    for (int x = first; x < last; x++) {
        uint32_t *const codes = means[x - first];
        for (int c = 0; c < 3 && encode; c++)
            codes[c] = encode[codes[c]];
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

/* Means are found in runs and stored together: the stores do not wait for the divisions. */
SATK_FN void read_row_in_vectors(const satk_box *job, int y, int channels, int bits)
{
    enum { RUN = 128 };
    const uint8_t *const map =
        job->map.data ? (const uint8_t *)job->map.data + y * job->map.pitch : NULL;
    uint32_t means[RUN][4];
    reader r = {0};
    int x = 0;

    while (x < job->src.width) {
        const int first = x;
        for (;;) {
            const uint32_t radius = x < job->src.width ? radius_at(job, map, x) : 0;
            if (radius != r.radius && radius > 0)
                set_radius(&r, job, y, radius);
            if (radius == 0 || x < r.first || x >= r.last || x - first == RUN)
                break;
            const int end = first + RUN < r.last ? first + RUN : r.last;
            x = find_means(job, &r, map, x, end, means + (x - first));
        }
        put_means(job, y, first, x, means, channels, bits);
        if (x - first < RUN && x < job->src.width) { /* what stopped the run */
            read_pixels(job, y, x, x + 1, channels, bits, 32, 0);
            x++;
        }
    }
}

/* 1: vectors hold what a window adds up to. */
static int is_vector_job(const satk_box *job)
{
    const satk_u128 side = 2 * (satk_u128)job->radius_y + SATK_ONE;
    const uint64_t sample = job->tone.decode ? (uint64_t)1 << (job->src.bits == 8 ? 14 : 20)
                                             : (uint64_t)1 << job->src.bits;

    return job->word == 32 && job->src.channels >= 3 && !job->tone.weighted &&
           (job->map.data || job->radius_x == job->radius_y) &&
           side * side * sample < (satk_u128)1 << 49;
}

#endif

SATK_FN void read_row(const satk_box *job, int y, int channels, int bits, int word, int wide)
{
#ifdef __AVX2__
    if (word == 32 && channels >= 3 && is_vector_job(job)) {
        read_row_in_vectors(job, y, channels, bits);
        return;
    }
#endif
    read_pixels(job, y, 0, job->src.width, channels, bits, word, wide);
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* scratch is the ring. The first row whose prefix is needed is one of zeros: sums begin there. */
SATK_FN void ring_strip(const satk_box *job, int first, int last, void *scratch, int channels,
                        int bits, int word, int wide)
{
    const int reach = reach_of(job), height = job->src.height;
    const int begin = first - reach > 0 ? first - reach : 0;
    satk_box own = *job;
    int built = begin - 1;

    own.table = scratch;
    own.ring = ring_rows(job);
    memset(table_row(&own, built, channels, word), 0,
           (size_t)job->src.width * (size_t)SATK_LANES(channels) * (size_t)(word / 8));
    for (int y = first; y < last; y++) {
        const int needed = y + reach < height ? y + reach : height - 1;
        while (built < needed)
            build_row(&own, ++built, channels, bits, word);
        read_row(&own, y, channels, bits, word, wide);
    }
}

/* One function per kind of image and table, each with constant channels, bits, word and wide. */
#define STRIP(channels, bits, word, wide)                                                          \
    static void strip_##channels##_##bits##_##word##_##wide(const satk_box *job, int first,        \
                                                            int last, void *scratch)               \
    {                                                                                              \
        ring_strip(job, first, last, scratch, channels, bits, word, wide);                         \
    }
#define STRIPS(channels, bits)                                                                     \
    STRIP(channels, bits, 32, 0) STRIP(channels, bits, 64, 0) STRIP(channels, bits, 64, 1)
STRIPS(1, 8)
STRIPS(2, 8)
STRIPS(3, 8)
STRIPS(4, 8)
STRIPS(1, 16)
STRIPS(2, 16)
STRIPS(3, 16)
STRIPS(4, 16)

#define NAMES(channels, bits)                                                                      \
    {                                                                                              \
        strip_##channels##_##bits##_32_0, strip_##channels##_##bits##_64_0,                        \
            strip_##channels##_##bits##_64_1                                                       \
    }
static satk_strip_function *const strips[2][4][3] = {
    {NAMES(1, 8), NAMES(2, 8), NAMES(3, 8), NAMES(4, 8)},
    {NAMES(1, 16), NAMES(2, 16), NAMES(3, 16), NAMES(4, 16)},
};

void SATK_LEVELED(satk_ring)(const satk_box *job, int first, int last, void *scratch)
{
    const int kind = job->word == 32 ? 0 : job->wide ? 2 : 1;

    strips[job->src.bits == 16][job->src.channels - 1][kind](job, first, last, scratch);
}

/* Several strips per thread, since what is in focus costs nothing; but high enough that the rows
 * which two strips both build do not count. */
satk_strips SATK_LEVELED(satk_ring_strips)(const satk_box *job, int threads)
{
    const int fair = (job->src.height + 4 * threads - 1) / (4 * threads), high = 6 * reach_of(job);
    const int most = (job->src.height + threads - 1) / threads;
    const size_t row =
        (size_t)job->src.width * (size_t)SATK_LANES(job->src.channels) * (size_t)(job->word / 8);

    return (satk_strips){.rows = fair > high   ? fair
                                 : high < most ? high
                                               : most,
                         .bytes = ring_rows(job) * row + 32};
}
