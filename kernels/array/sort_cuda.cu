#include "array/sort.cuh"

typedef struct variant {
    size_t (*scratch)(const satk_sort *job);
    int (*sort)(const satk_sort *job, cudaStream_t stream);
} variant;

static const variant variants[SATK_SORT_VARIANTS] = {
    {satk_sort_digits_scratch, satk_sort_digits_cuda},
    {satk_sort_split_scratch, satk_sort_split_cuda},
    {satk_sort_tiles_scratch, satk_sort_tiles_cuda},
};

size_t satk_sort_scratch_cuda(const satk_sort *job)
{
    return variants[job->variant].scratch(job);
}

int satk_sort_cuda(const satk_sort *job, void *stream)
{
    return job->count < 2 ? 0 : variants[job->variant].sort(job, (cudaStream_t)stream);
}
