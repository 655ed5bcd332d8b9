/* The definition of the edges of depth (satblur.h, depth_edges.h), written sample by sample. */
#ifndef SATB_TESTS_EDGES_ORACLE_H
#define SATB_TESTS_EDGES_ORACLE_H

#include <satblur.h>

#include <stddef.h>
#include <stdint.h>

typedef struct codes { /* of 16 bits */
    int w, h;
    uint32_t *at;
    uint8_t *kind;
} codes;

codes codes_new(int w, int h);
void codes_free(codes *c);

/* Decides pixels of the picture by the map c. *fitted has the undecided codes at first. Returns the
 * number of decided pixels. */
size_t codes_fit(codes *c, const satb_image *p, codes *fitted);

#endif
