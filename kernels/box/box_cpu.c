#include "box/box.h"

#include "box/box_rule.h"

/* Each kind of image and table has a function with constant channels, bits and word, so its loop
 * has no branches on them. (The OpenMP loop is outside: its body is compiled apart and would lose
 * the constants.) */
#define ROW(channels, bits, word, wide)                                                            \
    static void row_##channels##_##bits##_##word##_##wide(const satk_box *job, int y)              \
    {                                                                                              \
        const satk_box own = *job; /* no store of a pixel can change this one */                   \
        for (int x = 0; x < own.src.width; x++)                                                    \
            satk_box_pixel(&own, x, y, channels, bits, word, wide);                                \
    }
#define ROWS(channels, bits)                                                                       \
    ROW(channels, bits, 32, 0) ROW(channels, bits, 64, 0) ROW(channels, bits, 64, 1)
ROWS(1, 8)
ROWS(2, 8)
ROWS(3, 8)
ROWS(4, 8)
ROWS(1, 16)
ROWS(2, 16)
ROWS(3, 16)
ROWS(4, 16)

typedef void row_function(const satk_box *job, int y);

#define NAMES(channels, bits)                                                                      \
    {                                                                                              \
        row_##channels##_##bits##_32_0, row_##channels##_##bits##_64_0,                            \
            row_##channels##_##bits##_64_1                                                         \
    }
static row_function *const row_functions[2][4][3] = {
    {NAMES(1, 8), NAMES(2, 8), NAMES(3, 8), NAMES(4, 8)},
    {NAMES(1, 16), NAMES(2, 16), NAMES(3, 16), NAMES(4, 16)},
};

void satk_box_cpu(const satk_box *job, int threads)
{
    const int kind = job->word == 32 ? 0 : job->wide ? 2 : 1;
    row_function *const row = row_functions[job->src.bits == 16][job->src.channels - 1][kind];

#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int y = 0; y < job->src.height; y++)
        row(job, y);
}
