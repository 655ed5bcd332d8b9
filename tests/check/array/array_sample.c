#include "check/array/array_sample.h"

#include <string.h>

const char *array_fill_name(array_fill f)
{
    static const char *const names[] = {"random", "equal",     "sorted",   "reversed",
                                        "few",    "high byte", "low byte", "extreme"};

    return names[f];
}

uint64_t array_word(const void *words, uint64_t i, int word)
{
    uint64_t value = 0; /* little-endian, as every machine with CUDA is */

    memcpy(&value, (const uint8_t *)words + i * ((size_t)word / 8), (size_t)word / 8);
    return value;
}

/* Returns word i of an array that is made from `key`. random[i] is random. */
static uint64_t pattern(array_fill f, uint64_t i, uint64_t count, uint64_t own, uint64_t key,
                        int word)
{
    const uint64_t step = UINT64_MAX / (count + 1) + (count == 0);
    const uint64_t extremes[] = {0, 1, UINT64_MAX - 1, UINT64_MAX};

    switch (f) {
    case ARRAY_EQUAL: return key;
    case ARRAY_SORTED: return step * i >> (64 - word);
    case ARRAY_REVERSED: return step * (count - i) >> (64 - word);
    case ARRAY_FEW: return key + own % 7 * 0x0123456789abcdefu;
    case ARRAY_HIGH: return (key & (UINT64_MAX >> (72 - word))) | (own & 255) << (word - 8);
    case ARRAY_LOW: return (key & ~(uint64_t)255) | (own & 255);
    case ARRAY_EXTREME: return extremes[own % 4];
    default: return own;
    }
}

block array_input(uint64_t count, int word, int skew, array_fill f, uint64_t *random)
{
    const size_t bytes = (size_t)word / 8;
    const block b = block_exact((size_t)count * bytes, (size_t)skew * bytes);
    const uint64_t key = random_next(random);
    uint8_t *const words = block_data(&b);

    random_bytes(random, b.base, b.size);
    if (f == ARRAY_RANDOM)
        return b;
#pragma omp parallel for if (count > 1 << 20)
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t value = pattern(f, i, count, array_word(words, i, word), key, word);
        memcpy(words + i * bytes, &value, bytes);
    }
    return b;
}

layout array_layout(const block *b, size_t element)
{
    const size_t row = b->bytes ? b->bytes : element;

    return (layout){row, row, element, element};
}

const array_size array_sizes[] = {
    {0, 1, "nothing"},
    {1, 1, "one word"},
    {2, 0, "one pair"},
    {31, 0, "a warp - 1"},
    {32, 0, "a warp"},
    {33, 1, "a warp + 1"},
    {255, 0, "a block's threads - 1"},
    {256, 0, "a block's threads"},
    {257, 0, "a block's threads + 1"},
    {509, 0, "a prime"},
    {10007, 1, "a prime, several tiles"},
    {65535, 0, "2^16 - 1"},
    {65536, 0, "2^16"},
    {65537, 0, "2^16 + 1"},
};
const int array_sizes_count = sizeof array_sizes / sizeof *array_sizes;
