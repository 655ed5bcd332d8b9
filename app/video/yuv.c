#include "video/yuv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 13, /* binary ones of a coefficient's fraction */
    PART =
        512 /* pixels of a row that are converted at a time, channel by channel; an even number */
};

/* Loops over channels become vectors, wider ones where the processor has them, but for clang, which before 18 gives a function
 * with clones no name that other files find. A function WITHIN another is compiled as a part of it, for its vectors. */
#define WITHIN static inline __attribute__((always_inline))
#if defined __x86_64__ && defined __gnu_linux__ && !defined __clang__ &&                           \
    !defined __SANITIZE_ADDRESS__
#define IN_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define IN_VECTORS
#endif

yuv_colour yuv_colour_of(int matrix, bool full, int width, int height)
{
    yuv_colour c = {.kr = 0.299, .kb = 0.114, .full = full};
    if (matrix == 2)
        matrix = height >= 720 || width >= 1280 ? 1 : 6;
    switch (matrix) {
    case 1: c.kr = 0.2126, c.kb = 0.0722; break; /* BT.709 */
    case 4: c.kr = 0.30, c.kb = 0.11; break;     /* FCC */
    case 7: c.kr = 0.212, c.kb = 0.087; break;   /* SMPTE 240M */
    case 9: c.kr = 0.2627, c.kb = 0.0593; break; /* BT.2020 */
    default: break;
    }
    return c;
}

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

static inline int least(int a, int b)
{
    return a < b ? a : b;
}

