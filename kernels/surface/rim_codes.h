/* The codes of the near surfaces of rims, as a set of bits: code c occurs if bit c % 32 of word c / 32 is set.
 *
 * rims    of `pixels` pixels
 * bits    of their codes, 8 or 16
 * out     [2^bits / 32], overwritten; for CUDA it is device memory */
#ifndef SATK_RIM_CODES_H
#define SATK_RIM_CODES_H

#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_rim_codes {
    satk_rims rims;
    size_t pixels;
    int bits;
    uint32_t *out;
} satk_rim_codes;

void satk_rim_codes_cpu(const satk_rim_codes *job, int threads);

int satk_rim_codes_cuda(const satk_rim_codes *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
