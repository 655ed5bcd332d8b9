#include "depth/matte_depth.h"

#include "base/memory.h"
#include "common/plane.h"
#include "depth/matte_plane.h"
#include "depth/window_sums.h"

#include <string.h>

/* The sides of a matte. NEITHER is a pixel of both, and one whose code contradicts the matte. */
enum { BACKGROUND, SUBJECT, SIDES, NEITHER = SIDES };

/* Whether the means of both sides around a pixel are sought. */
enum { NO, SOUGHT = 1, FOUND };

/* The planes of the windows' sums: of each side, the pixels and their codes. */
enum { COUNT, CODES, PLANES = 2 * SIDES };

typedef struct means {
    uint16_t of[SIDES];
} means;

typedef struct following {
    const satb_image *matte, *map;
    uint8_t *side, *search; /* of every pixel */
    means *mean;            /* of every pixel, as far as found */
    satb_windows windows;
    int marks; /* 1: pixels near others are marked as sought */
} following;

/* --- Pixels ----------------------------------------------------------------------------------- */

static size_t index_of(const following *f, int x, int y)
{
    return (size_t)y * (size_t)f->map->width + (size_t)x;
}

static uint32_t cover_at(const following *f, int x, int y)
{
    return ((const uint8_t *)f->matte->data)[y * f->matte->stride + x];
}

/* Returns the side by the matte alone. */
static int side_of(uint32_t cover)
{
    return cover < SATB_MATTE_NONE ? BACKGROUND : cover > SATB_MATTE_ALL ? SUBJECT : NEITHER;
}

static uint32_t code_at(const following *f, int x, int y)
{
    return satk_code((const uint8_t *)f->map->data + y * f->map->stride, (size_t)x, f->map->bits);
}

static void set_code(const following *f, int x, int y, uint32_t code)
{
    uint8_t *const row = (uint8_t *)f->map->data + y * f->map->stride;

    if (f->map->bits == 8)
        row[x] = (uint8_t)code;
    else
        ((uint16_t *)(void *)row)[x] = (uint16_t)code;
}

/* --- Means of both sides around pixels -------------------------------------------------------- */

static void read_row(const void *job, int y, uint32_t *row)
{
    const following *const f = job;

    memset(row, 0, (size_t)f->map->width * PLANES * sizeof *row);
    for (int x = 0; x < f->map->width; x++) {
        const int side = f->side[index_of(f, x, y)];
        if (side == NEITHER)
            continue;
        row[PLANES * x + 2 * side + COUNT] = 1;
        row[PLANES * x + 2 * side + CODES] = code_at(f, x, y);
    }
}

/* Returns the pixels of a window. */
static uint64_t area_at(const satb_windows *w, int x, int y)
{
    const int r = w->radius;
    const int x0 = x > r ? x - r : 0, x1 = x < w->width - r ? x + r + 1 : w->width;
    const int y0 = y > r ? y - r : 0, y1 = y < w->height - r ? y + r + 1 : w->height;

    return (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);
}

/* Takes the mean code of a side in the window around x. Returns 0 if the window has nothing of it. */
static int take_mean(const satb_windows *w, const uint64_t *table, int x, int side, means *mean)
{
    const uint64_t count = satb_window_sum(w, table, x, 2 * side + COUNT);

    if (count == 0)
        return 0;
    mean->of[side] =
        (uint16_t)((satb_window_sum(w, table, x, 2 * side + CODES) + count / 2) / count);
    return 1;
}

static void take_row(void *job, int y, const uint64_t *table)
{
    const following *const f = job;
    const satb_windows *const w = &f->windows;

    for (int x = 0; x < f->map->width; x++) {
        const size_t at = index_of(f, x, y);
        const int side = f->side[at];
        if (f->marks && side != NEITHER &&
            satb_window_sum(w, table, x, 2 * side + COUNT) < area_at(w, x, y))
            f->search[at] = SOUGHT;
        if (f->search[at] != SOUGHT)
            continue;
        const int far = take_mean(w, table, x, BACKGROUND, &f->mean[at]);
        const int near = take_mean(w, table, x, SUBJECT, &f->mean[at]);
        if (far && near)
            f->search[at] = FOUND;
    }
}

/* Finds the means around all pixels that are sought, as far as the picture has both sides. marks: 1: it first marks the
 * pixels of one side near others as sought. */
static satb_status find_means(satb_context *context, following *f, int marks)
{
    const int width = f->map->width, height = f->map->height;
    const int longest = width > height ? width : height;
    satb_status status = SATB_OK;

    f->windows = (satb_windows){.width = width,
                                .height = height,
                                .planes = PLANES,
                                .radius = longest / 128 > 8 ? longest / 128 : 8,
                                .y1 = height,
                                .job = f,
                                .read = read_row,
                                .take = take_row};
    f->marks = marks;
    if (marks) {
        status = satb_sum_windows(context, &f->windows);
        f->windows.radius *= 2;
    }
    f->marks = 0;
    return status == SATB_OK ? satb_widen_windows(context, &f->windows, f->search) : status;
}

