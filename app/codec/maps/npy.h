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
    uint64_t maps; /* of an array with three dimensions; otherwise 1 */
    size_t at;     /* offset of the samples */
} npy_header;

/* The bytes up to the samples are at most that many. */
enum { NPY_HEADER_MOST = (1 << 16) + 12 };

/* The most maps of an array: their bytes can be counted in 64 bits. */
enum { NPY_MAPS_MOST = 100000000 };

/* Reads the header of an array with one map, whose samples are all there; dimensions of 1 do not count. False: p has a
 * sentence. */
bool npy_parse(bytes in, npy_header *h, problem *p);

/* Reads the header of an array with one map or several; in may end anywhere behind it. */
bool npy_parse_header(bytes in, npy_header *h, problem *p);

/* Returns the bytes of one map's samples. */
uint64_t npy_map_bytes(const npy_header *h);

/* Writes the header of an NPY file with one map alone, of NPY_ALONE bytes. */
enum { NPY_ALONE = 128 };
void npy_header_alone(const npy_header *h, uint8_t to[NPY_ALONE]);

/* Reads any array as numbers. */
values_status npy_numbers(bytes in, const decode_settings *settings, values *v, problem *p);

#endif
