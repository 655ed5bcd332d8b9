/* Layers of a picture whose left and right sides meet: where it is cut hardly matters. */
#include "unit/core/unit_context.h"
#include "unit/core/unit_drawn.h"

#include <satblur.h>
#include <stdlib.h>

enum { W = 96, H = 48, FAR_CODE = 40, NEAR_CODE = 220 };

/* Returns the image with its columns moved to the right; what leaves on that side comes in on the left. */
static satb_image rolled(const satb_image *image, int columns)
{
    const satb_image out = blank(image->width, image->height, image->channels, image->bits);

    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            for (int c = 0; c < image->channels; c++)
                put(&out, (x + columns) % image->width, y, c, sample(image, x, y, c));
    return out;
}

/* Makes a picture of noise and dots of light, and a map of two surfaces and a slope. */
static void make_scene(satb_image *picture, satb_image *map, int channels)
{
    uint32_t noise = 7;

    *picture = blank(W, H, channels, 8);
    *map = blank(W, H, 1, 8);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            noise = noise * 1664525u + 1013904223u;
            const int is_near = x < 9 && y > 20, is_lit = x % 31 == 3 && y % 23 == 8;
            put(map, x, y, 0, is_near ? NEAR_CODE : (uint32_t)(FAR_CODE + y));
            for (int c = 0; c < channels; c++)
                put(picture, x, y, c, is_lit ? 255 : noise >> (8 + 2 * c) & 63);
        }
}

static satb_image blurred(const satb_image *picture, const satb_image *map,
                          const satb_dof_params *params)
{
    const satb_image out = blank(picture->width, picture->height, picture->channels, 8);

    assert_int_equal(satb_dof(cpu, picture, map, &out, params, NULL), SATB_OK);
    return out;
}

/* Cells of 4 x 4 pixels lie elsewhere, which changes what is a point of light and what is ground by a little, and faint alpha makes
 * it more. */
enum { MOST_APART = 1, MOST_BY_ALPHA = 2 };

/* Returns how many samples differ by more. */
static int differ(const satb_image *a, const satb_image *b)
{
    const int most = a->channels % 2 ? MOST_APART : MOST_BY_ALPHA;
    int count = 0;

    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            for (int c = 0; c < a->channels; c++)
                count += abs((int)sample(a, x, y, c) - (int)sample(b, x, y, c)) > most;
    return count;
}

static satb_dof_params params_of(double radius)
{
    return (satb_dof_params){.focus_mode = SATB_FOCUS_VALUE,
                             .focus = 0.5,
                             .strength = SATB_STRENGTH_RADIUS,
                             .max_radius = radius,
                             .edges = SATB_DEPTH_EDGES_KEEP,
                             .look.edge = SATB_EDGE_WRAP};
}

/* Returns how many samples of a rolled picture's blur differ from the rolled blur. */
static int cut_elsewhere(int columns, int channels, const satb_dof_params *params)
{
    satb_image picture, map;

    make_scene(&picture, &map, channels);
    const satb_image there = rolled(&picture, columns), its_map = rolled(&map, columns);
    const satb_image here = blurred(&picture, &map, params);
    const satb_image want = rolled(&here, columns), got = blurred(&there, &its_map, params);
    const int count = differ(&want, &got);

    return count;
}

static void no_place_is_a_side(void **state)
{
    for (int columns = 1; columns < W; columns += 17)
        for (int channels = 1; channels <= 4; channels++)
            for (int lights = 0; lights <= 8; lights += 8) {
                satb_dof_params params = params_of(9);
                params.highlights = lights;
                assert_int_equal(cut_elsewhere(columns, channels, &params), 0);
                params.bokeh = SATB_BOKEH_SQUARE;
                params.squeeze = 2;
                assert_int_equal(cut_elsewhere(columns, channels, &params), 0);
            }
}

/* The test above can fail: windows that end at the sides see where these are. */
static void sides_that_shrink(void **state)
{
    satb_dof_params params = params_of(9);

    params.look.edge = SATB_EDGE_SHRINK;
    assert_true(cut_elsewhere(18, 3, &params) > 0);
}

/* Windows may be wider than the picture. */
static void wider_than_the_picture(void **state)
{
    const satb_dof_params params = params_of(500);
    satb_image picture, map;

    make_scene(&picture, &map, 3);
    (void)blurred(&picture, &map, &params);
}

static void what_does_not_wrap(void **state)
{
    satb_dof_params params = params_of(9);
    satb_image picture, map;

    make_scene(&picture, &map, 3);
    params.vignette = 0.5;
    assert_int_equal(satb_dof(cpu, &picture, &map, &picture, &params, NULL), SATB_ERR_ARG);
    params.vignette = 0;
    params.method = SATB_METHOD_SPREAD;
    assert_int_equal(satb_dof(cpu, &picture, &map, &picture, &params, NULL), SATB_ERR_ARG);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(no_place_is_a_side), UNIT(sides_that_shrink),
                 UNIT(wider_than_the_picture), UNIT(what_does_not_wrap))
