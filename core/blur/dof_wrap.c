#include "blur/dof_wrap.h"

#include "base/size.h"

enum { ROW = 16 }; /* the bytes from row to row are a multiple of it */

int satb_wide_margin(const satb_image *picture, int reach)
{
    const int most = (int)(SATB_MAX_PIXELS / (uint64_t)picture->height - (uint64_t)picture->width);

    return satk_smaller(satk_smaller(reach, picture->width), satk_smaller(most, SATB_MAX_SIDE) / 2);
}

static satk_plane wide_like(const satk_plane *plane, int margin)
{
    satk_plane wide = *plane;

    wide.width += 2 * margin;
    wide.pitch = (ptrdiff_t)((satk_row_bytes(&wide) + ROW - 1) / ROW * ROW);
    return wide;
}

static size_t bytes_of(const satk_plane *plane)
{
    return (size_t)plane->pitch * (size_t)plane->height;
}

void satb_add_wide_need(const satb_dof_blur *blur, int margin, int rows, satb_need *need)
{
    const satb_image *const images[] = {blur->src, blur->dst, blur->map, blur->cover};

    for (int i = 0; i < 4; i++) {
        satk_plane plane = images[i] ? satb_plane_of(images[i]) : (satk_plane){.height = 0};
        plane.height = images[i] ? rows : 0;
        plane = wide_like(&plane, margin);
        need->bytes[SATB_SLOT_WIDE] += bytes_of(&plane);
    }
}

/* --- Copies ----------------------------------------------------------------------------------- */

/* Returns columns of the plane. */
static satk_plane columns_of(const satk_plane *plane, int first, int count)
{
    satk_plane part = *plane;

    part.data = (uint8_t *)plane->data + (ptrdiff_t)first * (plane->channels * plane->bits / 8);
    part.width = count;
    return part;
}

/* Copies `count` columns. */
static satb_status copy(satb_context *context, const satk_plane *src, int from, int count,
                        const satk_plane *dst, int to)
{
    const satk_plane those = columns_of(src, from, count), these = columns_of(dst, to, count);

    return count > 0 ? context->backend->copy(context, &those, &these) : SATB_OK;
}

static satb_status copy_round(satb_context *context, const satk_plane *plane, int margin,
                              const satk_plane *wide)
{
    const int width = plane->width;

    satb_status status = copy(context, plane, width - margin, margin, wide, 0);
    if (status == SATB_OK)
        status = copy(context, plane, 0, width, wide, margin);
    return status == SATB_OK ? copy(context, plane, 0, margin, wide, margin + width) : status;
}

satb_status satb_widen(satb_context *context, const satb_band_planes *planes, int margin,
                       satb_band_planes *wide)
{
    const satk_plane *const from[] = {&planes->dst, &planes->src, &planes->map, &planes->cover};
    satk_plane *const to[] = {&wide->dst, &wide->src, &wide->map, &wide->cover};
    size_t bytes = 0, at = 0;
    void *data = NULL;

    *wide = *planes;
    for (int i = 0; i < 4 && from[i]->data; i++) {
        *to[i] = wide_like(from[i], margin);
        bytes += bytes_of(to[i]);
    }
    satb_status status = context->backend->reserve(context, SATB_SLOT_WIDE, bytes, &data);
    for (int i = 0; i < 4 && from[i]->data && status == SATB_OK; i++) {
        to[i]->data = (uint8_t *)data + at;
        at += bytes_of(to[i]);
        if (i > 0) /* the first is the result */
            status = copy_round(context, from[i], margin, to[i]);
    }
    return status;
}

satb_status satb_narrow(satb_context *context, const satb_band_planes *wide, int margin,
                        const satb_band_planes *planes)
{
    return copy(context, &wide->dst, margin, planes->dst.width, &planes->dst, 0);
}