static inline int clip(int v, int most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

/* Reads samples from x on, every step-th one. `wide` is a constant where this is called, so each width has a loop. */
WITHIN void read_samples(const void *row, size_t x, int step, int count, bool wide,
                         uint16_t *restrict out)
{
    const uint8_t *const bytes = (const uint8_t *)row + x;
    const uint16_t *const words = (const uint16_t *)row + x;
    if (wide)
        for (int i = 0; i < count; i++)
            out[i] = words[step * i];
    else
        for (int i = 0; i < count; i++)
            out[i] = bytes[step * i];
}

WITHIN void write_samples(const uint16_t *restrict in, int count, bool wide, void *row, size_t x)
{
    if (wide)
        memcpy((uint16_t *)row + x, in, (size_t)count * sizeof *in);
    else
        for (int i = 0; i < count; i++)
            ((uint8_t *)row)[x + (size_t)i] = (uint8_t)in[i];
}

/* --- To RGB ----------------------------------------------------------------------------------- */

typedef struct to_rgb {
    range r;
    int luma, red_cr, green_cb, green_cr, blue_cb, white;
    int most;              /* the largest code; raw files may have bits above it */
    const uint16_t *light; /* by code of RGB; NULL: codes */
} to_rgb;

/* Returns whether RGB has 16 bits. */
static bool is_deep(int bits, yuv_colour c)
{
    return bits > 8 || c.light;
}

static to_rgb to_rgb_rule(int bits, yuv_colour c)
{
    const range r = range_of(bits, c.full);
    const int white = is_deep(bits, c) ? UINT16_MAX : UINT8_MAX;
    const double kg = 1 - c.kr - c.kb, luma = (double)white / r.luma,
                 chroma = (double)white / r.chroma;
    return (to_rgb){.r = r,
                    .white = white,
                    .most = (1 << bits) - 1,
                    .light = c.light ? c.light->light : NULL,
                    .luma = fixed(luma, DIGITS),
                    .red_cr = fixed(chroma * 2 * (1 - c.kr), DIGITS),
                    .green_cb = fixed(-chroma * 2 * (1 - c.kb) * c.kb / kg, DIGITS),
                    .green_cr = fixed(-chroma * 2 * (1 - c.kr) * c.kr / kg, DIGITS),
                    .blue_cb = fixed(chroma * 2 * (1 - c.kb), DIGITS)};
}

/* Reads chroma for each pixel of a part. */
WITHIN void read_chroma(const void *row, int x, int count, int shift, bool wide,
                        uint16_t *restrict out)
{
    uint16_t samples[PART];
    if (shift == 0) {
        read_samples(row, (size_t)x, 1, count, wide, out);
        return;
    }
    read_samples(row, (size_t)x / 2, 1, (count + 1) / 2, wide, samples);
    for (int i = 0; i < (count + 1) / 2; i++)
        out[2 * i] = out[2 * i + 1] = samples[i];
}

/* Joins channels to pixels. light: NULL, or the half float of each code. */
WITHIN void write_rgb(uint16_t of[3][PART], const uint16_t *light, int x, int count, bool deep,
                      void *row)
{
    if (light)
        for (int i = 0; i < count; i++)
            for (int c = 0; c < 3; c++)
                ((uint16_t *)row)[3 * (x + i) + c] = light[of[c][i]];
    else if (deep)
        for (int i = 0; i < count; i++)
            for (int c = 0; c < 3; c++)
                ((uint16_t *)row)[3 * (x + i) + c] = of[c][i];
    else
        for (int i = 0; i < count; i++)
            for (int c = 0; c < 3; c++)
                ((uint8_t *)row)[3 * (x + i) + c] = (uint8_t)of[c][i];
}

/* Converts the pixels from x on of a row. wide: the planes have words. deep: RGB has. */
WITHIN void part_to_rgb(const to_rgb *t, const yuv_image *src, int x, int row, bool wide, bool deep,
                        void *to)
{
    const int count = least(PART, src->width - x), block = row >> src->shift_y;
    const int half = 1 << (DIGITS - 1);
    uint16_t luma[PART], cb[PART], cr[PART], rgb[3][PART];
    read_samples(src->planes[0] + row * src->strides[0], (size_t)x, 1, count, wide, luma);
    read_chroma(src->planes[1] + block * src->strides[1], x, count, src->shift_x, wide, cb);
    read_chroma(src->planes[2] + block * src->strides[2], x, count, src->shift_x, wide, cr);
    for (int i = 0; i < count; i++) {
        const int y = t->luma * ((luma[i] & t->most) - t->r.black) + half;
        const int u = (cb[i] & t->most) - t->r.middle, v = (cr[i] & t->most) - t->r.middle;
        rgb[0][i] = (uint16_t)clip((y + t->red_cr * v) >> DIGITS, t->white);
        rgb[1][i] = (uint16_t)clip((y + t->green_cb * u + t->green_cr * v) >> DIGITS, t->white);
        rgb[2][i] = (uint16_t)clip((y + t->blue_cb * u) >> DIGITS, t->white);
    }
    write_rgb(rgb, deep ? t->light : NULL, x, count, deep, to);
}

IN_VECTORS void yuv_to_rgb(const yuv_image *src, yuv_colour colour, const satb_image *rgb)
{
    const to_rgb t = to_rgb_rule(src->bits, colour);
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x += PART) {
            void *const to = (uint8_t *)rgb->data + y * rgb->stride;
            if (src->bits > 8)
                part_to_rgb(&t, src, x, y, true, true, to);
            else if (is_deep(src->bits, colour))
                part_to_rgb(&t, src, x, y, false, true, to);
            else
                part_to_rgb(&t, src, x, y, false, false, to);
        }
}

/* --- From RGB --------------------------------------------------------------------------------- */

typedef struct of_rgb {
    range r;
    int digits; /* so many that a coefficient has about DIGITS of its own */
    int luma[3], cb[3], cr[3];
    int most;              /* the largest code */
    const uint16_t *codes; /* by half float of RGB; NULL: they are codes */
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
    const int deep = is_deep(bits, c) ? 16 : 8;
    const double white = (1 << deep) - 1, luma = r.luma / white, chroma = r.chroma / white / 2;
    of_rgb t = {.r = r, .digits = DIGITS + deep - bits, .most = (1 << bits) - 1};
    t.codes = c.light ? c.light->code : NULL;
    set_weights(t.luma, luma * c.kr, luma * c.kb, fixed(luma, t.digits), t.digits);
    set_weights(t.cb, -chroma * c.kr / (1 - c.kb), chroma, 0, t.digits);
    set_weights(t.cr, chroma, -chroma * c.kb / (1 - c.kr), 0, t.digits);
    return t;
}

