/* The reductions of Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors", 4th ed.,
 * chapter 10, and of reduce.h. */
#include "textbook/textbook_machine.h"

#include <string.h>

static duty interleaved(uint32_t thread, uint32_t stride, uint32_t count)
{
    (void)count;
    return (duty){thread % stride == 0, 2 * thread, 2 * thread + stride};
}

static duty convergent(uint32_t thread, uint32_t stride, uint32_t count)
{
    (void)count;
    return (duty){thread < stride, thread, thread + stride};
}

/* The tree in global memory, then thread 0 reads what is left and writes it where it belongs. */
static uint64_t in_global_memory(const machine *m, textbook_tree tree, uint64_t *array)
{
    if (tree == TEXTBOOK_INTERLEAVED)
        for (uint32_t stride = 1; stride <= m->threads; stride *= 2)
            machine_step(m, interleaved, stride, IN_PLACE, array, array);
    else
        for (uint32_t stride = m->threads; stride >= 1; stride /= 2)
            machine_step(m, convergent, stride, IN_PLACE, array, array);
    machine_access_one(&m->counts->result_load);
    machine_access_one(&m->counts->result_store);
    return array[0];
}

/* A thread adds up what lies `threads` apart, and the block what its threads have. */
static uint64_t in_shared_memory(const machine *m, const textbook_reduction *r, uint64_t *array)
{
    machine_access_all(m, 0, r->bytes, &m->counts->load);
    for (uint32_t first = m->threads; first < r->count; first += m->threads) {
        machine_access_all(m, first, r->bytes, &m->counts->load);
        machine_add_all(m, array, array + first);
    }
    for (uint32_t stride = m->threads / 2; stride >= 1; stride /= 2)
        machine_step(m, convergent, stride, IN_PLACE, array, array);
    machine_access_one(&m->counts->result_store);
    return array[0];
}

uint64_t textbook_reduce(const textbook_reduction *r, textbook_counts *counts)
{
    const int shared = r->tree == TEXTBOOK_SHARED;
    const machine m = {.threads = r->count / (2 * r->coarse),
                       .count = r->count,
                       .bytes = shared ? 0 : r->bytes,
                       .op = r->op,
                       .counts = counts};
    uint64_t array[TEXTBOOK_MOST];

    memcpy(array, r->in, r->count * sizeof *array);
    return shared ? in_shared_memory(&m, r, array) : in_global_memory(&m, r->tree, array);
}
