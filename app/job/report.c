#include "job/report.h"

#include "base/line.h"
#include "codec/codec.h"
#include <dof_table.h>

#include <math.h>

/* --- The map's note --------------------------------------------------------------------------- */

/* Adds the size of a map that has another than the picture. */
static void describe_size(line *l, const engine_request *q, const satb_image *map)
{
    if (map->width != q->src.width || map->height != q->src.height)
        line_add(l, ", resampled from %dx%d to %dx%d", map->width, map->height, q->src.width,
                 q->src.height);
}

/* Adds the file's own kind of samples, and what --depth-from says of them. */
static void describe_origin(line *l, const engine_request *q)
{
    const depth_origin *const from = &q->origin;
    if (from->has_numbers)
        line_add(l, "%s numbers%s%s", from->format, from->from[0] ? " of " : "", from->from);
    else
        line_add(l, "%s codes", from->format);
}

static void describe_preset(line *l, const engine_request *q)
{
    const depth_preset *const preset = depth_preset_of(q->o->depth_from);
    if (preset && q->o->text[OPT_DEPTH_FROM])
        line_add(l, ", as from %s", preset->name);
    else if (preset)
        line_add(l, ", as the program says");
}

static void describe_map(line *l, const engine_request *q)
{
    const int channels = q->map.channels;
    if (q->origin.is_made)
        describe_origin(l, q);
    else
        line_add(l, "%d-bit %s%s", q->map.bits, picture_channel_words(channels),
                 channels > 2    ? ", first channel used"
                 : channels == 2 ? ", alpha not used"
                                 : "");
    describe_preset(l, q);
    describe_size(l, q, &q->map);
    if (q->report.snapped > 0 || q->report.mixed > 0)
        line_add(l, ", edges fitted");
}

static const char *assumed(const engine_request *q, int option)
{
    return q->o->given[option] || q->o->given[OPT_DEPTH_FROM] ? "" : " (assumed)";
}

/* Adds the meaning of code 0, unless it is a depth like others. */
static void describe_holes(line *l, const engine_request *q)
{
    static const char *const ways[] = {"", "", "read as far", "read as near", "filled from around"};
    const satb_dof_report *r = &q->report;
    const char *const zero = q->origin.has_numbers ? "" : " (0)";
    if (r->holes == SATB_HOLES_NONE && q->map.bits == 16 && !q->origin.is_made)
        line_add(l, ", 0 is a depth%s", assumed(q, OPT_DEPTH_HOLES));
    else if (r->unknown > 0)
        line_add(l, ", %.2g%% unknown%s, %s%s",
                 100.0 * (double)r->unknown / ((double)q->map.width * q->map.height), zero,
                 ways[r->holes], assumed(q, OPT_DEPTH_HOLES));
}

/* Adds the distances of a map in metres. */
static void describe_metres(line *l, const engine_request *q)
{
    const depth_codes *const c = &q->origin.codes;
    if (q->origin.meaning.scale != 1) /* preset or --depth-scale */
        line_add(l, ", %g a metre", q->origin.meaning.scale);
    if (isinf(c->most))
        line_add(l, ", distance %.4g m to infinity", c->least);
    else if (c->most > c->least)
        line_add(l, ", distance %.4g to %.4g m%s", c->least, c->most,
                 c->reaches_infinity ? " and infinity" : "");
    else
        line_add(l, ", distance %.4g m", c->least);
    line_add(l, "%s", q->origin.is_assumed ? " (assumed)" : "");
}

/* Adds what the map's numbers are. */
static void describe_numbers(line *l, const engine_request *q)
{
    const depth_origin *const from = &q->origin;
    if (from->meaning.kind == DEPTH_METRES) {
        describe_metres(l, q);
    } else {
        line_add(l, ", %s%s, %.4g to %.4g", depth_kind_word(from->meaning.kind),
                 assumed(q, OPT_DEPTH_TYPE), from->codes.least, from->codes.most);
        if (from->meaning.kind == DEPTH_RELATIVE)
            line_add(l, " read as %g to %g m%s", q->report.distance_near, q->report.distance_far,
                     q->o->given[OPT_DISTANCE] ? "" : " (assumed)");
        line_add(l, ", near = %s%s", q->dof.near_black ? "smallest" : "largest",
                 assumed(q, OPT_NEAR));
    }
    if (q->o->range_in_percent)
        line_add(l, " (%g to %g%%)", q->o->range_a, q->o->range_b);
    if (from->codes.unknown > 0)
        describe_holes(l, q);
}

