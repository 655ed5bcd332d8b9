/* The array primitives through the public header, against the obvious loops. */
#include "fuzz/fuzz.h"

#include <satblur.h>

static satb_context *contexts[2];

typedef struct words {
    uint32_t *at;
    size_t count;
} words;

/* Returns words of the input's bytes, or of a generator with few or many values. */
static words choose_words(feed *f)
{
    const uint32_t kind = choose(f, 4), mask = choose(f, 2) ? 0xffffffffu : 7;
    words w = {.count = kind == 0 ? take(f, 2) : choose(f, 200)};
    uint32_t state = take(f, 4);
    w.at = malloc((w.count + 1) * sizeof *w.at);
    CHECK(w.at);
    for (size_t i = 0; i < w.count; i++) {
        state = state * 1664525u + 1013904223u;
        w.at[i] = (kind == 1 && f->size ? take(f, 4) : state ^ state >> 15) & mask;
    }
    w.at[w.count] = 0xa5a5a5a5u; /* a guard */
    return w;
}

static uint64_t reduced(const words *w, satb_reduce_op op)
{
    static const uint64_t none[] = {0, 1, 0xffffffffu, 0, UINT64_MAX, UINT64_MAX};
    uint64_t value = none[op];
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t v = w->at[i];
        switch (op) {
        case SATB_REDUCE_SUM: value += v; break;
        case SATB_REDUCE_PRODUCT: value *= v; break;
        case SATB_REDUCE_MIN: value = v < value ? v : value; break;
        case SATB_REDUCE_MAX: value = v > value ? v : value; break;
        case SATB_REDUCE_ARGMIN: value = i == 0 || v < w->at[value] ? i : value; break;
        default: value = i == 0 || v > w->at[value] ? i : value;
        }
    }
    return value;
}

static void reduce(feed *f, const words *w)
{
    const satb_reduce_op op = (satb_reduce_op)choose(f, 6);
    for (int i = 0; i < 2; i++) {
        uint64_t result;
        CHECK(satb_reduce(contexts[i], w->at, w->count, op, &result) == SATB_OK);
        CHECK(result == reduced(w, op));
    }
}

static void scan(feed *f, const words *w)
{
    const satb_scan_params params = {.word_bits = choose(f, 2) ? 64 : 32,
                                     .max = (int)choose(f, 2),
                                     .exclusive = (int)choose(f, 2)};
    const int wide = params.word_bits == 64;
    const size_t count = wide ? w->count / 2 : w->count;
    for (int i = 0; i < 2; i++) {
        uint64_t running = 0;
        uint32_t *out = malloc((w->count + 1) * 4);
        CHECK(out);
        if (i == 1) /* in place */
            memcpy(out, w->at, w->count * 4);
        CHECK(satb_scan(contexts[i], i == 1 ? out : w->at, out, count, &params) == SATB_OK);
        for (size_t k = 0; k < count; k++) {
            uint64_t in = w->at[k], got = out[k];
            if (wide) {
                memcpy(&in, w->at + 2 * k, 8);
                memcpy(&got, out + 2 * k, 8);
            }
            const uint64_t before = running;
            running = params.max ? (in > running ? in : running) : running + in;
            running = wide ? running : (uint32_t)running;
            CHECK(got == (params.exclusive ? before : running));
        }
        free(out);
    }
}

static void compact(feed *f, const words *w)
{
    const uint32_t low = take(f, 4), high = low + take(f, 4);
    for (int i = 0; i < 2; i++) {
        uint32_t *out = malloc((w->count + 1) * 4);
        uint64_t *indices = malloc((w->count + 1) * 8);
        size_t kept, want = 0;
        CHECK(out && indices);
        CHECK(satb_compact(contexts[i], w->at, w->count, low, high, out, i ? indices : NULL,
                           &kept) == SATB_OK);
        for (size_t k = 0; k < w->count; k++) {
            if (w->at[k] < low || w->at[k] > high)
                continue;
            CHECK(want < kept && out[want] == w->at[k] && (!i || indices[want] == k));
            want++;
        }
        CHECK(want == kept);
        free(out);
        free(indices);
    }
}

static uint64_t key(const uint8_t *keys, size_t at, int wide)
{
    uint64_t value = 0;
    memcpy(&value, keys + at * (wide ? 8 : 4),
           wide ? 8 : 4); /* little-endian, as all that runs CUDA */
    return value;
}

/* Sorts must be ascending and stable, and each key must keep its value. */
static void sort(feed *f, const words *w)
{
    const int wide = (int)choose(f, 2);
    const size_t count = wide ? w->count / 2 : w->count;
    for (int i = 0; i < 2; i++) {
        uint8_t *keys = malloc(w->count * 4 + 8);
        uint32_t *values = malloc((count + 1) * 4);
        CHECK(keys && values);
        memcpy(keys, w->at, w->count * 4);
        for (size_t k = 0; k < count; k++)
            values[k] = (uint32_t)k;
        CHECK(satb_sort(contexts[i], keys, values, count, wide ? 64 : 32) == SATB_OK);
        for (size_t k = 0; k < count; k++) {
            CHECK(values[k] < count);
            CHECK(key(keys, k, wide) == key((const uint8_t *)w->at, values[k], wide));
            CHECK(k == 0 || key(keys, k - 1, wide) < key(keys, k, wide) ||
                  (key(keys, k - 1, wide) == key(keys, k, wide) && values[k - 1] < values[k]));
        }
        free(keys);
        free(values);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const all[])(feed *, const words *) = {reduce, scan, compact, sort};
    feed f = {data, size};
    for (int i = 0; i < 2 && !contexts[i]; i++) {
        const satb_config config = {.device = SATB_DEVICE_CPU, .threads = i + 1};
        CHECK(satb_open(&contexts[i], &config) == SATB_OK);
    }
    const uint32_t which = choose(&f, 4);
    words w = choose_words(&f);
    all[which](&f, &w);
    CHECK(w.at[w.count] == 0xa5a5a5a5u);
    free(w.at);
    return 0;
}
