#include "depth/depth_map.h"

#include "backend/bands.h"
#include "backend/host.h"
#include "backend/image.h"
#include "base/memory.h"
#include "base/tone_tables.h"
#include "depth/depth_need.h"
#include "depth/shown.h"

#include <string.h>

/* Images brought to the host. */
enum { PICTURE, MAP, MATTE, PROTECT };

satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params)
{
    if (params->holes != SATB_HOLES_DEFAULT)
        return params->holes;
    return map->bits == 16 && params->depth_type == SATB_DEPTH_LINEAR && params->near_black
               ? SATB_HOLES_FILL
               : SATB_HOLES_NONE;
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* Makes room for the numbers: the map's own, if kernels write to the host's memory. */
static satb_status reserve_numbers(satb_making *m)
{
    satb_context *const at = m->depth->at;
    satb_depth_numbers *const own = &m->depth->numbers;
    void *base = NULL;

    m->numbers = (satb_depth_places){own->surface, own->matte,       own->followed,  own->protect,
                                     own->filled,  own->codes.words, own->near.words};
    if (!at->backend->host_buffer)
        return SATB_OK;
    const size_t bytes = satb_place_numbers(m, NULL, &m->numbers);
    const satb_status status = at->backend->output_bytes(at, SATB_SLOT_STATS, NULL, bytes, &base);
    satb_place_numbers(m, base, &m->numbers);
    return status;
}

static satb_status upload(satb_making *m)
{
    satb_context *const at = m->depth->at;
    const satb_backend *const b = at->backend;
    const satb_band picture = satb_whole(&m->depth->picture), map = satb_whole(&m->map);
    const void *light = NULL;

    satb_status status = b->upload(at, SATB_SLOT_SRC, &m->depth->picture, &picture, &m->src);
    if (status == SATB_OK)
        status = b->upload(at, SATB_SLOT_GIVEN_MAP, &m->map, &map, &m->plane);
    satb_fill_decode(8, m->light);
    if (status == SATB_OK)
        status = b->upload_bytes(at, SATB_SLOT_LIGHT, m->light, sizeof m->light, 1, &light);
    m->surface.linear = light;
    return status == SATB_OK ? reserve_numbers(m) : status;
}

/* From here on a picture of half floats is seen by its codes. */
static satb_status show_picture(satb_making *m)
{
    satb_depth_map *const depth = m->depth;

    depth->seen = depth->picture;
    if (!depth->picture.half)
        return SATB_OK;
    const satb_status status = satb_show(depth->at, &m->src, &m->src);
    depth->seen = satb_image_in(depth->at, &m->src);
    return status;
}

/* Makes the map's first channel a map of its own. */
static satb_status take_channel(satb_making *m)
{
    satb_context *const at = m->depth->at;
    satk_resample job = {.src = m->plane};

    if (m->plane.channels == 1)
        return SATB_OK;
    satb_status status = satb_plane_in(at, SATB_SLOT_CHANNEL, m->plane.width, m->plane.height,
                                       m->plane.bits, &job.dst);
    if (status == SATB_OK)
        status = at->backend->resample(at, &job);
    m->plane = job.dst;
    return status;
}

static satb_status fill_holes(satb_making *m)
{
    satb_context *const at = m->depth->at;
    satk_fill job = satb_fill_of(m);

    job.counts = m->numbers.filled;
    if (m->depth->holes == SATB_HOLES_NONE)
        return SATB_OK;
    satb_status status = satb_plane_in(at, SATB_SLOT_FILLED, m->plane.width, m->plane.height,
                                       m->plane.bits, &job.dst);
    if (status == SATB_OK)
        status = at->backend->fill(at, &job);
    m->plane = job.dst;
    return status;
}

/* Makes the plane of the matte. */
static satb_status make_matte(satb_making *m)
{
    satb_context *const at = m->depth->at;
    const satb_band all = satb_whole(&m->matte);
    satk_matte_plane job = {.counts = m->numbers.matte};

    if (!m->matte.data)
        return SATB_OK;
    satb_status status = at->backend->upload(at, SATB_SLOT_GIVEN_MATTE, &m->matte, &all, &job.src);
    if (status == SATB_OK)
        status = satb_plane_in(at, SATB_SLOT_MATTE, m->src.width, m->src.height, 8, &job.dst);
    if (status == SATB_OK)
        status = at->backend->matte_plane(at, &job);
    m->depth->matte = satb_image_in(at, &job.dst);
    return status;
}

/* Makes the plane of the mask that protects. */
static satb_status make_protect(satb_making *m)
{
    satb_context *const at = m->depth->at;
    const satb_band all = satb_whole(&m->protect);
    satk_matte_plane job = {.counts = m->numbers.protect};

    if (!m->protect.data)
        return SATB_OK;
    satb_status status =
        at->backend->upload(at, SATB_SLOT_GIVEN_PROTECT, &m->protect, &all, &job.src);
    if (status == SATB_OK)
        status = satb_plane_in(at, SATB_SLOT_PROTECT, m->src.width, m->src.height, 8, &job.dst);
    if (status == SATB_OK)
        status = at->backend->matte_plane(at, &job);
    m->depth->protect = satb_image_in(at, &job.dst);
    return status;
}

/* Assigns pixels to surfaces. Without a map, the matte is cut as a mask. */
static satb_status find_surfaces(satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    satb_context *const at = depth->at;
    const uint32_t *const light = m->surface.linear;
    void *rims = NULL;

    if (m->alone)
        m->plane = satb_plane_of(&depth->matte);
    m->surface = satb_surface_of(m);
    m->surface.linear = light;
    m->surface.counts = m->numbers.surface;
    m->surface.outline = m->matte.data && !m->alone ? m->numbers.matte + SATK_MATTE_SUM : NULL;
    satb_status status = satb_plane_in(at, SATB_SLOT_MAP, m->src.width, m->src.height,
                                       satb_bits_of(m), &m->surface.dst);
    if (status == SATB_OK)
        status = at->backend->reserve(at, SATB_SLOT_RIMS,
                                      satk_rims_bytes(satb_pixels_of(&depth->picture)), &rims);
    if (status != SATB_OK)
        return status;
    m->surface.rims = satk_rims_in(rims, satb_pixels_of(&depth->picture));
    depth->rims = m->surface.rims;
    depth->map = satb_image_in(at, &m->surface.dst);
    return at->backend->surface(at, &m->surface);
}

static satb_status follow_matte(satb_making *m)
{
    satb_context *const at = m->depth->at;
    satk_follow job = {.matte = satb_plane_of(&m->depth->matte),
                       .map = m->surface.dst,
                       .dst = m->surface.dst,
                       .rims = m->depth->rims,
                       .near_black = m->params->near_black,
                       .counts = m->numbers.followed};

    return at->backend->follow(at, &job);
}

static satb_status find_codes(const satb_making *m)
{
    satb_context *const at = m->depth->at;
    satk_codes codes = {.src = m->surface.dst, .out = m->numbers.codes};
    const satk_rim_codes near = {.rims = m->depth->rims,
                                 .pixels = satb_pixels_of(&m->depth->picture),
                                 .bits = m->surface.dst.bits,
                                 .out = m->numbers.near};
    const satb_status status = at->backend->codes(at, &codes);

    return status == SATB_OK ? at->backend->rim_codes(at, &near) : status;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Returns a rectangle of the map around a point: at least 5 x 5 pixels and 1 % of the longer side. */
static satb_image window_at(const satb_image *map, int x, int y)
{
    const int longer = map->width > map->height ? map->width : map->height;
    const int reach = longer / 200 > 2 ? longer / 200 : 2;
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

/* Brings numbers and the window of a focus to the host, and waits. */
static satb_status bring_numbers(satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    satb_context *const at = depth->at;
    satb_depth_places places;
    const int bytes = (int)satb_place_numbers(m, NULL, &places);
    satb_image numbers = {.data = m->numbers.surface,
                          .stride = bytes,
                          .width = bytes,
                          .height = 1,
                          .channels = 1,
                          .bits = 8};
    uint8_t *host = NULL;

    if (m->params->focus_mode == SATB_FOCUS_POINT)
        depth->window = window_at(&depth->map, m->params->focus_x, m->params->focus_y);
    satb_status status = at->backend->begin(at, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK && at->backend->host_buffer) {
        const size_t window = satb_pixels_of(&depth->window) * sizeof(uint16_t);
        host = at->backend->host_buffer(at, (size_t)bytes + window);
        status = host ? bring(at, &numbers, host)
                      : satb_fail(at, SATB_ERR_DEVICE_NOMEM, "out of locked memory");
        if (status == SATB_OK && depth->window.data)
            status = bring(at, &depth->window, host + bytes);
    }
    if (status == SATB_OK)
        status = at->backend->finish(at);
    if (status == SATB_OK && host)
        satb_take_numbers(m, host);
    return status;
}

/* --- Run -------------------------------------------------------------------------------------- */

static satb_status queue_steps(satb_making *m)
{
    satb_context *const at = m->depth->at;

    satb_status status = at->backend->begin(at, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = show_picture(m);
    if (status == SATB_OK)
        status = take_channel(m);
    if (status == SATB_OK)
        status = fill_holes(m);
    if (status == SATB_OK)
        status = make_matte(m);
    if (status == SATB_OK)
        status = make_protect(m);
    if (status == SATB_OK)
        status = find_surfaces(m);
    if (status == SATB_OK && m->matte.data && !m->alone)
        status = follow_matte(m);
    return status == SATB_OK ? find_codes(m) : status;
}

/* Makes the map with the memory that it needs. From then on, and until satb_close_depth_map(), the device keeps it. */
static satb_status make(satb_making *m, const satb_need *need)
{
    satb_context *const at = m->depth->at;
    const satb_backend *const b = at->backend;

    satb_status status = b->begin(at, SATB_STAGE_UPLOAD);
    if (status == SATB_OK && b->reserve_all)
        status = b->reserve_all(at, need);
    if (status == SATB_OK)
        status = upload(m);
    if (status == SATB_OK)
        status = queue_steps(m);
    if (status == SATB_OK)
        status = bring_numbers(m);
    status = satb_settled(at, status);
    if (status != SATB_OK || !b->retain)
        return status;
    at->keeps_images = 1;
    b->retain(at, SATB_SLOT_MAP);
    b->retain(at, SATB_SLOT_RIMS);
    if (m->protect.data)
        b->retain(at, SATB_SLOT_PROTECT);
    if (m->depth->picture.half)
        b->retain(at, SATB_SLOT_SHOWN);
    return SATB_OK;
}

/* Brings an image to the host. data NULL: there is none. */
static satb_status to_host(satb_context *context, satb_depth_map *depth, int which,
                           satb_image *image)
{
    return image->data ? satb_view_on_host(context, image, image, &depth->brought[which]) : SATB_OK;
}

/* Makes the map on the host. */
static satb_status make_on_host(satb_context *context, satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    const satb_need none = {{0}};

    satb_status status = satb_open_host(context, &depth->at);
    if (status == SATB_OK)
        status = to_host(context, depth, PICTURE, &depth->picture);
    if (status == SATB_OK)
        status = to_host(context, depth, MAP, &m->map);
    if (status == SATB_OK && m->alone)
        m->matte = m->map;
    else if (status == SATB_OK)
        status = to_host(context, depth, MATTE, &m->matte);
    if (status == SATB_OK)
        status = to_host(context, depth, PROTECT, &m->protect);
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
    satb_making m = {.depth = depth,
                     .params = params,
                     .map = map ? *map : none,
                     .matte = params->matte ? *params->matte : none,
                     .protect = params->protect ? *params->protect : none,
                     .alone = !map};
    satb_need need;

    *depth = (satb_depth_map){.at = context, .picture = *picture};
    satb_status status = check_maps(context, map, params);
    if (status != SATB_OK)
        return status;
    if (!map)
        m.map = m.matte;
    depth->holes = map ? satb_holes_of(map, params) : SATB_HOLES_NONE;
    depth->resampled = m.map.width != picture->width || m.map.height != picture->height;
    status = SATB_ERR_DEVICE_NOMEM;
    if (satb_depth_fits(&m, &need))
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
    for (size_t i = 0; i < sizeof depth->brought / sizeof *depth->brought; i++)
        satb_give(&context->spares, depth->brought[i]);
    *depth = (satb_depth_map){0};
    context->keeps_images = 0;
}
