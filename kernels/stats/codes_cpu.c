#include "stats/codes.h"

#include "common/pool.h"

#include <string.h>

/* Every thread has a byte for each code: a store alone does not wait for an earlier one, as adding a bit would. */
size_t satk_codes_scratch_cpu(const satk_codes *job, int threads)
{
    return (size_t)threads << job->src.bits;
}

/* Inlined with constant channels and bits. */
SATK_FN void mark_row(const void *row, int width, int channels, int bits, uint8_t *own)
{
    for (int x = 0; x < width; x++)
        own[satk_code(row, (size_t)x * (size_t)channels, bits)] = 1;
}

static void mark_rows(const satk_plane *src, int64_t first, int64_t last, uint8_t *own)
{
    for (int64_t y = first; y < last; y++) {
        const uint8_t *const row = (const uint8_t *)src->data + y * src->pitch;
        if (src->channels == 1 && src->bits == 8)
            mark_row(row, src->width, 1, 8, own);
        else if (src->channels == 1)
            mark_row(row, src->width, 1, 16, own);
        else
            mark_row(row, src->width, src->channels, src->bits, own);
    }
}

typedef struct marking {
    const satk_codes *job;
    int parts;
} marking;

static void mark_part(const void *of, int i)
{
    const marking *const m = of;
    const satk_plane *const src = &m->job->src;
    const size_t codes = (size_t)1 << src->bits;
    uint8_t *const own = (uint8_t *)m->job->scratch + (size_t)i * codes;

    memset(own, 0, codes);
    mark_rows(src, (int64_t)src->height * i / m->parts, (int64_t)src->height * (i + 1) / m->parts,
              own);
}

/* Makes a word of the set: the union over all parts. */
static void gather_word(const void *of, int word)
{
    const marking *const m = of;
    const satk_codes *const job = m->job;
    const uint8_t *const all = job->scratch;
    uint32_t bits = 0;

    for (int i = 0; i < m->parts; i++)
        for (size_t bit = 0; bit < 32; bit++)
            bits |= (uint32_t)all[((size_t)i << job->src.bits) + 32 * (size_t)word + bit] << bit;
    job->out[word] = bits;
}

void satk_codes_cpu(const satk_codes *job, int threads)
{
    const marking m = {job, threads};

    satk_for(threads, threads, 1, mark_part, &m);
    satk_for(threads, (1 << job->src.bits) / 32, 0, gather_word, &m);
}
