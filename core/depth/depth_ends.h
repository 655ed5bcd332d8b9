/* The ends of a depth map's ramps: the codes of the two surfaces beside them. */
#ifndef SATB_DEPTH_ENDS_H
#define SATB_DEPTH_ENDS_H

#include "common/plane.h"
#include "depth/depth_levels.h"

static inline int satb_clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* Returns a code of a map, one channel, in 16 bits. */
static inline uint32_t satb_code16(const satb_image *map, int x, int y)
{
    return satk_code((const uint8_t *)map->data + y * map->stride, (size_t)x, map->bits) *
           (map->bits == 8 ? 257 : 1);
}

/* Returns the ends of the ramp at a sample: low, and 2^16 high. They are those of the smallest square around it, from
 * 3 x 3 to 9 x 9, that has an eighth less than the next one's difference. */
uint32_t satb_ends_at(const satb_image *map, int x, int y);

/* Finds the ends of ramps, by sample, at all samples that pixels on them may lie between. Returns 0 if memory ran out. */
int satb_find_ends(const satb_level *level, uint32_t *ends);

#endif
