/* The depth channel beside the picture in an EXR, like Z. */
#include "embedded/photo.h"

#include <string.h>

bool exr_begins(bytes file)
{
    return file.size > 4 && memcmp(file.data, "v/1\x01", 4) == 0;
}

embedded_status exr_depth_read(bytes file, embedded_kind kind, const decode_settings *settings,
                               embedded_map *out, problem *p)
{
    if (kind != EMBEDDED_DEPTH)
        return EMBEDDED_NONE;
    const values_status status = exr_own_depth(file, settings, &out->picture.values, p);
    if (status != VALUES_READ)
        return status == VALUES_NONE ? EMBEDDED_NONE : EMBEDDED_FAILED;
    out->picture.format = "EXR";
    out->picture.library = "OpenEXRCore";
    out->picture.orientation = 1;
    out->source = "the EXR's depth channel";
    return EMBEDDED_FOUND;
}
