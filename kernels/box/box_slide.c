/* One whole radius for all pixels: column sums slide down, their row is scanned. See box.h. */
#include "box/box_level.h"
#include "box/box_move.h"
#include "box/box_rule.h"
#include "box/box_strip.h"

enum { ENCODED = 8 * LANES }; /* samples that are encoded at a time */

/* A thread's rows of words, one after the other in its scratch. */
typedef struct slider {
    int rx, ry; /* no larger than makes a difference */
    /* By sample: the sum over the window's rows; zeros beside it, as far as a window reaches. */
    void *sums;
    void *prefix; /* pixel by pixel: pixel j has the sums of all pixels before j - rx */
    /* In vectors: by sample, 1 / its window's columns, of every other lane and then of the others. */
    double *inverse;
    uint32_t *mean; /* zeros beyond the row's end, for whole vectors */
    decoder decode; /* of 8 bits */
    encoder encode;
} slider;

static size_t smaller_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* 1: sums and means are found in vectors. */
static int is_vector_job(const satk_box *job)
{
    const uint64_t columns =
        (uint64_t)most_inside(reach(job->radius_x, job->src.width), job->src.width);
    const uint64_t rows =
        (uint64_t)most_inside(reach(job->radius_y, job->src.height), job->src.height);
    const uint64_t sample =
        (1u << (job->tone.decode ? SATK_LINEAR_BITS(job->src.bits) : job->src.bits)) - 1;

    return job->word == 32 && !job->tone.weighted &&
           columns * rows * (2 * sample + 1) / 2 + 1 <= UINT32_MAX;
}

/* Zeros on either side of the sums; whole vectors, so that the sums of each are in one line of the cache. */
static size_t pad_samples(const satk_box *job, const slider *s)
{
    return (((size_t)s->rx + 1) * (size_t)job->src.channels / LANES + 3) * LANES;
}

static slider lay_out(const satk_box *job, void *scratch, size_t *bytes)
{
    slider s = {.rx = reach(job->radius_x, job->src.width),
                .ry = reach(job->radius_y, job->src.height)};
    const size_t samples = (size_t)job->src.width * (size_t)job->src.channels;
    const size_t word = (size_t)job->word / 8, pad = pad_samples(job, &s);
    const size_t row = rounded((samples + ENCODED) * sizeof(uint32_t));
    uint8_t *at = scratch;

    s.sums = at + pad * word;
    at += rounded((samples + 2 * pad) * word);
    if (is_vector_job(job)) {
        s.inverse = (double *)(void *)at;
        s.mean = (uint32_t *)(void *)(at += 2 * row);
        at += row;
    } else {
        s.prefix = at;
        at += rounded((samples + 2 * pad) * word);
    }
    *bytes = (size_t)(at - (uint8_t *)scratch);
    return s;
}

/* --- Means, in vectors ------------------------------------------------------------------------ */

/* Room is for whole vectors. */
static void set_inverses(slider *s, const satk_box *job)
{
    const size_t channels = (size_t)job->src.channels;
    const size_t samples = (size_t)job->src.width * channels;

    for (size_t i = 0; i < samples; i++) {
        const size_t vector = i / LANES * LANES, lane = i % LANES;
        s->inverse[vector + lane % 2 * (LANES / 2) + lane / 2] =
            1.0 / inside((int)(i / channels), s->rx, job->src.width);
    }
}

/* A row on its way. */
typedef struct row_walk {
    scanner scan;
    lanes sums; /* of the windows before the next vector: scan_lanes()'s carry */
    size_t next;
    int rows; /* of the windows that are inside */
    void *out;
} row_walk;

/* Means from the next vector on, while it begins before `last` and ends by `samples`; `whole`: all their
 * windows have so many columns, or 0. bits of an element of out: 8, 16 or 32. */
