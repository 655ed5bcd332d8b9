#include "metadata/png_text.h"

#include "format/jpeg_segment.h"
#include "format/jpeg_xmp.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Streams and words ------------------------------------------------------------------------ */

/* Deflate packs at most 1032 bytes into one. */
uint8_t *png_unpack(metadata *m, bytes packed, size_t *size)
{
    const size_t capacity =
        packed.size < PROFILE_MOST / 1032 ? packed.size * 1032 + 64 : PROFILE_MOST;
    if (m->unpacked > METADATA_MOST) /* many small chunks may hold very much */
        return NULL;
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    uint8_t *out = d ? malloc(capacity) : NULL;
    const bool good = out && libdeflate_zlib_decompress(d, packed.data, packed.size, out, capacity,
                                                        size) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(d);
    m->out_of_memory = m->out_of_memory || !out;
    m->unpacked += good ? *size : 0;
    if (good)
        return out;
    free(out);
    return NULL;
}

void png_pack(const blob *data, blob *out)
{
    enum { LEVEL = 6 };
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(LEVEL);
    const size_t capacity = c ? libdeflate_zlib_compress_bound(c, data->size) : 0;
    uint8_t *packed = capacity ? malloc(capacity) : NULL;
    const size_t size =
        packed ? libdeflate_zlib_compress(c, data->data, data->size, packed, capacity) : 0;
    if (size > 0)
        blob_add(out, packed, size);
    else
        out->failed = true;
    free(packed);
    libdeflate_free_compressor(c);
}

int png_take_word(bytes *from, size_t most)
{
    const size_t reach = from->size < most + 1 ? from->size : most + 1;
    const uint8_t *end = reach ? memchr(from->data, 0, reach) : NULL;
    if (!end)
        return -1;
    const size_t length = (size_t)(end - from->data);
    from->data += length + 1;
    from->size -= length + 1;
    return (int)length;
}

/* --- Raw profiles ----------------------------------------------------------------------------- */

static int hex_digit(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Unpacks what ImageMagick writes: a line with the name, the number of bytes, and lines of hex. */
static bool unhex(bytes text, blob *out)
{
    size_t i = 0, lines = 0;
    unsigned long long size = 0;
    for (; i < text.size && lines < 2; i++) /* an empty line, and the name */
        lines += text.data[i] == '\n';
    for (; i < text.size && text.data[i] != '\n'; i++)
        if (text.data[i] >= '0' && text.data[i] <= '9' && size < PROFILE_MOST)
            size = size * 10 + (unsigned)(text.data[i] - '0');
    for (int high = -1; i < text.size; i++) {
        const int digit = hex_digit(text.data[i]);
        if (digit < 0 && !memchr("\r\n ", text.data[i], 4))
            return false;
        if (digit >= 0 && high >= 0)
            blob_add_number(out, (uint32_t)(high << 4 | digit), 1);
        high = digit < 0 ? high : high < 0 ? digit : -1;
    }
    return size > 0 && out->size == size;
}

void png_take_exif(metadata *m, bytes exif)
{
    (void)jpeg_skip_head(&exif, "Exif\0", 6);
    metadata_take_exif(m, exif);
}

static void take_app1(metadata *m, bytes segment)
{
    if (jpeg_skip_head(&segment, JPEG_XMP_HEAD, sizeof JPEG_XMP_HEAD))
        metadata_take_xmp(m, segment);
    else
        png_take_exif(m, segment);
}

static void take_icc(metadata *m, bytes profile)
{
    metadata_take_icc(m, profile, "ICC profile");
}

/* Returns whether the resources of Photoshop, or the records of IPTC, are carried as they are. */
static bool is_kept_photoshop(metadata *m, blob *block, const char *name)
{
    bytes in = blob_view(block);
    blob resources = {0};
    (void)jpeg_skip_head(&in, "Photoshop 3.0", 14);
    m->out_of_memory |= !blob_add(&resources, in.data, in.size);
    const bool is_kept =
        !resources.failed && metadata_admit(m, METADATA_BLOCK_PHOTOSHOP, name, &resources);
    const bool is_same = is_kept && bytes_equal(blob_view(&resources), in);
    if (is_kept && !is_same)
        metadata_lose(m, name, "with a preview");
    blob_free(&resources);
    return is_same;
}

/* Takes a block by the name of its kind. True: its text is carried as it is. */
static bool take_block(metadata *m, const char *kind, const char *keyword, blob *block)
{
    static const struct {
        const char *kind;
        void (*take)(metadata *m, bytes block);
    } kinds[] = {{"exif", png_take_exif},
                 {"APP1", take_app1},
                 {"xmp", metadata_take_xmp},
                 {"icc", take_icc},
                 {"icm", take_icc}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(kind, kinds[i].kind) == 0) {
            kinds[i].take(m, blob_view(block));
            return false;
        }
    if (strcasecmp(kind, "8bim") == 0 || strcasecmp(kind, "iptc") == 0)
        return is_kept_photoshop(m, block, keyword);
    metadata_lose(m, keyword, "of an unknown kind");
    return false;
}

/* --- Texts ------------------------------------------------------------------------------------ */

#define RAW_PROFILE "Raw profile type "

static bool has_text(bytes in, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i + length <= in.size; i++)
        if (memcmp(in.data + i, text, length) == 0)
            return true;
    return false;
}

