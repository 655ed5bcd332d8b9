/* What proofs share. cbmc takes a variable without a value for every value at once, and new memory likewise. */
#ifndef SATB_PROOF_H
#define SATB_PROOF_H

#include "base/blob.h"

#include <stdlib.h>

#define GIVEN(what) __CPROVER_assume(what)
#define HOLDS(what) __CPROVER_assert(what, #what)

/* 64 KB. The numbers in a file are of any size all the same. */
#define ANY_SIZE ((size_t)1 << 16)

/* Returns any bytes, of any size up to `most`. */
static bytes any_bytes(size_t most)
{
    size_t size;
    GIVEN(size <= most);
    const bytes b = {.data = malloc(size), .size = size};
    GIVEN(b.data);
    return b;
}

/* Returns whether each byte of the part is one of the whole. */
static bool lies_in(bytes part, bytes whole)
{
    return part.size == 0 ||
           (__CPROVER_same_object(part.data, whole.data) && part.data >= whole.data &&
            part.size <= whole.size && (size_t)(part.data - whole.data) <= whole.size - part.size);
}

/* Readers of bytes give any answer, which covers the right one: what is proved holds whatever the bytes are. */
int memcmp(const void *a, const void *b, size_t size)
{
    int answer;
    HOLDS(__CPROVER_r_ok(a, size) && __CPROVER_r_ok(b, size));
    return answer;
}

static uint32_t any_number(const uint8_t *at, size_t size)
{
    uint32_t number;
    HOLDS(__CPROVER_r_ok(at, size));
    GIVEN(size == 4 || number <= 0xffff);
    return number;
}
#define big_endian_16(at)    any_number(at, 2)
#define big_endian_32(at)    any_number(at, 4)
#define little_endian_16(at) any_number(at, 2)
#define little_endian_32(at) any_number(at, 4)

#endif
