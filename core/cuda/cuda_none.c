/* Stands in for backend_cuda.c where the build has no CUDA: opening says so, and nothing else is
 * ever reached. */
#include "backend/backend.h"

static satb_status none_open(satb_context *context, const satb_config *config)
{
    (void)config;
    return satb_fail(context, SATB_ERR_UNAVAILABLE, "this build has no CUDA support");
}

satb_status satb_pin(void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    return SATB_ERR_UNAVAILABLE;
}

void satb_unpin(void *data)
{
    (void)data;
}

const satb_backend satb_backend_cuda = {.open = none_open};
