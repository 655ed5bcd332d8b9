/* Reads Google's depth map in XMP, which Lens Blur and other programs write. */
#include "base/number.h"
#include "embedded/photo.h"
#include "format/xmp.h"

#include <stdlib.h>
#include <string.h>

/* Finds a property in the packet or in its extension. */
static bool find_value(const photo *ph, const char *uri, const char *name, bytes *value)
{
    const bytes packets[] = {ph->xmp.packet, blob_view(&ph->xmp.extended)};
    for (int i = 0; i < 2; i++) {
        xmp_space space = {.count = 0};
        xmp_bind(packets[i], uri, false, &space);
        if (xmp_value(packets[i], &space, name, value))
            return true;
    }
    return false;
}

static bytes value_of(const photo *ph, const char *name)
{
    bytes value = {.size = 0};
    find_value(ph, GDEPTH, name, &value);
    return value;
}

/* Sets the meaning. The defaults of Format and Units are those of the reference. */
static bool set_meaning(const photo *ph, embedded_map *map)
{
    bytes format = value_of(ph, "Format");
    const bytes units = value_of(ph, "Units");
    if (format.size == 0)
        format = (bytes){.data = (const uint8_t *)"RangeInverse", .size = 12};
    const double metres = units.size == 0 || xmp_equals(units, "m") ? 1
                          : xmp_equals(units, "mm")                 ? 0.001
                                                                    : 0;
    return embedded_set_google(map, format, number_of_text(value_of(ph, "Near"), 0),
                               number_of_text(value_of(ph, "Far"), 0), metres);
}

static bool says(bytes text, const char *words)
{
    const size_t length = strlen(words);
    for (size_t at = 0; at + length <= text.size; at++)
        if (memcmp(text.data + at, words, length) == 0)
            return true;
    return false;
}

/* Takes what the map's codes were before they were kept here. */
static void take_kept(const photo *ph, embedded_found *f)
{
    const bytes software = value_of(ph, "Software");
    embedded_meaning *const means = &f->map->means;
    if (!says(software, GDEPTH_SOFTWARE))
        return;
    f->is_turned = says(software, GDEPTH_WHITE_NEAR);
    means->near_black = !f->is_turned;
    means->holes = says(software, GDEPTH_HOLES) ? SATB_HOLES_FILL : SATB_HOLES_NONE;
    means->begins_at_1 = says(software, GDEPTH_BEGINS_AT_1);
}

/* Takes the photo as it was taken. One that is no base64 is left out: the visible one remains. False: memory ran out. */
static bool take_original(const photo *ph, embedded_map *map)
{
    bytes text;
    if (!find_value(ph, GIMAGE, "Data", &text))
        return true;
    if (base64_decode(text, &map->original_memory))
        map->original = blob_view(&map->original_memory);
    const bool starved = map->original_memory.failed;
    if (map->original.size == 0)
        blob_free(&map->original_memory);
    return !starved;
}

embedded_status gdepth_find(const photo *ph, embedded_kind kind, embedded_found *f, problem *p)
{
    bytes text;
    if (kind != EMBEDDED_DEPTH)
        return EMBEDDED_NONE;
    if (!find_value(ph, GDEPTH, "Data", &text)) {
        const bool lacks = ph->xmp.is_damaged && value_of(ph, "Near").size > 0;
        return lacks
                   ? embedded_fail(p, "its XMP names a depth map, but the extended XMP that holds "
                                      "the map is not whole; get the photo as the phone wrote it")
                   : EMBEDDED_NONE;
    }
    f->map->source = "Google's depth map in XMP";
    if (!set_meaning(ph, f->map))
        return embedded_fail(p,
                             "its GDepth:Format is neither RangeInverse nor RangeLinear; extract "
                             "the map (exiftool -b -GDepth:Data) and give it by --depth");
    if (!base64_decode(text, &f->memory))
        return embedded_fail(
            p, f->memory.failed
                   ? "not enough memory for its depth map"
                   : "its GDepth:Data is not base64; get the photo as the phone wrote it");
    f->coded = blob_view(&f->memory);
    take_kept(ph, f);
    return take_original(ph, f->map)
               ? EMBEDDED_FOUND
               : embedded_fail(p, "not enough memory for the photo as it was taken");
}
