#include "format/exif.h"

#include "format/jpeg_segment.h"

#include <string.h>

enum {
    SHORT = 3,
    LONG = 4,
    IFD = 13,
    HEAD = 8,
    ENTRY = 12,
    LINK = 4
}; /* TIFF 6.0, section 2; IFD: TIFF Technical Note 1 */

/* Reads a number of 2 or 4 bytes in the byte order of the TIFF; 0 beyond the end. */
static uint32_t number(bytes tiff, size_t at, int size)
{
    uint32_t value = 0;
    if (at > tiff.size || (size_t)size > tiff.size - at)
        return 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | tiff.data[at + (size_t)(tiff.data[0] == 'M' ? i : size - 1 - i)];
    return value;
}

uint32_t exif_number(bytes tiff, size_t at, int size)
{
    return number(tiff, at, size);
}

static void set_number(blob *tiff, size_t at, int size, uint32_t value)
{
    for (int i = 0; i < size; i++)
        tiff->data[at + (size_t)(tiff->data[0] == 'M' ? size - 1 - i : i)] =
            (uint8_t)(value >> 8 * i);
}

/* Returns the offset of the link to the next directory. */
static size_t link_of(bytes tiff, size_t directory)
{
    return directory + 2 + ENTRY * (size_t)number(tiff, directory, 2);
}

bool exif_is_sound(bytes tiff)
{
    if (tiff.size < HEAD + 2 ||
        (memcmp(tiff.data, "II*\0", 4) != 0 && memcmp(tiff.data, "MM\0*", 4) != 0))
        return false;
    const size_t directory = number(tiff, 4, 4);
    return directory >= HEAD && directory <= tiff.size - 2 && link_of(tiff, directory) <= tiff.size;
}

typedef struct
    field { /* the numbers of a tag; 0 of them where it is not there, or has others than SHORT, LONG or IFD */
    size_t entry, values; /* where they stand */
    int size;             /* of each, in bytes */
    uint32_t count;
} field;

static field find_field(bytes tiff, size_t directory, uint32_t tag)
{
    const uint32_t entries = number(tiff, directory, 2);
    for (uint32_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + ENTRY * (size_t)i;
        const uint32_t type = number(tiff, entry + 2, 2), count = number(tiff, entry + 4, 4);
        if (number(tiff, entry, 2) != tag)
            continue;
        if ((type != SHORT && type != LONG && type != IFD) || entry > tiff.size ||
            ENTRY > tiff.size - entry)
            break;
        const uint32_t size = type == SHORT ? 2 : 4;
        const bool is_inside = count <= 4 / size;
        return (field){.entry = entry,
                       .values = is_inside ? entry + 8 : number(tiff, entry + 8, 4),
                       .size = (int)size,
                       .count = count};
    }
    return (field){.count = 0};
}

static uint32_t value_of(bytes tiff, const field *f, uint32_t i)
{
    return i < f->count ? number(tiff, f->values + (size_t)f->size * i, f->size) : 0;
}

static field find_orientation(bytes tiff)
{
    enum { ORIENTATION = 0x112 };
    return exif_is_sound(tiff) ? find_field(tiff, number(tiff, 4, 4), ORIENTATION)
                               : (field){.count = 0};
}

int exif_orientation(bytes tiff)
{
    const field f = find_orientation(tiff);
    const uint32_t value = f.count == 1 ? value_of(tiff, &f, 0) : 1;
    return value >= 1 && value <= 8 ? (int)value : 1;
}

void exif_set_upright(blob *tiff)
{
    const field f = find_orientation(blob_view(tiff));
    if (f.count == 1)
        set_number(tiff, f.values, f.size, 1);
}

/* --- Pictures of the old pixels --------------------------------------------------------------- */

/* Bounds on the work: a file that exceeds them lies, as its ranges overlap or its directories follow each other in a
 * ring. */
typedef struct wiper {
    blob *tiff;
    int directories; /* that may still be visited */
    size_t bytes;    /* that may still be overwritten */
} wiper;

enum { DIRECTORIES_MOST = 64, PARTS_MOST = 4096, PASSES_MOST = 4 };

/* Overwrites the bytes with 0, and cuts them off where they are the end. The head and the first directory are left
 * alone, and so are the bytes behind that directory where the range begins before it: its size must be wrong then. A
 * size that reaches beyond the end counts as the rest. */
