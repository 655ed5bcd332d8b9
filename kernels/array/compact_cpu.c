#include "common/parts.h"
#include "array/compact.h"
#include "common/pool.h"

const char *const satk_compact_variant_names[SATK_COMPACT_VARIANTS] = {"single-pass",
                                                                       "three-kernel"};

static uint64_t count_part(const satk_compact *job, uint64_t first, uint64_t last)
{
    uint64_t kept = 0;

    for (uint64_t i = first; i < last; i++)
        kept += (uint64_t)satk_is_kept(job, job->in[i]);
    return kept;
}

/* Copies the kept values of in[first...] to out[at...], until out[end]. Every value is stored, and
 * the place moves on only if it is kept: with random data, a branch would be mispredicted half of
 * the time. */
static void move_part(const satk_compact *job, uint64_t first, uint64_t at, uint64_t end)
{
    for (uint64_t i = first; at < end; i++) {
        job->out[at] = job->in[i];
        if (job->indices)
            job->indices[at] = i;
        at += (uint64_t)satk_is_kept(job, job->in[i]);
    }
}

size_t satk_compact_scratch_cpu(const satk_compact *job, int threads)
{
    size_t bytes = 0;

    (void)job;
    satk_place(&bytes, (uint64_t)threads, sizeof(uint64_t));
    return bytes;
}

typedef struct parts {
    const satk_compact *job;
    int count;
    uint64_t *ends;
} parts;

static void count_kept(const void *job, int p)
{
    const parts *const all = job;

    all->ends[p] = count_part(all->job, satk_part_begin(all->job->count, p, all->count),
                              satk_part_begin(all->job->count, p + 1, all->count));
}

static void move_kept(const void *job, int p)
{
    const parts *const all = job;

    move_part(all->job, satk_part_begin(all->job->count, p, all->count), p ? all->ends[p - 1] : 0,
              all->ends[p]);
}

/* Counts the kept values of each thread's part, and copies them to the places that the scan of the
 * counts gives. */
void satk_compact_cpu(const satk_compact *job, int threads)
{
    const parts all = {job, threads, job->scratch};
    uint64_t sum = 0;

    satk_for(threads, threads, 1, count_kept, &all);
    for (int p = 0; p < threads; p++)
        all.ends[p] = sum += all.ends[p];
    *job->kept = sum;
    satk_for(threads, threads, 1, move_kept, &all);
}
