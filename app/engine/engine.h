/* Does the work that the options ask for on a device: chooses the device, falls back from a GPU to the CPU, verifies one
 * against the other. */
#ifndef SATBLUR_APP_ENGINE_H
#define SATBLUR_APP_ENGINE_H

#include "engine/options.h"
#include "base/message.h"
#include "depth/depth_codes.h"

#include <satblur.h>

#include <pthread.h>
#include <stdbool.h>

typedef struct engine_request {
    const options *o;
    satb_dof_params
        dof; /* the options'; --depth-range and the focus point are the stored map's and picture's */
    satb_box_params box; /* radii in the stored picture */
    /* Dense pictures, each on the host or on the GPU that does the work; map.data, matte.data, protect.data NULL: none. If the CPU does
     * the work on pixels of a GPU, they are moved to the host; all are for pixels_drop(). */
    satb_image src, map, matte, protect;
    depth_origin origin;     /* of a map that was made of numbers */
    struct replaced_map {    /* by the differences from --focus-plane */
        satb_image map;      /* its shape; width 0: none was */
        satb_dof_params dof; /* what its codes mean */
        uint64_t unknown;    /* samples that are holes */
        double depths[3];    /* disparities at the three pixels */
    } plane;
    unsigned map_white; /* the largest code in the map's own numbers */
    /* If a GPU's memory is short, the picture fails with problem.out_of_device_memory, instead of being cut into many
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

/* Returns whether the depth map is measured, too. */
bool engine_measures_depth(const options *o);

/* Contexts by satb_device. A context is opened when it is first needed, and kept, as its buffers are reused. */
typedef struct engine {
    satb_config config;
    satb_context *contexts[3];
    bool
        is_for_one; /* picture: `auto` chooses the CPU if a GPU takes longer to start than the CPU for the work */
    bool was_cut; /* the last picture, into bands */
    bool is_starting;
    pthread_t starter;
} engine;

/* Begins to open a CUDA device that --device names, in a thread of its own. */
void engine_start(engine *e);

/* Moves the request's picture, map and matte to the host, where they are not yet. False: p has the line. */
bool engine_bring(engine_request *q, problem *p);

/* Returns false on failure; then p has the line to print. */
bool engine_run(engine *e, engine_request *q, problem *p);

/* Opens the device that engine_run() would, so that a missing one shows early. */
bool engine_open(engine *e, bool *is_cuda, problem *p);

/* Frees the memory that is kept for later pictures. */
void engine_trim(engine *e);

void engine_close(engine *e);

#endif