/* Returns whether the text is an XMP packet, whatever its keyword is. */
static bool is_packet(const char *keyword, bytes text)
{
    static const char mark[] = "\xef\xbb\xbf"; /* of UTF-8 */
    size_t at = text.size >= 3 && memcmp(text.data, mark, 3) == 0 ? 3 : 0;
    while (at < text.size && text.data[at] && strchr(" \t\r\n", text.data[at]))
        at++;
    return strcmp(keyword, PNG_XMP_KEYWORD) == 0 ||
           (at < text.size && text.data[at] == '<' &&
            (has_text(text, "adobe:ns:meta/") || has_text(text, "22-rdf-syntax-ns#")));
}

/* Takes an unpacked text. True: it is carried as it is. */
static bool take_content(metadata *m, const char *keyword, bytes text)
{
    char name[100];
    if (is_packet(keyword, text)) {
        metadata_take_xmp(m, text);
        return false;
    }
    if (strncasecmp(keyword, RAW_PROFILE, sizeof RAW_PROFILE - 1) != 0) {
        snprintf(name, sizeof name, "text %.60s", keyword);
        return metadata_admit_text(m, name, text);
    }
    blob block = {0};
    bool is_kept = false;
    if (unhex(text, &block))
        is_kept = take_block(m, keyword + sizeof RAW_PROFILE - 1, keyword, &block);
    else if (!block.failed)
        metadata_lose(m, keyword, "damaged");
    m->out_of_memory |= block.failed;
    blob_free(&block);
    return is_kept;
}

/* Moves the view to the text, behind the method and, in iTXt, the flag before and the language and the translated keyword
 * behind. *packed: whether the text is a zlib stream. */
static bool find_text(metadata *m, char type, bytes *rest, bool *packed)
{
    const size_t head = type == 'i' ? 2 : type == 'z' ? 1 : 0;
    if (rest->size < head || (head > 0 && rest->data[head - 1] != 0) ||
        (head == 2 && rest->data[0] > 1))
        return false;
    *packed = head == 1 || (head == 2 && rest->data[0] == 1);
    rest->data += head;
    rest->size -= head;
    for (int words = head == 2 ? 2 : 0; words > 0; words--) {
        bytes word = *rest;
        const int length = png_take_word(rest, rest->size);
        word.size = length < 0 ? 0 : (size_t)length;
        if (length < 0 || !metadata_admit_text(m, "text", word))
            return false;
    }
    return true;
}

bool png_take_text(metadata *m, char type, bytes data)
{
    static const char *const names[] = {"tEXt", "zTXt", "iTXt"};
    const char *const keyword = (const char *)data.data;
    bytes rest = data;
    bool packed = false, is_kept = false;
    size_t size = 0;
    if (png_take_word(&rest, 79) < 1) {
        metadata_lose(m, names[type == 'z' ? 1 : type == 'i' ? 2 : 0], "damaged");
        return false;
    }
    const bool is_xmp = strcmp(keyword, PNG_XMP_KEYWORD) == 0;
    if (!metadata_admit_text(m, "text", (bytes){.data = data.data, .size = strlen(keyword)}))
        return false;
    bool is_read = find_text(m, type, &rest, &packed);
    uint8_t *const text = is_read && packed ? png_unpack(m, rest, &size) : NULL;
    is_read = is_read && (!packed || text);
    if (is_read)
        is_kept = take_content(m, keyword, text ? (bytes){.data = text, .size = size} : rest);
    else
        metadata_lose(m, is_xmp ? "XMP" : names[type == 'z' ? 1 : type == 'i' ? 2 : 0], "damaged");
    free(text);
    return is_kept;
}
