#include "format/exif_copy.h"

#include "format/exif.h"

#include <string.h>

enum {
    ENTRY = EXIF_ENTRY_SIZE,
    LINK = EXIF_LINK_SIZE,
    ENTRIES_MOST = 512,
    INTEROPERABILITY = 0xa005
};

/* --- Writing ---------------------------------------------------------------------------------- */

static void set_little(blob *out, size_t at, uint32_t value, int size)
{
    for (int i = 0; i < size && !out->failed; i++)
        out->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static void add_numbers(blob *out, bytes tiff, const exif_entry *e)
{
    const bool swap = tiff.data[0] == 'M';
    for (size_t at = 0; at < e->size && !swap; at = e->size)
        blob_add(out, tiff.data + e->values, e->size);
    for (size_t at = 0; at < e->size && swap; at += e->unit)
        for (size_t i = e->unit; i-- > 0;)
            blob_add(out, tiff.data + e->values + at + i, 1);
}

typedef struct directory { /* that grows in a blob: `used` of `count` entries */
    blob *out;
    size_t at;
    uint32_t count, used;
    size_t left; /* bytes that may still be copied: ranges that overlap would make them many */
} directory;

static directory begin_directory(blob *out, uint32_t count, size_t most)
{
    static const uint8_t zeros[2 + ENTRY * ENTRIES_MOST + LINK];
    if (out->size % 2)
        blob_add(out, zeros, 1);
    const directory d = {.out = out, .at = out->size, .count = count, .left = most};
    blob_add(out, zeros, 2 + ENTRY * count + LINK);
    return d;
}

static size_t next_entry(directory *d, uint32_t tag, uint32_t type, uint32_t count)
{
    const size_t at = d->at + 2 + ENTRY * (size_t)d->used++;
    set_little(d->out, at, tag, 2);
    set_little(d->out, at + 2, type, 2);
    set_little(d->out, at + 4, count, 4);
    set_little(d->out, d->at, d->used, 2);
    return at + 8;
}

static void copy_entry(directory *d, bytes tiff, const exif_entry *e)
{
    if (d->used >= d->count || e->size > d->left)
        return;
    d->left -= e->size;
    const size_t value = next_entry(d, e->tag, e->type, e->count);
    if (d->out->size % 2)
        blob_add_number(d->out, 0, 1);
    const size_t behind = d->out->size;
    add_numbers(d->out, tiff, e);
    if (e->size > 4) {
        set_little(d->out, value, (uint32_t)behind, 4);
        return;
    }
    for (size_t i = 0; i < e->size && !d->out->failed; i++)
        d->out->data[value + i] = d->out->data[behind + i];
    d->out->size = d->out->failed ? d->out->size : behind;
}

uint32_t exif_copy_directory(bytes tiff, uint32_t tag, blob *out)
{
    exif_entry e;
    if (!exif_find_first(tiff, tag, &e) || e.count != 1 || e.unit != 4)
        return 0;
    const size_t from = exif_number(tiff, e.values, 4);
    const uint32_t count = exif_number(tiff, from, 2);
    if (count == 0 || count > ENTRIES_MOST || from < EXIF_HEAD_SIZE)
        return 0;
    directory d = begin_directory(out, count, tiff.size);
    for (uint32_t i = 0; i < count; i++)
        if (exif_read_entry(tiff, from, i, &e) && e.tag != INTEROPERABILITY)
            copy_entry(&d, tiff, &e);
    return out->failed ? 0 : (uint32_t)d.at;
}

/* --- The EXIF of a TIFF ----------------------------------------------------------------------- */

static bool is_carried(uint32_t tag)
{
    /* description, make, model, orientation, software, date, artist, copyright */
    static const uint16_t tags[] = {0x10e, 0x10f, 0x110, 0x112, 0x131, 0x132, 0x13b, 0x8298};
    return exif_is_among(tag, tags, sizeof tags / sizeof *tags);
}

/* Returns whether a description is for programs alone: it counts the pages and axes of the file that it stands in. */
static bool is_machine_text(bytes tiff, const exif_entry *e)
{
    static const char *const starts[] = {"{\"shape\"", "ImageJ=", "<?xml"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts && e->tag == 0x10e; i++) {
        const size_t size = strlen(starts[i]);
        if (e->size >= size && memcmp(tiff.data + e->values, starts[i], size) == 0)
            return true;
    }
    return false;
}

static void add_pointer(directory *d, bytes tiff, uint32_t tag)
{
    enum { LONG = 4 };
    const uint32_t at = exif_copy_directory(tiff, tag, d->out);
    if (at != 0)
        set_little(d->out, next_entry(d, tag, LONG, 1), at, 4);
}

void exif_gather(bytes tiff, blob *out)
{
    enum { MOST = 10 };
    exif_entry e;
    if (!exif_is_sound(tiff))
        return;
    const size_t first = exif_number(tiff, 4, 4);
    const uint32_t count = exif_number(tiff, first, 2);
    blob_add(out, "II*\0\x08\0\0", EXIF_HEAD_SIZE);
    directory d = begin_directory(out, MOST, tiff.size);
    for (uint32_t i = 0; i < count && d.used < MOST - 2; i++)
        if (exif_read_entry(tiff, first, i, &e) && is_carried(e.tag) && !is_machine_text(tiff, &e))
            copy_entry(&d, tiff, &e);
    const bool is_plain =
        d.used == 0 ||
        (d.used == 1 && exif_number(blob_view(out), 10, 2) == 0x112 && exif_orientation(tiff) == 1);
    const uint32_t used = d.used;
    add_pointer(&d, tiff, EXIF_DIRECTORY);
    add_pointer(&d, tiff, EXIF_GPS_DIRECTORY);
    if (is_plain && d.used == used && !out->failed)
        blob_free(out);
}

bool exif_text(bytes tiff, uint32_t tag, char *text, size_t size)
{
    enum { ASCII = 2 };
    exif_entry e;
    if (!exif_find_first(tiff, tag, &e) || e.type != ASCII || e.count == 0 ||
        is_machine_text(tiff, &e))
        return false;
    const size_t length = e.size < size ? e.size : size - 1;
    memcpy(text, tiff.data + e.values, length);
    text[length] = '\0';
    return text[0] != '\0';
}
