#include "figure/focus_view.h"

#include "codec/convert.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double red = 0.2126, green = 0.7152, blue = 0.0722; /* of luma, ITU-R BT.709 */
static const double before[3] = {1, 0.5, 0};                     /* orange */
static const double behind[3] = {0.15, 0.45, 1}; /* blue, which the colour-blind tell from orange */
static const double least = 0.35, most = 0.85;   /* strength of the tint, of 1 */
static const double black = 0.1, white = 0.85;   /* luma that black and white get at strength 1 */

typedef struct drawing {
    focus_view *view;
    const satb_image *coc;
    double pixels_a_code; /* of radius */
    int line;             /* pixels: the width of the lines */
    uint8_t *sharp;       /* 1: the pixel is in focus, 0: it is not */
    uint8_t *area, *rim;  /* what the line goes around, and around the line */
    unsigned *columns;
} drawing;

static double luma(const double rgb[3])
{
    return red * rgb[0] + green * rgb[1] + blue * rgb[2];
}

/* Returns the signed radius of a pixel: above 0 before the focus. */
static double radius_of(const drawing *d, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)d->coc->data + y * d->coc->stride;
    return ((int)picture_sample(d->coc, row, (size_t)x) - SATB_COC_ZERO) * d->pixels_a_code;
}

static uint8_t *pixel_of(const drawing *d, int x, int y)
{
    return (uint8_t *)d->view->image.data + y * d->view->image.stride + 3 * (ptrdiff_t)x;
}

/* --- Tints ------------------------------------------------------------------------------------ */

/* Gives a pixel the tint. Its luma depends on its old luma and the strength alone: both colours are made weaker where they do
 * not fit. */
static void tint(uint8_t *pixel, const double colour[3], double strength)
{
    const double own[3] = {pixel[0] / 255.0, pixel[1] / 255.0, pixel[2] / 255.0};
    const double y = luma(own), to = y + strength * (black + (white - black) * y - y);
    double chroma[3], fit = 1;
    for (int c = 0; c < 3; c++) {
        chroma[c] = (1 - strength) * (own[c] - y) + strength * (colour[c] - luma(colour));
        fit = fmin(fit, chroma[c] > 0 ? (1 - to) / chroma[c] : chroma[c] < 0 ? -to / chroma[c] : 1);
    }
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)lrint(255 * fmin(1, fmax(0, to + fit * chroma[c])));
}

static void tint_row(drawing *d, int y)
{
    const double sharp = d->view->sharp_radius, largest = fmax(d->view->near, d->view->far);
    for (int x = 0; x < d->coc->width; x++) {
        const double r = radius_of(d, x, y);
        const size_t at = (size_t)y * (size_t)d->coc->width + (size_t)x;
        d->sharp[at] = fabs(r) <= sharp;
        if (!d->sharp[at])
            tint(pixel_of(d, x, y), r > 0 ? before : behind,
                 least + (most - least) * sqrt((fabs(r) - sharp) / (largest - sharp)));
    }
}

static void measure(drawing *d)
{
    focus_view *const v = d->view;
    for (int y = 0; y < d->coc->height; y++)
        for (int x = 0; x < d->coc->width; x++) {
            const double r = radius_of(d, x, y);
            v->near = fmax(v->near, r);
            v->far = fmax(v->far, -r);
            v->before += r > v->sharp_radius;
            v->behind += -r > v->sharp_radius;
        }
}

/* --- The line --------------------------------------------------------------------------------- */

