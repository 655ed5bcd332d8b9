/* Pictures of half floats as codes of 16 bits, for what compares or mixes colours as they are seen; and back.
 *
 * show    sets codes to shown[half] of each sample
 * unshow  sets codes to half floats, in place: to the picture's own where the code is still shown[half], else to
 *         unshown[code]
 *
 * halves          the picture, 16 bits
 * codes           of its shape, apart from it
 * shown, unshown  [2^16] each; unshown is for unshow alone; for CUDA they are in device memory */
#ifndef SATK_SHOW_H
#define SATK_SHOW_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_show {
    satk_plane halves, codes;
    const uint16_t *shown, *unshown;
} satk_show;

/* Returns the half float of a sample whose own one is `half`. */
SATK_FN uint16_t satk_unshown(const satk_show *job, uint16_t half, uint16_t code)
{
    return job->shown[half] == code ? half : job->unshown[code];
}

void satk_show_cpu(const satk_show *job, int threads);
void satk_unshow_cpu(const satk_show *job, int threads);

int satk_show_cuda(const satk_show *job, void *stream); /* a cudaError_t; 0 = launched */
int satk_unshow_cuda(const satk_show *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
