/* The rows of satbench.c about pictures: one set up on one back end, run, and timed. */
#ifndef SATB_BENCH_H
#define SATB_BENCH_H

#include "bench/bench_run.h"
#include "blur/aperture.h"
#include "box/box.h"
#include "highlight/points.h"
#include "layer/layer.h"
#include "sat/sat.h"
#include "spread/spread.h"
#include "fill/fill.h"
#include "surface/surface.h"

typedef enum bench_primitive {
    BENCH_TABLE,
    BENCH_BOX,  /* means from a table that is there */
    BENCH_BLUR, /* table and means, as the library does it: in one, where that is faster */
    BENCH_LAYER,
    BENCH_SPREAD,
    BENCH_HIGHLIGHT, /* lights are found and added, on both sides of the focus: what comes to the blur */
    BENCH_SURFACE, /* edges of depth */
    BENCH_MATTE_PLANE,
    BENCH_FOLLOW,   /* a map of 8 bits becomes that of a subject with hair */
    BENCH_SEPARATE, /* the colours of the hair */
    BENCH_FILL,     /* holes of a map of 16 bits */
    BENCH_HISTOGRAM,
    BENCH_LUMA,
    BENCH_CODES, /* those that occur in the first channel */
    BENCH_EQUALIZE
} bench_primitive;

typedef enum bench_map {
    MAP_NONE,
    MAP_SMOOTH,  /* a slope with a disc in front of it */
    MAP_OBJECTS, /* a wall, a floor and what stands on it */
    MAP_RANDOM,
    MAP_HOLES, /* the objects in 16 bits, with 5 % holes in discs of 10 to 40 pixels */
    MAP_CONSTANT
} bench_map;

typedef struct bench_row {
    bench_primitive primitive;
    const char *what;
    int width, height, channels, bits;
    int word;             /* of the table */
    int linear, weighted; /* the tone */
    uint32_t
        radius; /* Q8; with a map, where its code is the largest. Layers, spread: at a difference of 1 */
    bench_map map;
    int whole;            /* 1: the map's radii are */
    int opaque;           /* 1: alpha is the largest everywhere */
    satk_sat_variant sat; /* how the table is built */
    int constant;         /* 1: all pixels the same; 0: random, or smooth */
    int smooth;           /* 1: a slope from corner to corner */
    int cuda_only;        /* 1: too much for an ordinary machine's memory, or only CUDA can do it */
    int blades;           /* of the aperture; 0: a disc */
    double edge, vignette; /* of the aperture */
    int pictures;          /* whose tables are built in one launch; 0: one */
} bench_row;

extern const bench_row bench_rows[];
extern const int bench_rows_count;

/* A row's buffers on one back end, in enough sets to outgrow the caches. */
typedef struct bench {
    const bench_row *row;
    bench_back_end on;
    int threads;
    int sets;
    uint8_t *src[BENCH_SETS], *table[BENCH_SETS], *dst[BENCH_SETS], *map[BENCH_SETS];
    uint32_t *lut, *decode;
    uint16_t *encode, *position, positions[256]; /* by code, on the back end and here */
    satk_slab slabs[SATK_MAX_SLABS];
    int slab_count;
    satk_forms forms; /* of their windows */
    satk_outlines outlines;
    satb_aperture aperture;
    satk_splat *splat; /* by code, on the back end */
    satk_disc *disc;   /* the same */
    int farthest;      /* that they reach */
    uint8_t *runs, *halo;
    uint8_t *matte;   /* coverage, sides of colours, and rims */
    uint32_t *linear; /* of codes of 8 bits, for surfaces */
    void *rims;       /* of these */
    void *scratch, *result;
    void *peer_scratch;
    size_t peer_bytes;
    size_t bytes_in, bytes_out; /* that one run must move */
    int failed;                 /* an allocation, a copy or a launch has */
} bench;

/* Returns 1 if the row is ready. After a failure device_error() or the memory is to blame. It must
 * always be closed. */
int bench_open(bench *b, const bench_row *row, bench_back_end on, int threads);
void bench_close(bench *b);

/* Returns the time as bench_median() does. */
double bench_time(bench *b, int samples);

/* Returns the time of the CUDA Toolkit's version (peer_cub.h, peer_npp.h). Negative: it has none of
 * this row, or this build has not. */
double bench_time_peer(bench *b, int samples);

/* Returns the time of the fastest copy of the same bytes, with the same buffers. */
double bench_time_copy(bench *b, int samples);

#endif
