/* Blurs with one whole radius for all pixels, at 8 bits, with colours weighted by alpha. Column
 * sums of 32 bits slide down, as in box_slide.c. Each channel has a plane of its own, since a
 * window's sum needs 64 bits and is divided by another plane's. Where windows are opaque, alpha's
 * sums are known, and are left out. See box.h. */
#include "common/tone_lanes.h"

#include "box/box_level.h"
#include "box/box_strip.h"

enum {
    AHEAD = 4096, /* bytes between a row's use and its prefetch */
    PIECE = 128,  /* pixels, whose sums and means stay in the first cache */
    GROUP = 2     /* pairs of vectors that are encoded at a time */
};

/* A thread's scratch. */
typedef struct weigher {
    int rx, ry;
    size_t plane;   /* words from a plane of sums to the next */
    uint32_t *sums; /* by channel and column; zeros beside them, as far as a window reaches */
    double *
        inverse; /* by pixel: 1 / its window's columns; every other one of a vector, then the others */
    uint32_t *mean; /* by channel and pixel of a piece; all can be encoded */
    int *seen;      /* by piece of a row: the lowest row so far where it is not opaque */
} weigher;

/* Returns the zeros on either side of the sums, whole vectors: then the sums of a vector are in one line of the cache. */
static size_t pad_words(const weigher *w)
{
    return ((size_t)w->rx / LANES + 3) * LANES;
}

static weigher lay_out(const satk_box *job, void *scratch, size_t *bytes)
{
    const size_t width = (size_t)job->src.width, channels = (size_t)job->src.channels;
    weigher w = {.rx = reach(job->radius_x, job->src.width),
                 .ry = reach(job->radius_y, job->src.height)};
    uint8_t *at = scratch;

    w.plane = rounded((width + 2 * pad_words(&w)) * sizeof *w.sums) / sizeof *w.sums;
    w.inverse = (double *)(void *)at;
    at += rounded((width + LANES) * sizeof *w.inverse);
    w.mean = (uint32_t *)(void *)at;
    at += PIECE * channels * sizeof *w.mean;
    w.seen = (int *)(void *)at;
    at += rounded((width / PIECE + 1) * sizeof *w.seen);
    w.sums = (uint32_t *)(void *)at + pad_words(&w);
    at += channels * w.plane * sizeof *w.sums;
    *bytes = (size_t)(at - (uint8_t *)scratch);
    return w;
}

/* --- Sliding ---------------------------------------------------------------------------------- */

/* Returns the pixels from x on, one a lane; zeros beyond the row's end, and for no row (NULL). */
SATK_FN lanes pixels_at(const uint8_t *row, int x, int width, int channels)
{
    lanes v = {0};

    if (!row)
        return v;
    row += (size_t)x * (size_t)channels;
    __builtin_prefetch(row + AHEAD);
    if (x + LANES > width) {
        uint8_t rest[4 * LANES] = {0};
        memcpy(rest, row, (size_t)(width - x) * (size_t)channels);
        return channels == 2 ? lanes_from(rest, 16)
                             : lanes_at((const uint32_t *)(const void *)rest);
    }
    return channels == 2 ? lanes_from(row, 16) : lanes_at((const uint32_t *)(const void *)row);
}

/* Adds the samples that enter to the sums and subtracts those that leave, of pixels first <= x <
 * last; first is a whole number of vectors. Transparent pixels change nothing, and those beyond the
 * end count as transparent. */
