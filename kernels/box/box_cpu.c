#include "box/box.h"

#include "box/box_rule.h"
#include "common/pool.h"

/* Blurs a row. */
SATK_FN void blur_row(const satk_box *job, int y, int channels, int word, int wide)
{
    const satk_box own = *job; /* no store of a pixel can change this one */

    for (int x = 0; x < own.src.width; x++)
        satk_box_pixel(&own, x, y, channels, own.src.bits, word, wide);
}

/* Each number of channels and each word has a function where they are constant. */
#define ROW(channels, word)                                                                        \
    static void row_##channels##_##word(const void *job, int y)                                    \
    {                                                                                              \
        blur_row(job, y, channels, word, 0);                                                       \
    }
ROW(1, 32)
ROW(2, 32)
ROW(3, 32)
ROW(4, 32)
ROW(1, 64)
ROW(2, 64)
ROW(3, 64)
ROW(4, 64)

static void row_wide(const void *job, int y)
{
    blur_row(job, y, ((const satk_box *)job)->src.channels, 64, 1);
}

static satk_item *const rows[2][4] = {
    {row_1_32, row_2_32, row_3_32, row_4_32},
    {row_1_64, row_2_64, row_3_64, row_4_64},
};

void satk_box_cpu(const satk_box *job, int threads)
{
    satk_item *const row = job->wide ? row_wide : rows[job->word == 64][job->src.channels - 1];

    satk_for(threads, job->src.height, 8, row, job);
}
