// The common operations of a warp's lanes. Included by cuda_runtime.h.
#ifndef SATB_EMULATE_WARP_H
#define SATB_EMULATE_WARP_H

// Waits until the lanes of mask have all made the same kind of call with the same mask. Returns the
// values that they gave, [lane], as long as the caller does not wait again; votes: the lanes whose
// value is not 0.
enum emulate_kind { EMULATE_SYNC, EMULATE_SHUFFLE, EMULATE_VOTE, EMULATE_MATCH, EMULATE_REDUCE };
const uint64_t *emulate_exchange(emulate_kind kind, unsigned mask, uint64_t value,
                                 unsigned *votes = nullptr);

static inline int emulate_lane()
{
    return int(emulate_thread % 32);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu)
{
    emulate_exchange(EMULATE_SYNC, mask, 0);
}

// --- Shuffles ------------------------------------------------------------------------------------

// A lane that does not take part has nothing to give: rubbish.
template <typename T> T emulate_shuffle(unsigned mask, T value, int from)
{
    static_assert(std::is_arithmetic<T>::value, "CUDA shuffles numbers");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = emulate_exchange(EMULATE_SHUFFLE, mask, bits)[from];
    if (!(mask >> from & 1))
        bits = 0xa5a5a5a5a5a5a5a5u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T> T __shfl_sync(unsigned mask, T value, int lane, int width = 32)
{
    return emulate_shuffle(mask, value, (emulate_lane() & -width) | (lane & (width - 1)));
}

template <typename T> T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    const int own = emulate_lane(), from = own - int(by % 32);
    return emulate_shuffle(mask, value, from < (own & -width) ? own : from);
}

template <typename T> T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = 32)
{
    const int own = emulate_lane(), from = own + int(by % 32);
    return emulate_shuffle(mask, value, from > (own | (width - 1)) ? own : from);
}

template <typename T> T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32)
{
    const int own = emulate_lane(), from = own ^ (lanes & 31);
    return emulate_shuffle(mask, value, from > (own | (width - 1)) ? own : from);
}

// --- Votes ---------------------------------------------------------------------------------------

static inline unsigned __ballot_sync(unsigned mask, int vote)
{
    unsigned votes;
    emulate_exchange(EMULATE_VOTE, mask, vote != 0, &votes);
    return votes & mask;
}

static inline int __any_sync(unsigned mask, int vote)
{
    return __ballot_sync(mask, vote) != 0;
}

static inline int __all_sync(unsigned mask, int vote)
{
    return __ballot_sync(mask, vote) == mask;
}

template <typename T> unsigned __match_any_sync(unsigned mask, T value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    const uint64_t *const all = emulate_exchange(EMULATE_MATCH, mask, bits);
    unsigned lanes = 0;
    for (unsigned i = 0; i < 32; i++)
        lanes |= unsigned(all[i] == bits) << i;
    return lanes & mask;
}

template <typename T> unsigned __match_all_sync(unsigned mask, T value, int *all_same)
{
    *all_same = __match_any_sync(mask, value) == mask;
    return *all_same ? mask : 0;
}

// --- Reductions ----------------------------------------------------------------------------------

template <typename T, typename OP> T emulate_reduce(unsigned mask, T value, OP op)
{
    static_assert(sizeof value == 4, "CUDA reduces 32 bits");
    const uint64_t *const all = emulate_exchange(EMULATE_REDUCE, mask, uint32_t(value));
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1 && i != emulate_lane())
            value = op(value, T(uint32_t(all[i])));
    return value;
}

#define EMULATE_REDUCTION(name, type, result)                                                      \
    static inline type name(unsigned mask, type value)                                             \
    {                                                                                              \
        return emulate_reduce(mask, value, [](type a, type b) -> type { return result; });         \
    }
EMULATE_REDUCTION(__reduce_add_sync, unsigned, a + b)
EMULATE_REDUCTION(__reduce_add_sync, int, int(unsigned(a) + unsigned(b)))
EMULATE_REDUCTION(__reduce_min_sync, unsigned, min(a, b))
EMULATE_REDUCTION(__reduce_min_sync, int, min(a, b))
EMULATE_REDUCTION(__reduce_max_sync, unsigned, max(a, b))
EMULATE_REDUCTION(__reduce_max_sync, int, max(a, b))
EMULATE_REDUCTION(__reduce_and_sync, unsigned, a &b)
EMULATE_REDUCTION(__reduce_or_sync, unsigned, a | b)
EMULATE_REDUCTION(__reduce_xor_sync, unsigned, a ^ b)
#undef EMULATE_REDUCTION

#endif
