/* Depth maps that tests make ready, and an edge of depth in them. */
#ifndef SATB_TESTS_DEPTH_MAP_CASE_H
#define SATB_TESTS_DEPTH_MAP_CASE_H

#include "depth/depth_map.h"
#include "unit/core/unit_context.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 48,
    EDGE_AT = 21
}; /* pixels; where colours change, and depths unless said otherwise */

/* Returns a map of one channel, whose codes are a function of the place. */
static inline satb_image make(int width, int height, int bits, uint32_t (*code)(int x, int y))
{
    const satb_image map = {unit_memory((size_t)width * (size_t)height * (size_t)bits / 8),
                            width * bits / 8,
                            width,
                            height,
                            1,
                            bits,
                            0,
                            0};

    for (int i = 0; i < width * height; i++)
        if (bits == 8)
            ((uint8_t *)map.data)[i] = (uint8_t)code(i % width, i / width);
        else
            ((uint16_t *)map.data)[i] = (uint16_t)code(i % width, i / width);
    return map;
}

static inline uint32_t code_of(const satb_image *map, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;

    return map->bits == 8 ? row[x * map->channels] : ((const uint16_t *)row)[x * map->channels];
}

/* Checks the sets of codes: those that the map has, and those of the near surfaces of its rims. */
static inline void has_its_codes(const satb_depth_map *depth)
{
    static satb_code_set codes, near;

    memset(&codes, 0, sizeof codes);
    memset(&near, 0, sizeof near);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const uint32_t code = code_of(&depth->map, i % SIDE, i / SIDE);
        satb_add_codes(&codes, code, code);
        if (depth->rims.kind[i] != SATK_RIM_NONE)
            satb_add_codes(&near, depth->rims.near[i], depth->rims.near[i]);
    }
    assert_memory_equal(depth->numbers.codes.words, codes.words, satk_codes_bytes(depth->map.bits));
    assert_memory_equal(depth->numbers.near.words, near.words, sizeof near.words);
}

static inline satb_depth_map opened_with(const satb_image *map, const satb_image *beside,
                                         satb_holes holes, int near_black)
{
    const satb_dof_params params = {.holes = holes, .near_black = near_black};
    satb_depth_map depth;

    assert_int_equal(satb_open_depth_map(cpu, &depth, map, beside, &params), SATB_OK);
    assert_true(depth.map.width == SIDE && depth.map.height == SIDE);
    assert_true(depth.at == cpu && depth.picture.data == beside->data);
    has_its_codes(&depth);
    return depth;
}

static int depths_at = EDGE_AT; /* the first pixel behind the edge of depth */

static inline uint32_t hard(int x, int y)
{
    (void)y;
    return x < depths_at ? 40 : 200;
}

static inline uint32_t hard16(int x, int y)
{
    return 257 * hard(x, y);
}

static inline void is_hard(const satb_depth_map *depth, uint32_t scale)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (code_of(&depth->map, x, y) != scale * hard(x, y))
                fail_msg("edge at %d: %d,%d is %u", depths_at, x, y, code_of(&depth->map, x, y));
}

/* Checks that the map made ready has the codes of a caller's. */
static inline void is_as_it_was(const satb_depth_map *depth, const satb_image *map)
{
    assert_int_equal(depth->map.bits, map->bits);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(code_of(&depth->map, x, y), code_of(map, x, y));
    assert_int_equal(depth->numbers.surface[SATK_SNAPPED], 0);
    assert_int_equal(depth->numbers.surface[SATK_MIXED], 0);
}

#endif
