#include "metadata/metadata_fields.h"

#include "format/exif.h"
#include "format/xmp.h"

#include <stdio.h>
#include <string.h>

bool words_have(const word_list *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list->text; (at = strstr(at, word)); at += length) {
        const bool begins = at == list->text || at[-1] == ' ';
        if (begins && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* Returns the length of the first words of a list, at most `room` in all. */
static size_t words_within(const char *list, size_t room)
{
    size_t length = strlen(list);
    while (length > room)
        do
            length--;
        while (length > 0 && list[length] != ',');
    return length;
}

void words_add(word_list *list, const char *word)
{
    static const char more[] = ", ...";
    const size_t capacity = sizeof list->text - sizeof more;
    if (word[0] == '\0' || words_have(list, word) || words_have(list, more + 2))
        return;
    const char *comma = list->text[0] ? ", " : "";
    const size_t used = strlen(list->text) + strlen(comma);
    const size_t fits = words_within(word, used < capacity ? capacity - used : 0);
    if (fits > 0) {
        strcat(list->text, comma);
        strncat(list->text, word, fits);
    }
    if (word[fits] != '\0')
        strcat(list->text, list->text[0] ? more : more + 2);
}

void metadata_lose(metadata *m, const char *what, const char *why)
{
    char text[80];
    snprintf(text, sizeof text, "%s (%s)", what, why);
    words_add(&m->lost, text);
}

static void take_record(metadata *m, blob *into, bytes data, const char *what)
{
    if (into->data)
        metadata_lose(m, what, "a second one");
    else if (!blob_add(into, data.data, data.size))
        m->out_of_memory = true;
}

/* A profile begins with its size, and has its colour space at 16 and a mark at 36 (ICC.1, 7.2). */
void metadata_take_icc(metadata *m, bytes profile, const char *name)
{
    enum { HEAD = 128 + 4 };
    const size_t size = profile.size < HEAD ? 0 : big_endian_32(profile.data);
    if (size < HEAD || size > profile.size || memcmp(profile.data + 36, "acsp", 4) != 0) {
        metadata_lose(m, "colour profile", "damaged");
        return;
    }
    take_record(m, &m->icc, (bytes){.data = profile.data, .size = size}, "colour profile");
    snprintf(m->icc_name, sizeof m->icc_name, "%s", name);
}

void metadata_take_exif(metadata *m, bytes tiff)
{
    const bool first = !m->exif.data;
    if (!exif_is_sound(tiff)) {
        metadata_lose(m, "EXIF", "damaged");
        return;
    }
    take_record(m, &m->exif, tiff, "EXIF");
    if (first && m->exif.data && exif_drop_thumbnail(&m->exif))
        words_add(&m->lost, "EXIF's previews");
}

/* Editors store previews, and phones the picture itself, as the value of an attribute or of an element. "/9j/" is base64
 * for a JPEG's first three bytes. */
bool xmp_find_jpeg(bytes xmp, size_t *at)
{
    static const char ends[] = "\"'> \t\r\n"; /* of what stands before a value */
    for (size_t i = *at > 0 ? *at : 1; i + 4 <= xmp.size; i++)
        if (memcmp(xmp.data + i, "/9j/", 4) == 0 &&
            memchr(ends, xmp.data[i - 1], sizeof ends - 1)) {
            *at = i;
            return true;
        }
    return false;
}

/* Overwrites such values with spaces, so that the packet keeps its form. Returns whether there were any. */
static bool blank_jpegs(blob *xmp)
{
    bool any = false;
    for (size_t at = 0; xmp_find_jpeg(blob_view(xmp), &at); any = true)
        for (; at < xmp->size && !memchr("\"'<", xmp->data[at], 3); at++)
            xmp->data[at] = ' ';
    return any;
}

void metadata_take_xmp(metadata *m, bytes packet)
{
    const bool first = !m->xmp.data;
    take_record(m, &m->xmp, packet, "XMP");
    if (first && m->xmp.data && xmp_blank_depth(&m->xmp))
        words_add(&m->lost, "XMP's depth map");
    if (first && m->xmp.data && blank_jpegs(&m->xmp))
        words_add(&m->lost, "XMP's previews");
}
