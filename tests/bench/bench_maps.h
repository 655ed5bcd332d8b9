/* The rows of satbench.c about depth maps and mattes: edges, holes, a plane of coverage, a map that follows it, and colours at
 * its rims. */
#ifndef SATB_BENCH_MAPS_H
#define SATB_BENCH_MAPS_H

#include "bench/bench.h"

/* Return whether a row is one of them, and whether it has a matte. */
int bench_is_of_maps(const bench_row *row);
int bench_has_matte(const bench_row *row);

/* Makes what the row needs beside its pictures: a round subject with hair, where a smooth map has its disc. */
void bench_fill_matte(bench *b);

size_t bench_maps_scratch(const bench *b);
void bench_run_maps(bench *b, int set);

#endif
