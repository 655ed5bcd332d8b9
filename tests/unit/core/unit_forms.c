/* core/blur/forms.c, core/blur/edge.c and core/blur/outlines.c: cat's eyes and rings, compared with the ideal ones pixel by pixel. */
#include "unit/unit.h"

#include "blur/forms.h"
#include "blur/outlines.h"
#include "unit/core/unit_spans.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080 };

/* --- The weights of a form -------------------------------------------------------------------- */

enum { REACH = 180, SIDE = 2 * REACH + 1 };

static int weights[SIDE][SIDE]; /* of the pixels around the centre */
static int reach;               /* of those that may have one */

static int weight_at(int x, int y)
{
    return weights[y + REACH][x + REACH];
}

/* Adds a box's corners, which sums over rows and columns turn into the box. radius: Q8 pixels. */
static void add_corners(const satk_form_box *box, int radius)
{
    const satk_range across = satk_form_columns(box, radius, REACH);
    const satk_range down = satk_form_rows(box, radius, REACH);

    if (across.lo >= across.hi || down.lo >= down.hi)
        return;
    assert_in_range(across.lo, REACH - reach, REACH + reach);
    assert_in_range(across.hi, REACH - reach, REACH + reach);
    assert_in_range(down.lo, REACH - reach, REACH + reach);
    assert_in_range(down.hi, REACH - reach, REACH + reach);
    weights[down.lo][across.lo] += box->weight;
    weights[down.lo][across.hi] -= box->weight;
    weights[down.hi][across.lo] -= box->weight;
    weights[down.hi][across.hi] += box->weight;
}

/* Makes the weights 0 in the rows and columns that a form of this radius can have. */
static void clear(int radius)
{
    for (int y = REACH - reach; y <= REACH + reach; y++)
        memset(weights[y], 0, sizeof weights[y]);
    reach =
        radius * 13 / 1024 + 4; /* a triangle with a squeeze of 4 has its corner at 3.11 radii */
    reach = reach < REACH ? reach : REACH;
}

/* Sets the weights of a form. Returns the least of them. */
static int set_weights(const satk_form_box *boxes, int count, int radius)
{
    int least = 0;

    clear(radius);
    for (int i = 0; i < count; i++)
        add_corners(&boxes[i], radius);
    for (int y = REACH - reach; y <= REACH + reach; y++)
        for (int x = REACH - reach, sum = 0; x <= REACH + reach; x++) {
            sum += weights[y][x];
            weights[y][x] = sum + (y > REACH - reach ? weights[y - 1][x] : 0);
            least = weights[y][x] < least ? weights[y][x] : least;
        }
    return least;
}

/* Sets the weights of outlines, times `unit`, rounded. */
static void set_outlines(const satb_outlines *o, int side, int column, int row, int radius,
                         int unit)
{
    satk_outlines at = o->all;
    at.of = o->of;
    const satk_outline *const outlines = satk_outlines_at(&at, side, column, row);

    clear(radius);
    for (int y = -reach; y <= reach; y++) {
        double lit[SIDE] = {0};
        for (int i = 0; i < at.levels; i++)
            add_lit_row(&outlines[i], radius, y, reach, lit);
        for (int x = -reach; x <= reach; x++)
            weights[y + REACH][x + REACH] = (int)lround(unit * lit[x + reach]);
    }
}

/* --- The ideal shapes ------------------------------------------------------------------------- */

/* Returns the part of the way from the centre to the outline that a point has, in radii: of a disc, a square, or a hexagon
 * with a corner at the top. */
static double part_of(const satb_dof_params *p, double x, double y)
{
    const double squeeze = p->squeeze > 0 ? p->squeeze : 1, pi = acos(-1);
    const double across = x * sqrt(squeeze), down = y / sqrt(squeeze);
    double most = 0;

    if (p->bokeh == SATB_BOKEH_SQUARE)
        return fmax(fabs(across), fabs(down));
    if (p->blades == 0)
        return hypot(across, down);
    for (int i = 0; i < 6; i++)
        most = fmax(most, across * cos(i * pi / 3) + down * sin(i * pi / 3));
    return most / sqrt(pi / (2 * sqrt(3)));
}

/* Returns the distance from the centre to the shape's farthest corner. */
static double rim_of(const satb_dof_params *p)
{
    return p->bokeh == SATB_BOKEH_SQUARE ? sqrt(2)
           : p->blades == 0              ? 1
                                         : sqrt(acos(-1) / (2 * sqrt(3))) / cos(acos(-1) / 6);
}

