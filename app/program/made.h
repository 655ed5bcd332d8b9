/* What a program makes of a picture. */
#ifndef SATBLUR_APP_MADE_H
#define SATBLUR_APP_MADE_H

#include "base/blob.h"
#include "program/protocol.h"

#include <stdbool.h>

typedef struct made {
    blob map, matte; /* whole files; an empty matte: there is none */
    made_type type;
    const char *by; /* its name and version, or its command; valid until program_close() */
    uint64_t key;   /* in the cache; 0: program_keep() keeps nothing */
    bool is_cached; /* an earlier run has made it */
} made;

/* A step after which another picture may be handed over: that of this picture has been, or needs no program. */
typedef struct program_step {
    void (*passed)(void *user); /* is called once; NULL: nobody waits */
    void *user;
} program_step;

static inline void made_free(made *m)
{
    blob_free(&m->map);
    blob_free(&m->matte);
}

#endif
