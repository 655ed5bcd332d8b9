#include "job/tilt_shift.h"

#include "image/orientation.h"
#include "job/focus_plane.h"

#include <exact_math.h>
#include <math.h>

/* The way across the band, from 0 at the picture's first corner to 1 at its last one: x * right + y * down + start. */
typedef struct across {
    double right, down, start;
} across;

static across find_across(const tilt_shift *tilt, int width, int height)
{
    const double angle = tilt->angle * 3.141592653589793 / 180;
    const double s = satb_sin(angle), c = satb_cos(angle);
    const double extent = width * fabs(s) + height * fabs(c);
    const across a = {s / extent, c / extent, 0.5};
    return (across){a.right, a.down,
                    a.start + (0.5 - width / 2.0) * a.right + (0.5 - height / 2.0) * a.down};
}

bool tilt_shift_map(const tilt_shift *tilt, int width, int height, satb_image *map, problem *p)
{
    const across a = find_across(tilt, width, height);
    const double half = tilt->width / 2;
    const double longest = fmax(tilt->position, 1 - tilt->position) - half;
    *map = (satb_image){.width = width, .height = height, .channels = 1, .bits = 16};
    if (!pixels_make(map, NULL))
        return problem_set(p, "not enough memory for the map of --tilt-shift");
    uint16_t *to = map->data;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const double from = x * a.right + y * a.down + a.start - tilt->position;
            const double beyond = fmin(1, fmax(0, fabs(from) - half) / longest);
            *to++ = (uint16_t)(PLANE_FOCUS + lrint(copysign(beyond * PLANE_STEPS, from)));
        }
    return true;
}

bool tilt_shift_make(picture_job *j, problem *p)
{
    const satb_image *const src = &j->request.src;
    const int orientation = j->input.orientation;
    const bool swapped = orientation_swaps(orientation);
    satb_image *const map = &j->request.map;
    problem inner;
    focus_plane_settle(&j->request.dof);
    j->request.dof.holes = SATB_HOLES_NONE;
    j->request.dof.edges = SATB_DEPTH_EDGES_KEEP;
    return (tilt_shift_map(&j->o->tilt, swapped ? src->height : src->width,
                           swapped ? src->width : src->height, map, &inner) &&
            (orientation_apply(map, orientation_inverse(orientation)) ||
             problem_set(&inner, "not enough memory to rotate the map of --tilt-shift"))) ||
           problem_at(p, j->o->input, &inner);
}
