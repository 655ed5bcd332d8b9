/* The measurement of satbench's rows, on either back end: memory, a clock, and the yardstick, a copy of
 * the same bytes. bench.c (pictures) and bench_array.c (arrays) use it. */
#ifndef SATB_BENCH_RUN_H
#define SATB_BENCH_RUN_H

#include <stddef.h>
#include <stdint.h>

typedef enum bench_back_end { BENCH_CPU, BENCH_CUDA } bench_back_end;

/* --- Memory ----------------------------------------------------------------------------------- */

/* Return memory, or NULL if there is no more. _filled: with the host's contents. */
void *bench_get(bench_back_end on, size_t bytes);
void *bench_get_filled(bench_back_end on, const void *host, size_t bytes);
void bench_put_back(bench_back_end on, void *memory);

enum { BENCH_SETS = 32 };

/* Returns the sets of buffers: 512 MB in all, so that a set has left the caches when it is used
 * again. */
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

/* Returns the milliseconds of one run: the median of `samples`, after a warm-up. Negative: it
 * failed. */
double bench_median(const bench_work *work, int samples);

/* --- Yardstick -------------------------------------------------------------------------------- */

/* A copy between the row's own buffers. bytes_out 0: it only reads; out then needs 16 bytes. */
typedef struct bench_copy {
    bench_back_end on;
    int threads, sets;
    size_t bytes_in, bytes_out;
    const void *in[BENCH_SETS];
    void *out[BENCH_SETS];
    int variant; /* chosen by bench_median_copy() */
} bench_copy;

/* Returns the time of the fastest copy of the same bytes, as bench_median() does. */
double bench_median_copy(bench_copy *copy, int samples);

/* Returns 1 if the device's widening copy is a copy. A wrong yardstick measures nothing. */
int bench_copy_is_right(void);

#endif
