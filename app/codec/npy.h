/* NumPy's arrays: NPY files, and the members of NPZ files. */
#ifndef SATBLUR_APP_NPY_H
#define SATBLUR_APP_NPY_H

#include "codec/codec_format.h"

#define NPY_MAGIC "\x93NUMPY"

/* What the header says of the samples. */
typedef struct npy_header {
    char kind;      /* 'f' float, 'i' signed, 'u' unsigned, 'b' boolean */
    int size;       /* bytes of a sample */
    bool is_big;    /* big-endian */
    bool is_column; /* samples of a column follow each other (Fortran's order) */
    int width, height;
    size_t at; /* offset of the samples, which are all there */
} npy_header;

/* Reads the header of an array with one map; dimensions of 1 do not count. False: p has a sentence. */
bool npy_parse(bytes in, npy_header *h, problem *p);

/* Reads any array as numbers. */
values_status npy_numbers(bytes in, const decode_settings *settings, values *v, problem *p);

#endif
