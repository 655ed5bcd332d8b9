#include "backend/call.h"

#include "backend/image.h"

#include <assert.h>

void satb_keep(satb_call *call, satb_context *context, satb_slot slot, satb_kept which,
               satb_image *image)
{
    if (!context->backend->retain)
        return;
    context->backend->retain(context, slot);
    call->kept[which] = image;
}

satb_status satb_bring(satb_call *call, satb_context *context, satb_image *image)
{
    void *copy = NULL;
    const satb_status status =
        image->data ? satb_view_on_host(context, image, image, &copy) : SATB_OK;

    assert(!copy || call->copy_count < SATB_COPIES);
    if (copy)
        call->copies[call->copy_count++] = copy;
    return status;
}

static void release(satb_call *call, satb_context *context)
{
    for (int i = 0; i < SATB_KEPT; i++)
        call->kept[i] = NULL;
    if (context->backend->release)
        context->backend->release(context);
}

satb_status satb_bring_kept(satb_call *call, satb_context *context)
{
    satb_status status = SATB_OK;

    for (int i = 0; i < SATB_KEPT && status == SATB_OK; i++)
        if (call->kept[i])
            status = satb_bring(call, context, call->kept[i]);
    release(call, context);
    return status;
}

void satb_end_call(satb_call *call, satb_context *context)
{
    release(call, context);
    if (!call->is_done)
        context->timings = call->before;
    for (int i = 0; i < call->copy_count; i++)
        satb_give(&context->spares, call->copies[i]);
    *call = (satb_call){.copy_count = 0};
}
