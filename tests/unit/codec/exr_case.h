/* EXR files of a few pixels, byte by byte. */
#ifndef SATBLUR_TESTS_EXR_CASE_H
#define SATBLUR_TESTS_EXR_CASE_H

#include "base/blob.h"

enum { EXR_CASE_UINT, EXR_CASE_HALF, EXR_CASE_FLOAT };

typedef struct exr_case {
    int width, height; /* of the data window */
    int left, top;     /* of the data window */
    int shown_width,
        shown_height; /* of the display window, which begins at (0, 0); 0: as the data window */
    int packing;      /* 0: none; else the number of a compression, which the rows do not have */
    const char *names[16]; /* of the channels, in alphabetical order */
    int type;              /* of all samples */
    int sampling;          /* across and down; 0: 1 */
    bool differ;           /* the channels have other samples than each other */
    int tile;              /* the side of a tile; 0: rows */
} exr_case;

/* Returns the number that channel c has at (x, y) of the data window. */
float exr_case_number(const exr_case *e, int c, int x, int y);

/* Returns the file, for blob_free(). */
blob exr_case_file(const exr_case *e);

#endif
