/* Metadata in WebP: the chunks around the pixels. The encoder writes them. */
#include "metadata/metadata.h"

#include <string.h>
#include <webp/decode.h>
#include <webp/mux.h>

static bytes find_chunk(const WebPMux *mux, const char *name)
{
    WebPData data;
    const bool found = WebPMuxGetChunk(mux, name, &data) == WEBP_MUX_OK && data.size > 0;
    return found ? (bytes){.data = data.bytes, .size = data.size} : (bytes){.data = NULL};
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
    const WebPData data = {file.data, file.size};
    m->is_lossless =
        WebPGetFeatures(file.data, file.size, &f) == VP8_STATUS_OK && f.format == LOSSLESS;
    WebPMux *const mux = WebPMuxCreate(&data, 0);
    if (!mux) {
        metadata_lose(m, "metadata", "damaged");
        return;
    }
    const bytes icc = find_chunk(mux, "ICCP"), exif = find_chunk(mux, "EXIF"),
                xmp = find_chunk(mux, "XMP ");
    if (icc.data && icc.size > PROFILE_MOST)
        metadata_lose(m, "colour profile", "too large");
    else if (icc.data)
        metadata_take_icc(m, icc, "ICC profile");
    if (exif.data)
        metadata_take_exif(m, without_head(exif));
    if (xmp.data)
        metadata_take_xmp(m, xmp);
    WebPMuxDelete(mux);
}
