/* Programs of the user's that make depth maps and mattes: those of --depth-process, --depth-command and --matte-command. There
 * is one set of them in a process. */
#ifndef SATBLUR_APP_PROGRAM_H
#define SATBLUR_APP_PROGRAM_H

#include "base/blob.h"
#include "engine/options.h"
#include "program/protocol.h"

#include <satblur.h>

/* What a program has made of a picture; for made_free(). */
typedef struct made {
    blob map, matte; /* whole files; an empty matte: there is none */
    made_type type;
    const char *by; /* its name and version, or its command; valid until program_close() */
    bool is_cached; /* an earlier run has made it */
} made;

/* Takes the programs that the options name. Starts none. False: p has the line. */
bool program_open(const options *o, problem *p);

/* Ends all programs, and removes their files. */
void program_close(void);

/* Returns whether a program makes maps (SOURCE_MAP) or mattes (SOURCE_MATTE). */
bool program_has(source_role role);

/* A step after which another picture may be handed over: that of this picture has been, or needs no program. */
typedef struct program_step {
    void (*passed)(void *user); /* is called once; NULL: nobody waits */
    void *user;
} program_step;

/* Makes a map or a matte of a picture on the host, aligned with the upright picture; orientation: that of the pixels. Any
 * thread. False: p has a sentence. */
bool program_make(source_role role, const satb_image *image, int orientation,
                  const program_step *step, made *out, problem *p);

void made_free(made *m);

#endif
