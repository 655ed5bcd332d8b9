/* The depth map or the matte beside a HEIC's primary picture. */
#include "embedded/photo.h"

#include "codec/heif/heif_aux.h"
#include "codec/isolate.h"

/* Reads in a process of its own, or in this one where none can be started. */
static heif_aux_status read_aux(bytes file, heif_aux kind, const decode_settings *settings,
                                heif_aux_image *out, problem *p)
{
    switch (isolate_aux(file, kind, settings, out, p)) {
    case ISOLATE_READ: return HEIF_AUX_READ;
    case ISOLATE_NONE: return HEIF_AUX_NONE;
    case ISOLATE_FAILED: return HEIF_AUX_FAILED;
    default: return heif_aux_read(file, kind, settings, out, p);
    }
}

embedded_status heic_read(bytes file, embedded_kind kind, const decode_settings *settings,
                          embedded_map *out, problem *p)
{
    const bool is_depth = kind == EMBEDDED_DEPTH;
    heif_aux_image aux;
    const heif_aux_status status =
        read_aux(file, is_depth ? HEIF_AUX_DEPTH : HEIF_AUX_MATTE, settings, &aux, p);
    if (status != HEIF_AUX_READ)
        return status == HEIF_AUX_NONE ? EMBEDDED_NONE : EMBEDDED_FAILED;
    out->picture = (picture){.image = aux.image,
                             .format = "HEIC",
                             .library = heif_name(),
                             .white = aux.white,
                             .orientation = 1};
    out->source = is_depth ? "the HEIC's depth map" : "the HEIC's matte";
    out->means.type = aux.type;
    out->means.near_black = aux.near_black;
    out->means.distance_near = aux.distance_near;
    out->means.distance_far = aux.distance_far;
    return EMBEDDED_FOUND;
}
