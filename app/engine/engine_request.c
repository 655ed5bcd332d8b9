#include "engine/engine_request.h"

const satb_image *engine_blurred(const engine_request *q)
{
    return q->deep.data ? &q->deep : &q->src;
}

satb_status engine_timed(engine_request *q, const satb_context *context, satb_status status)
{
    if (status == SATB_OK) {
        const satb_timings t = satb_last_timings(context);
        const satb_memory m = satb_last_memory(context);
        for (int i = 0; i < SATB_STAGES; i++)
            q->timings.ms[i] += t.ms[i];
        q->memory.peak = m.peak; /* it only grows */
        q->memory.bands = m.bands > q->memory.bands ? m.bands : q->memory.bands;
    }
    return status;
}

bool engine_measures_depth(const options *o)
{
    return o->stats && o->given[OPT_DEPTH];
}