static void describe_depth(line *l, const engine_request *q)
{
    if (q->origin.is_made) {
        describe_numbers(l, q);
        return;
    }
    const satb_dof_report *r = &q->report;
    if (q->dof.depth_type == SATB_DEPTH_LINEAR) {
        const bool millimetres = q->o->in_millimetres && q->map.bits == 16;
        line_add(l, ", linear distance %g to %g m%s", r->distance_near, r->distance_far,
                 millimetres ? " (codes are millimetres)" : assumed(q, OPT_DISTANCE));
    } else {
        line_add(l, ", disparity%s", assumed(q, OPT_DEPTH_TYPE));
    }
    line_add(l, ", near = %s%s", q->dof.near_black ? "black" : "white", assumed(q, OPT_NEAR));
    if (q->o->given[OPT_DEPTH_RANGE])
        line_add(l, q->o->range_in_percent ? ", range %g to %g%%" : ", range %g to %g",
                 q->o->range_a, q->o->range_b);
    describe_holes(l, q);
}

static void describe_plane(line *l, const engine_request *q)
{
    const focus_plane *const f = &q->o->plane;
    line_add(l, "; focus on the plane of");
    for (int i = 0; i < 3; i++)
        line_add(l, "%s %.3f at %d,%d",
                 i == 0   ? ""
                 : i == 1 ? ","
                          : " and",
                 q->plane.depths[i], f->x[i], f->y[i]);
}

static void describe_focus(line *l, const engine_request *q)
{
    if (q->plane.map.width > 0) {
        describe_plane(l, q);
        return;
    }
    line_add(l, "; focus %.3f", q->report.focus);
    if (q->report.focus_distance > 0)
        line_add(l, " = %.3g m", q->report.focus_distance);
    if (q->dof.focus_mode == SATB_FOCUS_AUTO && !q->map.data)
        line_add(l, " (auto: the subject)");
    else if (q->dof.focus_mode == SATB_FOCUS_AUTO)
        line_add(l, " (auto: %s%sdetail around %d,%d)", q->area_name ? q->area_name : "",
                 q->area_name ? " that the metadata names, " : "", q->report.focus_x,
                 q->report.focus_y);
    else if (q->dof.focus_mode == SATB_FOCUS_POINT)
        line_add(l, " (at %d,%d)", q->o->dof.focus_x, q->o->dof.focus_y);
}

/* Adds where a radius in pixels came from, unless it was given. */
static void describe_percent(line *l, const engine_request *q)
{
    if (q->dof.strength == SATB_STRENGTH_DEFAULT || q->o->radius_in_percent)
        line_add(l, " (%g%% of the longer side)",
                 q->o->radius_in_percent ? q->o->dof.max_radius : 100 * SATB_DEFAULT_RADIUS);
}

static void describe_strength(line *l, const engine_request *q)
{
    line_add(l, "; radius %.1f px at a disparity difference of 1", q->report.max_radius);
    if (q->dof.strength == SATB_STRENGTH_LENS) {
        line_add(l, " (%g mm f/%g, sensor %g mm)", q->dof.focal_mm, q->dof.fstop,
                 q->o->given[OPT_SENSOR] ? q->dof.sensor_mm : 36.0);
    } else {
        describe_percent(l, q);
    }
    const satb_dof_params *const given = &q->o->dof; /* a plane of focus has scales of its own */
    if (given->scaled)
        line_add(l, ", x %g in front of and x %g behind the focus", given->near_scale,
                 given->far_scale);
    line_add(l, ", largest %.1f px", q->report.largest_radius);
}

static const char *method_words(const satb_dof_report *r)
{
    return r->method == SATB_METHOD_GATHER   ? "gather"
           : r->method == SATB_METHOD_SPREAD ? "spread"
           : r->bokeh == SATB_BOKEH_SQUARE   ? "layered, squares"
           : r->bokeh == SATB_BOKEH_SMOOTH   ? "layered, smooth"
                                             : "layered, discs";
}

