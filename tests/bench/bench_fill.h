/* The buffers of satbench's rows about pictures, and their contents. */
#ifndef SATB_BENCH_FILL_H
#define SATB_BENCH_FILL_H

#include "bench/bench.h"

size_t bench_pixels(const bench_row *row);
size_t bench_source_bytes(const bench_row *row);
size_t bench_table_bytes(const bench_row *row);
int bench_is_windowed(const bench_row *row); /* 1: about a table, or means read from one */

/* Allocates memory of the row's back end. Sets b->failed if there is none. */
void *bench_get_for(bench *b, size_t bytes);

/* Makes the tables that the row needs, and the pictures of all its sets. */
void bench_fill(bench *b);

#endif
