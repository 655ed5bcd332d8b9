/* Edges of a depth map, and their ramps: of the map itself, and of halves of it, where wide ramps are narrower. */
#ifndef SATB_DEPTH_LEVELS_H
#define SATB_DEPTH_LEVELS_H

#include "base/context.h"
#include "depth/bit_rows.h"

enum {
    SATB_LEAST_SIDE = 9, /* a map of fewer samples, in width or height, has no edges */
    SATB_MOST_LEVELS = 4
};

/* A map of one channel and its marks: level 0 is the caller's, each other one has half the size of that before. */
typedef struct satb_level {
    satb_context *context;
    satb_image map;
    void *owned;              /* the map's memory, if it is to be freed with the level */
    satb_bit_rows edge, ramp; /* the samples on them */
    size_t edges, ramps;      /* how many there are */
} satb_level;

/* Marks the samples of a map on edges and on ramps (surface_mark_cpu.h). The map has at least SATB_LEAST_SIDE samples in
 * width and height. Returns 0 if memory ran out; the level is to be closed in any case. */
int satb_open_level(satb_context *context, satb_level *level, const satb_image *map);

/* Returns 1 if a half of the level may have edges: it has SATB_LEAST_SIDE samples. */
int satb_has_half(const satb_level *level);

/* Opens half of a level in the same way. A sample has the mean of its area, in 16 bits. An odd side has an odd half. */
int satb_open_half(const satb_level *level, satb_level *half);

void satb_close_level(satb_level *level);

/* Returns the first of `fine` samples of an axis whose centre lies in sample s of `coarse` ones, or behind. A centre on the
 * border of two lies in the one closer to the middle: the second half of the axis is the first one's mirror. */
static inline int satb_first_within(int s, int coarse, int fine)
{
    const int is_mirrored = 2 * (int64_t)s > coarse;
    const int64_t at = is_mirrored ? coarse - s : s;
    const int first = (int)((2 * at * fine + coarse - 1) / (2 * (int64_t)coarse));

    return is_mirrored ? fine - first : first;
}

#endif
