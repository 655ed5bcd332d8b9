/* The host of a context whose device cannot do a part of the work: a context of its own on the CPU. */
#ifndef SATB_HOST_H
#define SATB_HOST_H

#include "base/context.h"

/* Sets *host to the context itself, if its device is the CPU, or to that of its host, which is opened at first. Errors:
 * those of satb_open(). */
satb_status satb_open_host(satb_context *context, satb_context **host);

/* Returns the status of work on the host, whose message becomes the context's. */
satb_status satb_from_host(satb_context *context, const satb_context *host, satb_status status);

#endif
