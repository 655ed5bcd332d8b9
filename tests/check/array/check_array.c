/* The array functions of the public library: one thread = several threads = CUDA, with buffers that are
 * reused from call to call. */
#include "check/array/array_sample.h"
#include "array/reduce.h"

#include <satblur.h>

#include <inttypes.h>
#include <string.h>

typedef struct on_device {
    satb_context *context;
    backend on;
} on_device;

enum { ONE, SEVERAL, CUDA, DEVICES };

/* The results of one call: its status, two arrays and a number. */
typedef struct outcome {
    satb_status status;
    block words, more;
    uint64_t number;
} outcome;

typedef struct task {
    enum { REDUCE, SCAN, COMPACT, SORT, OPERATIONS } operation;
    block in;
    size_t count;
    int word, with_more; /* indices of what is kept, values beside keys */
    satb_reduce_op op;
    satb_scan_params scan;
    uint32_t low, high;
} task;

static const char *const operation_names[OPERATIONS] = {"reduce", "scan", "compact", "sort"};

static task random_task(check *c, int i)
{
    uint64_t *const random = &c->random;
    task t = {.operation = i % OPERATIONS, .word = 32, .with_more = random_below(random, 2)};

    t.count = (size_t)random_below(random, i % 7 == 0 ? 3 : check_count(c, 30000, 3000));
    if (t.operation == SCAN || t.operation == SORT)
        t.word = 32 * (1 + random_below(random, 2));
    t.in = array_input(t.count, t.word, random_below(random, 3),
                       (array_fill)random_below(random, ARRAY_FILLS), random);
    t.op = (satb_reduce_op)random_below(random, SATK_REDUCE_OPS);
    t.scan = (satb_scan_params){t.word, random_below(random, 2), random_below(random, 2)};
    t.low = (uint32_t)random_next(random);
    t.high = t.low + (uint32_t)(random_next(random) >> (32 + random_below(random, 8)));
    return t;
}

static outcome run(satb_context *context, const task *t)
{
    const size_t bytes = t->count * (size_t)t->word / 8;
    outcome o = {.words = block_guarded(bytes, 0), .more = block_guarded(8 * t->count, 0)};
    void *const words = block_data(&o.words), *const more = block_data(&o.more);
    size_t kept = 0;

    block_poison(&o.words);
    block_poison(&o.more);
    switch (t->operation) {
    case REDUCE:
        o.status = satb_reduce(context, block_data(&t->in), t->count, t->op, &o.number);
        break;
    case SCAN: o.status = satb_scan(context, block_data(&t->in), words, t->count, &t->scan); break;
    case COMPACT:
        o.status = satb_compact(context, block_data(&t->in), t->count, t->low, t->high, words,
                                t->with_more ? more : NULL, &kept);
        o.number = kept;
        break;
    default:
        memcpy(words, block_data(&t->in), bytes);
        for (size_t i = 0; i < t->count; i++)
            ((uint32_t *)more)[i] = (uint32_t)i;
        o.status = satb_sort(context, words, t->with_more ? more : NULL, t->count, t->word);
        break;
    }
    return o;
}

static void compare(check *c, backend on, const outcome *want, outcome got, int word)
{
    const layout words = array_layout(&got.words, (size_t)word / 8);
    const layout more = array_layout(&got.more, sizeof(uint32_t));

    check_that(c, on, got.status == SATB_OK && got.number == want->number,
               "status %d, %" PRIu64 " wanted, %" PRIu64 " found", got.status, want->number,
               got.number);
    check_same(c, on, &want->words, &got.words, &words);
    check_same(c, on, &want->more, &got.more, &more);
    block_free(&got.words);
    block_free(&got.more);
}

static void check_task(check *c, const on_device *devices, const task *t)
{
    outcome want = run(devices[ONE].context, t);

    check_case(c, "%s of %zu words of %d bits", operation_names[t->operation], t->count, t->word);
    check_that(c, ON_CPU, want.status == SATB_OK, "status %d", want.status);
    compare(c, ON_CPU, &want, run(devices[SEVERAL].context, t), t->word);
    if (devices[CUDA].context)
        compare(c, ON_CUDA, &want, run(devices[CUDA].context, t), t->word);
    block_free(&want.words);
    block_free(&want.more);
}

void check_array(check *c)
{
    const satb_config configs[DEVICES] = {{.device = SATB_DEVICE_CPU, .threads = 1},
                                          {.device = SATB_DEVICE_CPU, .threads = 3},
                                          {.device = SATB_DEVICE_CUDA}};
    on_device devices[DEVICES] = {{NULL, ON_CPU}, {NULL, ON_CPU}, {NULL, ON_CUDA}};
    int opened = 1;

    if (!check_group(c, "array.operations"))
        return;
    for (int i = 0; i < (c->cuda ? DEVICES : CUDA); i++)
        opened &=
            check_that(c, devices[i].on, satb_open(&devices[i].context, &configs[i]) == SATB_OK,
                       "%s", satb_open_message());
    for (int i = 0; i < check_count(c, 240, 16) && opened && !check_hopeless(c); i++) {
        task t = random_task(c, i);
        check_task(c, devices, &t);
        block_free(&t.in);
    }
    for (int i = 0; i < DEVICES; i++)
        satb_close(&devices[i].context);
}
