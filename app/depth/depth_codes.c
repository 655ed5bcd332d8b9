#include "depth/depth_codes.h"

#include "image/pixels.h"

#include <math.h>
#include <stdlib.h>

#define FARTHEST 1e9 /* numbers from here on are renderers' "nothing there" */

typedef struct numbers {
    const float *data;
    size_t count;
    depth_meaning meaning;
} numbers;

/* --- One number ------------------------------------------------------------------------------- */

double depth_number(const depth_meaning *meaning, float of_map)
{
    const double number = (double)of_map;
    if (meaning->kind != DEPTH_METRES)
        return isfinite(number) ? number : NAN;
    if (!(number > 0))
        return NAN;
    return number >= FARTHEST ? INFINITY : number / meaning->scale;
}

static double known(const numbers *n, size_t at)
{
    return depth_number(&n->meaning, n->data[at]);
}

/* Returns what the codes are linear in. */
static double linear(depth_kind kind, double number)
{
    return kind == DEPTH_METRES ? 1 / number : number;
}

/* --- Ends ------------------------------------------------------------------------------------- */

typedef struct extent {
    double least, most; /* of the finite numbers */
    uint64_t unknown, infinite;
} extent;

static extent extent_of(const numbers *n)
{
    extent e = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < n->count; i++) {
        const double number = known(n, i);
        e.unknown += isnan(number) != 0;
        e.infinite += isinf(number) != 0;
        if (!isfinite(number))
            continue;
        e.least = number < e.least ? number : e.least;
        e.most = number > e.most ? number : e.most;
    }
    return e;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sets the ends to the numbers at those per cents of the finite ones, in order. */
static bool find_percentiles(const numbers *n, const double per_cent[2], double ends[2], problem *p)
{
    float *const sorted = pixels_allocate(n->count * sizeof *sorted);
    size_t count = 0;
    if (!sorted)
        return problem_set(p, "not enough memory for the percentiles of --depth-range");
    for (size_t i = 0; i < n->count; i++) {
        const double number = known(n, i);
        if (isfinite(number))
            sorted[count++] = (float)number;
    }
    qsort(sorted, count, sizeof *sorted, compare);
    for (int i = 0; i < 2; i++)
        ends[i] = (double)sorted[(size_t)(per_cent[i] / 100 * (double)(count - 1) + 0.5)];
    pixels_free(sorted);
    return true;
}

/* Sets the numbers at the ends of the scale. */
static bool find_ends(const numbers *n, const depth_request *r, const extent *e, depth_codes *out,
                      problem *p)
{
    double ends[2] = {e->least, e->most};
    const bool given = r->has_ends;
    if (given && r->is_percent && !find_percentiles(n, r->ends, ends, p))
        return false;
    if (given && !r->is_percent) {
        ends[0] = r->ends[0];
        ends[1] = r->ends[1];
        if (!r->may_miss && (e->least > ends[1] || e->most < ends[0]))
            return problem_set(p,
                               "its depths are %.4g to %.4g, and --depth-range is %g,%g; give a "
                               "range that meets them",
                               e->least, e->most, ends[0], ends[1]);
    }
    out->least = ends[0];
    out->most = ends[1];
    out->reaches_infinity = isinf(ends[1]) || (!given && e->infinite > 0);
    if (n->meaning.kind == DEPTH_METRES && given && ends[0] <= 0)
        return problem_set(p, "--depth-range begins at %g m; give metres above 0", ends[0]);
    if (n->meaning.kind != DEPTH_METRES && isinf(ends[1]))
        return problem_set(p, "--depth-range ends at inf, which only a map in metres has; give a "
                              "number");
    /* A scale needs two ends. */
    out->reaches_infinity |= n->meaning.kind == DEPTH_METRES && 1 / ends[0] <= 1 / ends[1];
    return true;
}

/* --- Codes ------------------------------------------------------------------------------------ */

/* Writes the codes: those of the number at the scale's lower end, and what is at the other, become `first` and 65535. */
static void fill(const numbers *n, const depth_codes *c, uint16_t *to)
{
    const depth_kind kind = n->meaning.kind;
    const double first = c->unknown > 0 ? 1 : 0;
    const double far = c->reaches_infinity ? 0 : linear(kind, c->most);
    const double low = kind == DEPTH_METRES ? far : c->least;
    const double high = kind == DEPTH_METRES ? linear(kind, c->least) : c->most;
    for (size_t i = 0; i < n->count; i++) {
        const double number = known(n, i);
        double z = high > low ? (linear(kind, number) - low) / (high - low) : 1;
        z = z < 0 ? 0 : z > 1 ? 1 : z;
        to[i] = isnan(number) ? 0 : (uint16_t)(first + z * (UINT16_MAX - first) + 0.5);
    }
}

bool depth_percentiles(const values *v, const double per_cent[2], double ends[2], problem *p)
{
    const numbers n = {v->data, (size_t)v->width * (size_t)v->height, {DEPTH_DISPARITY, 0}};
    return extent_of(&n).unknown < n.count ? find_percentiles(&n, per_cent, ends, p)
                                           : problem_set(p, "no number in it is known");
}

bool depth_codes_make(depth_codes *out, const values *v, const depth_request *request, problem *p)
{
    const numbers n = {v->data, (size_t)v->width * (size_t)v->height, request->meaning};
    const extent e = extent_of(&n);
    *out = (depth_codes){.unknown = e.unknown};
    if (e.unknown == n.count)
        return problem_set(p, "no number in it is a depth; check the file, or --depth-type");
    if (e.unknown + e.infinite == n.count)
        return problem_set(p, "every depth in it is infinite; check the file, or --depth-type");
    if (!find_ends(&n, request, &e, out, p))
        return false;
    out->image = (satb_image){.width = v->width,
                              .height = v->height,
                              .channels = 1,
                              .bits = 16,
                              .stride = 2 * (ptrdiff_t)v->width};
    out->image.data = pixels_allocate(n.count * sizeof(uint16_t));
    if (!out->image.data)
        return problem_set(p, "not enough memory for %d x %d codes", v->width, v->height);
    fill(&n, out, out->image.data);
    return true;
}
