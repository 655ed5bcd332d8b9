/* The back end of a build without CUDA: opening it fails, so nothing else is called. */
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
