#include "blur/dof_rims.h"

#include "backend/image.h"
#include "base/memory.h"
#include "blur/rim_colours.h"
#include "depth/depth_channel.h"

#include <math.h>
#include <string.h>

/* The differences of radii, in pixels, from which rims show. */
#define SHARPER 0.75 /* of a mask or a matte */
#define BLURRED 20.0 /* a doubtful one */

static int has_matte(const satb_dof_blur *blur)
{
    return blur->matte && blur->matte->data;
}

static int shows(const satb_dof_blur *blur, const satb_rim *rim)
{
    const double near = blur->signed_radius[rim->near], far = blur->signed_radius[rim->far];

    return rim->kind == SATB_RIM_DOUBT ? fabs(near) - fabs(far) >= BLURRED
                                       : fabs(near - far) >= SHARPER;
}

static void lay_rim(const satb_covered *c, const satb_rim *rim)
{
    uint8_t *const row = (uint8_t *)c->map.data + rim->y * c->map.stride;
    uint16_t *const wide = (uint16_t *)(void *)row;

    c->counts[c->map.bits == 8 ? row[rim->x] : wide[rim->x]]--;
    c->counts[rim->near]++;
    if (c->map.bits == 8)
        row[rim->x] = (uint8_t)rim->near;
    else
        wide[rim->x] = rim->near;
    ((uint8_t *)c->cover.data)[rim->y * c->cover.stride + rim->x] = rim->cover;
    if (rim->kind != SATB_RIM_DOUBT && c->sides.data)
        ((uint8_t *)c->sides.data)[rim->y * c->sides.stride + rim->x] =
            rim->kind == SATB_RIM_SUBJECT ? SATB_COLOUR_SUBJECT : SATB_COLOUR_BACKGROUND;
}

/* Makes a plane of 8 bits. */
static satb_image make_plane(satb_context *context, const satb_image *like, int value)
{
    const size_t size = (size_t)like->width * (size_t)like->height;
    const satb_image plane = {.data = satb_take(&context->spares, size),
                              .stride = like->width,
                              .width = like->width,
                              .height = like->height,
                              .channels = 1,
                              .bits = 8};

    if (plane.data)
        memset(plane.data, value, size);
    return plane;
}

/* Returns 0 if memory ran out. */
static int open_planes(satb_context *context, const satb_dof_blur *blur, satb_covered *c)
{
    const size_t codes = (size_t)1 << blur->map->bits;

    c->cover = make_plane(context, blur->src, UINT8_MAX);
    if (has_matte(blur))
        c->sides = make_plane(context, blur->src, SATB_COLOUR_KEEP);
    c->counts = satb_take(&context->spares, codes * sizeof *c->counts);
    if (!c->cover.data || (has_matte(blur) && !c->sides.data) || !c->counts ||
        !satb_copy_map(context, blur->map, &c->map))
        return 0;
    memcpy(c->counts, blur->counts, codes * sizeof *c->counts);
    return 1;
}

/* Gives the rims on the map the colours of their near surfaces. */
static satb_status colour_rims(satb_context *context, satb_covered *c)
{
    satb_image view;

    if (!has_matte(&c->blur))
        return SATB_OK;
    satb_status status = satb_view_on_host(context, c->blur.src, &view, &c->fetched);
    if (status == SATB_OK)
        status = satb_separate_colours(context, &view, c->blur.matte, &c->sides, &c->src);
    if (status == SATB_OK)
        c->blur.src = &c->src;
    return status;
}

satb_status satb_open_covered(satb_context *context, const satb_dof_blur *blur,
                              satb_covered *covered)
{
    const satb_rims *const rims = blur->rims;
    size_t first = 0;

    *covered = (satb_covered){.blur = *blur};
    while (first < rims->count && !shows(blur, &rims->at[first]))
        first++;
    if (first == rims->count)
        return SATB_OK;
    if (!open_planes(context, blur, covered)) {
        satb_close_covered(context, covered);
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the rims of depth");
    }
    for (size_t i = first; i < rims->count; i++)
        if (shows(blur, &rims->at[i]))
            lay_rim(covered, &rims->at[i]);
    covered->blur.map = &covered->map;
    covered->blur.cover = &covered->cover;
    covered->blur.counts = covered->counts;
    const satb_status status = colour_rims(context, covered);
    if (status != SATB_OK)
        satb_close_covered(context, covered);
    return status;
}

void satb_close_covered(satb_context *context, satb_covered *covered)
{
    satb_give(&context->spares, covered->map.data);
    satb_give(&context->spares, covered->cover.data);
    satb_give(&context->spares, covered->sides.data);
    satb_give(&context->spares, covered->src.data);
    satb_give(&context->spares, covered->fetched);
    satb_give(&context->spares, covered->counts);
    *covered = (satb_covered){.counts = NULL};
}
