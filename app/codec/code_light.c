#include "codec/code_light.h"

#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stddef.h>

/* To sRGB's primaries, from those of ITU-T H.273 with the white of D65. */
static const struct {
    int primaries;
    float to_srgb[3][3];
} gamuts[] = {{9, /* BT.2020 */
               {{1.6604910F, -0.5876411F, -0.0728499F},
                {-0.1245505F, 1.1328999F, -0.0083494F},
                {-0.0181508F, -0.1005789F, 1.1187297F}}},
              {12, /* Display P3 */
               {{1.2249402F, -0.2249402F, 0},
                {-0.0420570F, 1.0420570F, 0},
                {-0.0196376F, -0.0786360F, 1.0982736F}}}};

const float (*code_light_to_srgb(int primaries))[3]
{
    for (size_t i = 0; i < sizeof gamuts / sizeof *gamuts; i++)
        if (gamuts[i].primaries == primaries)
            return gamuts[i].to_srgb;
    return NULL;
}

typedef struct light {
    const float *of_code;
    const float (*to_srgb)[3]; /* NULL: the primaries stay */
    unsigned white;
} light;

/* Makes the light of each code, with 1 for diffuse white. */
static float *make_table(const satb_curve *curve, unsigned white)
{
    enum { DIFFUSE = 203 }; /* cd/m2 */
    const double unit = curve->white > 0 ? curve->white / DIFFUSE : 1;
    float *const table = pixels_allocate((white + 1) * sizeof *table);
    for (unsigned i = 0; i <= white && table; i++)
        table[i] = (float)(unit * curve->to_light((double)i / white));
    return table;
}

static void light_pixel(const light *l, const unsigned *codes, int channels, uint16_t *to)
{
    const int colours = channels < 3 ? 1 : 3;
    const float alpha = channels % 2 == 0 ? (float)codes[channels - 1] / (float)l->white : 1;
    for (int c = 0; c < colours; c++) {
        float v = l->of_code[codes[c]];
        if (colours == 3 && l->to_srgb)
            v = l->to_srgb[c][0] * l->of_code[codes[0]] + l->to_srgb[c][1] * l->of_code[codes[1]] +
                l->to_srgb[c][2] * l->of_code[codes[2]];
        to[c] = half_of(alpha * v);
    }
    if (channels % 2 == 0)
        to[channels - 1] = half_of(alpha);
}

static void light_rows(const light *l, const satb_image *image, uint16_t *to)
{
    const int channels = image->channels;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
        for (size_t x = 0; x < (size_t)image->width; x++, to += channels) {
            unsigned codes[4];
            for (int c = 0; c < channels; c++)
                codes[c] = picture_sample(image, row, x * (size_t)channels + (size_t)c);
            light_pixel(l, codes, channels, to);
        }
    }
}

bool code_light_picture(satb_image *image, const satb_curve *curve, int primaries, problem *p)
{
    satb_image lit = *image;
    light l = {.to_srgb = code_light_to_srgb(primaries),
               .white = image->bits == 16 ? UINT16_MAX : UINT8_MAX};
    lit.bits = 16;
    lit.half = true;
    float *const table = make_table(curve, l.white);
    const bool done = pixels_make(&lit, NULL) && table;
    l.of_code = table;
    if (done)
        light_rows(&l, image, lit.data);
    pixels_free(table);
    pixels_free(done ? image->data : lit.data);
    if (!done)
        return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for %d x %d pixels",
                                image->width, image->height);
    *image = lit;
    return true;
}
