/* One whole radius for all pixels: column sums slide down, their row is scanned. See box.h. */
#include "box_level.h"

#include "window.h"

#include <string.h>

/* A thread's rows of words, one after the other in its scratch. */
typedef struct slider {
    int rx, ry;   /* no larger than makes a difference */
    void *sums;   /* by sample: the sum over the window's rows */
    void *prefix; /* by sample: pixel j has the sums of all pixels before j - rx */
    uint32_t *divisor, *reciprocal; /* by sample: of the window's area */
    uint32_t *mean;
    int rows; /* that the divisors are for */
} slider;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static int reach(uint32_t radius, int side)
{
    return smaller((int)(radius / SATK_ONE), side - 1);
}

static size_t prefix_pixels(const satk_box *job)
{
    return (size_t)job->src.width + 2 * (size_t)reach(job->radius_x, job->src.width) + 1;
}

static slider lay_out(const satk_box *job, void *scratch, size_t *bytes)
{
    const size_t samples = (size_t)job->src.width * (size_t)job->src.channels;
    const size_t word = (size_t)job->word / 8, row = rounded(samples * sizeof(uint32_t));
    const size_t prefix =
        prefix_pixels(job) * (size_t)job->src.channels + 4; /* vectors end there */
    uint8_t *at = scratch;
    slider s = {.rx = reach(job->radius_x, job->src.width),
                .ry = reach(job->radius_y, job->src.height)};

    s.sums = at;
    s.prefix = at += rounded((samples + 4) * word);
    s.divisor = (uint32_t *)(void *)(at += rounded(prefix * word));
    s.reciprocal = (uint32_t *)(void *)(at += row);
    s.mean = (uint32_t *)(void *)(at += row);
    *bytes = (size_t)(at + row - (uint8_t *)scratch);
    return s;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* sums += the samples of the row that enters, - those of the row that leaves; NULL: none does.
 * Inlined with constant NULLs. */
SATK_FN void slide(const satk_box *job, const uint8_t *enter, const uint8_t *leave, void *sums,
                   int channels, int bits, int word)
{
    const size_t samples = (size_t)job->src.width * (size_t)channels;
    uint32_t *const sums32 = sums;
    uint64_t *const sums64 = sums;

    if (!job->tone.decode && !job->tone.weighted) {
        for (size_t i = 0; i < samples; i++) { /* in vectors */
            const uint32_t change =
                (enter ? satk_code(enter, i, bits) : 0) - (leave ? satk_code(leave, i, bits) : 0);
            if (word == 32)
                sums32[i] += change;
            else
                sums64[i] += (uint64_t)(int32_t)change;
        }
        return;
    }
    for (int x = 0; x < job->src.width; x++) {
        uint64_t in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0};
        if (enter)
            satk_samples(&job->tone, enter, x, channels, bits, in);
        if (leave)
            satk_samples(&job->tone, leave, x, channels, bits, out);
        for (int c = 0; c < channels; c++)
            if (word == 32)
                sums32[x * channels + c] += (uint32_t)(in[c] - out[c]);
            else
                sums64[x * channels + c] += in[c] - out[c];
    }
}

typedef uint32_t four_words __attribute__((vector_size(16)));

/* The scanned row: rx pixels of nothing, width + 1 exclusive prefixes, rx pixels of everything. */
SATK_FN void scan_row(const satk_box *job, const slider *s, int channels, int word)
{
    const size_t width = (size_t)job->src.width, pads = (size_t)s->rx * (size_t)channels;
    const uint32_t *const sums32 = s->sums;
    const uint64_t *const sums64 = s->sums;
    uint32_t *const prefix32 = (uint32_t *)s->prefix + pads;
    uint64_t *const prefix64 = (uint64_t *)s->prefix + pads;
    four_words sum = {0, 0, 0, 0}, next;
    uint64_t wide[4] = {0, 0, 0, 0};

    for (size_t x = 0; x <= width + (size_t)s->rx; x++) {
        const size_t at = x * (size_t)channels;
        if (word == 32 &&
            channels >= 3) { /* a pixel is a vector; what is too much is overwritten */
            memcpy(prefix32 + at, &sum, sizeof sum);
            memcpy(&next, sums32 + (x < width ? at : 0), sizeof next);
            sum = x < width ? sum + next : sum;
            continue;
        }
        for (int c = 0; c < channels; c++) {
            if (word == 32)
                prefix32[at + (size_t)c] = (uint32_t)wide[c];
            else
                prefix64[at + (size_t)c] = wide[c];
            if (x < width)
                wide[c] += word == 32 ? sums32[at + (size_t)c] : sums64[at + (size_t)c];
        }
    }
}

