/* Statistics: exact integer moments and histograms from the back end, means and deviations from
 * those. */
#include "backend.h"

#include <math.h>
#include <string.h>

_Static_assert(SATB_BINS == SATK_BINS, "the library's bins are the kernels'");

typedef struct results { /* one slot on the device, so that one copy brings everything back */
    uint64_t bins[4][SATK_BINS];
    satk_moments moments[4];
} results;

static satb_status measure(satb_context *context, const satb_image *src, results *host)
{
    const satb_backend *const b = context->backend;
    satk_plane plane = {0};
    void *data = NULL;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, src, &plane);
    if (status == SATB_OK)
        status = b->reserve(context, SATB_SLOT_STATS, sizeof(results), &data);
    results *const device = data;
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = b->reduce(context, &(satk_reduce){.src = plane, .out = device->moments});
    if (status == SATB_OK)
        status = b->histogram(context, &(satk_histogram){.src = plane, .out = device->bins[0]});
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->fetch(context, host->bins, device->bins,
                          sizeof host->bins[0] * (size_t)src->channels);
    if (status == SATB_OK)
        status = b->fetch(context, host->moments, device->moments,
                          sizeof host->moments[0] * (size_t)src->channels);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}

/* The population's standard deviation: n sum(x^2) - sum(x)^2 is exact in 128 bits, so nothing
 * cancels. */
static double deviation(const satk_moments *m, uint64_t count)
{
    const satk_u128 scaled = (satk_u128)m->sum_squares * count - (satk_u128)m->sum * m->sum;

    return sqrt((double)scaled) / (double)count;
}

satb_status satb_measure(satb_context *context, const satb_image *src, satb_channel_stats *stats)
{
    results host;
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK && !stats)
        status = satb_fail(context, SATB_ERR_ARG, "statistics: no memory to write to");
    if (status == SATB_OK)
        status = measure(context, src, &host);
    if (status != SATB_OK)
        return status;
    const uint64_t count = (uint64_t)src->width * (uint64_t)src->height;
    for (int c = 0; c < src->channels; c++) {
        const satk_moments *const m = &host.moments[c];
        stats[c] = (satb_channel_stats){.min = m->min,
                                        .max = m->max,
                                        .count = count,
                                        .sum = m->sum,
                                        .sum_squares = m->sum_squares,
                                        .mean = (double)m->sum / (double)count,
                                        .stddev = deviation(m, count)};
        memcpy(stats[c].histogram, host.bins[c], sizeof stats[c].histogram);
    }
    return SATB_OK;
}
