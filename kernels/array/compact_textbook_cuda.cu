/* Compaction in three kernels: flags, their exclusive scan, scatter (D. Horn, "Stream Reduction
 * Operations for GPGPU Applications", 2005). T: words of a place, 32 or 64 bits. */
#include "array/array.cuh"
#include "array/compact_textbook.cuh"
#include "common/launch.cuh"

template <typename T>
static __global__ void set_flags(const __grid_constant__ satk_compact job, T *flags)
{
    const uint64_t i = satk_array_index();

    if (i < job.count)
        flags[i] = satk_is_kept(&job, job.in[i]);
}

/* places: the exclusive scan of the flags, so where a value goes if it is kept. */
template <typename T>
static __global__ void scatter(const __grid_constant__ satk_compact job, const T *places)
{
    const uint64_t i = satk_array_index();

    if (i >= job.count)
        return;
    const uint32_t value = job.in[i];
    const T place = places[i];
    if (satk_is_kept(&job, value)) {
        job.out[place] = value;
        if (job.indices)
            job.indices[place] = i;
    }
    if (i == job.count - 1)
        *job.kept = (uint64_t)place + satk_is_kept(&job, value);
}

/* --- Launchers -------------------------------------------------------------------------------- */

typedef struct layout {
    size_t flags, scan_space, bytes;
} layout;

static layout layout_of(const satk_compact *job)
{
    const satk_scan scan = satk_scan_flags(NULL, job->count, NULL);
    layout l = {};

    l.flags = satk_place(&l.bytes, job->count, satk_place_word(job->count) / 8);
    l.scan_space = satk_place(&l.bytes, satk_scan_scratch_cuda(&scan), 1);
    return l;
}

size_t satk_compact_textbook_scratch(const satk_compact *job)
{
    return layout_of(job).bytes;
}

template <typename T> static int three_kernel(const satk_compact *job, cudaStream_t stream)
{
    const layout l = layout_of(job);
    uint8_t *const scratch = (uint8_t *)job->scratch;
    T *const flags = (T *)(scratch + l.flags);
    const satk_scan scan = satk_scan_flags(flags, job->count, scratch + l.scan_space);
    const unsigned blocks = satk_array_blocks(job->count);

    set_flags<T><<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(*job, flags);
    int error = satk_launched(stream);
    if (!error)
        error = satk_scan_cuda(&scan, stream);
    if (error)
        return error;
    scatter<T><<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(*job, flags);
    return satk_launched(stream);
}

int satk_compact_textbook_cuda(const satk_compact *job, cudaStream_t stream)
{
    return satk_place_word(job->count) == 32 ? three_kernel<uint32_t>(job, stream)
                                             : three_kernel<uint64_t>(job, stream);
}