/* Returns 1 if a point is in the ideal shape of pixel column, row. sign: 1 if the disc that cuts it is shifted away from the
 * picture's centre, -1 if towards it. */
static int is_inside(const satb_dof_params *p, int column, int row, int sign, double x, double y)
{
    const double squeeze = p->squeeze > 0 ? p->squeeze : 1, half = hypot(WIDTH, HEIGHT) / 2;
    const double right = (column + 0.5 - WIDTH / 2.0) / half;
    const double low = (row + 0.5 - HEIGHT / 2.0) / half, away = hypot(right, low);
    const double kept = p->vignette * away > 0.95 ? 0.95 / away : p->vignette;
    const double shift = sign * kept * rim_of(p);

    return part_of(p, x, y) <= 1 &&
           hypot(x * sqrt(squeeze) - shift * right, y / sqrt(squeeze) - shift * low) <= rim_of(p);
}

/* --- Cat's eyes ------------------------------------------------------------------------------- */

/* Shapes, and what may differ of the ideal area. */
static const struct shape {
    const char *name;
    satb_dof_params p;
    double lights[2], windows[2]; /* at vignette 0.5 and 1 */
} shapes[] = {
    {"disc", {.blades = 0}, {0.02, 0.04}, {0.11, 0.16}},
    {"square", {.bokeh = SATB_BOKEH_SQUARE}, {0.02, 0.04}, {0.04, 0.06}},
    {"hexagon", {.blades = 6}, {0.02, 0.04}, {0.10, 0.165}},
    {"oval", {.squeeze = 2}, {0.02, 0.04}, {0.11, 0.165}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static const struct place {
    const char *name;
    int x, y;
} places[] = {{"centre", WIDTH / 2, HEIGHT / 2},
              {"half way", WIDTH / 4, HEIGHT / 4},
              {"right", WIDTH - 1, HEIGHT / 2},
              {"corner", WIDTH - 1, HEIGHT - 1}};
enum { PLACES = sizeof places / sizeof *places };

static satb_forms forms_of(const satb_aperture *a)
{
    satb_forms forms;

    assert_int_equal(satb_make_forms(NULL, a, WIDTH, HEIGHT, &forms), SATB_OK);
    satb_forms_at(&forms, forms.box);
    return forms;
}

static satb_outlines outlines_of(const satb_aperture *a)
{
    satb_outlines outlines;

    assert_int_equal(satb_make_outlines(NULL, a, WIDTH, HEIGHT, &outlines), SATB_OK);
    return outlines;
}

/* Returns the area that only one of the weights and the ideal shape has, as a part of the latter. */
static double difference(const satb_dof_params *p, const struct place *at, int sign, int radius)
{
    double differs = 0, area = 0;

    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            const int is_in =
                is_inside(p, at->x, at->y, sign, (double)x / radius, (double)y / radius);
            assert_in_range(weight_at(x, y), 0, 1);
            differs += weight_at(x, y) != is_in;
            area += is_in;
        }
    return differs / area;
}

/* Compares the forms of a shape at all places. which: of the vignettes. */
static void compare(const struct shape *s, int which)
{
    satb_dof_params p = s->p;
    p.vignette = 0.5 * (which + 1);
    const satb_aperture a = satb_make_aperture(&p);
    satb_forms forms = forms_of(&a);
    satb_outlines outlines = outlines_of(&a);
    const satk_forms *const f = &forms.windows;

    for (int i = 0; i < PLACES; i++)
        for (int radius = 24; radius <= 100; radius += 76) {
            const int x = places[i].x, y = places[i].y;
            set_outlines(&outlines, SATB_BEHIND, x, y, radius * 256, 1);
            const double lights = difference(&p, &places[i], -1, radius);
            assert_int_equal(set_weights(satk_form_at(&f->pixels, f->count, SATB_BEHIND, x, y),
                                         f->count, radius * 256),
                             0);
            const double windows = difference(&p, &places[i], 1, radius);
            if (!(lights <= s->lights[which] && windows <= s->windows[which]))
                fail_msg("%s, vignette %g, %s, radius %d: %.1f %% of lights and %.1f %% of windows "
                         "differ",
                         s->name, p.vignette, places[i].name, radius, 100 * lights, 100 * windows);
        }
    satb_free_forms(&forms);
    satb_free_outlines(&outlines);
}

/* Lights are cut towards the picture's centre, and windows away from it. */
static void cats_eyes(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (int which = 0; which < 2; which++)
            compare(&shapes[i], which);
}

/* --- Rings ------------------------------------------------------------------------------------ */

enum { RINGS = 8 };

/* Sets the mean weights of rings of the same area, as parts of the mean of all. */
static void find_rings(const satb_dof_params *p, const satb_outlines *outlines, double *rings)
{
    double sum[RINGS] = {0}, pixels[RINGS] = {0}, all = 0, count = 0;

    set_outlines(outlines, SATB_BEHIND, 0, 0, 100 * 256, 256);
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            const double part = part_of(p, x / 100.0, y / 100.0);
            const int ring = (int)(part * part * RINGS);
            if (ring >= RINGS)
                continue;
            sum[ring] += weight_at(x, y), pixels[ring]++;
            all += weight_at(x, y), count++;
        }
    for (int i = 0; i < RINGS; i++)
        rings[i] = sum[i] / pixels[i] / (all / count);
}

