#include "format/hidden.h"

#include "format/code_scan.h"
#include "format/jpeg_segment.h"

#include <string.h>
#include <strings.h>

/* --- Files ------------------------------------------------------------------------------------ */

static bool stands_at(bytes in, size_t at, const char *text, size_t size)
{
    return at <= in.size && size <= in.size - at &&
           in.data[at + size - 1] == (uint8_t)text[size - 1] && /* differs most often */
           memcmp(in.data + at, text, size) == 0;
}

/* Returns whether a file of HEIF's family begins here: a box ftyp with one of its brands. */
static bool is_heif(bytes in, size_t at)
{
    static const char *const brands[] = {"heic", "heix", "hevc", "mif1", "msf1", "avif", "avis"};
    enum { TYPE = 4, BRAND = 8 };
    if (!stands_at(in, at + TYPE, "ftyp", 4))
        return false;
    for (size_t i = 0; i < sizeof brands / sizeof *brands; i++)
        if (stands_at(in, at + BRAND, brands[i], 4))
            return true;
    return false;
}

static bool is_file(bytes in, size_t at)
{
    static const struct {
        const char *signature;
        size_t size;
    } files[] = {{"\x89PNG\r\n\x1a\n", 8},
                 {"GIF87a", 6},
                 {"GIF89a", 6},
                 {"\0\0\0\x0cjP  \r\n\x87\n", 12},
                 {"\0\0\0\x0cJXL \r\n\x87\n", 12}};
    if (!memchr("\x89GR", in.data[at], 4)) /* and 0: what they all begin with */
        return false;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (stands_at(in, at, files[i].signature, files[i].size))
            return true;
    return (stands_at(in, at, "RIFF", 4) && stands_at(in, at + 8, "WEBPVP8", 7)) || is_heif(in, at);
}

bool hidden_raw(bytes in)
{
    size_t at = 0, begin;
    if (jpeg_find(in, &at, &begin))
        return true;
    for (at = 0; at < in.size; at++)
        if (is_file(in, at))
            return true;
    return false;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* Returns whether the text, behind white space and quotes, begins as JPEG, PNG, WebP, GIF, TIFF or HEIF do in base64, or as JPEG
 * or PNG do in hex or in numbers. */
static bool begins_as_picture(bytes text)
{
    static const char *const starts[] = {"/9j/",
                                         "iVBORw0KGgo",
                                         "UklGR",
                                         "R0lGOD",
                                         "SUkqA",
                                         "TU0AK",
                                         "ffd8ff",
                                         "FFD8FF",
                                         "89504e47",
                                         "255,216,255,2",
                                         "255, 216, 255, 2",
                                         "137,80,78,71",
                                         "89504E47",
                                         "137, 80, 78, 71"};
    size_t at = 0;
    while (at < text.size && strchr(" \t\r\n\"'[({", text.data[at]) && text.data[at])
        at++;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (stands_at(text, at, starts[i], strlen(starts[i])))
            return true;
    return stands_at(text, at, "AAAA", 4) && stands_at(text, at + 6, "Z0eXB", 5);
}

static bool has_data_url(bytes text)
{
    static const char url[] = "data:image/";
    enum { BEFORE = 4, LENGTH = sizeof url - 1 }; /* of the colon; of all */
    for (size_t at = BEFORE; at < text.size; at++) {
        const uint8_t *const colon = memchr(text.data + at, ':', text.size - at);
        if (!colon)
            return false;
        at = (size_t)(colon - text.data);
        if (text.size - at >= LENGTH - BEFORE &&
            strncasecmp((const char *)colon - BEFORE, url, LENGTH) == 0)
            return true;
    }
    return false;
}

size_t hidden_coded(bytes text)
{
    code_scan s = {.at = 0};
    if (begins_as_picture(text) || has_data_url(text))
        return SIZE_MAX;
    if (text.size >= HIDDEN_LEAST)
        code_scan_add(&s, text);
    return code_scan_total(&s);
}

bool hidden_picture(bytes in)
{
    return hidden_coded(in) >= HIDDEN_LEAST || hidden_raw(in);
}

bool hidden_is_text(bytes in)
{
    while (in.size > 0 && in.data[in.size - 1] == 0)
        in.size--;
    for (size_t i = 0; i < in.size; i++)
        if (in.data[i] < ' ' && !memchr("\t\r\n", in.data[i], 3))
            return false;
    return true;
}

/* --- Encodings -------------------------------------------------------------------------------- */

typedef struct encoding {
    int unit; /* bytes: 1, 2 or 4 */
    bool is_big;
    size_t mark; /* bytes of the byte order mark */
} encoding;

/* Returns the encoding by the mark, or by the zeros beside the first '<' (XML 1.0, appendix F). */
static encoding find_encoding(bytes t)
{
    static const struct {
        const char *start;
        size_t size;
        encoding is;
    } starts[] = {{"\xff\xfe\0\0", 4, {4, false, 4}},
                  {"\0\0\xfe\xff", 4, {4, true, 4}},
                  {"\xff\xfe", 2, {2, false, 2}},
                  {"\xfe\xff", 2, {2, true, 2}},
                  {"\xef\xbb\xbf", 3, {1, false, 3}},
                  {"<\0\0\0", 4, {4, false, 0}},
                  {"\0\0\0<", 4, {4, true, 0}},
                  {"<\0", 2, {2, false, 0}},
                  {"\0<", 2, {2, true, 0}}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (stands_at(t, 0, starts[i].start, starts[i].size))
            return starts[i].is;
    return (encoding){.unit = 1};
}

static uint32_t take_unit(bytes *t, const encoding *e)
{
    uint32_t value = 0;
    for (int i = 0; i < e->unit; i++)
        value = value << 8 | t->data[e->is_big ? i : e->unit - 1 - i];
    t->data += e->unit;
    t->size -= (size_t)e->unit;
    return value;
}

/* Takes a code point; UINT32_MAX: half of a surrogate pair is missing. */
static uint32_t take_point(bytes *t, const encoding *e)
{
    const uint32_t high = take_unit(t, e);
    if (e->unit != 2 || high < 0xd800 || high > 0xdfff)
        return high;
    const uint32_t low = t->size >= 2 ? take_unit(t, e) : 0;
    return high < 0xdc00 && low >= 0xdc00 && low <= 0xdfff
               ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
               : UINT32_MAX;
}

static void add_point(blob *out, uint32_t c)
{
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t heads[] = {0, 0xc0, 0xe0, 0xf0};
    blob_add_number(out, heads[more] | c >> 6 * more, 1);
    for (int i = more - 1; i >= 0; i--)
        blob_add_number(out, 0x80 | (c >> 6 * i & 0x3f), 1);
}

bool hidden_to_utf8(bytes text, blob *out)
{
    const encoding e = find_encoding(text);
    text.data += e.mark;
    text.size -= e.mark;
    if (e.unit == 1)
        return blob_add(out, text.data, text.size);
    while (text.size >= (size_t)e.unit) {
        const uint32_t c = take_point(&text, &e);
        if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
            return false;
        add_point(out, c);
    }
    return text.size == 0 && !out->failed;
}