/* Adds the numbers that are not the usual ones. */
static void describe_lens(line *l, const satb_dof_params *p)
{
#define NUMBER(name, type, low, high, zero, preset, unit, text, note) {note, p->name, preset},
    const struct {
        const char *note;
        double value, preset;
    } numbers[] = {SATB_DOF_NUMBERS(NUMBER)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].note && numbers[i].value != 0 && numbers[i].value != numbers[i].preset) {
            line_add(l, "; ");
            line_add(l, numbers[i].note, numbers[i].value);
        }
}

/* Adds the method and the aperture if they are not the usual ones. */
static void describe_method(line *l, const engine_request *q)
{
    const satb_dof_report *r = &q->report;
    describe_lens(l, &q->dof);
    if (q->o->dof.fringe > 0 && q->src.channels >= 3)
        line_add(l, "; fringe %g", q->o->dof.fringe);
    if (r->method == SATB_METHOD_GATHER)
        line_add(l, "; gather%s",
                 q->o->given[OPT_METHOD]      ? ""
                 : !options_are_layered(q->o) ? " (because of --edge)"
                                              : " (because the sums of layers would overflow)");
    else if (r->method == SATB_METHOD_SPREAD || r->bokeh != SATB_BOKEH_DISC)
        line_add(l, "; %s", method_words(r));
}

/* Prints a note on the matte: what it was taken for, and, if it is alone, the blur. */
static void report_matte(const engine_request *q)
{
    line l = {.used = 0};
    line_add(&l, "matte, %d-bit %s", q->matte.bits, picture_channel_words(q->matte.channels));
    describe_size(&l, q, &q->matte);
    line_add(&l, ", subject on %.1f%% of the picture", 100 * q->report.subject);
    if (!q->map.data) {
        line_add(&l, ", at disparity 1, everything else at 0");
        describe_focus(&l, q);
        describe_strength(&l, q);
        describe_method(&l, q);
    }
    message_note(!q->o->given[OPT_VERBOSE], "%s: %s", q->o->matte, l.text);
}

/* Prints a note on the mask that protects. */
static void report_protect(const engine_request *q)
{
    line l = {.used = 0};
    line_add(&l, "mask, %d-bit %s", q->protect.bits, picture_channel_words(q->protect.channels));
    describe_size(&l, q, &q->protect);
    line_add(&l, ", keeps %.1f%% of the picture sharp", 100 * q->report.kept);
    const bool keeps = q->report.kept > 0;
    message_note(keeps ? !q->o->given[OPT_VERBOSE] : q->o->given[OPT_QUIET], "%s: %s%s",
                 q->o->protect, l.text,
                 keeps ? "" : "; nothing stays sharp, because the mask has no white");
}

static void report_coc(const engine_request *q)
{
    if (q->o->coc)
        message_note(
            !q->o->given[OPT_VERBOSE],
            "%s: code = 32768 + 32767 r / %.4g px; the radius r is negative behind the focus",
            q->o->coc, q->report.full_radius);
}

/* Prints a note on the band of --tilt-shift. */
static void report_tilt_shift(const engine_request *q)
{
    const tilt_shift *const t = &q->o->tilt;
    line l = {.used = 0};
    line_add(&l, "sharp band at %g degrees, from %.4g to %.4g of the way across; radius %.1f px",
             t->angle, fmax(0, t->position - t->width / 2), fmin(1, t->position + t->width / 2),
             q->report.max_radius);
    describe_percent(&l, q);
    line_add(&l, " at the farther border");
    describe_method(&l, q);
    message_note(!q->o->given[OPT_VERBOSE], "%s: %s", q->o->input, l.text);
    report_coc(q);
}

/* Returns the request as it was before its map was replaced. */
static engine_request as_read(const engine_request *q)
{
    engine_request read = *q;
    const satb_dof_params *const dof = &q->plane.dof;
    const bool known = dof->distance_near > 0;
    if (q->plane.map.width == 0)
        return read;
    read.map = q->plane.map;
    read.dof = *dof;
    read.report.holes = dof->holes;
    read.report.unknown = q->plane.unknown;
    read.report.distance_near = known ? dof->distance_near : 1;
    read.report.distance_far = known ? dof->distance_far : 10;
    return read;
}

