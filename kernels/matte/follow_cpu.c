#include "common/parts.h"
#include "common/pool.h"
#include "matte/follow_rule.h"
#include "matte/sliding_sums.h"

#include <string.h>

/* The planes of the windows' sums: of each side, the pixels inside and their codes. */
enum { COUNT, CODES, PLANES = 2 * SATK_SIDES };

typedef struct following {
    const satk_follow *job;
    int threads;
    uint8_t *search; /* of every pixel */
    uint8_t *
        inside; /* of every pixel: whether it was INSIDE at first, as search changes while sums are taken */
    satk_side_means *mean; /* of every pixel that is FOUND */
    satk_sliding_sums sums;
} following;

static size_t index_of(const following *f, int x, int y)
{
    return (size_t)y * (size_t)f->job->map.width + (size_t)x;
}

static int side_at(const following *f, int x, int y)
{
    return satk_matte_side(((const uint8_t *)satk_row_of(&f->job->matte, y))[x]);
}

/* --- Pixels near others ----------------------------------------------------------------------- */

static void read_sides(const void *of, int y, int x0, int x1, uint32_t *row)
{
    const following *const f = of;

    memset(row, 0, (size_t)(x1 - x0) * SATK_SIDES * sizeof *row);
    for (int x = x0; x < x1; x++)
        if (side_at(f, x, y) != SATK_BOTH_SIDES)
            row[SATK_SIDES * (x - x0) + side_at(f, x, y)] = 1;
}

/* Seeks means for pixels of both, and for those of one side near others. */
static void mark_row(void *of, const satk_sliding_row *row)
{
    const following *const f = of;
    const int y = row->y;

    for (int x = row->x0; x < row->x1; x++) {
        const int search = satk_follow_search(side_at(f, x, y),
                                              satk_follow_area(&f->job->map, x, y, f->sums.radius),
                                              satk_sliding_sum(&f->sums, row, x, SATK_BACKGROUND),
                                              satk_sliding_sum(&f->sums, row, x, SATK_SUBJECT));
        f->search[index_of(f, x, y)] = (uint8_t)search;
        f->inside[index_of(f, x, y)] = search == SATK_INSIDE;
    }
}

/* Returns whether both sides have pixels inside. */
static int has_both(const following *f)
{
    int has[SATK_SIDES] = {0};

    for (int y = 0; y < f->sums.height; y++)
        for (int x = 0; x < f->sums.width && !(has[SATK_BACKGROUND] && has[SATK_SUBJECT]); x++)
            if (f->inside[index_of(f, x, y)])
                has[side_at(f, x, y)] = 1;
    return has[SATK_BACKGROUND] && has[SATK_SUBJECT];
}

/* Finds the pixels near others: by narrower windows if a side is too thin to have any pixel inside. */
static void find_near(following *f)
{
    satk_sliding_sums *const s = &f->sums;

    s->planes = SATK_SIDES;
    s->radius = satk_follow_reach(&f->job->map);
    s->read = read_sides;
    s->take = mark_row;
    satk_sliding_sums_run(s, f->threads);
    while (s->radius > 1 && !has_both(f)) {
        s->radius /= 2;
        satk_sliding_sums_run(s, f->threads);
    }
}

/* --- Means of both sides ---------------------------------------------------------------------- */

static void read_codes(const void *of, int y, int x0, int x1, uint32_t *row)
{
    const following *const f = of;

    memset(row, 0, (size_t)(x1 - x0) * PLANES * sizeof *row);
    for (int x = x0; x < x1; x++) {
        if (!f->inside[index_of(f, x, y)])
            continue;
        uint32_t *const side = row + PLANES * (x - x0) + 2 * side_at(f, x, y);
        side[COUNT] = 1;
        side[CODES] = satk_sample_at(&f->job->map, x, y, 0);
    }
}

