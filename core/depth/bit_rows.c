#include "depth/bit_rows.h"

#include <string.h>

satb_bit_rows satb_make_bits(satb_spares *spares, int width, int height)
{
    const size_t words = (size_t)(width + 63) / 64 + 2, all = words * (size_t)height;
    const satb_bit_rows rows = {width, height, words, satb_take(spares, all * sizeof *rows.bits)};

    if (rows.bits)
        memset(rows.bits, 0, all * sizeof *rows.bits);
    return rows;
}

void satb_bits_around(const satb_bit_rows *rows, int y, int reach, uint64_t *out)
{
    const size_t count = rows->words - 2;
    const int last = y + reach < rows->height ? y + reach : rows->height - 1;
    const unsigned rest = (unsigned)rows->width % 64;
    uint64_t before = 0;

    memset(out, 0, count * sizeof *out);
    for (int j = y > reach ? y - reach : 0; j <= last; j++)
        for (size_t i = 0; i < count; i++)
            out[i] |= satb_bit_row(rows, j)[i];
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = out[i], after = i + 1 < count ? out[i + 1] : 0;
        for (int k = 1; k <= reach; k++)
            out[i] |= here << k | before >> (64 - k) | here >> k | after << (64 - k);
        before = here;
    }
    if (rest > 0)
        out[count - 1] &= ((uint64_t)1 << rest) - 1;
}
