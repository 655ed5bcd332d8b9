/* The sum over a window, and the mean of a pixel's window, from a summed-area table: the definition
 * that the CPU and the CUDA code share. Functions are inlined with constant channels, bits, word
 * and wide, so branches on them vanish.
 *
 * S(p, q) below is the exclusive prefix: the sum of the samples left of column p and above row q,
 * so the table word at (p - 1, q - 1), or 0. A box is S(hi,hi) - S(lo,hi) - S(hi,lo) + S(lo,lo)
 * (Crow 1984, figure 2). */
#ifndef SATK_BOX_RULE_H
#define SATK_BOX_RULE_H

#include "box/box.h"

/* Words of a table's pixel. A table in the CPU's ring has four for RGB, so that a pixel is one
 * vector; its source defines this before it includes the file. */
#ifndef SATK_LANES
#define SATK_LANES(channels) (channels)
#endif

/* Returns the place where a row of the table begins, in pixels. The table may be a ring of some
 * rows. */
SATK_FN size_t satk_row_at(const satk_box *job, int row)
{
    return (size_t)((uint32_t)row & (job->ring - 1)) * (size_t)job->src.width;
}

/* Loads the table's words of pixel `at` (counted row by row), for every channel. */
SATK_FN void satk_words(const satk_box *job, size_t at, int channels, int word, uint64_t *out)
{
#ifdef __CUDA_ARCH__ /* loads as wide as a pixel's alignment allows */
    if (word == 32 && channels == 4) {
        const uint4 v = __ldg((const uint4 *)job->table + at);
        out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
        return;
    }
    if (word == 64 && channels == 4) {
        const ulonglong2 v = __ldg((const ulonglong2 *)job->table + 2 * at);
        const ulonglong2 w = __ldg((const ulonglong2 *)job->table + 2 * at + 1);
        out[0] = v.x, out[1] = v.y, out[2] = w.x, out[3] = w.y;
        return;
    }
#endif
    for (int c = 0; c < channels; c++) {
        const size_t i = at * SATK_LANES((size_t)channels) + (size_t)c;
        out[c] = word == 32 ? ((const uint32_t *)job->table)[i] : ((const uint64_t *)job->table)[i];
    }
}

/* Adds coefficient * S(p, q) to sums[channels]. */
SATK_FN void satk_add_corner(const satk_box *job, int p, int q, uint64_t coefficient, int channels,
                             int word, uint64_t *sums)
{
    uint64_t words[4];

    if (p == 0 || q == 0)
        return;
    satk_words(job, satk_row_at(job, q - 1) + (size_t)(p - 1), channels, word, words);
    for (int c = 0; c < channels; c++)
        sums[c] += coefficient * words[c];
}

/* --- Edges ------------------------------------------------------------------------------------ */

/* The prefix of one axis, continued beyond 0..n: P(i) = a.weight * S(a.at) + b.weight * S(b.at),
 * any integer i. The picture beyond its edge is copies of itself, so its prefix is copies of the
 * prefix: O(1) at any distance. */
typedef struct satk_term {
    int at;
    int64_t weight;
} satk_term;

SATK_FN satk_term satk_times(int64_t weight, int at)
{
    const satk_term term = {at, weight};
    return term;
}

SATK_FN void satk_continued(satk_edge edge, int i, int n, satk_term *a, satk_term *b)
{
    const int period = edge == SATK_MIRROR ? 2 * n : n;
    const int turns = (i >= 0 ? i : i - period + 1) / period;
    const int rest = i - turns * period;

    *b = satk_times(0, 0);
    if (i >= 0 && i <= n) {
        *a = satk_times(1, i);
    } else if (edge == SATK_CLAMP && i < 0) { /* the first sample, as often as needed */
        *a = satk_times(i, 1);
    } else if (edge == SATK_CLAMP) { /* everything, and the last sample as often as needed */
        *a = satk_times(1 + (int64_t)(i - n), n);
        *b = satk_times(n - i, n - 1);
    } else if (edge == SATK_WRAP) {
        *a = satk_times(turns, n);
        *b = satk_times(1, rest);
    } else if (rest <= n) { /* mirror, on an unmirrored copy; a period holds the picture twice */
        *a = satk_times(2 * (int64_t)turns, n);
        *b = satk_times(1, rest);
    } else {
        *a = satk_times(2 * (int64_t)turns + 2, n);
        *b = satk_times(-1, 2 * n - rest);
    }
}

