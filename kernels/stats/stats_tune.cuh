/* Sizes of the blocks of histograms and equalization. */
#ifndef SATK_STATS_TUNE_CUH
#define SATK_STATS_TUNE_CUH

#include "common/tune.cuh"

/* One block a multiprocessor strides over the picture: with 8 bits each lane has counters in a bank of
 * its own, and no second block fits beside them. */
#define SATK_HISTOGRAM_THREADS 1024
#define SATK_HISTOGRAM_LOADS   4 /* of 16 bytes, 8-bit codes */
#define SATK_HISTOGRAM_CODES   4 /* of 8 bits, luminances */

/* 16 bits. Packed: a block sees a code once and counts it with half the memory. Otherwise the picture is read twice, and
 * no counter is watched. */
#define SATK_HISTOGRAM_PACKED 1
#define SATK_HISTOGRAM_SHARE  (1u << 17) /* pixels of a block at least: twice its counters */

#define SATK_EQUALIZE_THREADS 256 /* a pixel a thread, or a luminance: 2^8 of them are one block */

#endif
