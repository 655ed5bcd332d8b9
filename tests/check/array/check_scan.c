#include "check/check.h"

#include "support/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct scan_case {
    uint64_t count;
    int word;
    satk_scan_op op;
    int exclusive, in_place;
    size_t skew;
} scan_case;

static void describe(check *c, const scan_case *k, const char *how)
{
    check_case(c, "%s %s scan of %" PRIu64 " u%d%s, %zu bytes off, %s",
               k->exclusive ? "exclusive" : "inclusive", k->op == SATK_SCAN_ADD ? "add" : "max",
               k->count, k->word, k->in_place ? ", in place" : "", k->skew, how);
}

static size_t bytes_of(const scan_case *k)
{
    return (size_t)k->count * (size_t)(k->word / 8);
}

static layout layout_for(const scan_case *k)
{
    const size_t word = (size_t)k->word / 8, bytes = bytes_of(k) ? bytes_of(k) : word;

    return (layout){bytes, bytes, word, word};
}

/* Small values among large ones, so that a maximum changes late and sums wrap around. */
static block array_of(const scan_case *k, uint64_t *random)
{
    block b = block_guarded(bytes_of(k), k->skew); /* guarded: it may be scanned in place */

    block_poison(&b);
    for (uint64_t i = 0; i < k->count; i++) {
        const uint64_t bits = random_next(random), value = bits >> (bits & 1 ? 0 : 20 + i % 12);
        if (k->word == 32)
            ((uint32_t *)block_data(&b))[i] = (uint32_t)(value >> (bits & 1 ? 32 : 0));
        else
            ((uint64_t *)block_data(&b))[i] = value;
    }
    return b;
}

/* --- The oracle ------------------------------------------------------------------------------- */

static block expected(const scan_case *k, const block *in)
{
    block b = block_guarded(bytes_of(k), k->skew);
    const uint32_t *const in32 = block_data(in);
    const uint64_t *const in64 = block_data(in);
    uint64_t before = 0;

    block_poison(&b);
    for (uint64_t i = 0; i < k->count; i++) {
        const uint64_t value = k->word == 32 ? in32[i] : in64[i];
        uint64_t now = k->op == SATK_SCAN_ADD ? before + value : before > value ? before : value;
        if (k->word == 32) {
            now &= 0xffffffff;
            ((uint32_t *)block_data(&b))[i] = (uint32_t)(k->exclusive ? before : now);
        } else {
            ((uint64_t *)block_data(&b))[i] = k->exclusive ? before : now;
        }
        before = now;
    }
    return b;
}

/* --- Runs ------------------------------------------------------------------------------------- */

static satk_scan job_of(const scan_case *k)
{
    return (satk_scan){.count = k->count, .word = k->word, .op = k->op, .exclusive = k->exclusive};
}

/* Returns the memory of the result: a poisoned block, or a copy of the values. */
static block target_of(const scan_case *k, const block *in)
{
    block b = block_guarded(bytes_of(k), k->skew);

    block_poison(&b);
    if (k->in_place)
        memcpy(b.base, in->base, b.size);
    return b;
}

static void on_cpu(check *c, const scan_case *k, const block *in, const block *want, int threads)
{
    const layout l = layout_for(k);
    block got = target_of(k, in);
    satk_scan job = job_of(k);
    block scratch = block_exact(satk_scan_scratch_cpu(&job, threads), 0);
    char how[32];

    snprintf(how, sizeof how, "%d threads", threads);
    describe(c, k, how);
    job.in = block_data(k->in_place ? &got : in);
    job.out = block_data(&got);
    job.scratch = block_data(&scratch);
    satk_scan_cpu(&job, threads);
    check_same(c, ON_CPU, want, &got, &l);
    block_free(&scratch);
    block_free(&got);
}

static void on_cuda(check *c, const scan_case *k, const block *in, const block *want, int variant)
{
    const layout l = layout_for(k);
    block got = target_of(k, in);
    satk_scan job = job_of(k);
    mirrors on = {.c = c};

    job.variant = (satk_scan_variant)variant;
    describe(c, k, satk_scan_variant_names[variant]);
    job.out = mirrors_out(&on, &got);
    job.in = k->in_place ? job.out : mirrors_in(&on, in);
    job.scratch = mirrors_scratch(&on, device_scan_scratch(&job));
    if (mirrors_end(&on, on.failed || device_scan(&job)))
        check_same(c, ON_CUDA, want, &got, &l);
    block_free(&got);
}

static void run_case(check *c, const scan_case *k)
{
    static const int threads[] = {1, 2, 7};
    block in = array_of(k, &c->random), want = expected(k, &in);

    for (int i = 0; i < check_count(c, 3, 2); i++)
        on_cpu(c, k, &in, &want, threads[i]);
    for (int v = 0; v < SATK_SCAN_VARIANTS && c->cuda && !check_hopeless(c); v++)
        on_cuda(c, k, &in, &want, v);
    block_free(&in);
    block_free(&want);
}

/* --- Groups ----------------------------------------------------------------------------------- */

/* Nothing, one, a warp, and the tiles of all variants (1024, 2048 and 4096 words), each plus and
 * minus one; enough tiles for a look-back of several steps; three levels of the smallest tile. */
static const uint64_t counts[] = {0,    1,    2,    3,    31,   32,   33,   1023,  1024,   1025,
                                  2047, 2048, 2049, 4095, 4096, 4097, 9973, 65537, 300007, 1050001};
enum { COUNTS = sizeof counts / sizeof *counts, QUICK_COUNTS = 17 };

