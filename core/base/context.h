/* The context: the state that calls share. */
#ifndef SATB_CONTEXT_H
#define SATB_CONTEXT_H

#include "base/memory.h"
#include <satblur.h>

struct satb_backend;

struct satb_context {
    const struct satb_backend *backend;
    struct satb_context
        *host;    /* for what the device cannot do; NULL until it is needed, see host.h */
    void *device; /* the back end's state */
    int threads;  /* CPU threads */
    char name[160];
    char message[256];
    satb_timings timings;
    satb_memory memory;
    int most_bands;                 /* see satb_limit_bands() */
    size_t most_tables;             /* bytes of layers', see satb_cut(); 0: as many as pay */
    struct satb_aperture *aperture; /* of the last blur by depth, or NULL, see blur/aperture.h */
    /* Tone tables for 8 bits, 16 bits and half floats, NULL until they are needed, see tone_tables.h. */
    uint32_t *decode[3];
    uint16_t *encode[2];
    uint16_t *shown[2]; /* see shown.h */
    /* Blocks of host memory that maps and pictures have used, kept for the next ones until the context is closed. */
    satb_spares spares;
};

/* Sets the context's message, printf-style, and returns the status. The message is a line of ASCII. context NULL: there is
 * no message. */
satb_status satb_fail(satb_context *context, satb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns milliseconds of a monotonic clock. */
double satb_now_ms(void);

#endif
