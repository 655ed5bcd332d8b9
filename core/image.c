#include "context.h"
#include "size.h"

satb_status satb_check_image(satb_context *context, const satb_image *image, const char *what)
{
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
    if (image->stride < 0 || (size_t)image->stride < satb_row_bytes(image))
        return satb_fail(context, SATB_ERR_ARG, "%s: stride %td is shorter than a row", what,
                         image->stride);
    if (image->bits == 16 && (image->stride % 2 || (uintptr_t)image->data % 2))
        return satb_fail(context, SATB_ERR_ARG, "%s: 16-bit samples are not aligned to 2 bytes",
                         what);
    return SATB_OK;
}

satb_status satb_check_output(satb_context *context, const satb_image *src, const satb_image *dst)
{
    const satb_status status = satb_check_image(context, dst, "output");

    if (status != SATB_OK)
        return status;
    if (src->width != dst->width || src->height != dst->height || src->channels != dst->channels ||
        src->bits != dst->bits)
        return satb_fail(context, SATB_ERR_ARG,
                         "output: not of the source's size, channels and bits");
    return SATB_OK;
}
