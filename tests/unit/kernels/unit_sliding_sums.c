/* Sums over windows, against sums pixel by pixel. */
#include "matte/sliding_sums.h"

#include "unit/unit.h"

#include <string.h>

enum { THREADS = 2 };

typedef struct planes {
    satk_sliding_sums w;
    uint32_t *at;    /* the planes */
    uint8_t *sought; /* of each pixel */
    int *taken;      /* the radius at which each pixel was taken; -1: not yet */
    _Atomic int wrong;
} planes;

static uint32_t at(const planes *p, int x, int y, int plane)
{
    return p->at[(y * p->w.width + x) * p->w.planes + plane];
}

static void read_row(const void *job, int y, int x0, int x1, uint32_t *row)
{
    const planes *const p = job;
    const size_t count = (size_t)p->w.planes;

    memcpy(row, p->at + (size_t)(y * p->w.width + x0) * count,
           (size_t)(x1 - x0) * count * sizeof *row);
}

static uint64_t sum(const planes *p, int x, int y, int plane)
{
    const int r = p->w.radius;
    uint64_t all = 0;

    for (int j = y - r; j <= y + r; j++)
        for (int i = x - r; i <= x + r; i++)
            if (i >= 0 && j >= 0 && i < p->w.width && j < p->w.height)
                all += at(p, i, j, plane);
    return all;
}

/* Compares a row. A pixel is done once its window has more than 9 in plane 0. */
static void take_row(void *job, const satk_sliding_row *row)
{
    planes *const p = job;
    const int y = row->y;

    for (int x = row->x0; x < row->x1; x++) {
        for (int k = 0; k < p->w.planes; k++)
            if (satk_sliding_sum(&p->w, row, x, k) != sum(p, x, y, k))
                p->wrong = 1;
        const int i = y * p->w.width + x;
        if (p->sought[i] && satk_sliding_sum(&p->w, row, x, 0) > 9) {
            p->sought[i] = 0;
            p->taken[i] = p->w.radius;
        }
    }
}

static planes make(int width, int height, int count, int radius)
{
    const size_t pixels = (size_t)(width * height);
    planes p = {.w = {.width = width,
                      .height = height,
                      .planes = count,
                      .radius = radius,
                      .read = read_row,
                      .take = take_row},
                .at = unit_memory(pixels * (size_t)count * sizeof *p.at),
                .sought = unit_memory(pixels),
                .taken = unit_memory(pixels * sizeof *p.taken)};

    p.w.scratch = unit_memory(satk_sliding_sums_scratch(width, count, THREADS));
    for (size_t i = 0; i < pixels * (size_t)count; i++)
        p.at[i] = i % 97 == 0 ? UINT32_MAX : (uint32_t)(i * 2654435761u >> 20) % 4 == 0;
    for (size_t i = 0; i < pixels; i++) {
        p.sought[i] = i % 3 == 0;
        p.taken[i] = -1;
    }
    return p;
}

static void sums(void **state)
{
    static const int cases[][4] = {{1, 1, 1, 1},   {7, 5, 3, 1},    {23, 31, 8, 2}, {40, 9, 2, 5},
                                   {9, 40, 4, 12}, {13, 13, 5, 40}, {64, 64, 1, 31}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        planes p = make(cases[i][0], cases[i][1], cases[i][2], cases[i][3]);
        p.w.job = &p;
        satk_sliding_sums_run(&p.w, THREADS);
        assert_false(p.wrong);
    }
}

/* Each sought pixel is taken in the first window that suffices. */
static void widened(void **state)
{
    planes p = make(41, 29, 2, 1);
    p.w.job = &p;
    for (size_t i = 0; i < 41 * 29 * 2; i++)
        p.at[i] = i % 2 == 0 && i % 61 == 0;
    satk_sliding_sums_widen(&p.w, p.sought, THREADS);
    assert_false(p.wrong);
    int wide = 0;
    for (int i = 0; i < 41 * 29; i++) {
        int radius = 1;
        for (; radius < 41; radius *= 2) {
            p.w.radius = radius;
            if (sum(&p, i % 41, i / 41, 0) > 9)
                break;
        }
        assert_int_equal(p.taken[i], i % 3 == 0 ? radius : -1);
        wide += radius > 4;
    }
    assert_true(wide > 0);
}

/* Around few pixels, in tiles, the sums are those of all. A byte of 1 or 2 says that a pixel is sought. */
static void sought(void **state)
{
    static const int places[][2] = {{0, 0}, {127, 60}, {128, 61}, {299, 139}, {290, 3}};

    for (int radius = 1; radius < 80; radius *= 4) {
        planes p = make(300, 140, 2, radius);
        p.w.job = &p;
        memset(p.at, 1, (size_t)300 * 140 * 2 * sizeof *p.at);
        memset(p.sought, 0, (size_t)300 * 140);
        assert_false(satk_sliding_sums_seek(&p.w, p.sought, THREADS));
        for (int i = 0; i < 5; i++)
            p.sought[places[i][1] * 300 + places[i][0]] = (uint8_t)(1 + i % 2);
        assert_true(satk_sliding_sums_seek(&p.w, p.sought, THREADS));
        assert_false(p.wrong);
        for (int i = 0; i < 5; i++)
            assert_int_equal(p.taken[places[i][1] * 300 + places[i][0]], radius);
    }
}

/* It ends where nothing suffices. */
static void nothing_found(void **state)
{
    planes p = make(20, 30, 1, 3);
    p.w.job = &p;
    memset(p.at, 0, 20 * 30 * sizeof *p.at);
    satk_sliding_sums_widen(&p.w, p.sought, THREADS);
    assert_true(p.w.radius >= 30);
    assert_int_equal(p.sought[0], 1);
}

UNIT_MAIN(UNIT(sums), UNIT(widened), UNIT(sought), UNIT(nothing_found))
