#include "check/check_stats.h"

#include "support/device.h"

static void expect(const oracle_plane *src, int channel, void *out)
{
    oracle_bins(src, channel, out);
}

static void on_cpu(const satk_plane *src, void *out, int threads)
{
    satk_histogram job = {*src, out, NULL};
    block scratch = block_exact(satk_histogram_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_histogram_cpu(&job, threads);
    block_free(&scratch);
}

static int on_cuda(const satk_plane *src, void *out)
{
    return device_histogram(&(satk_histogram){*src, out, NULL});
}

void check_histogram(check *c)
{
    static const stats s = {.channel_bytes = {256 * sizeof(uint64_t), 65536 * sizeof(uint64_t)},
                            .word_bytes = sizeof(uint64_t),
                            .expect = expect,
                            .cpu = on_cpu,
                            .cuda = on_cuda,
                            .group_sizes = "histogram.sizes",
                            .group_alignment = "histogram.alignment",
                            .group_fills = "histogram.fills",
                            .group_places = "histogram.places",
                            .group_threads = "histogram.threads",
                            .group_large = "histogram.large"};

    check_stats(c, &s);
}
