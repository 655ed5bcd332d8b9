#include "depth/matte_depth.h"

#include "base/memory.h"
#include "common/plane.h"
#include "depth/window_sums.h"

#include <string.h>

/* The sides of a matte; BOTH is a pixel of both. */
enum { BACKGROUND, SUBJECT, SIDES, BOTH = SIDES };

/* How the mean codes of both sides around a pixel are looked for. A pixel of one side is INSIDE until others are near; then
 * it counts for no mean. */
enum { INSIDE, SOUGHT = 1, SOUGHT_ONCE, FOUND, NOT_FOUND };

/* The planes of the windows' sums: of each side, the pixels inside and their codes. */
enum { COUNT, CODES, PLANES = 2 * SIDES };

typedef struct means {
    uint16_t of[SIDES];
} means;

typedef struct following {
    const satb_image *matte, *map;
    uint8_t *search; /* of every pixel */
    uint8_t *
        inside; /* of every pixel: whether it was INSIDE at first, as search changes while sums are taken */
    means *mean; /* of every pixel that is FOUND */
    satb_windows windows;
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

static int side_at(const following *f, int x, int y)
{
    const uint32_t cover = cover_at(f, x, y);

    return cover == 0 ? BACKGROUND : cover == UINT8_MAX ? SUBJECT : BOTH;
}

static uint32_t code_at(const following *f, int x, int y)
{
    return satk_code((const uint8_t *)f->map->data + y * f->map->stride, (size_t)x, f->map->bits);
}

static void set_code(const following *f, int x, int y, uint32_t code)
{
    satk_put_code((uint8_t *)f->map->data + y * f->map->stride, (size_t)x, f->map->bits, code);
}

/* --- Pixels near others ----------------------------------------------------------------------- */

static void read_sides(const void *job, int y, uint32_t *row)
{
    const following *const f = job;

    memset(row, 0, (size_t)f->map->width * SIDES * sizeof *row);
    for (int x = 0; x < f->map->width; x++)
        if (side_at(f, x, y) != BOTH)
            row[SIDES * x + side_at(f, x, y)] = 1;
}

/* Returns the pixels of a window. */
static uint64_t area_at(const satb_windows *w, int x, int y)
{
    const int r = w->radius;
    const int x0 = x > r ? x - r : 0, x1 = x < w->width - r ? x + r + 1 : w->width;
    const int y0 = y > r ? y - r : 0, y1 = y < w->height - r ? y + r + 1 : w->height;

    return (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);
}

/* Seeks means for pixels of both, and for those of one side near others. Wide windows would take the ground around the
 * subject's feet for a part of it, so background beside a plain outline, without hair, looks into the first one alone. */
static void mark_row(void *job, int y, const uint64_t *table)
{
    const following *const f = job;
    const satb_windows *const w = &f->windows;

    for (int x = 0; x < f->map->width; x++) {
        const int side = side_at(f, x, y);
        const uint64_t area = area_at(w, x, y);
        const uint64_t background = satb_window_sum(w, table, x, BACKGROUND);
        const uint64_t subject = satb_window_sum(w, table, x, SUBJECT);
        const int is_inside = (side == BACKGROUND ? background : subject) == area;
        const int is_plain = 4 * (area - background - subject) < area;
        f->search[index_of(f, x, y)] = side == BOTH                     ? SOUGHT
                                       : is_inside                      ? INSIDE
                                       : side == BACKGROUND && is_plain ? SOUGHT_ONCE
                                                                        : SOUGHT;
        f->inside[index_of(f, x, y)] = side != BOTH && is_inside;
    }
}

/* --- Means of both sides ---------------------------------------------------------------------- */

static void read_codes(const void *job, int y, uint32_t *row)
{
    const following *const f = job;

    memset(row, 0, (size_t)f->map->width * PLANES * sizeof *row);
    for (int x = 0; x < f->map->width; x++) {
        if (!f->inside[index_of(f, x, y)])
            continue;
        uint32_t *const of = row + PLANES * x + 2 * side_at(f, x, y);
        of[COUNT] = 1;
        of[CODES] = code_at(f, x, y);
    }
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

    for (int x = 0; x < f->map->width; x++) {
        uint8_t *const search = &f->search[index_of(f, x, y)];
        means *const mean = &f->mean[index_of(f, x, y)];
        if (*search != SOUGHT && *search != SOUGHT_ONCE)
            continue;
        const int background = take_mean(&f->windows, table, x, BACKGROUND, mean);
        const int subject = take_mean(&f->windows, table, x, SUBJECT, mean);
        if (background && subject)
            *search = FOUND;
        else if (*search == SOUGHT_ONCE)
            *search = NOT_FOUND;
    }
}

/* Returns whether both sides have pixels inside. */
static int has_both(const following *f)
{
    int has[SIDES] = {0};

    for (int y = 0; y < f->map->height; y++)
        for (int x = 0; x < f->map->width && !(has[BACKGROUND] && has[SUBJECT]); x++)
            if (f->inside[index_of(f, x, y)])
                has[side_at(f, x, y)] = 1;
    return has[BACKGROUND] && has[SUBJECT];
}

/* Finds the pixels near others: by narrower windows if a side is too thin to have any pixel inside. */
static satb_status find_near(satb_context *context, following *f)
{
    const int width = f->map->width, height = f->map->height;
    const int longest = width > height ? width : height;
    satb_windows *const w = &f->windows;

    *w = (satb_windows){.width = width,
                        .height = height,
                        .planes = SIDES,
                        .radius = longest / 128 > 8 ? longest / 128 : 8,
                        .y1 = height,
                        .job = f,
                        .read = read_sides,
                        .take = mark_row};
    satb_status status = satb_sum_windows(context, w);
    while (status == SATB_OK && w->radius > 1 && !has_both(f)) {
        w->radius /= 2;
        status = satb_sum_windows(context, w);
    }
    return status;
}

/* Finds the pixels near others, and the means around them, as far as the picture has both sides. */
static satb_status find_means(satb_context *context, following *f)
{
    satb_windows *const w = &f->windows;
    satb_status status = find_near(context, f);

    w->planes = PLANES;
    w->radius *= 2;
    w->read = read_codes;
    w->take = take_row;
    if (status == SATB_OK)
        status = satb_sum_windows(context, w);
    w->radius *= 2;
    return status == SATB_OK ? satb_widen_windows(context, w, f->search) : status;
}

/* --- The map ---------------------------------------------------------------------------------- */

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns whether a code of one side is not its side's: nearer to the other's mean than a share of the way, and not far
 * beyond it, where a third thing would be. */
static int is_contrary(const following *f, int side, uint32_t code, const means *mean)
{
    const uint32_t own = mean->of[side], other = mean->of[1 - side], way = apart(own, other);
    const int ahead = own < other ? code > own : code < own;
    const int beyond = own < other ? code > other : code < other;
    const uint32_t share = side == SUBJECT ? 4 : 2;

    return way > 4 * ((1u << f->map->bits) - 1) / 255 && ahead && share * apart(code, own) > way &&
           !(beyond && 4 * apart(code, other) > way);
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

/* Gives a pixel the code of its side, and adds a rim if it is one of both. Returns 0 if memory ran out. */
static int settle(const following *f, int x, int y, int near_black, satb_rims *rims, size_t *count)
{
    const means *const mean = &f->mean[index_of(f, x, y)];
    const int side = side_at(f, x, y), larger = cover_at(f, x, y) > UINT8_MAX / 2;

    if (side != BOTH && !is_contrary(f, side, code_at(f, x, y), mean))
        return 1;
    const satb_rim rim = rim_at(f, x, y, near_black);
    set_code(f, x, y, mean->of[larger ? SUBJECT : BACKGROUND]);
    ++*count;
    return side != BOTH || rim.near == rim.far || satb_add_rim(rims, &rim);
}

/* Drops the map's own rims near the matte's edge. */
static void drop_rims(const following *f, satb_rims *rims)
{
    size_t kept = 0;

    for (size_t i = 0; i < rims->count; i++)
        if (f->search[index_of(f, rims->at[i].x, rims->at[i].y)] == INSIDE)
            rims->at[kept++] = rims->at[i];
    rims->count = kept;
}

/* f has its memory. */
static satb_status follow(satb_context *context, following *f, int near_black, satb_rims *rims,
                          size_t *count)
{
    const satb_status status = find_means(context, f);

    if (status != SATB_OK)
        return status;
    drop_rims(f, rims);
    for (int y = 0; y < f->map->height; y++)
        for (int x = 0; x < f->map->width; x++)
            if (f->search[index_of(f, x, y)] == FOUND && !settle(f, x, y, near_black, rims, count))
                return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the rims of a matte");
    return SATB_OK;
}

satb_status satb_follow_matte(satb_context *context, const satb_image *matte, const satb_image *map,
                              int near_black, satb_rims *rims, size_t *count)
{
    const size_t pixels = (size_t)map->width * (size_t)map->height;
    satb_spares *const spares = &context->spares;
    following f = {.matte = matte,
                   .map = map,
                   .search = satb_take(spares, pixels),
                   .inside = satb_take(spares, pixels),
                   .mean = satb_take(spares, pixels * sizeof *f.mean)};
    satb_status status = SATB_ERR_NOMEM;

    if (f.search && f.inside && f.mean)
        status = follow(context, &f, near_black, rims, count);
    else
        satb_fail(context, status, "out of memory for a matte");
    satb_give(spares, f.search);
    satb_give(spares, f.inside);
    satb_give(spares, f.mean);
    return status;
}
