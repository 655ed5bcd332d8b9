#include "backend/image.h"

#include "backend/backend.h"
#include "base/size.h"

#include <string.h>

static satb_status check_memory(satb_context *context, const satb_image *image, const char *what)
{
    const struct satb_backend *const b = context->backend;

    if (!image->on_device)
        return SATB_OK;
    if (!b->reaches)
        return satb_fail(context, SATB_ERR_ARG, "%s: is on a device, but the context has none",
                         what);
    return b->reaches(context, image->data)
               ? SATB_OK
               : satb_fail(context, SATB_ERR_ARG, "%s: is not in the memory of %s", what,
                           context->name);
}

satb_status satb_check_image(satb_context *context, const satb_image *image, const char *what)
{
    if (!context)
        return SATB_ERR_ARG;
    if (!image || !image->data)
        return satb_fail(context, SATB_ERR_ARG, "%s: no image", what);
    if (image->width < 1 || image->height < 1 || image->width > SATB_MAX_SIDE ||
        image->height > SATB_MAX_SIDE ||
        (uint64_t)image->width * (uint64_t)image->height > SATB_MAX_PIXELS)
        return satb_fail(context, SATB_ERR_ARG, "%s: %d x %d is not a size of 1 x 1 to 2^31 pixels",
                         what, image->width, image->height);
    if (image->channels < 1 || image->channels > 4)
        return satb_fail(context, SATB_ERR_ARG, "%s: %d channels, not 1 to 4", what,
                         image->channels);
    if (image->bits != 8 && image->bits != 16)
        return satb_fail(context, SATB_ERR_ARG, "%s: %d bits per sample, not 8 or 16", what,
                         image->bits);
    if (image->half != 0 && (image->half != 1 || image->bits != 16))
        return satb_fail(context, SATB_ERR_ARG, "%s: half floats have 16 bits, and half is 0 or 1",
                         what);
    if (image->stride < 0 || (size_t)image->stride < satb_row_bytes(image))
        return satb_fail(context, SATB_ERR_ARG, "%s: stride %td is shorter than a row", what,
                         image->stride);
    if (image->bits == 16 && (image->stride % 2 || (uintptr_t)image->data % 2))
        return satb_fail(context, SATB_ERR_ARG, "%s: 16-bit samples must be aligned to 2 bytes",
                         what);
    return check_memory(context, image, what);
}

satb_status satb_check_codes(satb_context *context, const satb_image *image, const char *what)
{
    const satb_status status = satb_check_image(context, image, what);

    return status == SATB_OK && image->half
               ? satb_fail(context, SATB_ERR_ARG, "%s: it must have integers, not half floats",
                           what)
               : status;
}

satb_status satb_check_output(satb_context *context, const satb_image *src, const satb_image *dst)
{
    const satb_status status = satb_check_image(context, dst, "output");

    if (status != SATB_OK)
        return status;
    if (src->width != dst->width || src->height != dst->height || src->channels != dst->channels ||
        src->bits != dst->bits || src->half != dst->half)
        return satb_fail(context, SATB_ERR_ARG,
                         "output: it must have the source's size, channels and samples");
    return SATB_OK;
}

satb_status satb_check_look(satb_context *context, const satb_image *src, const satb_look *look)
{
    if (look->edge < SATB_EDGE_SHRINK || look->edge > SATB_EDGE_WRAP)
        return satb_fail(context, SATB_ERR_ARG, "edge: no such mode");
    if (src->half && look->gamma)
        return satb_fail(context, SATB_ERR_ARG,
                         "gamma: half floats are linear light, and have no other codes");
    return SATB_OK;
}

satb_status satb_view_on_host(satb_context *context, const satb_image *image, satb_image *view,
                              void **copy)
{
    const satb_image from = *image;
    const size_t row = satb_row_bytes(&from);

    *view = from;
    *copy = NULL;
    if (!from.on_device)
        return SATB_OK;
    view->on_device = 0;
    view->stride = (ptrdiff_t)row;
    view->data = *copy = satb_take(&context->spares, row * (size_t)from.height);
    if (!view->data)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    const satb_status status = context->backend->to_host(context, &from, view);
    if (status != SATB_OK) {
        satb_give(&context->spares, *copy);
        *copy = NULL;
    }
    return status;
}

satb_status satb_copy_on_host(satb_context *context, const satb_image *image, satb_image *view,
                              void **copy)
{
    const satb_image from = *image;
    const size_t row = satb_row_bytes(&from);

    if (from.on_device)
        return satb_view_on_host(context, &from, view, copy);
    uint8_t *const to = *copy = satb_take(&context->spares, row * (size_t)from.height);
    if (!to)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    for (int y = 0; y < from.height; y++)
        memcpy(to + (size_t)y * row, (const uint8_t *)from.data + y * from.stride, row);
    *view = from;
    view->data = to;
    view->stride = (ptrdiff_t)row;
    return SATB_OK;
}
