/* Runs the work that the options ask for on a device: picks it, falls back from a GPU to the CPU,
 * verifies one against the other. */
#ifndef SATBLUR_APP_ENGINE_H
#define SATBLUR_APP_ENGINE_H

#include "engine/options.h"
#include "base/message.h"

#include <satblur.h>

#include <pthread.h>
#include <stdbool.h>

typedef struct engine_request {
    const options *o;
    satb_dof_params dof; /* the options', with --depth-range in the map's own terms, and the focus'
                            point and */
    satb_box_params box; /* the radii as they lie in the stored picture */
    /* Dense; map.data NULL: none. Where they are on a GPU and the CPU is to do the work after all, they come to the
     * host, in place of these pixels, for pixels_drop(). */
    satb_image src, map;
    /* For a GPU's memory that others have: rather than be cut into many bands, or done by the CPU, the picture fails,
     * and problem.out_of_device_memory says that it may be tried again. */
    bool may_wait;
    satb_image dst; /* data NULL: only measure; never src's own memory, as a GPU that fails halfway
                       leaves a part */

    /* Results */
    satb_channel_stats stats[4];     /* with --stats or --histogram */
    satb_channel_stats luminance;    /* with --histogram */
    satb_channel_stats map_stats[4]; /* of the depth map, with --stats */
    satb_image coc;                  /* with --dump-coc; data NULL: none */
    satb_dof_report report;
    satb_timings timings; /* of everything together */
    satb_memory memory;   /* the most of everything */
    double chosen_ms; /* `auto` took the CPU, which was expected to take so long; 0: it did not */
    double start_ms;  /* opening the device, or waiting for that; 0 where it was open */
    char device[256];
    size_t verified; /* bytes that were found equal under --verify */
} engine_request;

/* Whether the depth map is measured, too. */
bool engine_measures_depth(const options *o);

/* Contexts on a device, opened when they are first needed and kept, as their buffers are reused. */
typedef struct engine {
    satb_config config;
    satb_context *contexts[3]; /* by satb_device */
    bool is_for_one; /* picture only: `auto` leaves out a GPU that takes longer to start than
                                  the CPU takes for the work */
    bool was_cut;    /* the last picture, into bands */
    bool is_starting;
    pthread_t starter;
} engine;

/* Begins to open a CUDA device that was asked for, while the caller does something else. */
void engine_start(engine *e);

/* False: p has the line to print. */
bool engine_run(engine *e, engine_request *q, problem *p);

/* Opens what engine_run() would, to find out early whether there is such a device, and whether it is
 * a GPU. */
bool engine_open(engine *e, bool *is_cuda, problem *p);

/* Gives back the memory that is kept for the next picture. */
void engine_trim(engine *e);

void engine_close(engine *e);

#endif
