/* Writes TIFF by libtiff. */
#include "codec/codec_format.h"
#include "format/exif.h"
#include "format/exif_copy.h"
#include "format/tiff_file.h"
#include "image/half.h"
#include "image/shape.h"

#include <stdlib.h>

enum { STRIP = 1 << 18 }; /* bytes of a strip, at least a row */

typedef struct writer {
    const satb_image *image;
    size_t row_size; /* in the file, where halves are floats */
    int rows;        /* of a strip */
    int level;       /* of compression */
} writer;

/* --- Tags ------------------------------------------------------------------------------------- */

static void set_shape(TIFF *tiff, const writer *w)
{
    const satb_image *const image = w->image;
    const uint16_t alpha = image->half ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
    int packer = DEFLATE_SUBCODEC_ZLIB;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)image->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)image->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, image->half ? 32 : image->bits);
    if (image->half)
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, image->channels);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC,
                 image->channels < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, (uint32_t)w->rows);
    if (image->channels % 2 == 0)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION,
                 w->level > 0 ? COMPRESSION_ADOBE_DEFLATE : COMPRESSION_NONE);
    if (w->level == 0)
        return;
    TIFFGetField(tiff, TIFFTAG_DEFLATE_SUBCODEC, &packer);
    TIFFSetField(tiff, TIFFTAG_ZIPQUALITY,
                 packer == DEFLATE_SUBCODEC_ZLIB && w->level > 9 ? 9 : w->level); /* zlib's most */
    TIFFSetField(tiff, TIFFTAG_PREDICTOR,
                 image->half ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
}

static void set_density(TIFF *tiff, const density *d)
{
    const double part = d->unit == DENSITY_METRE ? 100 : 1;
    if (d->unit == DENSITY_NONE)
        return;
    TIFFSetField(tiff, TIFFTAG_XRESOLUTION, d->x / part);
    TIFFSetField(tiff, TIFFTAG_YRESOLUTION, d->y / part);
    TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT,
                 d->unit == DENSITY_RATIO  ? RESUNIT_NONE
                 : d->unit == DENSITY_INCH ? RESUNIT_INCH
                                           : RESUNIT_CENTIMETER);
}

static void set_texts(TIFF *tiff, bytes exif)
{
    static const uint32_t tags[] = {TIFFTAG_IMAGEDESCRIPTION, TIFFTAG_MAKE,     TIFFTAG_MODEL,
                                    TIFFTAG_SOFTWARE,         TIFFTAG_DATETIME, TIFFTAG_ARTIST,
                                    TIFFTAG_COPYRIGHT};
    char text[4096];
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (exif_text(exif, tags[i], text, sizeof text))
            TIFFSetField(tiff, tags[i], text);
}

/* The directories of EXIF stand behind the file's head, before the strips. */
static bool set_metadata(tiff_file *f, const metadata *m)
{
    const bytes exif = blob_view(&m->exif);
    const uint32_t more = exif_copy_directory(exif, EXIF_DIRECTORY, &f->out);
    const uint32_t gps = exif_copy_directory(exif, EXIF_GPS_DIRECTORY, &f->out);
    if (more != 0)
        TIFFSetField(f->tiff, TIFFTAG_EXIFIFD, (uint64_t)more);
    if (gps != 0)
        TIFFSetField(f->tiff, TIFFTAG_GPSIFD, (uint64_t)gps);
    if (m->icc.data)
        TIFFSetField(f->tiff, TIFFTAG_ICCPROFILE, (uint32_t)m->icc.size, m->icc.data);
    if (m->xmp.data)
        TIFFSetField(f->tiff, TIFFTAG_XMLPACKET, (uint32_t)m->xmp.size, m->xmp.data);
    if (exif_orientation(exif) != 1)
        TIFFSetField(f->tiff, TIFFTAG_ORIENTATION, exif_orientation(exif));
    set_texts(f->tiff, exif);
    set_density(f->tiff, &m->density);
    return !f->out.failed;
}

/* --- The file --------------------------------------------------------------------------------- */

/* Returns whether the file may be too large for offsets of 32 bits. */
static bool is_big(const writer *w, const metadata *m)
{
    enum { BESIDE = 1 << 20 };
    const size_t beside = BESIDE + (m ? m->icc.size + m->xmp.size + m->exif.size : 0);
    return (uint64_t)w->row_size * (uint64_t)w->image->height > UINT32_MAX - beside;
}

/* Returns the samples of a strip: the picture's own, or its half floats as `floats`. */
static void *find_samples(const writer *w, size_t first, size_t count, float *floats)
{
    uint8_t *const data = w->image->data;
    const uint16_t *const halves = w->image->data;
    if (!w->image->half)
        return data + first;
    for (size_t i = 0; i < count / sizeof *floats; i++)
        floats[i] = half_to_float(halves[first / sizeof *floats + i]);
    return floats;
}

static bool put_strips(const writer *w, TIFF *tiff)
{
    const size_t strip = (size_t)w->rows * w->row_size,
                 all = (size_t)w->image->height * w->row_size;
    float *const floats = malloc(w->image->half ? strip : 1);
    bool done = floats != NULL;
    for (size_t at = 0; at < all && done; at += strip) {
        const size_t size = all - at < strip ? all - at : strip;
        done =
            TIFFWriteEncodedStrip(tiff, (uint32_t)(at / strip), find_samples(w, at, size, floats),
                                  (tmsize_t)size) == (tmsize_t)size;
    }
    free(floats);
    return done;
}

static bool write_file(const writer *w, const metadata *m, sink *to)
{
    tiff_file f;
    bool done = tiff_create(&f, is_big(w, m));
    if (done) {
        set_shape(f.tiff, w);
        done = (!m || set_metadata(&f, m)) && put_strips(w, f.tiff) && TIFFFlush(f.tiff) == 1;
    }
    tiff_close(&f);
    done = done && !f.out.failed && f.error[0] == '\0';
    if (done)
        sink_put(to, f.out.data, f.out.size);
    blob_free(&f.out);
    return done;
}

const char *tiff_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p)
{
    const size_t row_size =
        picture_bytes(image) / (size_t)image->height * (image->half ? 2 : 1); /* floats */
    const size_t fitting = STRIP / row_size;
    const int rows = fitting < 1                       ? 1
                     : fitting > (size_t)image->height ? image->height
                                                       : (int)fitting;
    const writer w = {image, row_size, rows, settings->compression};
    const bool done =
        write_file(&w, settings->meta, to) || problem_set(p, "not enough memory to write the TIFF");
    return done ? "libtiff" : NULL;
}
