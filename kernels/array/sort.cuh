/* Types and memory that the variants of sort share. Each variant has a file: sort_digits_cuda.cu,
 * sort_tiles_cuda.cu, sort_split_textbook_cuda.cu. */
#ifndef SATK_SORT_CUH
#define SATK_SORT_CUH

#include "array/array_tune.cuh"
#include "array/sort.h"
#include "common/parts.h"

#include <cuda_runtime.h>

/* Keys of one width and the values that travel with them, if any do. */
template <typename K> struct satk_pairs {
    K *keys;
    uint32_t *values;
};

template <typename K> static inline satk_pairs<K> satk_sort_arrays(const satk_sort *job)
{
    const satk_pairs<K> pairs = {(K *)job->keys, job->values};
    return pairs;
}

/* The arrays' second copy, with which every variant's scratch memory begins. */
typedef struct satk_sort_copy {
    size_t keys, values;
} satk_sort_copy;

static inline satk_sort_copy satk_place_copy(const satk_sort *job, size_t *bytes)
{
    satk_sort_copy copy;

    copy.keys = satk_place(bytes, job->count, job->word / 8);
    copy.values = satk_place(bytes, job->values ? job->count : 0, sizeof *job->values);
    return copy;
}

template <typename K>
static inline satk_pairs<K> satk_copy_arrays(const satk_sort *job, satk_sort_copy copy)
{
    uint8_t *const scratch = (uint8_t *)job->scratch;
    const satk_pairs<K> pairs = {(K *)(scratch + copy.keys),
                                 job->values ? (uint32_t *)(scratch + copy.values) : NULL};
    return pairs;
}

/* Sort at least two keys. Return a cudaError_t; 0 = launched. */
int satk_sort_digits_cuda(const satk_sort *job, cudaStream_t stream);
int satk_sort_split_cuda(const satk_sort *job, cudaStream_t stream);
int satk_sort_tiles_cuda(const satk_sort *job, cudaStream_t stream);

size_t satk_sort_digits_scratch(const satk_sort *job);
size_t satk_sort_split_scratch(const satk_sort *job);
size_t satk_sort_tiles_scratch(const satk_sort *job);

#endif