/* Finds the window's ends as four weighted prefixes: P(hi) - P(lo). */
SATK_FN void satk_ends(satk_edge edge, satk_range w, int n, satk_term *terms)
{
    satk_continued(edge, w.hi, n, &terms[0], &terms[1]);
    satk_continued(edge, w.lo, n, &terms[2], &terms[3]);
    terms[2].weight = -terms[2].weight;
    terms[3].weight = -terms[3].weight;
}

/* --- Box and window --------------------------------------------------------------------------- */

/* Adds a box inside the picture: four prefixes. In most of the picture, none is 0 by definition. */
SATK_FN void satk_corners(const satk_box *job, satk_range x, satk_range y, int channels, int word,
                          uint64_t *sums)
{
    if (x.lo > 0 && y.lo > 0) {
        const size_t above = satk_row_at(job, y.lo - 1), last = satk_row_at(job, y.hi - 1);
        const size_t left = (size_t)(x.lo - 1), right = (size_t)(x.hi - 1);
        uint64_t w[4][4];

        satk_words(job, last + right, channels, word, w[0]);
        satk_words(job, last + left, channels, word, w[1]);
        satk_words(job, above + right, channels, word, w[2]);
        satk_words(job, above + left, channels, word, w[3]);
        for (int c = 0; c < channels; c++)
            sums[c] = w[0][c] - w[1][c] - w[2][c] + w[3][c];
        return;
    }
    for (int c = 0; c < channels; c++)
        sums[c] = 0;
    satk_add_corner(job, x.hi, y.hi, 1, channels, word, sums);
    satk_add_corner(job, x.lo, y.hi, (uint64_t)-1, channels, word, sums);
    satk_add_corner(job, x.hi, y.lo, (uint64_t)-1, channels, word, sums);
}

/* Adds a box that leaves the picture: 4 x 4 weighted prefixes. */
SATK_FN void satk_continued_corners(const satk_box *job, satk_range x, satk_range y, int channels,
                                    int word, uint64_t *sums)
{
    satk_term tx[4], ty[4];

    satk_ends(job->edge, x, job->src.width, tx);
    satk_ends(job->edge, y, job->src.height, ty);
    for (int c = 0; c < channels; c++)
        sums[c] = 0;
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            if (tx[i].weight * ty[j].weight != 0)
                satk_add_corner(job, tx[i].at, ty[j].at, (uint64_t)(tx[i].weight * ty[j].weight),
                                channels, word, sums);
}

/* Finds the sums over a box. Returns its area. */
SATK_FN uint64_t satk_box_sum(const satk_box *job, satk_range x, satk_range y, int channels,
                              int word, uint64_t *sums)
{
    if (job->edge == SATK_SHRINK) {
        x = satk_clip(x, job->src.width);
        y = satk_clip(y, job->src.height);
    }
    if (satk_inside(x, job->src.width) && satk_inside(y, job->src.height))
        satk_corners(job, x, y, channels, word, sums);
    else
        satk_continued_corners(job, x, y, channels, word, sums);
    if (word == 32)
        for (int c = 0; c < channels; c++)
            sums[c] = (uint32_t)sums[c];
    return (uint64_t)(x.hi - x.lo) * (uint64_t)(y.hi - y.lo);
}

/* The sums over a window: samples and area, each with the integer weight of its box. */
typedef struct satk_total {
    uint64_t sum[4];
    satk_u128 wide[4]; /* used instead of sum when 64 bits do not hold it */
    uint64_t area;
    int narrow; /* 1: every number here fits 32 bits */
} satk_total;

