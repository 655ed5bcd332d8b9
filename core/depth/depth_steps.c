#include "depth/depth_steps.h"

#include "backend/bands.h"
#include "base/tone_tables.h"
#include "cover/cover.h"
#include "depth/depth_focus.h"
#include "depth/shown.h"

/* --- Memory ----------------------------------------------------------------------------------- */

/* Makes the need of a slot at least `bytes`: a slot serves one step after the other. */
static satb_status widen(satb_making *m, satb_slot slot, size_t bytes)
{
    if (m->need->bytes[slot] < bytes)
        m->need->bytes[slot] = bytes;
    return SATB_OK;
}

/* Makes the need of scratch at least that of a kernel. */
static satb_status widen_scratch(satb_making *m)
{
    const size_t bytes = m->kernel.bytes[SATB_SLOT_SCRATCH];

    m->kernel = (satb_need){{0}};
    return widen(m, SATB_SLOT_SCRATCH, bytes);
}

/* Runs a kernel that has scratch memory. */
#define RUN(m, entry, job)                                                                         \
    ((m)->need ? ((m)->depth->at->backend->add_##entry##_need((m)->depth->at, job, &(m)->kernel),  \
                  widen_scratch(m))                                                                \
               : (m)->depth->at->backend->entry((m)->depth->at, job))

/* Brings a caller's image to where kernels read it. */
static satb_status read_image(satb_making *m, satb_slot slot, const satb_image *image,
                              satk_plane *plane)
{
    satb_context *const at = m->depth->at;
    const satb_band all = satb_whole(image);

    *plane = satb_plane_of(image);
    return m->need ? widen(m, slot, satb_pitch(image) * (size_t)image->height)
                   : at->backend->upload(at, slot, image, &all, plane);
}

/* Copies bytes to where kernels read them, as upload_bytes() of the back end does. */
static satb_status read_bytes(satb_making *m, satb_slot slot, const void *bytes, size_t size,
                              int once, const void **data)
{
    satb_context *const at = m->depth->at;

    *data = bytes;
    return m->need ? widen(m, slot, size)
                   : at->backend->upload_bytes(at, slot, bytes, size, once, data);
}

/* Makes room in a slot. Nobody follows the pointer if the steps only add. */
static satb_status make_room(satb_making *m, satb_slot slot, size_t bytes, void **data)
{
    satb_context *const at = m->depth->at;

    *data = m;
    return m->need ? widen(m, slot, bytes) : at->backend->reserve(at, slot, bytes, data);
}

static satb_status make_plane(satb_making *m, satb_slot slot, int width, int height, int bits,
                              satk_plane *plane)
{
    *plane = satb_plane_like(width, height, bits);
    return make_room(m, slot, (size_t)plane->pitch * (size_t)height, &plane->data);
}

/* Makes room for a plane of the picture's size. */
static satb_status make_whole(satb_making *m, satb_slot slot, int bits, satk_plane *plane)
{
    return make_plane(m, slot, m->src.width, m->src.height, bits, plane);
}

/* --- Conditions ------------------------------------------------------------------------------- */

enum {
    HALVES = 1 << 0, /* the picture has half floats */
    MAP = 1 << 1,
    CHANNELS = 1 << 2, /* more than one, of the map */
    HOLES = 1 << 3,
    MATTE = 1 << 4,
    PROTECT = 1 << 5,
    FOCUS = 1 << 6, /* it is to be found */
    NEED = 1 << 7   /* the steps only add their memory */
};

static int facts_of(const satb_making *m)
{
    return (m->depth->picture.half ? HALVES : 0) | (m->map.data ? MAP : 0) |
           (m->map.channels > 1 ? CHANNELS : 0) | (m->depth->holes != SATB_HOLES_NONE ? HOLES : 0) |
           (m->matte.data ? MATTE : 0) | (m->protect.data ? PROTECT : 0) |
           (m->params->focus_mode == SATB_FOCUS_AUTO ? FOCUS : 0) | (m->need ? NEED : 0);
}

/* Returns whether a step of these conditions runs. */
static int has(const satb_making *m, int facts)
{
    return (facts_of(m) & facts) == facts;
}

/* Returns the bits of the map that is made. */
static int bits_of(const satb_making *m)
{
    return !has(m, MAP) ? 8 : m->depth->resampled ? 16 : m->map.bits;
}

/* --- Steps ------------------------------------------------------------------------------------ */

