/* The context behind satb_context, and what every operation needs from it. */
#ifndef SATB_CONTEXT_H
#define SATB_CONTEXT_H

#include "base/memory.h"
#include <satblur.h>

struct satb_backend;

struct satb_context {
    const struct satb_backend *backend;
    void *device; /* the back end's own state */
    int threads;  /* CPU threads */
    int sat;      /* a satk_sat_variant: how a CUDA device builds tables */
    char name[160];
    char message[256];
    satb_timings timings;
    satb_memory memory;
    int most_bands;  /* 0: as many as it takes */
    double depth_ms; /* of the call under way: what timings.depth will be */
    int goes_on; /* the next work on the device is the same call's, whose images have not changed */
    uint32_t
        *decode[2]; /* tone tables for 8 and 16 bits, made when first needed; see tone_tables.h */
    uint16_t *encode[2];
    /* What maps and whole pictures took of the host's memory: as many blocks as SATB_SPARES at most, of any size, until
     * the context is closed. */
    satb_spares spares;
};

/* Keeps the message (printf-style) and returns the status, so that errors read `return
 * satb_fail(...)`. */
satb_status satb_fail(satb_context *context, satb_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Of a steady clock. */
double satb_now_ms(void);

#endif