/* Four levels are at most a quarter of the edge off at rings between two of them, and less in the mean over a ring. */
static void rings_have_the_brightness(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (double edge = -1; edge <= 1; edge += 0.25) {
            const double most = 0.03 + 0.15 * fabs(edge);
            satb_dof_params p = shapes[i].p;
            double rings[RINGS];
            p.bokeh_edge = edge;
            const satb_aperture a = satb_make_aperture(&p);
            satb_outlines outlines = outlines_of(&a);
            find_rings(&p, &outlines, rings);
            satb_free_outlines(&outlines);
            for (int k = 0; k < RINGS; k++) {
                const double ideal = 1 + edge * ((2 * k + 1.0) / RINGS - 1);
                if (!(fabs(rings[k] - ideal) <= most))
                    fail_msg("%s, edge %g, ring %d: %.3f instead of %.3f", shapes[i].name, edge, k,
                             rings[k], ideal);
            }
        }
}

/* --- Second moments --------------------------------------------------------------------------- */

/* Returns the radius that the weights have by their second moments, by that which they were made with. */
static double radius_of(const satb_aperture *a, int side)
{
    double sum = 0, squares = 0;

    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++) {
            sum += weight_at(x, y);
            squares += weight_at(x, y) * (double)(x * x + y * y);
        }
    return sqrt(a->moments[side] * squares / sum / 2) / 80;
}

/* A brighter rim makes a form blur more: the radius makes up for it, to 2.5 %. */
static void rims_count_in_the_radius(void **state)
{
    for (int i = 0; i < SHAPES; i++)
        for (double spherical = -1; spherical <= 1; spherical += 0.25) {
            satb_dof_params p = shapes[i].p;
            p.spherical = spherical;
            const satb_aperture a = satb_make_aperture(&p);
            satb_outlines outlines = outlines_of(&a);
            for (int side = SATB_BEHIND; side <= SATB_BEFORE && spherical != 0; side++) {
                set_outlines(&outlines, side, 0, 0, 80 * 256, 256);
                const double lights = radius_of(&a, side);
                set_weights(a.windows[side].box, a.windows[side].count, 80 * 256);
                const double windows = radius_of(&a, side);
                if (!(fabs(lights - 1) < 0.025 && fabs(windows - 1) < 0.02))
                    fail_msg("%s, spherical %g, side %d: %.3f of lights, %.3f of windows",
                             shapes[i].name, spherical, side, lights, windows);
            }
            satb_free_outlines(&outlines);
        }
}

/* --- Weights ---------------------------------------------------------------------------------- */

static const double edges[] = {-1, -0.5, -0.1, 0.1, 0.5, 1}, vignettes[] = {0, 0.7, 1};
static const double squeezes[] = {1, 2, 0.25};
static const int blades[] = {0, 3, 5, 6}, radii[] = {0, 64, 320, 576, 1344, 3136, 12864};

