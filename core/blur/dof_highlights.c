/* The blur by layers works on the picture without its lights. It also blurs a mask of the surfaces behind the focus, which
 * then says how visible those are at each pixel, and so how visible their lights are. */
#include "blur/dof_highlights.h"

#include "base/size.h"
#include "blur/dof_slabs.h"
#include "blur/tone.h"
#include "highlight/highlight_find_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Discs ------------------------------------------------------------------------------------ */

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

/* The light of a larger disc is below one code everywhere. */
#define MOST_RADIUS (1 << 20)

satk_disc satb_make_disc(double radius, const satb_aperture *aperture)
{
    const double size = fabs(radius) < MOST_RADIUS ? fabs(radius) : MOST_RADIUS;
    const double beyond =
        aperture->shape.bokeh == SATB_BOKEH_SQUARE ? 0.5 : 0.25; /* as in make_stack() */
    satk_disc disc = {.radius = (int)lround((size + beyond) * SATK_ONE),
                      .side = size < 1     ? 0
                              : radius < 0 ? -1
                                           : 1,
                      .behind = radius > 0    ? 0
                                : radius < -1 ? 255
                                              : (int)lround(-radius * 255)};

    return disc;
}

/* Returns the reach of a form from its centre along both axes, at most. */
static int reach_of(const satk_form *form, int radius)
{
    int reach = 0;

    for (int i = 0; i < form->count; i++) {
        const satk_form_box *const b = &form->box[i];
        const int sides[] = {-b->left, b->right, -b->top, b->bottom};
        for (int k = 0; k < 4; k++) {
            const int squares = satk_form_side(radius, sides[k]) - 1;
            reach = squares > reach ? squares : reach;
        }
    }
    return reach;
}

static void make_discs(const satb_dof_blur *l, satb_highlights *lights)
{
    const uint32_t codes = (uint32_t)lights->codes;

    for (uint32_t i = satb_next_code(l->codes, 0, codes); i < codes;
         i = satb_next_code(l->codes, i + 1, codes)) {
        const satk_disc disc = lights->discs[i] = satb_make_disc(satb_radius_of(l, i), l->aperture);
        const int reach =
            disc.side ? reach_of(&l->aperture->lights[disc.side > 0], disc.radius) : 0;
        lights->covered |= disc.behind < 255;
        if (reach > lights->job.farthest)
            lights->job.farthest = reach;
    }
}

/* Makes the mask's slabs: all surfaces behind the focus are one, with the windows of the farthest. */
static void make_mask_slabs(const satb_dof_blur *l, const satk_layer *layer,
                            const satk_radii *radii, int focus, satb_highlights *lights)
{
    uint16_t *const to = (uint16_t *)(void *)(lights->discs + lights->codes);
    const uint32_t codes = (uint32_t)lights->codes;
    const int one = focus > 0 ? focus - 1 : 0;
    int farthest = 0;

    while (farthest < one && !layer->slabs[farthest].used)
        farthest++;
    memcpy(lights->slabs, layer->slabs, (size_t)layer->count * sizeof *layer->slabs);
    for (int k = 0; k < one; k++)
        lights->slabs[k].used = SATK_UNUSED;
    lights->slabs[one] = layer->slabs[farthest];
    if (lights->slabs[one].used)
        lights->slabs[one].used = SATK_USED;
    for (uint32_t i = 0; i < codes; i++) /* of codes that do not occur, too */
        to[i] = (uint16_t)(one * SATK_SLAB);
    for (uint32_t i = satb_next_code(l->codes, 0, codes); i < codes;
         i = satb_next_code(l->codes, i + 1, codes)) {
        const uint16_t position =
            satk_position_of(radii->slabs, radii->slab_count, satb_radius_of(l, i));
        to[i] = position > one * SATK_SLAB ? position : (uint16_t)(one * SATK_SLAB);
    }
}

static size_t table_bytes(const satb_highlights *lights)
{
    return lights->codes * (sizeof *lights->discs + sizeof *lights->position);
}

satb_status satb_open_highlights(satb_context *context, const satb_dof_blur *l,
                                 const satk_layer *layer, const satk_radii *radii, int focus,
                                 satb_highlights *lights)
{
    *lights = (satb_highlights){
        .job = {.boost = (uint32_t)lround(l->highlights * SATK_ONE), .size = lamp_size_of(l)},
        .codes = (size_t)1 << l->map->bits};
    set_threshold(l, &lights->job);
    lights->reach = satk_ring_end(lights->job.size) + SATK_LIGHT_NEAR;
    lights->discs = calloc(1, table_bytes(lights));
    if (!lights->discs)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    make_discs(l, lights);
    make_mask_slabs(l, layer, radii, focus, lights);
    return SATB_OK;
}

void satb_close_highlights(satb_highlights *lights)
{
    free(lights->discs);
    lights->discs = NULL;
}

