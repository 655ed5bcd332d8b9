/* Luma and chroma to RGB and back, against the rule of video/yuv.h, pixel by pixel in floating point: a sample may differ by
 * one code where rounded coefficients decide. Unchanged samples are as they were. */
#include "video/yuv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

enum { PLANES = 3 };

static const int sizes[][2] = {{1, 1}, {2, 3}, {63, 5}, {511, 3}, {512, 2}, {513, 4}, {1030, 3}};
static const int depths[] = {8, 10, 12, 16};
static const yuv_colour colours[] = {
    {0.299, 0.114, true, NULL}, {0.2126, 0.0722, false, NULL}, {0.2627, 0.0593, false, NULL}};

typedef struct frame {
    yuv_image yuv;
    satb_image rgb;
} frame;

static uint32_t chance(uint32_t below)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(state >> 33) % below;
}

static int columns(const yuv_image *y, int plane)
{
    return plane ? (y->width + (1 << y->shift_x) - 1) >> y->shift_x : y->width;
}

static int rows(const yuv_image *y, int plane)
{
    return plane ? (y->height + (1 << y->shift_y) - 1) >> y->shift_y : y->height;
}

static unsigned code_at(const yuv_image *y, int plane, int column, int row)
{
    const uint8_t *const at = y->planes[plane] + row * y->strides[plane];
    return y->bits > 8 ? ((const uint16_t *)(const void *)at)[column] : at[column];
}

static unsigned rgb_at(const satb_image *image, int x, int y, int channel)
{
    const uint8_t *const at = (const uint8_t *)image->data + y * image->stride;
    const int i = 3 * x + channel;
    return image->bits == 16 ? ((const uint16_t *)(const void *)at)[i] : at[i];
}

/* Returns a frame of random codes; of some, only half of the pixels' columns differ. */
static frame make_frame(int width, int height, int bits, int shift)
{
    const int bytes = bits > 8 ? 2 : 1;
    frame f = {.yuv = {.width = width, .height = height, .bits = bits}};
    f.yuv.shift_x = shift & 1, f.yuv.shift_y = shift >> 1;
    for (int i = 0; i < PLANES; i++) {
        f.yuv.strides[i] = (columns(&f.yuv, i) + 3) * bytes;
        f.yuv.planes[i] = calloc((size_t)f.yuv.strides[i], (size_t)rows(&f.yuv, i));
        for (int y = 0; y < rows(&f.yuv, i); y++)
            for (int x = 0; x < columns(&f.yuv, i); x++) {
                uint8_t *const at = f.yuv.planes[i] + y * f.yuv.strides[i];
                if (bytes == 2)
                    ((uint16_t *)(void *)at)[x] = (uint16_t)chance(1U << bits);
                else
                    at[x] = (uint8_t)chance(256);
            }
    }
    f.rgb = (satb_image){.width = width, .height = height, .channels = 3, .bits = 8 * bytes};
    f.rgb.stride = (ptrdiff_t)width * 3 * 2; /* room for light */
    f.rgb.data = malloc((size_t)f.rgb.stride * (size_t)height);
    return f;
}

static void free_frame(frame *f)
{
    for (int i = 0; i < PLANES; i++)
        free(f->yuv.planes[i]);
    free(f->rgb.data);
}

static frame copy_frame(const frame *f)
{
    frame copy = *f;
    for (int i = 0; i < PLANES; i++) {
        const size_t size = (size_t)f->yuv.strides[i] * (size_t)rows(&f->yuv, i);
        copy.yuv.planes[i] = memcpy(malloc(size), f->yuv.planes[i], size);
    }
    const size_t size = (size_t)f->rgb.stride * (size_t)f->rgb.height;
    copy.rgb.data = memcpy(malloc(size), f->rgb.data, size);
    return copy;
}

/* Where 0 to 1 of luma and of chroma lie among the codes. */
typedef struct scale {
    double black, luma, middle, chroma, white;
} scale;

static scale scale_of(int bits, bool full)
{
    const double unit = ldexp(1, bits - 8), all = ldexp(1, bits) - 1, middle = ldexp(1, bits - 1);
    const double white = bits > 8 ? 65535 : 255;
    return full ? (scale){0, all, middle, all, white}
                : (scale){16 * unit, 219 * unit, middle, 224 * unit, white};
}

static double within(double v, double most)
{
    return v < 0 ? 0 : v > most ? most : v;
}

