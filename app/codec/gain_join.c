#include "codec/gain_join.h"

#include "format/jpeg_segment.h"

#include <string.h>

static void add_segment(blob *own, const void *head, size_t head_size, const blob *data)
{
    blob_add_number(own, 0xff00u | JPEG_APP2, 2);
    blob_add_number(own, (uint32_t)(2 + head_size + data->size), 2);
    blob_add(own, head, head_size);
    blob_add(own, data->data, data->size);
}

/* --- The index of both pictures (CIPA DC-007, 5) ---------------------------------------------- */

static const char index_head[] = "MPF"; /* with its 0 */
enum { PICTURES = 2, ENTRY = 16, ENTRIES_AT = 8 + 2 + 3 * 12 + 4 };

/* Adds the index, whose entries are zeros. */
static void add_index(blob *own)
{
    enum { VERSION = 0xb000, COUNT = 0xb001, ENTRIES = 0xb002, UNDEFINED = 7, LONG = 4 };
    static const uint32_t rows[3][4] = {{VERSION, UNDEFINED, 4, 0x30313030}, /* "0100" */
                                        {COUNT, LONG, 1, PICTURES},
                                        {ENTRIES, UNDEFINED, PICTURES * ENTRY, ENTRIES_AT}};
    static const uint8_t zeros[PICTURES * ENTRY];
    blob index = {0};
    blob_add(&index, "MM\0*\0\0\0\x08\0\x03", 10);
    for (int i = 0; i < 3; i++) {
        blob_add_number(&index, rows[i][0], 2);
        blob_add_number(&index, rows[i][1], 2);
        blob_add_number(&index, rows[i][2], 4);
        blob_add_number(&index, rows[i][3], 4);
    }
    blob_add_number(&index, 0, 4); /* no further directory */
    blob_add(&index, zeros, sizeof zeros);
    own->failed |= index.failed;
    add_segment(own, index_head, sizeof index_head, &index);
    blob_free(&index);
}

/* Fills in the sizes, and the place of the map, which counts from the index's head. */
static void fill_index(blob *base, size_t map_size)
{
    enum { PRIMARY = 0x030000 };
    jpeg_segment s = {.marker = 0};
    size_t at = JPEG_FIRST;
    bytes index = {.size = 0};
    while (!index.data && jpeg_next_segment(blob_view(base), &at, &s) && s.marker != JPEG_SOS)
        if (s.marker == JPEG_APP2 && jpeg_skip_head(&s.data, index_head, sizeof index_head))
            index = s.data;
    if (!index.data)
        return;
    const size_t head = (size_t)(index.data - base->data);
    uint8_t *const entries = base->data + head + ENTRIES_AT;
    put_big_endian_32(entries, PRIMARY);
    put_big_endian_32(entries + 4, (uint32_t)base->size);
    put_big_endian_32(entries + ENTRY + 4, (uint32_t)map_size);
    put_big_endian_32(entries + ENTRY + 8, (uint32_t)(base->size - head));
}

/* --- Both ------------------------------------------------------------------------------------- */

/* Encodes the map, with its numbers. */
static const char *encode_map(const codec *jpeg, const gain_map *gain,
                              const encode_settings *settings, blob *out, problem *p)
{
    enum { QUALITY = 95 }; /* a code counts more than one of a picture */
    metadata meta = {.from = METADATA_JPEG};
    encode_settings own = {.quality = settings->quality > QUALITY ? settings->quality : QUALITY,
                           .choice = settings->choice == CODEC_PLAIN ? CODEC_PLAIN : CODEC_FAST,
                           .threads = settings->threads,
                           .meta = &meta};
    blob numbers = {0};
    sink to = {.write = blob_write, .user = out};
    gain_write_iso(gain, &numbers);
    gain_write_xmp(gain, &meta.xmp);
    meta.own.failed = numbers.failed || meta.xmp.failed;
    add_segment(&meta.own, GAIN_ISO_HEAD, sizeof GAIN_ISO_HEAD, &numbers);
    const char *library = meta.own.failed ? NULL : codec_encode(jpeg, &gain->image, &own, &to, p);
    blob_free(&numbers);
    metadata_free(&meta);
    return library;
}

/* Makes the base's metadata, which say that the map follows. What is not changed is shared. */
static bool add_names(const metadata *from, size_t map_size, metadata *to)
{
    const blob version = {.data = (uint8_t[4]){0}, .size = 4};
    *to = from ? *from : (metadata){.from = METADATA_JPEG};
    to->xmp = to->own = (blob){0};
    if (from) {
        blob_add(&to->xmp, from->xmp.data, from->xmp.size);
        blob_add(&to->own, from->own.data, from->own.size);
    }
    /* Without a place in it, the other two names count. */
    const size_t size = to->xmp.size;
    if (gain_add_directory(&to->xmp, map_size) && to->xmp.size > JPEG_XMP_MOST && size > 0) {
        to->xmp.size = 0;
        blob_add(&to->xmp, from->xmp.data, from->xmp.size);
    }
    add_segment(&to->own, GAIN_ISO_HEAD, sizeof GAIN_ISO_HEAD, &version);
    add_index(&to->own);
    return !to->xmp.failed && !to->own.failed;
}

static const char *encode_base(const codec *jpeg, const satb_image *image,
                               const encode_settings *settings, size_t map_size, blob *out,
                               problem *p)
{
    metadata meta;
    encode_settings own = *settings;
    sink to = {.write = blob_write, .user = out};
    const char *library = NULL;
    own.meta = &meta;
    if (add_names(settings->meta, map_size, &meta))
        library = codec_encode(jpeg, image, &own, &to, p);
    blob_free(&meta.xmp);
    blob_free(&meta.own);
    return library;
}

const char *gain_join(const codec *jpeg, const satb_image *image, const gain_map *gain,
                      const encode_settings *settings, sink *to, problem *p)
{
    blob base = {0}, map = {0};
    const char *library = NULL;
    problem_set_kind(p, PROBLEM_MEMORY, "not enough memory to write the picture");
    if (encode_map(jpeg, gain, settings, &map, p))
        library = encode_base(jpeg, image, settings, map.size, &base, p);
    if (base.failed || map.failed)
        library = NULL;
    if (library) {
        fill_index(&base, map.size);
        sink_put(to, base.data, base.size);
        sink_put(to, map.data, map.size);
    }
    blob_free(&base);
    blob_free(&map);
    return library;
}