static int within(int at, int size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

/* Sets out to 1 where more than `many` of the (2k + 1) x (2k + 1) pixels around are 1; pixels at the border are repeated
 * beyond it. */
static void count_around(const drawing *d, const uint8_t *in, uint8_t *out, int k, unsigned many)
{
    const int width = d->coc->width, height = d->coc->height;
    memset(d->columns, 0, (size_t)width * sizeof *d->columns);
    for (int y = -k; y < k; y++)
        for (int x = 0; x < width; x++)
            d->columns[x] += in[(size_t)within(y, height) * (size_t)width + (size_t)x];
    for (int y = 0; y < height; y++) {
        const uint8_t *const enters = in + (size_t)within(y + k, height) * (size_t)width;
        const uint8_t *const leaves = in + (size_t)within(y - k, height) * (size_t)width;
        unsigned sum = 0;
        for (int x = 0; x < width; x++)
            d->columns[x] += enters[x];
        for (int x = -k; x < k; x++)
            sum += d->columns[within(x, width)];
        for (int x = 0; x < width; x++) {
            sum += d->columns[within(x + k, width)];
            out[(size_t)y * (size_t)width + (size_t)x] = sum > many;
            sum -= d->columns[within(x - k, width)];
        }
        for (int x = 0; x < width; x++)
            d->columns[x] -= leaves[x];
    }
}

/* Makes a row's pixels of the line white, and those beside it on its outer side dark. */
static void line_row(const drawing *d, int y)
{
    for (int x = 0; x < d->coc->width; x++) {
        const size_t at = (size_t)y * (size_t)d->coc->width + (size_t)x;
        if (d->rim[at] && !d->area[at])
            memset(pixel_of(d, x, y), 255, 3);
    }
}

static void darken_row(const drawing *d, int y)
{
    for (int x = 0; x < d->coc->width; x++) {
        uint8_t *const pixel = pixel_of(d, x, y);
        const size_t at = (size_t)y * (size_t)d->coc->width + (size_t)x;
        for (int c = 0; c < 3 && d->rim[at] && !d->area[at]; c++)
            pixel[c] /= 3;
    }
}

/* Draws a line around what is in focus, where most pixels around are: so specks get none. */
static void draw_line(const drawing *d)
{
    const int k = 1 + d->line, side = 2 * k + 1;
    count_around(d, d->sharp, d->area, k, (unsigned)(side * side / 2));
    count_around(d, d->area, d->rim, 2 * d->line, 0);
    for (int y = 0; y < d->coc->height; y++)
        darken_row(d, y);
    count_around(d, d->area, d->rim, d->line, 0);
    for (int y = 0; y < d->coc->height; y++)
        line_row(d, y);
}

/* --- The cross -------------------------------------------------------------------------------- */

/* Returns whether a pixel is on the cross, widened by `more`: four arms, with a gap around the middle. */
static bool is_on_cross(const drawing *d, int dx, int dy, int more)
{
    const int along = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    const int across = abs(dx) > abs(dy) ? abs(dy) : abs(dx);
    return across <= (d->line + 1) / 2 + more && along >= 4 * d->line - more &&
           along <= 12 * d->line + more;
}

static void draw_cross(const drawing *d, int x0, int y0)
{
    const int reach = 13 * d->line;
    for (int y = y0 - reach; y <= y0 + reach; y++)
        for (int x = x0 - reach; x <= x0 + reach; x++)
            if (x >= 0 && x < d->coc->width && y >= 0 && y < d->coc->height &&
                is_on_cross(d, x - x0, y - y0, d->line))
                memset(pixel_of(d, x, y), is_on_cross(d, x - x0, y - y0, 0) ? 255 : 0, 3);
}

/* --- All -------------------------------------------------------------------------------------- */

static bool prepare(drawing *d, const satb_image *src, problem *p)
{
    const size_t pixels = (size_t)src->width * (size_t)src->height;
    satb_image *const image = &d->view->image;
    *image = (satb_image){.width = src->width, .height = src->height, .channels = 3, .bits = 8};
    image->stride = 3 * (ptrdiff_t)src->width;
    d->sharp = pixels_allocate(pixels);
    d->area = pixels_allocate(pixels);
    d->rim = pixels_allocate(pixels);
    d->columns = pixels_allocate((size_t)src->width * sizeof *d->columns);
    if (!d->sharp || !d->area || !d->rim || !d->columns)
        return problem_set(p, "not enough memory to draw the focus");
    return convert_pixels(src, image, p);
}

bool focus_view_draw(focus_view *view, const satb_image *src, const satb_image *coc,
                     double full_radius, const focus_marks *marks, problem *p)
{
    drawing d = {.view = view, .coc = coc, .pixels_a_code = full_radius / 32767};
    const int longer = src->width > src->height ? src->width : src->height;
    const double diagonal =
        sqrt((double)src->width * src->width + (double)src->height * src->height);
    *view = (focus_view){.sharp_radius = fmax(0.5, diagonal / 3000)};
    d.line = 1 + longer / 1500;
    const bool done = prepare(&d, src, p);
    if (done) {
        measure(&d);
        for (int y = 0; y < src->height; y++)
            tint_row(&d, y);
        draw_line(&d);
        for (int i = 0; i < marks->count; i++)
            draw_cross(&d, marks->x[i], marks->y[i]);
    }
    pixels_free(d.sharp);
    pixels_free(d.area);
    pixels_free(d.rim);
    pixels_free(d.columns);
    return done;
}
