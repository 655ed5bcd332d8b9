/* Writes TIFF: strips, packed or not, and libtiff's directory behind them. */
#include "codec/codec_format.h"
#include "codec/pieces.h"
#include "format/exif.h"
#include "format/exif_copy.h"
#include "format/tiff_file.h"
#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdlib.h>
#include <string.h>

enum { STRIP = 1 << 18 }; /* bytes of a strip, at least a row */

typedef struct writer {
    const satb_image *image;
    size_t row_size;
    int rows, count; /* of a strip; strips */
    int level;       /* of libdeflate; 0: not packed */
    piece *strips;   /* NULL: not packed */
} writer;

/* Returns the bits of a half float of a row as those of a float. */
static uint32_t float_bits(const writer *w, int y, size_t at)
{
    const satb_image *const image = w->image;
    const float number =
        half_to_float(((const uint16_t *)image->data)[(size_t)y * (w->row_size / 4) + at]);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* Writes a row's samples in little-endian order, each less the one of the pixel before (TIFF 6.0, section 14). */
static void subtract_row(const writer *w, int y, uint8_t *to)
{
    const uint8_t *const row = (const uint8_t *)w->image->data + (size_t)y * w->row_size;
    const uint16_t *const wide = (const void *)row;
    const size_t step = (size_t)w->image->channels;
    if (w->image->bits == 8) {
        memcpy(to, row, step);
        for (size_t i = step; i < w->row_size; i++)
            to[i] = (uint8_t)(row[i] - row[i - step]);
        return;
    }
    for (size_t i = 0; i < w->row_size / 2; i++) {
        const unsigned less = i < step ? 0 : wide[i - step], value = (unsigned)wide[i] - less;
        to[2 * i] = (uint8_t)value;
        to[2 * i + 1] = (uint8_t)(value >> 8);
    }
}

/* Writes a row's samples of 16 bits in little-endian order. */
static void copy_row(const writer *w, int y, uint8_t *to)
{
    const uint16_t *const row =
        (const void *)((const uint8_t *)w->image->data + (size_t)y * w->row_size);
    for (size_t i = 0; i < w->row_size / 2; i++) {
        to[2 * i] = (uint8_t)row[i];
        to[2 * i + 1] = (uint8_t)(row[i] >> 8);
    }
}

/* Writes a row's floats in four planes of bytes, the high ones first, each byte less that of the pixel before (predictor
 * 3). */
static void spread_row(const writer *w, int y, uint8_t *to)
{
    const size_t count = w->row_size / 4, step = (size_t)w->image->channels;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = float_bits(w, y, i);
        for (size_t b = 0; b < 4; b++)
            to[b * count + i] = (uint8_t)(bits >> (24 - 8 * b));
    }
    for (size_t i = w->row_size - 1; i >= step; i--)
        to[i] = (uint8_t)(to[i] - to[i - step]);
}

/* Writes a row's floats in little-endian order. */
static void copy_floats(const writer *w, int y, uint8_t *to)
{
    for (size_t i = 0; i < w->row_size / 4; i++) {
        const uint32_t bits = float_bits(w, y, i);
        for (int b = 0; b < 4; b++)
            *to++ = (uint8_t)(bits >> 8 * b);
    }
}

static int rows_of(const writer *w, int number)
{
    const int left = w->image->height - number * w->rows;
    return left < w->rows ? left : w->rows;
}

static size_t fill_strip(const void *user, int number, uint8_t *room)
{
    const writer *const w = user;
    const int rows = rows_of(w, number), first = number * w->rows;
    for (int y = 0; y < rows; y++)
        (w->image->half ? spread_row : subtract_row)(w, first + y, room + (size_t)y * w->row_size);
    return (size_t)rows * w->row_size;
}

/* Returns a strip that is not packed: the picture's own bytes, or in `plain` 16 bits or floats in little-endian order. */
static const uint8_t *plain_strip(const writer *w, int number, uint8_t *plain)
{
    const int first = number * w->rows;
    if (w->image->bits == 8)
        return (const uint8_t *)w->image->data + (size_t)first * w->row_size;
    for (int y = 0; y < rows_of(w, number); y++)
        (w->image->half ? copy_floats : copy_row)(w, first + y, plain + (size_t)y * w->row_size);
    return plain;
}

/* Writes a strip; a packed one is freed. */
static bool put_strip(const writer *w, TIFF *tiff, int number, uint8_t *plain)
{
    piece *const packed = w->strips ? &w->strips[number] : NULL;
    const uint8_t *const data = packed ? packed->data : plain_strip(w, number, plain);
    const size_t size = packed ? packed->size : (size_t)rows_of(w, number) * w->row_size;
    const tmsize_t put =
        TIFFWriteRawStrip(tiff, (uint32_t)number, (void *)(uintptr_t)data, (tmsize_t)size);
    if (packed) {
        free(packed->data);
        packed->data = NULL;
    }
    return put == (tmsize_t)size;
}

/* --- Tags ------------------------------------------------------------------------------------- */

static void set_shape(TIFF *tiff, const writer *w)
{
    const satb_image *const image = w->image;
    const uint16_t alpha = image->half ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
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
    if (w->level > 0)
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

/* Offsets of a TIFF have 32 bits. */
static bool is_big(const writer *w, const metadata *m)
{
    enum { BESIDE = 1 << 20 };
    uint64_t size = BESIDE + (m ? m->icc.size + m->xmp.size + m->exif.size : 0);
    for (int i = 0; i < w->count; i++)
        size += w->level > 0 ? w->strips[i].size : (size_t)rows_of(w, i) * w->row_size;
    return size > UINT32_MAX;
}

static bool put_strips(const writer *w, TIFF *tiff)
{
    uint8_t *const plain = w->level > 0 ? NULL : malloc((size_t)w->rows * w->row_size);
    bool done = plain || w->level > 0;
    for (int i = 0; i < w->count && done; i++)
        done = put_strip(w, tiff, i, plain);
    free(plain);
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
    writer w = {.image = image,
                .row_size = row_size,
                .rows = rows,
                .count = (image->height + rows - 1) / rows,
                .level = settings->compression};
    const pieces_source source = {.count = w.count,
                                  .level = w.level,
                                  .most = (size_t)rows * row_size,
                                  .fill = fill_strip,
                                  .user = &w};
    w.strips = w.level > 0 ? pieces_pack(&source, settings->threads) : NULL;
    const bool done = (w.strips || w.level == 0) && write_file(&w, settings->meta, to);
    pieces_free(w.strips, w.count);
    if (!done)
        problem_set(p, "not enough memory to write the TIFF");
    return done ? "libtiff" : NULL;
}
