/* The one-pass builder of summed-area tables, behind sat.h: see sat_onepass_cuda.cu. */
#ifndef SATK_SAT_ONEPASS_H
#define SATK_SAT_ONEPASS_H

#include "sat.h"

/* Bytes of scratch; 0: this picture is not for it, being too wide for the blocks that the device
 * runs at a time, or the device cannot launch blocks that wait for each other. */
size_t satk_one_pass_scratch(const satk_sat *job);

/* A cudaError_t. *launched: 1 where it has been; 0 without an error: the picture is not for it. */
int satk_one_pass(const satk_sat *job, void *stream, int *launched);

#endif
