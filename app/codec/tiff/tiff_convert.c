/* TIFF colours that libtiff itself makes RGB of: CMYK and YCbCr. */
#include "codec/tiff/tiff_layout.h"
#include "image/pixels.h"

#include <string.h>

/* Refuses what libtiff does not convert: it calls that an error as damage is one. */
static bool check_conversion(tiff_file *f, const tiff_layout *l, problem *p)
{
    char why[1024] = "";
    TIFFRGBAImage conversion;
    if (!TIFFRGBAImageOK(f->tiff, why))
        return problem_set(p, "this TIFF is not read here (%.200s); save it as RGB", why);
    if (!TIFFRGBAImageBegin(&conversion, f->tiff, 1, why))
        return strncmp(why, "Sorry", 5) == 0 ? tiff_refuse_kind(l, p) : tiff_explain(f, p);
    TIFFRGBAImageEnd(&conversion);
    return true;
}

bool tiff_convert(tiff_file *f, const tiff_layout *l, satb_image *image, problem *p)
{
    uint16_t orientation = ORIENTATION_TOPLEFT;
    const size_t pixels = (size_t)l->width * l->height;
    if (!check_conversion(f, l, p))
        return false;
    uint32_t *const all = pixels_allocate(pixels * sizeof *all);
    if (!all)
        return problem_set(p, "not enough memory for %u x %u pixels", l->width, l->height);
    memset(all, 0, pixels * sizeof *all);
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_ORIENTATION, &orientation);
    const bool done =
        TIFFReadRGBAImageOriented(f->tiff, l->width, l->height, all, orientation, 1) != 0;
    uint8_t *to = image->data;
    for (size_t i = 0; i < pixels && done; i++, to += 3) {
        to[0] = (uint8_t)TIFFGetR(all[i]);
        to[1] = (uint8_t)TIFFGetG(all[i]);
        to[2] = (uint8_t)TIFFGetB(all[i]);
    }
    pixels_free(all);
    return done || tiff_explain(f, p);
}
