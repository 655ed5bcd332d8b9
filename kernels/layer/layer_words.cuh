/* The choice of words for the table of a slab on the device: host code, for layer_batch.cuh. */
#ifndef SATK_LAYER_WORDS_CUH
#define SATK_LAYER_WORDS_CUH

#include "layer/layer_scan.cuh"

/* Returns the most pixels of a slab's window that are in the picture: a part of it has the same words. */
static uint64_t largest_area(const satk_layer *job, const satk_slab *slab)
{
    const uint64_t w = (uint64_t)job->src.width;
    const uint64_t h = (uint64_t)(job->rows ? job->rows : job->src.height);
    uint64_t largest = 0;

    for (int i = 0; i < slab->windows; i++) {
        const uint64_t area = satk_squares(&slab->window[i], &job->forms, w, h);
        largest = area > largest ? area : largest;
    }
    return largest;
}

/* Returns the channels that are summed: alpha is left out where it is the largest everywhere. */
static int summed(const satk_layer *job)
{
    return job->src.channels - (satk_has_alpha(job->src.channels) && job->tone.opaque);
}

/* The words of a slab's table. The job's word is for its largest window; most slabs need less.
 * NARROW has colours and counts of 32 bits. MIXED has colours of 64, or three in 128, and counts of
 * 32. WIDE has 64 for all. */
enum words { WORDS_NARROW, WORDS_MIXED, WORDS_WIDE };

static words words_for(const satk_layer *job, const satk_slab *slab)
{
    const satk_tone *const tone = &job->tone;
    const int bits = satk_sample_bits(tone, job->src.bits);
    const uint64_t count = SATK_SLAB * largest_area(job, slab);
    const uint64_t sum = count << (bits + (tone->weighted ? job->src.bits : 0));

    if (count > SATK_NARROW_COUNT)
        return WORDS_WIDE;
    if (count < 1 << 23 && sum <= SATK_NARROW_SUM)
        return WORDS_NARROW;
    /* Three in 128 bits: sums fit, and so do samples (lay_under_packed()). */
    const bool packs = count < 1 << 28 && sum >> SATK_PACKED_BITS == 0 && !tone->half;
    return summed(job) != 3 || packs ? WORDS_MIXED : WORDS_WIDE;
}

static size_t word_bytes(words w)
{
    return w == WORDS_NARROW ? 4 : 8;
}

static size_t count_bytes(words w)
{
    return w == WORDS_WIDE ? 8 : 4;
}

#endif