SATK_FN void find_means(const slider *s, row_walk *w, size_t last, size_t samples, int whole,
                        int channels, int bits)
{
    const uint32_t *const enters = (const uint32_t *)s->sums + (size_t)s->rx * (size_t)channels;
    const uint32_t *const leaves =
        (const uint32_t *)s->sums - ((size_t)s->rx + 1) * (size_t)channels;
    const double_lanes by_rows = (double_lanes){0} + ABOVE_ONE / w->rows;
    const quotient q = make_quotient((uint32_t)(whole ? whole : 1) * (uint32_t)w->rows);
    lanes sums = w->sums;
    size_t i = w->next;

    for (; i < last && i + LANES <= samples; i += LANES) {
        const lanes change = lanes_at(enters + i) - lanes_at(leaves + i);
        const lanes total = scan_lanes(&w->scan, change, &sums, channels);
        lanes mean;
        if (whole) {
            mean = mean_by_quotient(total, &q);
        } else {
            double_pair by;
            memcpy(&by, s->inverse + i, sizeof by);
            by.even *= by_rows;
            by.odd *= by_rows;
            mean = mean_by_inverse(total, by);
        }
        put_lanes((uint8_t *)w->out + i * (size_t)(bits / 8), mean, LANES, bits);
    }
    w->sums = sums;
    w->next = i;
}

/* The sums of the window before the first pixel: those of the pixels that enter until then. */
SATK_FN void begin_walk(const slider *s, row_walk *w, int channels)
{
    const size_t enters = (size_t)s->rx * (size_t)channels;

    for (size_t i = (enters + LANES - 1) / LANES * LANES; i > 0; i -= LANES)
        scan_lanes(&w->scan, lanes_at((const uint32_t *)s->sums + enters - i), &w->sums, channels);
}

/* The last samples, less than a vector. */
SATK_FN void end_walk(const slider *s, row_walk *w, size_t samples, int channels, int bits)
{
    const size_t i = w->next;
    uint32_t rest[LANES];
    slider tail = *s;
    row_walk end = *w;

    if (i == samples)
        return;
    tail.sums = (uint32_t *)s->sums + i;
    tail.inverse += i;
    end.next = 0;
    end.out = rest;
    find_means(&tail, &end, LANES, LANES, 0, channels, 32);
    put_lanes((uint8_t *)w->out + i * (size_t)(bits / 8), lanes_at(rest), (int)(samples - i), bits);
}

/* A row of means: elements of 8, 16 or 32 bits. */
typedef struct mean_target {
    void *out;
    int bits;
} mean_target;

/* Slides and finds the means of row y, piece by piece, so that the sums are still in the first cache. */
SATK_FN void find_row(const satk_box *job, const slider *s, move rows, int y, mean_target to,
                      int channels, int bits)
{
    enum { PIECE = 512 }; /* pixels */
    const mover m = {&job->tone, &s->decode, s->sums, channels, bits, 32};
    const int width = job->src.width;
    const size_t samples = (size_t)width * (size_t)channels;
    const size_t left = (size_t)s->rx * (size_t)channels, right = samples - left;
    row_walk w = {.scan = make_scanner((uint32_t)channels),
                  .rows = inside(y, s->ry, job->src.height),
                  .out = to.out};
    int slid = smaller(width, s->rx + PIECE);

    slide(&m, rows, 0, slid);
    begin_walk(s, &w, channels);
    for (; slid < width;) {
        const int next = smaller(width, slid + PIECE);
        const size_t ready = (size_t)slid * (size_t)channels - left - LANES + 1;
        find_means(s, &w, smaller_size(ready, left), samples, 0, channels, to.bits);
        find_means(s, &w, ready, right, 2 * s->rx + 1, channels, to.bits);
        slide(&m, rows, slid, next);
        slid = next;
    }
    find_means(s, &w, left, samples, 0, channels, to.bits);
    find_means(s, &w, right, right, 2 * s->rx + 1, channels, to.bits);
    find_means(s, &w, samples, samples, 0, channels, to.bits);
    end_walk(s, &w, samples, channels, to.bits);
}

/* Means of a row to codes of 8 bits. */
SATK_FN void encode_row(const slider *s, uint8_t *dst, size_t samples, int channels)
{
    const encoder e = s->encode; /* in registers */
    const lanes alpha = alpha_lanes(channels);

    for (size_t i = 0; i < samples; i += ENCODED) {
        lanes pairs[ENCODED / (2 * LANES)];
        for (size_t j = 0; j < ENCODED; j += 2 * LANES)
            pairs[j / (2 * LANES)] =
                pairs_of(lanes_at(s->mean + i + j), lanes_at(s->mean + i + j + LANES));
        encode_pairs(&e, pairs, ENCODED / (2 * LANES));
        for (size_t j = 0; j < ENCODED; j += LANES) {
            const lanes pair = pairs[j / (2 * LANES)], mean = lanes_at(s->mean + i + j);
            const lanes code = j / LANES % 2 ? pair >> 16 : pair & 0xffff;
            const lanes codes = (code & ~alpha) | (mean & alpha);
            if (i + j + LANES <= samples)
                put_lanes(dst + i + j, codes, LANES, 8);
            else if (i + j < samples)
                put_lanes(dst + i + j, codes, (int)(samples - i - j), 8);
        }
    }
}

