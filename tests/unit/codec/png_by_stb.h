/* PNG read by stb_image: a reader that shares no code with those of the program. */
#ifndef SATBLUR_TESTS_PNG_BY_STB_H
#define SATBLUR_TESTS_PNG_BY_STB_H

#include <satblur.h>

#include <stdbool.h>
#include <stddef.h>

/* Returns whether stb_image finds exactly these pixels in the file. */
bool png_by_stb_is(const void *png, size_t size, const satb_image *image);

#endif