/* Fails unless RGB is that of the planes. */
static void is_rgb_of(const frame *f, yuv_colour c)
{
    const scale s = scale_of(f->yuv.bits, c.full);
    const double kg = 1 - c.kr - c.kb, most = f->yuv.bits > 8 ? 16 : 1; /* 2^-13 of a code, and 1 */
    for (int y = 0; y < f->yuv.height; y++)
        for (int x = 0; x < f->yuv.width; x++) {
            const int u = x >> f->yuv.shift_x, v = y >> f->yuv.shift_y;
            const double luma = (code_at(&f->yuv, 0, x, y) - s.black) / s.luma;
            const double cb = (code_at(&f->yuv, 1, u, v) - s.middle) / s.chroma;
            const double cr = (code_at(&f->yuv, 2, u, v) - s.middle) / s.chroma;
            const double want[3] = {luma + 2 * (1 - c.kr) * cr,
                                    luma - 2 * (1 - c.kb) * c.kb / kg * cb -
                                        2 * (1 - c.kr) * c.kr / kg * cr,
                                    luma + 2 * (1 - c.kb) * cb};
            for (int i = 0; i < 3; i++)
                assert_true(fabs(rgb_at(&f->rgb, x, y, i) - within(want[i] * s.white, s.white)) <=
                            most);
        }
}

static bool is_changed(const frame *before, const frame *after, int x, int y)
{
    bool changed = false;
    for (int i = 0; i < 3; i++)
        changed |= rgb_at(&before->rgb, x, y, i) != rgb_at(&after->rgb, x, y, i);
    return changed;
}

/* Sums up a block's pixels, of which the last stand for those beyond the border. Returns whether any has changed. */
static bool sum_block(const frame *before, const frame *after, int column, int row, double mean[3])
{
    const yuv_image *const yuv = &after->yuv;
    bool changed = false;
    mean[0] = mean[1] = mean[2] = 0;
    for (int i = 0; i < 4; i++) {
        int x = (column << yuv->shift_x) + (i % 2) * yuv->shift_x;
        int y = (row << yuv->shift_y) + (i / 2) * yuv->shift_y;
        x = x < yuv->width ? x : yuv->width - 1;
        y = y < yuv->height ? y : yuv->height - 1;
        changed |= !before || is_changed(before, after, x, y);
        for (int c = 0; c < 3; c++)
            mean[c] += rgb_at(&after->rgb, x, y, c) / 4.0;
    }
    return changed;
}

/* Fails unless the planes of `after` are those of its colours where these differ from before's, and before's elsewhere. */
static void is_yuv_of(const frame *before, const frame *after, const frame *planes, yuv_colour c)
{
    const yuv_image *const yuv = &after->yuv;
    const scale s = scale_of(yuv->bits, c.full);
    const double all = ldexp(1, yuv->bits) - 1;
    for (int plane = 0; plane < PLANES; plane++)
        for (int y = 0; y < rows(yuv, plane); y++)
            for (int x = 0; x < columns(yuv, plane); x++) {
                double m[3];
                bool changed = true;
                if (plane) {
                    changed = sum_block(before, after, x, y, m);
                } else {
                    for (int i = 0; i < 3; i++)
                        m[i] = rgb_at(&after->rgb, x, y, i);
                    changed = !before || is_changed(before, after, x, y);
                }
                const unsigned got = code_at(yuv, plane, x, y);
                if (!changed) {
                    assert_int_equal(got, code_at(&planes->yuv, plane, x, y));
                    continue;
                }
                const double luma = c.kr * m[0] + (1 - c.kr - c.kb) * m[1] + c.kb * m[2];
                const double want =
                    plane == 0   ? s.black + luma / s.white * s.luma
                    : plane == 1 ? s.middle + (m[2] - luma) / 2 / (1 - c.kb) / s.white * s.chroma
                                 : s.middle + (m[0] - luma) / 2 / (1 - c.kr) / s.white * s.chroma;
                assert_true(fabs(got - within(want, all)) <= (yuv->bits == 16 ? 16 : 1));
            }
}

/* Changes every other pixel, or runs of them. */
static void change(frame *f)
{
    const size_t size = (size_t)f->rgb.stride * (size_t)f->rgb.height;
    for (size_t i = 0; i < size; i++)
        if (i / 96 % 3 == 0 && chance(2))
            ((uint8_t *)f->rgb.data)[i] = (uint8_t)chance(256);
}

