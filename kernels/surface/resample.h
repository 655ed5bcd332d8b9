/* Brings a map to the size of its picture, bilinear with pixel centres aligned; resample_rule.h has the arithmetic. A map of
 * that size is copied.
 *
 * src      its first channel counts
 * dst      one channel, apart from src: of 16 bits, or of src's bits if it has src's size
 * scratch  of the CPU: at least satk_resample_scratch_cpu() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_RESAMPLE_H
#define SATK_RESAMPLE_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_resample {
    satk_plane src, dst;
    void *scratch;
} satk_resample;

size_t satk_resample_scratch_cpu(const satk_resample *job, int threads);
void satk_resample_cpu(const satk_resample *job, int threads);

size_t satk_resample_scratch_cuda(const satk_resample *job);

/* cudaError_t; 0 = launched */
int satk_resample_cuda(const satk_resample *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
