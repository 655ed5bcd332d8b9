/* Google's Dynamic Depth 1.0, which Pixels and other Android phones write: XMP lists the files that follow the JPEG one behind
 * the other, and describes the depth map among them. */
#include "base/number.h"
#include "embedded/photo.h"
#include "format/xmp.h"

#include <string.h>

enum { MOST_FILES = 64 };

typedef struct appended { /* an item of the list; the first is the photo itself */
    bytes uri, semantic;
    uint64_t length, padding;
} appended;

typedef struct directory {
    appended files[MOST_FILES];
    int count;
} directory;

static uint64_t whole_number(bytes text)
{
    const double value = number_of_text(text, 0);
    return value > 0 && value <= 0x1p52 ? (uint64_t)value : 0;
}

static void take_property(appended *a, const xmp_token *t)
{
    if (xmp_equals(t->local, "DataURI"))
        a->uri = t->value;
    else if (xmp_equals(t->local, "Semantic"))
        a->semantic = t->value;
    else if (xmp_equals(t->local, "Length"))
        a->length = whole_number(t->value);
    else if (xmp_equals(t->local, "Padding"))
        a->padding = whole_number(t->value);
}

/* Reads the list from a packet. Each rdf:li of Container:Directory is a file. */
static void read_directory(bytes xmp, directory *d)
{
    xmp_space container = {.count = 0}, rdf = {.count = 0};
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    bool inside = false;
    xmp_bind(xmp, "http://ns.google.com/photos/dd/1.0/container/", false, &container);
    xmp_bind(xmp, "http://ns.google.com/photos/1.0/container/", false, &container);
    xmp_space item = {.count = 0};
    xmp_bind(xmp, "http://ns.google.com/photos/dd/1.0/item/", false, &item);
    xmp_bind(xmp, "http://ns.google.com/photos/1.0/container/item/", false, &item);
    xmp_bind(xmp, XMP_RDF, false, &rdf);
    while (container.count > 0 && d->count < MOST_FILES && xmp_next(&r, &t) != XMP_END)
        if (t.kind != XMP_ATTRIBUTE && xmp_is(&t, &container, "Directory"))
            inside = t.kind == XMP_OPEN;
        else if (inside && t.kind == XMP_OPEN && xmp_is(&t, &rdf, "li"))
            d->files[d->count++] = (appended){.length = 0};
        else if (inside && d->count > 0 && t.value.data && xmp_is(&t, &item, NULL))
            take_property(&d->files[d->count - 1], &t);
}

/* Returns the file that the list has under that name, or with that meaning. size 0: there is none, or it is not within the
 * photo's file; *listed tells. */
static bytes find_file(const photo *ph, const directory *d, bytes uri, const char *semantic,
                       bool *listed)
{
    uint64_t at = ph->end + (d->count ? d->files[0].padding : 0);
    *listed = false;
    for (int i = 1; i < d->count && at <= ph->file.size; i++) {
        const appended *const a = &d->files[i];
        const bool named =
            uri.size > 0 && a->uri.size == uri.size && memcmp(a->uri.data, uri.data, uri.size) == 0;
        if (named || (uri.size == 0 && xmp_equals(a->semantic, semantic))) {
            *listed = true;
            return embedded_slice(ph->file, at, a->length);
        }
        at += a->length + a->padding;
    }
    return (bytes){.size = 0};
}

/* Sets the meaning. Diopters give no metres: some phones write them with the smaller number for near, whose meaning nobody
 * documents. */
static bool set_meaning(bytes xmp, const xmp_space *map_space, embedded_map *map)
{
    bytes format = {.size = 0}, units = {.size = 0}, near = {.size = 0}, far = {.size = 0};
    xmp_value(xmp, map_space, "Format", &format);
    xmp_value(xmp, map_space, "Units", &units);
    xmp_value(xmp, map_space, "Near", &near);
    xmp_value(xmp, map_space, "Far", &far);
    return embedded_set_google(map, format, number_of_text(near, 0), number_of_text(far, 0),
                               xmp_equals(units, "Meters") ? 1 : 0);
}

/* Takes the photo before it was blurred, unless it is the visible one. */
static void take_original(const photo *ph, const directory *d, embedded_map *map)
{
    static const char uri[] = "android/original_image";
    bool listed;
    map->original = find_file(ph, d, (bytes){.size = 0}, "Original", &listed);
    if (!listed)
        map->original = find_file(
            ph, d, (bytes){.data = (const uint8_t *)uri, .size = sizeof uri - 1}, "", &listed);
}

/* Finds the map that one of the packets describes. */
static embedded_status find_in(const photo *ph, bytes xmp, const directory *d, embedded_found *f,
                               problem *p)
{
    xmp_space space = {.count = 0};
    bytes uri = {.size = 0}, semantic = {.size = 0};
    bool listed;
    xmp_bind(xmp, "http://ns.google.com/photos/dd/1.0/depthmap/", false, &space);
    xmp_value(xmp, &space, "ItemSemantic", &semantic);
    if (!xmp_value(xmp, &space, "DepthURI", &uri) && !xmp_equals(semantic, "Depth"))
        return EMBEDDED_NONE;
    f->map->source = "Google's Dynamic Depth";
    f->coded = find_file(ph, d, uri, "Depth", &listed);
    if (f->coded.size == 0)
        return embedded_fail(
            p, listed ? "it is cut off before its depth map; get the photo as the phone wrote it"
                      : "its depth map is not among the files that it lists; get the photo as the "
                        "phone wrote it");
    if (!set_meaning(xmp, &space, f->map))
        return embedded_fail(
            p,
            "its DepthMap:Format is neither RangeInverse nor RangeLinear; extract the map and give "
            "it by --depth");
    take_original(ph, d, f->map);
    return EMBEDDED_FOUND;
}

embedded_status dynamic_depth_find(const photo *ph, embedded_kind kind, embedded_found *f,
                                   problem *p)
{
    directory d = {.count = 0};
    if (kind != EMBEDDED_DEPTH)
        return EMBEDDED_NONE;
    read_directory(ph->xmp.packet, &d);
    if (d.count == 0)
        read_directory(blob_view(&ph->xmp.extended), &d);
    const embedded_status status = find_in(ph, ph->xmp.packet, &d, f, p);
    return status == EMBEDDED_NONE ? find_in(ph, blob_view(&ph->xmp.extended), &d, f, p) : status;
}
