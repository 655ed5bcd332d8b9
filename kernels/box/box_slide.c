/* Blurs with one whole radius for all pixels: column sums slide down, and their row is scanned. See box.h. */
#include "box/box_halves.h"
#include "box/box_level.h"
#include "box/box_move.h"
#include "box/box_rule.h"
#include "box/box_strip.h"
#include "box/box_walk.h"

enum { ENCODED = 8 * LANES }; /* samples that are encoded at a time */

/* A thread's rows of words, one after the other in its scratch. */
typedef struct slider {
    int rx, ry; /* no larger than makes a difference */
    /* Moves the sums over the windows' rows from row to row; zeros beside them, as far as a window reaches. */
    move_step *step;
    mover to;
    scanner scan;
    void *prefix; /* pixel by pixel: pixel j has the sums of all pixels before j - rx */
    /* In vectors: by sample, 1 / its window's columns; but with 32 bits, of every other lane of a vector and then of the
     * others. */
    double *inverse;
    uint32_t *mean; /* zeros beyond the row's end, for whole vectors */
    encoder encode; /* of 8 bits */
} slider;

static size_t smaller_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns 1 if sums and means are found in vectors. */
static int is_vector_job(const satk_box *job)
{
    const uint64_t columns =
        (uint64_t)most_inside(reach(job->radius_x, job->src.width), job->src.width);
    const uint64_t rows =
        (uint64_t)most_inside(reach(job->radius_y, job->src.height), job->src.height);
    const uint64_t sample = ((uint64_t)1 << satk_sample_bits(&job->tone, job->src.bits)) - 1;

    return job->word == 32 && !job->tone.weighted &&
           columns * rows * (2 * sample + 1) / 2 + 1 <= UINT32_MAX;
}

/* Returns 1 if means of half floats are found in vectors. */
static int are_vector_halves(const satk_box *job)
{
    const uint64_t columns =
        (uint64_t)most_inside(reach(job->radius_x, job->src.width), job->src.width);
    const uint64_t rows =
        (uint64_t)most_inside(reach(job->radius_y, job->src.height), job->src.height);

    return job->tone.half && job->word == 64 && columns * rows <= 1 << (48 - SATK_HALF_BITS);
}

/* Returns the zeros on either side of the sums, whole vectors: then the sums of a vector are in one line of the cache. */
static size_t pad_samples(const satk_box *job, const slider *s)
{
    return (((size_t)s->rx + 1) * (size_t)job->src.channels / LANES + 3) * LANES;
}

static slider lay_out(const satk_box *job, void *scratch, size_t *bytes)
{
    slider s = {.rx = reach(job->radius_x, job->src.width),
                .ry = reach(job->radius_y, job->src.height),
                .step = step_for(job),
                .to = {.tone = job->tone, .channels = job->src.channels}};
    const size_t samples = (size_t)job->src.width * (size_t)job->src.channels;
    const size_t word = (size_t)job->word / 8, pad = pad_samples(job, &s);
    const size_t row = rounded((samples + ENCODED) * sizeof(uint32_t));
    uint8_t *at = scratch;

    s.to.sums = at + pad * word;
    at += rounded((samples + 2 * pad) * word);
    if (is_vector_job(job)) {
        s.inverse = (double *)(void *)at;
        s.mean = (uint32_t *)(void *)(at += 2 * row);
        at += row;
    } else {
        s.prefix = at;
        at += rounded((samples + 2 * pad) * word);
        s.inverse = (double *)(void *)at;
        at += are_vector_halves(job) ? 2 * row : 0;
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
        const size_t at = job->word == 32 ? vector + lane % 2 * (LANES / 2) + lane / 2 : i;
        s->inverse[at] = 1.0 / inside((int)(i / channels), s->rx, job->src.width);
    }
}

/* Finds the last means, less than a vector. */
static void end_walk(const row_walk *w, size_t samples, int bits, means_step *means)
{
    const size_t i = w->next;
    uint32_t rest[LANES];
    row_walk tail = *w;

    if (i == samples)
        return;
    tail.enters += i;
    tail.leaves += i;
    tail.inverse += i;
    tail.next = 0;
    tail.out = rest;
    means(&tail, LANES, LANES, 0);
    put_lanes((uint8_t *)w->out + i * (size_t)(bits / 8), lanes_at(rest), (int)(samples - i), bits);
}

