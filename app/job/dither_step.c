#include "job/dither_step.h"

#include "image/dither.h"
#include "image/pixels.h"

#include <string.h>

/* Returns whether --dither is given, and not as "off". */
static bool wants_dither(const options *o)
{
    return o->given[OPT_DITHER] && o->dof.rounding == SATB_ROUNDING_DITHER;
}

/* Returns whether --grain is given, and not as 0. */
static bool wants_grain(const options *o)
{
    return o->given[OPT_GRAIN] && (o->grain_measured || o->grain > 0);
}

static bool has_layers(const options *o)
{
    return options_have_depth(o) && options_are_layered(o);
}

bool dither_step_is_asked(const options *o)
{
    return wants_grain(o) || (wants_dither(o) && !has_layers(o));
}

static bool has_step(const picture_job *j)
{
    return dither_step_is_asked(j->o) && j->o->output && j->request.src.bits == 8;
}

bool dither_step_is_deep(const picture_job *j)
{
    return has_step(j) && !has_layers(j->o);
}

bool dither_step_needs_radii(const picture_job *j)
{
    return wants_grain(j->o) && has_step(j) && !j->o->given[OPT_RADIUS];
}

/* Finds the grain that goes back, and says so in a note. */
static bool find_grain(picture_job *j, problem *p)
{
    const options *const o = j->o;
    problem inner;
    if (!wants_grain(o))
        return true;
    if (!grain_measure(&j->request.src, strcmp(j->input.format, "jpeg") == 0, &j->grain, &inner))
        return problem_at(p, o->input, &inner);
    if (!o->grain_measured)
        grain_set(&j->grain, o->grain);
    else if (j->grain.mean > 0)
        message_note(!o->given[OPT_VERBOSE], "%s: grain of %.1f codes (measured)", o->input,
                     j->grain.mean);
    else
        message_note(o->given[OPT_QUIET],
                     "%s: no grain was found, so none is added; give --grain F to add some",
                     o->input);
    return true;
}

bool dither_step_begin(picture_job *j, problem *p)
{
    satb_image *const deep = &j->request.deep;
    if ((wants_dither(j->o) || wants_grain(j->o)) && j->request.src.bits != 8)
        message_note(j->o->given[OPT_QUIET],
                     "%s: --dither and --grain have no effect, because the picture has 16 bits",
                     j->o->input);
    if (!has_step(j))
        return true;
    if (!dither_step_is_deep(j))
        return find_grain(j, p);
    *deep = j->request.src;
    deep->bits = 16;
    if (!pixels_make(deep, NULL))
        return problem_set(p,
                           "%s: not enough memory for a picture of 16 bits; leave out --dither "
                           "and --grain",
                           j->o->input);
    dither_deepen(&j->request.src, deep);
    return find_grain(j, p);
}

bool dither_step_end(picture_job *j, problem *p)
{
    engine_request *const q = &j->request;
    const int threads = j->o->engine.threads;
    const dither_settings settings = {.seed = j->number,
                                      .grain = j->grain.mean > 0 ? &j->grain : NULL,
                                      .coc = dither_step_needs_radii(j) ? &q->coc : NULL,
                                      .full_radius = q->report.full_radius,
                                      .radius_x = q->box.radius_x,
                                      .radius_y = q->box.radius_y,
                                      .threads = threads > 0 ? threads : satb_processors()};
    problem inner;
    if (!q->deep.data) /* of layers */
        return j->grain.mean == 0 || dither_pixels(&q->dst, &q->dst, &settings, &inner) ||
               problem_at(p, j->o->input, &inner);
    satb_image out = q->src; /* it takes the memory of the 16-bit copy, which has been used */
    out.data = q->deep.data;
    if (!dither_pixels(&q->dst, &out, &settings, &inner))
        return problem_at(p, j->o->input, &inner);
    q->deep.data = NULL;
    pixels_drop(&q->dst);
    q->dst = out;
    return true;
}
