/* The scans of a block: Hillis, Steele 1986 (Kogge, Stone 1973), Brent, Kung 1982, Blelloch 1990, as
 * the books map them to threads. The array lies in shared memory; global memory is read and written
 * once. */
#include "textbook/textbook_machine.h"

#include <string.h>

static duty left_neighbour(uint32_t thread, uint32_t stride, uint32_t count)
{
    (void)count;
    return (duty){thread >= stride, thread, thread - stride};
}

/* The last element of each pair of runs takes the last one of the run before it. */
static duty up(uint32_t thread, uint32_t stride, uint32_t count)
{
    const uint32_t last = (thread + 1) * 2 * stride - 1;

    return (duty){last < count, last, last - stride};
}

/* Brent and Kung's second tree: a finished prefix helps the middle of the run behind it. */
static duty reverse(uint32_t thread, uint32_t stride, uint32_t count)
{
    const uint32_t last = (thread + 1) * 2 * stride - 1;

    return (duty){last + stride < count, last + stride, last};
}

/* Returns which of the two buffers has the result. A thread without a left partner copies. */
static const uint64_t *hillis_steele(const machine *m, uint64_t *one, uint64_t *two)
{
    uint64_t *from = one, *to = two;

    for (uint32_t stride = 1; stride < m->count; stride *= 2) {
        uint64_t *const done = to;
        memcpy(to, from, stride * sizeof *to);
        machine_step(m, left_neighbour, stride, IN_PLACE, from, to);
        to = from;
        from = done;
    }
    return from;
}

static void up_sweep(const machine *m, uint64_t *array)
{
    for (uint32_t stride = 1; stride < m->count; stride *= 2)
        machine_step(m, up, stride, IN_PLACE, array, array);
}

static void brent_kung_down(const machine *m, uint64_t *array)
{
    for (uint32_t stride = m->count / 4; stride >= 1; stride /= 2)
        machine_step(m, reverse, stride, IN_PLACE, array, array);
}

static void blelloch_down(const machine *m, uint64_t *array)
{
    array[m->count - 1] = 0;
    for (uint32_t stride = m->count / 2; stride >= 1; stride /= 2)
        machine_step(m, up, stride, SWAPPING, array, array);
}

/* Elements in and out of the block, as many per thread as it takes. */
static void transfer(const machine *m, uint32_t bytes, textbook_traffic *t)
{
    for (uint32_t first = 0; first < m->count; first += m->threads)
        machine_access_all(m, first, bytes, t);
}

void textbook_scan(const textbook_scan_job *job, textbook_counts *first, textbook_counts *second)
{
    const int per_pair = job->network != TEXTBOOK_HILLIS_STEELE;
    const machine m = {job->count >> per_pair, job->count, 0, job->op, first};
    const machine down = {m.threads, job->count, 0, job->op, second};
    uint64_t array[TEXTBOOK_MOST], buffer[TEXTBOOK_MOST];
    const uint64_t *result = array;

    memcpy(array, job->in, job->count * sizeof *array);
    transfer(&m, job->bytes, &first->load);
    if (per_pair)
        up_sweep(&m, array);
    else
        result = hillis_steele(&m, array, buffer);
    if (job->middle)
        memcpy(job->middle, result, job->count * sizeof *array);
    if (job->network == TEXTBOOK_BRENT_KUNG)
        brent_kung_down(&down, array);
    if (job->network == TEXTBOOK_BLELLOCH)
        blelloch_down(&down, array);
    transfer(&m, job->bytes, &second->store);
    memcpy(job->out, result, job->count * sizeof *array);
}
