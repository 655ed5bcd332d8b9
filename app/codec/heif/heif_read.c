/* HEIC and AVIF files: reading. The primary picture alone counts. */
#include "codec/code_light.h"
#include "codec/heif/heif_light.h"
#include "codec/heif/heif_open.h"
#include "image/pixels.h"

#include <curves.h>
#include <stdio.h>

/* Returns the curve of colours whose light is known; NULL: sRGB's is taken for them. */
static const satb_curve *light_curve(int transfer)
{
    const satb_curve *const curve = satb_curve_of(transfer);
    return curve && curve->is_hdr && curve->to_light ? curve : NULL;
}

bool heif_probe(bytes in, satb_image *shape, problem *p)
{
    heif_item item;
    const bool done = heif_open(in, &item, p) && heif_allows(&item, PICTURE_PIXELS_MOST, p);
    if (done)
        *shape = heif_shape(&item);
    if (done && !item.properties.has_profile && light_curve(item.properties.transfer)) {
        shape->bits = 16;
        shape->half = true;
    }
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

/* Says where colours without a profile are not sRGB's, as which they are taken, or light. */
static void note_colours(const struct heif_color_profile_nclx *nclx, bool is_light, problem *p)
{
    const satb_curve *const known = satb_curve_of((int)nclx->transfer_characteristics);
    const char *const curve = known && known != &satb_srgb ? known->name : NULL;
    const char *const primaries = primaries_name(nclx->color_primaries);
    char names[80];
    snprintf(names, sizeof names, "%s%s%s%s", curve ? curve : "", curve && primaries ? ", " : "",
             primaries ? primaries : "", primaries ? " primaries" : "");
    if (is_light)
        problem_set(p, "its colours (%s) were read as light, with 1 for diffuse white", names);
    else if (curve || primaries)
        problem_set(p, "its colours are %s (nclx), but are read as sRGB; convert it to sRGB first",
                    names);
}

/* Makes light of PQ and HLG, unless a map or a matte is read. False: p has a sentence. */
static bool finish_colours(const heif_item *item, const struct heif_image *decoded,
                           const decode_settings *settings, satb_image *image, problem *p)
{
    if (heif_image_handle_get_raw_color_profile_size(item->handle) > 0)
        return true;
    struct heif_color_profile_nclx *const nclx = find_colours(item, decoded);
    if (!nclx)
        return true;
    const satb_curve *const curve = settings->as_map || settings->codes_only
                                        ? NULL
                                        : light_curve((int)nclx->transfer_characteristics);
    const bool done = !curve || code_light_picture(image, curve, (int)nclx->color_primaries, p);
    if (done)
        note_colours(nclx, curve != NULL, p);
    heif_nclx_color_profile_free(nclx);
    return done;
}

/* Refuses colours of which the library would make wrong ones. */
static bool accept_matrix(const heif_item *item, const struct heif_image *decoded, problem *p)
{
    struct heif_color_profile_nclx *const nclx = find_colours(item, decoded);
    const int matrix = nclx ? (int)nclx->matrix_coefficients : 0;
    const bool is_known = !nclx || item->colours.is_gray ||
                          heif_knows_matrix(matrix, heif_bits(item), nclx->full_range_flag);
    if (nclx)
        heif_nclx_color_profile_free(nclx);
    return is_known ||
           problem_set(p,
                       "its colours have a matrix that is not read here (%s, code %d of nclx); "
                       "convert it to PNG",
                       heif_matrix_name(matrix), matrix);
}

const char *heif_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    heif_item item;
    struct heif_image *decoded = NULL;
    bool done = heif_open(in, &item, p) && heif_allows(&item, settings->max_pixels, p) &&
                heif_pixels(&item, image, &decoded, p);
    if (done && (!accept_matrix(&item, decoded, p) ||
                 !finish_colours(&item, decoded, settings, image, p))) {
        pixels_free(image->data);
        image->data = NULL;
        done = false;
    }
    if (decoded)
        heif_image_release(decoded);
    heif_close(&item);
    return done ? heif_name() : NULL;
}
