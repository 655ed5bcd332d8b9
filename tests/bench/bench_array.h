/* The rows of satbench.c about arrays: scan, reduce, compact, sort. To add a primitive: an
 * array_kind in bench_array.c; to time it: rows there. */
#ifndef SATB_BENCH_ARRAY_H
#define SATB_BENCH_ARRAY_H

#include "bench/bench_run.h"

typedef struct array_bench array_bench;
typedef struct array_row array_row;

/* A primitive's rows in satbench. Bytes are those of a row that must be read once and written once. */
typedef struct array_kind {
    const char *name;
    const char *const *variants;
    size_t (*bytes_in)(const array_row *row);
    size_t (*bytes_out)(const array_row *row);
    size_t (*capacity_out)(const array_row *row); /* of the output; NULL: bytes_out */
    size_t (*scratch)(array_bench *b);
    int (*run)(array_bench *b, int set); /* 0: done */
    int (*peer)(array_bench *b,
                int set); /* CUB's; without b->peer_scratch only asks for its size */
    int in_place;         /* works on the output, which begins as the input */
} array_kind;

typedef enum array_on { ARRAY_BOTH, ARRAY_CPU, ARRAY_CUDA } array_on;

struct array_row {
    const array_kind *kind;
    int variant; /* CUDA; the CPU has one algorithm and is measured with the first variant alone */
    uint64_t count;
    int word;         /* bits of an element */
    int op;           /* reduce */
    int values;       /* sort: 32-bit values travel with the keys */
    const char *what; /* NULL, or a remark */
    array_on on;
};

extern const array_row array_rows[];
extern const int array_rows_count;

/* A row's buffers, in enough sets to outgrow the caches. `in` is random and stays. */
struct array_bench {
    const array_row *row;
    bench_back_end on;
    int threads, sets;
    uint8_t *in[BENCH_SETS], *out[BENCH_SETS];
    void *scratch, *peer_scratch;
    size_t peer_bytes;
    uint64_t *result; /* a few words for a count or a sum */
    size_t bytes_in, bytes_out;
};

/* Returns 1 if the row is to be measured there. */
int array_measured(const array_row *row, bench_back_end on);

/* "sort u32 + values" and "4+4". */
void array_name(const array_row *row, char *name, size_t size);
void array_name_bytes(const array_row *row, char *text, size_t size);

/* Returns 1 if the row is ready. After a failure device_error() or the memory is to blame. It must
 * always be closed. */
int array_open(array_bench *b, const array_row *row, bench_back_end on, int threads);
void array_close(array_bench *b);

/* Return a time as bench_median() does. The copy overwrites the output. */
double array_time(array_bench *b, int samples);
double array_time_peer(array_bench *b, int samples); /* as bench_time_peer() */
double array_time_copy(array_bench *b, int samples);

#endif
