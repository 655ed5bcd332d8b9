#include "matte/matte_plane_rule.h"

#include "common/pool.h"

/* Returns whether a channel is the same everywhere. */
static int is_constant(const satk_plane *src, int channel)
{
    const uint32_t first = satk_sample_at(src, 0, 0, channel);

    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            if (satk_sample_at(src, x, y, channel) != first)
                return 0;
    return 1;
}

/* Returns the channel that counts. */
static int channel_of(const satk_plane *src)
{
    const int alpha = src->channels - 1;

    return satk_has_alpha(src->channels) && !is_constant(src, alpha) ? alpha : 0;
}

typedef struct making {
    const satk_matte_plane *job;
    int channel;
} making;

/* Returns the sum of a row's coverage. */
static uint64_t make_row(const void *of, int y)
{
    const satk_matte_plane *const job = ((const making *)of)->job;
    const int channel = ((const making *)of)->channel;
    uint8_t *const row = satk_row_of(&job->dst, y);
    uint64_t sum = 0;

    for (int x = 0; x < job->dst.width; x++) {
        row[x] = satk_matte_cover(satk_sample_at(&job->src, x, y, channel), job->src.bits);
        sum += row[x];
    }
    return sum;
}

static uint64_t make_row_between(const void *of, int y)
{
    const satk_matte_plane *const job = ((const making *)of)->job;
    const int channel = ((const making *)of)->channel;
    const satk_matte_tap *const columns = job->scratch;
    const satk_matte_tap down = satk_matte_tap_at(y, job->dst.height, job->src.height);
    uint8_t *const row = satk_row_of(&job->dst, y);
    uint64_t sum = 0;

    for (int x = 0; x < job->dst.width; x++) {
        row[x] = satk_matte_cover_between(&job->src, channel, columns[x], down);
        sum += row[x];
    }
    return sum;
}

size_t satk_matte_plane_scratch_cpu(const satk_matte_plane *job, int threads)
{
    (void)threads;
    return satk_matte_is_resized(job) ? (size_t)job->dst.width * sizeof(satk_matte_tap) : 0;
}

void satk_matte_plane_cpu(const satk_matte_plane *job, int threads)
{
    const making m = {job, channel_of(&job->src)};
    const int is_resized = satk_matte_is_resized(job);
    satk_matte_tap *const columns = job->scratch;

    for (int x = 0; x < job->dst.width && is_resized; x++)
        columns[x] = satk_matte_tap_at(x, job->dst.width, job->src.width);
    job->counts[SATK_MATTE_SUM] =
        satk_sum(threads, job->dst.height, 0, is_resized ? make_row_between : make_row, &m);
}
