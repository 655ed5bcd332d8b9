/* The width of the widest soft rim of a subject, in pixels.
 *
 * A rim's pixel is soft if a matte or a mask made it (from SATK_RIM_SUBJECT on) and its coverage is within
 * SATK_LEAST_SOFT .. 255 - SATK_LEAST_SOFT. A run is soft pixels next to each other along a row, or along a column, of which
 * the first SATK_MOST_WIDTH count. One from border to border has no end, and counts as long. The width of a run is the
 * shorter of its length and of that of the run across it: along the other axis, through pixel length / 2.
 *
 * rims    of width x height pixels
 * widest  raised to the largest width; for CUDA it is device memory */
#ifndef SATK_RIM_WIDTH_H
#define SATK_RIM_WIDTH_H

#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_LEAST_SOFT = 4, SATK_MOST_WIDTH = 128 };

typedef struct satk_rim_width {
    satk_rims rims;
    int width, height;
    uint32_t *widest;
} satk_rim_width;

void satk_rim_width_cpu(const satk_rim_width *job, int threads);

int satk_rim_width_cuda(const satk_rim_width *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
