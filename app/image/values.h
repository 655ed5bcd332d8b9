/* The numbers of a depth map whose file holds no codes of 8 or 16 bits: metres, disparities, whatever the program that wrote
 * it meant. */
#ifndef SATBLUR_APP_VALUES_H
#define SATBLUR_APP_VALUES_H

#include "base/message.h"

#include <stdbool.h>

typedef struct values {
    float *
        data; /* width * height, rows from the top; infinities and NaN may occur; for pixels_free() */
    int width, height;
    char from
        [64]; /* the channel or the array that they come from, like "Z" or "depth"; "" where a file has but one */
    bool
        is_metres; /* the format, the channel's name or the arrays beside it say that they are distances in metres */
    bool is_assumed; /* but not surely */
} values;

/* Sets the size and allocates memory for it, uninitialised. False: p has a sentence. */
bool values_allocate(values *v, int width, int height, problem *p);

#endif
