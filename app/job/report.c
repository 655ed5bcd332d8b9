#include "job/report.h"

#include "codec/codec.h"

#include <stdarg.h>

/* --- The map's note --------------------------------------------------------------------------- */

typedef struct line { /* a text that grows and is cut off at its end */
    char text[1024];
    size_t used;
} line;

static void add(line *l, const char *format, ...) SAY_FORMAT(2);

static void add(line *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, list);
    va_end(list);
    l->used += length > 0 ? (size_t)length : 0;
    l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
}

static void describe_map(line *l, const job *j)
{
    add(l, "%d-bit %s", j->map.bits, picture_channel_words(j->map.channels));
    if (j->map.channels > 2)
        add(l, ", first channel used");
    else if (j->map.channels == 2)
        add(l, ", alpha not used");
    if (j->map.width != j->src.width || j->map.height != j->src.height) {
        add(l, ", resampled from %dx%d to %dx%d", j->map.width, j->map.height, j->src.width,
            j->src.height);
    }
    if (j->report.snapped > 0 || j->report.mixed > 0)
        add(l, ", edges fitted to the picture's");
}

static const char *assumed(const job *j, int option)
{
    return j->o->given[option] ? "" : " (assumed)";
}

/* Where 0 may be no depth. */
static void describe_holes(line *l, const job *j)
{
    static const char *const ways[] = {"", "", "taken as far", "taken as near",
                                       "filled from around"};
    const satb_dof_report *r = &j->report;
    if (r->holes == SATB_HOLES_NONE && j->map.bits == 16)
        add(l, ", 0 is a depth%s", assumed(j, OPT_DEPTH_HOLES));
    else if (r->unknown > 0)
        add(l, ", %.2g %% unknown (0), %s%s",
            100.0 * (double)r->unknown / ((double)j->map.width * j->map.height), ways[r->holes],
            assumed(j, OPT_DEPTH_HOLES));
}

static void describe_depth(line *l, const job *j)
{
    const satb_dof_report *r = &j->report;
    if (j->dof.depth_type == SATB_DEPTH_LINEAR) {
        add(l, ", linear distance %g to %g m%s", r->distance_near, r->distance_far,
            assumed(j, OPT_DISTANCE));
    } else {
        add(l, ", disparity%s", assumed(j, OPT_DEPTH_TYPE));
    }
    add(l, ", near = %s%s", j->dof.near_black ? "black" : "white", assumed(j, OPT_NEAR));
    if (j->o->given[OPT_DEPTH_RANGE])
        add(l, ", range %g to %g", j->o->range_a, j->o->range_b);
    describe_holes(l, j);
}

static void describe_focus(line *l, const job *j)
{
    add(l, "; focus %.3f", j->report.focus);
    if (j->report.focus_distance > 0)
        add(l, " = %.3g m", j->report.focus_distance);
    if (j->dof.focus_mode == SATB_FOCUS_AUTO)
        add(l, " (auto)");
    else if (j->dof.focus_mode == SATB_FOCUS_POINT)
        add(l, " (at %d,%d)", j->o->dof.focus_x, j->o->dof.focus_y);
}

static void describe_strength(line *l, const job *j)
{
    add(l, "; radius %.1f px at a disparity difference of 1", j->report.max_radius);
    if (j->dof.strength == SATB_STRENGTH_LENS) {
        add(l, " (%g mm f/%g, sensor %g mm)", j->dof.focal_mm, j->dof.fstop,
            j->o->given[OPT_SENSOR] ? j->dof.sensor_mm : 36.0);
    } else if (j->dof.strength == SATB_STRENGTH_DEFAULT) {
        add(l, " (2 %% of the longer side)");
    }
    if (j->dof.scaled)
        add(l, ", x %g before and x %g behind the focus", j->dof.near_scale, j->dof.far_scale);
    add(l, ", largest %.1f px", j->report.largest_radius);
}

