#include "blur/dof_layers.h"

#include "backend/bands.h"
#include "blur/blur.h"
#include "blur/dof_highlights.h"
#include "layer/layer_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Slabs ------------------------------------------------------------------------------------ */

/* How much wider than the aperture the further windows are, in pixels. */
static const int wider[SATK_WINDOWS] = {0, 2, 6, 16};

/* The two boxes whose union misses least of a disc of radius 1: the areas that only one of the two has are 10.11 % of
 * the disc's. One box is the other turned by 90 degrees, so that a turned picture has the same blur. */
static const double LONG_SIDE = 0.9565, SHORT_SIDE = 0.6172;

/* The four boxes that miss least of the paraboloid 1 - (rho / R)^2 with R = 1 as a heap: where both have the same
 * light, 13 % of it lies in one of them alone. With R = sqrt(3/2) r, a paraboloid is as wide as a disc of radius
 * r: both have the second moment r^2 / 2, and so has the heap, to 1 %. */
static const double HEAP[SATK_HEAP] = {0.9160, 0.7846, 0.6221, 0.4033};

static satk_stack make_heap(double r)
{
    int side[SATK_HEAP];

    for (int i = 0; i < SATK_HEAP; i++)
        side[i] = (int)lround(HEAP[i] * sqrt(1.5) * r - 0.5);
    return (satk_stack){
        .middle = side[0], .middle_rows = side[3], .outer = side[2], .rows = side[1]};
}

/* A disc of radius r covers the centre's pixel and r beyond it; a quarter more makes its area right
 * where pixels are coarse. cell: pixels of the stack's squares. */
static satk_stack make_stack(int radius, int cell, satb_bokeh bokeh)
{
    const double r = radius == 0 ? 0 : (radius + 0.25) / cell;
    const int far = (int)lround(LONG_SIDE * r - 0.5), near = (int)lround(SHORT_SIDE * r - 0.5);
    const int half = (int)lround((radius + 0.5) / cell - 0.5);

    if (radius == 0 || bokeh == SATB_BOKEH_SQUARE)
        return (satk_stack){half, half, 0, half};
    if (bokeh == SATB_BOKEH_SMOOTH)
        return make_heap(r);
    return (satk_stack){.middle = far, .middle_rows = near, .outer = near, .rows = far};
}

/* Wide windows change little from a pixel to the next: a sixteenth of the results is enough of them. */
static satk_slab make_slab(int radius, satb_bokeh bokeh)
{
    satk_slab slab = {.coarse = radius >= SATB_COARSE_RADIUS};

    for (int i = 0; i < SATK_WINDOWS; i++)
        slab.window[i] = make_stack(radius + wider[i], slab.coarse ? SATK_CELL : 1, bokeh);
    return slab;
}

/* Radii 0, 1, 2, 3, 5, 7, then each a third more than the one before, and from 49 on two fifths.
 * What lies between two of them is a mixture of both, which looks like the radius between while they are
 * that close; wide blurs show less. Small ones show most, where a pull of the focus would pop. */
static int next_radius(int radius)
{
    if (radius < 7)
        return radius + 1 + radius / 3;
    return radius + (radius < 49 ? radius / 3 : 2 * radius / 5);
}

/* radii[] from 0 until one is not below `farthest`; returns how many. */
static int make_radii(double farthest, int longest, int *radii)
{
    int count = 1;

    radii[0] = 0;
    while (radii[count - 1] < farthest && radii[count - 1] < longest) {
        const int next = next_radius(radii[count - 1]);
        radii[count++] = next < longest ? next : longest;
    }
    return count;
}

int satb_make_slabs(double behind, double before, int longest, satb_bokeh bokeh, satk_slab *slabs,
                    int *signed_radius)
{
    int radii[SATK_MAX_SLABS], count = 0;

    for (int i = make_radii(-behind, longest, radii) - 1; i > 0; i--)
        signed_radius[count++] = -radii[i];
    const int near = make_radii(before, longest, radii);
    for (int i = 0; i < near; i++)
        signed_radius[count++] = radii[i];
    for (int i = 0; i < count; i++)
        slabs[i] = make_slab(abs(signed_radius[i]), bokeh);
    return count;
}

