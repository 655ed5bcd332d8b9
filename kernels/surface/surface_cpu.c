#include "surface/surface_cpu.h"

#include "common/parts.h"
#include "common/pool.h"
#include "surface/resample.h"
#include "surface/surface_join_cpu.h"

#include <string.h>

/* --- Memory ----------------------------------------------------------------------------------- */

static size_t pixels_of(const satk_plane *plane)
{
    return (size_t)plane->width * (size_t)plane->height;
}

/* Returns the next part of the memory; memory NULL: only *at is moved on. */
static void *take(void *memory, size_t *at, size_t count, size_t element)
{
    *at = (*at + 63) & ~(size_t)63;
    const size_t begin = satk_place(at, count, element);

    return memory ? (uint8_t *)memory + begin : NULL;
}

/* Returns the plane of a map, one channel, in the next part of the memory. */
static satk_plane take_plane(void *memory, size_t *at, int width, int height, int bits)
{
    const size_t row = (size_t)width * (size_t)bits / 8;

    return (satk_plane){.data = take(memory, at, row * (size_t)height, 1),
                        .pitch = (ptrdiff_t)row,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bits = bits};
}

static satk_bit_rows take_bits(void *memory, size_t *at, const satk_plane *map)
{
    satk_bit_rows rows = satk_bit_rows_of(map->width, map->height);

    rows.bits = take(memory, at, satk_bit_rows_bytes(&rows), 1);
    return rows;
}

static void take_level(const satk_surface *job, void *memory, size_t *at, int l, satk_cutting *c)
{
    satk_map_level *const level = &c->level[l];

    level->map = l == 0 ? job->map
                        : take_plane(memory, at, satk_half_of(c->level[l - 1].map.width),
                                     satk_half_of(c->level[l - 1].map.height), 16);
    level->edge = take_bits(memory, at, &level->map);
    level->ramp = take_bits(memory, at, &level->map);
    level->ends = take(memory, at, pixels_of(&level->map), sizeof *level->ends);
    level->across = take(memory, at, (size_t)job->dst.width, sizeof *level->across);
}

/* Returns the bytes of a thread's work: marking, a row of bits, or joining. */
static size_t work_bytes(const satk_surface *job)
{
    const satk_plane wide = {.width = job->map.width, .bits = 16};
    const satk_bit_rows rows = satk_bit_rows_of(job->map.width, 1);
    const size_t sizes[] = {satk_marks_work(&wide), satk_bit_rows_bytes(&rows),
                            satk_join_scratch_cpu(&job->dst)};
    size_t most = 0;

    for (int i = 0; i < 3; i++)
        most = sizes[i] > most ? sizes[i] : most;
    return (most + 63) & ~(size_t)63;
}

/* The memory of all stages: that of the levels, of the plane between stages, and of resampling. */
typedef struct surfacing {
    satk_cutting c;
    satk_plane between; /* like dst */
    void *resampling;
    size_t bytes;
} surfacing;

static surfacing lay_out(const satk_surface *job, int threads, void *memory)
{
    const satk_resample resample = {.src = job->map, .dst = job->dst};
    surfacing s = {.c = {.job = job, .threads = threads, .work_bytes = work_bytes(job)}};

    s.c.work = take(memory, &s.bytes, (size_t)threads, s.c.work_bytes);
    s.between = take_plane(memory, &s.bytes, job->dst.width, job->dst.height, job->dst.bits);
    s.resampling = take(memory, &s.bytes, satk_resample_scratch_cpu(&resample, threads), 1);
    if (!satk_may_cut(job))
        return s;
    s.c.levels = satk_levels_of(job->map.width, job->map.height);
    for (int l = 0; l < s.c.levels; l++)
        take_level(job, memory, &s.bytes, l, &s.c);
    s.c.finest = take(memory, &s.bytes, pixels_of(&job->map), 1);
    return s;
}

size_t satk_surface_scratch_cpu(const satk_surface *job, int threads)
{
    return lay_out(job, threads, NULL).bytes;
}

/* --- Stages ----------------------------------------------------------------------------------- */

/* Counts a row's codes of 0 and of white. */
#define COUNT_ENDS(name, type)                                                                     \
    static void name(const void *row, int width, uint32_t *black, uint32_t *white)                 \
    {                                                                                              \
        const type *const codes = row;                                                             \
        for (int x = 0; x < width; x++) {                                                          \
            *black += codes[x] == 0;                                                               \
            *white += codes[x] == (type)-1;                                                        \
        }                                                                                          \
    }

