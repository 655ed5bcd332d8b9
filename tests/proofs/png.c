/* A chunk of any file at any place: it lies within, and the walk moves on. cbmc: --unwind 9 */
#include "proofs/proof.h"

#include "format/png_chunk.c"

uint32_t libdeflate_crc32(uint32_t crc, const void *data, size_t size)
{
    HOLDS(__CPROVER_r_ok(data, size));
    return crc;
}

void prove_chunk_lies_within(void)
{
    const bytes file = any_bytes(ANY_SIZE);
    size_t at;
    png_chunk c;
    GIVEN(at <= file.size);
    const size_t before = at;
    if (!png_next_chunk(file, &at, &c)) {
        HOLDS(at == before);
        return;
    }
    HOLDS(at > before && at <= file.size && c.whole.size == at - before);
    HOLDS(lies_in(c.whole, file) && lies_in(c.data, c.whole));
    HOLDS(__CPROVER_r_ok(c.type, 4));
    (void)png_chunk_is(&c, "IDAT");
    (void)png_chunk_is_sound(&c);
}
