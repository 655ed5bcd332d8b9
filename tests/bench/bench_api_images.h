/* The images of satbench --api: a scene in one size, with the depth maps that users have of it. */
#ifndef SATB_BENCH_API_IMAGES_H
#define SATB_BENCH_API_IMAGES_H

#include "bench/bench_run.h"

#include <satblur.h>

typedef enum api_image {
    API_NONE,
    API_RGB, /* pictures */
    API_RGBA,
    API_RGB16,
    API_RGBA16,
    API_MAP, /* exact, of 8 bits; the next three are made of it */
    API_HALF,
    API_QUARTER,
    API_ENLARGED,   /* the quarter, enlarged to the picture's size */
    API_ENLARGED16, /* the same of 16 bits */
    API_HOLES16,    /* exact, of 16 bits, and a twentieth is unknown */
    API_SUBJECT,    /* a matte, or a mask: one object has a soft outline */
    API_RADII,      /* codes that are multiples of 5 */
    API_CUTOUT,     /* RGBA with the subject as alpha */
    API_IMAGES
} api_image;

enum {
    API_SETS = 4
}; /* of the images in a back end's memory: those of one have left its cache when they return */

typedef struct api_images {
    bench_back_end on;
    int width, height;
    satb_image host[API_IMAGES];                            /* in pageable memory */
    satb_image set[API_SETS][API_IMAGES], result[API_SETS]; /* in the back end's */
    satb_image host_result;
} api_images;

/* Returns the bytes of an image without gaps. */
size_t api_bytes(const satb_image *image);

/* Draws all images; results have room for 8 bytes a pixel, and no shape. Returns 1 if they are there. They must always
 * be closed. */
int api_open_images(api_images *images, bench_back_end on, int width, int height);
void api_close_images(api_images *images);

#endif
