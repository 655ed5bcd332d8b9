/* Attributes of an EXR that are carried to another: numbers, texts, and the meaning of the colours. */
#ifndef SATBLUR_APP_EXR_ATTRIBUTE_H
#define SATBLUR_APP_EXR_ATTRIBUTE_H

#include "base/blob.h"

#include <stdbool.h>

typedef struct exr_attribute {
    const char *name, *type; /* in the bytes that it was read from */
    bytes value;
    char text[4096]; /* of a string; longer ones are cut off */
} exr_attribute;

/* Takes the next attribute from the bytes, which begin with a name. False: they end, or are damaged. */
bool exr_attribute_next(bytes *left, exr_attribute *a);

#endif
