/* Metadata of every format: passes on to the format's reader and writer. */
#include "metadata/metadata.h"

#include <satb_config.h>

/* write NULL: the encoder writes it. words: the kinds that are carried from a file of the format to another. takes NULL: every
 * profile is written. */
static const struct {
    void (*read)(metadata *m, bytes file);
    void (*write)(const metadata *m, blob *out);
    const char *words;
    bool (*takes)(bytes profile, int channels);
} formats[] = {
    [METADATA_NONE] = {.words = ""},
    [METADATA_PNG] = {metadata_read_png, metadata_write_png,
                      "ICC, EXIF, XMP, density, texts, chunks of colours"},
    [METADATA_JPEG] = {metadata_read_jpeg, metadata_write_jpeg,
                       "ICC, EXIF, XMP, density, comments, IPTC"},
#if SATB_HAVE_TIFF
    [METADATA_TIFF] = {metadata_read_tiff, NULL, "ICC, EXIF, XMP, density"},
#endif
#if SATB_HAVE_WEBP
    [METADATA_WEBP] = {metadata_read_webp, NULL, "ICC, EXIF, XMP"},
#endif
#if SATB_HAVE_HEIF
    [METADATA_HEIF] = {metadata_read_heif, NULL, "ICC, EXIF, XMP"},
#endif
#if SATB_HAVE_JXL
    [METADATA_JXL] = {metadata_read_jxl, NULL, "ICC, EXIF, XMP", metadata_jxl_takes},
#endif
#if SATB_HAVE_OPENEXR
    [METADATA_EXR] = {metadata_read_exr, NULL, "attributes, to EXR alone"},
#endif
};

void metadata_read(metadata *m, metadata_format from, bytes file)
{
    m->from = from;
    if (formats[from].read)
        formats[from].read(m, file);
    if (m->standard || m->icc.data || words_have(&m->own_words, "cICP"))
        m->gamma = 0;
}

bool metadata_is_spliced(metadata_format to)
{
    return formats[to].write != NULL;
}

bool metadata_write(const metadata *m, metadata_format to, blob *out)
{
    if (formats[to].write)
        formats[to].write(m, out);
    const bool good = !out->failed;
    if (!good)
        blob_free(out);
    return good;
}

const char *metadata_words(metadata_format of)
{
    return formats[of].words;
}

bool metadata_takes_profile(metadata_format to, bytes profile, int channels)
{
    return !formats[to].takes || formats[to].takes(profile, channels);
}

bool metadata_is_empty(const metadata *m)
{
    return !m->own.data && !m->icc.data && !m->exif.data && !m->xmp.data &&
           m->density.unit == DENSITY_NONE;
}

void metadata_free(metadata *m)
{
    blob_free(&m->icc);
    blob_free(&m->exif);
    blob_free(&m->xmp);
    blob_free(&m->own);
    *m = (metadata){0};
}