/* Slides and finds the means of row y, piece by piece, so that the sums are still in the first cache. bits of an element
 * of out: 8, 16 or 32. */
static void find_row(const satk_box *job, const slider *s, move m, int y, void *out, int bits)
{
    enum { PIECE = 512 }; /* pixels */
    const int width = job->src.width;
    const size_t channels = (size_t)job->src.channels, samples = (size_t)width * channels;
    const size_t left = (size_t)s->rx * channels, right = samples - left;
    const walk_steps *const steps = &walks[channels - 1];
    means_step *const means = steps->means[bits / 16];
    row_walk w = {.scan = s->scan,
                  .rows = inside(y, s->ry, job->src.height),
                  .enters = (const uint32_t *)s->to.sums + left,
                  .leaves = (const uint32_t *)s->to.sums - left - channels,
                  .inverse = s->inverse,
                  .out = out};
    int slid = satk_smaller(width, s->rx + PIECE);

    s->step(&s->to, m, 0, slid);
    steps->begin(&w, left);
    while (slid < width) {
        const int next = satk_smaller(width, slid + PIECE);
        const size_t ready = (size_t)slid * channels - left - LANES + 1;
        means(&w, smaller_size(ready, left), samples, 0);
        means(&w, ready, right, 2 * s->rx + 1);
        s->step(&s->to, m, slid, next);
        slid = next;
    }
    means(&w, left, samples, 0);
    means(&w, right, right, 2 * s->rx + 1);
    means(&w, samples, samples, 0);
    end_walk(&w, samples, bits, steps->means[2]);
}

