#include "array/reduce.h"

#include "common/pool.h"

const char *const satk_reduce_variant_names[SATK_REDUCE_VARIANTS] = {
    "fast", "interleaved", "convergent", "shared", "segmented", "coarsened"};

/* --- Ranges: first <= i < last ---------------------------------------------------------------- */

static uint64_t sum_of(const uint32_t *values, uint64_t first, uint64_t last)
{
    uint64_t sum = 0;

    for (uint64_t i = first; i < last; i++)
        sum += values[i];
    return sum;
}

static uint64_t product_of(const uint32_t *values, uint64_t first, uint64_t last)
{
    uint64_t product = 1;

    for (uint64_t i = first; i < last; i++)
        product *= values[i];
    return product;
}

static uint64_t min_of(const uint32_t *values, uint64_t first, uint64_t last)
{
    uint32_t min = UINT32_MAX;

    for (uint64_t i = first; i < last; i++)
        min = values[i] < min ? values[i] : min;
    return min;
}

static uint64_t max_of(const uint32_t *values, uint64_t first, uint64_t last)
{
    uint32_t max = 0;

    for (uint64_t i = first; i < last; i++)
        max = values[i] > max ? values[i] : max;
    return max;
}

/* Returns the first place of the wanted value. Two quick reads, for an extreme and then for its place,
 * are faster than one that finds both. */
static uint64_t find(const uint32_t *values, uint64_t first, uint64_t last, uint64_t wanted)
{
    for (uint64_t i = first; i < last; i++)
        if (values[i] == wanted)
            return i;
    return UINT64_MAX;
}

static uint64_t argmin_of(const uint32_t *values, uint64_t first, uint64_t last)
{
    return find(values, first, last, min_of(values, first, last));
}

static uint64_t argmax_of(const uint32_t *values, uint64_t first, uint64_t last)
{
    return find(values, first, last, max_of(values, first, last));
}

/* --- Two ranges' results, in any order --------------------------------------------------------- */

static uint64_t add(const uint32_t *values, uint64_t a, uint64_t b)
{
    (void)values;
    return a + b;
}

static uint64_t multiply(const uint32_t *values, uint64_t a, uint64_t b)
{
    (void)values;
    return a * b;
}

static uint64_t smaller(const uint32_t *values, uint64_t a, uint64_t b)
{
    (void)values;
    return b < a ? b : a;
}

static uint64_t larger(const uint32_t *values, uint64_t a, uint64_t b)
{
    (void)values;
    return b > a ? b : a;
}

/* Of equals the first one counts. */
static uint64_t index_of_smaller(const uint32_t *values, uint64_t a, uint64_t b)
{
    if (a == UINT64_MAX || b == UINT64_MAX || values[a] == values[b])
        return a < b ? a : b;
    return values[b] < values[a] ? b : a;
}

static uint64_t index_of_larger(const uint32_t *values, uint64_t a, uint64_t b)
{
    if (a == UINT64_MAX || b == UINT64_MAX || values[a] == values[b])
        return a < b ? a : b;
    return values[b] > values[a] ? b : a;
}

typedef struct operator_of {
    uint64_t identity;
    uint64_t (*range)(const uint32_t *values, uint64_t first, uint64_t last);
    uint64_t (*merge)(const uint32_t *values, uint64_t a, uint64_t b);
} operator_of;

static const operator_of operators[SATK_REDUCE_OPS] = {
    [SATK_REDUCE_SUM] = {0, sum_of, add},
    [SATK_REDUCE_PRODUCT] = {1, product_of, multiply},
    [SATK_REDUCE_MIN] = {UINT32_MAX, min_of, smaller},
    [SATK_REDUCE_MAX] = {0, max_of, larger},
    [SATK_REDUCE_ARGMIN] = {UINT64_MAX, argmin_of, index_of_smaller},
    [SATK_REDUCE_ARGMAX] = {UINT64_MAX, argmax_of, index_of_larger},
};

enum { SECTION = 1 << 16 }; /* values that a thread takes at a time */

size_t satk_reduce_scratch_cpu(const satk_reduce *job, int threads)
{
    (void)job, (void)threads;
    return 0;
}

typedef struct reduction {
    const satk_reduce *job;
    const operator_of *op;
    _Atomic uint64_t *result;
} reduction;

static void reduce_section(const void *job, int s)
{
    const reduction *const r = job;
    const uint64_t first = (uint64_t)s * SECTION, end = first + SECTION, count = r->job->count;
    const uint64_t part = r->op->range(r->job->values, first, end < count ? end : count);
    uint64_t before = atomic_load(r->result);

    while (!atomic_compare_exchange_weak(r->result, &before,
                                         r->op->merge(r->job->values, before, part)))
        ;
}

void satk_reduce_cpu(const satk_reduce *job, int threads)
{
    const operator_of *const op = &operators[job->op];
    _Atomic uint64_t result = op->identity;

    satk_for(threads, (int)((job->count + SECTION - 1) / SECTION), 1, reduce_section,
             &(reduction){job, op, &result});
    *job->out = result;
}
