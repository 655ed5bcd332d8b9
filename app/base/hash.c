#include "base/hash.h"

uint64_t hash_add(uint64_t h, const void *data, size_t size)
{
    const uint8_t *const byte = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ byte[i]) * 0x100000001b3u;
    return h;
}
