/* Images for the unit tests of the library. */
#ifndef SATB_TESTS_UNIT_IMAGE_H
#define SATB_TESTS_UNIT_IMAGE_H

#include "unit/unit.h"

#include <satblur.h>

#include <stdlib.h>

/* Pseudo-random bytes, the same on every machine. */
static inline void scramble(uint8_t *data, size_t size, uint32_t seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (uint8_t)(seed >> 24);
    }
}

static inline satb_image make(int width, int height, int channels, int bits, uint32_t seed)
{
    const size_t row = (size_t)width * (size_t)channels * (size_t)bits / 8;
    uint8_t *const data = unit_memory(row * (size_t)height);

    scramble(data, row * (size_t)height, seed);
    return (satb_image){data, (ptrdiff_t)row, width, height, channels, bits, 0, 0};
}

#endif
