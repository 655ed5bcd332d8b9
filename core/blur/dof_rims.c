#include "blur/dof_rims.h"

#include "backend/image.h"
#include "base/memory.h"
#include "blur/rim_colours.h"
#include "blur/rim_doubt.h"
#include "common/plane.h"
#include "depth/depth_channel.h"

#include <math.h>
#include <string.h>

/* Radii, in pixels. */
#define SHARPER 0.75 /* the least difference of two surfaces whose rim shows */
#define BLURRED 20.0 /* the least difference at which the near one would leave an outline .. */
#define SHARP   10.0 /* .. on a far one below this */

enum {
    SAMPLES_OFF = 2, /* that edges of maps are off by */
    LEAST_COVER = 8  /* in 1/255: less is no sixteenth, rounded, as layers count it */
};

/* What becomes of a rim's pixel. */
enum {
    LEFT,
    COVERED, /* it gets the near surface's code, and its coverage */
    DOUBTED /* it gets coverage 0, and so counts as unknown, if its colour is none of the far surface's */
};

static int has_matte(const satb_dof_blur *blur)
{
    return blur->matte && blur->matte->data;
}

static int fate_of(const satb_dof_blur *blur, const satb_rim *rim)
{
    const double near = blur->signed_radius[rim->near], far = blur->signed_radius[rim->far];

    if (rim->kind == SATB_RIM_EDGE && rim->cover <= UINT8_MAX / 2 && fabs(far) < SHARP &&
        fabs(near) - fabs(far) >= BLURRED)
        return DOUBTED;
    return rim->cover >= LEAST_COVER && fabs(near - far) >= SHARPER ? COVERED : LEFT;
}

static uint8_t *at(const satb_image *plane, const satb_rim *rim)
{
    return (uint8_t *)plane->data + rim->y * plane->stride + rim->x;
}

/* Gives a pixel of the map a code, and coverage. */
static void lay(const satb_covered *c, int x, int y, uint16_t code, uint8_t cover)
{
    uint8_t *const row = (uint8_t *)c->map.data + y * c->map.stride;

    c->counts[satk_code(row, (size_t)x, c->map.bits)]--;
    c->counts[code]++;
    satk_put_code(row, (size_t)x, c->map.bits, code);
    ((uint8_t *)c->cover.data)[y * c->cover.stride + x] = cover;
}

/* Makes a plane of one channel, with every byte of that value. */
static satb_image make_plane(satb_context *context, const satb_image *like, int bits, int value)
{
    const size_t row = (size_t)like->width * (size_t)bits / 8, size = row * (size_t)like->height;
    const satb_image plane = {.data = satb_take(&context->spares, size),
                              .stride = (ptrdiff_t)row,
                              .width = like->width,
                              .height = like->height,
                              .channels = 1,
                              .bits = bits};

    if (plane.data)
        memset(plane.data, value, size);
    return plane;
}

/* Returns 0 if memory ran out. */
static int open_planes(satb_context *context, const satb_dof_blur *blur, int doubts,
                       satb_covered *c)
{
    const size_t codes = (size_t)1 << blur->map->bits;

    c->cover = make_plane(context, blur->src, 8, UINT8_MAX);
    if (has_matte(blur))
        c->sides = make_plane(context, blur->src, 8, SATK_COLOUR_KEEP);
    c->counts = satb_take(&context->spares, codes * sizeof *c->counts);
    if (doubts) {
        c->marks = make_plane(context, blur->src, 8, SATB_MARK_NONE);
        c->near = make_plane(context, blur->src, 16, 0);
    }
    if (!c->cover.data || (has_matte(blur) && !c->sides.data) ||
        (doubts && (!c->marks.data || !c->near.data)) || !c->counts ||
        !satb_copy_map(context, blur->map, &c->map))
        return 0;
    memcpy(c->counts, blur->counts, codes * sizeof *c->counts);
    return 1;
}

/* Brings the picture to the host. */
static satb_status bring_picture(satb_context *context, satb_covered *c, satb_image *view)
{
    if (c->blur.guide && c->blur.guide->data) {
        *view = *c->blur.guide;
        return SATB_OK;
    }
    return satb_view_on_host(context, c->blur.src, view, &c->fetched);
}

/* Returns how far a map's edges may be off, in pixels: by some of its samples, and by a share of the picture at most. */
static int reach_of(const satb_covered *c)
{
    const satb_rims *const rims = c->blur.rims;
    const int width = c->marks.width, height = c->marks.height;
    const int longest = width > height ? width : height;
    const uint64_t most = (uint64_t)(longest / 128 > 8 ? longest / 128 : 8);
    uint64_t sum = 0, count = 0;

    for (size_t i = 0; i < rims->count; i++)
        if (fate_of(&c->blur, &rims->at[i]) == DOUBTED) {
            sum += rims->at[i].sample;
            count++;
        }
    const uint64_t reach = (SAMPLES_OFF * sum + count - 1) / count;
    return (int)(reach < most ? reach : most);
}

