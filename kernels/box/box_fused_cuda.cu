/* Box blur without a table in memory, on the device: the choice between the ways. */
#include "box/box_fused.cuh"
#include "box/box_tune.cuh"

/* Returns true if pixels of two or four channels are aligned words. */
static bool is_aligned(const satk_plane *plane, int channels)
{
    const uintptr_t size = channels == 3 ? 1 : (uintptr_t)channels;

    return ((uintptr_t)plane->data | (uintptr_t)plane->pitch) % size == 0;
}

/* Returns true for codes of 8 bits, with alpha that is opaque or a weight, and for half floats if radii are whole. */
static bool has_suited_codes(const satk_box *job)
{
    const satk_tone *const tone = &job->tone;

    if (tone->half)
        return (job->radius_x | job->radius_y) % SATK_ONE == 0;
    return job->src.bits == 8 &&
           (tone->opaque || tone->weighted || !satk_has_alpha(job->src.channels));
}

static bool is_suited(const satk_box *job)
{
    const int channels = job->src.channels;

    return has_suited_codes(job) && !job->wide && job->edge == SATK_SHRINK &&
           is_aligned(&job->src, channels) && is_aligned(&job->dst, channels);
}

/* Returns true if a piece of the table holds the sums: those of codes as they are. */
static bool is_for_piece(const satk_box *job)
{
    return !job->tone.decode && (job->tone.opaque || !job->tone.weighted) &&
           satk_box_piece_suits(job);
}

/* Returns true if sliding sums are faster. They cost the same at any radius; a piece of the table
 * costs more, the more of it is around its tile. */
static bool is_to_slide(const satk_box *job)
{
    const uint32_t least = SATK_SLIDE_LEAST * SATK_ONE;
    const bool is_large = job->radius_x >= least || job->radius_y >= least;

    return (is_large || !is_for_piece(job)) && satk_box_slide_suits(job);
}

int satk_box_fused_pays_cuda(const satk_box *job)
{
    return is_suited(job) && (is_to_slide(job) || is_for_piece(job));
}

size_t satk_box_fused_scratch_cuda(const satk_box *job)
{
    return is_to_slide(job) ? satk_box_slide_scratch(job) : 0;
}

int satk_box_fused_cuda(const satk_box *job, void *scratch, void *stream)
{
    return is_to_slide(job) ? satk_box_slide(job, scratch, (cudaStream_t)stream)
                            : satk_box_piece(job, (cudaStream_t)stream);
}
