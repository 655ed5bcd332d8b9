/* The connected holes of a map, by union and find: a label leads to an earlier sample of the same gap, until a root has its own
 * (after Playne and Hawick, "A new algorithm for parallel connected-component labelling on GPUs", 2018). The first sample of
 * a gap is its root in any order of unions. */
#ifndef SATK_FILL_PARTS_CUH
#define SATK_FILL_PARTS_CUH

#include "common/scan.cuh"
#include "fill/fill.cuh"

enum : uint32_t {
    SATK_AT_BORDER = 1u << 31
}; /* beside a root's number of samples, which is below it */

static __device__ __forceinline__ uint32_t satk_root_of(const uint32_t *labels, uint32_t at)
{
    for (uint32_t next; (next = __ldcg(labels + at)) != at;)
        at = next;
    return at;
}

/* Makes two parts one. Labels only ever become less, so that no other union is lost: if the later root has got another label
 * meanwhile, that one's part is left to be joined. */
static __device__ __forceinline__ void satk_unite(uint32_t *labels, uint32_t a, uint32_t b)
{
    a = satk_root_of(labels, a);
    b = satk_root_of(labels, b);
    while (a != b) {
        const uint32_t later = max(a, b), earlier = min(a, b);
        const uint32_t before = atomicMin(labels + later, earlier);
        if (before == later)
            return;
        a = satk_root_of(labels, before);
        b = satk_root_of(labels, earlier);
    }
}

/* Returns the label of a hole at first: the first of the holes beside each other in its word, a run. */
static __device__ __forceinline__ uint32_t satk_first_label(uint32_t holes, int bit, uint32_t at)
{
    const uint32_t known = ~holes & ((1u << bit) - 1);
    const int first = SATK_WARP - __clz((int)known);

    return at - (uint32_t)(bit - first);
}

/* --- Words: a thread has one ------------------------------------------------------------------ */

/* Joins the holes of a word with those before and above. Of a run beside another one, one sample does. */
static __device__ __forceinline__ void satk_join_word(const satk_fill_device &f,
                                                      const satk_fill_word &w)
{
    const uint32_t above = satk_holes_in(f, w.word, w.y - 1), both = w.holes & above;

    if (w.holes & 1 && satk_holes_in(f, w.word - 1, w.y) >> (SATK_WARP - 1))
        satk_unite(f.labels, w.at, w.at - 1);
    for (uint32_t left = both & ~(both << 1); left; left &= left - 1) {
        const int bit = __ffs((int)left) - 1;
        const uint32_t at = w.at + (uint32_t)bit;
        satk_unite(f.labels, satk_first_label(w.holes, bit, at),
                   satk_first_label(above, bit, at - (uint32_t)f.map.width));
    }
}

static __device__ __forceinline__ void satk_join_holes(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;

    for (uint32_t i = satk_own_thread(); i < count; i += satk_all_threads())
        satk_join_word(f, satk_word_of(f, i));
}

/* Returns the length of the first run. */
static __device__ __forceinline__ int satk_run_length(uint32_t holes, int first)
{
    const uint32_t after = ~(holes >> first);

    return after ? __ffs((int)after) - 1 : SATK_WARP;
}

/* Adds the samples of runs to the states of their roots. Those of a warp often have the same: one lane adds for all. The lanes
 * of `with` call it. */
static __device__ __forceinline__ void satk_add_runs(const satk_fill_device &f, uint32_t with,
                                                     uint32_t root, int length, bool is_at_border)
{
    const uint32_t alike = __match_any_sync(with, root);
    const uint32_t border = __ballot_sync(alike, is_at_border);
    unsigned sum = 0;

    for (uint32_t left = alike; left; left &= left - 1)
        sum += (unsigned)__shfl_sync(alike, length, __ffs((int)left) - 1);
    if ((int)(threadIdx.x % SATK_WARP) != __ffs((int)alike) - 1)
        return;
    atomicAdd(&f.cells[root].x, sum);
    if (border)
        atomicOr(&f.cells[root].x, (unsigned)SATK_AT_BORDER);
}

