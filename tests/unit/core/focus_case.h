/* Made-up pictures with maps for the tests of auto focus. Places and sizes are in per cent of a picture of 400 x 300. */
#ifndef SATB_TESTS_FOCUS_CASE_H
#define SATB_TESTS_FOCUS_CASE_H

#include "unit/core/unit_context.h"
#include "unit/core/unit_drawn.h"

#include <math.h>
#include <satblur.h>
#include <stdlib.h>

enum { WIDE = 400, HIGH = 300 };

typedef struct scene {
    satb_image picture, map;
} scene;

/* --- Drawing ---------------------------------------------------------------------------------- */

/* Returns a number of 0 .. 255 that looks random. */
static inline uint32_t noise_at(int x, int y, uint32_t seed)
{
    uint32_t n = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + seed * 974711u;

    n = (n ^ n >> 13) * 1274126177u;
    return (n ^ n >> 16) & 255;
}

/* How sharp a surface is: the side of the squares that noise is averaged over, or SMOOTH. */
typedef enum looks { SMOOTH = 0, SHARP = 2, BLURRED = 12 } looks;

static inline uint32_t texture_at(int x, int y, looks look)
{
    const int side = (int)look, area = side * side;
    uint32_t sum = 0;

    for (int i = 0; i < area; i++)
        sum += noise_at(x + i % side, y + i / side, 7);
    return look == SMOOTH ? 120 : sum / (uint32_t)area;
}

static inline void put_pixel(const scene *s, int x, int y, looks look, double disparity)
{
    const uint32_t largest = s->map.bits == 8 ? 255 : 65535;

    for (int c = 0; c < s->picture.channels; c++)
        put(&s->picture, x, y, c, texture_at(x, y, look) * (s->picture.bits == 8 ? 1 : 257));
    put(&s->map, x, y, 0, (uint32_t)(disparity * largest + 0.5));
}

/* Draws a rectangle whose disparity goes from `above` at its top to `below` at its bottom. */
static inline void draw_box(const scene *s, const int box[4], looks look, double above,
                            double below)
{
    const int y0 = box[1] * HIGH / 100, y1 = box[3] * HIGH / 100;

    for (int y = y0; y < y1; y++)
        for (int x = box[0] * WIDE / 100; x < box[2] * WIDE / 100; x++)
            put_pixel(s, x, y, look, above + (below - above) * (y - y0) / (y1 - y0));
}

#define BOX(left, top, right, bottom) ((const int[4]){left, top, right, bottom})

static inline scene open_scene(int bits)
{
    const scene s = {blank(WIDE, HIGH, 3, 8), blank(WIDE, HIGH, 1, bits)};

    assert_true(s.picture.data && s.map.data);
    draw_box(&s, BOX(0, 0, 100, 100), SHARP, 0.05, 0.05);
    return s;
}

/* Adds noise of up to `strength` codes to an image of 8 bits. */
static inline void add_noise(const satb_image *image, int strength)
{
    for (int i = 0; i < image->width * image->height * image->channels; i++) {
        const int c = i % image->channels, x = i / image->channels % image->width;
        const int y = i / image->channels / image->width;
        const int code = (int)sample(image, x, y, c) +
                         ((int)noise_at(x, y, 99 + (uint32_t)c) - 128) * strength / 128;
        put(image, x, y, c, (uint32_t)(code < 0 ? 0 : code > 255 ? 255 : code));
    }
}

/* --- Focus ------------------------------------------------------------------------------------ */

static inline satb_dof_report report_of(const scene *s, const satb_dof_params *params)
{
    const satb_image coc = blank(s->picture.width, s->picture.height, 1, 16);
    satb_dof_report report;

    if (satb_coc(cpu, &s->picture, &s->map, &coc, params, &report) != SATB_OK)
        fail_msg("%s", satb_last_message(cpu));
    return report;
}

/* Returns the focus, after checking that the reported point has about that depth. */
static inline double focus_of(const scene *s)
{
    const satb_dof_report found = report_of(s, &(satb_dof_params){.holes = SATB_HOLES_NONE});
    const satb_dof_params there = {.focus_mode = SATB_FOCUS_POINT,
                                   .focus_x = found.focus_x,
                                   .focus_y = found.focus_y,
                                   .holes = SATB_HOLES_NONE};

    assert_in_range(found.focus_x, 0, s->picture.width - 1);
    assert_in_range(found.focus_y, 0, s->picture.height - 1);
    const satb_dof_report again = report_of(s, &there);
    if (fabs(again.focus - found.focus) > 0.04)
        fail_msg("focus %g, but %g at %d,%d", found.focus, again.focus, found.focus_x,
                 found.focus_y);
    assert_true(again.focus_x == found.focus_x && again.focus_y == found.focus_y);
    return found.focus;
}

static inline void focus_is(const scene *s, double want, double tolerance)
{
    const double focus = focus_of(s);

    if (!(fabs(focus - want) <= tolerance))
        fail_msg("focus %g, not %g", focus, want);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

static inline void draw_person(const scene *s)
{
    draw_box(s, BOX(25, 50, 75, 100), SMOOTH, 0.85, 1);
    draw_box(s, BOX(42, 20, 58, 50), SHARP, 0.7, 0.7);
}

static inline void draw_figure_on_ground(const scene *s)
{
    draw_box(s, BOX(0, 40, 100, 100), SHARP, 0, 1);
    draw_box(s, BOX(62, 38, 68, 62), SHARP, 0.35, 0.35);
}

static inline void draw_blurred_before_sharp(const scene *s)
{
    draw_box(s, BOX(0, 0, 100, 100), BLURRED, 0.1, 0.1);
    draw_box(s, BOX(45, 25, 70, 85), SHARP, 0.5, 0.5);
    draw_box(s, BOX(0, 20, 40, 100), BLURRED, 0.9, 0.9);
}

#endif
