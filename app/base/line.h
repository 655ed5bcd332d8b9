/* A line of text that is put together. */
#ifndef SATBLUR_APP_LINE_H
#define SATBLUR_APP_LINE_H

#include "base/message.h"

#include <stddef.h>

typedef struct line { /* begins as zeros; text that is too long is cut off */
    char text[1024];
    size_t used;
} line;

/* Adds what printf() would print. */
void line_add(line *l, const char *format, ...) MESSAGE_FORMAT(2);

/* Adds a part of a list: a comma is before it unless it is the first. */
void line_add_part(line *l, const char *part);

#endif
