#include "backend/backend.h"

#include "base/size.h"

satb_status satb_settled(satb_context *context, satb_status status)
{
    if (status != SATB_OK)
        context->backend->settle(context);
    return status;
}

satb_status satb_bring_bytes(satb_context *context, void *data, size_t bytes, const void **host)
{
    const satb_backend *const b = context->backend;
    satb_image from = {.data = data,
                       .stride = (ptrdiff_t)bytes,
                       .width = (int)bytes,
                       .height = 1,
                       .channels = 1,
                       .bits = 8};
    const satk_plane plane = satb_plane_of(&from);
    const satb_band all = satb_whole(&from);

    *host = data;
    if (!b->host_buffer)
        return SATB_OK;
    *host = from.data = b->host_buffer(context, bytes);
    return from.data ? b->download(context, &plane, &all, &from)
                     : satb_fail(context, SATB_ERR_DEVICE_NOMEM, "out of locked memory");
}

satk_plane satb_plane_of(const satb_image *image)
{
    return (satk_plane){.data = image->data,
                        .pitch = image->stride,
                        .width = image->width,
                        .height = image->height,
                        .channels = image->channels,
                        .bits = image->bits};
}

satb_band satb_whole(const satb_image *image)
{
    return (satb_band){.last = image->height, .end = image->height};
}

size_t satb_pitch(const satb_image *image)
{
    return (satb_row_bytes(image) + 15) / 16 * 16;
}

int satb_row_at(satb_edge edge, int y, int height)
{
    const int period = edge == SATB_EDGE_MIRROR ? 2 * height : height;
    const int rest = (y % period + period) % period;

    if (edge == SATB_EDGE_CLAMP)
        return y < 0 ? 0 : y < height ? y : height - 1;
    return rest < height ? rest : period - 1 - rest;
}
