#include "backend/host.h"

#include "backend/backend.h"

#include <stdio.h>

satb_status satb_open_host(satb_context *context, satb_context **host)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = context->threads};
    satb_status status = SATB_OK;

    *host = context;
    if (context->backend == &satb_backend_cpu)
        return SATB_OK;
    if (!context->host)
        status = satb_open(&context->host, &config);
    *host = context->host;
    return status == SATB_OK ? SATB_OK : satb_fail(context, status, "%s", satb_open_message());
}

satb_status satb_from_host(satb_context *context, const satb_context *host, satb_status status)
{
    if (status != SATB_OK && host != context)
        snprintf(context->message, sizeof context->message, "%s", host->message);
    return status;
}
