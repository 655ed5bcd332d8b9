/* How satk_layer_cpu() blurs a strip of rows. layer_strip.c is compiled several times, each for other
 * instructions of the CPU: CMake gives SATK_LEVEL, and each copy has a name of its own. */
#ifndef SATK_LAYER_STRIP_H
#define SATK_LAYER_STRIP_H

#include "cpu_level.h"
#include "layer_rule.h"

/* How far any window reaches. */
static inline int farthest_reach(const satk_layer *job)
{
    int farthest = 0;

    for (int k = 0; k < job->count; k++)
        if (job->slabs[k].used && satk_reach(&job->slabs[k]) > farthest)
            farthest = satk_reach(&job->slabs[k]);
    return farthest;
}

/* A strip is blurred in tiles of so many columns: few slabs are seen from each, and what is read of
 * their tables stays in the cache. */
enum { SATK_LAYER_TILE = 256 };

/* Samples and positions around a tile: layer_vector.h. */
static inline size_t satk_tile_samples_bytes(size_t pixels)
{
    return (pixels * 5 * sizeof(uint16_t) + 63) / 64 * 64;
}

/* Rows first <= y < last. scratch: the strip's lights, of this size, and then a tile's
 * samples and the tables. */
typedef void satk_layer_function(const satk_layer *job, int first, int last, void *scratch,
                                 size_t lights_size);

satk_layer_function satk_layer_strip_plain, satk_layer_strip_avx2, satk_layer_strip_avx512;

#endif
