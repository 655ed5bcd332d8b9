#include "check/check.h"

#include "support/device.h"

#include <inttypes.h>
#include <string.h>

typedef enum contents { RANDOM, FEW, EQUAL, EXTREMES, CONTENTS } contents;

static const char *const contents_names[CONTENTS] = {"random", "few different", "all equal",
                                                     "extremes"};
static const char *const op_names[SATK_REDUCE_OPS] = {"sum", "product", "min",
                                                      "max", "argmin",  "argmax"};

/* Few different values test that the first of many equals is found. Extremes are the operators'
 * identities and their neighbours. */
static uint32_t value_of(contents what, uint64_t random)
{
    static const uint32_t ends[] = {0, 1, UINT32_MAX - 1, UINT32_MAX};

    switch (what) {
    case RANDOM: return (uint32_t)random;
    case FEW: return (uint32_t)(random % 7) + 3;
    case EQUAL: return 0xdeadbeef;
    default: return ends[random % 4];
    }
}

static block array_of(uint64_t count, contents what, size_t skew, uint64_t *random)
{
    block b = block_exact((size_t)count * sizeof(uint32_t), skew);
    uint32_t *const values = block_data(&b);

    for (uint64_t i = 0; i < count; i++)
        values[i] = value_of(what, random_next(random));
    return b;
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* The results of all operators, in their order. */
typedef struct results {
    uint64_t of[SATK_REDUCE_OPS];
} results;

static results expected(const uint32_t *v, uint64_t n)
{
    static const results of_nothing = {{0, 1, UINT32_MAX, 0, UINT64_MAX, UINT64_MAX}};
    uint64_t sum = 0, product = 1, least = 0, most = 0; /* the last two are places */

    if (n == 0)
        return of_nothing;
    for (uint64_t i = 0; i < n; i++) {
        sum += v[i];
        product *= v[i];
        least = v[i] < v[least] ? i : least;
        most = v[i] > v[most] ? i : most;
    }
    return (results){{sum, product, v[least], v[most], least, most}};
}

/* --- Runs ------------------------------------------------------------------------------------- */

static const layout one_word = {8, 8, 8, 8};

static block result_of(uint64_t value)
{
    block b = block_guarded(sizeof value, 0);

    block_poison(&b);
    memcpy(block_data(&b), &value, sizeof value);
    return b;
}

static void on_cpu(check *c, satk_reduce job, const block *want, int threads)
{
    block got = result_of(0x5555555555555555);

    job.out = block_data(&got);
    satk_reduce_cpu(&job, threads);
    check_same(c, ON_CPU, want, &got, &one_word);
    block_free(&got);
}

static void on_cuda(check *c, satk_reduce job, const mirror *values, const block *array,
                    const block *want)
{
    block got = result_of(0x5555555555555555);
    mirrors on = {.c = c};

    job.values = mirror_at(values, array, job.values);
    job.out = mirrors_out(&on, &got);
    job.scratch = mirrors_scratch(&on, device_reduce_scratch(&job));
    if (mirrors_end(&on, on.failed || device_reduce(&job)))
        check_same(c, ON_CUDA, want, &got, &one_word);
    block_free(&got);
}

static void run_op(check *c, satk_reduce_op op, uint64_t result, const block *array,
                   const mirror *values, uint64_t count, const char *what)
{
    static const int threads[] = {1, 2, 7};
    satk_reduce job = {.values = block_data(array), .count = count, .op = op};
    block want = result_of(result);

    for (int i = c->large ? 2 : 0; i < check_count(c, 3, 2); i++) {
        check_case(c, "%s of %" PRIu64 " values, %s, %zu bytes off, %d threads", op_names[op],
                   count, what, array->at % 16, threads[i]);
        on_cpu(c, job, &want, threads[i]);
    }
    for (int v = 0; v < SATK_REDUCE_VARIANTS && values->device; v++) {
        check_case(c, "%s of %" PRIu64 " values, %s, %zu bytes off, %s", op_names[op], count, what,
                   array->at % 16, satk_reduce_variant_names[v]);
        job.variant = (satk_reduce_variant)v;
        on_cuda(c, job, values, array, &want);
    }
    block_free(&want);
}

static void run_ops(check *c, const block *array, const mirror *values, uint64_t count,
                    const char *what)
{
    const results want = expected(block_data(array), count);

    for (int op = 0; op < SATK_REDUCE_OPS && !check_hopeless(c); op++)
        run_op(c, (satk_reduce_op)op, want.of[op], array, values, count, what);
}

static void run_array(check *c, uint64_t count, contents what, size_t skew)
{
    block array = array_of(count, what, skew, &c->random);
    mirror values = c->cuda ? mirror_up(c, &array) : (mirror){0};

    run_ops(c, &array, &values, count, contents_names[what]);
    if (values.device)
        mirror_free(&values);
    block_free(&array);
}

/* --- Groups ----------------------------------------------------------------------------------- */

/* Nothing, one, warps and blocks of 1024 threads with two words each and coarsened ones, each plus
 * and minus one; two and three levels of launches. */
static const uint64_t counts[] = {0,    1,    2,    3,    5,    31,   32,   33,   1023,  1024,
                                  2047, 2048, 2049, 4097, 8191, 8192, 8193, 9973, 65537, 262147};
enum { COUNTS = sizeof counts / sizeof *counts, QUICK_COUNTS = 11 };

static void check_counts(check *c)
{
    if (check_group(c, "reduce.counts"))
        for (int i = 0; i < check_count(c, COUNTS, QUICK_COUNTS); i++)
            run_array(c, counts[i], RANDOM, 0);
}

static void check_contents(check *c)
{
    if (check_group(c, "reduce.contents"))
        for (int what = 0; what < CONTENTS; what++)
            run_array(c, (uint64_t)check_count(c, 20011, 2100), (contents)what, 0);
}

/* Products of odd values do not end in 0 after 64 factors. */
static void check_product(check *c)
{
    if (!check_group(c, "reduce.product"))
        return;
    block array = array_of(10007, RANDOM, 0, &c->random);
    for (int i = 0; i < 10007; i++)
        ((uint32_t *)block_data(&array))[i] |= 1;
    mirror values = c->cuda ? mirror_up(c, &array) : (mirror){0};
    run_ops(c, &array, &values, 10007, "odd");
    if (values.device)
        mirror_free(&values);
    block_free(&array);
}

static void check_alignments(check *c)
{
    if (check_group(c, "reduce.alignment"))
        for (size_t skew = 4; skew < 16; skew += 4)
            for (uint64_t count = 0; count < (uint64_t)check_count(c, 12, 3); count++)
                run_array(c, count < 9 ? count : 1000 * count + 1, FEW, skew);
}

/* Indices pass 2^32 at the only place of the smallest and the largest value. */
static void check_beyond(check *c)
{
    const uint64_t count = ((uint64_t)1 << 32) + 4099;

    if (!check_large_group(c, "reduce.large") || !large_fits(c, 18, 90))
        return;
    block array = block_exact((size_t)count * sizeof(uint32_t), 0);
    uint32_t *const v = block_data(&array);
    memset(v, 0x77, (size_t)count * sizeof *v);
    v[count - 3] = 0x10, v[count - 2] = 0xf0000000;
    mirror values = c->cuda ? mirror_up(c, &array) : (mirror){0};
    run_ops(c, &array, &values, count, "beyond 2^32");
    if (values.device)
        mirror_free(&values);
    block_free(&array);
}

void check_reduce(check *c)
{
    check_counts(c);
    check_contents(c);
    check_product(c);
    check_alignments(c);
    check_beyond(c);
}
