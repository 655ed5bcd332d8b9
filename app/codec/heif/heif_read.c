/* HEIC and AVIF files: reading. The primary picture alone counts. */
#include "codec/heif/heif_open.h"

#include <curves.h>
#include <stdio.h>

bool heif_probe(bytes in, satb_image *shape, problem *p)
{
    heif_item item;
    const bool done = heif_open(in, &item, p) && heif_allows(&item, PICTURE_PIXELS_MOST, p);
    if (done)
        *shape = heif_shape(&item);
    heif_close(&item);
    return done;
}

unsigned heif_white(bytes in)
{
    heif_item item;
    problem p;
    const int bits = heif_open(in, &item, &p) ? heif_bits(&item) : 8;
    heif_close(&item);
    return (1u << bits) - 1;
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Returns nclx if it was read, or else NULL. The library allocates it even where it holds unknown codes. */
static struct heif_color_profile_nclx *sound(struct heif_error error,
                                             struct heif_color_profile_nclx *nclx)
{
    if (error.code == heif_error_Ok)
        return nclx;
    if (nclx)
        heif_nclx_color_profile_free(nclx);
    return NULL;
}

/* Returns the colours that the file names by code, or else those of the coded picture, for heif_nclx_color_profile_free().
 * NULL: there are none. */
static struct heif_color_profile_nclx *find_colours(const heif_item *item,
                                                    const struct heif_image *decoded)
{
    struct heif_color_profile_nclx *file = NULL, *coded = NULL;
    const struct heif_error error = heif_image_handle_get_nclx_color_profile(item->handle, &file);
    file = sound(error, file);
    if (file)
        return file;
    const struct heif_error other = heif_image_get_nclx_color_profile(decoded, &coded);
    return sound(other, coded);
}

static const char *primaries_name(enum heif_color_primaries code)
{
    switch (code) {
    case heif_color_primaries_ITU_R_BT_2020_2_and_2100_0: return "BT.2020";
    case heif_color_primaries_SMPTE_RP_431_2: return "DCI-P3";
    case heif_color_primaries_SMPTE_EG_432_1: return "Display P3";
    case heif_color_primaries_generic_film: return "film's";
    case heif_color_primaries_SMPTE_ST_428_1: return "XYZ";
    default: return NULL;
    }
}

/* Says where colours without a profile are not sRGB's, as which they are taken. */
static void note_colours(const heif_item *item, const struct heif_image *decoded, problem *p)
{
    if (heif_image_handle_get_raw_color_profile_size(item->handle) > 0)
        return;
    struct heif_color_profile_nclx *nclx = find_colours(item, decoded);
    const satb_curve *const known = satb_curve_of(nclx ? (int)nclx->transfer_characteristics : 0);
    const satb_curve *const curve = known == &satb_srgb ? NULL : known;
    const char *const primaries = nclx ? primaries_name(nclx->color_primaries) : NULL;
    if (curve || primaries)
        problem_set(p,
                    "its colours are %s%s%s%s%s%s (nclx), but are read as sRGB; convert it to sRGB "
                    "first",
                    curve && curve->is_hdr ? "HDR with the " : "", curve ? curve->name : "",
                    curve && curve->is_hdr ? " curve" : "", curve && primaries ? ", " : "",
                    primaries ? primaries : "", primaries ? " primaries" : "");
    if (nclx)
        heif_nclx_color_profile_free(nclx);
}

const char *heif_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    heif_item item;
    struct heif_image *decoded = NULL;
    const bool done = heif_open(in, &item, p) && heif_allows(&item, settings->max_pixels, p) &&
                      heif_pixels(&item, image, &decoded, p);
    if (done)
        note_colours(&item, decoded, p);
    if (decoded)
        heif_image_release(decoded);
    heif_close(&item);
    return done ? heif_name() : NULL;
}
