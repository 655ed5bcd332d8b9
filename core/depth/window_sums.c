#include "depth/window_sums.h"

#include "base/memory.h"

satb_status satb_sum_windows(satb_context *context, const satb_windows *windows)
{
    satb_windows own = *windows;

    own.scratch = satb_take(&context->spares,
                            satk_sliding_sums_scratch(own.width, own.planes, context->threads));
    if (!own.scratch)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for sums");
    satk_sliding_sums_run(&own, context->threads);
    satb_give(&context->spares, own.scratch);
    return SATB_OK;
}
