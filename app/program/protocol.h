/* The lines that a program and this one say to each other, version 1: see doc/map-programs.md. */
#ifndef SATBLUR_APP_PROTOCOL_H
#define SATBLUR_APP_PROTOCOL_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

/* What a program says that its map's numbers mean. */
typedef enum made_type {
    MADE_UNKNOWN, /* nothing */
    MADE_DISPARITY,
    MADE_DEPTH, /* distance of unknown scale */
    MADE_METRES,
    MADE_TYPES
} made_type;

extern const char *const made_words[MADE_TYPES]; /* "" for MADE_UNKNOWN */

typedef struct made_answer {
    made_type type;
    bool has_matte, is_error; /* is_error: the program has no map of this picture, and goes on */
} made_answer;

/* Reads the first line of a program. Sets *name to its name and version, within the line. False: p has a sentence. */
bool protocol_greeting(char *line, const char **name, problem *p);

/* Reads the answer for a picture of that number. False: p has a sentence; answer->is_error: it is the program's own. */
bool protocol_answer(char *line, unsigned long long number, made_answer *answer, problem *p);

#endif
