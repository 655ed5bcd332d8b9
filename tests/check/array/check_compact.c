#include "check/array/array_sample.h"

#include "array/compact.h"
#include "common/pool.h"
#include "support/device.h"
#include "array/array_tune.cuh"

#include <inttypes.h>
#include <string.h>

/* One compaction: its input, and the range of values to keep. */
typedef struct task {
    const block *in;
    uint64_t count;
    uint32_t low, high;
    int with_indices, skew; /* skew: of the outputs, in words */
    const char *what;
} task;

/* Guards begin where the last kept value ends, so nothing may be written beyond it. */
typedef struct result {
    block out, indices, kept;
} result;

static uint64_t count_kept(const task *t)
{
    uint64_t kept = 0;

    for (uint64_t i = 0; i < t->count; i++) {
        const uint64_t v = array_word(block_data(t->in), i, 32);
        kept += v >= t->low && v <= t->high;
    }
    return kept;
}

static result result_poisoned(const task *t, uint64_t kept)
{
    result r = {block_guarded(kept * sizeof(uint32_t), (size_t)t->skew * sizeof(uint32_t)),
                block_guarded(kept * sizeof(uint64_t), (size_t)t->skew * sizeof(uint64_t)),
                block_guarded(sizeof(uint64_t), 0)};

    block_poison(&r.out);
    block_poison(&r.indices);
    block_poison(&r.kept);
    return r;
}

static void result_free(result *r)
{
    block_free(&r->out);
    block_free(&r->indices);
    block_free(&r->kept);
}

/* Compacts by the definition, one value after the other. Indices are written only if they are
 * wanted. */
static result expect(const task *t)
{
    const uint64_t all = count_kept(t);
    result r = result_poisoned(t, all);
    uint32_t *const out = block_data(&r.out);
    uint64_t *const indices = block_data(&r.indices);
    uint64_t kept = 0;

    for (uint64_t i = 0; i < t->count; i++) {
        const uint64_t v = array_word(block_data(t->in), i, 32);
        if (v < t->low || v > t->high)
            continue;
        out[kept] = (uint32_t)v;
        if (t->with_indices)
            indices[kept] = i;
        kept++;
    }
    memcpy(block_data(&r.kept), &kept, sizeof kept);
    return r;
}

static void compare(check *c, backend on, const result *want, const result *got)
{
    const layout out = array_layout(&want->out, 4), indices = array_layout(&want->indices, 8),
                 kept = array_layout(&want->kept, 8);

    if (check_same(c, on, &want->kept, &got->kept, &kept) &&
        check_same(c, on, &want->out, &got->out, &out))
        check_same(c, on, &want->indices, &got->indices, &indices);
}

static satk_compact job_of(const task *t, int variant)
{
    return (satk_compact){.count = t->count,
                          .low = t->low,
                          .high = t->high,
                          .variant = (satk_compact_variant)variant};
}

