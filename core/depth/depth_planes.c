#include "depth/depth_planes.h"

satk_plane satb_plane_like(int width, int height, int bits)
{
    const satb_image like = {.width = width, .height = height, .channels = 1, .bits = bits};
    satk_plane plane = satb_plane_of(&like);

    plane.pitch = (ptrdiff_t)satb_pitch(&like);
    return plane;
}

satb_status satb_plane_in(satb_context *context, satb_slot slot, int width, int height, int bits,
                          satk_plane *plane)
{
    *plane = satb_plane_like(width, height, bits);
    return context->backend->reserve(context, slot, (size_t)plane->pitch * (size_t)height,
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
