/* The one-pass builder of summed-area tables, behind sat.h: see sat_onepass_cuda.cu. */
#ifndef SATK_SAT_ONEPASS_H
#define SATK_SAT_ONEPASS_H

#include "sat.h"

size_t satk_one_pass_board(const satk_sat *job);      /* bytes */
int satk_one_pass(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

#endif
