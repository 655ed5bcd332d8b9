/* PNG read: the choice of the reader for a file, and the checks before it. */
#include "codec/codec_format.h"
#include "format/png_chunk.h"

#include <limits.h>

/* Walks the chunks from the signature to the end mark and compares their checksums. libspng checks those that it meets,
 * but stops as soon as it has all rows, and reports damage to the packed rows before their wrong checksum. */
static bool is_intact(bytes in, problem *p)
{
    png_chunk c;
    size_t at = PNG_SIGNATURE;
    while (png_next_chunk(in, &at, &c)) {
        if (!png_chunk_is_sound(&c))
            return problem_set(p, "the PNG is damaged (a checksum is wrong); get a whole copy");
        if (png_chunk_is(&c, "IEND"))
            return true;
    }
    return problem_set(p, "the PNG is cut off; get a whole copy");
}

/* Reads the sides alone. */
bool png_claim(bytes first, satb_image *shape, problem *p)
{
    png_chunk c;
    size_t at = PNG_SIGNATURE;
    if (!png_next_chunk(first, &at, &c))
        return problem_set(p, "the PNG is cut off; get a whole copy");
    if (!png_chunk_is(&c, "IHDR") || c.data.size < 8)
        return problem_set(p, "the PNG is damaged (no header); get a whole copy");
    *shape = (satb_image){.width = (int)(big_endian_32(c.data.data) & INT_MAX),
                          .height = (int)(big_endian_32(c.data.data + 4) & INT_MAX)};
    return true;
}

/* Deflate packs 1032 bytes of a row into one. */
void png_weigh(bytes in, picture_claim *claim)
{
    static const unsigned samples[] = {1, 1, 3, 1, 2, 1, 4}; /* of a kind of colours */
    enum { BITS = 8, KIND = 9, MOST_KIND = 6, DEFLATED = 1032 };
    png_chunk c;
    size_t at = PNG_SIGNATURE;
    if (!png_next_chunk(in, &at, &c) || c.data.size <= KIND || c.data.data[KIND] > MOST_KIND)
        return;
    const uint64_t bits = c.data.data[BITS] * samples[c.data.data[KIND]];
    claim->unpacked = ((uint64_t)claim->width * bits + 7) / 8 * (uint64_t)claim->height;
    claim->reach = DEFLATED;
}

bool png_probe(bytes in, satb_image *shape, problem *p)
{
    return is_intact(in, p) && spng_probe_png(in, shape, p);
}

const char *png_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    if (settings->choice != CODEC_PLAIN && png_decode_common(in, image))
        return "libdeflate";
    return spng_decode_png(in, image, p) ? "libspng" : NULL;
}
