#include "array/scan.h"

#include "common/pool.h"

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

/* A scan in sections. */
typedef struct sections {
    const satk_scan *job;
    int count;
} sections;

SATK_FN void scan_section(const sections *s, int t, int word, satk_scan_op op)
{
    const uint64_t *const totals = s->job->scratch;
    uint64_t before = 0;

    for (int i = 0; i < t; i++)
        before = apply(op, word, before, totals[i]);
    scan_span(s->job, span_of(s->job->count, t, s->count), before, word, op);
}

/* Each word and operator has functions where they are constant. */
#define PHASES(name, word, op)                                                                     \
    static void total_##name(const void *job, int t)                                               \
    {                                                                                              \
        const sections *const s = job;                                                             \
        ((uint64_t *)s->job->scratch)[t] =                                                         \
            total_of(s->job, span_of(s->job->count, t, s->count), word, op);                       \
    }                                                                                              \
    static void scan_##name(const void *job, int t)                                                \
    {                                                                                              \
        scan_section(job, t, word, op);                                                            \
    }
PHASES(add32, 32, SATK_SCAN_ADD)
PHASES(max32, 32, SATK_SCAN_MAX)
PHASES(add64, 64, SATK_SCAN_ADD)
PHASES(max64, 64, SATK_SCAN_MAX)

static satk_item *const totals[2][2] = {{total_add32, total_max32}, {total_add64, total_max64}};
static satk_item *const scans[2][2] = {{scan_add32, scan_max32}, {scan_add64, scan_max64}};

size_t satk_scan_scratch_cpu(const satk_scan *job, int threads)
{
    (void)job;
    return (size_t)threads * sizeof(uint64_t);
}

/* Three phases, a thread for each section: the sections' totals, their scan, the sections. */
void satk_scan_cpu(const satk_scan *job, int threads)
{
    const int wide = job->word == 64, max = job->op == SATK_SCAN_MAX;
    const sections s = {job, threads};

    if (threads > 1)
        satk_for(threads, threads, 1, totals[wide][max], &s);
    satk_for(threads, threads, 1, scans[wide][max], &s);
}

typedef struct conversion {
    const satk_scan_convert *job;
    int parts;
} conversion;

static void convert_part(const void *job, int part)
{
    const conversion *const c = job;
    const satk_scan_convert *const j = c->job;
    const span s = span_of(j->count, part, c->parts);
    const int word = j->word;

    for (uint64_t i = s.first; i < s.last; i++)
        if (j->values)
            put_word(j->out, i, word,
                     apply(j->op, word, word_at(j->scan, i, word), word_at(j->values, i, word)));
        else
            put_word(j->out, i, word, i > 0 ? word_at(j->scan, i - 1, word) : 0);
}

void satk_scan_convert_cpu(const satk_scan_convert *job, int threads)
{
    satk_for(threads, threads, 1, convert_part, &(conversion){job, threads});
}
