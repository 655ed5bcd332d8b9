/* Noise from integers alone: the same place, kind and seed have the same number on every machine, in any order. */
#ifndef SATBLUR_APP_NOISE_H
#define SATBLUR_APP_NOISE_H

#include <stdint.h>

/* Returns 64 bits that each depend on all bits of `from` (the finaliser of SplitMix64: Steele, Lea, Flood 2014). */
static inline uint64_t noise_mix(uint64_t from)
{
    from = (from ^ (from >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    from = (from ^ (from >> 27)) * UINT64_C(0x94D049BB133111EB);
    return from ^ (from >> 31);
}

#define NOISE_STEP UINT64_C(0x9E3779B97F4A7C15)

/* Returns the key of a row of one kind of noise. */
static inline uint64_t noise_row(uint64_t seed, unsigned kind, uint64_t y)
{
    return noise_mix(noise_mix(seed * NOISE_STEP + kind) + y * NOISE_STEP);
}

/* Returns the bits of a pixel of that row. */
static inline uint64_t noise_at(uint64_t row, uint64_t x)
{
    return noise_mix(row + x * NOISE_STEP);
}

/* Returns the sum of the eight bytes less its mean: nearly Gaussian, within +-1020, of variance NOISE_VARIANCE. */
#define NOISE_VARIANCE (8 * 65535 / 12.0)
static inline int noise_gaussian(uint64_t bits)
{
    const uint64_t mask = UINT64_C(0x00FF00FF00FF00FF);
    const uint64_t pairs = (bits & mask) + ((bits >> 8) & mask);
    return (int)((pairs * UINT64_C(0x0001000100010001)) >> 48) - 1020;
}

#endif
