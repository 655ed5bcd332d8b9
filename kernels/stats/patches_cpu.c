#include "stats/patches_rule.h"

#include "common/pool.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES = SATK_MOST_PATCHES * SATK_MOST_SAMPLES };

static const void *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

/* Adds the lumas of a row of pixels to the sums of their samples. cuts: their first pixels, and the end. */
static void add_lumas(const satk_plane *src, int y, const int *cuts, int samples, uint64_t *sums)
{
    const void *const row = row_of(src, y);
    const int channels = src->channels, bits = src->bits;

    for (int i = 0; i < samples; i++) {
        uint64_t sum = 0;
        if (bits == 8 && channels == 3)
            for (int x = cuts[i]; x < cuts[i + 1]; x++)
                sum += satk_patch_luma(row, x, 3, 8);
        else
            for (int x = cuts[i]; x < cuts[i + 1]; x++)
                sum += satk_patch_luma(row, x, channels, bits);
        sums[i] += sum;
    }
}

/* Finds the lumas of a row of samples. */
static void find_lumas(const satk_patches *job, const int *cuts, int j, int32_t *lumas)
{
    const int samples = job->across.patches * job->across.samples;
    const int top = satk_cut_at(&job->down, j), end = satk_cut_at(&job->down, j + 1);
    uint64_t sums[SAMPLES] = {0};

    for (int y = top; y < end; y++)
        add_lumas(&job->src, y, cuts, samples, sums);
    for (int i = 0; i < samples; i++)
        lumas[i] =
            satk_sample_luma(sums[i], (uint64_t)(end - top) * (uint64_t)(cuts[i + 1] - cuts[i]));
}

/* Adds the differences of a row of samples to the details of its patches. above, below: NULL: the picture ends there. */
static void add_details(const satk_cuts *across, const int32_t *above, const int32_t *own,
                        const int32_t *below, satk_patch *out)
{
    const int samples = across->patches * across->samples;

    for (int i = 0; i < samples; i++) {
        int32_t detail = 0;
        detail += i > 0 ? abs(own[i] - own[i - 1]) : 0;
        detail += i + 1 < samples ? abs(own[i] - own[i + 1]) : 0;
        detail += above ? abs(own[i] - above[i]) : 0;
        detail += below ? abs(own[i] - below[i]) : 0;
        out[i / across->samples].detail += (uint32_t)detail;
    }
}

static void sum_details(const satk_patches *job, const int *cuts, int j, satk_patch *out)
{
    const int rows = job->down.patches * job->down.samples;
    const int first = j * job->down.samples, end = first + job->down.samples;
    int32_t lumas[3][SAMPLES];

    for (int r = satk_larger(first - 1, 0); r < satk_smaller(end + 1, rows); r++) {
        find_lumas(job, cuts, r, lumas[r % 3]);
        if (r > first)
            add_details(&job->across, r > 1 ? lumas[(r - 2) % 3] : NULL, lumas[(r - 1) % 3],
                        lumas[r % 3], out);
    }
    if (end == rows)
        add_details(&job->across, end > 1 ? lumas[(end - 2) % 3] : NULL, lumas[(end - 1) % 3], NULL,
                    out);
}

/* Adds the depths of a row of pixels to the patches. */
static void add_depths(const satk_patches *job, int y, const int *cuts, satk_patch *out)
{
    const void *const codes = row_of(&job->map, y);
    const int bits = job->map.bits;
    const uint8_t *const cover = job->subject.data ? row_of(&job->subject, y) : NULL;

    for (int i = 0; i < job->across.patches; i++) {
        const int end = cuts[(i + 1) * job->across.samples];
        satk_patch sum = {0, 0, 0, 0};
        for (int x = cuts[i * job->across.samples]; x < end; x++) {
            const uint32_t depth = job->depth[satk_code(codes, (size_t)x, bits)];
            const uint32_t inside = cover ? cover[x] >> 7 : 0;
            sum.depth += depth;
            sum.subject += inside;
            sum.subject_depth += depth * inside;
        }
        out[i].depth += sum.depth;
        out[i].subject += sum.subject;
        out[i].subject_depth += sum.subject_depth;
    }
}

/* Sums row j of the patches. */
static void sum_row(const void *of, int j)
{
    const satk_patches *const job = of;
    const int samples = job->across.patches * job->across.samples, per = job->down.samples;
    satk_patch *const out = job->out + (ptrdiff_t)j * job->across.patches;
    int cuts[SAMPLES + 1];

    for (int i = 0; i <= samples; i++)
        cuts[i] = satk_cut_at(&job->across, i);
    memset(out, 0, sizeof *out * (size_t)job->across.patches);
    sum_details(job, cuts, j, out);
    for (int y = satk_cut_at(&job->down, j * per); y < satk_cut_at(&job->down, (j + 1) * per); y++)
        add_depths(job, y, cuts, out);
}

void satk_patches_cpu(const satk_patches *job, int threads)
{
    satk_for(threads, job->down.patches, 1, sum_row, job);
}
