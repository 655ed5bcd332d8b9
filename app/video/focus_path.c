#include "video/focus_path.h"

#include "image/orientation.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <exact_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double settling = 0.4;    /* seconds: a step is left to 1/e after it */
static const double calm = 0.02;       /* of disparity: a smaller step is a turn of the subject */
static const double calm_settling = 2; /* seconds of that step */
static const double fastest = 0.8;     /* of disparity, a second */
static const double cut_share = 0.3;   /* of the pixels have another brightness in their quarter */
static const double measurements = 8;  /* a second */

void focus_path_open(focus_path *f, const options *o, double rate, uint64_t first)
{
    *f = (focus_path){.o = o, .rate = rate};
    f->every = rate > measurements ? (uint64_t)(rate / measurements + 0.5) : 1;
    turn_open(&f->order);
    turn_open(&f->place);
    f->order.at = f->place.at = first;
}

void focus_path_close(focus_path *f)
{
    turn_close(&f->order);
    turn_close(&f->place);
}

void focus_path_stop(focus_path *f)
{
    turn_stop(&f->order);
    turn_stop(&f->place);
}

/* --- Looking ---------------------------------------------------------------------------------- */

/* Measures the focus that the parameters ask for. */
static bool measure(engine_pool *pool, const engine_request *q, const satb_dof_params *dof,
                    double *focus, problem *p)
{
    engine_request look = *q;
    look.dof = *dof;
    look.dst = (satb_image){0};
    look.coc =
        (satb_image){.width = q->src.width, .height = q->src.height, .channels = 1, .bits = 16};
    if (!pixels_make(&look.coc, NULL))
        return problem_set(p, "%s: not enough memory to find its focus", q->o->input);
    engine *const e = engine_pool_take(pool, ANY_ENGINE);
    const bool done = engine_run(e, &look, p);
    engine_pool_give(pool, e);
    *focus = look.report.focus;
    pixels_free(look.coc.data);
    return done;
}

void focus_look_count(focus_look *look, const satb_image *image)
{
    enum { STEP = 4 };
    const int colours = image->channels < 3 ? 1 : 3;
    const unsigned full = image->bits == 16 ? UINT16_MAX : UINT8_MAX;
    for (int y = 0; y < image->height; y += STEP) {
        const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
        for (int x = 0; x < image->width; x += STEP) {
            const int quarter = 2 * (2 * y >= image->height) + (2 * x >= image->width);
            unsigned sum = 0;
            for (int c = 0; c < colours; c++)
                sum += picture_sample(image, row, (size_t)x * (size_t)image->channels + (size_t)c);
            look->histogram[quarter]
                           [(uint64_t)sum * (FOCUS_BINS - 1) / ((unsigned)colours * full)]++;
            look->pixels++;
        }
    }
}

/* Returns the share of all pixels that a quarter has more in the bins around one. */
static double surplus(const focus_look *a, const focus_look *b, int quarter, int bin)
{
    double sum = 0;
    for (int i = bin - FOCUS_NEAR; i <= bin + FOCUS_NEAR; i++)
        if (i >= 0 && i < FOCUS_BINS)
            sum += (double)a->histogram[quarter][i] / a->pixels -
                   (double)b->histogram[quarter][i] / b->pixels;
    return sum / (2 * FOCUS_NEAR + 1);
}

bool focus_look_is_cut(const focus_look *a, const focus_look *b)
{
    double moved = 0;
    for (int quarter = 0; quarter < FOCUS_QUARTERS; quarter++)
        for (int i = -FOCUS_NEAR; i < FOCUS_BINS + FOCUS_NEAR; i++)
            moved += fabs(surplus(a, b, quarter, i)) / 2;
    return moved > cut_share;
}

/* --- In order --------------------------------------------------------------------------------- */

static double median(const double *of, int count)
{
    double sorted[FOCUS_MEDIAN];
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > of[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = of[i];
    }
    return sorted[count / 2];
}

static void remember(focus_path *f, double focus)
{
    if (f->measured == FOCUS_MEDIAN)
        memmove(f->recent, f->recent + 1, (FOCUS_MEDIAN - 1) * sizeof *f->recent);
    else
        f->measured++;
    f->recent[f->measured - 1] = focus;
}

double focus_path_step(focus_path *f, const focus_look *look)
{
    const bool begins = !f->has_focus || f->measured == 0;
    if (look->has_focus)
        remember(f, look->focus);
    if (f->measured > 0) {
        const double aim = median(f->recent, f->measured);
        const double passed = look->seconds - f->last.seconds;
        const double off = aim - f->focus, far = copysign(fmax(0, fabs(off) - calm), off);
        const double most = fastest * passed,
                     way = far * (1 - satb_exp(-passed / settling)) +
                           (off - far) * (1 - satb_exp(-passed / calm_settling));
        f->focus = begins ? aim : f->focus + fmax(-most, fmin(most, way));
        f->has_focus = true;
    }
    f->last = *look;
    return f->focus;
}

static bool follows_place(const focus_path *f)
{
    return f->o->given[OPT_FOCUS_TRACK];
}

/* Begins anew at a cut, with a measurement of the cut's frame. A place that is lost at a cut leaves the focus as it was. */
static bool begin_shot(focus_path *f, engine_pool *pool, const engine_request *q, focus_look *look,
                       problem *p)
{
    if ((f->last.pixels > 0 && !focus_look_is_cut(&f->last, look)) ||
        (follows_place(f) && !look->has_focus))
        return true;
    f->measured = 0;
    look->has_focus = look->has_focus || measure(pool, q, &q->dof, &look->focus, p);
    return look->has_focus;
}

