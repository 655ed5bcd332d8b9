#include "video/yuv.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 13 }; /* binary ones of a coefficient's fraction */

/* The range of the codes. */
typedef struct range {
    int black, luma, chroma, middle; /* luma and chroma: the codes from end to end */
} range;

static range range_of(int bits, bool full)
{
    const int scale = 1 << (bits - 8), all = (1 << bits) - 1, middle = 1 << (bits - 1);
    return full ? (range){0, all, all, middle}
                : (range){16 * scale, 219 * scale, 224 * scale, middle};
}

static int fixed(double value, int digits)
{
    return (int)floor(ldexp(value, digits) + 0.5);
}

static inline int clip(int v, int most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

static inline int sample(const void *row, int x, bool wide)
{
    return wide ? ((const uint16_t *)row)[x] : ((const uint8_t *)row)[x];
}

static inline void set_sample(void *row, int x, bool wide, int v)
{
    if (wide)
        ((uint16_t *)row)[x] = (uint16_t)v;
    else
        ((uint8_t *)row)[x] = (uint8_t)v;
}

/* --- To RGB ----------------------------------------------------------------------------------- */

typedef struct to_rgb {
    range r;
    int luma, red_cr, green_cb, green_cr, blue_cb, white;
    int most; /* the largest code; raw files may have bits above it */
} to_rgb;

static to_rgb to_rgb_rule(int bits, yuv_colour c)
{
    const range r = range_of(bits, c.full);
    const int white = bits > 8 ? UINT16_MAX : UINT8_MAX;
    const double kg = 1 - c.kr - c.kb, luma = (double)white / r.luma,
                 chroma = (double)white / r.chroma;
    return (to_rgb){.r = r,
                    .white = white,
                    .most = (1 << bits) - 1,
                    .luma = fixed(luma, DIGITS),
                    .red_cr = fixed(chroma * 2 * (1 - c.kr), DIGITS),
                    .green_cb = fixed(-chroma * 2 * (1 - c.kb) * c.kb / kg, DIGITS),
                    .green_cr = fixed(-chroma * 2 * (1 - c.kr) * c.kr / kg, DIGITS),
                    .blue_cb = fixed(chroma * 2 * (1 - c.kb), DIGITS)};
}

/* Converts a row. `wide` is a constant where this is called, so each width has a loop of its own. */
static inline void row_to_rgb(const to_rgb *t, const void *restrict luma, const void *restrict cb,
                              const void *restrict cr, void *restrict rgb, int width, int shift,
                              bool wide)
{
    const int half = 1 << (DIGITS - 1);
    for (int x = 0; x < width; x++) {
        const int y = t->luma * ((sample(luma, x, wide) & t->most) - t->r.black) + half;
        const int u = (sample(cb, x >> shift, wide) & t->most) - t->r.middle;
        const int v = (sample(cr, x >> shift, wide) & t->most) - t->r.middle;
        set_sample(rgb, 3 * x, wide, clip((y + t->red_cr * v) >> DIGITS, t->white));
        set_sample(rgb, 3 * x + 1, wide,
                   clip((y + t->green_cb * u + t->green_cr * v) >> DIGITS, t->white));
        set_sample(rgb, 3 * x + 2, wide, clip((y + t->blue_cb * u) >> DIGITS, t->white));
    }
}

void yuv_to_rgb(const yuv_image *src, yuv_colour colour, const satb_image *rgb)
{
    const to_rgb t = to_rgb_rule(src->bits, colour);
    for (int y = 0; y < src->height; y++) {
        const int block = y >> src->shift_y;
        const void *const luma = src->planes[0] + y * src->strides[0];
        const void *const cb = src->planes[1] + block * src->strides[1];
        const void *const cr = src->planes[2] + block * src->strides[2];
        void *const to = (uint8_t *)rgb->data + y * rgb->stride;
        if (src->bits > 8)
            row_to_rgb(&t, luma, cb, cr, to, src->width, src->shift_x, true);
        else
            row_to_rgb(&t, luma, cb, cr, to, src->width, src->shift_x, false);
    }
}

/* --- From RGB --------------------------------------------------------------------------------- */

typedef struct of_rgb {
    range r;
    int digits; /* so many that a coefficient has about DIGITS of its own */
    int luma[3], cb[3], cr[3];
    int most; /* the largest code */
} of_rgb;

/* Sets weights whose sum is exact, so that gray stays gray. */
static void set_weights(int weights[3], double red, double blue, int sum, int digits)
{
    weights[0] = fixed(red, digits);
    weights[2] = fixed(blue, digits);
    weights[1] = sum - weights[0] - weights[2];
}

static of_rgb of_rgb_rule(int bits, yuv_colour c)
{
    const range r = range_of(bits, c.full);
    const int deep = bits > 8 ? 16 : 8;
    const double white = (1 << deep) - 1, luma = r.luma / white, chroma = r.chroma / white / 2;
    of_rgb t = {.r = r, .digits = DIGITS + deep - bits, .most = (1 << bits) - 1};
    set_weights(t.luma, luma * c.kr, luma * c.kb, fixed(luma, t.digits), t.digits);
    set_weights(t.cb, -chroma * c.kr / (1 - c.kb), chroma, 0, t.digits);
    set_weights(t.cr, chroma, -chroma * c.kb / (1 - c.kr), 0, t.digits);
    return t;
}

static inline int weigh(const int weights[3], const int rgb[3])
{
    return weights[0] * rgb[0] + weights[1] * rgb[1] + weights[2] * rgb[2];
}

static inline bool differ(const void *a, const void *b, int x, bool wide)
{
    const size_t size = wide ? 6 : 3;
    return memcmp((const uint8_t *)a + size * (size_t)x, (const uint8_t *)b + size * (size_t)x,
                  size) != 0;
}

static inline void luma_of_row(const of_rgb *t, const void *before, const void *after, void *luma,
                               int width, bool wide)
{
    const int half = 1 << (t->digits - 1);
    for (int x = 0; x < width; x++) {
        if (before && !differ(before, after, x, wide))
            continue;
        const int rgb[3] = {sample(after, 3 * x, wide), sample(after, 3 * x + 1, wide),
                            sample(after, 3 * x + 2, wide)};
        set_sample(luma, x, wide,
                   clip(t->r.black + ((weigh(t->luma, rgb) + half) >> t->digits), t->most));
    }
}

/* Two rows of a picture, which are the same one where blocks have one row, or at an odd picture's end. */
typedef struct two_rows {
    const void *rows[2];
} two_rows;

static two_rows rows_of(const satb_image *image, int block, int shift)
{
    const int first = block << shift, second = first + (1 << shift) - 1;
    const int last = image->height - 1;
    const uint8_t *const data = image->data;
    return (two_rows){
        {data + first * image->stride, data + (second < last ? second : last) * image->stride}};
}

/* Makes a row of chroma of two rows of pixels, and of two pixels a row with shift 1. */
static inline void chroma_of_rows(const of_rgb *t, const two_rows *before, const two_rows *after,
                                  void *cb, void *cr, int width, int shift, bool wide)
{
    const int down = t->digits + 2, half = 1 << (down - 1);
    for (int block = 0; block << shift < width; block++) {
        const int left = block << shift, next = left + shift, right = next < width ? next : left;
        int sum[3] = {0, 0, 0};
        bool changed = !before;
        for (int i = 0; i < 2; i++) {
            changed = changed || differ(before->rows[i], after->rows[i], left, wide) ||
                      differ(before->rows[i], after->rows[i], right, wide);
            for (int c = 0; c < 3; c++)
                sum[c] += sample(after->rows[i], 3 * left + c, wide) +
                          sample(after->rows[i], 3 * right + c, wide);
        }
        if (!changed)
            continue;
        const int middle = t->r.middle;
        set_sample(cb, block, wide, clip(middle + ((weigh(t->cb, sum) + half) >> down), t->most));
        set_sample(cr, block, wide, clip(middle + ((weigh(t->cr, sum) + half) >> down), t->most));
    }
}

void yuv_of_rgb(const yuv_image *yuv, yuv_colour colour, const satb_image *before,
                const satb_image *after)
{
    const of_rgb t = of_rgb_rule(yuv->bits, colour);
    const int blocks = (yuv->height + (1 << yuv->shift_y) - 1) >> yuv->shift_y;
    for (int y = 0; y < yuv->height; y++) {
        const void *const from = (uint8_t *)after->data + y * after->stride;
        const void *const old = before ? (uint8_t *)before->data + y * before->stride : NULL;
        void *const luma = yuv->planes[0] + y * yuv->strides[0];
        if (yuv->bits > 8)
            luma_of_row(&t, old, from, luma, yuv->width, true);
        else
            luma_of_row(&t, old, from, luma, yuv->width, false);
    }
    for (int block = 0; block < blocks; block++) {
        const two_rows from = rows_of(after, block, yuv->shift_y);
        const two_rows old = before ? rows_of(before, block, yuv->shift_y) : from;
        void *const cb = yuv->planes[1] + block * yuv->strides[1];
        void *const cr = yuv->planes[2] + block * yuv->strides[2];
        if (yuv->bits > 8)
            chroma_of_rows(&t, before ? &old : NULL, &from, cb, cr, yuv->width, yuv->shift_x, true);
        else
            chroma_of_rows(&t, before ? &old : NULL, &from, cb, cr, yuv->width, yuv->shift_x,
                           false);
    }
}

unsigned yuv_full_luma(unsigned luma, int bits)
{
    const range r = range_of(bits, false);
    const int all = (1 << bits) - 1, above = (int)luma - r.black;
    return above <= 0 ? 0
                      : (unsigned)clip((int)(((int64_t)above * all + r.luma / 2) / r.luma), all);
}
