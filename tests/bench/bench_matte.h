/* The rows of satbench.c about mattes: a plane of coverage, a map that follows it, and colours at its rims. */
#ifndef SATB_BENCH_MATTE_H
#define SATB_BENCH_MATTE_H

#include "bench/bench.h"

int bench_has_matte(const bench_row *row);

/* Makes what the row needs beside its pictures: a round subject with hair, where a smooth map has its disc. */
void bench_fill_matte(bench *b);

size_t bench_matte_scratch(const bench *b);
void bench_run_matte(bench *b, int set);

#endif
