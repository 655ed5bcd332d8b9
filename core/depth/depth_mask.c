#include "depth/depth_mask.h"

#include "base/memory.h"
#include "common/plane.h"
#include "depth/depth_channel.h"
#include "depth/depth_resample.h"

int satb_counts_mask(uint64_t black, uint64_t white, uint64_t samples)
{
    return black + white < samples && 10 * (black + white) >= 9 * samples &&
           100 * black >= samples && 100 * white >= samples;
}

satb_status satb_is_mask(satb_context *context, const satb_image *map, int *is)
{
    const size_t codes = (size_t)1 << map->bits;
    uint32_t *const counts = satb_take(&context->spares, codes * sizeof *counts);

    *is = 0;
    const int whole =
        counts && satb_count_codes(context, map, 0, 0, map->width, map->height, counts);
    if (whole)
        *is = satb_counts_mask(counts[0], counts[codes - 1],
                               (uint64_t)map->width * (uint64_t)map->height);
    satb_give(&context->spares, counts);
    return whole ? SATB_OK : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
}

/* Cuts a row. Returns 0 if memory ran out. */
static int cut_row(const satb_image *map, int y, int near_black, satb_rims *rims)
{
    const uint32_t white = (1u << map->bits) - 1;
    void *const row = (uint8_t *)map->data + y * map->stride;
    int whole = 1;

    for (int x = 0; x < map->width; x++) {
        const uint32_t code = satk_code(row, (size_t)x, map->bits);
        const uint32_t cover = (UINT8_MAX * code + white / 2) / white;
        const uint32_t cut = 2 * code >= white ? white : 0;
        if (code == 0 || code == white)
            continue;
        satk_put_code(row, (size_t)x, map->bits, cut);
        const satb_rim rim = {.x = x,
                              .y = y,
                              .near = (uint16_t)(near_black ? 0 : white),
                              .far = (uint16_t)(near_black ? white : 0),
                              .cover = (uint8_t)(near_black ? UINT8_MAX - cover : cover),
                              .kind = SATB_RIM_SUBJECT};
        whole = whole && satb_add_rim(rims, &rim);
    }
    return whole;
}

satb_status satb_cut_mask(satb_context *context, const satb_image *map, int width, int height,
                          int near_black, satb_image *out, satb_rims *rims)
{
    const int same = map->width == width && map->height == height;
    int whole = 1;

    if (same)
        whole = satb_copy_map(context, map, out);
    else if (satb_resample(context, map, width, height, out) != SATB_OK)
        return SATB_ERR_NOMEM;
    for (int y = 0; y < height && whole; y++)
        whole = cut_row(out, y, near_black, rims);
    if (whole)
        return SATB_OK;
    satb_give(&context->spares, out->data);
    satb_free_rims(rims);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the rims of a mask");
}
