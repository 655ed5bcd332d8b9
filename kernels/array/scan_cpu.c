#include "array/scan.h"

const char *const satk_scan_variant_names[SATK_SCAN_VARIANTS] = {
    "look-back", "chained", "three-phase", "hillis-steele", "blelloch", "brent-kung"};

/* Inlined with a constant word and operator. */
SATK_FN uint64_t word_at(const void *words, uint64_t i, int word)
{
    return word == 32 ? ((const uint32_t *)words)[i] : ((const uint64_t *)words)[i];
}

SATK_FN void put_word(void *words, uint64_t i, int word, uint64_t value)
{
    if (word == 32)
        ((uint32_t *)words)[i] = (uint32_t)value;
    else
        ((uint64_t *)words)[i] = value;
}

SATK_FN uint64_t apply(satk_scan_op op, int word, uint64_t a, uint64_t b)
{
    if (op == SATK_SCAN_MAX)
        return a > b ? a : b;
    return word == 32 ? (uint32_t)(a + b) : a + b;
}

/* A thread's share of the array. */
typedef struct span {
    uint64_t first, last;
} span;

static span span_of(uint64_t count, int thread, int threads)
{
    const uint64_t each = count / (uint64_t)threads, more = count % (uint64_t)threads;
    const uint64_t t = (uint64_t)thread;
    const uint64_t first = t * each + (t < more ? t : more);

    return (span){first, first + each + (t < more)};
}

SATK_FN uint64_t total_of(const satk_scan *job, span s, int word, satk_scan_op op)
{
    uint64_t total = 0;

    for (uint64_t i = s.first; i < s.last; i++)
        total = apply(op, word, total, word_at(job->in, i, word));
    return total;
}

/* Scans a span; `before` is the result of all words before it. Reads a word before it is overwritten: out may
 * be in. */
SATK_FN void scan_span(const satk_scan *job, span s, uint64_t before, int word, satk_scan_op op)
{
    for (uint64_t i = s.first; i < s.last; i++) {
        const uint64_t after = apply(op, word, before, word_at(job->in, i, word));
        put_word(job->out, i, word, job->exclusive ? before : after);
        before = after;
    }
}

/* Three phases, a thread per section: the sections' totals, their scan, the sections. */
SATK_FN void scan(const satk_scan *job, int threads, int word, satk_scan_op op)
{
    uint64_t *const totals = job->scratch;

    if (threads == 1) {
        scan_span(job, (span){0, job->count}, 0, word, op);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++)
        totals[t] = total_of(job, span_of(job->count, t, threads), word, op);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        uint64_t before = 0;
        for (int i = 0; i < t; i++)
            before = apply(op, word, before, totals[i]);
        scan_span(job, span_of(job->count, t, threads), before, word, op);
    }
}

size_t satk_scan_scratch_cpu(const satk_scan *job, int threads)
{
    (void)job;
    return (size_t)threads * sizeof(uint64_t);
}

void satk_scan_cpu(const satk_scan *job, int threads)
{
    if (job->word == 32 && job->op == SATK_SCAN_ADD)
        scan(job, threads, 32, SATK_SCAN_ADD);
    else if (job->word == 32)
        scan(job, threads, 32, SATK_SCAN_MAX);
    else if (job->op == SATK_SCAN_ADD)
        scan(job, threads, 64, SATK_SCAN_ADD);
    else
        scan(job, threads, 64, SATK_SCAN_MAX);
}

void satk_scan_convert_cpu(const satk_scan_convert *job, int threads)
{
    const int word = job->word;

#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint64_t i = 0; i < job->count; i++)
        if (job->values)
            put_word(
                job->out, i, word,
                apply(job->op, word, word_at(job->scan, i, word), word_at(job->values, i, word)));
        else
            put_word(job->out, i, word, i > 0 ? word_at(job->scan, i - 1, word) : 0);
}