/* A disc's second moment goes with the square of its radius, and so does that of a mixture of two by their
 * parts. Below a radius of 1 that would have a pixel in focus stay sharp for long and then go all at once. */
static double moment(double radius)
{
    return fabs(radius) < 1 ? fabs(radius) : radius * radius;
}

uint16_t satb_slab_position(const int *signed_radius, int count, double radius)
{
    int i = 0;

    if (radius <= signed_radius[0])
        return 0;
    if (radius >= signed_radius[count - 1])
        return (uint16_t)((count - 1) * SATK_SLAB);
    while (radius >= signed_radius[i + 1])
        i++;
    const double from = moment(signed_radius[i]), to = moment(signed_radius[i + 1]);
    return (uint16_t)(i * SATK_SLAB + lround((moment(radius) - from) / (to - from) * SATK_SLAB));
}

/* A pixel in the third row of a cell is laid from the cell below, too, whose windows have whole cells. */
int satb_slab_rows(const satk_slab *slab)
{
    return slab->coarse ? (satk_reach(slab) + 1) * SATK_CELL + 1 : satk_reach(slab);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

uint64_t satb_largest_area(const satk_layer *job)
{
    const uint64_t pixels = (uint64_t)job->src.width * (uint64_t)job->src.height;
    const uint64_t most = job->smooth ? SATK_HEAP * pixels : pixels;
    uint64_t area = 0;

    for (int k = 0; k < job->count; k++) {
        const satk_stack *const widest = &job->slabs[k].window[SATK_WINDOWS - 1];
        const uint64_t squares = satk_squares(widest, job->smooth, UINT32_MAX, UINT32_MAX);
        const uint64_t a = job->slabs[k].coarse ? squares * SATK_CELL * SATK_CELL : squares;
        if (job->slabs[k].used && a > area)
            area = a;
    }
    return area < most ? area : most;
}

/* The tables' word, so that no sum overflows. */
static satb_status choose_word(satb_context *context, const satb_layers *l, satk_layer *job)
{
    const uint64_t area = satb_largest_area(job);
    const satk_u128 sum = (satk_u128)area * SATK_SLAB *
                          satb_largest_sample(l->src->bits, l->gamma, job->tone.weighted);
    if (sum > UINT64_MAX >> 8)
        return satb_fail(
            context, SATB_ERR_LIMIT,
            "windows of %.0f pixels are too large for %d-bit samples with alpha; use a "
            "smaller radius, or the gather method",
            (double)area, l->src->bits);
    job->word = sum <= UINT32_MAX ? 32 : 64;
    return SATB_OK;
}

/* --- Run -------------------------------------------------------------------------------------- */

/* The job's slabs, of which *focus are behind the focus, and the positions of the codes that occur. */
static void fill_slabs(const satb_layers *l, satk_slab *slabs, uint16_t *position, int threads,
                       int *count, int *focus)
{
    const size_t codes = (size_t)1 << l->map->bits;
    const int longest = l->src->width > l->src->height ? l->src->width : l->src->height;
    int signed_radius[SATK_MAX_SLABS];
    double behind = 0, before = 0;

    for (size_t i = 0; i < codes; i++) {
        behind = l->counts[i] && l->radius[i] < behind ? l->radius[i] : behind;
        before = l->counts[i] && l->radius[i] > before ? l->radius[i] : before;
    }
    *count = satb_make_slabs(behind, before, longest, l->bokeh, slabs, signed_radius);
    for (*focus = 0; signed_radius[*focus] < 0; ++*focus)
        ;
#pragma omp parallel for num_threads(threads) if (codes > 256)
    for (size_t i = 0; i < codes; i++)
        position[i] = l->counts[i] ? satb_slab_position(signed_radius, *count, l->radius[i]) : 0;
    for (size_t i = 0; i < codes; i++) {
        if (!l->counts[i])
            continue;
        slabs[position[i] / SATK_SLAB].used = 1;
        if (position[i] % SATK_SLAB)
            slabs[position[i] / SATK_SLAB + 1].used = 1;
    }
}

typedef struct layering {
    const satb_layers *layers;
    const uint16_t *position;
    satk_layer job;
    satb_highlights lights; /* if the layers have highlights */
} layering;

static size_t position_bytes(const satb_layers *l)
{
    return sizeof(uint16_t) << l->map->bits;
}

/* Rows from a pixel to the farthest that its windows read; and from there to what decides on a light. The disc
 * of a light can reach farther than the windows of its slab. */
static int farthest(const layering *r)
{
    const satk_layer *const job = &r->job;
    int reach = r->lights.job.farthest;

    for (int k = 0; k < job->count; k++)
        if (job->slabs[k].used && satb_slab_rows(&job->slabs[k]) > reach)
            reach = satb_slab_rows(&job->slabs[k]);
    return reach + r->lights.reach;
}

static void add_room(satb_context *context, const void *job, int rows, satb_room *room)
{
    const layering *const r = job;
    satk_layer layer = r->job;

    satb_add_plane(room, SATB_SLOT_SRC, r->layers->src, rows);
    satb_add_plane(room, SATB_SLOT_DST, r->layers->dst, rows);
    satb_add_plane(room, SATB_SLOT_MAP, r->layers->map, rows);
    satb_add_tone(&layer.tone, layer.src.bits, room);
    room->bytes[SATB_SLOT_RADII] += position_bytes(r->layers);
    layer.src.height = rows;
    context->backend->add_layer_room(context, &layer, room);
    if (r->layers->highlights > 0)
        satb_add_highlight_room(context, &r->lights, &layer, room);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    layering *const r = job;
    const void *positions = NULL;

    satb_status status = satb_upload_tone(context, r->layers->src->bits, &r->job.tone);
    if (status == SATB_OK)
        status = context->backend->upload_bytes(context, SATB_SLOT_RADII, r->position,
                                                position_bytes(r->layers), 0, &positions);
    r->job.position = positions;
    if (status == SATB_OK && r->layers->highlights > 0)
        status = satb_upload_highlights(context, &r->lights);
    return status;
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    layering *const r = job;
    satk_layer layer = r->job;

    layer.src = planes->src;
    layer.map = planes->map;
    layer.dst = planes->dst;
    return r->layers->highlights > 0 ? satb_layer_with_highlights(context, &r->lights, &layer)
                                     : context->backend->layer(context, &layer);
}

static satb_status run_bands(satb_context *context, layering *r)
{
    const satb_layers *const l = r->layers;
    satb_bands bands = {.height = l->src->height, .reach = farthest(r), .cell = SATK_CELL};

    return satb_run_in_bands(context, &bands,
                             &(satb_banded){.src = l->src,
                                            .map = l->map,
                                            .dst = l->dst,
                                            .stage = SATB_STAGE_BLUR,
                                            .job = r,
                                            .add_room = add_room,
                                            .upload_tables = upload_tables,
                                            .run = run_band});
}

static satb_status run(satb_context *context, const satb_layers *l, satk_slab *slabs,
                       uint16_t *position)
{
    layering r = {.layers = l,
                  .position = position,
                  .job = {.src = satb_plane_of(l->src),
                          .slabs = slabs,
                          .smooth = l->bokeh == SATB_BOKEH_SMOOTH}};
    const double began = satb_now_ms();
    int focus;
    fill_slabs(l, slabs, position, context->threads, &r.job.count, &focus);
    context->depth_ms += satb_now_ms() - began;
    satb_status status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = satb_make_tone(context, l->src, l->gamma, &r.job.tone);
    if (status == SATB_OK)
        status = choose_word(context, l, &r.job);
    if (status == SATB_OK && l->highlights > 0)
        status = satb_open_highlights(context, l, &r.job, position, focus, &r.lights);
    status = status == SATB_OK ? run_bands(context, &r) : satb_settled(context, status);
    satb_close_highlights(&r.lights);
    return status;
}

satb_status satb_layers_run(satb_context *context, const satb_layers *layers)
{
    satk_slab *const slabs = malloc(SATK_MAX_SLABS * sizeof *slabs);
    uint16_t *const position = malloc(sizeof *position << layers->map->bits);
    const satb_status status = slabs && position
                                   ? run(context, layers, slabs, position)
                                   : satb_fail(context, SATB_ERR_NOMEM, "out of memory");

    free(slabs);
    free(position);
    return status;
}
