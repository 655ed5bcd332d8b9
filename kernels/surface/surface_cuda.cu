#include "surface/surface.cuh"

static size_t words_of_all(const satk_surface *job)
{
    return (size_t)satk_words_of(job->map) * (size_t)job->map.height;
}

size_t satk_surface_scratch_cuda(const satk_surface *job)
{
    return 2 * words_of_all(job) * sizeof(uint32_t);
}

int satk_surface_cuda(const satk_surface *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const int pitch = (int)satk_words_of(job->map);
    uint32_t *const words = (uint32_t *)job->scratch;
    const satk_bit_plane ramps = {words, pitch}, beside = {words + words_of_all(job), pitch};

    int error =
        (int)cudaMemsetAsync(job->counts, 0, SATK_SURFACE_COUNTS * sizeof *job->counts, stream);
    if (!error)
        error = satk_mark(job, ramps, stream);
    if (!error)
        error = satk_cut_ramps(job, ramps, stream);
    if (!error)
        error = satk_find_beside(job, beside, stream);
    if (!error)
        error = satk_join(job, beside, stream);
    return error;
}
