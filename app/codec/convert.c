#include "codec/convert.h"

#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <curves.h>
#include <math.h>
#include <stdint.h>

int convert_channels(unsigned set, int channels)
{
    static const int candidates[5][4] = {{0}, {1, 3}, {2, 4, 1, 3}, {3}, {4, 3}};
    for (int i = 0; i < 4 && candidates[channels][i]; i++)
        if (set & (1u << candidates[channels][i]))
            return candidates[channels][i];
    return 0;
}

/* A conversion, and the table that it goes by: of codes to light, or of halves up to 1 to codes. */
typedef struct conversion {
    const satb_image *image, *fit;
    float *light;
    uint16_t *codes;
} conversion;

/* Returns the sample of the image that becomes channel c of the fit. */
static int source_of(const conversion *v, int c)
{
    const int from = v->image->channels, to = v->fit->channels;
    const bool alpha = to % 2 == 0 && c == to - 1;
    return alpha ? from - 1 : c < (from >= 3 ? 3 : 1) ? c : 0;
}

static void put(const satb_image *fit, uint8_t *out, size_t at, unsigned value)
{
    if (fit->bits == 16)
        ((uint16_t *)(void *)out)[at] = (uint16_t)value;
    else
        out[at] = (uint8_t)value;
}

/* --- Same samples ----------------------------------------------------------------------------- */

static void convert_row(const conversion *v, const uint8_t *row, uint8_t *out)
{
    const satb_image *const image = v->image, *const fit = v->fit;
    for (size_t x = 0; x < (size_t)image->width; x++)
        for (int c = 0; c < fit->channels; c++) {
            const unsigned s =
                picture_sample(image, row, x * (size_t)image->channels + (size_t)source_of(v, c));
            put(fit, out, x * (size_t)fit->channels + (size_t)c,
                fit->bits < image->bits ? (s * 255u + 32767u) / 65535u : s);
        }
}

/* --- Light to codes --------------------------------------------------------------------------- */

/* Returns a share of white as a code, rounded; 0 for NaN. */
static unsigned rounded(double share, unsigned white)
{
    return share > 0 ? (unsigned)lrint(fmin(share, 1) * white) : 0;
}

static unsigned white_of(const satb_image *image)
{
    return image->bits == 16 ? UINT16_MAX : UINT8_MAX;
}

/* Makes codes of light. Colours are divided by alpha where it is kept, and lie over black where it is dropped. */
static void darken_row(const conversion *v, const uint8_t *row, uint8_t *out)
{
    const int from = v->image->channels, to = v->fit->channels;
    const unsigned white = white_of(v->fit);
    const uint16_t *pixel = (const void *)row;
    for (size_t at = 0; at < (size_t)v->image->width * (size_t)to; pixel += from)
        for (int c = 0; c < to; c++, at++) {
            const uint16_t bits = pixel[source_of(v, c)];
            const uint16_t cover = to % 2 == 0 ? pixel[from - 1] : HALF_ONE;
            unsigned code;
            if (to % 2 == 0 && c == to - 1)
                code = rounded(half_to_float(bits), white);
            else if (cover == HALF_ONE || !(half_to_float(cover) > 0))
                code = bits <= HALF_ONE ? v->codes[bits] : bits <= HALF_INFINITY ? white : 0;
            else
                code = rounded(
                    satb_srgb.of_light(fmax(half_to_float(bits) / (double)half_to_float(cover), 0)),
                    white);
            put(v->fit, out, at, code);
        }
}

/* --- Codes to light --------------------------------------------------------------------------- */

static void lighten_row(const conversion *v, const uint8_t *row, uint8_t *out)
{
    const int from = v->image->channels, to = v->fit->channels;
    const float white = (float)white_of(v->image);
    uint16_t *halves = (void *)out;
    for (size_t x = 0; x < (size_t)v->image->width; x++) {
        const size_t at = x * (size_t)from;
        const float cover =
            from % 2 == 0 && to % 2 == 0
                ? (float)picture_sample(v->image, row, at + (size_t)from - 1) / white
                : 1;
        for (int c = 0; c < to; c++)
            *halves++ = half_of(
                to % 2 == 0 && c == to - 1
                    ? cover
                    : cover *
                          v->light[picture_sample(v->image, row, at + (size_t)source_of(v, c))]);
    }
}

/* --- All -------------------------------------------------------------------------------------- */

/* Makes the table. False: memory ran out. */
static bool prepare(conversion *v)
{
    const unsigned white = white_of(v->image->half ? v->fit : v->image);
    if (v->image->half && !v->fit->half) {
        v->codes = pixels_allocate((HALF_ONE + 1) * sizeof *v->codes);
        for (unsigned i = 0; i <= HALF_ONE && v->codes; i++)
            v->codes[i] = (uint16_t)rounded(satb_srgb.of_light(half_to_float((uint16_t)i)), white);
        return v->codes != NULL;
    }
    if (v->image->half || !v->fit->half)
        return true;
    v->light = pixels_allocate((white + 1) * sizeof *v->light);
    for (unsigned i = 0; i <= white && v->light; i++)
        v->light[i] = (float)satb_srgb.to_light((double)i / white);
    return v->light != NULL;
}

bool convert_pixels(const satb_image *image, satb_image *fit, problem *p)
{
    conversion v = {.image = image, .fit = fit};
    fit->data = pixels_allocate(picture_bytes(fit));
    const bool done = fit->data && prepare(&v);
    for (int y = 0; y < image->height && done; y++) {
        const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
        (v.codes   ? darken_row
         : v.light ? lighten_row
                   : convert_row)(&v, row, (uint8_t *)fit->data + y * fit->stride);
    }
    pixels_free(v.codes);
    pixels_free(v.light);
    if (done)
        return true;
    pixels_free(fit->data);
    fit->data = NULL;
    return problem_set(p, "not enough memory to convert %d x %d pixels", fit->width, fit->height);
}
