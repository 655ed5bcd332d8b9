/* The textbooks' variants of reduce.h, in the order in which they improve. */
#ifndef SATK_REDUCE_TEXTBOOK_CUH
#define SATK_REDUCE_TEXTBOOK_CUH

#include "array/reduce.h"

#include <cuda_runtime.h>

size_t satk_reduce_textbook_scratch(const satk_reduce *job); /* bytes */

/* Reduces count > 0 values. job->out holds the result of no values, into which `segmented` and
 * `coarsened` merge. Returns a cudaError_t; 0 = launched. */
int satk_reduce_textbook_cuda(const satk_reduce *job, cudaStream_t stream);

#endif
