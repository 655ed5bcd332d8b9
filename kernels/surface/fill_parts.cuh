/* The connected holes of a map, by union and find: a label leads to an earlier sample of the same gap, until a root has its own
 * (after Playne and Hawick, "A new algorithm for parallel connected-component labelling on GPUs", 2018). The first sample of
 * a gap is its root in any order of unions. */
#ifndef SATK_FILL_PARTS_CUH
#define SATK_FILL_PARTS_CUH

#include "surface/fill.cuh"

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

/* Returns the label of a hole at first: the first of the holes beside each other in its word. */
static __device__ __forceinline__ uint32_t satk_first_label(uint32_t holes, int lane, uint32_t at)
{
    const uint32_t known = ~holes & ((1u << lane) - 1);
    const int first = SATK_WARP - __clz((int)known);

    return at - (uint32_t)(lane - first);
}

/* Joins the holes of all words with those before and above. Of a run beside another one, one sample does. */
static __device__ __forceinline__ void satk_join_holes(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        const uint32_t both = s.holes & satk_holes_in(f, s.word, s.y - 1);
        const uint32_t before = satk_holes_in(f, s.word - 1, s.y) >> (SATK_WARP - 1);
        if (s.is_hole && lane == 0 && before)
            satk_unite(f.labels, s.at, s.at - 1);
        if ((both & ~(both << 1)) >> lane & 1)
            satk_unite(f.labels, s.at, s.at - (uint32_t)f.map.width);
    }
}

/* Makes every label a root's, and counts the samples of each root in its state. */
static __device__ __forceinline__ void satk_measure_gaps(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        const bool is_at_border =
            s.x == 0 || s.y == 0 || s.x == f.map.width - 1 || s.y == f.map.height - 1;
        const uint32_t border = __ballot_sync(SATK_ALL_LANES, is_at_border);
        if (!s.is_hole)
            continue;
        const uint32_t root = satk_root_of(f.labels, s.at);
        const uint32_t own = __match_any_sync(s.holes, root);
        __stcg(f.labels + s.at, root);
        if (lane != __ffs((int)own) - 1)
            continue;
        atomicAdd(&f.cells[root].x, (unsigned)__popc(own));
        if (border & own)
            atomicOr(&f.cells[root].x, (unsigned)SATK_AT_BORDER);
    }
}

/* Gives numbers to large gaps, in any order: in the state of their root, which is 0 of small ones. */
static __device__ __forceinline__ void satk_number_gaps(const satk_fill_device &f)
{
    const uint64_t samples = (uint64_t)f.map.width * (uint64_t)f.map.height;
    const uint32_t count = f.control->words;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        if (!s.is_hole || __ldcg(f.labels + s.at) != s.at)
            continue;
        const uint32_t state = __ldcg(&f.cells[s.at].x), size = state & ~SATK_AT_BORDER;
        const int is_at_border = (state & SATK_AT_BORDER) != 0;
        unsigned number = 0;
        if (!satk_is_small_gap(samples, size, is_at_border)) {
            number = atomicAdd(&f.control->gaps, 1u) + 1;
            satk_fill_gap gap = {};
            gap.count = size;
            gap.is_at_border = is_at_border;
            f.gaps[number] = gap;
        }
        __stcg(&f.cells[s.at].x, number);
    }
}

/* Makes every label the number of its gap. */
static __device__ __forceinline__ void satk_label_gaps(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        if (s.is_hole)
            __stcg(f.labels + s.at, __ldcg(&f.cells[__ldcg(f.labels + s.at)].x));
    }
}

/* Lists the holes on rims: with one of the eight samples around known. Their states are those of holes that have not voted,
 * and all others 0. */
static __device__ __forceinline__ void satk_list_rims(const satk_fill_device &f)
{
    const uint32_t count = f.control->words;
    const int lane = threadIdx.x % SATK_WARP;

    for (uint32_t i = satk_own_warp(); i < count; i += satk_all_warps()) {
        const satk_fill_spot s = satk_spot_of(f, i);
        uint32_t known[3] = {0};
        unsigned first = 0;
#pragma unroll
        for (int k = 0; k < 3; k++)
            for (int j = -1; j <= 1; j++)
                known[k] |= satk_known_in(f, s.word + k - 1, s.y + j);
        const uint32_t rims = s.holes & satk_widened(known[0], known[1], known[2]);
        if (lane == 0 && rims)
            first = atomicAdd(&f.control->rims[0], (unsigned)__popc(rims));
        first = __shfl_sync(SATK_ALL_LANES, first, 0);
        if (!s.is_hole)
            continue;
        const bool is_rim = rims >> lane & 1;
        __stcg(&f.cells[s.at].x, is_rim ? SATK_CELL_RIM | SATK_CELL_FRESH * SATK_CELL_LEVEL : 0u);
        if (is_rim)
            __stcg(f.rims[0] + first + __popc(rims & ((1u << lane) - 1)), s.at);
    }
}

#endif