/* Looks at all weights of a job's forms at some places. */
static void check_weights(const satk_forms *f, const satb_dof_params *p)
{
    for (int i = 0; i < (p->vignette > 0 ? PLACES : 1); i++)
        for (int side = SATB_BEHIND; side <= SATB_BEFORE; side++)
            for (size_t k = 0; k < sizeof radii / sizeof *radii; k++) {
                const satk_form_box *const box =
                    satk_form_at(&f->pixels, f->count, side, places[i].x, places[i].y);
                const int least = set_weights(box, f->count, radii[k]);
                if (least < 0 || weight_at(0, 0) <= 0)
                    fail_msg("bokeh %d, blades %d, squeeze %g, edge %g, vignette %g, %s, side "
                             "%d, radius %d: %d at least, %d at the centre",
                             p->bokeh, p->blades, p->squeeze, p->bokeh_edge, p->vignette,
                             places[i].name, side, radii[k], least, weight_at(0, 0));
            }
}

static void check_shape(const satb_dof_params *p)
{
    const satb_aperture a = satb_make_aperture(p);
    satb_forms forms = forms_of(&a);

    check_weights(&forms.windows, p);
    satb_free_forms(&forms);
}

/* The sums over forms are divided by: no weight is below 0, and the centre has one. */
static void weights_are_positive(void **state)
{
    const size_t of_edges = sizeof edges / sizeof *edges;

    for (size_t i = 0; i < 5 * of_edges * 9; i++) {
        const size_t shape = i % 5, rest = i / 5 / of_edges;
        const satb_dof_params p = {.blades = shape < 4 ? blades[shape] : 0,
                                   .bokeh = shape < 4 ? SATB_BOKEH_DISC : SATB_BOKEH_SQUARE,
                                   .bokeh_edge = edges[i / 5 % of_edges],
                                   .vignette = vignettes[rest % 3],
                                   .squeeze = squeezes[rest / 3]};
        check_shape(&p);
    }
}

/* --- Sides of the focus ----------------------------------------------------------------------- */

static int behind[SIDE][SIDE];

static void set_form(const satk_forms *f, int side, const struct place *at)
{
    set_weights(satk_form_at(&f->pixels, f->count, side, at->x, at->y), f->count, 40 * 256);
}

/* Counts the pixels in which the weights are not those of behind the focus, turned by half a turn. */
static int count_unturned(void)
{
    int count = 0;

    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++)
            count += weight_at(-x, -y) != behind[y + REACH][x + REACH];
    return count;
}

static void turned_before_the_focus(void **state)
{
    for (int i = 0; i < 8; i++) {
        const satb_dof_params p = {.blades = 5,
                                   .blade_rotation = 10,
                                   .vignette = i & 1 ? 0.8 : 0,
                                   .bokeh_edge = i & 2 ? 0.6 : 0,
                                   .squeeze = i & 4 ? 2 : 1};
        const satb_aperture a = satb_make_aperture(&p);
        satb_forms forms = forms_of(&a);
        satb_outlines outlines = outlines_of(&a);
        for (int k = 0; k < PLACES; k++) {
            set_form(&forms.windows, SATB_BEHIND, &places[k]);
            memcpy(behind, weights, sizeof weights);
            set_form(&forms.windows, SATB_BEFORE, &places[k]);
            assert_int_equal(count_unturned(), 0);
            set_outlines(&outlines, SATB_BEHIND, places[k].x, places[k].y, 40 * 256, 256);
            memcpy(behind, weights, sizeof weights);
            set_outlines(&outlines, SATB_BEFORE, places[k].x, places[k].y, 40 * 256, 256);
            assert_int_equal(count_unturned(), 0);
        }
        satb_free_forms(&forms);
        satb_free_outlines(&outlines);
    }
}

/* Where the patches of an axis are odd in number, the lens cuts the middle one on no side, and its neighbours on both. */
static void middle_patches(void **state)
{
    const satb_aperture a = satb_make_aperture(&(satb_dof_params){.vignette = 0.8});

    for (int length = 33; length < 64; length += 5) {
        const satk_form_patches p = satk_make_patches(length, length, 4);
        satb_pupil pupils[3];
        for (int i = 0; i < 3; i++)
            pupils[i] = satb_pupil_of_patch(&a, &p, i, i, 1, length, 1);
        assert_true(p.across == 3 && pupils[1].x == 0 && pupils[1].y == 0);
        assert_true(pupils[0].x != 0 && pupils[0].x == -pupils[2].x);
    }
}

UNIT_MAIN(UNIT(cats_eyes), UNIT(rings_have_the_brightness), UNIT(rims_count_in_the_radius),
          UNIT(weights_are_positive), UNIT(turned_before_the_focus), UNIT(middle_patches))