WITHIN int weigh(const int weights[3], int red, int green, int blue)
{
    return weights[0] * red + weights[1] * green + weights[2] * blue;
}

/* Pixels of a row: their channels, and 1 where they have changed. */
typedef struct part {
    uint16_t rgb[3][PART], changed[PART];
} part;

/* Reads pixels. codes: NULL, or the code of each half float. */
WITHIN void read_part(const uint16_t *codes, const satb_image *before, const satb_image *after,
                      int x, int y, int count, bool deep, part *restrict p)
{
    const void *const row = (const uint8_t *)after->data + y * after->stride;
    uint16_t old[3][PART];
    for (int c = 0; c < 3; c++)
        read_samples(row, 3 * (size_t)x + (size_t)c, 3, count, deep, p->rgb[c]);
    for (int c = 0; c < 3 && before; c++)
        read_samples((const uint8_t *)before->data + y * before->stride, 3 * (size_t)x + (size_t)c,
                     3, count, deep, old[c]);
    for (int i = 0; i < count; i++)
        p->changed[i] = !before || (p->rgb[0][i] != old[0][i]) | (p->rgb[1][i] != old[1][i]) |
                                       (p->rgb[2][i] != old[2][i]);
    for (int c = 0; c < 3 && codes; c++)
        for (int i = 0; i < count; i++)
            p->rgb[c][i] = codes[p->rgb[c][i]];
}

WITHIN void write_luma(const of_rgb *t, const part *p, int x, int count, bool wide, void *row)
{
    const int half = 1 << (t->digits - 1);
    uint16_t luma[PART];
    read_samples(row, (size_t)x, 1, count, wide, luma);
    for (int i = 0; i < count; i++) {
        const int sum = weigh(t->luma, p->rgb[0][i], p->rgb[1][i], p->rgb[2][i]);
        const int code = clip(t->r.black + ((sum + half) >> t->digits), t->most);
        luma[i] = p->changed[i] ? (uint16_t)code : luma[i];
    }
    write_samples(luma, count, wide, row, (size_t)x);
}

/* Sums over the four pixels of blocks: of two rows, which may be one row twice, and two columns alike. */
typedef struct blocks {
    int rgb[3][PART];
    uint16_t changed[PART];
} blocks;

WITHIN void add_up(part *restrict a, part *restrict b, int count, int shift, blocks *restrict sums)
{
    if (shift == 1 && count % 2) /* the last pixel stands beside itself */
        for (int i = 0; i < 2; i++) {
            part *const p = i ? b : a;
            for (int c = 0; c < 3; c++)
                p->rgb[c][count] = p->rgb[c][count - 1];
            p->changed[count] = p->changed[count - 1];
        }
    const int number = (count + shift) >> shift;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < number; i++)
            sums->rgb[c][i] = shift ? a->rgb[c][2 * i] + a->rgb[c][2 * i + 1] + b->rgb[c][2 * i] +
                                          b->rgb[c][2 * i + 1]
                                    : 2 * (a->rgb[c][i] + b->rgb[c][i]);
    for (int i = 0; i < number; i++)
        sums->changed[i] = shift ? a->changed[2 * i] | a->changed[2 * i + 1] | b->changed[2 * i] |
                                       b->changed[2 * i + 1]
                                 : a->changed[i] | b->changed[i];
}