SATK_FN void slide(const weigher *w, const decoder *decode, move m, int width, int first, int last,
                   int channels)
{
    const decoder d = *decode;                /* in registers */
    const lanes signs = lanes_of(0xffff0001); /* 1 and -1 */
    const int colours = channels - 1;

    for (int x = first; x < last; x += LANES) {
        const lanes enter = pixels_at(m.enter, x, width, channels);
        const lanes leave = pixels_at(m.leave, x, width, channels);
        const lanes two[2] = {low_pairs_of(enter, leave),
                              high_pairs_of(enter, leave)}; /* channels' */
        const lanes alpha = two[colours / 2] >> 8 & 0x00ff00ff;
        const lanes weights = signed_pairs(alpha, signs);
        for (int c = 0; c < colours; c++)
            add_lanes(w->sums + (size_t)c * w->plane + x,
                      change_of(decoded(&d, two[c / 2] >> c % 2 * 8 & 0x00ff00ff), weights));
        add_lanes(w->sums + (size_t)colours * w->plane + x, change_of(alpha, signs));
    }
}

/* Returns 1 if the pixels first <= x < last of a row are opaque. */
SATK_FN int is_opaque(const uint8_t *row, int first, int last, int channels)
{
    const size_t end = (size_t)last * (size_t)channels;
    size_t i = (size_t)first * (size_t)channels;
    const lanes alpha = lanes_of(channels == 2 ? 0xff00ff00 : 0xff000000);
    lanes less = {0};
    uint32_t rest = 0;

    for (; i + sizeof less <= end; i += sizeof less)
        less |= ~lanes_at((const uint32_t *)(const void *)(row + i)) & alpha;
    for (; i < end; i += (size_t)channels)
        rest |= 255 - row[i + (size_t)channels - 1];
    return !(any_bit(less) || rest);
}

/* Slides one piece, as row `entering` enters. */
SATK_FN void slide_piece(const weigher *w, const decoder *d, move m, int entering, int width,
                         int first, int channels)
{
    const int last = satk_smaller(width, first + PIECE);

    if (m.enter && !is_opaque(m.enter, first, last, channels))
        w->seen[first / PIECE] = entering;
    slide(w, d, m, width, first, last, channels);
}

/* Returns 1 if the windows of the pixels first <= x < last are opaque. */
SATK_FN int are_opaque(const weigher *w, int y, int first, int last, int width)
{
    const int from = first > w->rx ? first - w->rx : 0, to = satk_smaller(width, last + w->rx);

    for (int piece = from / PIECE; piece * PIECE < to; piece++)
        if (w->seen[piece] >= y - w->ry)
            return 0;
    return 1;
}

/* --- Means ------------------------------------------------------------------------------------ */

/* A row on its way. */
typedef struct walk {
    scanner scan;
    double_lanes
        before[4]; /* by channel: the sum of the last window before the next vector, in all lanes */
    int rows;      /* of the windows that are inside */
    double by_rows;
} walk;

/* Returns the sums of the windows of the pixels from x on, a vector. Pairs of pixels are scanned: the odd one's sum is the
 * pair's, the even one's lacks the odd one's change. */
SATK_FN double_pair find_sums(const weigher *w, const scanner *s, int x, int channel,
                              double_lanes *before)
{
    const uint32_t *const plane = w->sums + (size_t)channel * w->plane;
    const double_pair enter = above_two52(lanes_at(plane + x + w->rx));
    const double_pair leave = above_two52(lanes_at(plane + x - w->rx - 1));
    const double_lanes even = enter.even - leave.even, odd = enter.odd - leave.odd;
    const double_lanes sums = scan_doubles(s, even + odd, before);

    return (double_pair){sums - odd, sums};
}

/* Returns the walk before the first pixel: its window without the last column. */
SATK_FN walk begin_walk(const weigher *w, int rows, int channels)
{
    walk at = {.scan = make_scanner(2), .rows = rows, .by_rows = ABOVE_ONE / rows};

    for (int c = 0; c < channels; c++) {
        uint64_t sum = 0;
        for (int x = 0; x < w->rx; x++)
            sum += w->sums[(size_t)c * w->plane + (size_t)x];
        at.before[c] += (double)sum;
    }
    return at;
}

