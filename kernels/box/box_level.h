/* The ways of satk_box_fused_cpu() to blur a strip of rows. Their sources are compiled several
 * times, each for other instructions of the CPU: CMake gives SATK_LEVEL, and each copy has names of
 * its own. */
#ifndef SATK_BOX_LEVEL_H
#define SATK_BOX_LEVEL_H

#include "box/box.h"
#include "common/cpu_level.h"

/* The division of a picture: rows of a strip, and the scratch that a thread needs for one. */
typedef struct satk_strips {
    int rows;
    size_t bytes;
} satk_strips;

/* Blurs rows first <= y < last. */
typedef void satk_strip_function(const satk_box *job, int first, int last, void *scratch);

#define SATK_LEVEL_FUNCTIONS(level)                                                                \
    satk_strips satk_slide_strips_##level(const satk_box *job, int threads);                       \
    satk_strips satk_ring_strips_##level(const satk_box *job, int threads);                        \
    satk_strips satk_weigh_strips_##level(const satk_box *job, int threads);                       \
    satk_strip_function satk_slide_##level, satk_ring_##level, satk_weigh_##level;
SATK_LEVEL_FUNCTIONS(plain)
SATK_LEVEL_FUNCTIONS(avx2)
SATK_LEVEL_FUNCTIONS(avx512)

#endif