WITHIN void write_chroma(const of_rgb *t, const int weights[3], const blocks *sums, int x,
                         int number, bool wide, void *row)
{
    const int down = t->digits + 2, half = 1 << (down - 1), middle = t->r.middle;
    uint16_t chroma[PART];
    read_samples(row, (size_t)x, 1, number, wide, chroma);
    for (int i = 0; i < number; i++) {
        const int sum = weigh(weights, sums->rgb[0][i], sums->rgb[1][i], sums->rgb[2][i]);
        const int code = clip(middle + ((sum + half) >> down), t->most);
        chroma[i] = sums->changed[i] ? (uint16_t)code : chroma[i];
    }
    write_samples(chroma, number, wide, row, (size_t)x);
}

/* Converts the pixels from x on of a row of blocks. wide: the planes have words. deep: RGB has. */
WITHIN void part_of_rgb(const of_rgb *t, const yuv_image *yuv, const satb_image *before,
                        const satb_image *after, int x, int block, bool wide, bool deep)
{
    const int count = least(PART, yuv->width - x), shift = yuv->shift_x;
    const int first = block << yuv->shift_y;
    const int second = least(first + yuv->shift_y, yuv->height - 1);
    part rows[2];
    blocks sums;
    for (int i = 0; i < 2; i++) {
        const int y = i ? second : first;
        read_part(deep ? t->codes : NULL, before, after, x, y, count, deep, &rows[i]);
        if (i == 0 || second > first)
            write_luma(t, &rows[i], x, count, wide, yuv->planes[0] + y * yuv->strides[0]);
    }
    add_up(&rows[0], &rows[1], count, shift, &sums);
    for (int i = 1; i < 3; i++)
        write_chroma(t, i == 1 ? t->cb : t->cr, &sums, x >> shift, (count + shift) >> shift, wide,
                     yuv->planes[i] + block * yuv->strides[i]);
}

IN_VECTORS void yuv_of_rgb(const yuv_image *yuv, yuv_colour colour, const satb_image *before,
                           const satb_image *after)
{
    const of_rgb t = of_rgb_rule(yuv->bits, colour);
    const int rows = (yuv->height + (1 << yuv->shift_y) - 1) >> yuv->shift_y;
    for (int block = 0; block < rows; block++)
        for (int x = 0; x < yuv->width; x += PART)
            if (yuv->bits > 8)
                part_of_rgb(&t, yuv, before, after, x, block, true, true);
            else if (is_deep(yuv->bits, colour))
                part_of_rgb(&t, yuv, before, after, x, block, false, true);
            else
                part_of_rgb(&t, yuv, before, after, x, block, false, false);
}

/* Returns luma, stretched from the limited to the full range. */
static unsigned full_luma(unsigned luma, int bits)
{
    const range r = range_of(bits, false);
    const int all = (1 << bits) - 1, above = (int)luma - r.black;
    return above <= 0 ? 0
                      : (unsigned)clip((int)(((int64_t)above * all + r.luma / 2) / r.luma), all);
}

bool yuv_to_gray(const yuv_image *src, bool full, const satb_image *gray)
{
    const unsigned all = (1U << src->bits) - 1, white = src->bits > 8 ? UINT16_MAX : UINT8_MAX;
    uint16_t *const codes = malloc((all + 1) * sizeof *codes); /* by luma */
    if (!codes)
        return false;
    for (unsigned i = 0; i <= all; i++) {
        const uint64_t code = full ? i : full_luma(i, src->bits);
        codes[i] = (uint16_t)((code * white + all / 2) / all);
    }
    for (int y = 0; y < src->height; y++) {
        const void *const row = src->planes[0] + y * src->strides[0];
        uint8_t *const to = (uint8_t *)gray->data + y * gray->stride;
        for (int x = 0; x < src->width; x++)
            if (src->bits > 8) /* a sample may have bits above its own, if the file is damaged */
                ((uint16_t *)(void *)to)[x] = codes[((const uint16_t *)row)[x] & all];
            else
                to[x] = (uint8_t)codes[((const uint8_t *)row)[x]];
    }
    free(codes);
    return true;
}