static satb_status read_picture(satb_making *m)
{
    m->depth->seen = m->depth->picture;
    return read_image(m, SATB_SLOT_SRC, &m->depth->picture, &m->src);
}

/* Makes the codes of a picture of half floats, which the steps below read instead of it. */
static satb_status show_halves(satb_making *m)
{
    satb_depth_map *const depth = m->depth;

    if (m->need)
        return satb_add_shown_need(&depth->picture, m->need);
    const satb_status status = satb_show(depth->at, &m->src, &m->src);
    depth->seen = satb_image_in(depth->at, &m->src);
    return status;
}

static satb_status read_light(satb_making *m)
{
    const void *light = NULL;

    satb_fill_decode(8, m->light);
    const satb_status status = read_bytes(m, SATB_SLOT_LIGHT, m->light, sizeof m->light, 1, &light);
    m->linear = light;
    return status;
}

/* Makes room for the numbers, which are 0 at first. */
static satb_status make_numbers(satb_making *m)
{
    satb_context *const at = m->depth->at;
    satb_depth_numbers *const own = &m->depth->numbers;
    const void *zero = NULL;
    void *there = own;

    satb_status status = read_bytes(m, SATB_SLOT_STATS, own, sizeof *own, 0, &zero);
    if (status == SATB_OK && !m->need)
        status = at->backend->output_bytes(at, SATB_SLOT_STATS, own, sizeof *own, &there);
    m->numbers = there;
    return status;
}

static satb_status read_map(satb_making *m)
{
    return read_image(m, SATB_SLOT_GIVEN_MAP, &m->map, &m->plane);
}

/* Makes the map's first channel a map of its own. */
static satb_status take_channel(satb_making *m)
{
    satk_resample job = {.src = m->plane};

    satb_status status =
        make_plane(m, SATB_SLOT_CHANNEL, m->plane.width, m->plane.height, m->plane.bits, &job.dst);
    if (status == SATB_OK)
        status = RUN(m, resample, &job);
    m->plane = job.dst;
    return status;
}

static satk_fill_way way_of(satb_holes how)
{
    switch (how) {
    case SATB_HOLES_FAR: return SATK_FILL_FAR;
    case SATB_HOLES_NEAR: return SATK_FILL_NEAR;
    default: return SATK_FILL_INWARDS;
    }
}

static satb_status fill_holes(satb_making *m)
{
    satk_fill job = {.src = m->src,
                     .map = m->plane,
                     .how = way_of(m->depth->holes),
                     .near_black = m->params->near_black,
                     .counts = m->numbers->filled};

    satb_status status =
        make_plane(m, SATB_SLOT_FILLED, m->plane.width, m->plane.height, m->plane.bits, &job.dst);
    if (status == SATB_OK)
        status = RUN(m, fill, &job);
    m->plane = job.dst;
    return status;
}

/* Makes the plane of a mask's coverage. */
static satb_status make_coverage(satb_making *m, satb_slot from, const satb_image *given,
                                 satb_slot to, uint64_t *counts, satb_image *coverage)
{
    satk_matte_plane job = {.counts = counts};

    satb_status status = read_image(m, from, given, &job.src);
    if (status == SATB_OK)
        status = make_whole(m, to, 8, &job.dst);
    if (status == SATB_OK)
        status = RUN(m, matte_plane, &job);
    *coverage = satb_image_in(m->depth->at, &job.dst);
    return status;
}

static satb_status make_matte(satb_making *m)
{
    return make_coverage(m, SATB_SLOT_GIVEN_MATTE, &m->matte, SATB_SLOT_MATTE, m->numbers->matte,
                         &m->depth->matte);
}

static satb_status make_protect(satb_making *m)
{
    return make_coverage(m, SATB_SLOT_GIVEN_PROTECT, &m->protect, SATB_SLOT_PROTECT,
                         m->numbers->protect, &m->depth->protect);
}

