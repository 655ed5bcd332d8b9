/* The blur by layers works on the picture without its points of light. It also says what is left of the light before some
 * slabs, which is what a pixel sees of the points that lie behind these. */
#include "blur/dof_points.h"

#include "base/size.h"
#include "blur/tone.h"
#include "highlight/highlight_find_rule.h"
#include "highlight/points_rule.h"
#include "layer/radii_rule.h"

#include <math.h>
#include <string.h>

/* --- Lamps ------------------------------------------------------------------------------------ */

/* Returns the width of the widest lamp in pixels. */
static int lamp_size_of(const satb_dof_blur *l)
{
    const double size = satb_longer_side(l->src) * l->highlight_size / 100;

    return size < 2 ? 2 : size > SATK_MOST_LAMP ? SATK_MOST_LAMP : (int)lround(size);
}

/* Sets the least sample of a light, and the levels at which lamps are sought. */
static void set_threshold(const satb_dof_blur *l, satk_highlight *job)
{
    const uint32_t white = (uint32_t)satb_largest_sample(l->src, l->gamma, 0);
    const double least = ceil(l->highlight_threshold * white);

    job->threshold = least < 1 ? 1 : (uint32_t)least;
    satk_set_lamp_levels(job, white);
}

static void open_lamps(const satb_dof_blur *l, satb_points *points)
{
    points->with_lamps = l->highlights > 0;
    if (!points->with_lamps)
        return;
    points->lamps.size = lamp_size_of(l);
    points->job.boost = (uint32_t)lround(l->highlights * SATK_ONE);
    set_threshold(l, &points->lamps);
}

/* --- Marks ------------------------------------------------------------------------------------ */

/* Returns 1 if some of the slabs first <= k < last are in use. */
static int is_used(const satk_layer *layer, int first, int last)
{
    for (int k = first; k < last; k++)
        if (layer->slabs[k].used)
            return 1;
    return 0;
}

/* Chooses the marks. Points in slab k want one before slab k + 1, as they and what is next to them do not hide each other. The
 * first mark is behind all that is in focus or before it. If there are more than may be, they are at even distances. */
static void choose_marks(const satk_layer *layer, int focus, satb_points *points)
{
    const satk_groups g = satk_group_slabs(layer);
    const int nearest = satk_smaller(focus - 1, g.last - 1);
    int wanted[SATK_MAX_SLABS], count = 0;

    for (int k = nearest; k >= satk_larger(g.first - 1, 0) && g.first < g.last; k--)
        if (is_used(layer, 0, k + 1) &&
            (k == nearest || k < g.first || (k > 0 && layer->slabs[k - 1].used)))
            wanted[count++] = k;
    points->marks = satk_smaller(count, SATK_MARKS);
    for (int i = 0; i < points->marks; i++)
        points->mark[i] = wanted[points->marks > 1 ? i * (count - 1) / (points->marks - 1) : 0];
}

/* --- Discs ------------------------------------------------------------------------------------ */

/* Finds how far light comes from and goes to: the discs of the extreme codes are the largest. */
static void find_reach(const satb_dof_blur *l, satb_points *points)
{
    const uint32_t codes = (uint32_t)points->codes;
    const uint32_t extreme[] = {satb_next_code(l->codes, 0, codes),
                                satb_last_code(l->codes, codes)};
    int largest = 0, cells = 0;

    for (int i = 0; i < 2; i++) {
        const satk_disc disc = satk_disc_of(satb_radius_of(l, extreme[i]));
        if (disc.fade > 0 || (points->with_lamps && disc.side))
            largest = satk_larger(largest, disc.radius);
        cells = satk_larger(cells, disc.cells);
    }
    points->with_any = largest > 0;
    points->job.farthest = (int)ceil(largest * points->outlines.reach / SATK_ONE) + 1;
    points->reach = (points->with_lamps ? satk_ring_end(points->lamps.size) : 0) +
                    (cells + 1) * SATK_GRAY_CELL + SATK_LIGHT_NEAR;
}

static size_t discs_bytes(const satb_points *points)
{
    return points->codes * sizeof(satk_disc);
}

