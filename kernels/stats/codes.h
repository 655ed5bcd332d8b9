/* The codes that occur in the first channel of a plane, as a set of bits. Tables by code need be made for these alone, and
 * the set is far smaller than a histogram.
 *
 * src      a plane of any kind; the other channels do not count.
 * out      satk_codes_bytes() bytes, overwritten: code c occurs if bit c % 32 of word c / 32 is set; for CUDA it is device
 *          memory.
 * scratch  CPU only: satk_codes_scratch_cpu() bytes; contents undefined before and after. */
#ifndef SATK_CODES_H
#define SATK_CODES_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_codes {
    satk_plane src;
    uint32_t *out;
    void *scratch;
} satk_codes;

/* Returns the bytes of out. */
SATK_FN size_t satk_codes_bytes(int bits)
{
    return ((size_t)1 << bits) / 8;
}

/* Returns 1 if the code is in the set. */
SATK_FN int satk_has_code(const uint32_t *set, uint32_t code)
{
    return (int)(set[code / 32] >> code % 32 & 1);
}

size_t satk_codes_scratch_cpu(const satk_codes *job, int threads);
void satk_codes_cpu(const satk_codes *job, int threads);

size_t satk_codes_scratch_cuda(const satk_codes *job);    /* 0 */
int satk_codes_cuda(const satk_codes *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
