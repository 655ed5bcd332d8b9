/* Metadata of every format: passes on to the format's reader and writer. */
#include "metadata/metadata.h"

#include <satb_config.h>

void metadata_read(metadata *m, metadata_format from, bytes file)
{
    m->from = from;
    if (from == METADATA_PNG)
        metadata_read_png(m, file);
    else if (from == METADATA_JPEG)
        metadata_read_jpeg(m, file);
#if SATB_HAVE_TIFF
    else if (from == METADATA_TIFF)
        metadata_read_tiff(m, file);
#endif
#if SATB_HAVE_WEBP
    else if (from == METADATA_WEBP)
        metadata_read_webp(m, file);
#endif
#if SATB_HAVE_OPENEXR
    else if (from == METADATA_EXR)
        metadata_read_exr(m, file);
#endif
#if SATB_HAVE_HEIF
    else if (from == METADATA_HEIF)
        metadata_read_heif(m, file);
#endif
    if (m->standard || m->icc.data || words_have(&m->own_words, "cICP"))
        m->gamma = 0;
}

bool metadata_is_spliced(metadata_format to)
{
    return to == METADATA_PNG || to == METADATA_JPEG;
}

bool metadata_write(const metadata *m, metadata_format to, blob *out)
{
    if (to == METADATA_PNG)
        metadata_write_png(m, out);
    else if (to == METADATA_JPEG)
        metadata_write_jpeg(m, out);
    const bool good = !out->failed;
    if (!good)
        blob_free(out);
    return good;
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
