/* Apple's portraits as JPEG: further JPEGs follow the photo, in no fixed order. The XMP of each says what it is. */
#include "base/number.h"
#include "embedded/photo.h"
#include "format/jpeg_segment.h"
#include "format/xmp.h"

#include <math.h>
#include <string.h>

#define APDI       "http://ns.apple.com/pixeldatainfo/1.0/"
#define DEPTH_DATA "http://ns.apple.com/depthData/1.0/"

static bytes value_of(bytes xmp, const char *uri, const char *name)
{
    xmp_space space = {.count = 0};
    bytes value = {.size = 0};
    xmp_bind(xmp, uri, false, &space);
    xmp_value(xmp, &space, name, &value);
    return value;
}

static bool ends_in(bytes text, const char *end)
{
    const size_t length = strlen(end);
    return text.size >= length && memcmp(text.data + text.size - length, end, length) == 0;
}

/* Returns whether the XMP is that of a map of the kind. Mattes of hair, skin and the sky are none, nor are gain maps. The
 * subject's matte may have "depth" as its type, and "portraiteffectsmatte" as its subtype. */
static bool is_wanted(bytes xmp, embedded_kind kind)
{
    const bytes type = value_of(xmp, APDI, "AuxiliaryImageType"),
                subtype = value_of(xmp, APDI, "AuxiliaryImageSubType");
    if (kind == EMBEDDED_MATTE)
        return ends_in(subtype, "portraiteffectsmatte") || ends_in(type, "portraiteffectsmatte");
    return subtype.size == 0 && (xmp_equals(type, "disparity") || xmp_equals(type, "depth"));
}

/* Sets what the codes mean: from FloatMinValue at 0 to FloatMaxValue at 255, in 1 / metres or in metres. Relative depths have no
 * unit. */
static void set_meaning(bytes xmp, embedded_map *map)
{
    const double low = number_of_text(value_of(xmp, APDI, "FloatMinValue"), 0),
                 high = number_of_text(value_of(xmp, APDI, "FloatMaxValue"), 0);
    const bool is_linear = xmp_equals(value_of(xmp, APDI, "AuxiliaryImageType"), "depth");
    map->means.type = is_linear ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    map->means.near_black = is_linear;
    if (!xmp_equals(value_of(xmp, DEPTH_DATA, "Accuracy"), "absolute") || low >= high || low < 0)
        return;
    if (is_linear && low > 0) {
        map->means.distance_near = low;
        map->means.distance_far = high;
    } else if (!is_linear) {
        map->means.distance_near = 1 / high;
        map->means.distance_far = low > 0 ? 1 / low : (double)INFINITY;
    }
}

embedded_status apple_find(const photo *ph, embedded_kind kind, embedded_found *f, problem *p)
{
    size_t begin;
    (void)p;
    for (size_t at = ph->end; jpeg_find(ph->file, &at, &begin);) {
        jpeg_xmp x;
        const bytes jpeg = {.data = ph->file.data + begin, .size = at - begin};
        jpeg_xmp_read(jpeg, &x);
        const bool wanted = is_wanted(x.packet, kind);
        if (wanted && kind == EMBEDDED_DEPTH)
            set_meaning(x.packet, f->map);
        jpeg_xmp_free(&x);
        if (!wanted)
            continue;
        f->coded = jpeg;
        f->map->source = kind == EMBEDDED_DEPTH ? "Apple's depth map" : "Apple's portrait matte";
        return EMBEDDED_FOUND;
    }
    return EMBEDDED_NONE;
}
