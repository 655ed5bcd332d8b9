/* Metadata in JPEG: the segments before the pixels. */
#include "metadata/metadata.h"

#include "format/jpeg_segment.h"
#include "format/jpeg_xmp.h"
#include "format/xmp.h"

#include <stdio.h>
#include <string.h>

#define EXIF_HEAD "Exif\0"
#define ICC_HEAD  "ICC_PROFILE"

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct profile { /* in parts: number 1 to count, in any order (ICC.1, B.4) */
    bytes parts[256];
    int count;
    bool damaged;
} profile;

static void keep(metadata *m, int marker, bytes segment, const char *word)
{
    if (segment.size + 4 > METADATA_MOST - m->own.size) {
        metadata_lose(m, word, "too large");
        return;
    }
    blob_add_number(&m->own, 0xff00u | (uint32_t)marker, 2);
    blob_add_number(&m->own, (uint32_t)segment.size + 2, 2);
    if (blob_add(&m->own, segment.data, segment.size))
        words_add(&m->own_words, word);
    else
        m->out_of_memory = true;
}

/* Keeps Photoshop's segment. A thumbnail in it is a JPEG of the old pixels, and becomes zeros. */
static void keep_photoshop(metadata *m, bytes segment)
{
    const size_t before = m->own.size;
    keep(m, JPEG_APP13, segment, "IPTC and Photoshop's");
    for (size_t at = before, begin; jpeg_find(blob_view(&m->own), &at, &begin);)
        memset(m->own.data + begin, 0, at - begin);
}

static void lose_segment(metadata *m, int marker)
{
    char word[16];
    snprintf(word, sizeof word, "APP%d", marker - JPEG_APP0);
    words_add(&m->lost, word);
}

/* JFIF has its version, the unit and the densities. Its thumbnail and that of JFXX show the old pixels, and are left
 * out. */
static void take_app0(metadata *m, bytes segment)
{
    static const density_unit units[] = {DENSITY_RATIO, DENSITY_INCH, DENSITY_CM};
    if (!jpeg_skip_head(&segment, "JFIF", 5)) {
        if (!jpeg_skip_head(&segment, "JFXX", 5))
            lose_segment(m, JPEG_APP0);
        return;
    }
    if (segment.size < 7 || segment.data[2] > 2)
        return;
    const density d = {.x = big_endian_16(segment.data + 3),
                       .y = big_endian_16(segment.data + 5),
                       .unit = units[segment.data[2]]};
    if (d.x > 0 && d.y > 0 && (d.unit != DENSITY_RATIO || d.x != d.y))
        m->density = d;
}

/* Returns whether extended XMP has a JPEG: phones store the sharp picture there. Its segments are
 * parts of one text with a checksum, so they are kept all or none. */
static bool has_extended_jpeg(bytes file)
{
    jpeg_segment s;
    size_t at = JPEG_FIRST;
    bool has_jpeg = false;
    while (!has_jpeg && jpeg_next_segment(file, &at, &s) && s.marker != JPEG_SOS) {
        bytes rest = s.data;
        size_t found = 0;
        has_jpeg = s.marker == JPEG_APP1 &&
                   jpeg_skip_head(&rest, JPEG_XMP_MORE_HEAD, sizeof JPEG_XMP_MORE_HEAD) &&
                   xmp_find_jpeg(rest, &found);
    }
    return has_jpeg;
}

/* Returns whether extended XMP has a depth map, or the list of files behind the JPEG's end. */
static bool has_extended_depth(metadata *m, bytes file)
{
    jpeg_xmp x;
    jpeg_xmp_read(file, &x);
    m->out_of_memory = m->out_of_memory || x.out_of_memory;
    const bool has_depth = x.extended.data && xmp_blank_depth(&x.extended);
    jpeg_xmp_free(&x);
    return has_depth;
}

static void take_app1(metadata *m, bytes segment, bool keeps_extended)
{
    bytes rest = segment;
    if (jpeg_skip_head(&rest, EXIF_HEAD, sizeof EXIF_HEAD))
        metadata_take_exif(m, rest);
    else if (jpeg_skip_head(&rest, JPEG_XMP_HEAD, sizeof JPEG_XMP_HEAD))
        metadata_take_xmp(m, rest);
    else if (!jpeg_skip_head(&rest, JPEG_XMP_MORE_HEAD, sizeof JPEG_XMP_MORE_HEAD))
        lose_segment(m, JPEG_APP1);
    else if (keeps_extended)
        keep(m, JPEG_APP1, segment, "extended XMP");
    else
        words_add(&m->lost, "extended XMP (with a picture)");
}

static void take_part(profile *icc, bytes part)
{
    const int number = part.size < 2 ? 0 : part.data[0], count = part.size < 2 ? 0 : part.data[1];
    if (number < 1 || number > count || (icc->count && icc->count != count) ||
        icc->parts[number].data) {
        icc->damaged = true;
        return;
    }
    icc->count = count;
    icc->parts[number] = (bytes){.data = part.data + 2, .size = part.size - 2};
}