/* Takes the mean code of a side in the window around x. Returns 0 if the window has nothing of it. */
static int take_mean(const following *f, const satk_sliding_row *row, int x, int side,
                     satk_side_means *mean)
{
    const uint64_t count = satk_sliding_sum(&f->sums, row, x, 2 * side + COUNT);

    if (count == 0)
        return 0;
    mean->of[side] = satk_follow_mean(satk_sliding_sum(&f->sums, row, x, 2 * side + CODES), count);
    return 1;
}

static void take_row(void *of, const satk_sliding_row *row)
{
    const following *const f = of;
    const int y = row->y;

    for (int x = row->x0; x < row->x1; x++) {
        uint8_t *const search = &f->search[index_of(f, x, y)];
        satk_side_means *const mean = &f->mean[index_of(f, x, y)];
        if (*search != SATK_SOUGHT && *search != SATK_SOUGHT_ONCE)
            continue;
        const int background = take_mean(f, row, x, SATK_BACKGROUND, mean);
        const int subject = take_mean(f, row, x, SATK_SUBJECT, mean);
        if (background && subject)
            *search = SATK_FOUND;
        else if (*search == SATK_SOUGHT_ONCE)
            *search = SATK_NOT_FOUND;
    }
}

/* Finds the means around pixels near others, as far as the picture has both sides. */
static void find_means(following *f)
{
    satk_sliding_sums *const s = &f->sums;

    s->planes = PLANES;
    s->radius *= 2;
    s->read = read_codes;
    s->take = take_row;
    satk_sliding_sums_seek(s, f->search, f->threads);
    s->radius *= 2;
    satk_sliding_sums_widen(s, f->search, f->threads);
}

/* --- The map ---------------------------------------------------------------------------------- */

/* Returns the pixels of a row that the matte decides. */
static uint64_t settle_row(const void *of, int y)
{
    const following *const f = of;
    const satk_follow *const job = f->job;
    uint64_t count = 0;

    if (job->dst.data != job->map.data)
        memcpy(satk_row_of(&job->dst, y), satk_row_of(&job->map, y),
               (size_t)job->map.width * (size_t)job->map.bits / 8);
    for (int x = 0; x < job->map.width; x++) {
        const size_t i = index_of(f, x, y);
        if (!f->inside[i])
            count += (uint64_t)satk_follow_settle(job, x, y,
                                                  f->search[i] == SATK_FOUND ? &f->mean[i] : NULL);
    }
    return count;
}

/* Divides the scratch. Returns its bytes. */
static size_t divide(following *f, void *scratch)
{
    const satk_plane *const map = &f->job->map;
    const size_t pixels = (size_t)map->width * (size_t)map->height;
    size_t bytes = 0;

    const size_t search = satk_place(&bytes, pixels, 1), inside = satk_place(&bytes, pixels, 1);
    const size_t mean = satk_place(&bytes, pixels, sizeof *f->mean);
    const size_t sums =
        satk_place(&bytes, satk_sliding_sums_scratch(map->width, PLANES, f->threads), 1);
    if (scratch) {
        f->search = (uint8_t *)scratch + search;
        f->inside = (uint8_t *)scratch + inside;
        f->mean = (satk_side_means *)(void *)((uint8_t *)scratch + mean);
        f->sums.scratch = (uint8_t *)scratch + sums;
    }
    return bytes;
}

size_t satk_follow_scratch_cpu(const satk_follow *job, int threads)
{
    return divide(&(following){.job = job, .threads = threads}, NULL);
}

void satk_follow_cpu(const satk_follow *job, int threads)
{
    following f = {.job = job,
                   .threads = threads,
                   .sums = {.width = job->map.width, .height = job->map.height}};

    f.sums.job = &f;
    divide(&f, job->scratch);
    find_near(&f);
    find_means(&f);
    job->counts[SATK_FOLLOWED] = satk_sum(threads, job->map.height, 0, settle_row, &f);
}
