#include "depth/depth_ends.h"

#include "surface/surface_rule.h"

#include <stdlib.h>

/* Widens low to high by the codes of a column of samples, or of a row: those from `first` to `last` in steps. */
static void widen(const satb_image *map, int x, int y, int reach, uint32_t *low, uint32_t *high)
{
    for (int j = satb_clamped(y - reach, map->height); j <= satb_clamped(y + reach, map->height);
         j++) {
        const int step = j == y - reach || j == y + reach ? 1 : 2 * reach;
        for (int i = x - reach; i <= x + reach; i += step) {
            const uint32_t code = satb_code16(map, satb_clamped(i, map->width), j);
            *low = code < *low ? code : *low;
            *high = code > *high ? code : *high;
        }
    }
}

uint32_t satb_ends_at(const satb_image *map, int x, int y)
{
    uint32_t low = satb_code16(map, x, y), high = low;

    widen(map, x, y, 1, &low, &high);
    for (int reach = 2; reach <= SATK_CUT_REACH; reach++) {
        uint32_t lower = low, higher = high;
        widen(map, x, y, reach, &lower, &higher);
        if (satk_has_ends(high - low, higher - lower))
            break;
        low = lower, high = higher;
    }
    return low | high << 16;
}

int satb_find_ends(const satb_level *level, uint32_t *ends)
{
    const int width = level->map.width;
    int whole = 1;

#pragma omp parallel num_threads(level->context->threads) reduction(& : whole)
    {
        uint64_t *const near = malloc(level->edge.words * sizeof *near);
        whole = near != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < (near ? level->map.height : 0); y++) {
            satb_bits_around(&level->edge, y, 2, near);
            for (size_t i = 0; i < level->edge.words - 2; i++)
                for (uint64_t bits = near[i]; bits; bits &= bits - 1) {
                    const int x = (int)i * 64 + __builtin_ctzll(bits);
                    ends[(size_t)y * (size_t)width + (size_t)x] = satb_ends_at(&level->map, x, y);
                }
        }
        free(near);
    }
    return whole;
}
