/* Gives mixed pixels the colours of their near surfaces.
 *
 * A mixed pixel (SATK_RIM_MIXED) of coverage c, below 255, shows a = (16 c + 127) / 255 sixteenths of its near surface, and
 * what is behind that in the rest. With its own colour C and the one behind F, the near surface's is
 *     N = (16 C - (16 - a) F) / a, rounded half up.
 * So C is a N + (16 - a) F in sixteenths, and a blur that lays B for F behind it makes C + (16 - a) (B - F) / 16 of it, whatever
 * a is. If some N would be below 0 or above white, a and c are raised to the least for which none is. Colours are the samples
 * that are summed (tone.h). Alpha stays.
 *
 * picture  in place
 * cover    its rims' (cover.h), in place
 * rims     of the picture's size
 * tone     without weights
 * behind   samples of the codes of rims.behind, 16 bits and half floats by their higher byte; the last one is white, or the
 *          largest sample of half floats */
#ifndef SATK_UNMIX_H
#define SATK_UNMIX_H

#include "common/tone.h"
#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_unmix {
    satk_plane picture, cover;
    satk_rims rims;
    satk_tone tone;
    uint32_t behind[256];
} satk_unmix;

void satk_unmix_cpu(const satk_unmix *job, int threads);

int satk_unmix_cuda(const satk_unmix *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
