#include "depth_holes.h"

#include "plane.h"
#include "size.h"

#include <stdlib.h>
#include <string.h>

satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params)
{
    if (params->holes != SATB_HOLES_DEFAULT)
        return params->holes;
    return map->bits == 16 && params->depth_type == SATB_DEPTH_LINEAR && params->near_black
               ? SATB_HOLES_FILL
               : SATB_HOLES_NONE;
}

static uint32_t code_at(const satb_image *map, int x, int y)
{
    return satk_code((const uint8_t *)map->data + y * map->stride,
                     (size_t)x * (size_t)map->channels, map->bits);
}

static size_t count_holes(const satb_image *map, int threads)
{
    size_t holes = 0;

#pragma omp parallel for num_threads(threads) reduction(+ : holes)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            holes += code_at(map, x, y) == 0;
    return holes;
}

/* --- One code for all holes ------------------------------------------------------------------- */

static void fill_with(const satb_image *map, uint32_t code, const satb_image *out, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const uint32_t known = code_at(map, x, y);
            satk_put_pixel((uint8_t *)out->data + y * out->stride, x, 1, map->bits,
                           known ? &known : &code);
        }
}

/* --- The nearest known code -------------------------------------------------------------------
 * By columns, then by rows: A. Meijster, J. Roerdink, W. Hesselink, "A General Algorithm for
 * Computing Distance Transforms in Linear Time", 2000. All distances are exact. */

enum { NOWHERE = -1 };

/* rows[]: in each column, the row of the nearest known sample, the upper one of two; or NOWHERE. */
static void nearest_rows(const satb_image *map, int32_t *rows, int threads)
{
    const int w = map->width, h = map->height;

#pragma omp parallel for num_threads(threads)
    for (int part = 0; part < threads; part++) {
        const int x0 = (int)((int64_t)w * part / threads);
        const int x1 = (int)((int64_t)w * (part + 1) / threads);
        for (int y = 0; y < h; y++) /* from above */
            for (int x = x0; x < x1; x++) {
                int32_t *const row = rows + (size_t)y * (size_t)w + (size_t)x;
                *row = code_at(map, x, y) ? y : y > 0 ? row[-w] : NOWHERE;
            }
        for (int y = h - 2; y >= 0; y--) /* from below */
            for (int x = x0; x < x1; x++) {
                int32_t *const row = rows + (size_t)y * (size_t)w + (size_t)x;
                if (row[w] != NOWHERE && (*row == NOWHERE || row[w] - y < y - *row))
                    *row = row[w];
            }
    }
}

typedef struct parabola { /* of squared distances from a column's nearest sample */
    int column;
    int64_t squared; /* its distance in rows */
    int from;        /* the first x where it is the lowest */
} parabola;

/* The first x at which b, the one on the right, is below a; width if none is. */
static int first_below(const parabola *a, const parabola *b, int width)
{
    const int64_t i = a->column, k = b->column;
    const int64_t twice = k * k - i * i + b->squared - a->squared, step = 2 * (k - i);

    if (twice < 0)
        return 0;
    return twice / step >= width ? width : (int)(twice / step) + 1;
}

/* hull: room for a row. */
static void fill_row(const satb_image *map, const int32_t *rows, int y, parabola *hull,
                     const satb_image *out)
{
    const int w = map->width;
    int count = 0;

    for (int x = 0; x < w; x++) {
        if (rows[x] == NOWHERE)
            continue;
        parabola p = {x, (int64_t)(rows[x] - y) * (rows[x] - y), 0};
        while (count > 0 && (p.from = first_below(&hull[count - 1], &p, w)) <= hull[count - 1].from)
            count--;
        if (count == 0)
            p.from = 0;
        if (p.from < w)
            hull[count++] = p;
    }
    for (int x = w - 1; x >= 0; x--) {
        while (hull[count - 1].from > x)
            count--;
        const int column = hull[count - 1].column;
        const uint32_t code = code_at(map, column, rows[column]);
        satk_put_pixel((uint8_t *)out->data + y * out->stride, x, 1, map->bits, &code);
    }
}

/* 0: out of memory. There is a known sample. */
static int fill_nearest(const satb_image *map, const satb_image *out, int threads)
{
    const size_t w = (size_t)map->width;
    int32_t *const rows = malloc(w * (size_t)map->height * sizeof *rows);
    int whole = rows != NULL;

    if (!rows)
        return 0;
    nearest_rows(map, rows, threads);
#pragma omp parallel num_threads(threads) reduction(& : whole)
    {
        parabola *const hull = malloc(w * sizeof *hull);
        whole = hull != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < map->height; y++)
            if (hull)
                fill_row(map, rows + (size_t)y * w, y, hull, out);
        free(hull);
    }
    free(rows);
    return whole;
}

/* --- Run -------------------------------------------------------------------------------------- */

satb_status satb_fill_holes(satb_context *context, const satb_image *map, satb_holes how,
                            int near_black, satb_image *out, size_t *holes)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;
    const uint32_t largest = (1u << map->bits) - 1;

    *out = *map;
    *holes = how == SATB_HOLES_NONE ? 0 : count_holes(map, context->threads);
    if (*holes == 0)
        return SATB_OK;
    if (how == SATB_HOLES_FILL && *holes == (size_t)map->width * (size_t)map->height)
        return SATB_OK; /* nothing is known: code 0 it is */
    *out = (satb_image){.data = malloc(row * (size_t)map->height),
                        .stride = (ptrdiff_t)row,
                        .width = map->width,
                        .height = map->height,
                        .channels = 1,
                        .bits = map->bits};
    int whole = out->data != NULL;
    if (whole && how == SATB_HOLES_FILL)
        whole = fill_nearest(map, out, context->threads);
    else if (whole)
        fill_with(map, (how == SATB_HOLES_NEAR) == !near_black ? largest : 0, out,
                  context->threads);
    if (whole)
        return SATB_OK;
    free(out->data);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the holes of depth");
}
