/* Contexts of the library that a host's threads take in turn, as one thread at a time may use one. */
#ifndef SATBLUR_APP_CONTEXTS_H
#define SATBLUR_APP_CONTEXTS_H

#include <satblur.h>

typedef struct contexts contexts;

/* Opens the first of at most `most` contexts, but of two on a GPU, whose memory they share. NULL: satb_open_message() says why,
 * or is "" if memory ran out. */
contexts *contexts_open(const satb_config *config, int most);

/* Closes all, which have been given back, and sets *of to NULL, as it may be. */
void contexts_close(contexts **of);

/* Returns a context, for contexts_give(); waits for one if all are taken and no other can be opened. Any thread may call. */
satb_context *contexts_take(contexts *of);
void contexts_give(contexts *of, satb_context *context);

#endif
