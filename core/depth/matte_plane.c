#include "depth/matte_plane.h"

#include "backend/image.h"
#include "base/memory.h"
#include "common/plane.h"
#include "depth/depth_channel.h"
#include "depth/depth_resample.h"

enum { NOISE = 7 }; /* codes of 8 bits */

/* Returns a channel as the first one of an image. */
static satb_image from_channel(const satb_image *image, int channel)
{
    satb_image shifted = *image;

    shifted.data = (uint8_t *)image->data + channel * (image->bits / 8);
    return shifted;
}

static uint32_t sample_at(const satb_image *image, int x, int y)
{
    return satk_code((const uint8_t *)image->data + y * image->stride,
                     (size_t)x * (size_t)image->channels, image->bits);
}

static int is_constant(const satb_image *image)
{
    const uint32_t first = sample_at(image, 0, 0);

    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            if (sample_at(image, x, y) != first)
                return 0;
    return 1;
}

/* Returns the matte's alpha, or its first channel. */
static satb_image coverage_of(const satb_image *matte)
{
    if (matte->channels % 2 == 0) {
        const satb_image alpha = from_channel(matte, matte->channels - 1);
        if (!is_constant(&alpha))
            return alpha;
    }
    return *matte;
}

static void narrow_to_8_bits(const satb_image *from, const satb_image *to)
{
    const uint32_t white = (1u << from->bits) - 1;

    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            const uint32_t cover = (UINT8_MAX * sample_at(from, x, y) + white / 2) / white;
            ((uint8_t *)to->data)[y * to->stride + x] =
                (uint8_t)(cover <= NOISE               ? 0
                          : cover >= UINT8_MAX - NOISE ? UINT8_MAX
                                                       : cover);
        }
}

satb_status satb_open_matte_plane(satb_context *context, const satb_image *matte, int width,
                                  int height, satb_image *plane)
{
    satb_image view, sized = {.data = NULL};
    void *copy = NULL;

    *plane = (satb_image){.data = NULL};
    satb_status status = satb_check_image(context, matte, "matte");
    if (status == SATB_OK)
        status = satb_view_on_host(context, matte, &view, &copy);
    if (status != SATB_OK)
        return status;
    view = coverage_of(&view);
    if (view.width != width || view.height != height) {
        status = satb_resample(context, &view, width, height, &sized);
        view = sized;
    }
    *plane = (satb_image){.data = satb_take(&context->spares, (size_t)width * (size_t)height),
                          .stride = width,
                          .width = width,
                          .height = height,
                          .channels = 1,
                          .bits = 8};
    if (status == SATB_OK && plane->data)
        narrow_to_8_bits(&view, plane);
    else if (status == SATB_OK)
        status = satb_fail(context, SATB_ERR_NOMEM, "out of memory for a matte");
    if (status != SATB_OK) {
        satb_give(&context->spares, plane->data);
        plane->data = NULL;
    }
    satb_give(&context->spares, sized.data);
    satb_give(&context->spares, copy);
    return status;
}

double satb_matte_mean(const satb_image *plane)
{
    uint64_t sum = 0;

    for (int y = 0; y < plane->height; y++)
        for (int x = 0; x < plane->width; x++)
            sum += ((const uint8_t *)plane->data)[y * plane->stride + x];
    return (double)sum / UINT8_MAX / (double)plane->width / (double)plane->height;
}
