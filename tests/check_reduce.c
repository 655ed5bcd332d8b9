#include "check_stats.h"

#include "device.h"

#include <string.h>

static void expect(const oracle_plane *src, int channel, void *out)
{
    const oracle_moments m = oracle_measure(src, channel);
    const satk_moments moments = {m.sum, m.sum_squares, m.min, m.max};

    memcpy(out, &moments, sizeof moments);
}

static void on_cpu(const satk_plane *src, void *out, int threads)
{
    satk_reduce_cpu(&(satk_reduce){*src, out}, threads);
}

static int on_cuda(const satk_plane *src, void *out)
{
    return device_reduce(&(satk_reduce){*src, out});
}

void check_reduce(check *c)
{
    static const stats s = {.channel_bytes = sizeof(satk_moments),
                            .word_bytes = sizeof(uint64_t),
                            .expect = expect,
                            .cpu = on_cpu,
                            .cuda = on_cuda,
                            .group_sizes = "reduce.sizes",
                            .group_fills = "reduce.fills",
                            .group_places = "reduce.places",
                            .group_threads = "reduce.threads",
                            .group_large = "reduce.large"};

    check_stats(c, &s);
}
