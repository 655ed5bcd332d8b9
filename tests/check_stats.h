/* What check_reduce.c and check_histogram.c share: a few words per channel are measured from a
 * picture. */
#ifndef SATB_CHECK_STATS_H
#define SATB_CHECK_STATS_H

#include "check.h"

typedef struct stats {
    size_t channel_bytes, word_bytes; /* of the result */
    void (*expect)(const oracle_plane *src, int channel, void *out);
    void (*cpu)(const satk_plane *src, void *out, int threads);
    int (*cuda)(const satk_plane *src, void *out);
    const char *group_sizes, *group_fills, *group_places, *group_threads, *group_large;
} stats;

void check_stats(check *c, const stats *s);

#endif
