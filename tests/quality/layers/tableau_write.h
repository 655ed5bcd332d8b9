// What the renderers of planes write: pictures, depth maps and the numbers of a scene.
#ifndef QUALITY_TABLEAU_WRITE_H
#define QUALITY_TABLEAU_WRITE_H

#include "quality/layers/planes.h"

#include <stdio.h>

// Zeroed memory. The program ends when there is none.
void *allocate(size_t count, size_t size);

// PNGs of 8 or 16 bits: linear light as sRGB, and disparities from 0 to 1 as gray codes.
void write_colour(const char *file, const float *rgb, int width, int height, int bits);
void write_depth(const char *file, const float *q, int width, int height, int bits);

// Begins scene.txt with the numbers that define the blur. The caller closes it by numbers_end().
FILE *numbers_begin(const char *file, const struct tableau *scene);
void numbers_end(FILE *out);

#endif