static void wipe_range(wiper *w, size_t begin, size_t size)
{
    blob *const tiff = w->tiff;
    const bytes view = blob_view(tiff);
    const size_t first = number(view, 4, 4), behind = link_of(view, first) + LINK;
    if (begin < HEAD || begin > tiff->size)
        return;
    size_t end = size < tiff->size - begin ? begin + size : tiff->size;
    if (begin < first)
        end = end < first ? end : first;
    else if (begin < behind)
        begin = behind;
    if (begin >= end || end - begin > w->bytes)
        return;
    w->bytes -= end - begin;
    memset(tiff->data + begin, 0, end - begin);
    if (end == tiff->size)
        tiff->size = begin;
}

static void wipe_parts(wiper *w, size_t directory, uint32_t offsets_tag, uint32_t sizes_tag)
{
    const field offsets = find_field(blob_view(w->tiff), directory, offsets_tag);
    const field sizes = find_field(blob_view(w->tiff), directory, sizes_tag);
    for (uint32_t i = 0; i < offsets.count && i < PARTS_MOST; i++) {
        const bytes view = blob_view(w->tiff);
        wipe_range(w, value_of(view, &offsets, i), value_of(view, &sizes, i));
    }
}

enum { SUB_DIRECTORIES = 0x14a };

static void wipe_sub_directories(wiper *w, size_t directory);

/* Wipes the pictures of a directory, of those in it and of those that follow it: a JPEG (EXIF 2.3, 4.6.5), strips or
 * tiles (TIFF 6.0). */
static void wipe_directories(wiper *w, size_t directory)
{
    while (directory != 0 && w->directories > 0) {
        const size_t link = link_of(blob_view(w->tiff), directory);
        const size_t next = number(blob_view(w->tiff), link, LINK);
        w->directories--;
        wipe_sub_directories(w, directory);
        wipe_parts(w, directory, 0x201, 0x202);
        wipe_parts(w, directory, 0x111, 0x117);
        wipe_parts(w, directory, 0x144, 0x145);
        directory = next;
    }
}

static void wipe_sub_directories(wiper *w, size_t directory)
{
    const field f = find_field(blob_view(w->tiff), directory, SUB_DIRECTORIES);
    for (uint32_t i = 0; i < f.count && i < DIRECTORIES_MOST; i++)
        wipe_directories(w, value_of(blob_view(w->tiff), &f, i));
}

/* Wipes the JPEGs that no directory names, as in a camera's notes. Returns whether there were any. */
static bool wipe_jpegs(wiper *w)
{
    size_t at = HEAD, begin;
    bool any = false;
    for (; w->directories > 0 && jpeg_find(blob_view(w->tiff), &at, &begin); w->directories--) {
        wipe_range(w, begin, at - begin);
        any = true;
    }
    return any;
}

/* Removes an entry: the entries behind it, and the link, move into its place. */
static void remove_entry(blob *tiff, size_t directory, size_t entry)
{
    const size_t end = link_of(blob_view(tiff), directory) + LINK;
    memmove(tiff->data + entry, tiff->data + entry + ENTRY, end - entry - ENTRY);
    memset(tiff->data + end - ENTRY, 0, ENTRY);
    set_number(tiff, directory, 2, number(blob_view(tiff), directory, 2) - 1);
}

bool exif_drop_thumbnail(blob *tiff)
{
    const size_t first = number(blob_view(tiff), 4, 4), link = link_of(blob_view(tiff), first);
    const field sub = find_field(blob_view(tiff), first, SUB_DIRECTORIES);
    wiper w = {.tiff = tiff, .directories = DIRECTORIES_MOST, .bytes = PASSES_MOST * tiff->size};
    wipe_directories(&w, number(blob_view(tiff), link, LINK));
    wipe_sub_directories(&w, first);
    w.directories = DIRECTORIES_MOST;
    const bool had_jpegs = wipe_jpegs(&w);
    if (link + LINK > tiff->size) /* the file ends with the first directory, which has no link */
        return had_jpegs;
    set_number(tiff, link, LINK, 0);
    if (sub.count > 0)
        remove_entry(tiff, first, sub.entry);
    return had_jpegs || sub.count > 0;
}
