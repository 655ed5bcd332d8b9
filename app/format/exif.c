#include "format/exif.h"

#include <string.h>

enum { SHORT = 3, LONG = 4, IFD = 13 }; /* TIFF 6.0, section 2; IFD: TIFF Technical Note 1 */

uint32_t exif_number(bytes tiff, size_t at, int size)
{
    uint32_t value = 0;
    if (at > tiff.size || (size_t)size > tiff.size - at)
        return 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | tiff.data[at + (size_t)(tiff.data[0] == 'M' ? i : size - 1 - i)];
    return value;
}

void exif_set_number(blob *tiff, size_t at, int size, uint32_t value)
{
    for (int i = 0; i < size; i++)
        tiff->data[at + (size_t)(tiff->data[0] == 'M' ? size - 1 - i : i)] =
            (uint8_t)(value >> 8 * i);
}

size_t exif_link(bytes tiff, size_t directory)
{
    return directory + 2 + EXIF_ENTRY_SIZE * (size_t)exif_number(tiff, directory, 2);
}

bool exif_is_sound(bytes tiff)
{
    if (tiff.size < EXIF_HEAD_SIZE + 2 ||
        (memcmp(tiff.data, "II*\0", 4) != 0 && memcmp(tiff.data, "MM\0*", 4) != 0))
        return false;
    const size_t directory = exif_number(tiff, 4, 4);
    return directory >= EXIF_HEAD_SIZE && directory <= tiff.size - 2 &&
           exif_link(tiff, directory) <= tiff.size;
}

bool exif_read_entry(bytes tiff, size_t directory, uint32_t i, exif_entry *e)
{
    static const uint8_t units[] = {0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8, 4};
    enum { RATIONAL = 5, SRATIONAL = 10 };
    const size_t at = directory + 2 + EXIF_ENTRY_SIZE * (size_t)i;
    *e = (exif_entry){.tag = exif_number(tiff, at, 2),
                      .type = exif_number(tiff, at + 2, 2),
                      .count = exif_number(tiff, at + 4, 4),
                      .at = at};
    if (e->type == 0 || e->type >= sizeof units || e->count > tiff.size || at > tiff.size ||
        EXIF_ENTRY_SIZE > tiff.size - at)
        return false;
    e->unit = units[e->type];
    e->size = e->unit * e->count * (e->type == RATIONAL || e->type == SRATIONAL ? 2 : 1);
    e->values = e->size <= 4 ? at + 8 : exif_number(tiff, at + 8, 4);
    return e->values <= tiff.size && e->size <= tiff.size - e->values;
}

bool exif_find_entry(bytes tiff, size_t directory, uint32_t tag, exif_entry *e)
{
    const uint32_t count = exif_number(tiff, directory, 2);
    for (uint32_t i = 0; i < count; i++)
        if (exif_read_entry(tiff, directory, i, e) && e->tag == tag)
            return true;
    return false;
}

bool exif_find_first(bytes tiff, uint32_t tag, exif_entry *e)
{
    return exif_is_sound(tiff) && exif_find_entry(tiff, exif_number(tiff, 4, 4), tag, e);
}

bool exif_find_own(bytes tiff, uint32_t tag, exif_entry *e)
{
    exif_entry own;
    return exif_find_first(tiff, EXIF_DIRECTORY, &own) &&
           exif_find_entry(tiff, exif_value(tiff, &own, 0), tag, e);
}

bool exif_is_among(uint32_t tag, const uint16_t *tags, size_t count)
{
    size_t i = 0;
    while (i < count && tags[i] != tag)
        i++;
    return i < count;
}

uint32_t exif_value(bytes tiff, const exif_entry *e, uint32_t i)
{
    const bool is_number = e->type == SHORT || e->type == LONG || e->type == IFD;
    return is_number && i < e->count
               ? exif_number(tiff, e->values + e->unit * (size_t)i, (int)e->unit)
               : 0;
}

/* Finds the one number of the orientation, of 2 or 4 bytes. */
static bool find_orientation(bytes tiff, exif_entry *e)
{
    enum { ORIENTATION = 0x112 };
    return exif_find_first(tiff, ORIENTATION, e) && e->count == 1 &&
           (e->type == SHORT || e->type == LONG || e->type == IFD);
}

int exif_orientation(bytes tiff)
{
    exif_entry e;
    const uint32_t value = find_orientation(tiff, &e) ? exif_value(tiff, &e, 0) : 1;
    return value >= 1 && value <= 8 ? (int)value : 1;
}

void exif_set_upright(blob *tiff)
{
    exif_entry e;
    if (find_orientation(blob_view(tiff), &e))
        exif_set_number(tiff, e.values, (int)e.unit, 1);
}
