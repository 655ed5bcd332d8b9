#include "check/array/array_sample.h"

#include "common/pool.h"
#include "support/device.h"
#include "array/sort.h"
#include "array/array_tune.cuh"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array to sort. The values are the keys' indices: they show whether equal keys have kept their
 * order. */
typedef struct task {
    const block *keys;
    uint64_t count;
    int word, with_values, skew; /* skew: in words */
    const char *what;
} task;

typedef struct arrays {
    block keys, values;
} arrays;

static arrays arrays_of(const task *t)
{
    const size_t bytes = (size_t)t->word / 8;
    arrays a = {block_guarded(t->count * bytes, (size_t)t->skew * bytes),
                block_guarded(t->with_values ? t->count * 4 : 0, (size_t)t->skew * 4)};
    uint32_t *const values = block_data(&a.values);

    block_poison(&a.keys);
    block_poison(&a.values);
#pragma omp parallel for if (t->count > 1 << 22)
    for (uint64_t i = 0; i < t->count; i++) {
        memcpy((uint8_t *)block_data(&a.keys) + i * bytes,
               (const uint8_t *)block_data(t->keys) + i * bytes, bytes);
        if (t->with_values)
            values[i] = (uint32_t)i;
    }
    return a;
}

static void arrays_free(arrays *a)
{
    block_free(&a->keys);
    block_free(&a->values);
}

/* --- Oracle: the C library's sort of (key, index) --------------------------------------------- */

typedef struct entry {
    uint64_t key, index;
} entry;

