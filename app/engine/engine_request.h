/* The work on one picture: its pixels, and how they are blurred and measured; then the results. */
#ifndef SATBLUR_APP_ENGINE_REQUEST_H
#define SATBLUR_APP_ENGINE_REQUEST_H

#include "engine/options.h"
#include "depth/depth_codes.h"

#include <satblur.h>

#include <stdbool.h>

typedef struct engine_request {
    const options *o;
    satb_dof_params
        dof; /* the options'; --depth-range and the focus point are the stored map's and picture's */
    satb_box_params box; /* radii in the stored picture */
    /* Dense pictures, each on the host or on the GPU that does the work; data NULL: none. If the CPU does the work on
     * pixels of a GPU, they are moved to the host. */
    SOURCE_MEMBERS(satb_image, images, src);
    satb_image
        deep; /* src in 16 bits on the host, to be blurred instead: dst has 16 bits, too. data NULL: none */
    depth_origin origin;     /* of a map that was made of numbers */
    struct replaced_map {    /* by the differences from --focus-plane */
        satb_image map;      /* its shape; width 0: none was */
        satb_dof_params dof; /* what its codes mean */
        uint64_t unknown;    /* samples that are holes */
        double depths[3];    /* disparities at the three pixels */
    } plane;
    /* The map's codes were read from its colours; it is aligned with the stored picture, though that is rotated. */
    bool map_had_colours, map_is_unturned;
    const char *area_name; /* of dof.focus_area, from the photo's metadata; NULL: it has none */
    unsigned map_white;    /* the largest code in the map's own numbers */
    /* If a GPU's memory is short, the picture fails with PROBLEM_DEVICE_MEMORY, instead of being cut into many
     * bands or done by the CPU. */
    bool may_wait;
    satb_image
        dst; /* data NULL: only measure; never src's own memory, as a GPU that fails leaves a part */

    /* Results */
    satb_channel_stats stats[4];     /* with --stats or --histogram */
    satb_channel_stats luminance;    /* with --histogram */
    satb_channel_stats map_stats[4]; /* of the depth map, with --stats */
    satb_image
        coc; /* data NULL: none. Without dst only this and the report are made, which has the focus */
    satb_dof_report report;
    satb_timings timings; /* the sums over all steps */
    satb_memory memory;   /* the most of all steps */
    double chosen_ms;     /* expected time of the CPU, if `auto` chose it for that; else 0 */
    double start_ms;      /* time to open the device; 0: it was open */
    char device[256];
    size_t verified; /* bytes that are equal on both devices, with --verify */
} engine_request;

/* Returns the picture that is blurred: src, or deep. */
const satb_image *engine_blurred(const engine_request *q);

/* Returns whether the depth map is measured, too. */
bool engine_measures_depth(const options *o);

/* Adds a call's timings and memory to the request's, and returns its status. */
satb_status engine_timed(engine_request *q, const satb_context *context, satb_status status);

#endif
