/* One case of check_layer.c: its parameters, and how it is run and compared. */
#ifndef SATB_LAYER_CASE_H
#define SATB_LAYER_CASE_H

#include "check/check.h"

/* Where the pixels lie along the slabs. */
typedef enum depths {
    DEPTHS_RANDOM,
    DEPTHS_SMOOTH, /* a slope across the picture */
    DEPTHS_STEPS,  /* patches of two depths */
    DEPTHS_ONE,    /* all in one slab, or between it and the next */
    DEPTHS_SPOTS,  /* few pixels are not where the rest is: next to borders of tiles */
    DEPTHS_GAPS,   /* some slabs have no pixel, and a much wider aperture */
    DEPTHS,
    /* Not among those by lot: */
    DEPTHS_SIDES = DEPTHS, /* the farthest slab, and beside it one that is not coarse */
    DEPTHS_RIM             /* layer_rim.h */
} depths;

typedef enum apertures {
    APERTURES_SQUARE,
    APERTURES_DISC,
    APERTURES_EVEN, /* any, but of as many rows as columns */
    APERTURES_ANY,  /* whatever the contract allows */
    APERTURES
} apertures;

typedef struct layer_case {
    shape form;
    oracle_look look;
    fill content;
    depths depth;
    apertures aperture;
    int map_bits, map_channels;
    int count;  /* slabs */
    int radius; /* largest of an aperture */
    int faint;  /* 1: alpha is 0 nearly everywhere, and small elsewhere */
    int opaque; /* 1: every alpha is the largest, and the tone says so, where there is one that does not
                 * weight */
    int boxes; /* 0: windows are stacks; else those of a form with as many boxes */
    int cut;   /* 1: each patch has a form of its own; 0: by lot */
    int behind,
        before; /* slabs that are coarse, as many as there are at most: the farthest and the nearest */
    int covered; /* 1: pixels have any coverage, by lot */
    size_t most; /* bytes of tables on a device, as in the job */
    int fixed;   /* 1: all apertures have it, but for the nearest with spots twice */
    int soft;    /* as in the job */
    int channel; /* as in the job */
    int dither;  /* 0: codes are not dithered; else a pattern's number */
    int focus;   /* with a rim: the code in focus; `radius` is that of code 0, behind it */
} layer_case;

/* Runs the case with each table word that the contract allows, on several numbers of threads. */
void layer_case_run(check *c, const layer_case *k);

#endif
