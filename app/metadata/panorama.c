#include "metadata/panorama.h"

#include "format/xmp.h"

/* Returns whether two properties have the same text, or one is missing. */
static bool agree(bytes xmp, const xmp_space *space, const char *one, const char *other)
{
    bytes a, b;
    return !xmp_value(xmp, space, one, &a) || !xmp_value(xmp, space, other, &b) ||
           bytes_equal(a, b);
}

bool panorama_is_whole(const metadata *m, int width, int height)
{
    const bytes xmp = blob_view(&m->xmp);
    xmp_space space = {.count = 0};
    bytes projection;
    if (xmp.size == 0 || width != 2 * height)
        return false;
    xmp_bind(xmp, "http://ns.google.com/photos/1.0/panorama/", false, &space);
    return xmp_value(xmp, &space, "ProjectionType", &projection) &&
           xmp_equals(projection, "equirectangular") &&
           agree(xmp, &space, "FullPanoWidthPixels", "CroppedAreaImageWidthPixels");
}
