#include "layer/coc_rule.h"

#include "common/pool.h"

size_t satk_coc_scratch_cpu(const satk_coc *job, int threads)
{
    (void)threads;
    return satk_coc_table_bytes(job);
}

/* Inlined with constant channels and bits. */
SATK_FN void draw_row(const void *from, uint16_t *to, int width, int channels, int bits,
                      const uint16_t *table)
{
    for (int x = 0; x < width; x++)
        to[x] = table[satk_code(from, (size_t)x * (size_t)channels, bits)];
}

static void find_coc(const void *of, int code)
{
    const satk_coc *const job = of;

    ((uint16_t *)job->scratch)[code] = satk_coc_of(job, (uint32_t)code);
}

static void draw_any_row(const void *of, int y)
{
    const satk_coc *const job = of;
    const satk_plane *const src = &job->src, *const dst = &job->dst;
    const void *const from = (const uint8_t *)src->data + y * src->pitch;
    uint16_t *const to = (uint16_t *)(void *)((uint8_t *)dst->data + y * dst->pitch);

    if (src->channels == 1 && src->bits == 8)
        draw_row(from, to, src->width, 1, 8, job->scratch);
    else if (src->channels == 1)
        draw_row(from, to, src->width, 1, 16, job->scratch);
    else
        draw_row(from, to, src->width, src->channels, src->bits, job->scratch);
}

void satk_coc_cpu(const satk_coc *job, int threads)
{
    satk_for(job->src.bits > 8 ? threads : 1, 1 << job->src.bits, 0, find_coc, job);
    satk_for(threads, job->src.height, 0, draw_any_row, job);
}
