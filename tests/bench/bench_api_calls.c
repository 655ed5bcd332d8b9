#include "bench/bench_api_calls.h"

#include "bench/bench_scene.h"
#include "support/device.h"

/* --- Images ----------------------------------------------------------------------------------- */

static api_image picture_of(const api_run *r)
{
    if (r->call->cutout && r->channels == 4)
        return API_CUTOUT;
    return (api_image)((r->call->bits == 16 ? API_RGB16 : API_RGB) + r->channels - 3);
}

/* Returns an image of the run's set; NULL for API_NONE. */
static const satb_image *image_of(const api_run *r, api_image image)
{
    if (image == API_NONE)
        return NULL;
    return r->call->on_host ? &r->images->host[image] : &r->images->set[r->set][image];
}

/* Codes of 16 bits are taken as half floats: times do not depend on them. */
static satb_image source_of(const api_run *r)
{
    satb_image src = *image_of(r, picture_of(r));

    src.half = r->call->half;
    return src;
}

/* Returns the image that a result of the picture's shape goes to. */
static satb_image result_of(const api_run *r)
{
    const satb_image *const to =
        r->call->on_host ? &r->images->host_result : &r->images->result[r->set];
    satb_image result = source_of(r);

    result.data = to->data;
    result.on_device = to->on_device;
    return result;
}

/* --- Depth of field --------------------------------------------------------------------------- */

/* The focus is on a disc in the middle of the scene; some objects are before it. */
static satb_dof_params params_of(const api_run *r)
{
    const double unit = (double)r->images->width / SCENE_WIDTH;
    satb_dof_params p = {.focus_mode = r->call->focus_mode,
                         .focus = r->call->focus > 0 ? r->call->focus : 0.75,
                         .focus_x = (int)(960 * unit),
                         .focus_y = (int)(780 * unit),
                         .strength = SATB_STRENGTH_RADIUS,
                         .max_radius =
                             r->call->radius > 0 ? r->call->radius : 0.02 * r->images->width,
                         .method = SATB_METHOD_LAYERED,
                         .bokeh = SATB_BOKEH_DISC,
                         .matte = image_of(r, r->call->matte),
                         .highlights = r->call->highlights};

    if (r->call->map == API_HOLES16)
        p.holes = SATB_HOLES_FILL;
    return p;
}

static satb_status run_dof(api_run *r)
{
    const satb_dof_params params = params_of(r);
    const satb_image src = source_of(r), dst = result_of(r);

    return satb_dof(r->context, &src, image_of(r, r->call->map), &dst, &params, &r->report);
}

static satb_status run_coc(api_run *r)
{
    const satb_dof_params params = params_of(r);
    const satb_image src = source_of(r);
    satb_image dst = result_of(r);

    dst.channels = 1;
    dst.half = 0;
    dst.bits = 16;
    dst.stride = (ptrdiff_t)dst.width * 2;
    return satb_coc(r->context, &src, image_of(r, r->call->map), &dst, &params, &r->report);
}

static satb_status run_box(api_run *r)
{
    const satb_box_params params = {
        .radius_x = r->call->radius, .radius_y = r->call->radius, .look.gamma = r->call->gamma};
    const satb_image src = source_of(r), dst = result_of(r);

    return satb_box(r->context, &src, &dst, &params);
}

/* Queues calls on the default stream, as PyTorch does. */
static satb_status run_queue(api_run *r)
{
    satb_status status = satb_set_stream(r->context, NULL);

    for (int i = 0; i < r->call->queued && status == SATB_OK; i++)
        status = r->call->radius > 0 ? run_box(r) : run_dof(r);
    return status;
}

int api_did_as_named(const api_run *r)
{
    const api_call *const call = r->call;
    const satb_dof_report *const found = &r->report;

    if (call->run != run_dof && call->run != run_coc)
        return 1;
    return found->largest_radius > params_of(r).max_radius / 4 &&
           (found->unknown > 0) == (call->map == API_HOLES16) &&
           (found->subject > 0) == (call->matte != API_NONE) &&
           found->resampled == (call->map == API_HALF || call->map == API_QUARTER) &&
           (found->focus_x >= 0) == (call->focus_mode != SATB_FOCUS_VALUE);
}

/* --- Other calls ------------------------------------------------------------------------------ */

static satb_status run_map(api_run *r)
{
    const satb_map_params params = {.max_radius = r->call->radius};
    const satb_image src = source_of(r), dst = result_of(r);

    return satb_blur_map(r->context, &src, image_of(r, r->call->map), &dst, &params);
}

static satb_status run_measure(api_run *r)
{
    const satb_image src = source_of(r);
    satb_channel_stats stats[4];

    return satb_measure(r->context, &src, stats);
}

