/* Blurs with a radius per pixel, or with a fraction: windows are read from a ring of table rows.
 * See box.h. */
#include "box/box_level.h"

#define SATK_LANES(channels) ((channels) == 3 ? 4 : (channels)) /* RGB: a pixel is a vector */
#include "box/box_rule.h"

#include <string.h>

#ifdef __AVX2__
#include "box/box_reader.h"
#else
typedef struct reader reader;
#endif

/* Returns the rows above and below its own that a window reads: those of the wider of a fraction's
 * boxes. */
static int reach_of(const satk_box *job)
{
    const int reach = (int)((job->radius_y + SATK_ONE - 1) / SATK_ONE);

    return reach < job->src.height ? reach : job->src.height;
}

/* Returns the rows of the table that a row needs at once: from the one above the window to its
 * last. */
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

/* Returns pixel x of a row of 8 bits, RGB or RGBA. In RGB the fourth word is the next pixel's, and
 * 0 at the end of the row; it is not used. */
static inline pixel_words plain_pixel(const uint8_t *src, int x, int width, int channels)
{
    const uint8_t *const at = src + x * channels;
    uint32_t bytes;

    if (channels == 3 && x == width - 1)
        return (pixel_words){at[0], at[1], at[2], 0};
    memcpy(&bytes, at, sizeof bytes);
#ifdef __AVX2__
    return (pixel_words)_mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)bytes));
#else
    return (pixel_words){bytes & 255, bytes >> 8 & 255, bytes >> 16 & 255, bytes >> 24};
#endif
}

/* Builds row y of the table: the row above, plus the inclusive scan of the samples of row y. */
SATK_FN void build_row(const satk_box *job, int y, int channels, int bits, int word)
{
    const int width = job->src.width;
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const uint32_t *const above32 = table_row(job, y - 1, channels, word);
    const uint64_t *const above64 = table_row(job, y - 1, channels, word);
    uint32_t *const row32 = table_row(job, y, channels, word);
    uint64_t *const row64 = table_row(job, y, channels, word);
    const satk_tone tone = job->tone; /* no store of a word can change this one */
    const int plain =
        bits == 8 && word == 32 && SATK_LANES(channels) == 4 && !tone.decode && !tone.weighted;
    pixel_words sums = {0, 0, 0, 0};
    uint64_t sum[4] = {0, 0, 0, 0};

    for (int x = 0; x < width; x++) {
        uint64_t s[4] = {0, 0, 0, 0};
        if (!plain)
            satk_samples(&tone, src, x, channels, bits, s);
        if (word == 32 && SATK_LANES(channels) == 4) {
            pixel_words above;
            memcpy(&above, above32 + 4 * (size_t)x, sizeof above);
            sums += plain ? plain_pixel(src, x, width, channels)
                          : (pixel_words){(uint32_t)s[0], (uint32_t)s[1], (uint32_t)s[2],
                                          (uint32_t)s[3]};
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

SATK_FN void build_row_of(const satk_box *job, int y, int channels, int word)
{
    if (job->src.bits == 8)
        build_row(job, y, channels, 8, word);
    else
        build_row(job, y, channels, 16, word);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Reads one pixel at a time, by the definition. It is not inlined, so that vectors keep their
 * registers. */
SATK_FN void read_pixels(const satk_box *job, int y, satk_range columns, int channels, int word,
                         int wide)
{
    for (int x = columns.lo; x < columns.hi; x++)
        satk_box_pixel(job, x, y, channels, job->src.bits, word, wide);
}

#ifdef __AVX2__

static inline uint32_t code_at(const satk_box *job, const uint8_t *map, int x)
{
    return satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits);
}

/* Returns the first pixel from x on that has another byte than x, or `last`. */
static inline int end_of_byte(const uint8_t *map, int x, int last, int width)
{
    const uint8_t byte = map[x];

    for (; x < last && x + 32 <= width; x += 32) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(map + x));
        const __m256i same = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8((char)byte));
        const uint32_t others = ~(uint32_t)_mm256_movemask_epi8(same);
        if (others) {
            const int end = x + __builtin_ctz(others);
            return end < last ? end : last;
        }
    }
    while (x < last && map[x] == byte)
        x++;
    return x < last ? x : last;
}

