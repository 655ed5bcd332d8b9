/* The definition of the edges of depth (surface.h, surface_mark_cpu.h), written sample by sample. */
#ifndef SATB_TESTS_EDGES_ORACLE_H
#define SATB_TESTS_EDGES_ORACLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct codes { /* of 16 bits */
    int w, h;
    uint32_t *at;
    uint8_t *kind; /* of each sample: whether it is on an edge, and on a ramp */
} codes;

codes codes_new(int w, int h);
/* Returns the map c interpolated to w x h pixels. */
codes codes_resampled(const codes *c, int w, int h);

/* A map at the picture's size. */
typedef struct fitted {
    codes map; /* ramps are cut; kind: whether the pixel is a rim */
    codes near,
        far; /* of the ramps at rims; near's kind: the coverage; far's: the pixels of a sample */
    codes beside; /* kind: the part of rims as edges of sharp things */
    int levels;   /* those that pixels were cut in */
} fitted;

/* Returns the map c at w x h pixels. near_black: 1: small codes are near. */
fitted codes_fit(const codes *c, int w, int h, int near_black);

#endif
