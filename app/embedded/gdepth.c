/* Google's depth map in XMP, which Lens Blur and other programs write (developers.google.com/depthmap-metadata): GDepth has
 * the map in base64, and GImage the photo as it was taken. */
#include "base/number.h"
#include "embedded/photo.h"
#include "format/beside.h"
#include "format/xmp.h"
#include "format/xmp_add.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GDEPTH "http://ns.google.com/photos/1.0/depthmap/"
#define GIMAGE "http://ns.google.com/photos/1.0/image/"

/* --- Reading ---------------------------------------------------------------------------------- */

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

/* GDepth:Software of maps that are kept here, and what it adds of codes that GDepth does not know. */
#define SOFTWARE   "satblur"
#define WHITE_NEAR ", white was near"
#define RANGE      ", range "
static const char *const hole_words[] = {[SATB_HOLES_NONE] = "",
                                         [SATB_HOLES_FAR] = ", 0 was far",
                                         [SATB_HOLES_NEAR] = ", 0 was near",
                                         [SATB_HOLES_FILL] = ", 0 was unknown"};

/* Takes what the codes were before they were kept here. */
static void take_kept(const photo *ph, embedded_meaning *means)
{
    char text[160] = "";
    const bytes software = value_of(ph, "Software");
    if (software.size >= sizeof text || software.size < strlen(SOFTWARE) ||
        memcmp(software.data, SOFTWARE, strlen(SOFTWARE)) != 0)
        return;
    memcpy(text, software.data, software.size);
    means->is_turned = strstr(text, WHITE_NEAR) != NULL;
    means->near_black = !means->is_turned;
    means->holes = SATB_HOLES_NONE;
    for (satb_holes h = SATB_HOLES_FAR; h <= SATB_HOLES_FILL; h++)
        means->holes = strstr(text, hole_words[h]) ? h : means->holes;
    double low, high;
    const char *at = strstr(text, RANGE);
    at += at ? strlen(RANGE) : 0;
    if (at && number_until(&at, " ", 0, 1, &low) && *at++ && number_until(&at, "", 0, 1, &high) &&
        low < high) {
        means->range_low = low;
        means->range_high = high;
    }
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
    take_kept(ph, &f->map->means);
    return take_original(ph, f->map)
               ? EMBEDDED_FOUND
               : embedded_fail(p, "not enough memory for the photo as it was taken");
}

/* --- Writing ---------------------------------------------------------------------------------- */

typedef struct number_text {
    char text[32];
} number_text;

/* Returns the number in 15 digits, or in 17 where it needs them. */
static number_text text_of(double number)
{
    number_text t;
    snprintf(t.text, sizeof t.text, "%.15g", number);
    if (strtod(t.text, NULL) != number)
        snprintf(t.text, sizeof t.text, "%.17g", number);
    return t;
}

/* Near and Far must be there: of an unknown unit, 1 : 10 is a usual scene. */
bool embedded_describe(metadata *m, const embedded_meaning *means, bool is_own, problem *p)
{
    char text[800], range[80] = "";
    const bool known = means->distance_near > 0;
    if (means->range_high > 0)
        snprintf(range, sizeof range, RANGE "%s %s", text_of(means->range_low).text,
                 text_of(means->range_high).text);
    snprintf(text, sizeof text,
             " xmlns:GDepth=\"" GDEPTH "\" xmlns:xmpNote=\"" JPEG_XMP_NOTE
             "\"\n xmpNote:HasExtendedXMP=\"%032d\" GDepth:Format=\"%s\" GDepth:Near=\"%s\" "
             "GDepth:Far=\"%s\" GDepth:Units=\"%s\"\n GDepth:Mime=\"image/png\" "
             "GDepth:Software=\"" SOFTWARE "%s%s%s\"/>\n",
             0, means->type == SATB_DEPTH_LINEAR ? "RangeLinear" : "RangeInverse",
             text_of(known ? means->distance_near : 1).text,
             text_of(known ? fmin(means->distance_far, GOOGLE_FARTHEST) : 10).text,
             known ? "m" : "relative", means->near_black ? "" : WHITE_NEAR,
             hole_words[means->holes], range);
    if (!metadata_announce_extended(m, text, p))
        return false;
    if (is_own) {
        words_remove(&m->lost, BESIDE_XMP_DEPTH);
        words_remove(&m->lost, BESIDE_DEPTH_MAP);
    }
    return true;
}

bool embedded_add(metadata *m, blob *png)
{
    blob description = {0}, packet = {0};
    blob_add_text(&description, " xmlns:GDepth=\"" GDEPTH "\" GDepth:Data=\"");
    base64_encode(blob_view(png), &description);
    blob_free(png);
    blob_add_text(&description, "\"/>\n");
    const bool made = !description.failed && xmp_add(&packet, blob_view(&description));
    blob_free(&description);
    const bool added = made && metadata_add_extended(m, blob_view(&packet));
    blob_free(&packet);
    return added;
}
