/* The one-pass builder of summed-area tables, behind sat.h: see sat_onepass_cuda.cu. */
#ifndef SATK_SAT_ONEPASS_H
#define SATK_SAT_ONEPASS_H

#include "sat.h"

size_t satk_one_pass_board(const satk_sat *job);      /* bytes */
int satk_one_pass(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

/* Plain 8-bit gray to 32 bits: sat_gray_cuda.cu. */
size_t satk_gray_board(const satk_sat *job);
int satk_gray(const satk_sat *job, void *stream);

#endif
