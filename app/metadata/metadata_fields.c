#include "metadata/metadata_fields.h"

#include "format/exif.h"
#include "format/hidden.h"

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

void words_remove(word_list *list, const char *word)
{
    const size_t length = strlen(word);
    for (char *at = list->text; (at = strstr(at, word)); at += length) {
        const bool is_first = at == list->text, is_last = at[length] == '\0';
        const bool follows = at - list->text > 2 && at[-2] == ',';
        if ((!is_first && !follows) || (!is_last && at[length] != ','))
            continue;
        const char *const behind = at + length + (is_last ? 0 : 2);
        memmove(at - (is_last && !is_first ? 2 : 0), behind, strlen(behind) + 1);
        return;
    }
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

/* Takes the record if it is the first one and may be carried. */
static void take_record(metadata *m, metadata_block kind, blob *into, bytes data, const char *what)
{
    blob record = {0};
    if (data.size == 0)
        return;
    if (!blob_add(&record, data.data, data.size))
        m->out_of_memory = true;
    else if (into->data && !bytes_equal(data, blob_view(into)))
        metadata_lose(m, what, "a second one");
    else if (!into->data && metadata_admit(m, kind, what, &record))
        *into = record;
    if (into->data != record.data)
        blob_free(&record);
}

bool metadata_admit_text(metadata *m, const char *name, bytes text)
{
    blob copy = {0};
    code_scan scan = m->texts;
    const size_t before = code_scan_total(&scan);
    code_scan_add(&scan, text);
    const size_t after = code_scan_total(&scan);
    const bool is_part = after > before && after >= HIDDEN_LEAST;
    const bool is_read = blob_add(&copy, text.data, text.size);
    m->out_of_memory = m->out_of_memory || !is_read;
    if (is_part)
        metadata_lose(m, name, "may hold a picture");
    const bool is_good = is_read && !is_part && metadata_admit(m, METADATA_BLOCK_TEXT, name, &copy);
    if (is_good)
        m->texts = scan;
    blob_free(&copy);
    return is_good;
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
    take_record(m, METADATA_BLOCK_PROFILE, &m->icc, (bytes){.data = profile.data, .size = size},
                "colour profile");
    snprintf(m->icc_name, sizeof m->icc_name, "%s", name);
}

void metadata_take_exif(metadata *m, bytes tiff)
{
    if (!exif_is_sound(tiff))
        metadata_lose(m, "EXIF", "damaged");
    else
        take_record(m, METADATA_BLOCK_EXIF, &m->exif, tiff, "EXIF");
}

void metadata_take_xmp(metadata *m, bytes packet)
{
    take_record(m, METADATA_BLOCK_XMP, &m->xmp, packet, "XMP");
}
