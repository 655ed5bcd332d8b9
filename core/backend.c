#include "backend.h"

void satb_clear_timings(satb_context *context)
{
    context->timings = (satb_timings){0};
}

void satb_add_timing(satb_context *context, satb_stage stage, double ms)
{
    satb_timings *const t = &context->timings;
    double *const fields[SATB_STAGES] = {
        [SATB_STAGE_UPLOAD] = &t->upload,     [SATB_STAGE_TABLE] = &t->table,
        [SATB_STAGE_BLUR] = &t->blur,         [SATB_STAGE_MEASURE] = &t->measure,
        [SATB_STAGE_DOWNLOAD] = &t->download,
    };
    *fields[stage] += ms;
}
