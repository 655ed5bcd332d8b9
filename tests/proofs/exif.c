/* Numbers and directories of any TIFF, and entries of any of up to 32 bytes, lie within it. cbmc: --unwind 9 */
#include "proofs/proof.h"

#include "format/exif.c"

void prove_number_is_read_within(void)
{
    const bytes tiff = any_bytes(ANY_SIZE);
    size_t at;
    int size;
    GIVEN(size == 2 || size == 4);
    const uint32_t value = exif_number(tiff, at, size);
    HOLDS(size == 4 || value <= 0xffff);
}

void prove_entry_lies_within(void)
{
    const bytes tiff = any_bytes(32);
    uint32_t directory, i;
    exif_entry e;
    GIVEN(i <= 1);
    if (!exif_read_entry(tiff, directory, i, &e))
        return;
    HOLDS(e.at + EXIF_ENTRY_SIZE <= tiff.size);
    HOLDS(lies_in((bytes){.data = tiff.data + e.values, .size = e.size}, tiff));
}

void prove_directory_lies_within(void)
{
    const bytes tiff = any_bytes(ANY_SIZE);
    if (exif_is_sound(tiff))
        HOLDS(exif_link(tiff, exif_number(tiff, 4, 4)) <= tiff.size);
}
