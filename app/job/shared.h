/* Pictures that one file gives to all jobs of a run: a mask of a folder, the one map of a clip. Each is decoded once, and
 * jobs borrow its pixels. */
#ifndef SATBLUR_APP_SHARED_H
#define SATBLUR_APP_SHARED_H

#include "engine/source.h"

typedef struct shared_pictures { /* begins as zeros */
    picture of[SOURCES];         /* format NULL: none */
} shared_pictures;

/* Decodes the role's file for all jobs. Before they begin, and in one thread. False: p has the line. */
bool shared_read(shared_pictures *s, const options *o, source_role role, problem *p);

/* Lends the role's picture, without its metadata, until shared_free(). Its pixels must not change. Any thread. False: there
 * is none; s may be NULL. */
bool shared_lend(const shared_pictures *s, source_role role, picture *to);

void shared_free(shared_pictures *s);

#endif
