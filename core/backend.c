#include "backend.h"

satb_status satb_settled(satb_context *context, satb_status status)
{
    if (status != SATB_OK)
        context->backend->settle(context);
    return status;
}

void satb_set_timings(satb_context *context, const double ms[SATB_STAGES])
{
    context->timings = (satb_timings){.upload = ms[SATB_STAGE_UPLOAD],
                                      .table = ms[SATB_STAGE_TABLE],
                                      .blur = ms[SATB_STAGE_BLUR],
                                      .measure = ms[SATB_STAGE_MEASURE],
                                      .equalize = ms[SATB_STAGE_EQUALIZE],
                                      .download = ms[SATB_STAGE_DOWNLOAD]};
}
