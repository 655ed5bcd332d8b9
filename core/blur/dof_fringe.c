#include "blur/dof_fringe.h"

#include "backend/image.h"
#include "common/pool.h"

#include <string.h>

enum { RED, GREEN, BLUE };

/* A channel of a picture, and the picture that gets it. */
typedef struct channel_of {
    const satb_image *from, *to;
    int channel;
} channel_of;

/* Whether transparent pixels hide codes, which are no colours to be seen. Colours of halves are times alpha. */
static int hides(const satb_image *p)
{
    return satk_has_alpha(p->channels) && !p->half;
}

/* Takes a row's samples, but not the hidden codes of pixels that the channel's own blur has left transparent. */
static void take_row(const void *of, int y)
{
    const channel_of *const c = of;
    const size_t sample = (size_t)c->to->bits / 8, pixel = sample * (size_t)c->to->channels;
    const size_t first = (size_t)c->channel * sample, alpha = pixel - sample;
    const int with_hidden = hides(c->to);
    const uint8_t *in = (const uint8_t *)c->from->data + y * c->from->stride;
    uint8_t *out = (uint8_t *)c->to->data + y * c->to->stride;

    for (int x = 0; x < c->to->width; x++, in += pixel, out += pixel)
        if (!with_hidden || in[alpha] || in[pixel - 1])
            memcpy(out + first, in + first, sample);
}

/* Adds what the runs before took. */
static void add_timings(satb_context *context, const satb_timings *before, int bands)
{
    for (int i = 0; i < SATB_STAGES; i++)
        context->timings.ms[i] += before->ms[i];
    if (context->memory.bands < bands)
        context->memory.bands = bands;
}

/* Blurs red or blue into `spare`, and takes its channel. */
static satb_status add_colour(satb_context *context, const satb_dof_blur *blur,
                              const satb_image *spare, int channel, satb_dof_run *run,
                              const void *user)
{
    const satb_timings timings = context->timings;
    const int bands = context->memory.bands;
    const double more = channel == RED ? blur->fringe : -blur->fringe;
    const channel_of taken = {spare, blur->dst, channel};
    satb_dof_blur job = *blur;
    satk_lens lens = *blur->lens;
    int lights = 0;

    lens.before *= 1 + more;
    lens.behind *= 1 - more;
    job.lens = &lens;
    job.dst = spare;
    job.channel = hides(spare) ? 0 : channel + 1; /* 0: alpha, too */
    job.lights = &lights;
    const satb_status status = run(context, &job, user);
    if (status != SATB_OK)
        return status;
    satk_for(context->threads, spare->height, 0, take_row, &taken);
    add_timings(context, &timings, bands);
    return SATB_OK;
}

satb_status satb_run_with_fringe(satb_context *context, const satb_dof_blur *blur,
                                 satb_dof_run *run, const void *user)
{
    satb_dof_blur job = *blur;
    satb_image spare = *blur->dst, src = *blur->src;
    void *copy = NULL;
    satb_status status = SATB_OK;

    if (blur->fringe == 0 || blur->src->channels < 3)
        return run(context, blur, user);
    spare.stride = (ptrdiff_t)spare.width * spare.channels * spare.bits / 8;
    spare.data = satb_take(&context->spares, (size_t)spare.stride * (size_t)spare.height);
    if (!spare.data)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    if (src.data == blur->dst->data)
        status = satb_copy_on_host(context, blur->src, &src, &copy);
    job.src = &src;
    job.channel = satk_has_alpha(src.channels) ? 0 : GREEN + 1;
    if (status == SATB_OK)
        status = run(context, &job, user);
    for (int channel = RED; channel <= BLUE && status == SATB_OK; channel += BLUE - RED)
        status = add_colour(context, &job, &spare, channel, run, user);
    satb_give(&context->spares, copy);
    satb_give(&context->spares, spare.data);
    return status;
}
