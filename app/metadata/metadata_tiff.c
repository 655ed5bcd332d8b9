/* Metadata in TIFF: tags of the first picture. The encoder writes them. */
#include "metadata/metadata.h"

#include "format/exif.h"
#include "format/exif_copy.h"
#include "format/tiff_file.h"

#include <math.h>

#define DENSITY_MOST (INT32_MAX / 100)

/* Takes numbers that the writers of other formats can hold, also a hundred times as large. What rounds to less than a pixel in
 * the unit, or has no end, is none. */
static void take_density(metadata *m, TIFF *tiff)
{
    uint16_t unit = RESUNIT_INCH;
    float x = 0, y = 0;
    if (!TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) ||
        !TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) || !(x > 0 && y > 0))
        return;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_RESOLUTIONUNIT, &unit);
    const bool is_whole = x == floorf(x) && y == floorf(y);
    const bool in_metres = unit != RESUNIT_NONE && !is_whole;
    const double scale = !in_metres ? 1 : unit == RESUNIT_CENTIMETER ? 100 : 1 / 0.0254;
    const double across = round(x * scale), down = round(y * scale);
    if (unit == RESUNIT_NONE && (!is_whole || x == y))
        return;
    if (!(across >= 1 && down >= 1 && across < DENSITY_MOST && down < DENSITY_MOST)) {
        metadata_lose(m, "pixel density", "out of range");
        return;
    }
    m->density = (density){(uint32_t)across, (uint32_t)down,
                           in_metres                    ? DENSITY_METRE
                           : unit == RESUNIT_NONE       ? DENSITY_RATIO
                           : unit == RESUNIT_CENTIMETER ? DENSITY_CM
                                                        : DENSITY_INCH};
}

static void take_exif(metadata *m, bytes file)
{
    blob exif = {0};
    exif_gather(file, &exif);
    m->out_of_memory = m->out_of_memory || exif.failed;
    if (exif.data && !exif.failed)
        metadata_take_exif(m, blob_view(&exif));
    blob_free(&exif);
}

/* EXIF of a BigTIFF, whose offsets have 8 bytes, is not carried but for the orientation. */
static void take_orientation(metadata *m, TIFF *tiff)
{
    uint16_t orientation = ORIENTATION_TOPLEFT;
    uint64_t directory;
    if (TIFFGetField(tiff, TIFFTAG_EXIFIFD, &directory))
        metadata_lose(m, "EXIF", "of a BigTIFF");
    if (!TIFFGetField(tiff, TIFFTAG_ORIENTATION, &orientation) || orientation < 2 ||
        orientation > 8)
        return;
    const uint8_t exif[] = {
        'I', 'I', '*', 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, (uint8_t)orientation,
        0,   0,   0,   0, 0, 0, 0};
    metadata_take_exif(m, (bytes){.data = exif, .size = sizeof exif});
}

static void lose_others(metadata *m, TIFF *tiff)
{
    static const struct {
        uint32_t tag;
        const char *word;
    } others[] = {{TIFFTAG_RICHTIFFIPTC, "IPTC"},
                  {TIFFTAG_PHOTOSHOP, "Photoshop's block"},
                  {TIFFTAG_IMAGESOURCEDATA, "Photoshop's layers"}};
    uint32_t count;
    const void *data;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (TIFFGetField(tiff, others[i].tag, &count, &data))
            words_add(&m->lost, others[i].word);
}

void metadata_read_tiff(metadata *m, bytes file)
{
    tiff_file f;
    uint32_t size;
    const void *data;
    if (!tiff_open(&f, file, METADATA_MOST)) { /* the decoder has opened it before */
        m->out_of_memory = true;
        return;
    }
    if (TIFFGetField(f.tiff, TIFFTAG_ICCPROFILE, &size, &data))
        metadata_take_icc(m, (bytes){.data = data, .size = size}, "ICC profile");
    if (TIFFGetField(f.tiff, TIFFTAG_XMLPACKET, &size, &data) && size > 0)
        metadata_take_xmp(m, (bytes){.data = data, .size = size});
    take_density(m, f.tiff);
    lose_others(m, f.tiff);
    if (exif_is_sound(file))
        take_exif(m, file);
    else
        take_orientation(m, f.tiff);
    tiff_close(&f);
}
