/* Segments of any JPEG of up to 8 bytes, and tables of any. cbmc: --unwind 18 */
#include "proofs/proof.h"

#include "format/jpeg_segment.c"

void *memchr(const void *in, int c, size_t size)
{
    size_t at;
    HOLDS(__CPROVER_r_ok(in, size));
    GIVEN(at >= size || ((const uint8_t *)in)[at] == c);
    return at < size ? (uint8_t *)in + at : NULL;
}

void prove_segment_lies_within(void)
{
    const bytes file = any_bytes(8);
    size_t at;
    jpeg_segment s;
    GIVEN(at <= file.size);
    const size_t before = at;
    if (!jpeg_next_segment(file, &at, &s)) {
        HOLDS(at <= file.size);
        return;
    }
    HOLDS(at > before && at <= file.size && s.begin >= before && s.begin + 2 <= at);
    HOLDS(lies_in(s.data, file));
}

void prove_table_lies_within(void)
{
    const bytes all = any_bytes(ANY_SIZE);
    bytes rest = all;
    uint8_t head;
    const uint8_t *table;
    size_t symbols;
    if (!jpeg_next_huffman(&rest, &head, &table, &symbols))
        return;
    HOLDS(symbols <= 256 && __CPROVER_r_ok(table, 16 + symbols));
    HOLDS(lies_in(rest, all) && rest.size == all.size - 17 - symbols);
}
