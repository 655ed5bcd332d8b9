/* A depth map that is being made: its jobs for kernels, and the memory that they need. */
#ifndef SATB_DEPTH_NEED_H
#define SATB_DEPTH_NEED_H

#include "backend/backend.h"
#include "depth/depth_planes.h"

/* Places of a map's numbers: those in satb_depth_numbers, or where a device has them, one behind the other. */
typedef struct satb_depth_places {
    uint64_t *surface, *matte, *followed, *protect, *filled;
    uint32_t *codes, *near;
} satb_depth_places;

/* A map that is being made. */
typedef struct satb_making {
    satb_depth_map *depth;
    const satb_dof_params *params;
    satb_image map, matte;     /* the caller's, as depth->at reads them; matte.data NULL: none */
    satb_image protect;        /* likewise */
    int alone;                 /* 1: the matte is the map */
    satb_depth_places numbers; /* where kernels write them */
    satk_plane src, plane;     /* the picture; the map as far as it is ready */
    satk_surface surface;
    uint32_t light[256];
} satb_making;

/* Returns the bits of the map at the picture's size. */
int satb_bits_of(const satb_making *making);

/* Return the jobs without memory: those of making->plane, the map as far as it is ready. */
satk_surface satb_surface_of(const satb_making *making);
satk_fill satb_fill_of(const satb_making *making);

/* Sets *places to those of the numbers that a map has, from memory at `base` on, or to NULL. Returns their
 * bytes. */
size_t satb_place_numbers(const satb_making *making, void *base, satb_depth_places *places);

/* Copies them from there to the map's own. */
void satb_take_numbers(const satb_making *making, void *base);

/* Returns whether the context's device has enough memory for depth and then coverage, and sets *need to that. If a picture
 * was cut into bands, it does not hold two kinds of work in turn. */
int satb_depth_fits(satb_making *making, satb_need *need);

#endif
