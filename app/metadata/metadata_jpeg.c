/* Metadata in JPEG: the segments before the pixels. */
#include "metadata/metadata.h"

#include "base/md5.h"
#include "format/beside.h"
#include "format/jpeg_segment.h"
#include "format/jpeg_xmp.h"
#include "format/xmp_add.h"
#include "format/xmp_clean.h"

#include <stdio.h>
#include <string.h>

#define EXIF_HEAD      "Exif\0"
#define ICC_HEAD       "ICC_PROFILE"
#define PHOTOSHOP_HEAD "Photoshop 3.0"

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct profile { /* in parts: number 1 to count, in any order (ICC.1, B.4) */
    bytes parts[256];
    int count;
    bool damaged;
} profile;

typedef struct reader {
    metadata *m;
    profile icc;
    blob photoshop; /* of all its segments: a resource may go on in the next one */
    bytes index;    /* of further pictures; data NULL: there is none */
    bool has_extended;
} reader;

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

enum { SEGMENT_MOST = 65533 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Keeps what the output may have of Photoshop's resources, in as many segments as they need. */
static void keep_photoshop(metadata *m, blob *resources)
{
    static const char word[] = "IPTC and Photoshop's";
    if (!resources->data || !metadata_admit(m, METADATA_BLOCK_PHOTOSHOP, word, resources))
        return;
    for (size_t at = 0, size; at < resources->size; at += size) {
        blob segment = {0};
        size = smaller(resources->size - at, SEGMENT_MOST - sizeof PHOTOSHOP_HEAD);
        blob_add(&segment, PHOTOSHOP_HEAD, sizeof PHOTOSHOP_HEAD);
        m->out_of_memory |= !blob_add(&segment, resources->data + at, size);
        if (!segment.failed)
            keep(m, JPEG_APP13, blob_view(&segment), word);
        blob_free(&segment);
    }
}

/* Returns why the extended packet is left out: it has a checksum, so nothing is taken out of it. NULL: it is kept. "": it is a
 * depth map and no more, as --keep-depth writes it. */
static const char *find_fault(metadata *m, bytes packet)
{
    metadata extended = {.from = METADATA_JPEG};
    if (xmp_is_depth_map(packet))
        return "";
    metadata_take_xmp(&extended, packet);
    m->out_of_memory |= extended.out_of_memory;
    const bool is_same = extended.xmp.size == packet.size && extended.lost.text[0] == '\0';
    const char *const fault = is_same ? NULL
                              : words_have(&extended.lost, "XMP (not understood)")
                                  ? "not understood"
                                  : "with a picture";
    metadata_free(&extended);
    return fault;
}

/* Keeps the extended packet whole, or not at all. */
static void keep_extended(metadata *m, bytes file)
{
    static const char word[] = "extended XMP";
    jpeg_xmp x;
    jpeg_xmp_read(file, &x);
    m->out_of_memory |= x.out_of_memory;
    const char *fault = x.extended.data ? find_fault(m, blob_view(&x.extended)) : "not whole";
    if (!fault && x.extended.size > METADATA_MOST - m->own.size)
        fault = "too large";
    if (!fault) {
        jpeg_xmp_write_extended(x.guid, blob_view(&x.extended), &m->own);
        m->out_of_memory |= m->own.failed;
        words_add(&m->own_words, word);
    } else {
        fault[0] ? metadata_lose(m, word, fault) : words_add(&m->lost, BESIDE_XMP_DEPTH);
        xmp_blank_extension(&m->xmp);
    }
    jpeg_xmp_free(&x);
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

static void take_app1(reader *r, bytes segment)
{
    if (jpeg_skip_head(&segment, EXIF_HEAD, sizeof EXIF_HEAD))
        metadata_take_exif(r->m, segment);
    else if (jpeg_skip_head(&segment, JPEG_XMP_HEAD, sizeof JPEG_XMP_HEAD))
        metadata_take_xmp(r->m, segment);
    else if (jpeg_skip_head(&segment, JPEG_XMP_MORE_HEAD, sizeof JPEG_XMP_MORE_HEAD))
        r->has_extended = true;
    else
        lose_segment(r->m, JPEG_APP1);
}

static void take_app13(reader *r, bytes segment)
{
    if (!jpeg_skip_head(&segment, PHOTOSHOP_HEAD, sizeof PHOTOSHOP_HEAD))
        lose_segment(r->m, JPEG_APP13);
    else if (segment.size > METADATA_MOST - r->photoshop.size)
        metadata_lose(r->m, "IPTC and Photoshop's", "too large");
    else if (!blob_add(&r->photoshop, segment.data, segment.size))
        r->m->out_of_memory = true;
}

static void take_comment(metadata *m, bytes segment)
{
    if (metadata_admit_text(m, "comment", segment))
        keep(m, JPEG_COM, segment, "comment");
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

static void take_app2(reader *r, bytes segment)
{
    if (jpeg_skip_head(&segment, ICC_HEAD, sizeof ICC_HEAD))
        take_part(&r->icc, segment);
    else if (jpeg_skip_head(&segment, "MPF", 4))
        r->index = segment;
    else if (beside_of_type(segment))
        words_add(&r->m->lost, beside_of_type(segment));
    else
        lose_segment(r->m, JPEG_APP2);
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

static void take_segment(reader *r, int marker, bytes segment)
{
    switch (marker) {
    case JPEG_APP0: take_app0(r->m, segment); break;
    case JPEG_APP1: take_app1(r, segment); break;
    case JPEG_APP2: take_app2(r, segment); break;
    case JPEG_APP13: take_app13(r, segment); break;
    case JPEG_APP14: break; /* Adobe's: the kind of the input's colours */
    case JPEG_COM: take_comment(r->m, segment); break;
    default:
        if (marker >= JPEG_APP0 && marker <= JPEG_APP0 + 15)
            lose_segment(r->m, marker);
    }
}

void metadata_read_jpeg(metadata *m, bytes file)
{
    reader r = {.m = m};
    jpeg_segment segment;
    size_t at = JPEG_FIRST;
    while (jpeg_next_segment(file, &at, &segment) && segment.marker != JPEG_SOS)
        take_segment(&r, segment.marker, segment.data);
    join_profile(m, &r.icc);
    keep_photoshop(m, &r.photoshop);
    blob_free(&r.photoshop);
    if (r.has_extended)
        keep_extended(m, file);
    metadata_lose_beside(m, file, r.index, at);
}

/* --- Extended XMP that is new ----------------------------------------------------------------- */

/* Cuts the white space that writers leave before the end mark. */
static void cut_padding(blob *xmp)
{
    static const char mark[] = "<?xpacket end";
    const size_t length = sizeof mark - 1;
    size_t at = xmp->size < length ? 0 : xmp->size - length, end;
    while (at > 0 && memcmp(xmp->data + at, mark, length) != 0)
        at--;
    for (end = at; end > 0 && memchr(" \t\r\n", xmp->data[end - 1], 4);)
        end--;
    if (end < at)
        memmove(xmp->data + end, xmp->data + at, xmp->size - at);
    xmp->size -= at - end;
}

/* Drops the extended packet, which is last. */
static void drop_extended(metadata *m)
{
    jpeg_segment s;
    for (size_t at = 0; jpeg_next_segment(blob_view(&m->own), &at, &s);)
        if (s.marker == JPEG_APP1) {
            m->own.size = s.begin;
            metadata_lose(m, "extended XMP", "a depth map has its place");
        }
}

bool metadata_announce_extended(metadata *m, const char *description, problem *p)
{
    const bytes text = {.data = (const uint8_t *)description, .size = strlen(description)};
    blob xmp = {0};
    blob_add(&xmp, m->xmp.data, m->xmp.size);
    cut_padding(&xmp);
    xmp_blank_extension(&xmp);
    if (xmp_add(&xmp, text) && xmp.size <= JPEG_XMP_MOST) {
        drop_extended(m);
        blob_free(&m->xmp);
        m->xmp = xmp;
        return true;
    }
    if (xmp.failed)
        problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for its XMP");
    else
        problem_set(p, "its XMP leaves no place for a depth map; remove some of it, or leave out "
                       "--keep-depth");
    blob_free(&xmp);
    return false;
}

bool metadata_add_extended(metadata *m, bytes packet)
{
    char name[33];
    bytes place;
    if (packet.size > UINT32_MAX || !jpeg_xmp_name(blob_view(&m->xmp), &place))
        return false;
    md5_name(packet, name);
    memcpy(m->xmp.data + (place.data - m->xmp.data), name, place.size);
    jpeg_xmp_write_extended(place, packet, &m->own);
    return !m->own.failed;
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
    enum { PART = SEGMENT_MOST - 14 };
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
