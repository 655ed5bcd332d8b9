// Rows of samples as others, in vectors.
#pragma once

#include <cstddef>
#include <cstdint>

// Codes are 0 .. 65535 for 0 .. 1, rounded half up; those of NaN are 0. Returns whether all floats are 0 .. 1.
bool floats_to_codes(const float *from, uint16_t *to, size_t count);
void codes_to_floats(const uint16_t *from, float *to, size_t count);

// Half floats (IEEE 754, binary16) are the nearest ones; of two as near, the one with an even last bit. Numbers from 65520 on
// are infinite.
void floats_to_halves(const float *from, uint16_t *to, size_t count);
void halves_to_floats(const uint16_t *from, float *to, size_t count);

// Returns how many half floats the blurs take for others: negative ones, NaN, and those above 4096.
size_t odd_halves(const uint16_t *from, size_t count);
