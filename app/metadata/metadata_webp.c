/* Metadata in WebP: the chunks around the pixels. The encoder writes them. */
#include "metadata/metadata.h"

#include <string.h>
#include <webp/decode.h>

/* A chunk has a name, its size with the low byte first, and its data, padded to an even number (WebP's container, RIFF file
 * format). The library's reader would not tell damage from a lack of memory. */
static bytes find_chunk(bytes file, const char *name)
{
    enum { FIRST = 12, HEAD = 8 };
    for (size_t at = FIRST; at < file.size && file.size - at >= HEAD;) {
        const uint8_t *const head = file.data + at;
        const size_t size =
            (size_t)head[4] | (size_t)head[5] << 8 | (size_t)head[6] << 16 | (size_t)head[7] << 24;
        const size_t left = file.size - at - HEAD;
        if (size > left)
            break;
        if (memcmp(head, name, 4) == 0 && size > 0)
            return (bytes){.data = head + HEAD, .size = size};
        at += HEAD + size + size % 2;
    }
    return (bytes){.data = NULL};
}

/* Some programs put the head of a JPEG's segment before EXIF. */
static bytes without_head(bytes exif)
{
    static const char head[] = "Exif\0";
    if (exif.size < sizeof head || memcmp(exif.data, head, sizeof head) != 0)
        return exif;
    return (bytes){.data = exif.data + sizeof head, .size = exif.size - sizeof head};
}

void metadata_read_webp(metadata *m, bytes file)
{
    enum { LOSSLESS = 2 };
    WebPBitstreamFeatures f;
    m->is_lossless =
        WebPGetFeatures(file.data, file.size, &f) == VP8_STATUS_OK && f.format == LOSSLESS;
    const bytes icc = find_chunk(file, "ICCP"), exif = find_chunk(file, "EXIF"),
                xmp = find_chunk(file, "XMP ");
    if (icc.data && icc.size > PROFILE_MOST)
        metadata_lose(m, "colour profile", "too large");
    else if (icc.data)
        metadata_take_icc(m, icc, "ICC profile");
    if (exif.data)
        metadata_take_exif(m, without_head(exif));
    if (xmp.data)
        metadata_take_xmp(m, xmp);
}
