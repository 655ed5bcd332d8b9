/* TIFFs that are cameras' raw files: their first picture is a preview or a stub. */
#include "codec/tiff/tiff_layout.h"
#include "format/exif.h"

#include <string.h>

enum { MAKE = 271, PHOTOMETRIC = 262, SUB_DIRECTORIES = 330, DNG_VERSION = 50706, CFA = 32803 };

/* Returns whether one of the directories beside the first one has the colours of a sensor. */
static bool has_sensor(bytes in, size_t first)
{
    enum { MOST = 16 };
    exif_entry e, colours;
    if (!exif_find_entry(in, first, SUB_DIRECTORIES, &e))
        return false;
    for (uint32_t i = 0; i < e.count && i < MOST; i++)
        if (exif_find_entry(in, exif_value(in, &e, i), PHOTOMETRIC, &colours) &&
            exif_value(in, &colours, 0) == CFA)
            return true;
    return false;
}

/* A camera's picture of some pixels in a large file is a stub. */
static bool is_stub(bytes in, size_t first, const tiff_layout *l)
{
    enum { SIDE = 16, LARGE = 64 << 10 };
    exif_entry e;
    return l->width <= SIDE && l->height <= SIDE && in.size > LARGE &&
           exif_find_entry(in, first, MAKE, &e);
}

/* Returns whether the bytes begin as the mark does; there are as many. */
static bool is_marked(const uint8_t *at, const char *mark)
{
    for (size_t i = 0; mark[i]; i++)
        if (mark[i] != '?' && (char)at[i] != mark[i])
            return false;
    return true;
}

const char *tiff_raw_kind(bytes in, const tiff_layout *l)
{
    enum { MARK = 8 };
    static const struct {
        const char *mark, *name; /* '?': any byte */
    } marks[] = {{"CR\2", "CR2"}, {"IIII?waR", "IIQ"}, {"MMMMRaw?", "IIQ"}};
    exif_entry e;
    if (!exif_is_sound(in))
        return NULL;
    const size_t first = exif_number(in, 4, 4);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (first >= EXIF_HEAD_SIZE + MARK && is_marked(in.data + EXIF_HEAD_SIZE, marks[i].mark))
            return marks[i].name;
    return exif_find_entry(in, first, DNG_VERSION, &e)      ? "DNG"
           : has_sensor(in, first) || is_stub(in, first, l) ? "its picture is a stub"
                                                            : NULL;
}
