/* Numbered files: frames/%05d.png is the frames 00001.png, 00002.png, and so on, and so is frames/#####.png. */
#ifndef SATBLUR_APP_NUMBERED_H
#define SATBLUR_APP_NUMBERED_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NUMBERED_DIGITS = 18, /* of the longest number */
    NUMBERED_SIGNS = 3    /* # in a pattern, at least */
};

typedef struct numbered {
    const char *pattern;
    long long first;
    uint64_t count;   /* from the first on, with those that are missing */
    uint64_t lacking; /* are missing */
} numbered;

/* Returns whether the name, without folders, has one %d, or %0Nd with N digits, and no other %; or three # or more together,
 * each a digit. A file of that very name is a file. */
bool numbered_is(const char *name);

/* Returns the folder of a pattern, for free(). NULL: not enough memory. */
char *numbered_folder(const char *pattern);

/* Finds the files of a pattern. False: p has the line; there are none, or a number is missing and may not. */
bool numbered_find(numbered *n, const char *pattern, bool may_lack, problem *p);

/* Returns the number in the name of a file of the pattern, without folders; -1: it is none of them. */
long long numbered_number(const char *pattern, const char *file, size_t length);

/* Calls `visit` for each file that is there under a name of the pattern, maybe twice: with its number and its name. A folder
 * that takes other spellings for one name is asked for the pattern's own. */
typedef void numbered_visit(void *user, long long number, const char *name);
void numbered_there(const char *pattern, numbered_visit *visit, void *user);

/* Writes the name with that number. False: p has the line; the path is too long. */
bool numbered_name(const char *pattern, long long number, char out[4096], problem *p);

#endif
