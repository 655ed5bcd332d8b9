/* Arrays: their division among threads, and the division of scratch memory among them. */
#ifndef SATK_PARTS_H
#define SATK_PARTS_H

#include "common/rule.h"

/* Returns the beginning of part p of parts: count elements in parts that differ by at most one. */
SATK_FN uint64_t satk_part_begin(uint64_t count, int p, int parts)
{
    const uint64_t each = count / (uint64_t)parts, left = count % (uint64_t)parts;

    return each * (uint64_t)p + ((uint64_t)p < left ? (uint64_t)p : left);
}

/* Appends an array to the *at bytes laid out before it. Returns where the array begins, a multiple of 16.
 * A layout beyond the address space ends at SIZE_MAX: no allocation of that size succeeds. */
SATK_FN size_t satk_place(size_t *at, uint64_t count, size_t element)
{
    const size_t begin = *at, most = (SIZE_MAX - 15 - begin) / element;

    *at = begin > SIZE_MAX - 15 || count > most
              ? SIZE_MAX
              : begin + (((size_t)count * element + 15) & ~(size_t)15);
    return begin;
}

#endif
