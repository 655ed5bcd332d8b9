#include "stats/patches_rule.h"

#include "common/pool.h"

#include <stdlib.h>
#include <string.h>

static const void *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

/* Adds a row of a patch. luma: the row's, and then the one above it; is_first: there is none. */
static void add_row(const satk_patches *job, int x, int y, int is_first, int32_t *luma,
                    satk_patch *patch)
{
    const void *const pixels = row_of(&job->src, y), *const codes = row_of(&job->map, y);
    int32_t before = 0;

    for (int i = 0; i < job->grid.width; i++) {
        const int32_t here = satk_patch_luma(pixels, x + i, job->src.channels, job->src.bits);
        const uint64_t depth = job->depth[satk_code(codes, (size_t)(x + i), job->map.bits)];
        patch->detail += (i > 0 ? (uint64_t)abs(here - before) : 0) +
                         (is_first ? 0 : (uint64_t)abs(here - luma[i]));
        patch->depth += depth;
        patch->square += depth * depth;
        before = luma[i] = here;
    }
}

static void add_patches(const void *of, int j)
{
    const satk_patches *const job = of;
    const satk_grid_of_patches *const g = &job->grid;

    for (int i = 0; i < g->columns; i++) {
        satk_patch patch = {0, 0, 0};
        int32_t luma[SATK_MOST_PATCH];
        for (int r = 0; r < g->height; r++)
            add_row(job, g->left + i * g->pitch, g->top + j * g->pitch + r, r == 0, luma, &patch);
        job->out[j * g->columns + i] = patch;
    }
}

void satk_patches_cpu(const satk_patches *job, int threads)
{
    satk_for(threads, job->grid.rows, 1, add_patches, job);
}
