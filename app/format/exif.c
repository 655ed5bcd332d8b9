#include "format/exif.h"

#include <string.h>

enum { SHORT = 3, LONG = 4, HEAD = 8, ENTRY = 12 }; /* TIFF 6.0, section 2 */

/* A number of 2 or 4 bytes in the byte order of the TIFF; 0 beyond the end. */
static uint32_t number(bytes tiff, size_t at, int size)
{
    uint32_t value = 0;
    if (at > tiff.size || (size_t)size > tiff.size - at)
        return 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | tiff.data[at + (size_t)(tiff.data[0] == 'M' ? i : size - 1 - i)];
    return value;
}

static void set_number(blob *tiff, size_t at, int size, uint32_t value)
{
    for (int i = 0; i < size; i++)
        tiff->data[at + (size_t)(tiff->data[0] == 'M' ? size - 1 - i : i)] =
            (uint8_t)(value >> 8 * i);
}

static size_t directory_end(bytes tiff, size_t directory)
{
    return directory + 2 + ENTRY * (size_t)number(tiff, directory, 2);
}

bool exif_is_sound(bytes tiff)
{
    if (tiff.size < HEAD + 2 ||
        (memcmp(tiff.data, "II*\0", 4) != 0 && memcmp(tiff.data, "MM\0*", 4) != 0))
        return false;
    const size_t directory = number(tiff, 4, 4);
    return directory >= HEAD && directory <= tiff.size - 2 &&
           directory_end(tiff, directory) <= tiff.size;
}

/* Where the tag's value is, and its bytes, 2 or 4; 0 where it has no single number. */
static size_t find(bytes tiff, size_t directory, uint32_t tag, int *size)
{
    const uint32_t entries = number(tiff, directory, 2);
    for (uint32_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + ENTRY * (size_t)i;
        const uint32_t type = number(tiff, entry + 2, 2);
        if (number(tiff, entry, 2) != tag)
            continue;
        const bool single = (type == SHORT || type == LONG) && number(tiff, entry + 4, 4) == 1;
        *size = type == LONG ? 4 : 2;
        return single && entry + ENTRY <= tiff.size ? entry + 8 : 0;
    }
    return 0;
}

static size_t find_orientation(bytes tiff, int *size)
{
    enum { ORIENTATION = 0x112 };
    return exif_is_sound(tiff) ? find(tiff, number(tiff, 4, 4), ORIENTATION, size) : 0;
}

int exif_orientation(bytes tiff)
{
    int size = 0;
    const size_t at = find_orientation(tiff, &size);
    const uint32_t value = at ? number(tiff, at, size) : 1;
    return value >= 1 && value <= 8 ? (int)value : 1;
}

void exif_set_upright(blob *tiff)
{
    int size = 0;
    const size_t at = find_orientation(blob_view(tiff), &size);
    if (at)
        set_number(tiff, at, size, 1);
}

/* Wipes what the two tags of a directory say is the thumbnail, and cuts it off where it is the end.
 * What lies before `behind` is left alone, whatever they say. */
static void wipe(blob *tiff, size_t directory, uint32_t offset_tag, uint32_t size_tag,
                 size_t behind)
{
    const bytes view = blob_view(tiff);
    int at_size = 0, count_size = 0;
    const size_t at = find(view, directory, offset_tag, &at_size);
    const size_t count = find(view, directory, size_tag, &count_size);
    if (!at || !count)
        return;
    const size_t begin = number(view, at, at_size), size = number(view, count, count_size);
    if (begin < behind || begin > tiff->size || size > tiff->size - begin)
        return;
    memset(tiff->data + begin, 0, size);
    if (begin + size == tiff->size)
        tiff->size = begin;
}

/* The thumbnail is what the second directory describes: a JPEG (0x201, 0x202) or plain rows (0x111,
 * 0x117). EXIF 2.3, 4.5.8. */
void exif_drop_thumbnail(blob *tiff)
{
    const bytes view = blob_view(tiff);
    const size_t first = number(view, 4, 4), end = directory_end(view, first);
    const size_t second = number(view, end, 4);
    if (second == 0)
        return;
    wipe(tiff, second, 0x201, 0x202, end + 4);
    wipe(tiff, second, 0x111, 0x117, end + 4);
    set_number(tiff, end, 4, 0);
}