/* Returns the first pixel from x on that has another radius than x, or just another code, or
 * `last`. */
static inline int end_of_radius(const satk_box *job, const uint8_t *map, int x, int last)
{
    const uint32_t *const lut = job->lut;

    if (!map)
        return last;
    if (job->map.bits == 8 && job->map.channels == 1)
        return end_of_byte(map, x, last, job->src.width);
    const uint32_t radius = lut[code_at(job, map, x)];
    for (x++; x < last && lut[code_at(job, map, x)] == radius;)
        x++;
    return x;
}

/* Stores four pixels as 8 bits. Of RGB, it writes 4 bytes too many. */
static inline void put_four(uint8_t *to, uint32_t (*means)[4], int channels)
{
    const __m128i *const from = (const __m128i *)(const void *)means;
    const __m128i bytes =
        _mm_packus_epi16(_mm_packus_epi32(_mm_load_si128(from), _mm_load_si128(from + 1)),
                         _mm_packus_epi32(_mm_load_si128(from + 2), _mm_load_si128(from + 3)));
    const __m128i rgb = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);

    _mm_storeu_si128((__m128i *)(void *)to, channels == 3 ? _mm_shuffle_epi8(bytes, rgb) : bytes);
}

/* Stores one RGB pixel as 8 bits. It writes a byte too many. */
static inline void put_encoded(uint8_t *to, const uint16_t *encode, const uint32_t *means)
{
    const uint32_t codes = (uint32_t)encode[means[0]] | (uint32_t)encode[means[1]] << 8 |
                           (uint32_t)encode[means[2]] << 16;

    memcpy(to, &codes, sizeof codes);
}