/* Makes the label of every run its root, and counts the samples of each root in its state. */
static __device__ __forceinline__ void satk_measure_gaps(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_thread(); i - lane < count; i += satk_all_threads()) {
        const satk_fill_word w = satk_word_of(f, min(i, count - 1));
        uint32_t left = i < count ? w.holes : 0, with;
        while ((with = __ballot_sync(SATK_ALL_LANES, left != 0)) != 0) {
            if (!left)
                continue;
            const int first = __ffs((int)left) - 1, length = satk_run_length(left, first);
            const int x = w.word * SATK_WARP + first;
            const uint32_t at = w.at + (uint32_t)first, root = satk_root_of(f.labels, at);
            const bool is_at_border =
                w.y == 0 || w.y == f.map.height - 1 || x == 0 || x + length == f.map.width;
            satk_add_runs(f, with, root, length, is_at_border);
            __stcg(f.labels + at, root);
            left = length + first < SATK_WARP ? left >> (first + length) << (first + length) : 0;
        }
    }
}

/* Gives a number to the gap of a root, if it is large: in the state, which is 0 of small ones. */
static __device__ __forceinline__ void satk_number_gap(const satk_fill_device &f, uint32_t root)
{
    const uint64_t samples = (uint64_t)f.map.width * (uint64_t)f.map.height;
    const uint32_t state = __ldcg(&f.cells[root].x), count = state & ~SATK_AT_BORDER;
    const int is_at_border = (state & SATK_AT_BORDER) != 0;
    unsigned number = 0;

    if (!satk_is_small_gap(samples, count, is_at_border)) {
        satk_fill_gap gap = {};
        gap.count = count;
        gap.is_at_border = is_at_border;
        number = atomicAdd(&f.control->gaps, 1u) + 1;
        f.gaps[number] = gap;
    }
    __stcg(&f.cells[root].x, number);
}

/* Gives numbers to large gaps, in any order. */
static __device__ __forceinline__ void satk_number_gaps(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;

    for (uint32_t i = satk_own_thread(); i < count; i += satk_all_threads()) {
        const satk_fill_word w = satk_word_of(f, i);
        for (uint32_t left = w.holes & ~(w.holes << 1); left; left &= left - 1) {
            const uint32_t at = w.at + (uint32_t)__ffs((int)left) - 1;
            if (__ldcg(f.labels + at) == at)
                satk_number_gap(f, at);
        }
    }
}

/* Returns the holes of a word with one of the eight samples around known. */
static __device__ __forceinline__ uint32_t satk_rims_around(const satk_fill_device &f,
                                                            const satk_fill_word &w)
{
    uint32_t known[3] = {0};

#pragma unroll
    for (int k = 0; k < 3; k++)
#pragma unroll
        for (int j = -1; j <= 1; j++)
            known[k] |= satk_known_in(f, w.word + k - 1, w.y + j);
    return w.holes & satk_widened(known[0], known[1], known[2]);
}

/* Lists the holes on rims. Their states are those of holes that have not voted, and those of roots are 0 again. */
static __device__ __forceinline__ void satk_list_rims(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_thread(); i - lane < count; i += satk_all_threads()) {
        const satk_fill_word w = satk_word_of(f, min(i, count - 1));
        const uint32_t rims = i < count ? satk_rims_around(f, w) : 0;
        const unsigned own = (unsigned)__popc(rims), upto = satk_warp_scan(own);
        unsigned first = 0;
        if (lane == SATK_WARP - 1 && upto)
            first = atomicAdd(&f.control->rims[0], upto);
        first = __shfl_sync(SATK_ALL_LANES, first, SATK_WARP - 1) + upto - own;
        if (i >= count)
            continue;
        for (uint32_t left = w.holes & ~(w.holes << 1) & ~rims; left; left &= left - 1)
            __stcg(&f.cells[w.at + (uint32_t)__ffs((int)left) - 1].x, 0u);
        for (uint32_t left = rims; left; left &= left - 1) {
            const uint32_t at = w.at + (uint32_t)__ffs((int)left) - 1;
            __stcg(&f.cells[at].x, (uint32_t)SATK_CELL_JOINED);
            __stcg(f.rims[0] + first++, at);
        }
    }
}

/* --- Words: a warp has one -------------------------------------------------------------------- */

/* Makes every label the number of its gap. A run is in one word. */
static __device__ __forceinline__ void satk_label_gaps(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        const uint32_t run = s.is_hole ? satk_first_label(s.holes, lane, s.at) : 0;
        const uint32_t number = s.is_hole ? __ldcg(&f.cells[__ldcg(f.labels + run)].x) : 0;
        __syncwarp(); /* all have read the run's label */
        if (s.is_hole)
            __stcg(f.labels + s.at, number);
    }
}

#endif
