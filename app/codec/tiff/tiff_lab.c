/* Lab colours of a TIFF (CIE 1976) as sRGB. Their white is D50's, and becomes the white of sRGB. */
#include "codec/tiff/tiff_layout.h"

#include <curves.h>
#include <math.h>

/* sRGB's linear light from XYZ of which each is 1 for white: Bradford's adaptation from D50 to D65, then IEC 61966-2-1. */
static const double rgb_of_xyz[3][3] = {{3.0219825, -1.6172090, -0.4047735},
                                        {-0.9437093, 1.9161301, 0.0275792},
                                        {0.0693876, -0.2289939, 1.1596063}};

/* Returns the number that the cube root, straight near black, has been taken of. */
static double undo_root(double t)
{
    const double end = 6 / 29.0;
    return t > end ? t * t * t : 3 * end * end * (t - 4 / 29.0);
}

/* Finds the codes, from 0 to white, of a lightness from 0 to 100 and two differences. */
static void find_codes(const double lab[3], unsigned white, unsigned codes[3])
{
    const double y = (lab[0] + 16) / 116;
    const double xyz[3] = {undo_root(y + lab[1] / 500), undo_root(y), undo_root(y - lab[2] / 200)};
    for (int c = 0; c < 3; c++) {
        const double light =
            rgb_of_xyz[c][0] * xyz[0] + rgb_of_xyz[c][1] * xyz[1] + rgb_of_xyz[c][2] * xyz[2];
        codes[c] = (unsigned)lrint(white * satb_srgb.of_light(light));
    }
}

/* The numbers of a kind: differences are signed in CIELab, and have an offset in ICCLab, whose lightness of 16 bits ends with
 * a low byte of 0. */
static void find_lab(const tiff_layout *l, const unsigned samples[3], double lab[3])
{
    const bool is_icc = l->photometric == PHOTOMETRIC_ICCLAB;
    const int unit = l->bits == 16 ? 256 : 1, half = 128 * unit;
    lab[0] = samples[0] * 100.0 / (l->bits != 16 ? UINT8_MAX : is_icc ? 0xff00 : UINT16_MAX);
    for (int c = 1; c < 3; c++) {
        const int v = (int)samples[c], is_negative = !is_icc && v >= half;
        lab[c] = (double)(is_icc ? v - half : is_negative ? v - 2 * half : v) / unit;
    }
}

void tiff_lab_to_rgb(const tiff_layout *l, void *rows, size_t pixels, int channels)
{
    uint8_t *narrow = rows;
    uint16_t *wide = rows;
    for (size_t i = 0; i < pixels; i++, narrow += channels, wide += channels) {
        unsigned samples[3];
        double lab[3];
        for (int c = 0; c < 3; c++)
            samples[c] = l->bits == 16 ? wide[c] : narrow[c];
        find_lab(l, samples, lab);
        find_codes(lab, l->bits == 16 ? UINT16_MAX : UINT8_MAX, samples);
        for (int c = 0; c < 3; c++)
            if (l->bits == 16)
                wide[c] = (uint16_t)samples[c];
            else
                narrow[c] = (uint8_t)samples[c];
    }
}
