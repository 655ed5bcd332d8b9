#include "depth/depth_channel.h"

#include "base/memory.h"
#include "stats/histogram.h"

#include <string.h>

static void *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

#define COPY_CHANNEL(name, type)                                                                   \
    static void name(const void *from, size_t channels, int width, void *to)                       \
    {                                                                                              \
        for (int x = 0; x < width; x++)                                                            \
            ((type *)to)[x] = ((const type *)from)[(size_t)x * channels];                          \
    }

COPY_CHANNEL(copy_channel8, uint8_t)
COPY_CHANNEL(copy_channel16, uint16_t)

int satb_copy_map(satb_context *context, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (!out->data)
        return 0;
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < map->height; y++)
        memcpy((uint8_t *)out->data + y * out->stride, (const uint8_t *)map->data + y * map->stride,
               row);
    return 1;
}

satb_status satb_first_channel(satb_context *context, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    if (map->channels == 1)
        return SATB_OK;
    out->channels = 1;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (!out->data)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for a channel of a map");
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < map->height; y++)
        (map->bits == 8 ? copy_channel8 : copy_channel16)(row_of(map, y), (size_t)map->channels,
                                                          map->width, row_of(out, y));
    return SATB_OK;
}

int satb_count_codes(satb_context *context, const satb_image *map, int x0, int y0, int x1, int y1,
                     uint32_t *counts)
{
    satb_spares *const spares = &context->spares;
    const size_t pixel = (size_t)map->channels * (size_t)map->bits / 8;
    const int most = 1 + (int)((int64_t)(x1 - x0) * (y1 - y0) >> 20); /* a thread has tables */
    const int used = context->threads < most ? context->threads : most;
    satk_histogram job = {.src = {.data = (uint8_t *)row_of(map, y0) + (size_t)x0 * pixel,
                                  .pitch = map->stride,
                                  .width = x1 - x0,
                                  .height = y1 - y0,
                                  .channels = map->channels,
                                  .bits = map->bits},
                          .out = satb_take(spares, satk_histogram_bytes(map->channels, map->bits))};
    job.scratch = satb_take(spares, satk_histogram_scratch_cpu(&job, used));
    const int whole = job.out && job.scratch;

    if (whole)
        satk_histogram_cpu(&job, used);
    for (size_t i = 0; whole && i < (size_t)1 << map->bits; i++)
        counts[i] = (uint32_t)job.out[i];
    satb_give(spares, job.out);
    satb_give(spares, job.scratch);
    return whole;
}
