#include "textbook/textbook_machine.h"

uint64_t textbook_add(uint64_t left, uint64_t right)
{
    return left + right;
}

uint64_t textbook_max(uint64_t left, uint64_t right)
{
    return left > right ? left : right;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* How many different pieces of that size the addresses lie in. */
static uint64_t pieces(const uint64_t *address, int lanes, uint64_t size)
{
    uint64_t found = 0;

    for (int i = 0; i < lanes; i++) {
        int seen = 0;
        for (int k = 0; k < i && !seen; k++)
            seen = address[k] / size == address[i] / size;
        found += !seen;
    }
    return found;
}

/* One instruction of a warp; the addresses of its active lanes. */
static void access_warp(const uint64_t *address, int lanes, textbook_traffic *t)
{
    t->instructions++;
    t->lines += pieces(address, lanes, TEXTBOOK_LINE);
    t->sectors += pieces(address, lanes, TEXTBOOK_SECTOR);
}

void machine_access_one(textbook_traffic *t)
{
    const uint64_t begin = 0;

    access_warp(&begin, 1, t);
}

void machine_access_all(const machine *m, uint32_t first, uint32_t bytes, textbook_traffic *t)
{
    for (uint32_t warp = 0; warp < m->threads; warp += TEXTBOOK_WARP) {
        uint64_t address[TEXTBOOK_WARP];
        int lanes = 0;
        for (uint32_t i = warp; i < m->threads && i < warp + TEXTBOOK_WARP; i++)
            address[lanes++] = (uint64_t)(first + i) * bytes;
        access_warp(address, lanes, t);
    }
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* The warp's active threads, in their order. */
typedef struct active {
    duty duties[TEXTBOOK_WARP];
    int count, threads;
} active;

static active who_is_active(const machine *m, assignment assign, uint32_t stride, uint32_t warp)
{
    active a = {.count = 0};

    for (uint32_t t = warp; t < m->threads && t < warp + TEXTBOOK_WARP; t++) {
        const duty d = assign(t, stride, m->count);
        a.threads++;
        if (d.active)
            a.duties[a.count++] = d;
    }
    return a;
}

static void count_slots(textbook_counts *c, int active_threads, int threads)
{
    c->active += (uint64_t)active_threads;
    c->issued += active_threads > 0 ? TEXTBOOK_WARP : 0;
    if (active_threads > 0 && active_threads < threads && c->steps < TEXTBOOK_STEPS)
        c->divergent[c->steps]++;
}

/* Two loads and a store, each one instruction of the warp. */
static void count_memory(const machine *m, const active *a)
{
    uint64_t own[TEXTBOOK_WARP], other[TEXTBOOK_WARP];

    for (int i = 0; i < a->count; i++) {
        own[i] = (uint64_t)a->duties[i].own * m->bytes;
        other[i] = (uint64_t)a->duties[i].other * m->bytes;
    }
    access_warp(own, a->count, &m->counts->load);
    access_warp(other, a->count, &m->counts->load);
    access_warp(own, a->count, &m->counts->store);
}

static uint64_t operate(const machine *m, uint64_t left, uint64_t right)
{
    m->counts->operations++;
    return m->op(left, right);
}

/* All lanes have loaded before the first one stores. */
static void compute(const machine *m, const active *a, how way, const uint64_t *from, uint64_t *to)
{
    uint64_t left[TEXTBOOK_WARP], right[TEXTBOOK_WARP];

    for (int i = 0; i < a->count; i++) {
        left[i] = from[a->duties[i].other];
        right[i] = from[a->duties[i].own];
    }
    for (int i = 0; i < a->count; i++) {
        to[a->duties[i].own] = operate(m, left[i], right[i]);
        if (way == SWAPPING)
            to[a->duties[i].other] = right[i];
    }
}

void machine_step(const machine *m, assignment assign, uint32_t stride, how way,
                  const uint64_t *from, uint64_t *to)
{
    for (uint32_t warp = 0; warp < m->threads; warp += TEXTBOOK_WARP) {
        const active a = who_is_active(m, assign, stride, warp);
        count_slots(m->counts, a.count, a.threads);
        if (a.count > 0 && m->bytes > 0)
            count_memory(m, &a);
        compute(m, &a, way, from, to);
    }
    m->counts->steps++;
}

void machine_add_all(const machine *m, uint64_t *own, const uint64_t *other)
{
    for (uint32_t t = 0; t < m->threads; t++) {
        const uint32_t left = m->threads - t / TEXTBOOK_WARP * TEXTBOOK_WARP;
        const int threads = left < TEXTBOOK_WARP ? (int)left : TEXTBOOK_WARP;
        if (t % TEXTBOOK_WARP == 0)
            count_slots(m->counts, threads, threads);
        own[t] = operate(m, own[t], other[t]);
    }
    m->counts->steps++;
}