static void take_app2(metadata *m, profile *icc, bytes segment)
{
    if (jpeg_skip_head(&segment, ICC_HEAD, sizeof ICC_HEAD))
        take_part(icc, segment);
    else if (jpeg_skip_head(&segment, "MPF", 4))
        words_add(&m->lost, "further pictures (MPF)");
    else
        lose_segment(m, JPEG_APP2);
}

static void join_profile(metadata *m, profile *icc)
{
    blob whole = {0};
    for (int i = 1; i <= icc->count; i++) {
        icc->damaged = icc->damaged || !icc->parts[i].data;
        blob_add(&whole, icc->parts[i].data, icc->parts[i].size);
    }
    m->out_of_memory = m->out_of_memory || whole.failed;
    if (icc->damaged)
        metadata_lose(m, "colour profile", "damaged");
    else if (icc->count)
        metadata_take_icc(m, blob_view(&whole), "ICC profile");
    blob_free(&whole);
}

static void take_metadata(metadata *m, profile *icc, int marker, bytes segment, bool keeps_extended)
{
    bytes rest = segment;
    switch (marker) {
    case JPEG_APP0: take_app0(m, segment); break;
    case JPEG_APP1: take_app1(m, segment, keeps_extended); break;
    case JPEG_APP2: take_app2(m, icc, segment); break;
    case JPEG_APP14: break; /* Adobe's: the kind of the input's colours */
    case JPEG_COM: keep(m, marker, segment, "comment"); break;
    case JPEG_APP13:
        if (jpeg_skip_head(&rest, "Photoshop 3.0", 14)) {
            keep_photoshop(m, segment);
            break;
        }
        /* fallthrough */
    default:
        if (marker >= JPEG_APP0 && marker <= JPEG_APP0 + 15)
            lose_segment(m, marker);
    }
}

/* Returns whether the file ends with its end mark, or with zeros behind it, which editors add.
 * Cameras add videos and pictures. */
static bool ends(bytes file)
{
    while (file.size > 2 && file.data[file.size - 1] == 0)
        file.size--;
    return file.size >= 2 && memcmp(file.data + file.size - 2, "\xff\xd9", 2) == 0;
}

void metadata_read_jpeg(metadata *m, bytes file)
{
    profile icc = {.count = 0};
    jpeg_segment segment;
    size_t at = JPEG_FIRST;
    const bool keeps_extended = !has_extended_jpeg(file) && !has_extended_depth(m, file);
    while (jpeg_next_segment(file, &at, &segment) && segment.marker != JPEG_SOS)
        take_metadata(m, &icc, segment.marker, segment.data, keeps_extended);
    join_profile(m, &icc);
    if (!keeps_extended)
        xmp_blank_extension(&m->xmp);
    if (!ends(file))
        words_add(&m->lost, "what follows its end");
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void begin_segment(blob *out, int marker, size_t size)
{
    blob_add_number(out, 0xff00u | (uint32_t)marker, 2);
    blob_add_number(out, (uint32_t)size + 2, 2);
}

static void write_segment(blob *out, const char *head, size_t head_size, const blob *data)
{
    begin_segment(out, JPEG_APP1, head_size + data->size);
    blob_add(out, head, head_size);
    blob_add(out, data->data, data->size);
}

static void write_start(const density *d, blob *out)
{
    const bool known = d->unit != DENSITY_NONE;
    blob_add(out, "\xff\xd8", 2);
    begin_segment(out, JPEG_APP0, 14);
    blob_add(out, "JFIF\0\x01\x01", 7);
    blob_add_number(out, d->unit == DENSITY_INCH ? 1 : d->unit == DENSITY_CM ? 2 : 0, 1);
    blob_add_number(out, known ? d->x : 1, 2);
    blob_add_number(out, known ? d->y : 1, 2);
    blob_add_number(out, 0, 2); /* no thumbnail */
}

static void write_profile(const blob *icc, blob *out)
{
    enum { PART = 65533 - 14 };
    const size_t count = (icc->size + PART - 1) / PART;
    for (size_t i = 0; i < count; i++) {
        const size_t left = icc->size - i * PART, size = left < PART ? left : PART;
        begin_segment(out, JPEG_APP2, sizeof ICC_HEAD + 2 + size);
        blob_add(out, ICC_HEAD, sizeof ICC_HEAD);
        blob_add_number(out, (uint32_t)i + 1, 1);
        blob_add_number(out, (uint32_t)count, 1);
        blob_add(out, icc->data + i * PART, size);
    }
}

void metadata_write_jpeg(const metadata *m, blob *out)
{
    write_start(&m->density, out);
    if (m->exif.data)
        write_segment(out, EXIF_HEAD, sizeof EXIF_HEAD, &m->exif);
    if (m->xmp.data)
        write_segment(out, JPEG_XMP_HEAD, sizeof JPEG_XMP_HEAD, &m->xmp);
    blob_add(out, m->own.data, m->own.size);
    if (m->icc.data)
        write_profile(&m->icc, out);
}
