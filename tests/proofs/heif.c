/* Boxes and numbers of any HEIF file. cbmc: --unwind 9 */
#include "proofs/proof.h"

#include "format/heif/heif_box.c"

void prove_box_lies_within(void)
{
    const bytes file = any_bytes(ANY_SIZE);
    bytes rest = file;
    heif_box b;
    if (!heif_next_box(&rest, &b)) {
        HOLDS(rest.data == file.data && rest.size == file.size);
        return;
    }
    HOLDS(lies_in(b.data, file) && lies_in(rest, file) && rest.size + b.data.size < file.size);
    HOLDS(rest.data + rest.size == file.data + file.size);
}

void prove_number_is_read_within(void)
{
    heif_cursor c = {.rest = any_bytes(ANY_SIZE)};
    const bytes all = c.rest;
    int size;
    GIVEN(size >= 0 && size <= 8);
    const uint64_t value = heif_take(&c, size);
    HOLDS(lies_in(c.rest, all) && c.rest.size + (size_t)size >= all.size);
    HOLDS(c.is_short == (all.size < (size_t)size) && (!c.is_short || value == 0));
    HOLDS(size == 8 || value >> 8 * size == 0);
}
