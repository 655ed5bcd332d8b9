/* What the program says of its work: statistics on stdout; assumptions and timings on stderr. */
#ifndef SATBLUR_APP_REPORT_H
#define SATBLUR_APP_REPORT_H

#include "engine/engine.h"
#include "figure/focus_view.h"

#include <stdio.h>

/* Prints the statistics as a table with charts, or as one JSON object, as --stats says. */
void report_stats(FILE *to, const engine_request *q);

/* Prints one JSON object, on several lines. */
void report_stats_json(FILE *to, const engine_request *q);

/* Prints notes on the meaning that the depth map, the matte or the radius map was given, and on the result. */
void report_map(const engine_request *q);

/* Prints a note on the colours of the view. */
void report_focus_view(const engine_request *q, const focus_view *view);

typedef struct stage_times { /* milliseconds beside those of the engine request */
    double decode, encode, commit, total;
    const char *decoder, *map_decoder, *encoder; /* the libraries' names; NULL: none was used */
} stage_times;

void report_timings(FILE *to, const engine_request *q, const stage_times *times);

#endif