satb_status satb_upload_highlights(satb_context *context, satb_highlights *lights)
{
    const void *tables = NULL;
    const satb_status status = context->backend->upload_bytes(
        context, SATB_SLOT_DISCS, lights->discs, table_bytes(lights), 0, &tables);

    lights->job.disc = tables;
    lights->position = (const uint16_t *)(const void *)(lights->job.disc + lights->codes);
    return status;
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static satk_plane halo_like(const satk_plane *plane)
{
    return (satk_plane){
        .width = plane->width, .height = plane->height, .channels = plane->channels, .bits = 8};
}

static satk_plane gray_like(const satk_plane *plane)
{
    return (satk_plane){.width = plane->width, .height = plane->height, .channels = 1, .bits = 8};
}

/* Returns the job that blurs the mask. It has fewer slabs, shorter samples, and often a shorter word. */
static satk_layer layer_of_mask(const satb_highlights *lights, const satk_layer *layer)
{
    satk_layer job = *layer;

    job.src = job.dst = gray_like(&layer->src);
    job.tone = (satk_tone){.weighted = 0};
    job.slabs = lights->slabs;
    job.position = lights->position;
    job.word = satb_largest_area(&job) * SATK_SLAB * UINT8_MAX <= UINT32_MAX ? 32 : 64;
    return job;
}

/* --- Needs ------------------------------------------------------------------------------------ */

static ptrdiff_t pitch_of(const satk_plane *plane)
{
    const satb_image image = {
        .width = plane->width, .channels = plane->channels, .bits = plane->bits};

    return (ptrdiff_t)satb_pitch(&image);
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

static void widen(satb_need *need, const satb_need *other)
{
    for (int i = 0; i < SATB_SLOTS; i++)
        if (need->bytes[i] < other->bytes[i])
            need->bytes[i] = other->bytes[i];
}

void satb_add_highlight_need(satb_context *context, const satb_highlights *lights,
                             const satk_layer *layer, satb_need *need)
{
    const satb_backend *const b = context->backend;
    const satk_plane gray = gray_like(&layer->src), halo = halo_like(&layer->src);
    const satk_layer mask = layer_of_mask(lights, layer);
    satk_highlight job = lights->job;
    satb_need steps[2] = {{{0}}}; /* they use the same slots in turn */

    job.src = layer->src;
    b->add_layer_need(context, &mask, &steps[0]);
    b->add_highlight_add_need(context, &job, &steps[1]);
    widen(need, &steps[0]);
    widen(need, &steps[1]);
    need->bytes[SATB_SLOT_BASE] += bytes_of(&layer->src);
    need->bytes[SATB_SLOT_HALO] += bytes_of(&halo);
    need->bytes[SATB_SLOT_MASK] += bytes_of(&gray);
    need->bytes[SATB_SLOT_SEEN] += bytes_of(&gray);
    need->bytes[SATB_SLOT_DISCS] += table_bytes(lights);
    need->bytes[SATB_SLOT_STATS] += sizeof(uint32_t[3]);
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Makes the job's base, halo and mask, and finds which sides of the focus have lights. */
static satb_status find_sides(satb_context *context, satk_highlight *job, uint32_t *found)
{
    const satb_backend *const b = context->backend;
    void *flags = NULL;

    satb_status status = reserve(context, SATB_SLOT_BASE, &job->base);
    if (status == SATB_OK)
        status = reserve(context, SATB_SLOT_HALO, &job->halo);
    if (status == SATB_OK)
        status = reserve(context, SATB_SLOT_MASK, &job->mask);
    if (status == SATB_OK)
        status = b->output_bytes(context, SATB_SLOT_STATS, found, sizeof(uint32_t[3]), &flags);
    if (status != SATB_OK)
        return status;
    job->found = flags;
    status = b->highlight_find(context, job);
    return status == SATB_OK ? b->fetch(context, found, flags, sizeof(uint32_t[3])) : status;
}

/* Finds how visible surfaces behind the focus are at each pixel. If nothing covers them, job->seen stays NULL. */
static satb_status find_seen(satb_context *context, const satb_highlights *lights,
                             const satk_layer *layer, satk_highlight *job)
{
    satk_layer mask = layer_of_mask(lights, layer);

    if (!lights->covered)
        return SATB_OK;
    const satb_status status = reserve(context, SATB_SLOT_SEEN, &mask.dst);
    mask.src = job->mask;
    job->seen = mask.dst;
    return status == SATB_OK ? context->backend->layer(context, &mask) : status;
}

satb_status satb_layer_with_highlights(satb_context *context, const satb_highlights *lights,
                                       const satk_layer *layer, satk_range own, int *count)
{
    const satb_backend *const b = context->backend;
    satk_highlight job = lights->job;
    satk_layer blur = *layer;
    uint32_t found[3] = {0};

    job.src = job.base = layer->src;
    job.row = layer->row;
    job.counted = own;
    job.dst = layer->dst;
    job.map = layer->map;
    job.tone = layer->tone;
    job.halo = halo_like(&layer->src);
    job.mask = gray_like(&layer->src);
    satb_status status = find_sides(context, &job, found);
    blur.src = job.base;
    *count += (int32_t)found[2];
    if (status == SATB_OK)
        status = b->layer(context, &blur);
    if (status == SATB_OK && found[0])
        status = find_seen(context, lights, layer, &job);
    job.side = -1;
    if (status == SATB_OK && found[0])
        status = b->highlight_add(context, &job);
    job.side = 1;
    job.seen.data = NULL; /* in front of everything */
    if (status == SATB_OK && found[1])
        status = b->highlight_add(context, &job);
    return status;
}
