/* The depth in focus, from the codes of a map. */
#ifndef SATB_DEPTH_FOCUS_H
#define SATB_DEPTH_FOCUS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the disparity in focus if the caller names none: the histogram of the disparities (256 bins, smoothed) has a
 * strongest mode among the nearer half of those that occur, and the result is the mean of the disparities in that mode.
 * disparity and counts have n entries, by code; at least one count is not 0. */
double satb_auto_focus(const double *disparity, const uint32_t *counts, size_t n);

/* Returns the median code of counts, which has n entries. */
uint32_t satb_median_code(const uint32_t *counts, size_t n);

#endif
