/* Sums of planes over square windows, by matte/sliding_sums.h in memory of the context. Runs on the host. */
#ifndef SATB_WINDOW_SUMS_H
#define SATB_WINDOW_SUMS_H

#include "base/context.h"
#include "matte/sliding_sums.h"

typedef satk_sliding_sums satb_windows; /* its scratch is no concern of the caller */

/* Sums windows of one radius around all pixels. Errors: NOMEM. */
satb_status satb_sum_windows(satb_context *context, const satb_windows *windows);

#endif