/* Finds the sums over any window. */
SATK_FN void satk_window_total(const satk_box *job, satk_box_window w, int channels, int word,
                               int wide, satk_total *t)
{
    const uint32_t fx = w.rx % SATK_ONE, fy = w.ry % SATK_ONE;
    const int whole = fx == 0 && fy == 0;

    t->area = 0;
    t->narrow = word == 32 && whole;
    for (int c = 0; c < channels; c++)
        t->wide[c] = t->sum[c] = 0;
    for (int j = 0; j <= (fy != 0); j++) {
        const satk_range rows = satk_window(w.y, (int)(w.ry / SATK_ONE) + j);
        for (int i = 0; i <= (fx != 0); i++) {
            const satk_range columns = satk_window(w.x, (int)(w.rx / SATK_ONE) + i);
            const uint64_t weight =
                whole ? 1 : (uint64_t)(i ? fx : SATK_ONE - fx) * (j ? fy : SATK_ONE - fy);
            uint64_t sums[4];
            t->area += weight * satk_box_sum(job, columns, rows, channels, word, sums);
            for (int c = 0; c < channels; c++)
                if (wide)
                    t->wide[c] += (satk_u128)sums[c] * weight;
                else
                    t->sum[c] += sums[c] * weight;
        }
    }
}

/* --- Windows inside the picture --------------------------------------------------------------- */

/* Most windows: nothing is clipped or continued, no prefix is 0 by definition, and the numbers fit 64
 * bits. satk_window_total() in fewer instructions. */
SATK_FN int satk_is_inner(const satk_box *job, int x, int y, int reach_x, int reach_y)
{
    return x > reach_x && y > reach_y && x < job->src.width - reach_x &&
           y < job->src.height - reach_y;
}

/* Finds the sums over a window without a fraction: one box. */
SATK_FN void satk_inner_box(const satk_box *job, satk_box_window w, int channels, int word,
                            satk_total *t)
{
    const int rx = (int)(w.rx / SATK_ONE), ry = (int)(w.ry / SATK_ONE);
    const satk_range columns = satk_window(w.x, rx), rows = satk_window(w.y, ry);

    satk_corners(job, columns, rows, channels, word, t->sum);
    for (int c = 0; c < channels && word == 32; c++)
        t->sum[c] = (uint32_t)t->sum[c];
    t->area = (uint64_t)(2 * rx + 1) * (uint64_t)(2 * ry + 1);
    t->narrow = word == 32;
}

/* Finds the sums over a window with a fraction. The four nested boxes share their rows and columns,
 * 4 x 4 words in all. */
SATK_FN void satk_inner_boxes(const satk_box *job, satk_box_window at, int channels, int word,
                              satk_total *t)
{
    const uint32_t fx = at.rx % SATK_ONE, fy = at.ry % SATK_ONE;
    const int reach_x = (int)(at.rx / SATK_ONE), reach_y = (int)(at.ry / SATK_ONE);
    const int rows[4] = {at.y - reach_y - 2, at.y - reach_y - 1, at.y + reach_y,
                         at.y + reach_y + 1};
    const size_t side = (size_t)(2 * reach_x + 1);
    uint64_t inner[4][4], outer[4][4]; /* by row: the sums above it, over the two column ranges */

    for (int j = 0; j < 4; j++) {
        const size_t first = satk_row_at(job, rows[j]) + (size_t)(at.x - reach_x - 1);
        uint64_t w[4][4];
        satk_words(job, first - 1, channels, word, w[0]);
        satk_words(job, first, channels, word, w[1]);
        satk_words(job, first + side, channels, word, w[2]);
        satk_words(job, first + side + 1, channels, word, w[3]);
        for (int c = 0; c < channels; c++) {
            inner[j][c] = w[2][c] - w[1][c];
            outer[j][c] = w[3][c] - w[0][c];
        }
    }
    for (int c = 0; c < channels; c++) {
        uint64_t box[4] = {inner[2][c] - inner[1][c], outer[2][c] - outer[1][c],
                           inner[3][c] - inner[0][c], outer[3][c] - outer[0][c]};
        for (int i = 0; i < 4 && word == 32; i++)
            box[i] = (uint32_t)box[i];
        t->sum[c] = (SATK_ONE - fy) * ((SATK_ONE - fx) * box[0] + fx * box[1]) +
                    fy * ((SATK_ONE - fx) * box[2] + fx * box[3]);
    }
    t->area = (2 * (uint64_t)at.rx + SATK_ONE) * (2 * (uint64_t)at.ry + SATK_ONE);
    t->narrow = 0;
}

