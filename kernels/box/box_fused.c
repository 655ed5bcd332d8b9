#include "box/box_level.h"
#include "box/box_strip.h"
#include "common/parts.h"
#include "common/pool.h"
#include "sat/sat.h"

/* --- Choice ----------------------------------------------------------------------------------- */

typedef struct way {
    satk_strips (*strips)(const satk_box *job, int threads);
    satk_strip_function *strip;
} way;

static const way slides[SATK_LEVELS] = {
    {satk_slide_strips_plain, satk_slide_plain},
#ifdef SATK_HAVE_LEVELS
    {satk_slide_strips_avx2, satk_slide_avx2},
    {satk_slide_strips_avx512, satk_slide_avx512},
#endif
};

static const way rings[SATK_LEVELS] = {
    {satk_ring_strips_plain, satk_ring_plain},
#ifdef SATK_HAVE_LEVELS
    {satk_ring_strips_avx2, satk_ring_avx2},
    {satk_ring_strips_avx512, satk_ring_avx512},
#endif
};

static const way weighs[SATK_LEVELS] = {
    {satk_weigh_strips_plain, satk_weigh_plain},
#ifdef SATK_HAVE_LEVELS
    {satk_weigh_strips_avx2, satk_weigh_avx2},
    {satk_weigh_strips_avx512, satk_weigh_avx512},
#endif
};

/* Returns 1 if box_weigh.c applies: columns add up to 32 bits, and no window to more than its
 * doubles hold exactly. */
static int is_weighed(const satk_box *job)
{
    const uint64_t rows =
        (uint64_t)most_inside(reach(job->radius_y, job->src.height), job->src.height);
    const uint64_t columns =
        (uint64_t)most_inside(reach(job->radius_x, job->src.width), job->src.width);
    const uint64_t colour = job->tone.decode ? (1u << SATK_LINEAR_BITS(8)) - 1 : 255;
    /* Weights that are all the same change no mean; three planes are faster than four channels. */
    const int alpha = job->tone.weighted || (job->tone.opaque && job->tone.decode);

    return alpha && job->src.bits == 8 && rows * colour * 255 <= UINT32_MAX &&
           rows * columns <= 1 << 24;
}

/* Returns the way for a job; NULL means the whole table. */
static const way *way_of(const satk_box *job)
{
    const int whole = !job->map.data && (job->radius_x | job->radius_y) % SATK_ONE == 0;

    if (job->edge != SATK_SHRINK || job->src.data == job->dst.data)
        return NULL;
    if (!whole || job->wide)
        return &rings[satk_level_here()];
    return is_weighed(job) ? &weighs[satk_level_here()] : &slides[satk_level_here()];
}

/* --- The whole table -------------------------------------------------------------------------- */

static satk_sat table_job(const satk_box *job, void *scratch, size_t *bytes)
{
    const size_t table = rounded((size_t)job->src.width * (size_t)job->src.channels *
                                 (size_t)job->src.height * (size_t)(job->word / 8));
    *bytes = table;
    return (satk_sat){.src = job->src,
                      .tone = job->tone,
                      .word = job->word,
                      .table = scratch,
                      .scratch = (uint8_t *)scratch + table};
}

/* --- Strips ----------------------------------------------------------------------------------- */

size_t satk_box_fused_scratch(const satk_box *job, int threads)
{
    const way *const w = way_of(job);
    size_t bytes = 0;

    if (w) {
        satk_place(&bytes, rounded(w->strips(job, threads).bytes), (size_t)threads);
        return bytes;
    }
    const satk_sat sat = table_job(job, NULL, &bytes);
    return bytes + satk_sat_scratch_cpu(&sat, threads);
}

typedef struct strip_work {
    const satk_box *job;
    satk_strip_function *strip;
    satk_strips division;
    uint8_t *scratch;
} strip_work;

static void blur_strip(const void *job, int i)
{
    const strip_work *const w = job;
    const int first = i * w->division.rows, last = first + w->division.rows;
    const int height = w->job->src.height;

    w->strip(w->job, first, last < height ? last : height,
             w->scratch + (size_t)satk_thread() * rounded(w->division.bytes));
}

void satk_box_fused_cpu(const satk_box *job, void *scratch, int threads)
{
    const way *const w = way_of(job);
    size_t bytes;

    if (!w) {
        const satk_sat sat = table_job(job, scratch, &bytes);
        satk_box box = *job;
        box.table = scratch;
        box.ring = 0;
        satk_sat_cpu(&sat, threads);
        satk_box_cpu(&box, threads);
        return;
    }
    const strip_work work = {job, w->strip, w->strips(job, threads), scratch};
    satk_for(threads, (job->src.height + work.division.rows - 1) / work.division.rows, 1,
             blur_strip, &work);
}
