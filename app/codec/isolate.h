/* Files of libraries that hostile bytes can crash, or keep busy for ever, are read by a process of their own, one a file.
 * So a bad file is an error of that file alone. */
#ifndef SATBLUR_APP_ISOLATE_H
#define SATBLUR_APP_ISOLATE_H

#include "codec/codec.h"
#include "codec/heif/heif_aux.h"

#include <satb_config.h>

typedef enum isolate_status {
    ISOLATE_READ,
    ISOLATE_FAILED, /* p has the reason */
    ISOLATE_NONE,   /* the file has no such picture, and nothing is wrong */
    ISOLATE_OFF     /* no process can be started: the caller reads the file itself */
} isolate_status;

#if SATB_HAVE_ISOLATE

/* From now on the functions below start processes. */
void isolate_start(void);

/* Does the same in a process of another program, which is not to be started: by the program of that path, of the same build. */
void isolate_start_by(const char *program);

/* From now on a file for which there is no process, as a limit is reached, fails: a crash here would cost the others. */
void isolate_for_many(void);

/* Returns whether this process was started by them. isolate_serve() is then all that it does. */
bool isolate_is_child(int argc, char **argv);
int isolate_serve(void);

/* Names what keeps them from the system's files, network and processes: "Landlock, seccomp". */
const char *isolate_words(void);

/* picture_decode() of a file of that format. */
isolate_status isolate_decode(picture *pic, const codec *c, bytes in, const char *path,
                              const decode_settings *settings, problem *p);

/* heif_aux_read(). */
isolate_status isolate_aux(bytes in, heif_aux kind, const decode_settings *settings,
                           heif_aux_image *out, problem *p);

#else

static inline void isolate_start(void)
{
}

static inline void isolate_start_by(const char *program)
{
    (void)program;
}

static inline void isolate_for_many(void)
{
}

static inline bool isolate_is_child(int argc, char **argv)
{
    (void)argc, (void)argv;
    return false;
}

static inline int isolate_serve(void)
{
    return 1;
}

static inline const char *isolate_words(void)
{
    return "not built in";
}

static inline isolate_status isolate_decode(picture *pic, const codec *c, bytes in,
                                            const char *path, const decode_settings *settings,
                                            problem *p)
{
    (void)pic, (void)c, (void)in, (void)path, (void)settings, (void)p;
    return ISOLATE_OFF;
}

#endif

#endif