/* Puts the mean samples of the pixels from x on, a vector, to place i of the piece. */
SATK_FN void find_means(const weigher *w, walk *at, int x, int i, int channels, int opaque)
{
    const int colours = channels - 1;
    const double by_rows = opaque ? at->by_rows / 255 : at->by_rows;
    double_pair weight = {doubles_at(w->inverse + x) * by_rows,
                          doubles_at(w->inverse + x + LANES / 2) * by_rows};
    lanes mean = lanes_of(255);

    if (!opaque) {
        const double_pair alpha = find_sums(w, &at->scan, x, colours, &at->before[colours]);
        mean = nearest(alpha, weight);
        /* Without alpha there is no colour: 0 times any number. */
        weight.even = ABOVE_ONE / (alpha.even + 0x1p-60);
        weight.odd = ABOVE_ONE / (alpha.odd + 0x1p-60);
    }
    memcpy(w->mean + PIECE * colours + i, &mean, sizeof mean);
    for (int c = 0; c < colours; c++) {
        mean = nearest(find_sums(w, &at->scan, x, c, &at->before[c]), weight);
        memcpy(w->mean + PIECE * c + i, &mean, sizeof mean);
    }
}

/* Stores the pixels of a vector that are in the row. */
SATK_FN void put_pixels(uint8_t *row, int x, int last, lanes pixels, int channels)
{
    uint8_t *const to = row + (size_t)x * (size_t)channels;

    if (x + LANES <= last)
        put_lanes(to, pixels, LANES, 8 * channels);
    else if (x < last)
        put_lanes(to, pixels, last - x, 8 * channels);
}

/* Encodes and stores the means of a piece. */
SATK_FN void put_means(const satk_box *job, const weigher *w, const encoder *encode, int y,
                       int first, int last, int channels)
{
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const encoder e = *encode; /* in registers */

    for (int x = first; x < last; x += GROUP * 2 * LANES) {
        lanes pairs[4 * GROUP];
        for (int i = 0; i < channels * GROUP; i++) {
            const uint32_t *const mean =
                w->mean + PIECE * (i / GROUP) + (x - first) + i % GROUP * 2 * LANES;
            pairs[i] = pairs_of(lanes_at(mean), lanes_at(mean + LANES));
        }
        if (job->tone.encode)
            encode_pairs(&e, pairs, (channels - 1) * GROUP);
        for (int i = 0; i < GROUP; i++) {
            const int at = x + i * 2 * LANES;
            const lanes low = pairs[i] | pairs[GROUP + i] << 8;
            const lanes high =
                channels == 4 ? pairs[2 * GROUP + i] | pairs[3 * GROUP + i] << 8 : (lanes){0};
            put_pixels(dst, at, last, (low & 0xffff) | high << 16, channels);
            put_pixels(dst, at + LANES, last, low >> 16 | (high & 0xffff0000), channels);
        }
    }
}

/* Returns 1 if one of the piece's first pixels has a mean alpha of 0. */
SATK_FN int saw_clear(const weigher *w, int count, int channels)
{
    const uint32_t *const alpha = w->mean + PIECE * (channels - 1);
    lanes clear = {0};
    int any = 0, i = 0;

    for (; i + LANES <= count; i += LANES)
        clear |= (lanes)(lanes_at(alpha + i) == 0);
    for (; i < count; i++) /* beyond the row's end there is none */
        any |= alpha[i] == 0;
    return any || any_bit(clear);
}

