/* Programs of the user's that make depth maps and mattes: those of --depth-process, --depth-command and --matte-command. There
 * is one set of them in a process. */
#ifndef SATBLUR_APP_PROGRAM_H
#define SATBLUR_APP_PROGRAM_H

#include "engine/options.h"
#include "program/made.h"

#include <satblur.h>

/* Takes the programs that the options name. Starts none. False: p has the line. */
bool program_open(const options *o, problem *p);

/* Ends all programs, and removes their files. */
void program_close(void);

/* Returns whether a program makes maps (SOURCE_MAP) or mattes (SOURCE_MATTE). */
bool program_has(source_role role);

typedef struct program_wish {
    source_role role;
    bool with_matte;          /* the matte beside a map is used, too */
    bool anew;                /* what an earlier run has made is of no use */
    const program_step *step; /* is passed once, even if it is made anew */
} program_wish;

/* Makes a map or a matte of a picture on the host, aligned with the upright picture; orientation: that of the pixels. Any
 * thread. False: p has a sentence. */
bool program_make(const program_wish *wish, const satb_image *image, int orientation, made *out,
                  problem *p);

/* Keeps it for later runs, if --depth-cache wants that. For files that can be decoded. */
void program_keep(const made *m);

#endif