/* Assigns pixels to surfaces. Without a map, the matte is cut as a mask. */
static satb_status find_surfaces(satb_making *m)
{
    satb_depth_map *const depth = m->depth;
    const size_t pixels = satb_pixels_of(&depth->picture);
    const int keeps_edges = m->params->edges == SATB_DEPTH_EDGES_KEEP;
    satk_surface job = {.src = m->src,
                        .map = has(m, MAP) ? m->plane : satb_plane_of(&depth->matte),
                        .linear = m->linear,
                        .outline = has(m, MAP | MATTE) ? m->numbers->matte + SATK_MATTE_SUM : NULL,
                        .how = !has(m, MAP)  ? SATK_AS_MASK
                               : keeps_edges ? 0
                                             : SATK_CUT | SATK_JOIN | SATK_FIND_MASK,
                        .near_black = m->params->near_black,
                        .counts = m->numbers->surface};
    void *rims = NULL;

    satb_status status = make_whole(m, SATB_SLOT_MAP, bits_of(m), &job.dst);
    if (status == SATB_OK)
        status = make_room(m, SATB_SLOT_RIMS, satk_rims_bytes(pixels), &rims);
    if (status != SATB_OK)
        return status;
    depth->rims = job.rims = satk_rims_in(rims, pixels);
    depth->map = satb_image_in(depth->at, &job.dst);
    m->plane = job.dst;
    return RUN(m, surface, &job);
}

static satb_status follow_matte(satb_making *m)
{
    satk_follow job = {.matte = satb_plane_of(&m->depth->matte),
                       .map = m->plane,
                       .dst = m->plane,
                       .rims = m->depth->rims,
                       .near_black = m->params->near_black,
                       .counts = m->numbers->followed};

    return RUN(m, follow, &job);
}

static satb_status find_codes(satb_making *m)
{
    satb_context *const at = m->depth->at;
    satk_codes codes = {.src = m->plane, .out = m->numbers->codes.words};
    const satk_rim_codes near = {.rims = m->depth->rims,
                                 .pixels = satb_pixels_of(&m->depth->picture),
                                 .bits = m->plane.bits,
                                 .out = m->numbers->near.words};

    if (m->need) /* neither has scratch memory */
        return SATB_OK;
    const satb_status status = at->backend->codes(at, &codes);
    return status == SATB_OK ? at->backend->rim_codes(at, &near) : status;
}

/* Finds the width of the widest soft rim; mattes and masks alone make some. */
static satb_status measure_rims(satb_making *m)
{
    satb_context *const at = m->depth->at;
    const satk_rim_width job = {.rims = m->depth->rims,
                                .width = m->depth->picture.width,
                                .height = m->depth->picture.height,
                                .widest = m->numbers->soft};

    return m->need ? SATB_OK : at->backend->rim_width(at, &job);
}

/* --- Later parts of the call, which take their memory when they run --------------------------- */

/* Adds the memory of satb_find_focus(). */
static satb_status find_focus(satb_making *m)
{
    return widen(m, SATB_SLOT_STATS, satb_focus_bytes(bits_of(m)));
}

/* Adds the memory of the rims' coverage (blur/dof_rims.h). */
static satb_status cover_rims(satb_making *m)
{
    satk_cover job = {.src = m->src, .map = m->plane, .doubts = 1};

    widen(m, SATB_SLOT_SIGNED, sizeof(int32_t) << bits_of(m));
    make_whole(m, SATB_SLOT_COVERED, bits_of(m), &job.dst);
    make_whole(m, SATB_SLOT_COVER, 8, &job.cover);
    return RUN(m, cover, &job);
}

/* Adds the memory of the rims' colours (blur/dof_rims.h). */
static satb_status separate_colours(satb_making *m)
{
    satk_separate job = {.src = m->src, .dst = m->src};
    satk_plane sides;

    make_whole(m, SATB_SLOT_SIDES, 8, &sides);
    read_image(m, SATB_SLOT_SEPARATED, &m->depth->picture, &job.dst);
    return RUN(m, separate, &job);
}

/* --- The table -------------------------------------------------------------------------------- */

static const struct {
    int when; /* facts, all of them */
    satb_status (*run)(satb_making *);
} steps[] = {
    {0, read_picture},
    {HALVES, show_halves},
    {0, read_light},
    {0, make_numbers},
    {MAP, read_map},
    {CHANNELS, take_channel},
    {HOLES, fill_holes},
    {MATTE, make_matte},
    {PROTECT, make_protect},
    {0, find_surfaces},
    {MAP | MATTE, follow_matte},
    {0, find_codes},
    {0, measure_rims},
    {NEED | FOCUS, find_focus},
    {NEED, cover_rims},
    {NEED | MATTE, separate_colours},
};

satb_status satb_walk_steps(satb_making *m)
{
    satb_status status = SATB_OK;

    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == SATB_OK; i++)
        if (has(m, steps[i].when))
            status = steps[i].run(m);
    return status;
}
