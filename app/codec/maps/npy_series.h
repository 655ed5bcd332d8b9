/* The depth maps of a clip in one array of NumPy's, MAPS x HEIGHT x WIDTH: an NPY file, or an array of an NPZ. One map at a time
 * is read, so memory does not depend on their number. */
#ifndef SATBLUR_APP_NPY_SERIES_H
#define SATBLUR_APP_NPY_SERIES_H

#include "codec/codec_format.h"

typedef struct npy_series npy_series;

/* Opens the file. NULL in *out: it is no regular file, or of another format, or its array has one map; then picture_load()
 * reads it or explains. False: p has a sentence without the file's name. */
bool npy_series_open(npy_series **out, const char *path, const decode_settings *settings,
                     problem *p);
void npy_series_close(npy_series *s);

uint64_t npy_series_maps(const npy_series *s);

/* Returns "NPY" or "NPZ", and the array's name in an NPZ, else "". */
const char *npy_series_format(const npy_series *s);
const char *npy_series_array(const npy_series *s);

/* Returns whether the numbers are distances, as npz_is_distance() assumes. */
bool npy_series_is_distance(const npy_series *s);

/* Reads the next map, as an NPY file of its own of npy_series_bytes() bytes. There are npy_series_maps() of them. False: p
 * has a sentence. */
size_t npy_series_bytes(const npy_series *s);
bool npy_series_next(npy_series *s, uint8_t *to, problem *p);

#endif
