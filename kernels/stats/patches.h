/* Sums over patches of a picture and its depth map, which stand on a grid: what focus is chosen by. They are integers of pixels
 * at full resolution, so any order of additions gives the same, and a turned picture gives the turned grid.
 *
 * src    the picture
 * map    its size, one channel
 * depth  by code of the map: 0, the farthest, to 65535
 * grid   columns x rows patches of width x height pixels, at most SATK_MOST_PATCH on a side. The first is at (left, top), and the
 *        others follow `pitch` pixels apart along both axes. All lie within the picture
 * out    [rows * columns], row by row, overwritten; for CUDA it is device memory, and so is depth */
#ifndef SATK_PATCHES_H
#define SATK_PATCHES_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_MOST_PATCH = 16 };

typedef struct satk_grid_of_patches {
    int columns, rows, pitch, left, top, width, height;
} satk_grid_of_patches;

typedef struct satk_patch {
    uint64_t detail; /* sum of |differences| of luma between neighbours, along both axes */
    uint64_t depth;  /* sum of depths */
    uint64_t square; /* sum of their squares */
} satk_patch;

typedef struct satk_patches {
    satk_plane src, map;
    const uint16_t *depth;
    satk_grid_of_patches grid;
    satk_patch *out;
} satk_patches;

void satk_patches_cpu(const satk_patches *job, int threads);

int satk_patches_cuda(const satk_patches *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
