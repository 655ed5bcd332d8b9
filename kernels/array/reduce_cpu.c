#include "array/reduce.h"

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

/* --- Two ranges' results, the second behind the first ----------------------------------------- */

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

static uint64_t index_of_smaller(const uint32_t *values, uint64_t a, uint64_t b)
{
    return a == UINT64_MAX || (b != UINT64_MAX && values[b] < values[a]) ? b : a;
}

static uint64_t index_of_larger(const uint32_t *values, uint64_t a, uint64_t b)
{
    return a == UINT64_MAX || (b != UINT64_MAX && values[b] > values[a]) ? b : a;
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

void satk_reduce_cpu(const satk_reduce *job, int threads)
{
    const operator_of *const op = &operators[job->op];
    const uint32_t *const values = job->values;
    const int64_t sections = (int64_t)((job->count + SECTION - 1) / SECTION);
    uint64_t result = op->identity;

#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
    for (int64_t s = 0; s < sections; s++) {
        const uint64_t first = (uint64_t)s * SECTION, end = first + SECTION;
        const uint64_t part = op->range(values, first, end < job->count ? end : job->count);
#pragma omp ordered /* the first of equals must win */
        result = op->merge(values, result, part);
    }
    *job->out = result;
}
