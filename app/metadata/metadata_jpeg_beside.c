/* What a JPEG file holds beside its picture: further pictures (CIPA DC-007, MPF), and what follows its end. */
#include "format/beside.h"
#include "format/exif.h"
#include "metadata/metadata_fields.h"

#include <string.h>

/* Adds the names of the pictures that the index says the file has. Returns how many are of no known kind; -1: the index is
 * damaged. */
static int name_entries(bytes index, beside_names *names)
{
    enum { COUNT = 0xb001, ENTRIES = 0xb002, ENTRY = 16, TYPE = 0xffffff, PRIMARY = 0x030000 };
    static const struct {
        uint32_t type;
        const char *name;
    } types[] = {{PRIMARY, NULL},           {0x010001, "previews"},
                 {0x010002, "previews"},    {0x020001, "panorama's pictures"},
                 {0x020002, "stereo pair"}, {0x020003, "pictures of other angles"}};
    enum { TYPES = sizeof types / sizeof *types };
    exif_entry e;
    int others = 0;
    if (!exif_find_first(index, ENTRIES, &e) || e.size < ENTRY)
        return -1;
    for (size_t at = 0; at + ENTRY <= e.size; at += ENTRY) {
        const uint32_t type = exif_number(index, e.values + at, 4) & TYPE;
        int i = 0;
        while (i < TYPES && types[i].type != type)
            i++;
        if (i < TYPES)
            beside_add(names, types[i].name);
        else
            others += at > 0; /* some writers call the primary picture nothing */
    }
    return others;
}

/* Returns whether the file ends with its end mark, or with zeros behind it, which editors add.
 * Cameras add videos and pictures. */
static bool ends(bytes file)
{
    while (file.size > 2 && file.data[file.size - 1] == 0)
        file.size--;
    return file.size >= 2 && memcmp(file.data + file.size - 2, "\xff\xd9", 2) == 0;
}

void metadata_lose_beside(metadata *m, bytes file, bytes index, size_t scan)
{
    const size_t from = scan < file.size ? scan : file.size;
    const bytes rest = {.data = file.data + from, .size = file.size - from};
    beside_names names = {.count = 0}, found = {.count = 0};
    int others = index.data ? name_entries(index, &names) : 0;
    beside_search(rest, &found);
    others -= others > 0 ? found.count : 0;
    for (int i = 0; i < found.count; i++)
        words_add(&m->lost, found.at[i]);
    for (int i = 0; i < names.count; i++)
        words_add(&m->lost, names.at[i]);
    /* A gain map of ISO 21496-1 is said by a segment of its own. */
    if (others < 0 || others > (words_have(&m->lost, BESIDE_GAIN_MAP) && found.count == 0))
        words_add(&m->lost, BESIDE_FURTHER " (MPF)");
    if (!ends(file))
        words_add(&m->lost, beside_has_video(rest) ? BESIDE_VIDEO : BESIDE_BEHIND_END);
}
