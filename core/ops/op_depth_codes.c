/* Numbers of a depth map to codes. */
#include <satblur.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 1e9 /* distances from here on are renderers' "nothing there" */

typedef struct numbers {
    const float *data;
    size_t count;
    double unit; /* numbers to a metre, of distances; otherwise 0 */
} numbers;

/* --- One number ------------------------------------------------------------------------------- */

/* Returns the number, in metres for distances. NaN is unknown. */
static double known(const numbers *n, size_t at)
{
    const double number = (double)n->data[at];
    if (n->unit == 0)
        return isfinite(number) ? number : NAN;
    if (!(number > 0))
        return NAN;
    return number >= FARTHEST ? INFINITY : number / n->unit;
}

/* Returns what the codes are linear in. */
static double linear(const numbers *n, double number)
{
    return n->unit > 0 ? 1 / number : number;
}

/* --- Percentiles ------------------------------------------------------------------------------ */

enum { HALF = 1 << 16 }; /* values of half a key */

/* Returns a key whose order is that of the floats. */
static uint32_t key_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 31 ? ~bits : bits | UINT32_C(1) << 31;
}

static float number_of(uint32_t key)
{
    const uint32_t bits = key >> 31 ? key & ~(UINT32_C(1) << 31) : ~key;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Counts the lower halves of the finite numbers' keys that have this upper half, or all upper halves for -1. */
static void count_halves(const numbers *n, int64_t upper, uint64_t counts[HALF])
{
    memset(counts, 0, HALF * sizeof *counts);
    for (size_t i = 0; i < n->count; i++) {
        const double number = known(n, i);
        if (!isfinite(number))
            continue;
        const uint32_t key = key_of((float)number);
        if (upper < 0)
            counts[key / HALF]++;
        else if (key / HALF == upper)
            counts[key % HALF]++;
    }
}

/* Returns the half that has the number at *place, and subtracts the numbers before it from *place. */
static uint32_t find_half(const uint64_t counts[HALF], uint64_t *place)
{
    uint32_t half = 0;
    while (*place >= counts[half])
        *place -= counts[half++];
    return half;
}

/* Sets the ends to the numbers at those per cents of the finite ones, in order. Errors: NOMEM. */
static satb_status find_percentiles(const numbers *n, uint64_t finite, const double per_cent[2],
                                    double ends[2])
{
    uint64_t *const counts = malloc(HALF * sizeof *counts);
    if (!counts)
        return SATB_ERR_NOMEM;
    for (int i = 0; i < 2; i++) {
        uint64_t place = (uint64_t)(per_cent[i] / 100 * (double)(finite - 1) + 0.5);
        count_halves(n, -1, counts);
        const uint32_t upper = find_half(counts, &place);
        count_halves(n, upper, counts);
        ends[i] = (double)number_of(upper * HALF + find_half(counts, &place));
    }
    free(counts);
    return SATB_OK;
}

/* --- Ends ------------------------------------------------------------------------------------- */

/* Sets the report to the extreme finite numbers, and counts the others. */
static void measure(const numbers *n, satb_codes_report *r)
{
    *r = (satb_codes_report){.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < n->count; i++) {
        const double number = known(n, i);
        r->unknown += isnan(number) != 0;
        r->infinite += isinf(number) != 0;
        if (!isfinite(number))
            continue;
        r->least = number < r->least ? number : r->least;
        r->most = number > r->most ? number : r->most;
    }
}

static satb_status fail(satb_codes_report *r, satb_codes_fault fault)
{
    r->fault = fault;
    return SATB_ERR_ARG;
}

static int are_valid(const satb_codes_params *p)
{
    const double *const ends = p->ends;
    if (!(p->unit >= 0 && isfinite(p->unit)) || (unsigned)p->ends_by > SATB_ENDS_PERCENTILES)
        return 0;
    if (p->ends_by == SATB_ENDS_EXTREMES)
        return 1;
    return ends[0] <= ends[1] &&
           (p->ends_by == SATB_ENDS_GIVEN || (ends[0] >= 0 && ends[1] <= 100));
}

/* Checks the given ends against the numbers, which the report has. */
static satb_status check_ends(const numbers *n, const satb_codes_params *p, satb_codes_report *r)
{
    const double *const ends = p->ends;
    if (!p->may_miss && (r->least > ends[1] || r->most < ends[0]))
        return fail(r, SATB_FAULT_APART);
    if (n->unit > 0 && ends[0] <= 0)
        return fail(r, SATB_FAULT_NOT_POSITIVE);
    return n->unit == 0 && (isinf(ends[0]) || isinf(ends[1])) ? fail(r, SATB_FAULT_ENDLESS)
                                                              : SATB_OK;
}

/* Replaces the extremes by the numbers at the ends of the scale. */
static satb_status find_ends(const numbers *n, const satb_codes_params *p, satb_codes_report *r)
{
    double ends[2] = {r->least, r->most};
    satb_status status = SATB_OK;
    if (p->ends_by == SATB_ENDS_GIVEN) {
        memcpy(ends, p->ends, sizeof ends);
        status = check_ends(n, p, r);
    } else if (p->ends_by == SATB_ENDS_PERCENTILES) {
        status = find_percentiles(n, n->count - r->unknown - r->infinite, p->ends, ends);
    }
    if (status != SATB_OK)
        return status;
    r->least = ends[0];
    r->most = ends[1];
    r->reaches_infinity = isinf(ends[1]) || (p->ends_by == SATB_ENDS_EXTREMES && r->infinite > 0);
    r->reaches_infinity |= n->unit > 0 && 1 / ends[0] <= 1 / ends[1]; /* a scale needs two ends */
    return SATB_OK;
}

/* --- Codes ------------------------------------------------------------------------------------ */

/* Writes the codes. Those of the scale's ends are 0, or 1 beside unknown numbers, and 65535. */
static void fill(const numbers *n, const satb_codes_report *r, uint16_t *codes)
{
    const double first = r->unknown > 0 ? 1 : 0;
    const double far = r->reaches_infinity ? 0 : linear(n, r->most);
    const double low = n->unit > 0 ? far : r->least;
    const double high = n->unit > 0 ? linear(n, r->least) : r->most;
    for (size_t i = 0; i < n->count; i++) {
        const double number = known(n, i);
        double z = high > low ? (linear(n, number) - low) / (high - low) : 1;
        z = z < 0 ? 0 : z > 1 ? 1 : z;
        codes[i] = isnan(number) ? 0 : (uint16_t)(first + z * (UINT16_MAX - first) + 0.5);
    }
}

satb_status satb_depth_codes(const float *data, size_t count, const satb_codes_params *params,
                             uint16_t *codes, satb_codes_report *reported)
{
    satb_codes_report own, *const report = reported ? reported : &own;
    const satb_codes_params defaults = {0};
    const satb_codes_params *const p = params ? params : &defaults;
    const numbers n = {data, count, p->unit};

    *report = (satb_codes_report){0};
    if (!data || count == 0 || !are_valid(p))
        return fail(report, SATB_FAULT_PARAMETER);
    measure(&n, report);
    if (report->unknown == count)
        return fail(report, SATB_FAULT_UNKNOWN);
    if (report->unknown + report->infinite == count)
        return fail(report, SATB_FAULT_INFINITE);
    const satb_status status = find_ends(&n, p, report);
    if (status == SATB_OK && codes)
        fill(&n, report, codes);
    return status;
}
