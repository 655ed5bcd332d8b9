#include "depth/depth_codes.h"

#include "image/pixels.h"

#include <math.h>

#define FARTHEST 1e9 /* metres from here on are infinitely far */

double depth_number(const depth_meaning *meaning, float of_map)
{
    const double number = (double)of_map;
    if (meaning->kind != DEPTH_METRES)
        return isfinite(number) ? number : NAN;
    if (!(number > 0))
        return NAN;
    return number >= FARTHEST ? INFINITY : number / meaning->scale;
}

static size_t count_of(const values *v)
{
    return (size_t)v->width * (size_t)v->height;
}

/* Sets p to the reason why there are no codes. */
static bool explain(const satb_codes_params *params, const satb_codes_report *r, problem *p)
{
    const double *const ends = params->ends;
    switch (r->fault) {
    case SATB_FAULT_UNKNOWN:
        return problem_set(p, "no number in it is a depth; check the file, or --depth-type");
    case SATB_FAULT_INFINITE:
        return problem_set(p, "every depth in it is infinite; check the file, or --depth-type");
    case SATB_FAULT_APART:
        return problem_set(p,
                           "its depths are %.4g to %.4g, outside --depth-range %g,%g; give a range "
                           "that meets them",
                           r->least, r->most, ends[0], ends[1]);
    case SATB_FAULT_NOT_POSITIVE:
        return problem_set(p, "--depth-range begins at %g m; give metres above 0", ends[0]);
    case SATB_FAULT_ENDLESS:
        return problem_set(
            p, "--depth-range ends at inf, but the map is not in metres; give a number");
    default: return problem_set(p, "not enough memory for the percentiles of --depth-range");
    }
}

bool depth_percentiles(const values *v, const double per_cent[2], double ends[2], problem *p)
{
    const satb_codes_params params = {.ends_by = SATB_ENDS_PERCENTILES,
                                      .ends = {per_cent[0], per_cent[1]}};
    satb_codes_report report;
    if (satb_depth_codes(v->data, count_of(v), &params, NULL, &report) != SATB_OK)
        return report.fault == SATB_FAULT_UNKNOWN ? problem_set(p, "no number in it is known")
                                                  : explain(&params, &report, p);
    ends[0] = report.least;
    ends[1] = report.most;
    return true;
}

double depth_codes_find(const depth_codes *c, const depth_meaning *meaning, double number)
{
    const bool is_metres = meaning->kind == DEPTH_METRES;
    const double v = depth_number(meaning, (float)number), at = is_metres ? 1 / v : v;
    const double far = c->reaches_infinity ? 0 : 1 / c->most;
    const double low = is_metres ? far : c->least, high = is_metres ? 1 / c->least : c->most;
    return high > low ? fmin(fmax((at - low) / (high - low), 0), 1) : 1;
}

bool depth_codes_make(depth_codes *out, const values *v, const depth_request *request, problem *p)
{
    const satb_codes_params params = {
        .unit = request->meaning.kind == DEPTH_METRES ? request->meaning.scale : 0,
        .ends_by = !request->has_ends    ? SATB_ENDS_EXTREMES
                   : request->is_percent ? SATB_ENDS_PERCENTILES
                                         : SATB_ENDS_GIVEN,
        .ends = {request->ends[0], request->ends[1]},
        .may_miss = request->may_miss};
    satb_codes_report report;
    uint16_t *const codes = pixels_allocate(count_of(v) * sizeof *codes);
    *out = (depth_codes){0};
    if (!codes)
        return problem_set(p, "not enough memory for %d x %d codes", v->width, v->height);
    if (satb_depth_codes(v->data, count_of(v), &params, codes, &report) != SATB_OK) {
        pixels_free(codes);
        return explain(&params, &report, p);
    }
    out->image = (satb_image){.data = codes,
                              .width = v->width,
                              .height = v->height,
                              .channels = 1,
                              .bits = 16,
                              .stride = 2 * (ptrdiff_t)v->width};
    out->least = report.least;
    out->most = report.most;
    out->reaches_infinity = report.reaches_infinity;
    out->unknown = report.unknown;
    return true;
}