/* Finds the place that is followed, and measures the focus there, if it is seen. */
static bool look_at_place(focus_path *f, engine_pool *pool, const engine_request *q,
                          focus_look *look, problem *p)
{
    track_view view;
    problem inner;
    satb_dof_params dof = q->dof;
    if (dof.focus_x >= q->src.width || dof.focus_y >= q->src.height)
        return problem_set(
            p,
            "--focus-track %d,%d is outside the frames of %d x %d pixels; 0,0 is the "
            "top left",
            f->o->dof.focus_x, f->o->dof.focus_y, q->src.width, q->src.height);
    if (!track_view_make(&view, &q->src, &q->map, &inner))
        return problem_at(p, q->o->input, &inner);
    const bool taken = turn_take(&f->place, look->number, p);
    if (taken) {
        const bool cut = f->followed.pixels > 0 && focus_look_is_cut(&f->followed, look);
        look->has_focus = track_follow(&f->track, &view, cut, &dof.focus_x, &dof.focus_y);
        f->followed = *look;
        turn_pass(&f->place);
    }
    track_view_free(&view);
    return taken && (!look->has_focus || measure(pool, q, &dof, &look->focus, p));
}

/* Measures the focus in every few frames. */
static bool look_now_and_then(const focus_path *f, engine_pool *pool, const engine_request *q,
                              focus_look *look, problem *p)
{
    look->has_focus = look->number % f->every == 0;
    return !look->has_focus || measure(pool, q, &q->dof, &look->focus, p);
}

static bool follow(focus_path *f, engine_pool *pool, engine_request *q, uint64_t number,
                   double seconds, problem *p)
{
    focus_look look = {.number = number, .seconds = seconds};
    focus_look_count(&look, &q->src);
    if (follows_place(f) ? !look_at_place(f, pool, q, &look, p)
                         : !look_now_and_then(f, pool, q, &look, p))
        return false;
    if (!turn_take(&f->order, number, p) || !begin_shot(f, pool, q, &look, p))
        return false;
    q->dof.focus = focus_path_step(f, &look);
    q->dof.focus_mode = SATB_FOCUS_VALUE;
    turn_pass(&f->order);
    return true;
}

/* --- Keys ------------------------------------------------------------------------------------- */

/* Finds the disparity of a key in this frame. */
static bool find_key(const clip_key *k, engine_pool *pool, const engine_request *q, int orientation,
                     double *focus, problem *p)
{
    satb_dof_params dof = q->dof;
    dof.focus = *focus = k->value;
    if (k->kind == KEY_NUMBER)
        return true;
    dof.focus_mode = k->kind == KEY_METRES ? SATB_FOCUS_DISTANCE : SATB_FOCUS_POINT;
    dof.focus_x = k->x;
    dof.focus_y = k->y;
    const bool swapped = orientation_swaps(orientation);
    if (k->kind == KEY_POINT && orientation != 1)
        orientation_point_to_stored(orientation, swapped ? q->src.height : q->src.width,
                                    swapped ? q->src.width : q->src.height, &dof.focus_x,
                                    &dof.focus_y);
    return measure(pool, q, &dof, focus, p);
}

static bool ease(const focus_path *f, engine_pool *pool, engine_request *q, double seconds,
                 int orientation, problem *p)
{
    const clip_keys *const k = f->o->focus_keys;
    int a, b;
    const double u = clip_keys_find(k, seconds, f->rate, &a, &b);
    double from, to;
    if (!find_key(&k->keys[a], pool, q, orientation, &from, p) ||
        !find_key(&k->keys[b], pool, q, orientation, &to, p))
        return false;
    q->dof.focus = from + u * (to - from);
    q->dof.focus_mode = SATB_FOCUS_VALUE;
    return true;
}

bool focus_path_has_memory(const focus_path *f)
{
    const options *const o = f->o;
    const satb_focus mode = o->dof.focus_mode;
    return options_have_depth(o) && !o->focus_keys &&
           (mode == SATB_FOCUS_AUTO || mode == SATB_FOCUS_POINT);
}

void focus_path_tell(const focus_path *f)
{
    const track *const t = &f->track;
    const options *const o = f->o;
    char more[48] = "";
    if (t->losses == 0)
        return;
    if (t->losses > 1)
        snprintf(more, sizeof more, ", and %d time%s later", t->losses - 1,
                 t->losses > 2 ? "s" : "");
    message_note(o->given[OPT_QUIET],
                 "--focus-track %d,%d: the object was lost from frame %llu to frame %llu%s, and "
                 "the focus stayed; --focus-keys sets the focus by hand",
                 o->dof.focus_x, o->dof.focus_y, (unsigned long long)t->lost_from,
                 (unsigned long long)t->lost_until, more);
}

bool focus_path_set(focus_path *f, engine_pool *pool, engine_request *q, uint64_t number,
                    double seconds, int orientation, problem *p)
{
    const options *const o = f->o;
    if (!options_have_depth(o))
        return true;
    if (o->radius_keys) {
        q->dof.max_radius = clip_keys_number(o->radius_keys, seconds, f->rate);
        q->dof.strength = SATB_STRENGTH_RADIUS;
    }
    if (o->focus_keys)
        return ease(f, pool, q, seconds, orientation, p);
    return !focus_path_has_memory(f) || follow(f, pool, q, number, seconds, p);
}