/* Copies the pixels whose whole window is transparent. before: the first one's alpha. */
SATK_FN void keep_clear(const satk_box *job, const weigher *w, double_lanes before, int y,
                        int first, int last, int channels)
{
    const uint8_t *const src = row_of(&job->src, y);
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    const scanner s = make_scanner(2);
    double_pair alpha; /* of the vector that x is in */

    for (int x = first; x < last; x++) {
        const size_t from = (size_t)x * (size_t)channels;
        const int lane = x % LANES;
        if (lane == 0)
            alpha = find_sums(w, &s, x, channels - 1, &before);
        if ((lane % 2 ? alpha.odd : alpha.even)[lane / 2] == 0)
            memcpy(dst + from, src + from, (size_t)channels);
    }
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* Finds the means of a piece of row y. */
SATK_FN void weigh_piece(const satk_box *job, const weigher *w, const encoder *e, walk *at, int y,
                         satk_range columns, int channels)
{
    const int first = columns.lo, last = columns.hi;
    const double_lanes before = at->before[channels - 1];

    if (are_opaque(w, y, first, last, job->src.width)) {
        for (int x = first; x < last; x += LANES)
            find_means(w, at, x, x - first, channels, 1);
        at->before[channels - 1] =
            255.0 * at->rows * inside(last - 1, w->rx, job->src.width) + (double_lanes){0};
        put_means(job, w, e, y, first, last, channels);
        return;
    }
    for (int x = first; x < last; x += LANES)
        find_means(w, at, x, x - first, channels, 0);
    put_means(job, w, e, y, first, last, channels);
    if (saw_clear(w, last - first, channels))
        keep_clear(job, w, before, y, first, last, channels);
}

/* Slides and finds the means of row y, piece by piece. */
SATK_FN void weigh_row(const satk_box *job, const weigher *w, const decoder *d, const encoder *e,
                       move m, int y, int channels)
{
    const int width = job->src.width;
    walk at;

    for (int first = 0, slid = 0; first < width; first += PIECE) {
        for (; slid < satk_smaller(width, first + PIECE + w->rx); slid += PIECE)
            slide_piece(w, d, m, y + w->ry, width, slid, channels);
        if (first == 0)
            at = begin_walk(w, inside(y, w->ry, job->src.height), channels);
        weigh_piece(job, w, e, &at, y, (satk_range){first, satk_smaller(width, first + PIECE)},
                    channels);
    }
}

SATK_FN void weigh_strip(const satk_box *job, int first, int last, void *scratch, int channels)
{
    const int width = job->src.width, height = job->src.height;
    const decoder d = make_decoder(job->tone.decode);
    const encoder e = make_encoder(job->tone.encode, (1u << SATK_LINEAR_BITS(8)) - 1);
    size_t bytes;
    const weigher w = lay_out(job, scratch, &bytes);

    memset(w.sums - pad_words(&w), 0, (size_t)channels * w.plane * sizeof *w.sums);
    memset(w.mean, 0, PIECE * (size_t)channels * sizeof *w.mean);
    for (int x = 0; x < width || x % LANES; x++) /* means beyond the end are not used */
        w.inverse[x - x % LANES + x % 2 * (LANES / 2) + x % LANES / 2] =
            1.0 / inside(satk_smaller(x, width - 1), w.rx, width);
    for (int x = 0; x < width; x += PIECE)
        w.seen[x / PIECE] = -height;
    for (int y = first > w.ry ? first - w.ry : 0; y < first + w.ry && y < height; y++)
        for (int x = 0; x < width; x += PIECE)
            slide_piece(&w, &d, (move){row_of(&job->src, y), NULL}, y, width, x, channels);
    for (int y = first; y < last; y++)
        weigh_row(job, &w, &d, &e, move_to(&job->src, y, first, w.ry), y, channels);
}

void SATK_LEVELED(satk_weigh)(const satk_box *job, int first, int last, void *scratch)
{
    if (job->src.channels == 2)
        weigh_strip(job, first, last, scratch, 2);
    else
        weigh_strip(job, first, last, scratch, 4);
}

/* Returns a strip per thread: all rows cost the same. */
satk_strips SATK_LEVELED(satk_weigh_strips)(const satk_box *job, int threads)
{
    satk_strips s = {.rows = (job->src.height + threads - 1) / threads};

    lay_out(job, NULL, &s.bytes);
    return s;
}
