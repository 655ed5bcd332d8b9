#include "layer/coc_rule.h"

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

void satk_coc_cpu(const satk_coc *job, int threads)
{
    const satk_plane src = job->src, dst = job->dst;
    const uint32_t codes = 1u << src.bits;
    uint16_t *const table = job->scratch;

#pragma omp parallel for num_threads(threads) schedule(static) if (codes > 256)
    for (uint32_t code = 0; code < codes; code++)
        table[code] = satk_coc_of(job, code);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int y = 0; y < src.height; y++) {
        const void *const from = (const uint8_t *)src.data + y * src.pitch;
        uint16_t *const to = (uint16_t *)(void *)((uint8_t *)dst.data + y * dst.pitch);
        if (src.channels == 1 && src.bits == 8)
            draw_row(from, to, src.width, 1, 8, table);
        else if (src.channels == 1)
            draw_row(from, to, src.width, 1, 16, table);
        else
            draw_row(from, to, src.width, src.channels, src.bits, table);
    }
}