static const char *method_words(const satb_dof_report *r)
{
    return r->method == SATB_METHOD_GATHER   ? "gather"
           : r->method == SATB_METHOD_SPREAD ? "spread"
           : r->bokeh == SATB_BOKEH_SQUARE   ? "layered, squares"
           : r->bokeh == SATB_BOKEH_SMOOTH   ? "layered, smooth"
                                             : "layered, discs";
}

/* Only what is not usual. */
static void describe_method(line *l, const job *j)
{
    const satb_dof_report *r = &j->report;
    if (r->method == SATB_METHOD_GATHER)
        add(l, "; gather%s",
            j->o->given[OPT_METHOD]               ? ""
            : j->o->look.edge != SATB_EDGE_SHRINK ? " (as --edge is not shrink)"
                                                  : " (the sums of layers would not fit)");
    else if (r->method == SATB_METHOD_SPREAD || r->bokeh != SATB_BOKEH_DISC)
        add(l, "; %s", method_words(r));
}

void report_map(const job *j)
{
    line l = {.used = 0};
    describe_map(&l, j);
    const bool quiet = j->o->given[OPT_QUIET];
    if (!j->o->given[OPT_DEPTH]) {
        say_note(quiet, "%s: %s; radius 0 where it is black, %g px where it is white",
                 j->o->radius_map, l.text, j->dof.max_radius);
        return;
    }
    describe_depth(&l, j);
    describe_focus(&l, j);
    describe_strength(&l, j);
    describe_method(&l, j);
    say_note(quiet, "%s: %s", j->o->depth, l.text);
    if (j->o->coc)
        say_note(quiet, "%s: code 32768 + 32767 r / %.4g px, r below 0 behind the focus", j->o->coc,
                 j->report.full_radius);
    if (j->report.single_value) {
        say_note(quiet, "%s: every depth is the same, so every pixel gets the same radius, %.1f px",
                 j->o->depth, j->report.largest_radius);
    }
}

/* --- Timings ---------------------------------------------------------------------------------- */

/* "ISA-L", or "ISA-L, the map by stb". */
static void describe_decoders(char out[64], const stage_times *times)
{
    const bool other = times->map_decoder && times->map_decoder != times->decoder;
    snprintf(out, 64, "  %s%s%s", times->decoder, other ? ", the map by " : "",
             other ? times->map_decoder : "");
}

void report_timings(FILE *to, const job *j, const stage_times *times)
{
    const satb_timings *t = &j->timings;
    const double known = times->decode + j->start_ms + t->depth + t->upload + t->table + t->blur +
                         t->measure + t->equalize + t->download + times->encode + times->commit;
    char decoders[64], encoder[64] = "";
    describe_decoders(decoders, times);
    if (times->encoder)
        snprintf(encoder, sizeof encoder, "  %s", times->encoder);
    const struct {
        const char *name;
        double ms;
        const char *by;
    } rows[] = {{"decode", times->decode, decoders},
                {"start", j->start_ms, ""},
                {"depth", t->depth, ""},
                {"upload", t->upload, ""},
                {"table", t->table, ""},
                {"blur", t->blur, ""},
                {"measure", t->measure, ""},
                {"equalize", t->equalize, ""},
                {"download", t->download, ""},
                {"encode", times->encode + times->commit, encoder},
                {"other", times->total - known, ""},
                {"total", times->total, ""}};
    fprintf(to, "device    %s", j->device);
    if (j->chosen_ms > 0)
        fprintf(to, " (auto: about %.0f ms of work, less than starting a GPU takes)", j->chosen_ms);
    fputc('\n', to);
    if (j->o->given[OPT_DEPTH])
        fprintf(to, "method    %s\n", method_words(&j->report));
    if (j->memory.peak > 0)
        fprintf(to, "memory    %.1f MB of the GPU's, %d band%s\n",
                (double)j->memory.peak / (1 << 20), j->memory.bands,
                j->memory.bands == 1 ? "" : "s");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double ms = rows[i].ms > 0 ? rows[i].ms : 0.0;
        fprintf(to, "%-9s %9.2f ms %5.1f %%%s\n", rows[i].name, ms, 100 * ms / times->total,
                rows[i].by);
    }
}
