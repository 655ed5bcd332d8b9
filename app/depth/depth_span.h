/* The numbers of all maps of a clip: their ends, and their percentiles, in memory that does not depend on the number of maps. */
#ifndef SATBLUR_APP_DEPTH_SPAN_H
#define SATBLUR_APP_DEPTH_SPAN_H

#include "depth/depth_codes.h"

typedef struct depth_span {
    double least,
        most; /* of the finite numbers, as depth_codes_make() takes them; least > most: there are none */
    bool has_infinite;
    uint64_t maps, known; /* maps, and finite numbers in all of them */
    uint64_t *bins;       /* finite numbers by their size; NULL: not counted */
} depth_span;

/* Begins with no maps. counts: percentiles will be asked for. False: p has a sentence. depth_span_close() must follow. */
bool depth_span_open(depth_span *s, bool counts, problem *p);
void depth_span_close(depth_span *s);

void depth_span_add(depth_span *s, const values *v, const depth_meaning *meaning);

/* Adds the maps of another one. The order of additions changes nothing. */
void depth_span_join(depth_span *s, const depth_span *other);

/* Returns the number at that per cent, 0 to 100, of the finite numbers in order: exact at the ends, and to 1/2048 of its
 * size between them. There are finite numbers. */
double depth_span_percentile(const depth_span *s, double per_cent);

#endif
