/* Scenes of check_follow.c and check_separate.c: pictures with mattes. */
#ifndef SATB_MATTE_CASE_H
#define SATB_MATTE_CASE_H

#include "check/check.h"
#include "surface/rims.h"

typedef enum matte_kind {
    MATTE_ROUND,  /* a subject with a soft rim */
    MATTE_HAIR,   /* the same with noise around */
    MATTE_THIN,   /* lines, too thin for wide windows */
    MATTE_EDGE,   /* a half of the picture, to its border */
    MATTE_SPECK,  /* one pixel of the subject */
    MATTE_CORNER, /* a small subject, far from most pixels */
    MATTE_BLOCK,  /* a square subject: the pixels inside are one tile of a device's work */
    MATTE_NOISE,  /* nothing is inside, nearly everything is both */
    MATTE_BITS,   /* noise of both sides alone */
    MATTE_SUBJECT,
    MATTE_BACKGROUND,
    MATTE_GRAY, /* everything is both */
    MATTE_KINDS
} matte_kind;

typedef enum matte_map {
    MAP_OF_SUBJECT, /* the subject's depth, but off by some pixels, before a slope */
    MAP_BEHIND,     /* the same with the subject behind */
    MAP_EVEN,       /* both sides have one code */
    MAP_CLOSE,      /* a little more than 4/255 apart, or less */
    MAP_NOISE,
    MATTE_MAPS
} matte_map;

typedef struct matte_scene {
    matte_kind kind;
    matte_map sort;
    int near_black;
    picture matte, map, src, sides;
    block rims; /* of the map; see matte_rims() */
} matte_scene;

/* Returns a random scene of that size, and makes it the case. */
matte_scene matte_scene_make(check *c, int w, int h, matte_kind kind);
void matte_scene_free(matte_scene *s);

/* Returns the planes in a block of satk_rims_bytes(), or in memory that mirrors it. */
satk_rims matte_rims(const matte_scene *s, void *memory);

/* Returns a size for the kind: of one tile or of several, or (many) as wide or high as the windows are wider for. */
shape matte_size(check *c, matte_kind kind, int many);

/* Compares the scratch's guards with the poison. */
int matte_scratch_intact(check *c, backend on, const block *scratch);

#endif
