/* Sizes of the blocks of histograms and equalization. */
#ifndef SATK_STATS_TUNE_CUH
#define SATK_STATS_TUNE_CUH

#include "common/tune.cuh"

/* One block a multiprocessor strides over the picture: with 8 bits each lane has counters in a bank of
 * its own, and no second block fits beside them. */
#define SATK_HISTOGRAM_THREADS 1024
#define SATK_HISTOGRAM_LOADS   4 /* of 16 bytes, 8-bit codes */
#define SATK_HISTOGRAM_CODES   4 /* of 16 bits */

#define SATK_EQUALIZE_THREADS 256 /* a pixel a thread */

#endif
