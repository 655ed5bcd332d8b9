#include "depth/depth_need.h"

#include "backend/bands.h"
#include "depth/shown.h"
#include "cover/cover.h"

#include <string.h>

int satb_bits_of(const satb_making *m)
{
    return m->alone ? 8 : m->depth->resampled ? 16 : m->map.bits;
}

satk_surface satb_surface_of(const satb_making *m)
{
    const satb_image *const picture = &m->depth->picture;

    return (satk_surface){.src = m->src,
                          .map = m->plane,
                          .dst = {.width = picture->width,
                                  .height = picture->height,
                                  .channels = 1,
                                  .bits = satb_bits_of(m)},
                          .how = m->alone ? SATK_AS_MASK
                                 : m->params->edges == SATB_DEPTH_EDGES_KEEP
                                     ? 0
                                     : SATK_CUT | SATK_JOIN | SATK_FIND_MASK,
                          .near_black = m->params->near_black};
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Returns the next `bytes` from `base` on, and moves *at behind them; NULL if there are none, or base is NULL. */
static void *next_bytes(void *base, size_t *at, size_t bytes, int is_there)
{
    void *const next = base && is_there ? (uint8_t *)base + *at : NULL;

    *at += is_there ? bytes : 0;
    return next;
}

size_t satb_place_numbers(const satb_making *m, void *base, satb_depth_places *p)
{
    const satb_depth_numbers *const n = &m->depth->numbers;
    const size_t set = satk_codes_bytes(satb_bits_of(m));
    const int has_matte = m->matte.data != NULL, has_holes = m->depth->holes != SATB_HOLES_NONE;
    size_t at = 0;

    p->surface = next_bytes(base, &at, sizeof n->surface, 1);
    p->matte = next_bytes(base, &at, sizeof n->matte, has_matte);
    p->followed = next_bytes(base, &at, sizeof n->followed, has_matte && !m->alone);
    p->protect = next_bytes(base, &at, sizeof n->protect, m->protect.data != NULL);
    p->filled = next_bytes(base, &at, sizeof n->filled, has_holes);
    p->codes = next_bytes(base, &at, set, 1);
    p->near = next_bytes(base, &at, set, 1);
    return at;
}

static void take_bytes(void *to, const void *from, size_t bytes)
{
    if (from)
        memcpy(to, from, bytes);
}

void satb_take_numbers(const satb_making *m, void *base)
{
    satb_depth_numbers *const own = &m->depth->numbers;
    const size_t set = satk_codes_bytes(satb_bits_of(m));
    satb_depth_places from;

    satb_place_numbers(m, base, &from);
    take_bytes(own->surface, from.surface, sizeof own->surface);
    take_bytes(own->matte, from.matte, sizeof own->matte);
    take_bytes(own->followed, from.followed, sizeof own->followed);
    take_bytes(own->protect, from.protect, sizeof own->protect);
    take_bytes(own->filled, from.filled, sizeof own->filled);
    take_bytes(own->codes.words, from.codes, set);
    take_bytes(own->near.words, from.near, set);
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static satk_fill_way way_of(satb_holes how)
{
    switch (how) {
    case SATB_HOLES_FAR: return SATK_FILL_FAR;
    case SATB_HOLES_NEAR: return SATK_FILL_NEAR;
    default: return SATK_FILL_INWARDS;
    }
}

/* Makes *most at least the scratch memory that an entry needs. */
#define WIDEN_SCRATCH(most, at, entry, job)                                                        \
    do {                                                                                           \
        satb_need own = {{0}};                                                                     \
        (at)->backend->add_##entry##_need(at, job, &own);                                          \
        if (own.bytes[SATB_SLOT_SCRATCH] > *(most))                                                \
            *(most) = own.bytes[SATB_SLOT_SCRATCH];                                                \
    } while (0)

satk_fill satb_fill_of(const satb_making *m)
{
    satk_plane map = m->plane;

    map.channels = 1;
    return (satk_fill){.src = m->src,
                       .map = map,
                       .how = way_of(m->depth->holes),
                       .near_black = m->params->near_black};
}

/* Adds what depth and then coverage need. */
static void add_need(const satb_making *m, satb_need *need)
{
    satb_context *const at = m->depth->at;
    const satb_image *const picture = &m->depth->picture;
    const size_t plane =
        satb_plane_pitch(picture->width, satb_bits_of(m)) * (size_t)picture->height;
    size_t *const scratch = &need->bytes[SATB_SLOT_SCRATCH];
    const satk_surface surface = satb_surface_of(m);
    const satk_cover cover = {.src = m->src, .map = surface.dst, .doubts = 1};
    const satk_fill fill = satb_fill_of(m);
    satb_depth_places numbers;

    satb_add_plane(need, SATB_SLOT_SRC, picture, picture->height);
    if (picture->half)
        satb_add_shown_need(picture, need);
    satb_add_plane(need, SATB_SLOT_GIVEN_MAP, &m->map, m->map.height);
    if (m->map.channels > 1)
        satb_add_plane(need, SATB_SLOT_CHANNEL, &m->map, m->map.height);
    need->bytes[SATB_SLOT_MAP] += plane;
    need->bytes[SATB_SLOT_RIMS] += satk_rims_bytes(satb_pixels_of(picture));
    need->bytes[SATB_SLOT_STATS] += satb_place_numbers(m, NULL, &numbers);
    need->bytes[SATB_SLOT_LIGHT] += sizeof m->light;
    need->bytes[SATB_SLOT_SIGNED] += sizeof(int32_t) << satb_bits_of(m);
    need->bytes[SATB_SLOT_COVERED] += plane;
    need->bytes[SATB_SLOT_COVER] += satb_plane_pitch(picture->width, 8) * (size_t)picture->height;
    WIDEN_SCRATCH(scratch, at, surface, &surface);
    WIDEN_SCRATCH(scratch, at, cover, &cover);
    if (m->depth->holes == SATB_HOLES_NONE)
        return;
    need->bytes[SATB_SLOT_FILLED] +=
        satb_plane_pitch(m->map.width, m->map.bits) * (size_t)m->map.height;
    WIDEN_SCRATCH(scratch, at, fill, &fill);
}

/* Adds what a matte needs. */
static void add_matte_need(const satb_making *m, satb_need *need)
{
    satb_context *const at = m->depth->at;
    const satb_image *const picture = &m->depth->picture;
    const size_t bytes = satb_plane_pitch(picture->width, 8) * (size_t)picture->height;
    size_t *const scratch = &need->bytes[SATB_SLOT_SCRATCH];
    const satk_plane map = satb_surface_of(m).dst;
    const satk_matte_plane plane = {.src = satb_plane_of(&m->matte), .dst = map};
    const satk_follow follow = {.map = map, .dst = map};
    const satk_separate separate = {.src = m->src, .dst = m->src};

    satb_add_plane(need, SATB_SLOT_GIVEN_MATTE, &m->matte, m->matte.height);
    need->bytes[SATB_SLOT_MATTE] += bytes;
    need->bytes[SATB_SLOT_SIDES] += bytes;
    satb_add_plane(need, SATB_SLOT_SEPARATED, picture, picture->height);
    WIDEN_SCRATCH(scratch, at, matte_plane, &plane);
    WIDEN_SCRATCH(scratch, at, follow, &follow);
    WIDEN_SCRATCH(scratch, at, separate, &separate);
}

/* Adds what a mask that protects needs. */
static void add_protect_need(const satb_making *m, satb_need *need)
{
    satb_context *const at = m->depth->at;
    const satb_image *const picture = &m->depth->picture;
    const satk_matte_plane plane = {.src = satb_plane_of(&m->protect),
                                    .dst = satb_surface_of(m).dst};

    satb_add_plane(need, SATB_SLOT_GIVEN_PROTECT, &m->protect, m->protect.height);
    need->bytes[SATB_SLOT_PROTECT] += satb_plane_pitch(picture->width, 8) * (size_t)picture->height;
    WIDEN_SCRATCH(&need->bytes[SATB_SLOT_SCRATCH], at, matte_plane, &plane);
}

int satb_depth_fits(satb_making *m, satb_need *need)
{
    satb_context *const at = m->depth->at;
    size_t limit;

    *need = (satb_need){{0}};
    if (!at->backend->fits)
        return 1;
    m->src = satb_plane_of(&m->depth->picture);
    m->plane = satb_plane_of(&m->map);
    if (m->alone) /* it is made of the matte's plane */
        m->plane = satb_surface_of(m).dst;
    add_need(m, need);
    if (m->matte.data)
        add_matte_need(m, need);
    if (m->protect.data)
        add_protect_need(m, need);
    return at->memory.bands == 1 && at->backend->fits(at, need, &limit);
}
