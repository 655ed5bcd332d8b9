#include "depth/depth_span.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bin has the floats that share their sign, their exponent and the first 11 bits behind it. */
enum { BIN_BITS = 20, REST_BITS = 32 - BIN_BITS };
#define BINS ((size_t)1 << BIN_BITS)
#define SIGN ((uint32_t)1 << 31)

bool depth_span_open(depth_span *s, bool counts, problem *p)
{
    *s = (depth_span){.least = INFINITY, .most = -INFINITY};
    s->bins = counts ? calloc(BINS, sizeof *s->bins) : NULL;
    return !counts || s->bins || problem_set(p, "not enough memory for percentiles");
}

void depth_span_close(depth_span *s)
{
    free(s->bins);
    s->bins = NULL;
}

/* Returns the bin; larger numbers are in later ones. */
static size_t bin_of(double number)
{
    const float rounded = (float)number;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return (bits & SIGN ? ~bits : bits | SIGN) >> REST_BITS;
}

/* Returns the number of a bin that is nearest to 0. */
static double number_of_bin(size_t bin)
{
    uint32_t bits = (uint32_t)bin << REST_BITS;
    bits = bits & SIGN ? bits & ~SIGN : ~(bits | (((uint32_t)1 << REST_BITS) - 1));
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

void depth_span_add(depth_span *s, const values *v, const depth_meaning *meaning)
{
    const size_t count = (size_t)v->width * (size_t)v->height;
    s->maps++;
    for (size_t i = 0; i < count; i++) {
        const double number = depth_number(meaning, v->data[i]);
        s->has_infinite |= isinf(number) != 0;
        if (!isfinite(number))
            continue;
        s->known++;
        s->least = number < s->least ? number : s->least;
        s->most = number > s->most ? number : s->most;
        if (s->bins)
            s->bins[bin_of(number)]++;
    }
}

void depth_span_join(depth_span *s, const depth_span *other)
{
    s->maps += other->maps;
    s->known += other->known;
    s->has_infinite |= other->has_infinite;
    s->least = fmin(s->least, other->least);
    s->most = fmax(s->most, other->most);
    for (size_t i = 0; s->bins && other->bins && i < BINS; i++)
        s->bins[i] += other->bins[i];
}

double depth_span_percentile(const depth_span *s, double per_cent)
{
    const uint64_t rank = (uint64_t)(per_cent / 100 * (double)(s->known - 1) + 0.5);
    uint64_t below = 0;
    size_t bin = 0;
    if (rank == 0)
        return s->least;
    if (rank >= s->known - 1)
        return s->most;
    while (bin + 1 < BINS && (below += s->bins[bin]) <= rank)
        bin++;
    return fmin(s->most, fmax(s->least, number_of_bin(bin)));
}
