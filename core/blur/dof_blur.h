/* A picture to be blurred by its depths: what blur by layers and blur by spreading are called with. */
#ifndef SATB_DOF_BLUR_H
#define SATB_DOF_BLUR_H

#include "backend/bands.h"
#include "blur/aperture.h"
#include "depth/depth_map.h"
#include "layer/radii_rule.h"

/* Everything in it is valid. */
typedef struct satb_dof_blur {
    const satb_image *src, *dst;
    const satb_image *map;      /* of src's size; its first channel counts */
    satb_depth_map *depth;      /* with the map's rims, for layers, and with the call */
    const satb_image *cover;    /* for layers: like satk_layer.cover; NULL: every pixel is whole */
    const satb_code_set *codes; /* that occur in the map */
    const satk_lens *lens;      /* from codes to radii */
    int gamma;                  /* as in satb_look */
    int wraps;                  /* for layers: left and right sides meet */
    int dither;                 /* for layers: whether codes of 8 bits are dithered */
    int channel;                /* for layers: as in satk_layer */
    double fringe;              /* of colours: a part of the radius, 0 .. 0.5; 0: none */
    const satb_aperture *aperture; /* for layers */
    double
        highlights; /* for layers; 0: none; else how much brighter clipped lights were, 1 .. 64 */
    double highlight_threshold; /* a part of white, above 0, at most 1 */
    double highlight_size;      /* per cent of the longer side, above 0 */
    int *lights;                /* the number of points of light that are found is added to it */
} satb_dof_blur;

/* Returns the radius of a code in pixels: below 0 behind the focus, above 0 before it. */
static inline double satb_radius_of(const satb_dof_blur *blur, uint32_t code)
{
    return satk_radius_of(blur->lens, code, blur->map->bits);
}

/* Returns its size, in 1/256 pixel. */
static inline uint32_t satb_radius_size(const satb_dof_blur *blur, uint32_t code)
{
    const int32_t radius = satk_radius_q8(satb_radius_of(blur, code));

    return radius < 0 ? (uint32_t)-radius : (uint32_t)radius;
}

/* Adds the bytes that both ways to blur need for `rows` rows of the pictures, the tone's tables, and a table by code of
 * table_bytes. */
void satb_add_dof_need(const satb_dof_blur *blur, const satk_tone *tone, size_t table_bytes,
                       int rows, satb_need *need);

/* Copies the tone's tables and the table by code to where kernels read them: *table points there then. */
satb_status satb_upload_dof_tables(satb_context *context, const satb_dof_blur *blur,
                                   satk_tone *tone, size_t table_bytes, const void **table);

/* Runs it band by band. work: its job and the functions; the rest of it is filled in. Errors: as of
 * satb_run_in_bands(). */
satb_status satb_run_dof_bands(satb_context *context, const satb_dof_blur *blur, satb_bands bands,
                               satb_banded work);

#endif
