/* The one-pass builders of summed-area tables, behind sat.h: by look-back (sat_lookback_cuda.cu), and by
 * bands for plain 8-bit gray (sat_gray_cuda.cu). */
#ifndef SATK_SAT_BUILDERS_H
#define SATK_SAT_BUILDERS_H

#include "sat/sat.h"

size_t satk_sat_lookback_board(const satk_sat *job);      /* bytes */
int satk_sat_lookback(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

size_t satk_sat_gray_board(const satk_sat *job);
int satk_sat_gray(const satk_sat *job, void *stream);

#endif
