/* Parts of a picture that a mask protects: its pixels get the depth in focus, and are no rims.
 *
 * cover  the mask's plane: the map's size, 8 bits, like that of matte_plane.h
 * map    one channel, in place: where the coverage is at least SATK_PROTECTED, the code becomes `code`
 * rims   of the map, in place: such a pixel becomes SATK_RIM_NONE
 * code   in the map's bits */
#ifndef SATK_PROTECT_H
#define SATK_PROTECT_H

#include "common/plane.h"
#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_PROTECTED = 128 }; /* in 1/255: half a pixel */

typedef struct satk_protect {
    satk_plane cover, map;
    satk_rims rims;
    uint32_t code;
} satk_protect;

void satk_protect_cpu(const satk_protect *job, int threads);

int satk_protect_cuda(const satk_protect *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