void report_map(const engine_request *q)
{
    line l = {.used = 0};
    if (q->protect.data)
        report_protect(q);
    if (q->o->given[OPT_TILT_SHIFT]) {
        report_tilt_shift(q);
        return;
    }
    if (q->matte.data)
        report_matte(q);
    if (!q->map.data) {
        report_coc(q);
        return;
    }
    const engine_request read = as_read(q);
    describe_map(&l, &read);
    if (!q->o->given[OPT_DEPTH]) {
        message_note(!q->o->given[OPT_VERBOSE],
                     "%s: %s; radius 0 where it is black, %g px where it is white", q->o->map,
                     l.text, q->dof.max_radius);
        return;
    }
    describe_depth(&l, &read);
    describe_focus(&l, q);
    describe_strength(&l, q);
    describe_method(&l, q);
    message_note(!q->o->given[OPT_VERBOSE], "%s: %s", q->o->map, l.text);
    report_coc(q);
    if (q->report.single_value) {
        message_note(q->o->given[OPT_QUIET],
                     "%s: every depth is the same, so every pixel gets the same radius, %.1f px",
                     q->o->map, q->report.largest_radius);
    }
}

void report_focus_view(const engine_request *q, const focus_view *view)
{
    const double all = (double)q->src.width * q->src.height / 100;
    const double before = (double)view->before / all, behind = (double)view->behind / all;
    message_say(q->o->given[OPT_QUIET], "%s: orange is in front of the focus, blue is behind it",
                q->o->focus_view);
    message_note(
        !q->o->given[OPT_VERBOSE],
        "%s: in focus (radius up to %.2g px) is %.3g%% of the picture; orange, in front of the "
        "focus, %.3g%%, radius up to %.1f px; blue, behind it, %.3g%%, up to %.1f px",
        q->o->focus_view, view->sharp_radius, fabs(100 - before - behind), before, view->near,
        behind, view->far);
}

/* --- Timings ---------------------------------------------------------------------------------- */

/* Writes for instance "libdeflate", or "libdeflate, the map by stb". */
static void describe_decoders(char out[64], const stage_times *times)
{
    const bool other = times->map_decoder && times->map_decoder != times->decoder;
    snprintf(out, 64, "  %s%s%s", times->decoder, other ? ", the map by " : "",
             other ? times->map_decoder : "");
}

static void put_stage(FILE *to, const char *name, double ms, double total, const char *by)
{
    const double spent = ms > 0 ? ms : 0.0;
    fprintf(to, "%-9s %9.2f ms %5.1f%%%s\n", name, spent, 100 * spent / total, by);
}

static void put_stages(FILE *to, const engine_request *q, const stage_times *times)
{
    const double total = times->total;
    double known = times->decode + q->start_ms;
    char decoders[64], encoder[64] = "";
    describe_decoders(decoders, times);
    if (times->encoder)
        snprintf(encoder, sizeof encoder, "  %s", times->encoder);
    put_stage(to, "decode", times->decode, total, decoders);
    put_stage(to, "start", q->start_ms, total, "");
    for (int i = 0; i < SATB_STAGES; i++) {
        put_stage(to, satb_stage_name((satb_stage)i), q->timings.ms[i], total, "");
        known += q->timings.ms[i];
    }
    known += times->encode + times->commit;
    put_stage(to, "encode", times->encode + times->commit, total, encoder);
    put_stage(to, "other", total - known, total, "");
    put_stage(to, "total", total, total, "");
}

void report_timings(FILE *to, const engine_request *q, const stage_times *times)
{
    fprintf(to, "device    %s", q->device);
    if (q->chosen_ms > 0)
        fprintf(to, " (auto: about %.0f ms of work, less than starting a GPU takes)", q->chosen_ms);
    fputc('\n', to);
    if (options_have_depth(q->o))
        fprintf(to, "method    %s\n", method_words(&q->report));
    if (q->memory.peak > 0)
        fprintf(to, "memory    %.1f MB of the GPU's, %d band%s\n",
                (double)q->memory.peak / (1 << 20), q->memory.bands,
                q->memory.bands == 1 ? "" : "s");
    put_stages(to, q, times);
}
