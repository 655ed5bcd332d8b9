/* Between bench.c and bench_time.c: runs the row's primitive once, with one set of buffers. */
#ifndef SATB_BENCH_RUN_H
#define SATB_BENCH_RUN_H

#include "bench.h"

void bench_run(bench *b, int set,
               int variant); /* variant: unused, so that it has the type of a copy */

#endif