SATK_FN void mean_row(const satk_box *job, const slider *s, move rows, int y, int channels,
                      int bits)
{
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const uint16_t *const encode = job->tone.encode;

    if (!encode) {
        find_row(job, s, rows, y, (mean_target){dst, bits}, channels, bits);
        return;
    }
    find_row(job, s, rows, y, (mean_target){s->mean, 32}, channels, bits);
    if (bits == 8) {
        encode_row(s, dst, (size_t)job->src.width * (size_t)channels, channels);
        return;
    }
    for (int x = 0; x < job->src.width; x++) {
        uint32_t *const codes = s->mean + x * channels;
        for (int c = 0; c < channels - satk_has_alpha(channels); c++)
            codes[c] = encode[codes[c]];
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

/* --- Means, pixel by pixel: 64-bit sums, or colours that are weighted by alpha ------------------ */

/* The scanned row: rx pixels of nothing, width + 1 exclusive prefixes, rx pixels of everything. */
SATK_FN void scan_row(const satk_box *job, const slider *s, int channels, int word)
{
    const size_t width = (size_t)job->src.width, pads = (size_t)s->rx * (size_t)channels;
    const uint32_t *const sums32 = s->sums;
    const uint64_t *const sums64 = s->sums;
    uint32_t *const prefix32 = (uint32_t *)s->prefix + pads;
    uint64_t *const prefix64 = (uint64_t *)s->prefix + pads;
    uint64_t sum[4] = {0, 0, 0, 0};

    for (size_t x = 0; x <= width + (size_t)s->rx; x++) {
        for (int c = 0; c < channels; c++) {
            const size_t at = x * (size_t)channels + (size_t)c;
            if (word == 32)
                prefix32[at] = (uint32_t)sum[c];
            else
                prefix64[at] = sum[c];
            if (x < width)
                sum[c] += word == 32 ? sums32[at] : sums64[at];
        }
    }
}

SATK_FN void mean_pixels(const satk_box *job, const slider *s, int y, int channels, int bits,
                         int word)
{
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const uint64_t rows = (uint64_t)inside(y, s->ry, job->src.height);
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
        t.area = (uint64_t)inside(x, s->rx, job->src.width) * rows;
        t.narrow = word == 32;
        satk_mean_codes(&job->tone, &t, src, x, codes, channels, bits, 0);
        satk_put_pixel(dst, x, channels, bits, codes);
    }
}

/* --- Strips ----------------------------------------------------------------------------------- */

SATK_FN void slide_strip(const satk_box *job, int first, int last, void *scratch, int channels,
                         int bits, int word)
{
    const int height = job->src.height, in_vectors = is_vector_job(job);
    const size_t samples = (size_t)job->src.width * (size_t)channels, one = (size_t)(word / 8);
    size_t bytes;
    slider s = lay_out(job, scratch, &bytes);
    const size_t pad = pad_samples(job, &s);
    const mover m = {&job->tone, &s.decode, s.sums, channels, bits, word};

    memset((uint8_t *)s.sums - pad * one, 0, (samples + 2 * pad) * one);
    if (bits == 8) {
        s.decode = make_decoder(job->tone.decode);
        s.encode = make_encoder(job->tone.encode, (1u << SATK_LINEAR_BITS(8)) - 1);
    }
    if (in_vectors) {
        set_inverses(&s, job);
        memset(s.mean + samples, 0, ENCODED * sizeof *s.mean);
    } else {
        memset(s.prefix, 0, (size_t)s.rx * (size_t)channels * one);
    }
    for (int y = first > s.ry ? first - s.ry : 0; y < first + s.ry && y < height; y++)
        slide(&m, (move){row_of(&job->src, y), NULL}, 0, job->src.width);
    for (int y = first; y < last; y++) {
        const move rows = move_to(&job->src, y, first, s.ry);
        if (in_vectors) {
            mean_row(job, &s, rows, y, channels, bits);
        } else {
            slide(&m, rows, 0, job->src.width);
            scan_row(job, &s, channels, word);
            mean_pixels(job, &s, y, channels, bits, word);
        }
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
