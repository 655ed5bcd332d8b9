/* Lists of file names, and the parts of one. A name is any bytes but NUL. */
#ifndef SATBLUR_APP_NAMES_H
#define SATBLUR_APP_NAMES_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct names {
    char **at;
    size_t count, room;
} names;

/* Adds a copy of the first so many bytes. False: not enough memory. */
bool names_add(names *list, const char *text, size_t length);

/* By bytes, each name once. */
void names_sort(names *list);

/* In a sorted list: the first name that does not come before text; list->count where all do. */
size_t names_from(const names *list, const char *text);

void names_free(names *list);

/* A new string, for free(); NULL where there is not enough memory. */
char *text_new(const char *format, ...) SAY_FORMAT(1);

/* What follows the last slash. */
const char *name_base(const char *path);

/* Length up to the ending's dot; the whole of a name without an ending. A dot that a name begins
 * with begins no ending. */
size_t name_stem(const char *path);

/* Whether the ending is that of a format that is read here. */
bool name_is_picture(const char *path);

#endif
