#include "depth/depth_join.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "base/tone_tables.h"
#include "surface/surface_join_cpu.h"

#include <stdlib.h>

/* Returns 0 if memory ran out. */
static int join_bands(const satk_joining *job, int threads, size_t *mixed)
{
    const int height = job->map.height;
    size_t sum = 0;
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : sum)
    {
        void *const scratch = satb_allocate(satk_join_scratch_cpu(&job->map));
        whole = scratch != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int first = 0; first < height; first += SATK_JOIN_ROWS) {
            const int rest = height - first, rows = rest < SATK_JOIN_ROWS ? rest : SATK_JOIN_ROWS;
            if (scratch)
                sum += satk_join_cpu(job, first, first + rows, scratch);
        }
        free(scratch);
    }
    *mixed = sum;
    return whole;
}

satb_status satb_join_surfaces(satb_context *context, const satb_image *map,
                               const satb_image *picture, int near_black, satb_image *out,
                               size_t *mixed)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;
    satb_image joined = *map;
    uint32_t linear[256];

    *out = *map;
    joined.stride = (ptrdiff_t)row;
    joined.data = satb_take(&context->spares, row * (size_t)map->height);
    satb_fill_decode(8, linear);
    const satk_joining job = {.src = satb_plane_of(picture),
                              .map = satb_plane_of(map),
                              .dst = satb_plane_of(&joined),
                              .linear = linear,
                              .near_black = near_black};
    const int whole = joined.data && join_bands(&job, context->threads, mixed);
    if (whole && *mixed > 0) {
        *out = joined;
        return SATB_OK;
    }
    satb_give(&context->spares, joined.data);
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for mixed pixels of depth");
}
