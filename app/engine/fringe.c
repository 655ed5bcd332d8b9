#include "engine/fringe.h"

#include <string.h>

enum { RED, GREEN, BLUE };

bool fringe_shows(const options *o, const satb_image *src)
{
    return o->fringe > 0 && options_have_depth(o) && src->channels >= 3;
}

/* Returns the parameters of red (more is the fringe) or of blue (more is below 0). */
static satb_dof_params scale(const satb_dof_params *green, double more)
{
    satb_dof_params dof = *green;
    dof.scaled = 1;
    dof.near_scale = (green->scaled ? green->near_scale : 1) * (1 + more);
    dof.far_scale = (green->scaled ? green->far_scale : 1) * (1 - more);
    return dof;
}

/* Copies a channel between pictures of one shape. */
static void take_channel(const satb_image *from, const satb_image *to, int channel)
{
    const size_t sample = (size_t)to->bits / 8, pixel = sample * (size_t)to->channels;
    for (int y = 0; y < to->height; y++) {
        const char *in = (const char *)from->data + y * from->stride + (size_t)channel * sample;
        char *out = (char *)to->data + y * to->stride + (size_t)channel * sample;
        for (int x = 0; x < to->width; x++, in += pixel, out += pixel)
            memcpy(out, in, sample);
    }
}

/* Blurs red or blue by the method of green. *method gets the method that was used. */
static satb_status blur_channel(engine_request *q, satb_context *context,
                                const satb_dof_params *green, int channel, satb_method *method)
{
    satb_dof_report report = {0};
    const satb_image *const map = q->map.data ? &q->map : NULL;
    const satb_dof_params dof = scale(green, channel == RED ? q->o->fringe : -q->o->fringe);
    const satb_status status = engine_timed(
        q, context, satb_dof(context, engine_blurred(q), map, &q->spare, &dof, &report));
    if (status == SATB_OK)
        take_channel(&q->spare, &q->dst, channel);
    *method = report.method;
    return status;
}

satb_status fringe_blur(engine_request *q, satb_context *context, const satb_dof_params *dof)
{
    const satb_image *const map = q->map.data ? &q->map : NULL;
    satb_method red = SATB_METHOD_DEFAULT, blue = SATB_METHOD_DEFAULT;
    satb_status status = engine_timed(
        q, context, satb_dof(context, engine_blurred(q), map, &q->dst, dof, &q->report));
    if (status == SATB_OK)
        status = blur_channel(q, context, dof, RED, &red);
    if (status == SATB_OK)
        status = blur_channel(q, context, dof, BLUE, &blue);
    if (status != SATB_OK || (red == q->report.method && blue == red))
        return status;
    satb_dof_params all = *dof; /* the sums of layers overflowed for the larger radii alone */
    all.method = SATB_METHOD_GATHER;
    return fringe_blur(q, context, &all);
}
