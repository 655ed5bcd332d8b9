/* Sums of planes over square windows, row by row, on the CPU: the columns' sums slide down the planes, and a row of them,
 * scanned, is a table of one row. */
#ifndef SATK_SLIDING_SUMS_H
#define SATK_SLIDING_SUMS_H

#include "common/rule.h"

typedef struct satk_sliding_sums {
    int width, height;
    int planes;
    int radius; /* a window has 2 radius + 1 rows and columns, of which those within the planes count */
    int y0, y1; /* the rows y0 <= y < y1 are wanted */
    void *job;  /* for the functions, which threads call for different rows at a time */
    /* Writes row y of the planes, interleaved. */
    void (*read)(const void *job, int y, uint32_t *row);
    /* Takes row y's table: satk_sliding_sum() has the sums of it. */
    void (*take)(void *job, int y, const uint64_t *table);
    void *
        scratch; /* at least satk_sliding_sums_scratch() bytes, 64-byte aligned; contents undefined before and after */
} satk_sliding_sums;

/* Returns the sum of a plane over the window around column x. */
SATK_FN uint64_t satk_sliding_sum(const satk_sliding_sums *s, const uint64_t *table, int x,
                                  int plane)
{
    const int from = x > s->radius ? x - s->radius : 0;
    const int to = x < s->width - s->radius ? x + s->radius + 1 : s->width;

    return table[(size_t)to * (size_t)s->planes + (size_t)plane] -
           table[(size_t)from * (size_t)s->planes + (size_t)plane];
}

size_t satk_sliding_sums_scratch(int width, int planes, int threads);

/* Sums windows of the given radius. */
void satk_sliding_sums_run(const satk_sliding_sums *sums, int threads);

/* Sums windows of the given radius, then twice as wide ones, and so on, each over the rows that have a pixel with 1 in
 * sought. It ends when there is none, or when a window has had all of the planes. sums->take() clears sought. The radius
 * and the rows of sums are changed. */
void satk_sliding_sums_widen(satk_sliding_sums *sums, const uint8_t *sought, int threads);

#endif