/* Marks sharp pixels, and doubtful ones with the codes before them. */
static void mark_pixels(const satb_covered *c)
{
    const satb_image *const map = c->blur.map;
    const satb_rims *const rims = c->blur.rims;

    for (int y = 0; y < map->height; y++) {
        const uint8_t *const codes = (const uint8_t *)map->data + y * map->stride;
        uint8_t *const marks = (uint8_t *)c->marks.data + y * c->marks.stride;
        for (int x = 0; x < map->width; x++)
            if (fabs(c->blur.signed_radius[satk_code(codes, (size_t)x, map->bits)]) < SHARP)
                marks[x] = SATB_MARK_SHARP;
    }
    for (size_t i = 0; i < rims->count; i++) {
        const satb_rim *const rim = &rims->at[i];
        const int doubted = fate_of(&c->blur, rim) == DOUBTED;
        *at(&c->marks, rim) = doubted ? SATB_MARK_DOUBTFUL : SATB_MARK_NONE;
        if (doubted)
            ((uint16_t *)c->near.data)[(size_t)rim->y * (size_t)map->width + (size_t)rim->x] =
                rim->near;
    }
}

/* Lays strangers on the map, as unknown pixels of the surface before them. */
static void lay_strangers(const satb_covered *c)
{
    const int width = c->marks.width;

    for (int y = 0; y < c->marks.height; y++)
        for (int x = 0; x < width; x++) {
            const size_t i = (size_t)y * (size_t)width + (size_t)x;
            if (((const uint8_t *)c->marks.data)[i] == SATB_MARK_STRANGER)
                lay(c, x, y, ((const uint16_t *)c->near.data)[i], 0);
        }
}

static satb_status resolve_doubt(satb_context *context, satb_covered *c, const satb_image *view)
{
    mark_pixels(c);
    const satb_status status = satb_find_strangers(context, view, &c->marks, &c->near, reach_of(c));
    if (status == SATB_OK)
        lay_strangers(c);
    return status;
}

static void lay_rims(const satb_covered *c)
{
    const satb_rims *const rims = c->blur.rims;

    for (size_t i = 0; i < rims->count; i++) {
        const satb_rim *const rim = &rims->at[i];
        if (fate_of(&c->blur, rim) != COVERED)
            continue;
        lay(c, rim->x, rim->y, rim->near, rim->cover);
        if (rim->kind != SATB_RIM_EDGE && c->sides.data)
            *at(&c->sides, rim) =
                rim->kind == SATB_RIM_SUBJECT ? SATK_COLOUR_SUBJECT : SATK_COLOUR_BACKGROUND;
    }
}

/* Lays all rims, and gives those of a matte the colours of their near surfaces. has: how many rims have each fate. */
static satb_status cover(satb_context *context, satb_covered *c, const size_t *has)
{
    satb_image view;
    satb_status status = SATB_OK;

    if (has[DOUBTED] > 0 || has_matte(&c->blur))
        status = bring_picture(context, c, &view);
    if (status == SATB_OK && has[DOUBTED] > 0)
        status = resolve_doubt(context, c, &view);
    if (status != SATB_OK)
        return status;
    lay_rims(c);
    c->blur.map = &c->map;
    c->blur.cover = &c->cover;
    c->blur.counts = c->counts;
    if (has_matte(&c->blur))
        status = satb_separate_colours(context, &view, c->blur.matte, &c->sides, &c->src);
    if (status == SATB_OK && has_matte(&c->blur))
        c->blur.src = &c->src;
    return status;
}

satb_status satb_open_covered(satb_context *context, const satb_dof_blur *blur,
                              satb_covered *covered)
{
    size_t has[DOUBTED + 1] = {0};

    *covered = (satb_covered){.blur = *blur};
    for (size_t i = 0; i < blur->rims->count; i++)
        has[fate_of(blur, &blur->rims->at[i])]++;
    if (has[COVERED] + has[DOUBTED] == 0)
        return SATB_OK;
    satb_status status = open_planes(context, blur, has[DOUBTED] > 0, covered)
                             ? cover(context, covered, has)
                             : satb_fail(context, SATB_ERR_NOMEM, "out of memory for rims");
    if (status != SATB_OK)
        satb_close_covered(context, covered);
    return status;
}

void satb_close_covered(satb_context *context, satb_covered *covered)
{
    satb_give(&context->spares, covered->map.data);
    satb_give(&context->spares, covered->cover.data);
    satb_give(&context->spares, covered->sides.data);
    satb_give(&context->spares, covered->marks.data);
    satb_give(&context->spares, covered->near.data);
    satb_give(&context->spares, covered->src.data);
    satb_give(&context->spares, covered->fetched);
    satb_give(&context->spares, covered->counts);
    *covered = (satb_covered){.counts = NULL};
}
