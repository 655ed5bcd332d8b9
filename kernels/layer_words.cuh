/* Which words the table of a slab has on the device: host code, for layer_batch.cuh. */
#ifndef SATK_LAYER_WORDS_CUH
#define SATK_LAYER_WORDS_CUH

#include "layer_scan.cuh"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Pixels of a window, at most so many along an axis. */
static uint64_t stack_area(const satk_stack *s, uint64_t w, uint64_t h)
{
    const uint64_t rows = smaller(2 * (uint64_t)s->rows + 1, h);
    const uint64_t middle_rows = smaller(2 * (uint64_t)s->middle_rows + 1, h);

    return middle_rows * smaller(2 * (uint64_t)s->middle + 1, w) +
           (rows - middle_rows) * smaller(2 * (uint64_t)s->outer + 1, w);
}

static uint64_t heap_area(const satk_stack *s, uint64_t w, uint64_t h)
{
    uint64_t area = 0;

    for (int i = 0; i < SATK_HEAP; i++)
        area += smaller(2 * (uint64_t)satk_heap_side(s, i) + 1, w) *
                smaller(2 * (uint64_t)satk_heap_side(s, SATK_HEAP - 1 - i) + 1, h);
    return area;
}

/* Most pixels of a slab's windows that are in the picture. */
static uint64_t largest_area(const satk_layer *job, const satk_slab *slab)
{
    const uint64_t w = (uint64_t)job->src.width, h = (uint64_t)job->src.height;
    uint64_t largest = 0;

    for (int i = 0; i < SATK_WINDOWS; i++) {
        const satk_stack *const s = &slab->window[i];
        const uint64_t area = job->smooth ? heap_area(s, w, h) : stack_area(s, w, h);
        largest = area > largest ? area : largest;
    }
    return largest;
}

/* Channels that are summed: not alpha where it is the largest everywhere. */
static int summed(const satk_layer *job)
{
    return job->src.channels - (satk_has_alpha(job->src.channels) && job->tone.opaque);
}

/* The words of a slab's table. The job's word is what its largest window takes; most slabs do with
 * less: colours and counts of 32 bits; colours of 64, or three in 128, and counts of 32; all of 64. */
enum words { WORDS_NARROW, WORDS_MIXED, WORDS_WIDE };

static words words_for(const satk_layer *job, const satk_slab *slab)
{
    const satk_tone *const tone = &job->tone;
    const int bits = tone->decode ? SATK_LINEAR_BITS(job->src.bits) : job->src.bits;
    const uint64_t count = SATK_SLAB * largest_area(job, slab);
    const uint64_t sum = count << (bits + (tone->weighted ? job->src.bits : 0));

    if (count > SATK_NARROW_COUNT)
        return WORDS_WIDE;
    if (count < 1 << 23 && sum <= SATK_NARROW_SUM)
        return WORDS_NARROW;
    return summed(job) != 3 || (count < 1 << 28 && sum >> SATK_PACKED_BITS == 0) ? WORDS_MIXED
                                                                                 : WORDS_WIDE;
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
