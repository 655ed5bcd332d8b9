/* What the program tells about its work: statistics on stdout; what was assumed, and the timings,
 * on stderr. */
#ifndef SATBLUR_APP_REPORT_H
#define SATBLUR_APP_REPORT_H

#include "engine/engine.h"

#include <stdio.h>

/* The statistics as a table with charts, or as one JSON object, as the options say. */
void report_stats(FILE *to, const engine_request *q);

/* One JSON object, on several lines. */
void report_stats_json(FILE *to, const engine_request *q);

/* A note on what the depth or radius map was taken for, and what came of it. */
void report_map(const engine_request *q);

typedef struct stage_times { /* milliseconds that the program measures itself; the job has the
                                others */
    double decode, encode, commit, total;
    const char *decoder, *map_decoder, *encoder; /* the libraries' names, or NULL */
} stage_times;

void report_timings(FILE *to, const engine_request *q, const stage_times *times);

#endif
