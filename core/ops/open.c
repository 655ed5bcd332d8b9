/* A context: opened on a device, described, closed. */
#include "backend/backend.h"
#include "common/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char open_message[256]; /* of a thread, since there is no context yet */

/* Sets the thread's message, printf-style, and returns the status. */
__attribute__((format(printf, 2, 3))) static satb_status fail_to_open(satb_status status,
                                                                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(open_message, sizeof open_message, format, args);
    va_end(args);
    return status;
}

static satb_status try_open(satb_context *context, const satb_backend *backend,
                            const satb_config *config)
{
    context->backend = backend;
    const satb_status status = backend->open(context, config);
    return status == SATB_OK ? status : fail_to_open(status, "%s", context->message);
}

static satb_status open_device(satb_context *context, const satb_config *config)
{
    if (config->device == SATB_DEVICE_CPU)
        return try_open(context, &satb_backend_cpu, config);
    const satb_status status = try_open(context, &satb_backend_cuda, config);
    if (status == SATB_OK || config->device == SATB_DEVICE_CUDA)
        return status;
    return try_open(context, &satb_backend_cpu, config);
}

satb_status satb_open(satb_context **out, const satb_config *config)
{
    const satb_config defaults = {0};
    const satb_config *const c = config ? config : &defaults;

    if (!out)
        return fail_to_open(SATB_ERR_ARG, "out: it is NULL");
    *out = NULL;
    if (c->device < SATB_DEVICE_AUTO || c->device > SATB_DEVICE_CUDA || c->cuda_index < 0 ||
        c->threads < 0 || c->threads > SATK_MOST_THREADS)
        return fail_to_open(SATB_ERR_ARG,
                            "config: the device is unknown, or threads are not in 0 .. 1024");
    satb_context *context = calloc(1, sizeof *context);
    if (!context)
        return fail_to_open(SATB_ERR_NOMEM, "out of memory");
    context->threads = c->threads ? c->threads : satk_processors();
    context->memory.bands = 1;
    const satb_status status = open_device(context, c);
    if (status != SATB_OK) {
        free(context);
        return status;
    }
    satk_pool_enter();
    open_message[0] = context->message[0] = '\0';
    *out = context;
    return SATB_OK;
}

const char *satb_open_message(void)
{
    return open_message;
}

void satb_close(satb_context **context)
{
    if (!context || !*context)
        return;
    satb_close(&(*context)->host);
    (*context)->backend->close(*context);
    for (size_t i = 0; i < sizeof(*context)->decode / sizeof *(*context)->decode; i++)
        free((*context)->decode[i]);
    for (size_t i = 0; i < sizeof(*context)->encode / sizeof *(*context)->encode; i++)
        free((*context)->encode[i]);
    for (size_t i = 0; i < sizeof(*context)->shown / sizeof *(*context)->shown; i++)
        free((*context)->shown[i]);
    satb_free_spares(&(*context)->spares);
    free((*context)->aperture);
    free(*context);
    *context = NULL;
    satk_pool_leave();
}

void satb_trim(satb_context *context)
{
    if (!context)
        return;
    if (context->host)
        satb_trim(context->host);
    context->backend->trim(context);
    satb_free_spares(&context->spares);
    context->memory.bands = 1; /* the next call finds its number again */
}

void satb_limit_bands(satb_context *context, int most)
{
    if (context)
        context->most_bands = most;
}

satb_status satb_set_stream(satb_context *context, void *stream)
{
    if (!context)
        return SATB_ERR_ARG;
    if (context->backend->set_stream)
        return context->backend->set_stream(context, stream);
    return stream == SATB_OWN_STREAM
               ? SATB_OK
               : satb_fail(context, SATB_ERR_ARG, "stream: the context has no CUDA device");
}

const char *satb_describe(const satb_context *context)
{
    return context ? context->name : "";
}

int satb_is_cuda(const satb_context *context)
{
    return context && context->backend == &satb_backend_cuda;
}

const char *satb_last_message(const satb_context *context)
{
    return context ? context->message : "context: it is NULL; open one";
}

satb_timings satb_last_timings(const satb_context *context)
{
    return context ? context->timings : (satb_timings){{0}};
}

satb_memory satb_last_memory(const satb_context *context)
{
    return context ? context->memory : (satb_memory){.bands = 1};
}
