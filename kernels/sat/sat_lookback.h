/* Tables by look-back (sat_lookback_cuda.cu), behind sat.h. */
#ifndef SATK_SAT_LOOKBACK_H
#define SATK_SAT_LOOKBACK_H

#include "sat/sat.h"

/* Returns the bytes of the board. A board of a picture is large enough for one of the same width and fewer rows. */
size_t satk_sat_lookback_board(const satk_sat *job);
int satk_sat_lookback(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

#endif
