#include "depth/depth_planes.h"

#include "backend/backend.h"

size_t satb_plane_pitch(int width, int bits)
{
    return ((size_t)width * (size_t)bits / 8 + 15) / 16 * 16;
}

satb_status satb_plane_in(satb_context *context, int slot, int width, int height, int bits,
                          satk_plane *plane)
{
    const size_t pitch = satb_plane_pitch(width, bits);

    *plane = (satk_plane){
        .pitch = (ptrdiff_t)pitch, .width = width, .height = height, .channels = 1, .bits = bits};
    return context->backend->reserve(context, (satb_slot)slot, pitch * (size_t)height,
                                     &plane->data);
}

satb_image satb_image_in(const satb_context *context, const satk_plane *plane)
{
    return (satb_image){.data = plane->data,
                        .stride = plane->pitch,
                        .width = plane->width,
                        .height = plane->height,
                        .channels = plane->channels,
                        .bits = plane->bits,
                        .on_device = context->backend->host_buffer != NULL};
}

static double mean_of(const satb_depth_map *depth, uint64_t sum)
{
    return (double)sum / UINT8_MAX / (double)depth->picture.width / (double)depth->picture.height;
}

double satb_matte_mean(const satb_depth_map *depth)
{
    return mean_of(depth, depth->numbers.matte[SATK_MATTE_SUM]);
}

double satb_protect_mean(const satb_depth_map *depth)
{
    return mean_of(depth, depth->numbers.protect[SATK_MATTE_SUM]);
}
