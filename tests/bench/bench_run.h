/* The measurement of satbench's rows, on either back end: memory, a clock, and the yardstick, a copy of
 * the same bytes. bench.c (pictures) and bench_array.c (arrays) use it. */
#ifndef SATB_BENCH_RUN_H
#define SATB_BENCH_RUN_H

#include <stddef.h>
#include <stdint.h>

typedef enum bench_back_end { BENCH_CPU, BENCH_CUDA } bench_back_end;

/* --- Memory ----------------------------------------------------------------------------------- */

/* NULL: there is no more. _filled: with the host's contents. */
void *bench_get(bench_back_end on, size_t bytes);
void *bench_get_filled(bench_back_end on, const void *host, size_t bytes);
void bench_put_back(bench_back_end on, void *memory);

enum { BENCH_SETS = 32 };

/* Enough sets of buffers that none is still in a cache when its turn comes again: 512 MB in all. */
int bench_sets_for(size_t bytes);

/* --- Clock ------------------------------------------------------------------------------------ */

/* Work to time. Both functions return 0 when done. */
typedef struct bench_work {
    bench_back_end on;
    int sets;
    int (*run)(void *of, int set);
    int (*restore)(void *of, int set); /* NULL, or the preparation of every run, untimed */
    void *of;
} bench_work;

/* Milliseconds of one run: the median of `samples`, after a warm-up. Negative: it failed. */
double bench_median(const bench_work *work, int samples);

/* --- Yardstick -------------------------------------------------------------------------------- */

/* Between the row's own buffers. bytes_out 0: only reads; out then needs 16 bytes. */
typedef struct bench_copy {
    bench_back_end on;
    int threads, sets;
    size_t bytes_in, bytes_out;
    const void *in[BENCH_SETS];
    void *out[BENCH_SETS];
    int variant; /* chosen by bench_median_copy() */
} bench_copy;

/* As bench_median(), of the fastest copy of the same bytes. */
double bench_median_copy(bench_copy *copy, int samples);

/* 1: the device's widening copy is a copy. A yardstick that is wrong measures nothing. */
int bench_copy_is_right(void);

#endif
