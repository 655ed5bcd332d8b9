#include "surface/bit_rows.h"

#include <string.h>

satk_bit_rows satk_bit_rows_of(int width, int height)
{
    return (satk_bit_rows){width, height, (size_t)(width + 63) / 64 + 2, NULL};
}

size_t satk_bit_rows_bytes(const satk_bit_rows *rows)
{
    return rows->words * (size_t)rows->height * sizeof *rows->bits;
}

void satk_bits_around(const satk_bit_rows *rows, int y, int reach, uint64_t *out)
{
    const size_t count = rows->words - 2;
    const int last = y + reach < rows->height ? y + reach : rows->height - 1;
    const unsigned rest = (unsigned)rows->width % 64;
    uint64_t before = 0;

    memset(out, 0, count * sizeof *out);
    for (int j = y > reach ? y - reach : 0; j <= last; j++)
        for (size_t i = 0; i < count; i++)
            out[i] |= satk_bit_row(rows, j)[i];
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = out[i], after = i + 1 < count ? out[i + 1] : 0;
        for (int k = 1; k <= reach; k++)
            out[i] |= here << k | before >> (64 - k) | here >> k | after << (64 - k);
        before = here;
    }
    if (rest > 0)
        out[count - 1] &= ((uint64_t)1 << rest) - 1;
}
