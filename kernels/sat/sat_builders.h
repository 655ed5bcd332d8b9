/* The one-pass builders of summed-area tables, behind sat.h: by look-back (sat_onepass_cuda.cu), of plain 8-bit gray
 * by bands (sat_gray_cuda.cu), and of plain 8-bit RGBA with sums ahead (sat_ahead_cuda.cu). */
#ifndef SATK_SAT_ONEPASS_H
#define SATK_SAT_ONEPASS_H

#include "sat/sat.h"

size_t satk_one_pass_board(const satk_sat *job);      /* bytes */
int satk_one_pass(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

size_t satk_gray_board(const satk_sat *job);
int satk_gray(const satk_sat *job, void *stream);

#endif
