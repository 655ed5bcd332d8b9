/* Bands of a picture of up to 31 rows: they are its rows, once each, and fit the memory that is asked for. cbmc: --unwind 2 */
#include "proofs/proof.h"

#include "backend/bands.c"

void prove_bands_are_the_picture(void)
{
    uint8_t height, count, reach, i;
    satb_edge edge;
    GIVEN(height > 0 && count > 0 && height < 32 && reach < 32 && count <= height && i < count);
    const satb_bands bands = {.height = height, .reach = reach, .edge = edge, .count = count};
    const satb_band b = satb_band_at(&bands, i);
    HOLDS(b.first < b.last && (i > 0 || b.first == 0));
    HOLDS(b.last == (i + 1 < count ? satb_band_at(&bands, i + 1).first : height));
    HOLDS(b.begin <= b.first && b.end >= b.last);
    HOLDS(b.end - b.begin <= most_rows(&bands, count));
    if (edge == SATB_EDGE_SHRINK)
        HOLDS(b.begin >= 0 && b.end <= height);
}
