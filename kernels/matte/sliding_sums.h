/* Sums of planes over square windows, on the CPU: the columns' sums slide down the planes, and a row of them, scanned, is a
 * table of one row. Where few pixels are wanted, only the tiles that have some are summed. */
#ifndef SATK_SLIDING_SUMS_H
#define SATK_SLIDING_SUMS_H

#include "common/rule.h"

/* The sums of a row y: those of the windows around the columns x0 <= x < x1 are wanted. */
typedef struct satk_sliding_row {
    int y, x0, x1;
    int first;             /* the column that the table begins at */
    const uint64_t *table; /* of each plane, the sums of all columns from the first one on */
} satk_sliding_row;

typedef struct satk_sliding_sums {
    int width, height;
    int planes;
    int radius; /* a window has 2 radius + 1 rows and columns, of which those within the planes count */
    void *job; /* for the functions, which threads call for different parts at a time */
    /* Writes the columns x0 <= x < x1 of row y of the planes, interleaved, the first one to row[0]. */
    void (*read)(const void *job, int y, int x0, int x1, uint32_t *row);
    /* Takes the sums of a row: satk_sliding_sum() returns them. */
    void (*take)(void *job, const satk_sliding_row *row);
    void *
        scratch; /* at least satk_sliding_sums_scratch() bytes, 64-byte aligned; contents undefined before and after */
} satk_sliding_sums;

/* Returns the sum of a plane over the window around column x. */
SATK_FN uint64_t satk_sliding_sum(const satk_sliding_sums *s, const satk_sliding_row *row, int x,
                                  int plane)
{
    const satk_range w = satk_clip(satk_window(x, s->radius), s->width);

    return row->table[(size_t)(w.hi - row->first) * (size_t)s->planes + (size_t)plane] -
           row->table[(size_t)(w.lo - row->first) * (size_t)s->planes + (size_t)plane];
}

size_t satk_sliding_sums_scratch(int width, int planes, int threads);

/* Sums the windows of one radius around all pixels. */
void satk_sliding_sums_run(const satk_sliding_sums *sums, int threads);

/* Sums them around the pixels that have 1 or 2 in sought, and perhaps others. sums->take() may change sought. Returns
 * whether there is a pixel that is sought. */
int satk_sliding_sums_seek(const satk_sliding_sums *sums, const uint8_t *sought, int threads);

/* Seeks with the given radius, then with twice that, and so on. It ends when no pixel is sought, or when a window has had
 * all of the planes. sums->take() clears sought. The radius is changed. */
void satk_sliding_sums_widen(satk_sliding_sums *sums, const uint8_t *sought, int threads);

#endif
