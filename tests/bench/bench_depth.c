#include "bench/bench_depth.h"

#include "bench/bench_run.h"
#include "bench/bench_scene.h"
#include "depth/dof_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = SCENE_WIDTH, HEIGHT = SCENE_HEIGHT };

typedef struct depth_row {
    const char *what;
    int part;     /* of the picture's size */
    int bits;     /* of the map */
    double soft;  /* width of its edges, in pixels of the picture */
    double noise; /* codes of 8 bits */
} depth_row;

static const depth_row rows[] = {
    {"hard edges", 1, 8, 0, 0},  {"hard edges", 1, 16, 0, 0}, {"soft by 3", 1, 8, 3, 1},
    {"soft by 5", 1, 8, 5, 1},   {"soft by 16", 1, 8, 16, 1}, {"hard edges", 2, 8, 0, 0},
    {"hard edges", 2, 16, 0, 0}, {"hard edges", 4, 8, 0, 0},  {"noise", 1, 8, 0, 40},
};
const int depth_rows_count = sizeof rows / sizeof *rows;

/* --- A scene ---------------------------------------------------------------------------------- */

/* Returns 0 .. 1, of a pixel. All that is before the wall has one depth. */
static double depth_at(double x, double y, double soft)
{
    const double cover = fmin(fmax(0.5 + scene_within(x, y, NULL) / fmax(soft, 1e-9), 0), 1);

    return cover * 0.8 + (1 - cover) * scene_wall(y);
}

static void draw(const depth_row *r, const satb_image *map, const satb_image *picture)
{
    const double scale = map->bits == 8 ? 1 : 257;

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const double q = depth_at((x + 0.5) * r->part, (y + 0.5) * r->part, r->soft);
            const double noise = r->noise * (scene_hash((uint32_t)x, (uint32_t)y) / 65536.0 - 0.5);
            const double code = scale * (q * 255 + noise);
            if (map->bits == 8)
                ((uint8_t *)map->data)[y * map->width + x] = (uint8_t)code;
            else
                ((uint16_t *)map->data)[y * map->width + x] = (uint16_t)code;
        }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const double q = depth_at(i % WIDTH + 0.5, i / WIDTH + 0.5, 1);
        for (int c = 0; c < 3; c++)
            ((uint8_t *)picture->data)[3 * i + c] =
                (uint8_t)(30 + 180 * q + scene_hash((uint32_t)i, (uint32_t)c) % 24);
    }
}

/* --- Run -------------------------------------------------------------------------------------- */

typedef struct work {
    satb_context *context;
    satb_image map, picture;
    size_t decided;
} work;

static int run(void *of, int set)
{
    static const satb_dof_params defaults;
    work *const w = of;
    satb_dof_plan plan;

    (void)set;
    if (satb_open_dof_plan(w->context, &plan, &w->picture, &w->map, &defaults) != SATB_OK)
        return 1;
    w->decided = (size_t)plan.report.snapped;
    satb_close_dof_plan(w->context, &plan);
    return 0;
}

/* Returns milliseconds, the median of `samples`. Negative: it failed. */
static double time_of(const depth_row *r, work *w, int threads, int samples)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = threads};
    double ms = -1;

    if (w->map.data && w->picture.data && satb_open(&w->context, &config) == SATB_OK) {
        draw(r, &w->map, &w->picture);
        ms = bench_median(&(bench_work){.on = BENCH_CPU, .sets = 1, .run = run, .of = w}, samples);
    }
    satb_close(&w->context);
    return ms;
}

int depth_measure(int row, const char *filter, int threads, int samples)
{
    const depth_row *const r = &rows[row];
    const int w = WIDTH / r->part, h = HEIGHT / r->part, sample = r->bits / 8;
    char name[160];

    snprintf(name, sizeof name, "depth %dx%d, map %dx%d u%d, %s", WIDTH, HEIGHT, w, h, r->bits,
             r->what);
    if (filter && !strstr(name, filter))
        return 0;
    work one = {.map = {malloc((size_t)(w * h * sample)), w * sample, w, h, 1, r->bits},
                .picture = {malloc(3 * WIDTH * HEIGHT), 3 * WIDTH, WIDTH, HEIGHT, 3, 8}};
    const double ms = time_of(r, &one, threads, samples);
    if (ms > 0)
        printf("| %s | CPU, %d | %zu | %.2f |\n", name, threads, one.decided, ms);
    else
        fprintf(stderr, "satbench: %s: out of memory\n", name);
    fflush(stdout);
    free(one.map.data);
    free(one.picture.data);
    return ms > 0 ? 1 : -1;
}
