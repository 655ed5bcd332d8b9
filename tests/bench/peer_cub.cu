#include "bench/peer_cub.h"

#include <cub/cub.cuh>

struct sum_of_wide { /* 64-bit sums of 32-bit values, as ours */
    __host__ __device__ uint64_t operator()(uint64_t a, uint64_t b) const
    {
        return a + b;
    }
};

int peer_reduce(void *scratch, size_t *bytes, const uint32_t *values, uint64_t *out, uint64_t count,
                void *stream)
{
    return (int)cub::DeviceReduce::Reduce(scratch, *bytes, values, out, (int64_t)count,
                                          sum_of_wide(), (uint64_t)0, (cudaStream_t)stream);
}

int peer_scan(void *scratch, size_t *bytes, const void *in, void *out, uint64_t count, int word,
              void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (word == 32)
        return (int)cub::DeviceScan::InclusiveSum(scratch, *bytes, (const uint32_t *)in,
                                                  (uint32_t *)out, (int64_t)count, s);
    return (int)cub::DeviceScan::InclusiveSum(scratch, *bytes, (const uint64_t *)in,
                                              (uint64_t *)out, (int64_t)count, s);
}

struct between {
    uint32_t low, high;
    __host__ __device__ bool operator()(uint32_t value) const
    {
        return value >= low && value <= high;
    }
};

int peer_compact(void *scratch, size_t *bytes, const uint32_t *in, uint32_t *out, uint64_t *kept,
                 uint64_t count, uint32_t low, uint32_t high, void *stream)
{
    return (int)cub::DeviceSelect::If(scratch, *bytes, in, out, kept, (int64_t)count,
                                      between{low, high}, (cudaStream_t)stream);
}

template <typename T>
static int sort(void *scratch, size_t *bytes, const T *keys, T *keys_out, const uint32_t *values,
                uint32_t *values_out, uint64_t count, cudaStream_t s)
{
    if (values)
        return (int)cub::DeviceRadixSort::SortPairs(scratch, *bytes, keys, keys_out, values,
                                                    values_out, (int64_t)count, 0, 8 * sizeof(T),
                                                    s);
    return (int)cub::DeviceRadixSort::SortKeys(scratch, *bytes, keys, keys_out, (int64_t)count, 0,
                                               8 * sizeof(T), s);
}

int peer_sort(void *scratch, size_t *bytes, const void *keys, void *keys_out,
              const uint32_t *values, uint32_t *values_out, uint64_t count, int word, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (word == 32)
        return sort(scratch, bytes, (const uint32_t *)keys, (uint32_t *)keys_out, values,
                    values_out, count, s);
    return sort(scratch, bytes, (const uint64_t *)keys, (uint64_t *)keys_out, values, values_out,
                count, s);
}

int peer_histogram(void *scratch, size_t *bytes, const uint8_t *pixels, int *bins, int count,
                   void *stream)
{
    using cuda::std::array;
    const array<int *, 4> channels = {bins, bins + 256, bins + 512, bins + 768};
    const array<int, 4> levels = {257, 257, 257, 257}, low = {0, 0, 0, 0},
                        high = {256, 256, 256, 256};

    return (int)cub::DeviceHistogram::MultiHistogramEven<4, 4>(
        scratch, *bytes, pixels, channels, levels, low, high, count, (cudaStream_t)stream);
}