COUNT_ENDS(count_ends8, uint8_t)
COUNT_ENDS(count_ends16, uint16_t)

typedef struct ends {
    const satk_plane *map;
    _Atomic uint64_t *black, *white;
} ends;

static void count_row(const void *of, int y)
{
    const ends *const e = of;
    const satk_plane *const map = e->map;
    uint32_t black = 0, white = 0;

    (map->bits == 8 ? count_ends8 : count_ends16)((const uint8_t *)map->data + y * map->pitch,
                                                  map->width, &black, &white);
    atomic_fetch_add(e->black, black);
    atomic_fetch_add(e->white, white);
}

static void count_black_and_white(const satk_surface *job, int threads)
{
    _Atomic uint64_t black = 0, white = 0;

    satk_for(threads, job->map.height, 0, count_row, &(ends){&job->map, &black, &white});
    job->counts[SATK_BLACK] = black;
    job->counts[SATK_WHITE] = white;
}

/* Brings the map to the picture's size. */
static void resample(const satk_surface *job, const satk_plane *to, void *scratch, int threads)
{
    const satk_resample work = {.src = job->map, .dst = *to, .scratch = scratch};

    satk_resample_cpu(&work, threads);
}

static void copy_plane(const satk_plane *from, const satk_plane *to, int threads)
{
    const satk_resample work = {.src = *from, .dst = *to};

    satk_resample_cpu(&work, threads);
}

typedef struct joint {
    satk_joining work;
    const satk_cutting *c;
} joint;

static uint64_t join_rows(const void *of, int i)
{
    const joint *const j = of;
    const int first = i * SATK_JOIN_ROWS, rest = j->work.map.height - first;

    return satk_join_cpu(&j->work, first, first + (rest < SATK_JOIN_ROWS ? rest : SATK_JOIN_ROWS),
                         satk_own_work(j->c));
}

static void join(const satk_surface *job, const satk_plane *map, const surfacing *s, int threads)
{
    const joint j = {.work = {.src = job->src,
                              .map = *map,
                              .dst = job->dst,
                              .linear = job->linear,
                              .near_black = job->near_black},
                     .c = &s->c};
    const int parts = (map->height + SATK_JOIN_ROWS - 1) / SATK_JOIN_ROWS;

    job->counts[SATK_MIXED] = satk_sum(threads, parts, 1, join_rows, &j);
}

/* Cuts the map in the way that is left. Returns the plane that has the result: the map itself, or `to`. */
static satk_plane cut(const satk_surface *job, surfacing *s, const satk_plane *to,
                      const satk_plane *other)
{
    const satk_surface_way way = satk_way_of(job);
    const int same = satk_has_size_of(&job->map, &job->dst), threads = s->c.threads;

    if (same && (way == SATK_WAY_STAYS || (way == SATK_WAY_NARROW && job->counts[SATK_RAMPS] == 0)))
        return job->map;
    if (way == SATK_WAY_STAYS) {
        resample(job, to, s->resampling, threads);
        return *to;
    }
    s->c.out = *to;
    s->c.fine = same ? job->map : *other;
    if (!same)
        resample(job, other, s->resampling, threads);
    copy_plane(&s->c.fine, to, threads);
    if (way == SATK_WAY_NARROW) {
        satk_cut_narrow(&s->c);
        return *to;
    }
    satk_make_levels(&s->c);
    satk_cut_wide(&s->c);
    return *to;
}

void satk_surface_cpu(const satk_surface *job, int threads)
{
    surfacing s = lay_out(job, threads, job->scratch);
    const int joins = job->how & SATK_JOIN;

    memset(job->counts, 0, SATK_SURFACE_COUNTS * sizeof *job->counts);
    memset(job->rims.kind, SATK_RIM_NONE, pixels_of(&job->dst));
    if (job->how & SATK_FIND_MASK)
        count_black_and_white(job, threads);
    if (satk_is_mask(job)) {
        resample(job, &job->dst, s.resampling, threads);
        satk_cut_mask(job, threads);
        return;
    }
    if (satk_may_cut(job))
        satk_mark_level(&s.c, 0, &job->counts[SATK_EDGES], &job->counts[SATK_RAMPS]);
    const satk_plane done =
        cut(job, &s, joins ? &s.between : &job->dst, joins ? &job->dst : &s.between);
    if (joins)
        join(job, &done, &s, threads);
    else if (done.data != job->dst.data)
        copy_plane(&done, &job->dst, threads);
}
