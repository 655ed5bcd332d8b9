/* Fits metadata to the output's format. */
#include "metadata/metadata.h"

#include "format/exif.h"

#include <stdio.h>
#include <string.h>

static void leave_out(metadata *m, blob *what, const char *why)
{
    if (what->data)
        words_add(&m->lost, why);
    blob_free(what);
}

void metadata_lose_profile(metadata *m)
{
    leave_out(m, &m->icc, "colour profile (samples are converted)");
}

static void fit_icc(metadata *m, metadata_format to, int channels)
{
    char why[40];
    if (!m->icc.data)
        return;
    if (memcmp(m->icc.data + 16, channels < 3 ? "GRAY" : "RGB ", 4) == 0) {
        if (!metadata_takes_profile(to, blob_view(&m->icc), channels))
            leave_out(m, &m->icc, "colour profile (its library does not understand it)");
        return;
    }
    snprintf(why, sizeof why, "colour profile (for %.4s)", (const char *)m->icc.data + 16);
    leave_out(m, &m->icc, why);
}

/* Removes what only the input's format can hold. gAMA and cHRM are not listed as lost where sRGB or a profile is there, too:
 * a picture without a word on its colours is taken as sRGB. */
static void fit_own(metadata *m)
{
    if (!m->standard && !m->icc.data)
        words_add(&m->lost, m->curve.text);
    leave_out(m, &m->own, m->own_words.text);
}

static void lose_density(metadata *m)
{
    if (m->density.unit != DENSITY_NONE)
        words_add(&m->lost, "pixel density");
    m->density = (density){0};
}

/* Pixels per inch from pixels per metre, and back: an inch is 0.0254 m. */
static uint32_t per_inch(uint32_t per_metre)
{
    return (uint32_t)(((uint64_t)per_metre * 254 + 5000) / 10000);
}

static uint32_t per_metre(uint32_t per_inch)
{
    return (uint32_t)(((uint64_t)per_inch * 10000 + 127) / 254);
}

/* A JPEG counts whole pixels per inch or cm, in 16 bits; a PNG counts them per metre. A TIFF has fractions of any unit. */
static void fit_density(metadata *m, metadata_format to)
{
    const density d = m->density;
    if (to == METADATA_PNG && d.unit == DENSITY_INCH)
        m->density = (density){per_metre(d.x), per_metre(d.y), DENSITY_METRE};
    else if (to == METADATA_PNG && d.unit == DENSITY_CM)
        m->density = (density){d.x * 100, d.y * 100, DENSITY_METRE};
    else if (to == METADATA_JPEG && d.unit == DENSITY_METRE && d.x % 100 == 0 && d.y % 100 == 0)
        m->density = (density){d.x / 100, d.y / 100, DENSITY_CM};
    else if (to == METADATA_JPEG && d.unit == DENSITY_METRE)
        m->density = (density){per_inch(d.x), per_inch(d.y), DENSITY_INCH};
    if (to == METADATA_HEIF || to == METADATA_JXL) /* which have no place for it but EXIF */
        lose_density(m);
    if (to == METADATA_JPEG &&
        (m->density.x > 65535 || m->density.y > 65535 || m->density.x == 0 || m->density.y == 0))
        lose_density(m);
}

static void fit_jpeg(metadata *m)
{
    if (m->icc.size > JPEG_ICC_MOST)
        leave_out(m, &m->icc, "colour profile (too large for JPEG)");
    if (m->exif.size > JPEG_EXIF_MOST)
        leave_out(m, &m->exif, "EXIF (too large for JPEG)");
    if (m->xmp.size > JPEG_XMP_MOST)
        leave_out(m, &m->xmp, "XMP (too large for JPEG)");
}

static void fit_none(metadata *m)
{
    leave_out(m, &m->icc, "colour profile");
    leave_out(m, &m->exif, "EXIF");
    leave_out(m, &m->xmp, "XMP");
    lose_density(m);
}

/* XMP may repeat the orientation, as tiff:Orientation="6" or as an element. */
static void set_xmp_upright(blob *xmp)
{
    static const char name[] = "tiff:Orientation";
    const size_t length = sizeof name - 1;
    for (size_t i = 0; i + length + 3 <= xmp->size; i++) {
        if (memcmp(xmp->data + i, name, length) != 0)
            continue;
        uint8_t *at = xmp->data + i + length;
        at += at[0] == '=' ? 2 : 1;
        if (at[-1] != '/' && at[0] >= '2' && at[0] <= '8')
            at[0] = '1';
    }
}

void metadata_set_upright(metadata *m)
{
    exif_set_upright(&m->exif);
    set_xmp_upright(&m->xmp);
}

static void set_upright(metadata *m, int orientation)
{
    metadata_set_upright(m);
    if (orientation >= 5) {
        const uint32_t x = m->density.x;
        m->density.x = m->density.y;
        m->density.y = x;
    }
}

/* Many programs that heed a JPEG's orientation look for none in a PNG, where a picture from a JPEG would lie on its side. So
 * only a PNG from a PNG keeps one. */
int metadata_fit(metadata *m, metadata_format to, int channels)
{
    const int orientation = exif_orientation(blob_view(&m->exif));
    fit_icc(m, to, channels);
    if (to == METADATA_NONE || to == METADATA_EXR)
        fit_none(m);
    else if (to == METADATA_JPEG)
        fit_jpeg(m);
    else if (to == METADATA_WEBP)
        lose_density(m);
    if (to != m->from)
        fit_own(m);
    fit_density(m, to);
    if (orientation == 1 || (m->exif.data && (to == m->from || to == METADATA_JPEG)))
        return 1;
    if (m->exif.data)
        set_upright(m, orientation);
    return orientation;
}
