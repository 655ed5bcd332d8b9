/* Where encoded bytes go: a function, and whether it has failed. */
#ifndef SATBLUR_APP_SINK_H
#define SATBLUR_APP_SINK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sink {
    bool (*write)(void *user, const void *data, size_t size);
    void *user;
    bool
        failed; /* write() has returned false; it is not called again, as the libraries' encoders cannot be stopped */
} sink;

/* Passes the bytes on. False: this call or an earlier one has failed. */
bool sink_put(sink *to, const void *data, size_t size);

#endif
