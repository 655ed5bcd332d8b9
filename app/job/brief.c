#include "job/brief.h"

#include "base/line.h"
#include "job/map_check.h"

#include <dof_table.h>
#include <math.h>

#define PRESET(name, type, low, high, zero, preset, ...) (preset)

/* --- What is sharp ---------------------------------------------------------------------------- */

static void add_band(line *w, const tilt_shift *t)
{
    line_add(w, "a band from %.3g to %.3g%% of the ", 100 * fmax(0, t->position - t->width / 2),
             100 * fmin(1, t->position + t->width / 2));
    if (fmod(t->angle, 180) == 0)
        line_add(w, "height");
    else if (fmod(t->angle, 90) == 0)
        line_add(w, "width");
    else
        line_add(w, "way across, turned by %g degrees", t->angle);
}

/* Adds the condition on which the metres hold, if they are assumed. */
static void add_assumption(line *w, const engine_request *q)
{
    const bool are_metres = q->origin.is_made && q->origin.meaning.kind == DEPTH_METRES;
    const bool are_codes = q->o->in_millimetres && q->map.bits == 16;
    if (q->origin.is_assumed)
        line_add(w, ", if the map's numbers are metres");
    else if (!are_metres && !are_codes && !q->o->given[OPT_DISTANCE])
        line_add(w, ", if the map spans %g to %g m", q->report.distance_near,
                 q->report.distance_far);
}

/* Adds how the focus was chosen. */
static void add_choice(line *w, const engine_request *q)
{
    const options *const o = q->o;
    const satb_dof_report *const r = &q->report;
    if (q->dof.focus_mode == SATB_FOCUS_AUTO)
        line_add(w, ", %s%s at pixel %d,%d", q->area_name ? q->area_name : "the subject",
                 q->area_name ? " that the photo's metadata names," : "", r->focus_x, r->focus_y);
    else if (q->dof.focus_mode == SATB_FOCUS_POINT)
        line_add(w, ", pixel %d,%d", o->dof.focus_x, o->dof.focus_y);
    else if (r->focus_distance <= 0)
        line_add(w, ", where 0 is far and 1 near");
    if (r->focus_distance > 0) {
        line_add(w, ", %.3g m away", r->focus_distance);
        add_assumption(w, q);
    }
}

/* Adds what is sharp: by a map with the number that --focus takes. */
static void add_focus(line *w, const engine_request *q)
{
    const options *const o = q->o;
    if (o->given[OPT_TILT_SHIFT]) {
        line_add(w, "on ");
        add_band(w, &o->tilt);
    } else if (q->plane.map.width > 0) {
        line_add(w, "on the plane through %d,%d, %d,%d and %d,%d", o->plane.x[0], o->plane.y[0],
                 o->plane.x[1], o->plane.y[1], o->plane.x[2], o->plane.y[2]);
    } else if (q->dof.focus_mode == SATB_FOCUS_AUTO && !q->map.data) {
        line_add(w, "on the subject, %.2g%% of the picture", 100 * q->report.subject);
    } else {
        line_add(w, "%.3f", q->report.focus);
        add_choice(w, q);
    }
}

/* --- How strong the blur is ------------------------------------------------------------------- */

/* Returns --max-radius if it is in per cent of the longer side; 0: it is in pixels. */
static double percent_of(const engine_request *q)
{
    return q->o->radius_in_percent                    ? q->o->dof.max_radius
           : q->dof.strength == SATB_STRENGTH_DEFAULT ? 100 * SATB_DEFAULT_RADIUS
                                                      : 0;
}

/* Adds the largest radius, and --max-radius; the depths of the picture may need less than the user gave. */
static void add_strength(line *w, const engine_request *q)
{
    const double most = q->report.max_radius, largest = q->report.largest_radius;
    const double percent = percent_of(q);
    line_add(w, "blur radius: largest %.3g px", largest);
    if (q->dof.strength == SATB_STRENGTH_LENS || q->o->radius_keys)
        return;
    const bool is_below = q->o->given[OPT_MAX_RADIUS] && largest < 0.99 * most;
    line_add(w, " (--max-radius");
    if (percent > 0)
        line_add(w, " %g%%", percent);
    else if (!is_below)
        line_add(w, " %.4gpx", most);
    if (is_below)
        line_add(w, " allows %.3g px", most);
    line_add(w, ")");
}

/* Adds the number of points of light that were found. */
static void add_lights(line *w, const engine_request *q)
{
    const int lights = q->report.lights;
    if (q->dof.highlights > 0 && lights > 0)
        line_add(w, "; %d point%s of light", lights, lights == 1 ? "" : "s");
    else if (q->dof.highlights > 0)
        line_add(w, "; no point of light");
}

/* --- What to change --------------------------------------------------------------------------- */

/* Adds a --max-radius of twice the per cent. */
static void add_twice(line *w, double percent)
{
    if (percent > 0 && 2 * percent <= 100)
        line_add(w, "%s--max-radius %g%% for twice the blur", w->used ? ", " : "", 2 * percent);
}

/* Adds the option that finds more points of light. */
static void add_more_lights(line *w, const satb_dof_params *p)
{
    const double least =
        p->highlight_threshold > 0 ? p->highlight_threshold : SATB_DOF_HIGHLIGHT_THRESHOLD(PRESET);
    const double size = p->highlight_size > 0 ? p->highlight_size : SATB_DOF_HIGHLIGHT_SIZE(PRESET);
    const char *const comma = w->used ? ", " : "";
    if (least >= 0.02)
        line_add(w, "%s--highlight-threshold %.2g for dimmer points of light", comma, least / 2);
    else if (2 * size <= SATB_MOST_HIGHLIGHT_SIZE)
        line_add(w, "%s--highlight-size %g for larger points of light", comma, 2 * size);
}

/* Adds what would change what the program chose. What the user chose needs no remedy, but for no point of light. */
static void add_remedies(line *w, const engine_request *q)
{
    const options *const o = q->o;
    const bool finds = !o->given[OPT_TILT_SHIFT] && q->plane.map.width == 0 &&
                       q->dof.focus_mode == SATB_FOCUS_AUTO;
    const bool has_lens = q->dof.strength == SATB_STRENGTH_LENS;
    if (finds)
        line_add_part(w, q->map.data ? "--focus-at X,Y to refocus"
                                     : "--focus 0 to blur the subject instead");
    if (o->by_preset[OPT_TILT_SHIFT])
        line_add_part(w, "--tilt-shift A,P,W to move the band");
    if (has_lens)
        line_add_part(w, "a smaller --fstop for more blur");
    if (has_lens && q->origin.is_assumed)
        line_add_part(w, "--depth-scale 100 if the map is in centimetres");
    if (!has_lens && (!o->given[OPT_MAX_RADIUS] || o->by_preset[OPT_MAX_RADIUS]))
        add_twice(w, percent_of(q));
    if (q->dof.highlights > 0 && q->report.lights <= 0 && q->report.largest_radius >= 1)
        add_more_lights(w, &q->dof);
    if (map_near_is_assumed(q))
        line_add(w, "%s--near %s if near and far are swapped", w->used ? ", " : "",
                 q->dof.near_black ? "white" : "black");
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
    line_add(&sharp, "; ");
    add_strength(&sharp, q);
    add_lights(&sharp, q);
    message_say(quiet, "focus %s", sharp.text);
    add_remedies(&wrong, q);
    if (wrong.used > 0)
        message_say(quiet, "not right? %s", wrong.text);
}
