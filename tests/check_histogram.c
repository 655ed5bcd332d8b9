#include "check_stats.h"

#include "device.h"

#include <string.h>

static void expect(const oracle_plane *src, int channel, void *out)
{
    uint64_t bins[SATK_BINS];

    oracle_bins(src, channel, bins);
    memcpy(out, bins, sizeof bins);
}

static void on_cpu(const satk_plane *src, void *out, int threads)
{
    satk_histogram_cpu(&(satk_histogram){*src, out}, threads);
}

static int on_cuda(const satk_plane *src, void *out)
{
    return device_histogram(&(satk_histogram){*src, out});
}

void check_histogram(check *c)
{
    static const stats s = {.channel_bytes = SATK_BINS * sizeof(uint64_t),
                            .word_bytes = sizeof(uint64_t),
                            .expect = expect,
                            .cpu = on_cpu,
                            .cuda = on_cuda,
                            .group_sizes = "histogram.sizes",
                            .group_fills = "histogram.fills",
                            .group_places = "histogram.places",
                            .group_threads = "histogram.threads",
                            .group_large = "histogram.large"};

    check_stats(c, &s);
}