static void on_cpu(check *c, const task *t, const result *want, int threads)
{
    satk_compact job = job_of(t, 0);
    result got = result_poisoned(t, want->out.bytes / sizeof(uint32_t));
    block scratch = block_guarded(satk_compact_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.in = block_data(t->in);
    job.out = block_data(&got.out);
    job.indices = t->with_indices ? block_data(&got.indices) : NULL;
    job.kept = block_data(&got.kept);
    job.scratch = block_data(&scratch);
    satk_compact_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    compare(c, ON_CPU, want, &got);
    block_free(&scratch);
    result_free(&got);
}

static void on_cuda(check *c, const task *t, const result *want, int variant)
{
    satk_compact job = job_of(t, variant);
    result got = result_poisoned(t, want->out.bytes / sizeof(uint32_t));
    mirrors on = {.c = c};

    job.scratch = mirrors_scratch(&on, device_compact_scratch(&job));
    job.in = mirrors_in(&on, t->in);
    job.out = mirrors_out(&on, &got.out);
    job.kept = mirrors_out(&on, &got.kept);
    if (t->with_indices)
        job.indices = mirrors_out(&on, &got.indices);
    if (mirrors_end(&on, on.failed || device_compact(&job)))
        compare(c, ON_CUDA, want, &got);
    result_free(&got);
}

/* Every number of CPU threads and every CUDA variant must keep the oracle's values. */
static void run_task(check *c, const task *t)
{
    static const int threads[] = {2, 1, 3, 8};
    result want = expect(t);

    for (int i = 0; i < check_count(c, 4, 2); i++) {
        check_case(c, "%" PRIu64 " words, %s, %u..%u, skew %d,%s indices, %d threads", t->count,
                   t->what, t->low, t->high, t->skew, t->with_indices ? "" : " no", threads[i]);
        on_cpu(c, t, &want, threads[i]);
    }
    for (int v = 0; v < SATK_COMPACT_VARIANTS && c->cuda && !check_hopeless(c); v++) {
        check_case(c, "%" PRIu64 " words, %s, %u..%u, skew %d,%s indices, %s", t->count, t->what,
                   t->low, t->high, t->skew, t->with_indices ? "" : " no",
                   satk_compact_variant_names[v]);
        on_cuda(c, t, &want, v);
    }
    result_free(&want);
}

static void run_fill(check *c, uint64_t count, array_fill f, uint32_t low, uint32_t high, int skew)
{
    block in = array_input(count, 32, skew, f, &c->random);

    for (int with = 0; with < 2 && !check_hopeless(c); with++)
        run_task(c, &(task){&in, count, low, high, with, skew, array_fill_name(f)});
    block_free(&in);
}

/* --- Groups ----------------------------------------------------------------------------------- */

static void check_sizes(check *c)
{
    const uint64_t tile = SATK_COMPACT_TILE;
    const uint64_t own[] = {tile - 1, tile, tile + 1, 2 * tile, 40 * tile + 1, 1000003};

    for (int i = 0; i < array_sizes_count; i++)
        if (!c->quick || array_sizes[i].quick)
            run_fill(c, array_sizes[i].count, ARRAY_RANDOM, 0, UINT32_MAX / 2, i % 4);
    for (int i = 0; i < check_count(c, sizeof own / sizeof *own, 3); i++)
        run_fill(c, own[i], ARRAY_RANDOM, UINT32_MAX / 3, UINT32_MAX, i % 4);
}

/* None, all, one value, the ends of the range, and a range that is empty. */
static void check_ranges(check *c)
{
    static const uint32_t ranges[][2] = {
        {0, UINT32_MAX}, {0, 0}, {UINT32_MAX, UINT32_MAX}, {1, UINT32_MAX - 1},
        {2, 1},          {7, 9}, {0, UINT32_MAX / 100},
    };

    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int f = 0; f < ARRAY_FILLS; f += check_count(c, 1, 3))
            run_fill(c, 2 * SATK_COMPACT_TILE + 77, (array_fill)f, ranges[i][0], ranges[i][1], 0);
}

/* One value that is kept, at places around the edges of warps and tiles. */
static void check_places(check *c)
{
    enum { TILE = SATK_COMPACT_TILE, RUN = SATK_COMPACT_ITEMS * SATK_WARP };
    static const int places[] = {0,
                                 1,
                                 31,
                                 32,
                                 33,
                                 RUN - 1,
                                 RUN,
                                 RUN + 1,
                                 TILE - 1,
                                 TILE,
                                 TILE + 1,
                                 TILE + RUN - 1,
                                 2 * TILE - 1,
                                 2 * TILE};
    enum { PLACES = sizeof places / sizeof *places };

    for (int i = 0; i < PLACES; i += check_count(c, 1, 5)) {
        const uint64_t count = 2 * TILE + 1;
        block in = block_exact(count * 4, 0);
        memset(in.base, 0, in.size);
        ((uint32_t *)block_data(&in))[places[i]] = 5;
        run_task(c, &(task){&in, count, 5, 5, 1, 0, "one is kept"});
        block_free(&in);
    }
}

/* Beyond 2^32 words, one in 16 kept, so that positions and indices pass 2^32 while the result is
 * small. */
static void check_large(check *c)
{
    const uint64_t count = ((uint64_t)1 << 32) + 12345;
    block in = array_input(count, 32, 1, ARRAY_RANDOM, &c->random);
    const task t = {&in, count, UINT32_MAX / 16 * 15 + 16, UINT32_MAX, 1, 1, "random"};
    result want = expect(&t);

    check_case(c, "%" PRIu64 " words", count);
    on_cpu(c, &t, &want, satk_processors());
    for (int v = 0; v < SATK_COMPACT_VARIANTS && c->cuda; v++) {
        check_case(c, "%" PRIu64 " words, %s", count, satk_compact_variant_names[v]);
        on_cuda(c, &t, &want, v);
    }
    result_free(&want);
    block_free(&in);
}

void check_compact(check *c)
{
    check_run(c, "compact.sizes", check_sizes);
    check_run(c, "compact.ranges", check_ranges);
    check_run(c, "compact.places", check_places);
    if (check_large_group(c, "compact.large") && large_fits(c, 28, 58))
        check_large(c);
}