static void check_counts(check *c)
{
    if (!check_group(c, "scan.counts"))
        return;
    for (int i = 0; i < check_count(c, COUNTS, QUICK_COUNTS); i++)
        for (int word = 32; word <= 64; word += 32)
            for (int op = 0; op < SATK_SCAN_OPS; op++)
                for (int exclusive = 0; exclusive < 2; exclusive++)
                    if (!c->quick || (i + op + exclusive) % 4 == 0)
                        run_case(c,
                                 &(scan_case){counts[i], word, (satk_scan_op)op, exclusive, 0, 0});
}

static void check_places(check *c)
{
    if (!check_group(c, "scan.places"))
        return;
    for (int i = 0; i < check_count(c, 48, 4); i++) {
        const int word = i % 2 ? 32 : 64;
        const scan_case k = {.count = (uint64_t)random_below(&c->random, 20000),
                             .word = word,
                             .op = (satk_scan_op)(i / 2 % 2),
                             .exclusive = i / 4 % 2,
                             .in_place = i / 8 % 2,
                             .skew = (size_t)random_below(&c->random, 4) * (size_t)word / 8};
        run_case(c, &k);
    }
}

/* --- Inclusive and exclusive ------------------------------------------------------------------ */

static void convert_on_cuda(check *c, const satk_scan_convert *job, const block *scan,
                            const block *values, const block *want, const layout *l)
{
    block got = block_like(want);
    satk_scan_convert j = *job;
    mirrors on = {.c = c};

    block_poison(&got);
    j.scan = mirrors_in(&on, scan);
    j.values = job->values ? mirrors_in(&on, values) : NULL;
    j.out = mirrors_out(&on, &got);
    if (mirrors_end(&on, on.failed || device_scan_convert(&j)))
        check_same(c, ON_CUDA, want, &got, l);
    block_free(&got);
}

/* Both kinds of one scan, as the oracle has them, must turn into each other. */
static void convert_case(check *c, scan_case k)
{
    const layout l = layout_for(&k);
    block values = array_of(&k, &c->random), kind[2];

    for (k.exclusive = 0; k.exclusive < 2; k.exclusive++)
        kind[k.exclusive] = expected(&k, &values);
    for (int to = 0; to < 2; to++) {
        const block *const scan = &kind[!to], *const want = &kind[to];
        const satk_scan_convert job = {.scan = block_data(scan),
                                       .values = to ? NULL : block_data(&values),
                                       .count = k.count,
                                       .word = k.word,
                                       .op = k.op};
        block got = block_like(want);
        satk_scan_convert j = job;
        k.exclusive = !to;
        describe(c, &k, "converted");
        block_poison(&got);
        j.out = block_data(&got);
        satk_scan_convert_cpu(&j, 2);
        check_same(c, ON_CPU, want, &got, &l);
        if (c->cuda)
            convert_on_cuda(c, &job, scan, &values, want, &l);
        block_free(&got);
    }
    block_free(&kind[0]);
    block_free(&kind[1]);
    block_free(&values);
}

static void check_conversions(check *c)
{
    static const uint64_t some[] = {0, 1, 2, 255, 257, 10007};

    if (!check_group(c, "scan.conversion"))
        return;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++)
            convert_case(c, (scan_case){.count = some[i],
                                        .word = k % 2 ? 32 : 64,
                                        .op = (satk_scan_op)(k / 2)});
}

/* --- Beyond 2^32 words ------------------------------------------------------------------------ */

/* All words 3: out[i] is known, so the array is its own only copy. */
static int is_known(const uint32_t *out, uint64_t count)
{
    int right = 1;

#pragma omp parallel for reduction(&& : right)
    for (uint64_t i = 0; i < count; i++)
        right = right && out[i] == (uint32_t)(3 * (i + 1));
    return right;
}

static void set_threes(uint32_t *words, uint64_t count)
{
#pragma omp parallel for
    for (uint64_t i = 0; i < count; i++)
        words[i] = 3;
}

static void large_on_cuda(check *c, const scan_case *k, block *array)
{
    for (int v = 0; v < SATK_SCAN_VARIANTS && !check_hopeless(c); v++) {
        satk_scan job = job_of(k);
        mirrors on = {.c = c};
        job.variant = (satk_scan_variant)v;
        describe(c, k, satk_scan_variant_names[v]);
        set_threes(block_data(array), k->count);
        job.in = job.out = mirrors_out(&on, array);
        job.scratch = mirrors_scratch(&on, device_scan_scratch(&job));
        if (mirrors_end(&on, on.failed || device_scan(&job)))
            check_that(c, ON_CUDA, is_known(block_data(array), k->count), "wrong words");
    }
}

static void check_beyond(check *c)
{
    const scan_case k = {.count = ((uint64_t)1 << 32) + 5003, .word = 32, .in_place = 1};

    if (!check_large_group(c, "scan.large") || !large_fits(c, 20, 20))
        return;
    block array = block_exact(bytes_of(&k), 0);
    satk_scan job = job_of(&k);
    uint64_t totals[2];

    describe(c, &k, "2 threads");
    set_threes(block_data(&array), k.count);
    job.in = job.out = block_data(&array);
    job.scratch = totals;
    satk_scan_cpu(&job, 2);
    check_that(c, ON_CPU, is_known(block_data(&array), k.count), "wrong words");
    if (c->cuda)
        large_on_cuda(c, &k, &array);
    block_free(&array);
}

void check_scan(check *c)
{
    check_counts(c);
    check_places(c);
    check_conversions(c);
    check_beyond(c);
}
