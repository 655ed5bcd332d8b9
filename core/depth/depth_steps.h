/* The steps that make a depth map ready, in a table. The table is walked twice: first the steps add up the memory that they
 * take, then they take it and run. */
#ifndef SATB_DEPTH_STEPS_H
#define SATB_DEPTH_STEPS_H

#include "depth/depth_planes.h"

/* A map that is being made. */
typedef struct satb_making {
    satb_depth_map *depth; /* at, picture, holes and resampled are set; the steps set the rest */
    const satb_dof_params *params;
    satb_image map, matte, protect; /* the caller's, as depth->at reads them; data NULL: none */
    satb_need *need;                /* not NULL: the steps only add what they would take */
    satb_need kernel;               /* what one kernel would take */
    satb_depth_numbers *numbers;    /* where kernels write them */
    uint32_t light[256];            /* of 8 bits */
    const uint32_t *linear;         /* it, where kernels read it */
    satk_plane src, plane;          /* the picture; the map as far as it is ready */
} satb_making;

/* Walks the steps. Errors: NOMEM, DEVICE_NOMEM, DEVICE; none if they only add. */
satb_status satb_walk_steps(satb_making *making);

#endif
