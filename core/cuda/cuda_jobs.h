/* The kernels on a CUDA device: entries of the back end's table, see backend.h. */
#ifndef SATB_CUDA_JOBS_H
#define SATB_CUDA_JOBS_H

#include "backend/backend.h"

satb_status satb_cuda_sat(satb_context *context, satk_sat *job);
satb_status satb_cuda_blur(satb_context *context, const satk_box *job);
void satb_cuda_add_sat_need(satb_context *context, const satk_sat *job, satb_need *need);
void satb_cuda_add_blur_need(satb_context *context, const satk_box *job, satb_need *need);

#define PLAIN(NAME, JOB, WORK)                                                                     \
    satb_status satb_cuda_##NAME(satb_context *context, const satk_##JOB *job);
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    satb_status satb_cuda_##NAME(satb_context *context, satk_##JOB *job);                          \
    void satb_cuda_add_##NAME##_need(satb_context *context, const satk_##JOB *job, satb_need *need);
SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
#undef PLAIN
#undef SCRATCH

#endif
