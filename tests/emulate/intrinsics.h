// Arithmetic and memory accesses of a single thread. Included by cuda_runtime.h.
#ifndef SATB_EMULATE_INTRINSICS_H
#define SATB_EMULATE_INTRINSICS_H

// --- Arithmetic ----------------------------------------------------------------------------------

template <typename A, typename B> typename std::common_type<A, B>::type min(A a, B b)
{
    return a < b ? a : b;
}

template <typename A, typename B> typename std::common_type<A, B>::type max(A a, B b)
{
    return a > b ? a : b;
}

static inline uint64_t __umul64hi(uint64_t a, uint64_t b)
{
    return uint64_t(((unsigned __int128)a * b) >> 64);
}

static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return unsigned(uint64_t(a) * b >> 32);
}

template <typename T> T emulate_dot4(T a, T b, T c, T (*part)(T, int))
{
    uint32_t sum = uint32_t(c);
    for (int i = 0; i < 4; i++)
        sum += uint32_t(part(a, i) * part(b, i));
    return T(sum);
}

static inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return emulate_dot4<unsigned>(
        a, b, c, [](unsigned v, int i) { return v >> 8 * i & 255; });
}

static inline int __dp4a(int a, int b, int c)
{
    return emulate_dot4<int>(
        a, b, c, [](int v, int i) { return int(int8_t(v >> 8 * i)); });
}

// Multiplies the halves of a by the lower bytes of b, and adds the products to c.
static inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return c + (a & 65535) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}

static inline float __fmaf_rn(float a, float b, float c)
{
    return std::fma(a, b, c);
}

// A device's result is up to two units in the last place off. This one is off upwards.
static inline float __fdividef(float a, float b)
{
    return std::nextafter(std::nextafter(a / b, INFINITY), INFINITY);
}

static inline unsigned __float_as_uint(float v)
{
    unsigned bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

// --- Bits ----------------------------------------------------------------------------------------

static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}

static inline int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}

static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}

static inline int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}

static inline int __clz(int v)
{
    return v ? __builtin_clz(unsigned(v)) : 32;
}

static inline int __clzll(long long v)
{
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}

static inline unsigned __brev(unsigned v)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (v >> i & 1) << (31 - i);
    return reversed;
}

static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return unsigned(((uint64_t(high) << 32 | low) << (by & 31)) >> 32);
}

static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return unsigned((uint64_t(high) << 32 | low) >> (by & 31));
}

static inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector)
{
    const uint64_t bytes = uint64_t(high) << 32 | low;
    unsigned result = 0;
    for (int i = 0; i < 4; i++)
        result |= unsigned(bytes >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    return result;
}

static inline unsigned __vminu4(unsigned a, unsigned b)
{
    unsigned result = 0;
    for (unsigned byte = 255; byte; byte <<= 8)
        result |= (a & byte) < (b & byte) ? a & byte : b & byte;
    return result;
}

static inline unsigned __vcmpeq4(unsigned a, unsigned b)
{
    unsigned result = 0;
    for (unsigned byte = 255; byte; byte <<= 8)
        result |= (a & byte) == (b & byte) ? byte : 0;
    return result;
}

// --- Memory --------------------------------------------------------------------------------------

template <typename T> T *emulate_aligned(T *p) // as a GPU insists
{
    if (uintptr_t(p) % sizeof(T) != 0) {
        fprintf(stderr, "emulate: an access of %zu bytes at %p is misaligned\n", sizeof(T),
                (const void *)p);
        abort();
    }
    return p;
}

#define EMULATE_LOAD(name)                                                                         \
    template <typename T> T name(const T *p)                                                       \
    {                                                                                              \
        return *emulate_aligned(p);                                                                \
    }
#define EMULATE_STORE(name)                                                                        \
    template <typename T> void name(T *p, typename std::common_type<T>::type value)                \
    {                                                                                              \
        *emulate_aligned(p) = value;                                                               \
    }
EMULATE_LOAD(__ldg)
EMULATE_LOAD(__ldca)
EMULATE_LOAD(__ldcg)
EMULATE_LOAD(__ldcs)
EMULATE_STORE(__stcg)
EMULATE_STORE(__stcs)
EMULATE_STORE(__stwt)
#undef EMULATE_LOAD
#undef EMULATE_STORE

// --- Atomics -------------------------------------------------------------------------------------

// T, where it is one of the types for which CUDA has the function (uint64_t is none on Linux); not
// deduced, so that an int goes where an unsigned is wanted.
template <typename T, typename... ALLOWED>
using emulate_one_of = typename std::enable_if<(std::is_same<T, ALLOWED>::value || ...), T>::type;
template <typename T> using emulate_atomic = emulate_one_of<T, int, unsigned, unsigned long long>;
template <typename T>
using emulate_ordered = emulate_one_of<T, int, unsigned, long long, unsigned long long>;

template <typename T, typename OP> T emulate_update(T *p, OP op)
{
    T old = __atomic_load_n(emulate_aligned(p), __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &old, op(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

template <typename T> T atomicMin(T *p, emulate_ordered<T> value)
{
    return emulate_update(
        p, [=](T old) { return min(old, value); });
}

template <typename T> T atomicMax(T *p, emulate_ordered<T> value)
{
    return emulate_update(
        p, [=](T old) { return max(old, value); });
}

template <typename T> T atomicAdd(T *p, emulate_atomic<T> value)
{
    return __atomic_fetch_add(emulate_aligned(p), value, __ATOMIC_RELAXED);
}

template <typename T> T atomicSub(T *p, emulate_one_of<T, int, unsigned> value)
{
    return __atomic_fetch_sub(emulate_aligned(p), value, __ATOMIC_RELAXED);
}

template <typename T> T atomicAnd(T *p, emulate_atomic<T> value)
{
    return __atomic_fetch_and(emulate_aligned(p), value, __ATOMIC_RELAXED);
}

template <typename T> T atomicOr(T *p, emulate_atomic<T> value)
{
    return __atomic_fetch_or(emulate_aligned(p), value, __ATOMIC_RELAXED);
}

template <typename T> T atomicExch(T *p, emulate_atomic<T> value)
{
    return __atomic_exchange_n(emulate_aligned(p), value, __ATOMIC_RELAXED);
}

template <typename T> T atomicCAS(T *p, emulate_atomic<T> expected, emulate_atomic<T> value)
{
    T old = expected;
    __atomic_compare_exchange_n(emulate_aligned(p), &old, value, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return old;
}

#define atomicAdd_block  atomicAdd
#define atomicMin_block  atomicMin
#define atomicMax_block  atomicMax
#define atomicOr_block   atomicOr
#define atomicExch_block atomicExch
#define atomicCAS_block  atomicCAS

#endif
