/* For check_histogram.c, check_equalize.c and check_codes.c: words are measured from a picture, per
 * channel or from all channels. */
#ifndef SATB_CHECK_STATS_H
#define SATB_CHECK_STATS_H

#include "check/check.h"

typedef struct stats {
    size_t channel_bytes[2], word_bytes; /* of the result, for 8 and 16 bits */
    int single;                          /* 1: one result for all channels together */
    void (*expect)(const oracle_plane *src, int channel, void *out);
    void (*cpu)(const satk_plane *src, void *out, int threads, int adds);
    int (*cuda)(const satk_plane *src, void *out, int adds);
    const char *group_sizes, *group_alignment, *group_fills, *group_places, *group_threads,
        *group_large;
    const char *group_bands; /* NULL: the primitive cannot add */
    const char
        *group_shapes; /* NULL, or of the pictures that the primitive needs beside the others' */
    const shape *shapes;
    int shapes_count;
} stats;

void check_stats(check *c, const stats *s);

/* Checks one picture: every number of CPU threads must find the oracle's words, and then CUDA. */
void run_stats(check *c, const stats *s, const picture *src, const char *what);

#endif
