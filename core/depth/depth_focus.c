#include "depth/depth_focus.h"

#include <stdlib.h>

#define BINS  256
#define REACH 4 /* bins to each side that count as one mode: 3.5 % of the disparity range */

static int bin_of(double disparity)
{
    return (int)(disparity * (BINS - 1) + 0.5);
}

/* Returns the first bin at which the running count passes a fraction of the total. */
static int percentile(const uint64_t *bins, uint64_t total, double fraction)
{
    uint64_t sum = 0;
    int b = 0;

    while (b < BINS - 1 && (double)(sum + bins[b]) <= fraction * (double)total)
        sum += bins[b++];
    return b;
}

static void smooth(const uint64_t *bins, uint64_t *smoothed)
{
    for (int b = 0; b < BINS; b++) {
        smoothed[b] = 0;
        for (int i = b - REACH; i <= b + REACH; i++)
            if (i >= 0 && i < BINS)
                smoothed[b] += bins[i];
    }
}

static int is_mode(const uint64_t *smoothed, int b)
{
    for (int i = b - REACH; i <= b + REACH; i++)
        if (i >= 0 && i < BINS && smoothed[i] > smoothed[b])
            return 0;
    return smoothed[b] > 0;
}

/* Returns the strongest bin from `first` on, the nearest of equals; modes only, or any bin. -1 if there is
 * none. */
static int strongest(const uint64_t *smoothed, int first, int modes_only)
{
    int best = -1;

    for (int b = first; b < BINS; b++)
        if ((!modes_only || is_mode(smoothed, b)) && (best < 0 || smoothed[b] >= smoothed[best]))
            best = b;
    return best;
}

double satb_auto_focus(const double *disparity, const uint32_t *counts, size_t n)
{
    uint64_t bins[BINS] = {0}, smoothed[BINS], total = 0;

    for (size_t i = 0; i < n; i++) {
        bins[bin_of(disparity[i])] += counts[i];
        total += counts[i];
    }
    smooth(bins, smoothed);
    /* Single stray pixels do not decide what occurs. */
    const int low = percentile(bins, total, 0.005), high = percentile(bins, total, 0.995);
    const int first = (low + high + 1) / 2;
    int mode = strongest(smoothed, first, 1);
    if (mode < 0) /* a slope that rises towards the far half: its top in the near half */
        mode = strongest(smoothed, first, 0);

    double sum = 0, weight = 0;
    for (size_t i = 0; i < n; i++)
        if (abs(bin_of(disparity[i]) - mode) <= REACH) {
            sum += disparity[i] * counts[i];
            weight += counts[i];
        }
    return weight > 0 ? sum / weight : disparity[0];
}

uint32_t satb_median_code(const uint32_t *counts, size_t n)
{
    uint64_t total = 0, sum = 0;
    size_t code = 0;

    for (size_t i = 0; i < n; i++)
        total += counts[i];
    while (code < n - 1 && 2 * (sum + counts[code]) < total)
        sum += counts[code++];
    return (uint32_t)code;
}
