/* What satbench.c is made of: a row of its table set up on one back end, run, and timed. */
#ifndef SATB_BENCH_H
#define SATB_BENCH_H

#include "box.h"

typedef enum bench_back_end { BENCH_CPU, BENCH_CUDA } bench_back_end;

typedef enum bench_primitive {
    BENCH_TABLE,
    BENCH_BOX,
    BENCH_REDUCE,
    BENCH_HISTOGRAM
} bench_primitive;

typedef enum bench_map { MAP_NONE, MAP_SMOOTH, MAP_RANDOM } bench_map;

typedef struct bench_row {
    bench_primitive primitive;
    const char *what;
    int width, height, channels, bits;
    int word;             /* of the table */
    int linear, weighted; /* the tone */
    uint32_t radius;      /* Q8; with a map, where its code is the largest */
    bench_map map;
    int constant;  /* 1: all pixels the same; 0: random */
    int cuda_only; /* 1: too much for an ordinary machine's memory */
} bench_row;

extern const bench_row bench_rows[];
extern const int bench_rows_count;

enum { BENCH_SETS = 32 };

/* A row's buffers on one back end, in as many sets as it takes to outgrow the caches. */
typedef struct bench {
    const bench_row *row;
    bench_back_end on;
    int threads;
    int sets;
    uint8_t *src[BENCH_SETS], *table[BENCH_SETS], *dst[BENCH_SETS], *map[BENCH_SETS];
    uint32_t *lut, *decode;
    uint16_t *encode;
    void *scratch, *result;
    size_t bytes_in, bytes_out; /* that one run must move */
    int failed;                 /* an allocation, a copy or a launch has */
} bench;

/* 1: ready. After a failure device_error() or the memory is to blame. Always to be closed. */
int bench_open(bench *b, const bench_row *row, bench_back_end on, int threads);
void bench_close(bench *b);

/* Milliseconds of one run: the median of `samples`, after a warm-up. Negative: it failed. */
double bench_time(bench *b, int samples);

/* The same for the fastest way to move as many bytes, with the same buffers. */
double bench_time_copy(bench *b, int samples);

/* 1: the device's widening copy is a copy. A yardstick that is wrong measures nothing. */
int bench_copy_is_right(void);

#endif