SATK_FN void satk_total_at(const satk_box *job, satk_box_window w, int channels, int word, int wide,
                           satk_total *t)
{
    const int whole = (w.rx | w.ry) % SATK_ONE == 0;
    const int reach_x = (int)(w.rx / SATK_ONE) + !whole, reach_y = (int)(w.ry / SATK_ONE) + !whole;

    if (wide || !satk_is_inner(job, w.x, w.y, reach_x, reach_y))
        satk_window_total(job, w, channels, word, wide, t);
    else if (whole)
        satk_inner_box(job, w, channels, word, t);
    else
        satk_inner_boxes(job, w, channels, word, t);
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Returns one channel's mean, by a divisor that all channels share. */
SATK_FN uint32_t satk_channel_mean(const satk_total *t, int c, const satk_divisor *by, int wide)
{
    if (wide)
        return (uint32_t)satk_mean128(t->wide[c], by->divisor);
    return by->narrow ? satk_mean32((uint32_t)t->sum[c], by) : (uint32_t)satk_mean64(t->sum[c], by);
}

/* Stores the codes of a window's means. src: a row of the source, whose pixel x keeps its colours
 * where the whole window is transparent. */
SATK_FN void satk_mean_codes(const satk_tone *tone, const satk_total *t, const uint8_t *src, int x,
                             uint32_t *codes, int channels, int bits, int wide)
{
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    satk_divisor by = satk_divide_by(t->area, t->narrow);

    if (bits == 16 && tone->half) {
        uint64_t means[4];
        for (int c = 0; c < channels; c++)
            means[c] = satk_channel_mean(t, c, &by, wide);
        satk_half_codes(tone, means, src, x, channels, codes);
        return;
    }
    if (colours < channels) {
        const uint64_t weight = wide ? (uint64_t)t->wide[colours] : t->sum[colours];
        const uint32_t alpha = satk_channel_mean(t, colours, &by, wide);
        if (tone->weighted && weight == 0) {
            satk_get_pixel(src, x, channels, bits, codes);
            codes[colours] = alpha;
            return;
        }
        codes[colours] = alpha;
        if (tone->weighted)
            by = satk_divide_by(weight, t->narrow);
    }
    for (int c = 0; c < colours; c++)
        codes[c] = satk_encoded(tone, satk_channel_mean(t, c, &by, wide));
}

/* Stores dst(x, y), the mean of its window. */
SATK_FN void satk_box_pixel(const satk_box *job, int x, int y, int channels, int bits, int word,
                            int wide)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
    satk_box_window w = {x, y, job->radius_x, job->radius_y};
    uint32_t codes[4];
    satk_total total;

    if (job->map.data)
        w.rx = w.ry = job->lut[satk_code((const uint8_t *)job->map.data + y * job->map.pitch,
                                         (size_t)x * (size_t)job->map.channels, job->map.bits)];
    if ((w.rx | w.ry) == 0) {
        satk_get_pixel(src, x, channels, bits, codes);
    } else {
        satk_total_at(job, w, channels, word, wide, &total);
        satk_mean_codes(&job->tone, &total, src, x, codes, channels, bits, wide);
    }
    satk_put_pixel(dst, x, channels, bits, codes);
}

#endif