static int by_key_and_index(const void *a, const void *b)
{
    const entry *const x = a, *const y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static arrays expect(const task *t)
{
    entry *const entries = malloc((t->count + 1) * sizeof *entries);
    const size_t bytes = (size_t)t->word / 8;
    arrays a = arrays_of(t);
    uint8_t *const keys = block_data(&a.keys);
    uint32_t *const values = block_data(&a.values);

    if (!entries)
        exit(1);
    for (uint64_t i = 0; i < t->count; i++)
        entries[i] = (entry){array_word(block_data(t->keys), i, t->word), i};
    qsort(entries, t->count, sizeof *entries, by_key_and_index);
    for (uint64_t i = 0; i < t->count; i++) {
        memcpy(keys + i * bytes, &entries[i].key, bytes);
        if (t->with_values)
            values[i] = (uint32_t)entries[i].index;
    }
    free(entries);
    return a;
}

/* --- Back ends -------------------------------------------------------------------------------- */

static void compare(check *c, const task *t, backend on, const arrays *want, const arrays *got)
{
    const layout keys = array_layout(&want->keys, (size_t)t->word / 8),
                 values = array_layout(&want->values, 4);

    if (check_same(c, on, &want->keys, &got->keys, &keys))
        check_same(c, on, &want->values, &got->values, &values);
}

static void on_cpu(check *c, const task *t, const arrays *want, int threads)
{
    arrays got = arrays_of(t);
    satk_sort job = {.keys = block_data(&got.keys),
                     .values = t->with_values ? block_data(&got.values) : NULL,
                     .count = t->count,
                     .word = t->word};
    block scratch = block_guarded(satk_sort_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_sort_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    compare(c, t, ON_CPU, want, &got);
    block_free(&scratch);
    arrays_free(&got);
}

/* Sorts a copy on the device into `got`. Returns 1 when done. */
static int sort_cuda(check *c, const task *t, int variant, arrays *got)
{
    satk_sort job = {.values = t->with_values ? block_data(&got->values) : NULL,
                     .count = t->count,
                     .word = t->word,
                     .variant = (satk_sort_variant)variant};
    mirrors on = {.c = c};

    job.scratch = mirrors_scratch(&on, device_sort_scratch(&job));
    job.keys = mirrors_out(&on, &got->keys);
    if (job.values)
        job.values = mirrors_out(&on, &got->values);
    return mirrors_end(&on, on.failed || device_sort(&job));
}

static void name_case(check *c, const task *t, const char *how)
{
    check_case(c, "%" PRIu64 " u%d keys, %s, skew %d,%s values, %s", t->count, t->word, t->what,
               t->skew, t->with_values ? "" : " no", how);
}

/* Every number of CPU threads and every CUDA variant must sort as the oracle does. */
static void run_task(check *c, const task *t)
{
    static const int threads[] = {2, 1, 3, 8};
    arrays want = expect(t);
    char how[32];

    for (int i = 0; i < check_count(c, 4, 2); i++) {
        snprintf(how, sizeof how, "%d threads", threads[i]);
        name_case(c, t, how);
        on_cpu(c, t, &want, threads[i]);
    }
    for (int v = 0; v < SATK_SORT_VARIANTS && c->cuda && !check_hopeless(c); v++) {
        arrays got = arrays_of(t);
        name_case(c, t, satk_sort_variant_names[v]);
        if (sort_cuda(c, t, v, &got))
            compare(c, t, ON_CUDA, &want, &got);
        arrays_free(&got);
    }
    arrays_free(&want);
}

/* kind: 0..3, one bit for the word and one for values. */
static void run_fill(check *c, uint64_t count, int kind, array_fill f, int skew)
{
    const int word = kind & 1 ? 64 : 32;
    block keys = array_input(count, word, skew, f, &c->random);

    if (!check_hopeless(c))
        run_task(c, &(task){&keys, count, word, kind >> 1 & 1, skew, array_fill_name(f)});
    block_free(&keys);
}

/* --- Groups ----------------------------------------------------------------------------------- */

static void check_sizes(check *c)
{
    for (int i = 0; i < array_sizes_count; i++)
        for (int kind = 0; kind < 4; kind++)
            if (array_sizes[i].quick ||
                (!c->quick && (array_sizes[i].count < 60000 || kind == i % 4)))
                run_fill(c, array_sizes[i].count, kind, ARRAY_RANDOM, i % 4);
    if (!c->quick) {
        run_fill(c, 1000003, 0, ARRAY_RANDOM, 0);
        run_fill(c, 131101, 3, ARRAY_RANDOM, 1);
    }
}

/* A second copy of 2^61 keys fits no memory: the size must be SIZE_MAX, not wrap around. */
static void check_scratch(check *c)
{
    satk_sort job = {.count = (uint64_t)1 << 61, .word = 64};

    check_case(c, "2^61 u64 keys");
    check_that(c, ON_CPU, satk_sort_scratch_cpu(&job, 1) == SIZE_MAX, "a size that wraps around");
    for (int v = 0; v < SATK_SORT_VARIANTS && c->cuda; v++) {
        job.variant = (satk_sort_variant)v;
        check_that(c, ON_CUDA, device_sort_scratch(&job) == SIZE_MAX, "a size that wraps around");
    }
}

/* Around every variant's tiles, and numbers of tiles that leave a run without a partner. */
static void check_tiles(check *c)
{
    static const uint64_t tiles[] = {SATK_DIGITS_TILE(32), SATK_DIGITS_TILE(64), SATK_MERGE_TILE};

    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i += (size_t)check_count(c, 1, 4))
        for (int off = -1; off <= 1; off++)
            for (int kind = 0; kind < 4; kind += check_count(c, 1, 3)) {
                run_fill(c, tiles[i] + (uint64_t)off, kind, ARRAY_FEW, 0);
                if (!c->quick)
                    run_fill(c, 2 * tiles[i] + (uint64_t)off, kind, ARRAY_EXTREME, 0);
            }
    for (uint64_t n = 3; n <= 7 && !c->quick; n++)
        run_fill(c, n * SATK_MERGE_TILE + n, (int)(n % 4), ARRAY_RANDOM, 0);
}

static void check_fills(check *c)
{
    for (int f = 0; f < ARRAY_FILLS; f++)
        for (int kind = 0; kind < 4; kind++)
            if (!c->quick || kind == f % 4)
                run_fill(c,
                         f == ARRAY_EQUAL ? 9001
                         : c->quick       ? 2500
                                          : 20011,
                         kind, (array_fill)f, 1);
}

/* Beyond 2^32 keys an oracle that sorts has no room. Instead, neighbours must be in order, and a
 * sum over the pairs that does not depend on their order must be that of the input. */
static uint64_t fingerprint(const arrays *a, uint64_t count)
{
    const uint32_t *const keys = block_data(&a->keys), *const values = block_data(&a->values);
    uint64_t sum = 0;

#pragma omp parallel for reduction(+ : sum)
    for (uint64_t i = 0; i < count; i++) {
        uint64_t state = (uint64_t)keys[i] << 32 | values[i];
        sum += random_next(&state);
    }
    return sum;
}

/* Values are indices modulo 2^32: among equal keys they rise, but for the last few indices, which
 * begin again at 0. */
static int in_order(const arrays *a, uint64_t count)
{
    const uint32_t *const keys = block_data(&a->keys), *const values = block_data(&a->values);
    const uint64_t again = count - ((uint64_t)1 << 32);
    int holds = 1;

#pragma omp parallel for reduction(& : holds)
    for (uint64_t i = 1; i < count; i++)
        holds &= keys[i - 1] < keys[i] ||
                 (keys[i - 1] == keys[i] && (values[i - 1] < values[i] || values[i] < again));
    return holds;
}

/* The same arrays at every call, since there is no room for another copy. */
static arrays large_arrays(const task *t, uint64_t random)
{
    arrays a = {array_input(t->count, t->word, 1, ARRAY_RANDOM, &random),
                block_guarded(t->with_values ? t->count * 4 : 0, 4)};
    uint32_t *const values = block_data(&a.values);

    block_poison(&a.values);
#pragma omp parallel for
    for (uint64_t i = 0; i < (t->with_values ? t->count : 0); i++)
        values[i] = (uint32_t)i;
    return a;
}

static arrays large_on_cpu(check *c, const task *t)
{
    arrays a = large_arrays(t, c->random);
    const uint64_t pairs = fingerprint(&a, t->count);
    satk_sort job = {.keys = block_data(&a.keys),
                     .values = block_data(&a.values),
                     .count = t->count,
                     .word = t->word};
    block scratch = block_exact(satk_sort_scratch_cpu(&job, satk_processors()), 0);

    job.scratch = block_data(&scratch);
    satk_sort_cpu(&job, satk_processors());
    block_free(&scratch);
    name_case(c, t, "all processors");
    check_that(c, ON_CPU, in_order(&a, t->count), "not in order");
    check_that(c, ON_CPU, fingerprint(&a, t->count) == pairs, "other pairs than the input's");
    return a;
}

/* Values travel with the variant that has room for them. */
static void check_large(check *c)
{
    const uint64_t count = ((uint64_t)1 << 32) + 12345;
    task t = {NULL, count, 32, 1, 1, array_fill_name(ARRAY_RANDOM)};
    arrays want = large_on_cpu(c, &t);

    for (int v = 0; v < SATK_SORT_VARIANTS && c->cuda && !check_hopeless(c); v++) {
        const layout l = array_layout(&want.keys, 4);
        t.with_values = v == SATK_SORT_DIGITS;
        arrays got = large_arrays(&t, c->random);
        name_case(c, &t, satk_sort_variant_names[v]);
        if (sort_cuda(c, &t, v, &got) && check_same(c, ON_CUDA, &want.keys, &got.keys, &l) &&
            t.with_values)
            check_same(c, ON_CUDA, &want.values, &got.values, &l);
        arrays_free(&got);
    }
    arrays_free(&want);
}

void check_sort(check *c)
{
    check_run(c, "sort.sizes", check_sizes);
    check_run(c, "sort.tiles", check_tiles);
    check_run(c, "sort.fills", check_fills);
    check_run(c, "sort.scratch", check_scratch);
    if (check_large_group(c, "sort.large") && large_fits(c, 72, 74))
        check_large(c);
}
