/* The rows of satbench.c about depth maps: the host's work on one before a blur. Edges are found, pixels next
 * to them decided, other sizes enlarged, codes counted. */
#ifndef SATB_BENCH_DEPTH_H
#define SATB_BENCH_DEPTH_H

extern const int depth_rows_count;

/* Times a row and prints it, if its name has the filter (NULL: all have). Returns 1 if it is
 * printed, 0 if it is not selected, and a negative number if it failed, with a line on standard
 * error. */
int depth_measure(int row, const char *filter, int threads, int samples);

#endif