static void there_and_back(int width, int height, int bits, int shift, yuv_colour c)
{
    frame before = make_frame(width, height, bits, shift);
    yuv_to_rgb(&before.yuv, c, &before.rgb);
    is_rgb_of(&before, c);
    frame after = copy_frame(&before);
    yuv_of_rgb(&after.yuv, c, &before.rgb, &after.rgb);
    is_yuv_of(&before, &after, &before, c); /* nothing has changed */
    change(&after);
    yuv_of_rgb(&after.yuv, c, &before.rgb, &after.rgb);
    is_yuv_of(&before, &after, &before, c);
    yuv_of_rgb(&after.yuv, c, NULL, &after.rgb);
    is_yuv_of(NULL, &after, &before, c);
    free_frame(&before);
    free_frame(&after);
}

static void test_all(void **state)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t b = 0; b < sizeof depths / sizeof *depths; b++)
            for (int shift = 0; shift < 4; shift++)
                there_and_back(sizes[i][0], sizes[i][1], depths[b], shift,
                               colours[(i + b + (size_t)shift) % 3]);
}

/* --- Light ------------------------------------------------------------------------------------ */

static uint8_t *sample_at(const yuv_image *y, int plane, int column, int row)
{
    return y->planes[plane] + row * y->strides[plane] + column * (y->bits > 8 ? 2 : 1);
}

static void set_code(const yuv_image *y, int plane, int column, int row, unsigned code)
{
    uint8_t *const at = sample_at(y, plane, column, row);
    if (y->bits > 8)
        *(uint16_t *)(void *)at = (uint16_t)code;
    else
        *at = (uint8_t)code;
}

/* Fills a frame with a code's gray and with colours near it, that RGB can hold. */
static void fill_colours(const frame *f, bool full)
{
    const scale s = scale_of(f->yuv.bits, full);
    for (int plane = 0; plane < PLANES; plane++)
        for (int y = 0; y < rows(&f->yuv, plane); y++)
            for (int x = 0; x < columns(&f->yuv, plane); x++) {
                const unsigned gray = (unsigned)(s.black + (x + 1030 * y) % ((int)s.luma + 1));
                const bool is_colour = y >= rows(&f->yuv, plane) / 2;
                const double most = is_colour ? s.chroma / 20 : 0;
                set_code(&f->yuv, plane, x, y,
                         plane       ? (unsigned)(s.middle + (chance(2001) / 1000.0 - 1) * most)
                         : is_colour ? (unsigned)(s.black + s.luma * (0.3 + chance(1000) / 2500.0))
                                     : gray);
            }
}

/* Makes light of codes and, from nothing else, codes again: those of grays are equal, and those of colours within one. */
static void light_and_back(int bits, int shift, bool full, int curve)
{
    frame before = make_frame(1030, 4 << (shift >> 1), bits, shift);
    light_table *const table = light_table_make(satb_curve_of(curve));
    const yuv_colour c = {0.2627, 0.0593, full, table};
    before.rgb.bits = 16;
    before.rgb.half = 1;
    fill_colours(&before, full);
    yuv_to_rgb(&before.yuv, c, &before.rgb);
    frame after = copy_frame(&before);
    for (int i = 0; i < PLANES; i++)
        memset(after.yuv.planes[i], 0, (size_t)after.yuv.strides[i] * (size_t)rows(&after.yuv, i));
    yuv_of_rgb(&after.yuv, c, NULL, &after.rgb);
    for (int plane = 0; plane < PLANES; plane++)
        for (int y = 0; y < rows(&after.yuv, plane); y++)
            for (int x = 0; x < columns(&after.yuv, plane); x++) {
                const int off =
                    (int)code_at(&after.yuv, plane, x, y) - (int)code_at(&before.yuv, plane, x, y);
                assert_true(abs(off) <= (y >= rows(&after.yuv, plane) / 2));
            }
    set_code(&after.yuv, 0, 5, 0, 1); /* what has not changed keeps its codes, whatever they are */
    yuv_of_rgb(&after.yuv, c, &before.rgb, &after.rgb);
    assert_int_equal(code_at(&after.yuv, 0, 5, 0), 1);
    free(table);
    free_frame(&before);
    free_frame(&after);
}

static void test_light(void **state)
{
    for (int shift = 0; shift < 4; shift++)
        for (int k = 0; k < 12; k++)
            light_and_back(k % 3 == 0   ? 8
                           : k % 3 == 1 ? 10
                                        : 12,
                           shift, k / 3 % 2, k < 6 ? 16 : 18);
}

UNIT_MAIN(UNIT(test_all), UNIT(test_light))
