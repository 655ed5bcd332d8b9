/* The stages of `surface` on the CPU, and the memory that they share. */
#ifndef SATK_SURFACE_CPU_H
#define SATK_SURFACE_CPU_H

#include "common/pool.h"
#include "surface/bit_rows.h"
#include "surface/resample_rule.h"
#include "surface/surface_rule.h"

/* A map and its marks: level 0 is the caller's, each other one is half of the one before. */
typedef struct satk_map_level {
    satk_plane map;
    satk_bit_rows edge, ramp; /* the samples on them */
    uint32_t *ends;           /* by sample: low, and 2^16 high, in 16 bits; known around edges */
    satk_tap *across;         /* by column of the picture */
} satk_map_level;

typedef struct satk_cutting {
    const satk_surface *job;
    int threads;
    satk_map_level level[SATK_MOST_LEVELS];
    int levels; /* after satk_make_levels(): those that are used */
    uint8_t *
        finest; /* by sample of level 0: the finest level in which it is on a ramp, or SATK_NO_LEVEL */
    uint8_t *work; /* for each thread: work_bytes of it */
    size_t work_bytes;
    satk_plane fine, out; /* the map at the picture's size, before and after */
} satk_cutting;

enum { SATK_NO_LEVEL = UINT8_MAX };

/* What a loop over the rows of a level is about. */
typedef struct satk_at_level {
    const satk_cutting *c;
    int l;
} satk_at_level;

/* Returns the calling thread's work. */
static inline void *satk_own_work(const satk_cutting *c)
{
    return c->work + (size_t)satk_thread() * c->work_bytes;
}

/* Returns a code of a map in 16 bits. */
static inline uint32_t satk_code16(const satk_plane *map, int x, int y)
{
    return satk_code((const uint8_t *)map->data + y * map->pitch, (size_t)x, map->bits) *
           (map->bits == 8 ? 257 : 1);
}

static inline int satk_clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* --- Levels: surface_levels_cpu.c ------------------------------------------------------------- */

/* Returns the bytes that a thread needs to mark a map. */
size_t satk_marks_work(const satk_plane *map);

/* Marks the samples of a level on edges and on ramps, and sets how many there are. */
void satk_mark_level(const satk_cutting *c, int level, uint64_t *edges, uint64_t *ramps);

/* Makes the halves of level 0, marks them, and drops their edges that a finer one has. Drops the levels that are not used,
 * and finds the ends around all edges of the others. */
void satk_make_levels(satk_cutting *c);

/* Returns the ends of the ramp at a sample. */
uint32_t satk_ends_at(const satk_plane *map, int x, int y);

/* --- Cuts: surface_cut_cpu.c ------------------------------------------------------------------ */

/* Cuts the samples of level 0 that are on ramps. c->out is a copy of the map. */
void satk_cut_narrow(const satk_cutting *c);

/* Cuts the pixels on the ramps of all levels, and makes rims of them. c->out is a copy of c->fine. */
void satk_cut_wide(const satk_cutting *c);

/* Cuts dst, which has the map's codes, as a mask. */
void satk_cut_mask(const satk_surface *job, int threads);

#endif
