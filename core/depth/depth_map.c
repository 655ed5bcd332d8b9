#include "depth/depth_map.h"

#include "backend/host.h"
#include "backend/image.h"
#include "base/size.h"
#include "depth/depth_steps.h"

#include <stddef.h>
#include <string.h>

satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params)
{
    if (params->holes != SATB_HOLES_DEFAULT)
        return params->holes;
    return map->bits == 16 && params->depth_type == SATB_DEPTH_LINEAR && params->near_black
               ? SATB_HOLES_FILL
               : SATB_HOLES_NONE;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Returns a rectangle of the map around a point: at least 5 x 5 pixels and 1 % of the longer side. */
static satb_image window_at(const satb_image *map, int x, int y)
{
    const int reach = satk_larger(satb_longer_side(map) / 200, 2);
    const int x0 = x > reach ? x - reach : 0, y0 = y > reach ? y - reach : 0;
    satb_image window = *map;

    window.width = (x + reach < map->width ? x + reach + 1 : map->width) - x0;
    window.height = (y + reach < map->height ? y + reach + 1 : map->height) - y0;
    window.data = (uint8_t *)map->data + y0 * map->stride + (ptrdiff_t)x0 * (map->bits / 8);
    return window;
}

/* Queues a copy of an image on the device to host memory, and makes *image that. */
static satb_status bring(satb_context *at, satb_image *image, void *to)
{
    const satk_plane plane = satb_plane_of(image);
    const satb_band all = satb_whole(image);

    image->data = to;
    image->stride = (ptrdiff_t)image->width * image->bits / 8;
    image->on_device = 0;
    return at->backend->download(at, &plane, &all, image);
}

/* Queues copies of the numbers that kernels wrote to host memory: of the sets, the codes that the map can have. */
static satb_status bring_written(satb_making *m, uint8_t *host)
{
    const size_t set = ((size_t)1 << m->plane.bits) / 8;
    const struct {
        size_t from, bytes;
    } parts[] = {{0, offsetof(satb_depth_numbers, codes)},
                 {offsetof(satb_depth_numbers, codes), set},
                 {offsetof(satb_depth_numbers, near), set}};
    satb_status status = SATB_OK;

    memset(host, 0, sizeof *m->numbers);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == SATB_OK; i++) {
        satb_image part = {.data = (uint8_t *)m->numbers + parts[i].from,
                           .stride = (ptrdiff_t)parts[i].bytes,
                           .width = (int)parts[i].bytes,
                           .height = 1,
                           .channels = 1,
                           .bits = 8};
        status = bring(m->depth->at, &part, host + parts[i].from);
    }
    return status;
}

/* Brings numbers and the window of a focus to the host, and waits. */
static satb_status bring_numbers(satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    satb_context *const at = depth->at;
    uint8_t *host = NULL;
    satb_status status = SATB_OK;

    if (m->params->focus_mode == SATB_FOCUS_POINT)
        depth->window = window_at(&depth->map, m->params->focus_x, m->params->focus_y);
    if (at->backend->host_buffer) {
        const size_t window = satb_pixels_of(&depth->window) * sizeof(uint16_t);
        host = at->backend->host_buffer(at, sizeof depth->numbers + window);
        status = host ? bring_written(m, host)
                      : satb_fail(at, SATB_ERR_DEVICE_NOMEM, "out of locked memory");
        if (status == SATB_OK && depth->window.data)
            status = bring(at, &depth->window, host + sizeof depth->numbers);
    }
    if (status == SATB_OK)
        status = at->backend->finish(at);
    if (status == SATB_OK && host)
        memcpy(&depth->numbers, host, sizeof depth->numbers);
    return status;
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Keeps the map, and what belongs to it, on the device until the call ends. */
static void keep(satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    satb_context *const at = depth->at;

    satb_keep(&depth->call, at, SATB_SLOT_MAP, SATB_KEPT_MAP, &depth->map);
    if (depth->protect.data)
        satb_keep(&depth->call, at, SATB_SLOT_PROTECT, SATB_KEPT_PROTECT, &depth->protect);
    if (at->backend->retain)
        at->backend->retain(at, SATB_SLOT_RIMS);
    if (at->backend->retain && depth->picture.half)
        at->backend->retain(at, SATB_SLOT_SHOWN);
}

/* Makes the map with the memory that it needs. */
static satb_status make(satb_making *m, const satb_need *need)
{
    satb_context *const at = m->depth->at;
    const satb_backend *const b = at->backend;

    satb_status status = b->begin(at, SATB_STAGE_MEASURE);
    if (status == SATB_OK && b->reserve_all)
        status = b->reserve_all(at, need);
    if (status == SATB_OK)
        status = satb_walk_steps(m);
    if (status == SATB_OK)
        status = bring_numbers(m);
    if (status == SATB_OK)
        keep(m);
    return satb_settled(at, status);
}

/* Returns whether the context's device has the memory for depth and then coverage, and sets *need to that. If a picture was
 * cut into bands, it does not hold two kinds of work in turn. */
static int fits(satb_making *m, satb_need *need)
{
    satb_context *const at = m->depth->at;
    size_t limit;

    *need = (satb_need){{0}};
    if (!at->backend->fits)
        return 1;
    m->need = need;
    satb_walk_steps(m);
    m->need = NULL;
    return at->memory.bands == 1 && at->backend->fits(at, need, &limit);
}

/* Makes the map on the host. */
static satb_status make_on_host(satb_context *context, satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    satb_image *const images[] = {&depth->picture, &m->map, &m->matte, &m->protect};
    const satb_need none = {{0}};

    satb_status status = satb_open_host(context, &depth->at);
    for (size_t i = 0; i < sizeof images / sizeof *images && status == SATB_OK; i++)
        status = satb_bring(&depth->call, context, images[i]);
    return status == SATB_OK ? satb_from_host(context, depth->at, make(m, &none)) : status;
}

static satb_status check_maps(satb_context *context, const satb_image *map,
                              const satb_dof_params *params)
{
    satb_status status = SATB_OK;

    if (map || !params->matte)
        status = satb_check_codes(context, map, "depth map");
    if (status == SATB_OK && params->matte)
        status = satb_check_codes(context, params->matte, "matte");
    if (status == SATB_OK && params->protect)
        status = satb_check_codes(context, params->protect, "protect");
    return status;
}

satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params)
{
    const satb_image none = {.data = NULL};
    const satb_image *const given = map ? map : params->matte;
    satb_making m = {.depth = depth,
                     .params = params,
                     .map = map ? *map : none,
                     .matte = params->matte ? *params->matte : none,
                     .protect = params->protect ? *params->protect : none};
    satb_need need;

    *depth =
        (satb_depth_map){.at = context, .picture = *picture, .call = {.before = context->timings}};
    satb_status status = check_maps(context, map, params);
    if (status != SATB_OK)
        return status;
    depth->holes = map ? satb_holes_of(map, params) : SATB_HOLES_NONE;
    depth->resampled = given->width != picture->width || given->height != picture->height;
    status = SATB_ERR_DEVICE_NOMEM;
    if (fits(&m, &need))
        status = make(&m, &need);
    if (status == SATB_ERR_DEVICE_NOMEM) { /* also if others have taken it since */
        context->message[0] = '\0';
        status = make_on_host(context, &m);
    }
    if (status != SATB_OK)
        satb_close_depth_map(context, depth);
    return status;
}

void satb_close_depth_map(satb_context *context, satb_depth_map *depth)
{
    satb_end_call(&depth->call, context);
    *depth = (satb_depth_map){0};
}