/* Returns the bits behind the point of light, by those of the largest one: lamps are brighter by 6. */
static int fraction_for(const satb_dof_blur *l)
{
    const int bits = l->src->bits;

    return 57 - (l->src->half ? SATK_HALF_BITS : (l->gamma ? bits : SATK_LINEAR_BITS(bits)) + 6);
}

satb_status satb_open_points(satb_context *context, const satb_dof_blur *l, const satk_layer *layer,
                             satk_slab *slabs, int focus, satb_points *points)
{
    const satk_groups g = satk_group_slabs(layer);

    *points =
        (satb_points){.codes = (size_t)1 << l->map->bits, .job = {.fraction = fraction_for(l)}};
    if (g.first == g.last && is_used(layer, 0, focus) && is_used(layer, focus, layer->count))
        slabs[focus].used = SATK_USED_BETWEEN;
    open_lamps(l, points);
    choose_marks(layer, focus, points);
    const satb_status status = satb_make_outlines(context, l->aperture, layer->src.width,
                                                  layer->src.height, &points->outlines);
    if (status == SATB_OK)
        find_reach(l, points);
    points->job.outlines = points->outlines.all;
    points->job.groups = points->marks + 1;
    return status;
}

void satb_close_points(satb_points *points)
{
    satb_free_outlines(&points->outlines);
}

satb_status satb_upload_points(satb_context *context, satb_points *points, satk_radii *radii)
{
    const void *outlines = NULL;
    void *discs = NULL;
    satb_status status =
        context->backend->reserve(context, SATB_SLOT_DISCS, discs_bytes(points), &discs);

    if (status == SATB_OK)
        status = context->backend->upload_bytes(context, SATB_SLOT_OUTLINES, points->outlines.of,
                                                points->outlines.bytes, 0, &outlines);
    points->job.disc = points->lamps.disc = radii->disc = discs;
    radii->marks = points->marks;
    memcpy(radii->mark, points->mark, sizeof radii->mark);
    points->job.outlines.of = outlines;
    return status;
}

/* --- Planes ----------------------------------------------------------------------------------- */

/* Returns a plane of 8 bits. */
static satk_plane bytes_like(const satk_plane *plane, int width, int channels)
{
    return (satk_plane){.width = width, .height = plane->height, .channels = channels, .bits = 8};
}

static satk_plane runs_of(const satk_plane *plane)
{
    return bytes_like(plane, (plane->width + SATK_POINT_RUN - 1) / SATK_POINT_RUN, 1);
}

static ptrdiff_t pitch_of(const satk_plane *plane)
{
    return (ptrdiff_t)((satk_row_bytes(plane) + 15) / 16 * 16);
}

static size_t bytes_of(const satk_plane *plane)
{
    return (size_t)pitch_of(plane) * (size_t)plane->height;
}

/* Reserves memory for the plane. */
static satb_status reserve(satb_context *context, satb_slot slot, satk_plane *plane)
{
    const satb_status status =
        context->backend->reserve(context, slot, bytes_of(plane), &plane->data);

    plane->pitch = pitch_of(plane);
    return status;
}

/* What the kernels find: of points, and the number of lamps. */
typedef struct found {
    uint32_t group[SATK_POINT_GROUPS], lamps;
} found;

