#include "unit/metadata/metadata_case.h"

#include <libdeflate.h>
#include <string.h>

#include "unit/unit.h"

blob case_profile(size_t size, const char *colours)
{
    blob b = {0};
    uint32_t state = (uint32_t)size;
    blob_add_number(&b, (uint32_t)size, 4);
    while (b.size < size) {
        state = state * 1664525u + 1013904223u;
        blob_add_number(&b, state >> 24, 1);
    }
    memcpy(b.data + 12, "mntr", 4);
    memcpy(b.data + 16, colours, 4);
    memcpy(b.data + 36, "acsp", 4);
    return b;
}

static void number(blob *to, bool big, uint32_t value, int size)
{
    for (int i = 0; i < size; i++)
        blob_add_number(to, value >> 8 * (big ? size - 1 - i : i) & 255, 1);
}

static void entry(blob *to, bool big, uint32_t tag, uint32_t type, uint32_t count, uint32_t value)
{
    number(to, big, tag, 2);
    number(to, big, type, 2);
    number(to, big, count, 4);
    number(to, big, value, type == 3 ? 2 : 4);
    if (type == 3)
        number(to, big, 0, 2);
}

blob case_exif(bool big, int orientation)
{
    enum { FIRST = 8, SECOND = FIRST + 2 + 2 * 12 + 4 + 6, THUMBNAIL = SECOND + 2 + 2 * 12 + 4 };
    blob b = {0};
    blob_add(&b, big ? "MM" : "II", 2);
    number(&b, big, 42, 2);
    number(&b, big, FIRST, 4);
    number(&b, big, 2, 2);
    entry(&b, big, 0x10f, 2, 6, SECOND - 6);
    entry(&b, big, 0x112, 3, 1, (uint32_t)orientation);
    number(&b, big, SECOND, 4);
    blob_add(&b, "Maker", 6);
    number(&b, big, 2, 2);
    entry(&b, big, 0x201, 4, 1, THUMBNAIL);
    entry(&b, big, 0x202, 4, 1, 15);
    number(&b, big, 0, 4);
    blob_add(&b, "SHARP-THUMBNAIL", 15);
    return b;
}

void case_chunk(blob *to, const char *type, const void *data, size_t size)
{
    blob_add_number(to, (uint32_t)size, 4);
    const size_t at = to->size;
    blob_add(to, type, 4);
    blob_add(to, data, size);
    blob_add_number(to, libdeflate_crc32(0, to->data + at, size + 4), 4);
}

void case_segment(blob *to, int marker, const char *head, size_t head_size, const void *data,
                  size_t size)
{
    blob_add_number(to, 0xff, 1);
    blob_add_number(to, (uint32_t)marker, 1);
    blob_add_number(to, (uint32_t)(head_size + size + 2), 2);
    blob_add(to, head, head_size);
    blob_add(to, data, size);
}

void case_chunk_profile(blob *to, const char *name, const void *data, size_t size)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    const size_t room = libdeflate_zlib_compress_bound(c, size);
    uint8_t *packed = unit_memory(room);
    const size_t packed_size = libdeflate_zlib_compress(c, data, size, packed, room);
    blob b = {0};
    blob_add(&b, name, strlen(name) + 1);
    blob_add_number(&b, 0, 1);
    blob_add(&b, packed, packed_size);
    case_chunk(to, "iCCP", b.data, b.size);
    blob_free(&b);
    libdeflate_free_compressor(c);
}

void case_segment_profile(blob *to, const blob *profile, size_t part)
{
    const size_t count = (profile->size + part - 1) / part;
    for (size_t i = count; i-- > 0;) { /* the last one first: any order is allowed */
        char head[14] = "ICC_PROFILE";
        head[12] = (char)(i + 1);
        head[13] = (char)count;
        const size_t left = profile->size - i * part;
        case_segment(to, 0xe2, head, 14, profile->data + i * part, left < part ? left : part);
    }
}

blob case_file(const char *name, int channels, const blob *extra, bool instead)
{
    satb_image image = case_noise(30, 20, channels, 8);
    memory m = case_encoded(name, &image);
    const bool png = m.data[0] == 0x89;
    const size_t head = png ? 33 : instead ? 20 : 2;
    blob b = {0};
    blob_add(&b, m.data, png ? 33 : 2);
    blob_add(&b, extra->data, extra->size);
    blob_add(&b, m.data + head, m.size - head);
    return b;
}

int case_count_chunks(bytes png, const char *type, const void *data, size_t size)
{
    int count = 0;
    for (size_t at = 8; at + 12 <= png.size;) {
        const size_t length = big_endian_32(png.data + at);
        const uint8_t *in = png.data + at + 4;
        count += memcmp(in, type, 4) == 0 && length >= size && memcmp(in + 4, data, size) == 0;
        at += 12 + length;
    }
    return count;
}

int case_count_segments(bytes jpeg, int marker, const void *data, size_t size)
{
    int count = 0;
    for (size_t at = 2; at + 4 <= jpeg.size && jpeg.data[at + 1] != 0xda;) {
        const size_t length = big_endian_16(jpeg.data + at + 2);
        count += jpeg.data[at + 1] == marker && length >= size + 2 &&
                 memcmp(jpeg.data + at + 4, data, size) == 0;
        at += 2 + length;
    }
    return count;
}

picture case_decoded(const char *name, bytes file, codec_choice choice)
{
    return case_picture_by(name, NULL, file.data, file.size, &(decode_settings){.choice = choice});
}

blob case_carried(picture *pic, const char *to, codec_choice choice, int *turn)
{
    problem p;
    blob file = {0};
    satb_image fit;
    char note[128];
    sink into = {.write = blob_write, .user = &file};
    const codec *c = codec_for_output(to, &p);
    assert_true(codec_fit(c, &pic->image, choice, &fit, note, &p));
    *turn = metadata_fit(&pic->meta, codec_metadata(c), fit.channels);
    const encode_settings settings = {
        .quality = 90, .compression = 1, .choice = choice, .meta = &pic->meta};
    assert_non_null(codec_encode(c, &pic->image, &settings, &into, &p));
    return file;
}
