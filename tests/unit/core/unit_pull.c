/* In a slow pull of the focus no picture may jump. */
#include "unit/unit.h"

#include <satblur.h>

#include <stdlib.h>

enum { WIDTH = 96, HEIGHT = 72, CHANNELS = 3, SAMPLES = WIDTH * HEIGHT * CHANNELS };
enum { STEPS = 500, REACH = 8 }; /* frames */

static const double MOST = 3; /* times the median around */

/* Layers go by the squares of radii in steps of a sixteenth, so frames near the focus rest between steps. */
static const double MOST_OF_STEP = 2;  /* times the largest of the others around */
static const double MOST_IN_ALL = 257; /* the mean of all samples: a code of 8 bits */

static uint16_t photo[SAMPLES], depth[WIDTH * HEIGHT], frames[2][SAMPLES];
static satb_context *context;

static uint32_t noise(uint32_t v)
{
    v = (v ^ 61) ^ (v >> 16);
    v *= 9;
    v ^= v >> 4;
    v *= 0x27d4eb2d;
    return v ^ (v >> 15);
}

/* Returns the depth of a floor that recedes, a wall behind it, and a disc and a thin bar before them. */
static uint16_t depth_at(int x, int y)
{
    if (abs(x - 18) <= 1)
        return 60000;
    if ((x - 60) * (x - 60) + (y - 30) * (y - 30) < 15 * 15)
        return 40000;
    return y < 36 ? 8000 : (uint16_t)(8000 + (y - 36) * 1200);
}

static int set_up(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 1};

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int at = y * WIDTH + x;
            depth[at] = depth_at(x, y);
            for (int c = 0; c < CHANNELS; c++)
                photo[CHANNELS * at + c] = (uint16_t)(noise((uint32_t)(x / 3 + 997 * (y / 3) +
                                                                       31 * depth[at] / 9000 + c)) %
                                                      50000);
        }
    return satb_open(&context, &config) == SATB_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    satb_close(&context);
    return 0;
}

static void render(int step, satb_method method, satb_bokeh bokeh, uint16_t *out)
{
    const satb_image src = {photo, 2 * CHANNELS * WIDTH, WIDTH, HEIGHT, CHANNELS, 16, 0, 0};
    const satb_image map = {depth, 2 * WIDTH, WIDTH, HEIGHT, 1, 16, 0, 0};
    const satb_image dst = {out, 2 * CHANNELS * WIDTH, WIDTH, HEIGHT, CHANNELS, 16, 0, 0};
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                    .focus = step / (double)STEPS,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 20,
                                    .method = method,
                                    .bokeh = bokeh};

    assert_int_equal(satb_dof(context, &src, &map, &dst, &params, NULL), SATB_OK);
}

static int order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the median of the changes within REACH frames. */
static double median_around(const double *change, int at)
{
    double sorted[2 * REACH + 1];
    int count = 0;

    for (int i = at - REACH; i <= at + REACH; i++)
        if (i >= 0 && i < STEPS)
            sorted[count++] = change[i];
    qsort(sorted, (size_t)count, sizeof *sorted, order);
    return sorted[count / 2];
}

/* Returns the largest change of the other frames within REACH. */
static double largest_around(const double *change, int at)
{
    double largest = 0;

    for (int i = at - REACH; i <= at + REACH; i++)
        if (i >= 0 && i < STEPS && i != at && change[i] > largest)
            largest = change[i];
    return largest;
}

/* Finds the mean change of samples from each frame to the next. */
static void pull(satb_method method, satb_bokeh bokeh, double *change)
{
    render(0, method, bokeh, frames[0]);
    for (int i = 0; i < STEPS; i++) {
        const uint16_t *const before = frames[i % 2];
        uint16_t *const after = frames[(i + 1) % 2];
        double sum = 0;
        render(i + 1, method, bokeh, after);
        for (int k = 0; k < SAMPLES; k++)
            sum += abs(after[k] - before[k]);
        change[i] = sum / SAMPLES;
    }
}

/* Changes grow and shrink smoothly as surfaces come into focus: none is far from those around it. */
static void pull_evenly(satb_method method, satb_bokeh bokeh)
{
    double change[STEPS];

    pull(method, bokeh, change);
    for (int i = 0; i < STEPS; i++) {
        const double around = median_around(change, i);
        if (!(change[i] <= MOST * around))
            fail_msg("frame %d changes by %.0f codes, those around it by %.0f", i + 1, change[i],
                     around);
    }
}

/* Changes are steps, none of which is far larger than others around it, or can be seen. */
static void pull_in_steps(satb_method method, satb_bokeh bokeh)
{
    double change[STEPS];

    pull(method, bokeh, change);
    for (int i = 0; i < STEPS; i++) {
        const double around = largest_around(change, i);
        if (!(change[i] <= MOST_OF_STEP * around && change[i] <= MOST_IN_ALL))
            fail_msg("frame %d changes by %.0f codes, those around it by at most %.0f", i + 1,
                     change[i], around);
    }
}

static void layered(void **state)
{
    pull_in_steps(SATB_METHOD_LAYERED, SATB_BOKEH_DISC);
}

static void smooth(void **state)
{
    pull_in_steps(SATB_METHOD_LAYERED, SATB_BOKEH_SMOOTH);
}

static void gather(void **state)
{
    pull_evenly(SATB_METHOD_GATHER, SATB_BOKEH_SQUARE);
}

static void spread(void **state)
{
    pull_evenly(SATB_METHOD_SPREAD, SATB_BOKEH_SQUARE);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(layered), UNIT(smooth), UNIT(gather), UNIT(spread))