void satb_add_points_need(satb_context *context, const satb_points *points, const satk_layer *layer,
                          satb_need *need)
{
    const satb_backend *const b = context->backend;
    const satk_plane halo = bytes_like(&layer->src, layer->src.width, layer->src.channels);
    const satk_plane left = bytes_like(&layer->src, layer->src.width, 1);
    const satk_plane runs = runs_of(&layer->src);
    satk_points job = points->job;
    satk_highlight lamps = points->lamps;
    satb_need steps[2] = {{{0}}}; /* they use the same slots in turn */

    job.src = lamps.src = layer->src;
    job.row = layer->row;
    job.rows = layer->rows;
    b->add_points_find_need(context, &job, &steps[0]);
    if (points->with_lamps)
        b->add_highlight_find_need(context, &lamps, &steps[1]);
    for (int i = 0; i < SATB_SLOTS; i++)
        for (int k = 0; k < 2; k++)
            need->bytes[i] =
                need->bytes[i] < steps[k].bytes[i] ? steps[k].bytes[i] : need->bytes[i];
    need->bytes[SATB_SLOT_BASE] += bytes_of(&layer->src);
    need->bytes[SATB_SLOT_HALO] += points->with_lamps ? bytes_of(&halo) : 0;
    need->bytes[SATB_SLOT_LEFT] += (size_t)points->marks * bytes_of(&left);
    need->bytes[SATB_SLOT_RUNS] += bytes_of(&runs);
    need->bytes[SATB_SLOT_DISCS] += discs_bytes(points);
    need->bytes[SATB_SLOT_OUTLINES] += points->outlines.bytes;
    need->bytes[SATB_SLOT_STATS] += sizeof(found);
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Takes lamps out of the picture. Makes the job's base and halo. */
static satb_status find_lamps(satb_context *context, const satb_points *points, satk_points *job,
                              satk_range own, uint32_t *count)
{
    satk_highlight lamps = points->lamps;

    job->halo = bytes_like(&job->src, job->src.width, job->src.channels);
    satb_status status = reserve(context, SATB_SLOT_HALO, &job->halo);
    lamps.src = job->src;
    lamps.base = job->base;
    lamps.halo = job->halo;
    lamps.dst = job->dst;
    lamps.map = job->map;
    lamps.tone = job->tone;
    lamps.counted = own;
    lamps.found = count;
    if (status == SATB_OK)
        status = context->backend->highlight_find(context, &lamps);
    job->src = lamps.src; /* perhaps a copy, if the result takes its place */
    job->from = job->base;
    return status;
}

/* Makes the job's base, and finds the groups that have points. */
static satb_status find_points(satb_context *context, const satb_points *points, satk_points *job,
                               satk_range own, found *f)
{
    const satb_backend *const b = context->backend;
    void *flags = NULL;

    satb_status status = reserve(context, SATB_SLOT_BASE, &job->base);
    if (status == SATB_OK)
        status = reserve(context, SATB_SLOT_RUNS, &job->runs);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, f, sizeof *f, &flags);
    if (status != SATB_OK)
        return status;
    found *const there = flags;
    job->found = there->group;
    if (points->with_lamps)
        status = find_lamps(context, points, job, own, &there->lamps);
    if (status == SATB_OK)
        status = b->points_find(context, job);
    return status == SATB_OK
               ? b->fetch(context, f, flags, points->with_lamps ? sizeof *f : sizeof f->group)
               : status;
}

/* Asks the blur for what it leaves of the light before the marks of groups with points. */
static satb_status ask_for_left(satb_context *context, const satb_points *points, satk_layer *blur,
                                satk_points *job)
{
    satk_plane *const left = &blur->left;

    *left = bytes_like(&job->src, job->src.width, 1);
    left->pitch = pitch_of(left);
    for (int i = 0; i < points->marks; i++)
        if (job->lit >> (i + 1) & 1)
            blur->mark[blur->marks++] = points->mark[i];
    const satb_status status = context->backend->reserve(
        context, SATB_SLOT_LEFT, (size_t)blur->marks * bytes_of(left), &left->data);
    job->left = *left;
    return status;
}

satb_status satb_layer_with_points(satb_context *context, const satb_points *points,
                                   const satk_layer *layer, satk_range own, int *count)
{
    const satb_backend *const b = context->backend;
    satk_points job = points->job;
    satk_layer blur = *layer;
    found f = {{0}, 0};

    job.src = job.from = job.base = layer->src;
    job.row = layer->row;
    job.rows = layer->rows;
    job.dst = layer->dst;
    job.map = layer->map;
    job.cover = layer->cover;
    job.tone = layer->tone;
    job.runs = runs_of(&layer->src);
    satb_status status = find_points(context, points, &job, own, &f);
    for (int i = 0; i < SATK_POINT_GROUPS; i++)
        job.lit |= (unsigned)(f.group[i] != 0) << i;
    blur.src = job.lit ? job.base : job.src;
    *count += points->with_lamps ? (int32_t)f.lamps : 0;
    if (status == SATB_OK && job.lit > 1)
        status = ask_for_left(context, points, &blur, &job);
    if (status == SATB_OK)
        status = b->layer(context, &blur);
    if (status == SATB_OK && job.lit)
        status = b->points_add(context, &job);
    return status;
}
