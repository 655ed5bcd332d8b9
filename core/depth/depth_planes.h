/* A depth map that is ready to blur by: its planes, where they are, and what is known of them. */
#ifndef SATB_DEPTH_PLANES_H
#define SATB_DEPTH_PLANES_H

#include "backend/call.h"
#include "depth/code_set.h"
#include "matte/follow.h"
#include "matte/matte_plane.h"
#include "fill/fill.h"
#include "surface/surface.h"

/* What is known of a map when it is ready. */
typedef struct satb_depth_numbers {
    uint64_t surface[SATK_SURFACE_COUNTS];
    uint64_t matte[SATK_MATTE_COUNTS]; /* 0 without a matte; the next, too */
    uint64_t followed[SATK_FOLLOW_COUNTS];
    uint64_t protect[SATK_MATTE_COUNTS]; /* 0 without a mask that protects */
    uint64_t filled[SATK_FILL_COUNTS];   /* 0 if code 0 is no hole */
    uint32_t soft[2];    /* the first: the width of the widest soft rim of a subject, in pixels */
    satb_code_set codes; /* of the map */
    satb_code_set near;  /* of the near surfaces of rims; empty: there are none */
} satb_depth_numbers;

typedef struct satb_depth_map {
    satb_context
        *at; /* the context whose memory has the planes: the caller's, or that of its host */
    satb_image picture; /* as that context reads it */
    satb_image seen;    /* the picture, or the codes that half floats are shown by */
    satb_image map;     /* of the picture's size, one channel */
    satb_image matte;   /* the subject's coverage, 8 bits; data NULL: unknown */
    satb_image protect; /* the coverage of what is protected, 8 bits; data NULL: nothing is */
    satk_rims rims;     /* of the map */
    satb_depth_numbers numbers;
    satb_holes holes; /* as used */
    int resampled;
    satb_image window; /* for a focus at a point: the map around it, in host memory */
    satb_call call;    /* the call that it is made for, and that ends with it */
} satb_depth_map;

/* Returns a plane of one channel without its memory: rows are multiples of 16 bytes. */
satk_plane satb_plane_like(int width, int height, int bits);

/* Makes *plane one of one channel in a slot of the context's device. Errors: NOMEM, DEVICE_NOMEM. */
satb_status satb_plane_in(satb_context *context, satb_slot slot, int width, int height, int bits,
                          satk_plane *plane);

/* Returns a plane in a slot as an image for further work of the context. */
satb_image satb_image_in(const satb_context *context, const satk_plane *plane);

/* Return the mean of the matte's coverage, and of that which is protected, 0 .. 1. */
double satb_matte_mean(const satb_depth_map *depth);
double satb_protect_mean(const satb_depth_map *depth);

static inline size_t satb_pixels_of(const satb_image *image)
{
    return (size_t)image->width * (size_t)image->height;
}

#endif