static int columns_of(const slider *s, int x, int width)
{
    return smaller(x + s->rx, width - 1) - (x > s->rx ? x - s->rx : 0) + 1;
}

/* Samples first <= i < last have windows of this area. */
static void set_divisor(slider *s, size_t first, size_t last, uint32_t area)
{
    const uint32_t reciprocal = (uint32_t)satk_divide_by(area, 1).reciprocal;

    for (size_t i = first; i < last; i++) {
        s->divisor[i] = area;
        s->reciprocal[i] = reciprocal;
    }
}

/* The windows' areas where so many of their rows are inside: the same from the left as from the
 * right, and constant between. */
static void set_divisors(slider *s, const satk_box *job, int rows)
{
    const int width = job->src.width, ramp = smaller(s->rx, width / 2);
    const size_t channels = (size_t)job->src.channels;

    s->rows = rows;
    for (int x = 0; x < ramp; x++) {
        const uint32_t area = (uint32_t)columns_of(s, x, width) * (uint32_t)rows;
        const size_t left = (size_t)x * channels, right = (size_t)(width - 1 - x) * channels;
        set_divisor(s, left, left + channels, area);
        set_divisor(s, right, right + channels, area);
    }
    set_divisor(s, (size_t)ramp * channels, (size_t)(width - ramp) * channels,
                (uint32_t)columns_of(s, ramp, width) * (uint32_t)rows);
}

/* --- Means ------------------------------------------------------------------------------------ */

/* The means of a row, all samples alike: in vectors. bits of an element of out: 8, 16 or 32. */
SATK_FN void find_means(const slider *s, size_t samples, int channels, void *out, int bits)
{
    const uint32_t *const low = s->prefix;
    const uint32_t *const high = low + (size_t)(2 * s->rx + 1) * (size_t)channels;
    const uint32_t *const divisor = s->divisor, *const reciprocal = s->reciprocal;

    for (size_t i = 0; i < samples; i++) {
        const satk_divisor d = {divisor[i], reciprocal[i], 1};
        const uint32_t mean = satk_mean32(high[i] - low[i], &d);
        if (bits == 8)
            ((uint8_t *restrict)out)[i] = (uint8_t)mean;
        else if (bits == 16)
            ((uint16_t *restrict)out)[i] = (uint16_t)mean;
        else
            ((uint32_t *restrict)out)[i] = mean;
    }
}