SATK_FN void put_codes(const satk_box *job, int y, int first, int last, uint32_t (*means)[4],
                       int channels)
{
    const int bits = job->src.bits;
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const uint16_t *const encode = job->tone.encode;
    int x = first;

    for (; bits == 8 && !encode && x + 6 <= last; x += 4) /* the bytes too many are written again */
        put_four(dst + x * channels, means + (x - first), channels);
    for (; bits == 8 && channels == 3 && encode && x + 1 < last; x++)
        put_encoded(dst + x * channels, encode, means[x - first]);
    for (; x < last; x++) {
        uint32_t *const codes = means[x - first];
        for (int c = 0; c < 3 && encode; c++)
            codes[c] = encode[codes[c]];
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

/* Reads a row of means. Means are found in runs and stored together, so that the stores do not wait
 * for the divisions. kept: a reader for each code of the map, of 16 bits for its high byte. */
SATK_FN void read_row_in_vectors(const satk_box *job, int y, reader *kept, int channels)
{
    enum { RUN = 128 };
    const uint8_t *const map =
        job->map.data ? (const uint8_t *)job->map.data + y * job->map.pitch : NULL;
    _Alignas(16) uint32_t means[RUN + AT_ONCE][4];
    int x = 0;

    while (x < job->src.width) {
        const int first = x;
        while (x < job->src.width && x - first < RUN) {
            const uint32_t code = map ? code_at(job, map, x) : 0;
            const uint32_t radius = map ? job->lut[code] : job->radius_x;
            if (radius == 0)
                break;
            reader own;
            const reader *const r =
                reader_for(job, y, radius, &kept[job->map.bits == 16 ? code >> 8 : code], &own);
            if (x < r->first || x >= r->last)
                break;
            const int most = first + RUN < r->last ? first + RUN : r->last;
            const int end = end_of_radius(job, map, x, most);
            if (radius % SATK_ONE)
                find_means(job, r, y, x, end, means + (x - first), 1);
            else
                find_means(job, r, y, x, end, means + (x - first), 0);
            x = end;
        }
        put_codes(job, y, first, x, means, channels);
        if (x - first < RUN && x < job->src.width) { /* the pixel that stopped the run */
            read_pixels(job, y, (satk_range){x, x + 1}, channels, 32, 0);
            x++;
        }
    }
}

/* Returns 1 if vectors hold the sums of a window. */
static int is_vector_job(const satk_box *job)
{
    const satk_u128 side = 2 * (satk_u128)job->radius_y + SATK_ONE;
    const uint64_t sample = (uint64_t)1 << satk_sample_bits(&job->tone, job->src.bits);

    return job->word == 32 && job->src.channels >= 3 && !job->tone.weighted &&
           (job->map.data || job->radius_x == job->radius_y) &&
           side * side * sample < (satk_u128)1 << 49;
}

#endif

SATK_FN void read_row(const satk_box *job, int y, reader *kept, int channels, int word, int wide)
{
#ifdef __AVX2__
    if (word == 32 && channels >= 3 && is_vector_job(job)) {
        read_row_in_vectors(job, y, kept, channels);
        return;
    }
#else
    (void)kept;
#endif
    read_pixels(job, y, (satk_range){0, job->src.width}, channels, word, wide);
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* Blurs a strip; scratch is the ring. The first row whose prefix is needed is one of zeros: sums
 * begin there. */
SATK_FN void ring_strip(const satk_box *job, satk_range rows, void *scratch, int channels, int word,
                        int wide)
{
    const int reach = reach_of(job), height = job->src.height;
    const int begin = rows.lo - reach > 0 ? rows.lo - reach : 0;
    satk_box own = *job;
    int built = begin - 1;
#ifdef __AVX2__
    reader kept[256] = {0};
#else
    reader *const kept = NULL;
#endif

    own.table = scratch;
    own.ring = ring_rows(job);
    memset(table_row(&own, built, channels, word), 0,
           (size_t)job->src.width * (size_t)SATK_LANES(channels) * (size_t)(word / 8));
    for (int y = rows.lo; y < rows.hi; y++) {
        const int needed = y + reach < height ? y + reach : height - 1;
        while (built < needed)
            build_row_of(&own, ++built, channels, word);
        read_row(&own, y, kept, channels, word, wide);
    }
}

/* Each number of channels and each word has a function where they are constant. */
#define STRIP(channels, word)                                                                      \
    static void strip_##channels##_##word(const satk_box *job, int first, int last, void *scratch) \
    {                                                                                              \
        ring_strip(job, (satk_range){first, last}, scratch, channels, word, 0);                    \
    }
STRIP(1, 32)
STRIP(2, 32)
STRIP(3, 32)
STRIP(4, 32)
STRIP(1, 64)
STRIP(2, 64)
STRIP(3, 64)
STRIP(4, 64)

static void strip_wide(const satk_box *job, int first, int last, void *scratch)
{
    ring_strip(job, (satk_range){first, last}, scratch, job->src.channels, 64, 1);
}

static satk_strip_function *const strips[2][4] = {
    {strip_1_32, strip_2_32, strip_3_32, strip_4_32},
    {strip_1_64, strip_2_64, strip_3_64, strip_4_64},
};

void SATK_LEVELED(satk_ring)(const satk_box *job, int first, int last, void *scratch)
{
    if (job->wide)
        strip_wide(job, first, last, scratch);
    else
        strips[job->word == 64][job->src.channels - 1](job, first, last, scratch);
}

/* Returns several strips per thread, since pixels in focus cost little. They are high, so
 * that few rows are built by two strips. One thread has one strip. */
satk_strips SATK_LEVELED(satk_ring_strips)(const satk_box *job, int threads)
{
    const int fair = (job->src.height + 4 * threads - 1) / (4 * threads), high = 6 * reach_of(job);
    const int most = (job->src.height + threads - 1) / threads;
    const int several = fair > high ? fair : high < most ? high : most;
    const size_t row =
        (size_t)job->src.width * (size_t)SATK_LANES(job->src.channels) * (size_t)(job->word / 8);

    return (satk_strips){.rows = threads > 1 ? several : job->src.height,
                         .bytes = ring_rows(job) * row + 64};
}
