/* The edges of ramp.h, a row at a time. Compiled several times, see cpu_level.h. */
#include "ramp.h"

#include <string.h>

enum {
    AROUND =
        (SATK_RAMP_LEAST_SIDE - 1) / 2, /* samples to each side that tell an edge from a slope */
    SEGMENT = SATK_RAMP_SEGMENT,
    WIDE = 3 * SEGMENT / 2 /* of a segment and what is around it, in whole vectors */
};

/* A sample whose 9 x 9 lie within the map, and which is closest to i. */
static int inside(int i, int n)
{
    return i < AROUND ? AROUND : i < n - AROUND ? i : n - AROUND - 1;
}

/* A bit for each byte that is 1. The product brings those of eight bytes together in its highest. */
SATK_FN uint64_t bits_of(const uint8_t *bytes)
{
    uint64_t bits = 0;

    for (int i = 0; i < SEGMENT; i += 8) {
        uint64_t eight = 0;
        for (int k = 0; k < 8; k++)
            eight |= (uint64_t)bytes[i + k] << 8 * k;
        bits |= (eight * 0x0102040810204080) >> 56 << i;
    }
    return bits;
}

#define CODE     uint8_t
#define OF(name) name##8
#include "ramp_codes.h"
#undef CODE
#undef OF

#define CODE     uint16_t
#define OF(name) name##16
#include "ramp_codes.h"

void SATK_LEVELED(satk_ramp_row)(const satk_plane *map, int y, uint32_t least, void *work,
                                 uint64_t *edge, uint64_t *ramp)
{
    (map->bits == 8 ? mark_row8 : mark_row16)(map, y, least, work, edge, ramp);
}