/* Stores the means of a row as codes of 8 bits. */
static void encode_row(const slider *s, uint8_t *dst, size_t samples)
{
    const encoder e = s->encode; /* in registers */
    const lanes alpha = s->to.alpha;

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

/* Stores the means of a row as codes of 16 bits. */
SATK_FN void encode_deep_row(const satk_box *job, const uint32_t *mean, uint16_t *dst, int channels)
{
    const uint16_t *const encode = job->tone.encode;
    const int colours = channels - satk_has_alpha(channels);

    for (int x = 0; x < job->src.width; x++, mean += channels, dst += channels)
        for (int c = 0; c < channels; c++)
            dst[c] = c < colours ? encode[mean[c]] : (uint16_t)mean[c];
}

static void mean_row(const satk_box *job, const slider *s, move m, int y)
{
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    void *const deep = dst;
    const int bits = job->src.bits, channels = job->src.channels;

    if (!job->tone.encode) {
        find_row(job, s, m, y, dst, bits);
        return;
    }
    find_row(job, s, m, y, s->mean, 32);
    if (bits == 8)
        encode_row(s, dst, (size_t)job->src.width * (size_t)channels);
    else if (channels == 3)
        encode_deep_row(job, s->mean, deep, 3);
    else
        encode_deep_row(job, s->mean, deep, channels);
}

/* --- Means, pixel by pixel: 64-bit sums, or colours that are weighted by alpha ------------------ */

/* Finds the scanned row: rx pixels of nothing, width + 1 exclusive prefixes, rx pixels of everything. */
SATK_FN void scan_row(const satk_box *job, const slider *s, int channels, int word)
{
    const size_t width = (size_t)job->src.width, pads = (size_t)s->rx * (size_t)channels;
    const uint32_t *const sums32 = s->to.sums;
    const uint64_t *const sums64 = s->to.sums;
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

/* Finds the means of the pixels from first on. */
SATK_FN void mean_pixels(const satk_box *job, const slider *s, int y, int first, int channels,
                         int bits, int word)
{
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const uint64_t rows = (uint64_t)inside(y, s->ry, job->src.height);
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const size_t width = (size_t)(2 * s->rx + 1) * (size_t)channels;

    for (int x = first; x < job->src.width; x++) {
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

/* Each kind of picture and sums has a function with constant channels, bits and word. */
typedef void pixels_step(const satk_box *job, const slider *s, int y);
#define PIXELS_STEP(channels, bits, word)                                                          \
    static void pixels_##channels##_##bits##_##word(const satk_box *job, const slider *s, int y)   \
    {                                                                                              \
        scan_row(job, s, channels, word);                                                          \
        mean_pixels(job, s, y, 0, channels, bits, word);                                           \
    }
#define PIXELS_STEPS(bits, word)                                                                   \
    PIXELS_STEP(1, bits, word)                                                                     \
    PIXELS_STEP(2, bits, word) PIXELS_STEP(3, bits, word) PIXELS_STEP(4, bits, word)
PIXELS_STEPS(8, 32)
PIXELS_STEPS(8, 64)
PIXELS_STEPS(16, 32)
PIXELS_STEPS(16, 64)

/* Half floats: vectors first. */
SATK_FN void mean_halves(const satk_box *job, const slider *s, int y, int channels)
{
    const uint64_t *const prefix = s->prefix;
    const halves_row row = {.before = prefix,
                            .after = prefix + (size_t)(2 * s->rx + 1) * (size_t)channels,
                            .inverse = s->inverse,
                            .by_rows = ABOVE_ONE / inside(y, s->ry, job->src.height),
                            .decode = job->tone.decode,
                            .src = row_of(&job->src, y),
                            .dst = (uint8_t *)job->dst.data + y * job->dst.pitch};

    scan_row(job, s, channels, 64);
    const size_t done = put_halves(&row, (size_t)job->src.width * (size_t)channels);
    mean_pixels(job, s, y, (int)(done / (size_t)channels), channels, 16, 64);
}

#define HALVES_STEP(channels)                                                                      \
    static void halves_##channels(const satk_box *job, const slider *s, int y)                     \
    {                                                                                              \
        mean_halves(job, s, y, channels);                                                          \
    }
HALVES_STEP(1)
HALVES_STEP(2)
HALVES_STEP(3)
HALVES_STEP(4)
static pixels_step *const halves[4] = {halves_1, halves_2, halves_3, halves_4};

#define NAMES(bits, word)                                                                          \
    {                                                                                              \
        pixels_1_##bits##_##word, pixels_2_##bits##_##word, pixels_3_##bits##_##word,              \
            pixels_4_##bits##_##word                                                               \
    }
static pixels_step *const pixels[2][2][4] = {
    {NAMES(8, 32), NAMES(8, 64)},
    {NAMES(16, 32), NAMES(16, 64)},
};

/* --- Strips ----------------------------------------------------------------------------------- */

/* Fills the scratch with what no row has found yet. */
static void prepare_slider(slider *s, const satk_box *job, int in_vectors)
{
    const size_t channels = (size_t)job->src.channels, one = (size_t)job->word / 8;
    const size_t samples = (size_t)job->src.width * channels, pad = pad_samples(job, s);

    memset((uint8_t *)s->to.sums - pad * one, 0, (samples + 2 * pad) * one);
    s->to.alpha = alpha_lanes((int)channels);
    if (job->src.bits == 8) {
        s->to.decode = make_decoder(job->tone.decode);
        s->encode = make_encoder(job->tone.encode, (1u << SATK_LINEAR_BITS(8)) - 1);
    }
    if (in_vectors) {
        s->scan = make_scanner((uint32_t)channels);
        set_inverses(s, job);
        memset(s->mean + samples, 0, ENCODED * sizeof *s->mean);
    } else {
        memset(s->prefix, 0, (size_t)s->rx * channels * one);
        if (are_vector_halves(job))
            set_inverses(s, job);
    }
}

void SATK_LEVELED(satk_slide)(const satk_box *job, int first, int last, void *scratch)
{
    const int width = job->src.width, height = job->src.height, in_vectors = is_vector_job(job);
    pixels_step *const find_pixels =
        are_vector_halves(job)
            ? halves[job->src.channels - 1]
            : pixels[job->src.bits == 16][job->word == 64][job->src.channels - 1];
    size_t bytes;
    slider s = lay_out(job, scratch, &bytes);

    prepare_slider(&s, job, in_vectors);
    for (int y = first > s.ry ? first - s.ry : 0; y < first + s.ry && y < height; y++)
        s.step(&s.to, (move){row_of(&job->src, y), NULL}, 0, width);
    for (int y = first; y < last; y++) {
        const move m = move_to(&job->src, y, first, s.ry);
        if (in_vectors) {
            mean_row(job, &s, m, y);
        } else {
            s.step(&s.to, m, 0, width);
            find_pixels(job, &s, y);
        }
    }
}

/* Returns a strip per thread: all rows cost the same. */
satk_strips SATK_LEVELED(satk_slide_strips)(const satk_box *job, int threads)
{
    satk_strips s = {.rows = (job->src.height + threads - 1) / threads};

    lay_out(job, NULL, &s.bytes);
    return s;
}