static satb_status run_equalize(api_run *r)
{
    const satb_image src = source_of(r), dst = result_of(r);

    return satb_equalize(r->context, &src, &dst);
}

/* Copies what a call on host memory must copy: the picture and its map up, the result down. */
static satb_status run_copies(api_run *r)
{
    const satb_image *const src = image_of(r, picture_of(r)), *const map =
                                                                  image_of(r, r->call->map);
    void *const on_src = r->images->set[r->set][picture_of(r)].data,
                *const on_map = r->images->set[r->set][r->call->map].data;
    int failed = device_upload(on_src, src->data, api_bytes(src));

    failed |= device_upload(on_map, map->data, api_bytes(map));
    failed |= device_download(r->images->host_result.data, on_src, api_bytes(src));
    return failed ? SATB_ERR_DEVICE : SATB_OK;
}

/* ---------------------------------------------------------------------------------------------- */

#define DOF .run = run_dof, .focus_mode = SATB_FOCUS_VALUE
#define COC .run = run_coc, .focus_mode = SATB_FOCUS_VALUE

const api_call api_calls[] = {
    {"dof, exact map", DOF, .map = API_MAP},
    {"dof, exact map, radius 40", DOF, .map = API_MAP, .radius = 40},
    {"dof, map halved", DOF, .map = API_HALF},
    {"dof, map quartered", DOF, .map = API_QUARTER},
    {"dof, quarter enlarged", DOF, .map = API_ENLARGED},
    {"dof, quarter enlarged, 16 bits", DOF, .map = API_ENLARGED16},
    {"dof, 16 bits with holes", DOF, .map = API_HOLES16},
    {"dof, map halved, matte", DOF, .map = API_HALF, .matte = API_SUBJECT},
    {"dof, matte alone", DOF, .matte = API_SUBJECT, .focus = 1},
    {"dof, mask", DOF, .map = API_SUBJECT, .focus = 1},
    {"dof, focus auto", .run = run_dof, .map = API_MAP, .focus_mode = SATB_FOCUS_AUTO},
    {"dof, focus at a point", .run = run_dof, .map = API_MAP, .focus_mode = SATB_FOCUS_POINT},
    {"dof, half floats", DOF, .map = API_MAP, .bits = 16, .half = 1},
    {"dof, half floats, map halved, matte", DOF, .map = API_HALF, .bits = 16, .half = 1,
     .matte = API_SUBJECT},
    {"dof, highlights 8", DOF, .map = API_MAP, .highlights = 8},
    {"box, radius 8, codes", .run = run_box, .radius = 8, .gamma = 1},
    {"box, radius 8", .run = run_box, .radius = 8},
    {"box, radius 8, RGBA cut out", .run = run_box, .radius = 8, .cutout = 1},
    {"box, radius 8.5", .run = run_box, .radius = 8.5},
    {"box, radius 32", .run = run_box, .radius = 32},
    {"box, radius 40, codes", .run = run_box, .radius = 40, .gamma = 1},
    {"box, radius 40", .run = run_box, .radius = 40},
    {"box, radius 40.5, codes", .run = run_box, .radius = 40.5, .gamma = 1},
    {"box, radius 40.5", .run = run_box, .radius = 40.5},
    {"box, radius 40.3", .run = run_box, .radius = 40.3},
    {"box, radius 40, RGBA cut out", .run = run_box, .radius = 40, .cutout = 1},
    {"box, radius 40, half floats", .run = run_box, .radius = 40, .bits = 16, .half = 1},
    {"radius map, whole, to 38", .run = run_map, .map = API_RADII, .radius = 51},
    {"radius map, to 32", .run = run_map, .map = API_MAP, .radius = 32},
    {"coc", COC, .map = API_MAP},
    {"coc, quarter enlarged, 16 bits", COC, .map = API_ENLARGED16},
    {"measure", .run = run_measure},
    {"measure, 16 bits", .run = run_measure, .bits = 16},
    {"equalize", .run = run_equalize},
    {"dof, exact map, 8 queued: each", .run = run_queue, .focus_mode = SATB_FOCUS_VALUE,
     .map = API_MAP, .queued = 8},
    {"box, radius 8, 8 queued: each", .run = run_queue, .radius = 8, .queued = 8},
    {"equalize, 16 bits", .run = run_equalize, .bits = 16},
    {"dof, exact map, host memory", DOF, .map = API_MAP, .on_host = 1},
    {"copies of those bytes", .run = run_copies, .map = API_MAP, .on_host = 1},
    {"coc, host memory", COC, .map = API_MAP, .on_host = 1},
};
const int api_calls_count = sizeof api_calls / sizeof *api_calls;
