#include "depth/radius_map.h"

#include "backend/bands.h"
#include "backend/host.h"
#include "backend/image.h"
#include "depth/depth_map.h"

static int is_resampled(const satb_image *map, int width, int height)
{
    return map->width != width || map->height != height;
}

/* Returns whether the context's device holds the map. */
static int fits(satb_context *at, const satb_image *map, int width, int height, satb_need *need)
{
    const satb_image like = {.width = width, .height = height, .channels = 1, .bits = 16};
    size_t limit;

    *need = (satb_need){{0}};
    if (!at->backend->fits)
        return 1;
    satb_add_plane(need, SATB_SLOT_GIVEN_MAP, map, map->height);
    if (is_resampled(map, width, height))
        satb_add_plane(need, SATB_SLOT_MAP, &like, height);
    need->bytes[SATB_SLOT_STATS] += sizeof(satb_code_set);
    return at->memory.bands == 1 && at->backend->fits(at, need, &limit);
}

/* Queues the map's way to the picture's size, and the search for its codes. */
static satb_status find_codes(satb_context *at, satb_radius_map *radii, const satb_image *map,
                              int width, int height)
{
    const satb_backend *const b = at->backend;
    const satb_band all = satb_whole(map);
    satk_resample resample = {.dst = {.data = NULL}};
    satk_codes codes = {.src = {.data = NULL}};
    void *out = NULL;

    satb_status status = b->upload(at, SATB_SLOT_GIVEN_MAP, map, &all, &codes.src);
    if (status == SATB_OK && is_resampled(map, width, height)) {
        resample.src = codes.src;
        status = satb_plane_in(at, SATB_SLOT_MAP, width, height, 16, &resample.dst);
        if (status == SATB_OK)
            status = b->resample(at, &resample);
        codes.src = resample.dst;
    }
    if (status == SATB_OK)
        status = b->output_bytes(at, SATB_SLOT_STATS, &radii->codes, sizeof radii->codes, &out);
    codes.out = out;
    if (status == SATB_OK)
        status = b->codes(at, &codes);
    if (status == SATB_OK)
        status = b->fetch(at, radii->codes.words, out, satk_codes_bytes(codes.src.bits));
    radii->map = satb_image_in(at, &codes.src);
    return status;
}

static satb_status make(satb_context *at, satb_radius_map *radii, const satb_image *map, int width,
                        int height)
{
    const satb_backend *const b = at->backend;
    satb_need need;

    if (!fits(at, map, width, height, &need))
        return satb_fail(at, SATB_ERR_DEVICE_NOMEM, "no memory for a map");
    satb_status status = b->begin(at, SATB_STAGE_UPLOAD);
    if (status == SATB_OK && b->reserve_all)
        status = b->reserve_all(at, &need);
    if (status == SATB_OK)
        status = find_codes(at, radii, map, width, height);
    if (status == SATB_OK)
        status = b->finish(at);
    status = satb_settled(at, status);
    if (status == SATB_OK)
        satb_keep(&radii->call, at,
                  is_resampled(map, width, height) ? SATB_SLOT_MAP : SATB_SLOT_GIVEN_MAP,
                  SATB_KEPT_MAP, &radii->map);
    return status;
}

static satb_status make_on_host(satb_context *context, satb_radius_map *radii,
                                const satb_image *map, int width, int height)
{
    satb_image view = *map;
    satb_context *host;

    context->message[0] = '\0';
    satb_status status = satb_open_host(context, &host);
    if (status == SATB_OK)
        status = satb_bring(&radii->call, context, &view);
    return status == SATB_OK
               ? satb_from_host(context, host, make(host, radii, &view, width, height))
               : status;
}

satb_status satb_open_radius_map(satb_context *context, satb_radius_map *radii,
                                 const satb_image *map, int width, int height)
{
    *radii = (satb_radius_map){.call = {.before = context->timings}};
    satb_status status = satb_check_codes(context, map, "radius map");
    if (status != SATB_OK)
        return status;
    status = make(context, radii, map, width, height);
    if (status == SATB_ERR_DEVICE_NOMEM)
        status = make_on_host(context, radii, map, width, height);
    if (status != SATB_OK)
        satb_close_radius_map(context, radii);
    return status;
}

void satb_close_radius_map(satb_context *context, satb_radius_map *radii)
{
    satb_end_call(&radii->call, context);
}
