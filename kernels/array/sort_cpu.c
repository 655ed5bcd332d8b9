#include "common/parts.h"
#include "array/sort.h"
#include "common/pool.h"

#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

const char *const satk_sort_variant_names[SATK_SORT_VARIANTS] = {"digits", "split", "tiles"};

/* One pass: it moves keys and values to their places in the order of one digit. */
typedef struct pass {
    const void *keys;
    void *keys_to;
    const uint32_t *values;
    uint32_t *values_to;
    uint64_t count;
    int word;
    int shift; /* of the digit */
    int parts;
    uint64_t (*at)[DIGITS]; /* per part and digit: how many; then where the next one goes */
} pass;

SATK_FN uint64_t key_at(const void *keys, uint64_t i, int word)
{
    return word == 32 ? ((const uint32_t *)keys)[i] : ((const uint64_t *)keys)[i];
}

SATK_FN void count_part(const pass *s, int part, int word)
{
    const uint64_t last = satk_part_begin(s->count, part + 1, s->parts);
    uint64_t *const at = s->at[part];

    memset(at, 0, sizeof *s->at);
    for (uint64_t i = satk_part_begin(s->count, part, s->parts); i < last; i++)
        at[key_at(s->keys, i, word) >> s->shift & (DIGITS - 1)]++;
}

/* The keys of a digit come after all of smaller digits; among them, those of a part after all of
 * the parts before it: the order is stable. */
static void counts_to_places(const pass *s)
{
    uint64_t sum = 0;

    for (int digit = 0; digit < DIGITS; digit++)
        for (int part = 0; part < s->parts; part++) {
            const uint64_t here = s->at[part][digit];
            s->at[part][digit] = sum;
            sum += here;
        }
}

SATK_FN void move_part(const pass *s, int part, int word, int with_values)
{
    const uint64_t last = satk_part_begin(s->count, part + 1, s->parts);

    for (uint64_t i = satk_part_begin(s->count, part, s->parts); i < last; i++) {
        const uint64_t key = key_at(s->keys, i, word);
        const uint64_t to = s->at[part][key >> s->shift & (DIGITS - 1)]++;
        if (word == 32)
            ((uint32_t *)s->keys_to)[to] = (uint32_t)key;
        else
            ((uint64_t *)s->keys_to)[to] = key;
        if (with_values)
            s->values_to[to] = s->values[i];
    }
}

static void count_any_part(const void *job, int part)
{
    const pass *const s = job;

    if (s->word == 32)
        count_part(s, part, 32);
    else
        count_part(s, part, 64);
}

static void move_any_part(const void *job, int part)
{
    const pass *const s = job;

    if (s->word == 32)
        s->values ? move_part(s, part, 32, 1) : move_part(s, part, 32, 0);
    else
        s->values ? move_part(s, part, 64, 1) : move_part(s, part, 64, 0);
}

static void run_pass(const pass *s)
{
    satk_for(s->parts, s->parts, 1, count_any_part, s);
    counts_to_places(s);
    satk_for(s->parts, s->parts, 1, move_any_part, s);
}

typedef struct layout {
    size_t keys, values, at, bytes;
} layout;

static layout layout_of(const satk_sort *job, int threads)
{
    layout l = {0};

    l.keys = satk_place(&l.bytes, job->count, (size_t)job->word / 8);
    l.values = satk_place(&l.bytes, job->values ? job->count : 0, sizeof *job->values);
    l.at = satk_place(&l.bytes, (uint64_t)threads, DIGITS * sizeof(uint64_t));
    return l;
}

size_t satk_sort_scratch_cpu(const satk_sort *job, int threads)
{
    return layout_of(job, threads).bytes;
}

/* There and back: the number of passes is even, so the last one ends in the job's arrays. */
void satk_sort_cpu(const satk_sort *job, int threads)
{
    const layout l = layout_of(job, threads);
    uint8_t *const scratch = job->scratch;
    uint32_t *const values = job->values ? (uint32_t *)(void *)(scratch + l.values) : NULL;
    pass there = {.keys = job->keys,
                  .keys_to = scratch + l.keys,
                  .values = job->values,
                  .values_to = values,
                  .count = job->count,
                  .word = job->word,
                  .parts = threads,
                  .at = (uint64_t(*)[DIGITS])(void *)(scratch + l.at)};
    pass back = there;

    back.keys = scratch + l.keys, back.keys_to = job->keys;
    back.values = values, back.values_to = job->values;
    for (int shift = 0; shift < job->word; shift += 2 * DIGIT_BITS) {
        there.shift = shift, back.shift = shift + DIGIT_BITS;
        run_pass(&there);
        run_pass(&back);
    }
}
