/* The operators of reduce.h. */
#ifndef SATK_REDUCE_OP_CUH
#define SATK_REDUCE_OP_CUH

#include "array/array_tune.cuh"

#include <stdint.h>

/* An operator reduces words: of() makes one from a value and its index, result() turns one into the
 * reported number, publish() merges one into the result, as other blocks do at the same time. */

template <typename WORD> struct value_op {
    typedef WORD word;
    static __device__ __forceinline__ word of(uint32_t value, uint64_t)
    {
        return value;
    }
    static __device__ __forceinline__ uint64_t result(word w)
    {
        return w;
    }
};

struct sum_op : value_op<uint64_t> {
    static __device__ __forceinline__ word identity()
    {
        return 0;
    }
    static __device__ __forceinline__ word merge(word a, word b)
    {
        return a + b;
    }
    static __device__ void publish(uint64_t *out, word w, const uint32_t *)
    {
        atomicAdd((unsigned long long *)out, (unsigned long long)w);
    }
};

struct product_op : value_op<uint64_t> {
    static __device__ __forceinline__ word identity()
    {
        return 1;
    }
    static __device__ __forceinline__ word merge(word a, word b)
    {
        return a * b;
    }
    static __device__ void publish(uint64_t *out, word w, const uint32_t *)
    {
        unsigned long long seen = *(volatile uint64_t *)out, expected;
        do {
            expected = seen;
            seen = atomicCAS((unsigned long long *)out, expected, expected * w);
        } while (seen != expected);
    }
};

struct min_op : value_op<uint32_t> {
    static __device__ __forceinline__ word identity()
    {
        return 0xffffffffu;
    }
    static __device__ __forceinline__ word merge(word a, word b)
    {
        return min(a, b);
    }
    static __device__ void publish(uint64_t *out, word w, const uint32_t *)
    {
        atomicMin((unsigned long long *)out, (unsigned long long)w);
    }
};

struct max_op : value_op<uint32_t> {
    static __device__ __forceinline__ word identity()
    {
        return 0;
    }
    static __device__ __forceinline__ word merge(word a, word b)
    {
        return max(a, b);
    }
    static __device__ void publish(uint64_t *out, word w, const uint32_t *)
    {
        atomicMax((unsigned long long *)out, (unsigned long long)w);
    }
};

static const uint64_t NOWHERE = 0xffffffffffffffffull;

/* A value and where it is; of equal ones the first counts. The result is the index alone, so
 * publish() looks the value that it stands for up. */
template <bool LARGEST> struct arg_op {
    struct word {
        uint64_t index;
        uint32_t value, zero; /* named, so that no padding is read before it is written */
    };
    static __device__ __forceinline__ word of(uint32_t value, uint64_t index)
    {
        return {index, value, 0};
    }
    static __device__ __forceinline__ word identity()
    {
        return {NOWHERE, 0, 0};
    }
    static __device__ __forceinline__ bool better(word a,
                                                  word b) /* a is to be taken instead of b */
    {
        if (a.index == NOWHERE || b.index == NOWHERE)
            return b.index == NOWHERE;
        if (a.value != b.value)
            return (a.value > b.value) == LARGEST;
        return a.index < b.index;
    }
    static __device__ __forceinline__ word merge(word a, word b)
    {
        return better(b, a) ? b : a;
    }
    static __device__ __forceinline__ uint64_t result(word w)
    {
        return w.index;
    }
    static __device__ void publish(uint64_t *out, word w, const uint32_t *values)
    {
        unsigned long long seen = *(volatile uint64_t *)out;
        while (seen == NOWHERE ? w.index != NOWHERE : better(w, of(values[seen], seen))) {
            const unsigned long long expected = seen;
            seen = atomicCAS((unsigned long long *)out, expected, (unsigned long long)w.index);
            if (seen == expected)
                break;
        }
    }
};

/* The words of a level: the values, or the results of the level before. */
template <typename OP> struct from_values {
    const uint32_t *values;
    __device__ __forceinline__ typename OP::word operator()(uint64_t i) const
    {
        return OP::of(values[i], i);
    }
};

template <typename OP> struct from_words {
    const typename OP::word *words;
    __device__ __forceinline__ typename OP::word operator()(uint64_t i) const
    {
        return words[i];
    }
};

#endif
