#include "job/brief.h"

#include "base/line.h"

#include <math.h>

/* --- What is sharp ---------------------------------------------------------------------------- */

static void add_band(line *w, const tilt_shift *t)
{
    line_add(w, "a band from %.3g to %.3g %% of the ", 100 * fmax(0, t->position - t->width / 2),
             100 * fmin(1, t->position + t->width / 2));
    if (fmod(t->angle, 180) == 0)
        line_add(w, "height");
    else if (fmod(t->angle, 90) == 0)
        line_add(w, "width");
    else
        line_add(w, "way across, turned by %g degrees", t->angle);
}

static void add_focus(line *w, const engine_request *q)
{
    const options *const o = q->o;
    const satb_dof_report *const r = &q->report;
    const bool is_matte = q->dof.focus_mode == SATB_FOCUS_AUTO && !q->map.data;
    if (o->given[OPT_TILT_SHIFT])
        add_band(w, &o->tilt);
    else if (q->plane.map.width > 0)
        line_add(w, "the plane through %d,%d, %d,%d and %d,%d", o->plane.x[0], o->plane.y[0],
                 o->plane.x[1], o->plane.y[1], o->plane.x[2], o->plane.y[2]);
    else if (is_matte)
        line_add(w, "the subject, %.2g %% of the picture", 100 * r->subject);
    else if (q->dof.focus_mode == SATB_FOCUS_AUTO)
        line_add(w, "the subject found at pixel %d,%d", r->focus_x, r->focus_y);
    else if (q->dof.focus_mode == SATB_FOCUS_POINT)
        line_add(w, "pixel %d,%d", o->dof.focus_x, o->dof.focus_y);
    else if (r->focus_distance <= 0)
        line_add(w, "depth %.3g, where 0 is far and 1 near", r->focus);
    if (r->focus_distance > 0)
        line_add(w, "%s %.3g m away", w->used ? "," : "objects", r->focus_distance);
}

/* --- What to change --------------------------------------------------------------------------- */

/* Adds what would change what the program chose. What the user chose needs no remedy. */
static void add_remedies(line *w, const engine_request *q)
{
    const options *const o = q->o;
    const bool finds = !o->given[OPT_TILT_SHIFT] && q->plane.map.width == 0 &&
                       q->dof.focus_mode == SATB_FOCUS_AUTO;
    const bool assumes_near = o->given[OPT_DEPTH] && q->map.data && !o->given[OPT_NEAR] &&
                              !o->given[OPT_DEPTH_FROM] && q->origin.meaning.kind != DEPTH_METRES;
    if (finds)
        line_add_part(w, q->map.data ? "--focus-at X,Y focuses on another pixel"
                                     : "--focus 0 blurs the subject instead");
    if (o->by_preset[OPT_TILT_SHIFT])
        line_add_part(w, "--tilt-shift A,P,W moves the band");
    if (q->dof.strength == SATB_STRENGTH_DEFAULT || o->by_preset[OPT_MAX_RADIUS])
        line_add_part(w, "--max-radius 4% sets the strength");
    if (assumes_near)
        line_add_part(w, q->dof.near_black ? "--near white swaps near and far"
                                           : "--near black swaps near and far");
}

void brief_tell(const engine_request *q)
{
    line sharp = {.used = 0}, wrong = {.used = 0};
    const bool quiet = q->o->given[OPT_QUIET];
    if (q->o->given[OPT_RADIUS_MAP]) {
        message_say(quiet, "blur: a radius of 0 where %s is black, %g px where it is white",
                    q->o->map, q->dof.max_radius);
        return;
    }
    add_focus(&sharp, q);
    message_say(quiet, "in focus: %s; blur up to a radius of %.3g px", sharp.text,
                q->report.largest_radius);
    add_remedies(&wrong, q);
    if (wrong.used > 0)
        message_say(quiet, "if that is wrong: %s", wrong.text);
}
