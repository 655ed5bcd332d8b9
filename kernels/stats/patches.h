/* Sums over the patches that a picture and its depth map are cut into: what focus is chosen by. A patch is cut into samples,
 * whose lumas are means of pixels, so a picture and an enlargement of it have nearly the same sums. All are integers: any
 * order of additions gives the same. A turned or mirrored picture gives the turned or mirrored grid, if satk_cut_at() cuts
 * its axes alike.
 *
 * src      the picture
 * map      its size, one channel
 * subject  its size, one channel of 8 bits: codes from 128 on are the subject; data NULL: none is known
 * depth    by code of the map: 0, the farthest, to 65535
 * across, down   how either axis is cut: pixels, patches, and samples of a patch, at most SATK_MOST_SAMPLES
 * out      [patches], row by row, overwritten; for CUDA it is device memory, and so is depth */
#ifndef SATK_PATCHES_H
#define SATK_PATCHES_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SATK_MOST_SAMPLES = 7,
    SATK_MOST_PATCHES = 95
}; /* of a patch, and of a picture: along an axis */

/* patches * samples is at most `side`. It is odd, or it is `side`. */
typedef struct satk_cuts {
    int side, patches, samples;
} satk_cuts;

typedef struct satk_patch {
    uint64_t depth;         /* sum of depths */
    uint64_t subject_depth; /* the same over the subject's pixels */
    uint32_t subject;       /* their number */
    uint32_t detail;        /* sum of |differences| between its samples and their four neighbours */
} satk_patch;

typedef struct satk_patches {
    satk_plane src, map, subject;
    const uint16_t *depth;
    satk_cuts across, down;
    satk_patch *out;
} satk_patches;

void satk_patches_cpu(const satk_patches *job, int threads);

int satk_patches_cuda(const satk_patches *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
