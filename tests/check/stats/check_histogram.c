#include "check/stats/check_stats.h"

#include "support/device.h"

static void expect(const oracle_plane *src, int channel, void *out)
{
    oracle_bins(src, channel, out);
}

static void on_cpu(const satk_plane *src, void *out, int threads, int adds)
{
    satk_histogram job = {*src, out, NULL, adds};
    block scratch = block_exact(satk_histogram_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_histogram_cpu(&job, threads);
    block_free(&scratch);
}

static int on_cuda(const satk_plane *src, void *out, int adds)
{
    return device_histogram(&(satk_histogram){*src, out, NULL, adds});
}

/* Pictures of so many pixels that a device's counters of 16 bits are full more than once, with rows that
 * are shorter than a thread's codes among them. Rows of 5 segments are no part of a step. */
static const shape shapes[] = {
    {1280, 200, 1, 16, 0, 0}, {1203, 200, 3, 16, 0, 0}, {1203, 250, 1, 16, 10, 0},
    {7, 3000, 1, 16, 2, 0},   {501, 200, 4, 16, 0, 0},
};

/* Two codes in turn, equally often or not, that are half of all codes apart, or a quarter: a device may
 * count both in one word. */
static void check_pairs(check *c, const stats *s)
{
    static const shape forms[] = {{1203, 250, 1, 16, 10, 0}, {7, 20000, 1, 16, 0, 0}};

    for (int i = 0; i < 12; i++) {
        picture src = picture_input(&forms[i % 2], FILL_RANDOM, &c->random);
        const uint32_t apart = i / 2 % 2 ? 0x8000 : 0x4000,
                       code = (uint32_t)random_below(&c->random, 65536);
        const uint32_t often = i < 8 ? code | apart : code & ~apart, seldom = often ^ apart;
        for (int y = 0; y < src.plane.height; y++)
            for (int x = 0; x < src.plane.width; x++)
                picture_put(&src.plane, x, y, 0, (i < 4 ? x % 2 : (x + y) % 3) ? often : seldom);
        run_stats(c, s, &src, i / 2 % 2 ? "codes half apart" : "codes a quarter apart");
        picture_free(&src);
    }
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
                            .group_large = "histogram.large",
                            .group_bands = "histogram.bands",
                            .group_shapes = "histogram.full",
                            .shapes = shapes,
                            .shapes_count = sizeof shapes / sizeof *shapes};

    check_stats(c, &s);
    if (check_group(c, "histogram.pairs"))
        check_pairs(c, &s);
}