/* --- The map ---------------------------------------------------------------------------------- */

/* Sets each pixel's side, and seeks the means around those near others. */
static void begin(const following *f)
{
    for (int y = 0; y < f->map->height; y++)
        for (int x = 0; x < f->map->width; x++) {
            f->side[index_of(f, x, y)] = (uint8_t)side_of(cover_at(f, x, y));
            f->search[index_of(f, x, y)] = NO;
        }
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns whether a code is the other side's: closer to its mean, and not far beyond it, where a third thing would be. */
static int is_others(uint32_t code, uint32_t own, uint32_t other)
{
    const int beyond = own < other ? code > other : code < other;

    return apart(code, own) > apart(code, other) &&
           !(beyond && 4 * apart(code, other) > apart(own, other));
}

/* Takes contrary pixels out of their sides, and seeks the means around them and around pixels of both. */
static void find_contrary(const following *f)
{
    const uint32_t least = 4 * ((1u << f->map->bits) - 1) / 255;

    for (int y = 0; y < f->map->height; y++)
        for (int x = 0; x < f->map->width; x++) {
            const size_t at = index_of(f, x, y);
            const int side = f->side[at], found = f->search[at] == FOUND;
            const uint16_t *const mean = f->mean[at].of;
            f->search[at] = side == NEITHER ? SOUGHT : NO;
            if (side == NEITHER || !found || apart(mean[0], mean[1]) <= least)
                continue;
            if (is_others(code_at(f, x, y), mean[side], mean[1 - side])) {
                f->side[at] = NEITHER;
                f->search[at] = SOUGHT;
            }
        }
}

/* Drops the doubtful rims near the matte's edge. */
static void drop_rims(const following *f, satb_rims *rims)
{
    size_t kept = 0;

    for (size_t i = 0; i < rims->count; i++) {
        const size_t at = index_of(f, rims->at[i].x, rims->at[i].y);
        if (f->side[at] != NEITHER && f->search[at] == NO)
            rims->at[kept++] = rims->at[i];
    }
    rims->count = kept;
}

/* Returns the rim of a pixel of both. */
static satb_rim rim_at(const following *f, int x, int y, int near_black)
{
    const means mean = f->mean[index_of(f, x, y)];
    const uint32_t cover = cover_at(f, x, y);
    const int near = (mean.of[SUBJECT] < mean.of[BACKGROUND]) == !!near_black;
    const int nearer = near ? SUBJECT : BACKGROUND;

    return (satb_rim){.x = x,
                      .y = y,
                      .near = mean.of[nearer],
                      .far = mean.of[1 - nearer],
                      .cover = (uint8_t)(near ? cover : UINT8_MAX - cover),
                      .kind = near ? SATB_RIM_SUBJECT : SATB_RIM_BEFORE_SUBJECT};
}

/* Gives contrary pixels and those of both their codes, and adds rims. Returns 0 if memory ran out. */
static int settle(const following *f, int near_black, satb_rims *rims, size_t *count)
{
    for (int y = 0; y < f->map->height; y++)
        for (int x = 0; x < f->map->width; x++) {
            const size_t at = index_of(f, x, y);
            if (f->search[at] != FOUND)
                continue;
            const uint32_t cover = cover_at(f, x, y);
            const satb_rim rim = rim_at(f, x, y, near_black);
            set_code(f, x, y, f->mean[at].of[cover > UINT8_MAX / 2 ? SUBJECT : BACKGROUND]);
            ++*count;
            if (side_of(cover) == NEITHER && rim.near != rim.far && !satb_add_rim(rims, &rim))
                return 0;
        }
    return 1;
}

/* f has its memory. */
static satb_status follow(satb_context *context, following *f, int near_black, satb_rims *rims,
                          size_t *count)
{
    begin(f);
    satb_status status = find_means(context, f, 1);
    if (status != SATB_OK)
        return status;
    drop_rims(f, rims);
    find_contrary(f);
    status = find_means(context, f, 0);
    if (status == SATB_OK && !settle(f, near_black, rims, count))
        status = satb_fail(context, SATB_ERR_NOMEM, "out of memory for the rims of a matte");
    return status;
}

satb_status satb_follow_matte(satb_context *context, const satb_image *matte, satb_image *map,
                              int near_black, satb_rims *rims, size_t *count)
{
    const size_t pixels = (size_t)map->width * (size_t)map->height;
    satb_spares *const spares = &context->spares;
    following f = {.matte = matte,
                   .map = map,
                   .side = satb_take(spares, pixels),
                   .search = satb_take(spares, pixels),
                   .mean = satb_take(spares, pixels * sizeof *f.mean)};
    satb_status status = SATB_ERR_NOMEM;

    if (f.side && f.search && f.mean)
        status = follow(context, &f, near_black, rims, count);
    else
        satb_fail(context, status, "out of memory for a matte");
    satb_give(spares, f.side);
    satb_give(spares, f.search);
    satb_give(spares, f.mean);
    return status;
}
