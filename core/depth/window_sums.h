/* Sums of planes over square windows, row by row: the columns' sums slide down the planes, and a row of them, scanned, is a
 * table of one row. Runs on the host. */
#ifndef SATB_WINDOW_SUMS_H
#define SATB_WINDOW_SUMS_H

#include "base/context.h"

typedef struct satb_windows {
    int width, height;
    int planes;
    int radius; /* a window has 2 radius + 1 rows and columns, of which those within the planes count */
    int y0, y1; /* the rows y0 <= y < y1 are wanted */
    void *job;  /* for the functions, which threads call for different rows at a time */
    /* Writes row y of the planes, interleaved. */
    void (*read)(const void *job, int y, uint32_t *row);
    /* Takes row y's table: satb_window_sum() has the sums of it. */
    void (*take)(void *job, int y, const uint64_t *table);
} satb_windows;

/* Returns the sum of a plane over the window around column x. */
static inline uint64_t satb_window_sum(const satb_windows *w, const uint64_t *table, int x,
                                       int plane)
{
    const int from = x > w->radius ? x - w->radius : 0;
    const int to = x < w->width - w->radius ? x + w->radius + 1 : w->width;

    return table[(size_t)to * (size_t)w->planes + (size_t)plane] -
           table[(size_t)from * (size_t)w->planes + (size_t)plane];
}

/* Errors: NOMEM. */
satb_status satb_sum_windows(satb_context *context, const satb_windows *windows);

/* Sums windows of the given radius, then twice as wide ones, and so on, each over the rows that have a pixel with 1 in
 * sought. It ends when there is none, or when a window has had all of the planes. windows->take() clears sought. The
 * windows' radius and rows are changed. Errors: NOMEM. */
satb_status satb_widen_windows(satb_context *context, satb_windows *windows, const uint8_t *sought);

#endif
