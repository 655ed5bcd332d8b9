#include "job/focus_plane.h"

#include "image/orientation.h"
#include "job/map_check.h"
#include "job/map_numbers.h"

#include <math.h>
#include <stdlib.h>

void focus_plane_settle(satb_dof_params *dof)
{
    const double scale = 65535.0 / PLANE_STEPS;
    dof->near_scale = scale * (dof->scaled ? dof->near_scale : 1);
    dof->far_scale = scale * (dof->scaled ? dof->far_scale : 1);
    dof->scaled = 1;
    dof->focus_range /= scale;
    dof->depth_type = SATB_DEPTH_DISPARITY;
    dof->near_black = 0;
    dof->range_low = dof->range_high = 0;
    dof->distance_near = dof->distance_far = 0;
}

/* --- Disparities ------------------------------------------------------------------------------ */

typedef struct disparities { /* of a map's codes, by the formulas of <satblur.h> */
    const satb_image *map;
    unsigned full;  /* the largest code */
    double *of;     /* by code */
    bool has_holes; /* code 0 is unknown, and is to be filled */
} disparities;

static bool find_disparities(disparities *d, const satb_image *map, const satb_dof_params *dof)
{
    const satb_holes holes = map_holes(dof, map);
    *d = (disparities){.map = map, .full = map->bits == 16 ? UINT16_MAX : UINT8_MAX};
    d->of = pixels_allocate((d->full + 1) * sizeof *d->of);
    for (unsigned i = 0; d->of && i <= d->full; i++)
        d->of[i] = map_disparity(dof, (double)i / d->full);
    if (d->of && (holes == SATB_HOLES_FAR || holes == SATB_HOLES_NEAR))
        d->of[0] = holes == SATB_HOLES_NEAR;
    d->has_holes = holes == SATB_HOLES_FILL;
    return d->of != NULL;
}

static unsigned code_at(const disparities *d, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)d->map->data + y * d->map->stride;
    return picture_sample(d->map, row, (size_t)x * (size_t)d->map->channels);
}

/* --- The plane -------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Finds the median disparity of the known samples around a place of the map, at 1/256 of its longer side, at most 8 samples.
 * False: all are holes. */
static bool median_around(const disparities *d, int x0, int y0, double *median)
{
    enum { MOST = 8 };
    const int width = d->map->width, height = d->map->height;
    const int longer = width > height ? width : height;
    const int k = longer / 256 < MOST ? 1 + longer / 256 : MOST;
    double known[(2 * MOST + 1) * (2 * MOST + 1)];
    int count = 0;
    for (int y = y0 - k; y <= y0 + k; y++)
        for (int x = x0 - k; x <= x0 + k; x++)
            if (x >= 0 && x < width && y >= 0 && y < height &&
                !(d->has_holes && code_at(d, x, y) == 0))
                known[count++] = d->of[code_at(d, x, y)];
    qsort(known, (size_t)count, sizeof *known, by_size);
    *median = count > 0 ? known[(count - 1) / 2] : 0;
    return count > 0;
}

typedef struct
    plane { /* disparity = start + right x + down y, x and y in parts of the picture's sides */
    double start, right, down;
} plane;

/* Returns the plane through three points that are not on a line. */
static plane plane_through(const double x[3], const double y[3], const double d[3])
{
    const double x1 = x[1] - x[0], x2 = x[2] - x[0], y1 = y[1] - y[0], y2 = y[2] - y[0];
    const double d1 = d[1] - d[0], d2 = d[2] - d[0], area = x1 * y2 - x2 * y1;
    const double right = (d1 * y2 - d2 * y1) / area, down = (x1 * d2 - x2 * d1) / area;
    return (plane){d[0] - right * x[0] - down * y[0], right, down};
}

/* Finds the plane in the stored picture. */
static bool find_plane(const picture_job *j, const disparities *d, double depths[3], plane *out,
                       problem *p)
{
    const focus_plane *const f = &j->o->plane;
    const satb_image *const src = &j->request.src;
    const bool swapped = orientation_swaps(j->input.orientation);
    const int width = swapped ? src->height : src->width;
    const int height = swapped ? src->width : src->height;
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        int at_x = f->x[i], at_y = f->y[i];
        if (at_x >= width || at_y >= height)
            return problem_set(p,
                               "--focus-plane: %d,%d is outside the picture of %d x %d pixels; 0,0 "
                               "is the top left",
                               at_x, at_y, width, height);
        orientation_point_to_stored(j->input.orientation, width, height, &at_x, &at_y);
        x[i] = (at_x + 0.5) / src->width;
        y[i] = (at_y + 0.5) / src->height;
        depths[i] = f->depths[i];
        if (!f->has_depths && !median_around(d, (int)(x[i] * d->map->width),
                                             (int)(y[i] * d->map->height), &depths[i]))
            return problem_set(p,
                               "%s: no depth is known around %d,%d; give another pixel, or the "
                               "disparities: --focus-plane X,Y,D,X,Y,D,X,Y,D",
                               j->o->map, f->x[i], f->y[i]);
    }
    *out = plane_through(x, y, depths);
    return true;
}

/* --- The map ---------------------------------------------------------------------------------- */

/* Fills the dense map of 16 bits with the differences from the plane. */
static void subtract(const disparities *d, const plane *from, const satb_image *to)
{
    uint16_t *out = to->data;
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            const unsigned code = code_at(d, x, y);
            const double depth = from->start + from->right * (x + 0.5) / to->width +
                                 from->down * (y + 0.5) / to->height;
            const double difference = fmin(1, fmax(-1, d->of[code] - depth));
            *out++ = d->has_holes && code == 0
                         ? 0
                         : (uint16_t)(PLANE_FOCUS + lrint(difference * PLANE_STEPS));
        }
}

/* Keeps what the notes need of the map that is replaced. */
static void remember(engine_request *q, const disparities *d)
{
    q->plane.dof = q->dof;
    q->plane.dof.holes = map_holes(&q->dof, &q->map);
    q->plane.map = q->map;
    q->plane.map.data = NULL;
    for (int y = 0; y < q->map.height && q->plane.dof.holes != SATB_HOLES_NONE; y++)
        for (int x = 0; x < q->map.width; x++)
            q->plane.unknown += code_at(d, x, y) == 0;
}

bool focus_plane_apply(picture_job *j, problem *p)
{
    engine_request *const q = &j->request;
    disparities d = {0};
    plane at = {0};
    problem inner;
    if (!pixels_bring(&q->map, &inner))
        return problem_at(p, j->o->map, &inner);
    satb_image map = {.width = q->map.width, .height = q->map.height, .channels = 1, .bits = 16};
    map_doubt_range(q);
    bool done = find_disparities(&d, &q->map, &q->dof) && pixels_make(&map, NULL);
    if (!done)
        problem_set(p, "%s: not enough memory to subtract the plane of focus", j->o->map);
    done = done && find_plane(j, &d, q->plane.depths, &at, p);
    if (done) {
        remember(q, &d);
        subtract(&d, &at, &map);
        pixels_drop(&q->map);
        q->map = map;
        q->dof.holes = d.has_holes ? SATB_HOLES_FILL : SATB_HOLES_NONE;
        focus_plane_settle(&q->dof);
    } else {
        pixels_free(map.data);
    }
    pixels_free(d.of);
    return done;
}
