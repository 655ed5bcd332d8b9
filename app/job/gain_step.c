#include "job/gain_step.h"

#include "image/pixels.h"
#include "image/shape.h"

gain_use gain_step_use(const picture_job *j)
{
    const options *const o = j->o;
    const bool is_of_codes = o->given[OPT_EQUALIZE] || o->given[OPT_GAMMA];
    if (o->given[OPT_NO_HDR] || !o->output || j->is_frame || is_of_codes)
        return GAIN_LEAVE;
    if (!j->format || codec_metadata(j->format) == METADATA_JPEG) /* NULL: INPUT's own */
        return GAIN_KEEP;
    return codec_holds_light(j->format) ? GAIN_LIGHT : GAIN_LEAVE;
}

static bool no_memory(const picture_job *j, problem *p)
{
    return problem_set_kind(p, PROBLEM_MEMORY,
                            "%s: not enough memory for its gain map; give --no-hdr to drop it",
                            j->o->input);
}

/* Allocates the blurred light. */
static bool prepare(engine_request *lit)
{
    lit->dst = lit->src;
    lit->dst.data = pixels_allocate(picture_bytes(&lit->src));
    return lit->dst.data != NULL;
}

static void add_times(engine_request *q, const engine_request *lit)
{
    for (int i = 0; i < SATB_STAGES; i++)
        q->timings.ms[i] += lit->timings.ms[i];
    q->memory.peak = lit->memory.peak > q->memory.peak ? lit->memory.peak : q->memory.peak;
    q->verified += lit->verified;
}

/* Does the request's work on the light. Highlights need no guess there. */
static bool blur_light(picture_job *j, engine_request *lit, engine *e, problem *p)
{
    options own = *j->o;
    own.stats = STATS_NONE;
    own.histogram = NULL;
    lit->o = &own;
    lit->dof.highlights = 0;
    lit->deep.data = lit->coc.data = NULL;
    const bool done = (prepare(lit) || no_memory(j, p)) && engine_run(e, lit, p);
    if (done)
        add_times(&j->request, lit);
    return done && (pixels_bring(&lit->dst, p) || no_memory(j, p));
}

bool gain_step_run(picture_job *j, engine *e, problem *p)
{
    engine_request lit = j->request;
    const gain_map *const old = &j->input.gain;
    problem inner;
    if (!old->image.data || !j->request.dst.data)
        return true;
    message_note(!j->o->given[OPT_VERBOSE], "%s: has a gain map, so its light is blurred, too",
                 j->o->input);
    lit.dst.data = NULL;
    if (!gain_map_light(old, &j->request.src, NULL, j->o->engine.threads, &lit.src, &inner))
        return no_memory(j, p);
    const gain_pictures pictures = {.base_before = &j->request.src,
                                    .light_before = &lit.src,
                                    .base = &j->request.dst,
                                    .light = &lit.dst};
    const bool done = blur_light(j, &lit, e, p) &&
                      (gain_map_measure(&pictures, old, &j->gain, &inner) || no_memory(j, p));
    pixels_drop(&lit.src);
    pixels_drop(&lit.dst);
    return done;
}
