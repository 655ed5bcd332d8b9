#include "blur/dof_rims.h"

#include "base/memory.h"
#include "depth/depth_channel.h"

#include <math.h>
#include <string.h>

/* The differences of radii, in pixels, from which rims show. */
#define SHARPER 0.75 /* of a mask */
#define BLURRED 20.0 /* a doubtful one */

static int shows(const satb_dof_blur *blur, const satb_rim *rim)
{
    const double near = blur->signed_radius[rim->near], far = blur->signed_radius[rim->far];

    return rim->kind == SATB_RIM_MATTE ? fabs(near - far) >= SHARPER
                                       : fabs(near) - fabs(far) >= BLURRED;
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
}

/* Returns 0 if memory ran out. */
static int open_planes(satb_context *context, const satb_dof_blur *blur, satb_covered *c)
{
    const size_t codes = (size_t)1 << blur->map->bits;
    const int width = blur->src->width, height = blur->src->height;

    c->cover = (satb_image){.data = satb_take(&context->spares, (size_t)width * (size_t)height),
                            .stride = width,
                            .width = width,
                            .height = height,
                            .channels = 1,
                            .bits = 8};
    c->counts = satb_take(&context->spares, codes * sizeof *c->counts);
    if (!c->cover.data || !c->counts || !satb_copy_map(context, blur->map, &c->map))
        return 0;
    memset(c->cover.data, UINT8_MAX, (size_t)width * (size_t)height);
    memcpy(c->counts, blur->counts, codes * sizeof *c->counts);
    return 1;
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
    return SATB_OK;
}

void satb_close_covered(satb_context *context, satb_covered *covered)
{
    satb_give(&context->spares, covered->map.data);
    satb_give(&context->spares, covered->cover.data);
    satb_give(&context->spares, covered->counts);
    *covered = (satb_covered){.counts = NULL};
}