SATK_FN void mean_row(const satk_box *job, const slider *s, uint8_t *dst, int channels, int bits)
{
    const size_t samples = (size_t)job->src.width * (size_t)channels;
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    const uint16_t *const encode = job->tone.encode;

    if (!encode) {
        find_means(s, samples, channels, dst, bits);
        return;
    }
    find_means(s, samples, channels, s->mean, 32);
    for (int x = 0; x < job->src.width; x++) {
        uint32_t *const codes = s->mean + x * channels;
        for (int c = 0; c < colours; c++)
            codes[c] = encode[codes[c]];
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

/* Pixel by pixel: 64-bit sums, or colours that are weighted by alpha. */
SATK_FN void mean_pixels(const satk_box *job, const slider *s, int y, uint8_t *dst, int channels,
                         int bits, int word)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const size_t width = (size_t)(2 * s->rx + 1) * (size_t)channels;

    for (int x = 0; x < job->src.width; x++) {
        const size_t low = (size_t)x * (size_t)channels, high = low + width;
        uint32_t codes[4];
        satk_total t;
        for (int c = 0; c < channels; c++)
            t.sum[c] = word == 32 ? ((const uint32_t *)s->prefix)[high + (size_t)c] -
                                        ((const uint32_t *)s->prefix)[low + (size_t)c]
                                  : ((const uint64_t *)s->prefix)[high + (size_t)c] -
                                        ((const uint64_t *)s->prefix)[low + (size_t)c];
        t.area = (uint64_t)columns_of(s, x, job->src.width) * (uint64_t)s->rows;
        t.narrow = word == 32;
        satk_mean_codes(job, &t, src, x, codes, channels, bits, 0);
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

/* --- Strips ----------------------------------------------------------------------------------- */

static const uint8_t *row_of(const satk_plane *src, int y)
{
    return (const uint8_t *)src->data + y * src->pitch;
}

SATK_FN void slide_strip(const satk_box *job, int first, int last, void *scratch, int channels,
                         int bits, int word)
{
    const int height = job->src.height;
    const size_t samples = (size_t)job->src.width * (size_t)channels;
    size_t bytes;
    slider s = lay_out(job, scratch, &bytes);

    memset(s.sums, 0, (samples + 4) * (size_t)(word / 8));
    memset(s.prefix, 0, (size_t)s.rx * (size_t)channels * (size_t)(word / 8));
    for (int y = first > s.ry ? first - s.ry : 0; y < first + s.ry && y < height; y++)
        slide(job, row_of(&job->src, y), NULL, s.sums, channels, bits, word);
    for (int y = first; y < last; y++) {
        const int top = y > s.ry ? y - s.ry : 0, bottom = smaller(y + s.ry, height - 1);
        const uint8_t *const enter = y + s.ry < height ? row_of(&job->src, y + s.ry) : NULL;
        const uint8_t *const leave = y > first && y > s.ry ? row_of(&job->src, y - s.ry - 1) : NULL;
        uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
        if (enter && leave)
            slide(job, enter, leave, s.sums, channels, bits, word);
        else if (enter)
            slide(job, enter, NULL, s.sums, channels, bits, word);
        else if (leave)
            slide(job, NULL, leave, s.sums, channels, bits, word);
        scan_row(job, &s, channels, word);
        if (s.rows != bottom - top + 1)
            set_divisors(&s, job, bottom - top + 1);
        if (word == 32 && !job->tone.weighted)
            mean_row(job, &s, dst, channels, bits);
        else
            mean_pixels(job, &s, y, dst, channels, bits, word);
    }
}

/* One function per kind of image and table, each with constant channels, bits and word. */
#define STRIP(channels, bits, word)                                                                \
    static void strip_##channels##_##bits##_##word(const satk_box *job, int first, int last,       \
                                                   void *scratch)                                  \
    {                                                                                              \
        slide_strip(job, first, last, scratch, channels, bits, word);                              \
    }
#define STRIPS(bits, word)                                                                         \
    STRIP(1, bits, word) STRIP(2, bits, word) STRIP(3, bits, word) STRIP(4, bits, word)
STRIPS(8, 32)
STRIPS(8, 64)
STRIPS(16, 32)
STRIPS(16, 64)

#define NAMES(bits, word)                                                                          \
    {                                                                                              \
        strip_1_##bits##_##word, strip_2_##bits##_##word, strip_3_##bits##_##word,                 \
            strip_4_##bits##_##word                                                                \
    }
static satk_strip_function *const strips[2][2][4] = {
    {NAMES(8, 32), NAMES(8, 64)},
    {NAMES(16, 32), NAMES(16, 64)},
};

void SATK_LEVELED(satk_slide)(const satk_box *job, int first, int last, void *scratch)
{
    strips[job->src.bits == 16][job->word == 64][job->src.channels - 1](job, first, last, scratch);
}

/* A strip per thread: all rows cost the same. */
satk_strips SATK_LEVELED(satk_slide_strips)(const satk_box *job, int threads)
{
    satk_strips s = {.rows = (job->src.height + threads - 1) / threads};

    lay_out(job, NULL, &s.bytes);
    return s;
}
