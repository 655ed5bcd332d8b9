/* A matte as a plane of coverage: how much of each pixel of a picture the subject covers.
 *
 * src      the matte, of any size. Its alpha counts, if it has one that is not the same everywhere, else its first channel.
 * dst      the plane: the picture's size, one channel, 8 bits. A matte of another size is interpolated between its four
 *          samples around, with the centres of the pixels aligned, in 16 bits. Up to 7/255 becomes 0, and from 248/255 on
 *          255, since programs that make mattes leave a few codes of noise.
 * counts   [SATK_MATTE_COUNTS], out; for CUDA device memory
 * scratch  at least satk_matte_plane_scratch_*() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_MATTE_PLANE_H
#define SATK_MATTE_PLANE_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_MATTE_SUM, SATK_MATTE_COUNTS }; /* the sum of all coverage, in 1/255 */

typedef struct satk_matte_plane {
    satk_plane src, dst;
    uint64_t *counts;
    void *scratch;
} satk_matte_plane;

size_t satk_matte_plane_scratch_cpu(const satk_matte_plane *job, int threads);
void satk_matte_plane_cpu(const satk_matte_plane *job, int threads);

size_t satk_matte_plane_scratch_cuda(const satk_matte_plane *job);
int satk_matte_plane_cuda(const satk_matte_plane *job,
                          void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
