/* core/blur/dof_slabs.c: slabs of signed radii, their apertures, and positions along them. */
#include "unit/unit.h"

#include "layer/layer_rule.h"
#include "layer/radii_rule.h"
#include "unit/core/slab_case.h"

/* --- Radii ------------------------------------------------------------------------------------ */

/* Each radius is that of the disc, or square, with the second moment of its slab's aperture. */
static void radii_by_second_moments(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const int count = make(-300, 300, LONGEST, bokeh);
        for (int i = 0; i < count; i++) {
            const double moment = moment_of(&slabs[i]);
            const double radius = sqrt((bokeh == SATB_BOKEH_SQUARE ? 3 : 4) * moment);
            assert_true(radii[i] == (i < count / 2 ? -radius : radius));
        }
    }
}

static void radii_grow(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const int count = make(0, 364, LONGEST, bokeh);
        assert_in_range(count, GRID - 1, GRID);
        for (int i = 0; i < count; i++)
            if (!(fabs(radii[i] - grid[i] - 0.25 * (i > 0)) <= rounding_of(&slabs[i], grid[i])))
                fail_msg("bokeh %d: the aperture of %d is as wide as %.3f", (int)bokeh, grid[i],
                         radii[i]);
        for (int i = 1; i < count; i++)
            assert_true(radii[i] > radii[i - 1]);
    }
}

/* From 3 pixels on, to where two fifths are a step, neighbours are so close that their mixture is no disc inside another. */
static void neighbours_are_close(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++)
        for (int count = make(0, 130, LONGEST, bokeh), i = 4; i < count; i++)
            if (!(radii[i] <= 1.4 * radii[i - 1]))
                fail_msg("bokeh %d: %.2f is next to %.2f", (int)bokeh, radii[i], radii[i - 1]);
}

/* Slabs go as far as the radii to each side, and no further. */
static void both_sides(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++)
        for (int i = 0; i < 400; i++) {
            const double behind = -i / 16.0, before = (399 - i) / 3.0;
            const int count = make(behind, before, LONGEST, bokeh);
            int focus = 0;
            while (radii[focus] < 0)
                focus++;
            assert_true(radii[focus] == 0);
            assert_true(radii[0] <= behind && (focus == 0 || radii[1] > behind));
            assert_true(radii[count - 1] >= before);
            assert_true(focus == count - 1 || radii[count - 2] < before);
            for (int k = 1; k <= focus && focus + k < count; k++)
                assert_true(radii[focus - k] == -radii[focus + k]);
        }
}

/* There are at most SATK_MAX_SLABS radii, strictly increasing, as far as requested. */
static void largest_radii(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const int count = make(-FAR, FAR, LONGEST, bokeh);
        assert_true(radii[0] <= -FAR && radii[count - 1] >= FAR);
        for (int i = 1; i < count; i++)
            assert_true(radii[i] > radii[i - 1]);
    }
}

static void only_sharp(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        assert_int_equal(make(0, 0, LONGEST, bokeh), 1);
        assert_true(radii[0] == 0);
        assert_int_equal(satk_position_of(radii, 1, 0), 0);
    }
}

/* No window needs to be wider than the picture. */
static void ends_at_the_picture(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++)
        for (int longest = 1; longest < 300; longest++) {
            const int count = make(-1000, 2000, longest, bokeh);
            const double off = rounding_of(&slabs[0], longest);
            if (!(fabs(radii[0] + longest + 0.25) <= off))
                fail_msg("bokeh %d: %.3f for a side of %d", (int)bokeh, radii[0], longest);
            assert_true(radii[count - 1] == -radii[0]);
            for (int i = 1; i < count; i++)
                if (!(radii[i] > radii[i - 1]))
                    fail_msg("bokeh %d, side %d: slab %d has %.3f, the one before %.3f", (int)bokeh,
                             longest, i, radii[i], radii[i - 1]);
            assert_int_equal(satk_position_of(radii, count, -1000), 0);
            assert_int_equal(satk_position_of(radii, count, 2000), (count - 1) * SATK_SLAB);
        }
}

/* --- Positions -------------------------------------------------------------------------------- */

static void exact_at_slabs(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const int count = make(-FAR, FAR, LONGEST, bokeh);
        for (int i = 0; i < count; i++)
            assert_int_equal(satk_position_of(radii, count, radii[i]), i * SATK_SLAB);
        assert_int_equal(satk_position_of(radii, count, -2.0 * FAR), 0);
        assert_int_equal(satk_position_of(radii, count, 2.0 * FAR), (count - 1) * SATK_SLAB);
    }
}

/* The square of a mixture's radius, of the parts that a position takes of two neighbours, is that of the radius: to half a
 * step. */
static void between_slabs(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const int count = make(-100, 150, LONGEST, bokeh);
        for (int i = 0, k = 0; i < 250 * 64; i++) {
            const double radius = -100 + i / 64.0;
            while (radius >= radii[k + 1])
                k++;
            const int part = satk_position_of(radii, count, radius) - k * SATK_SLAB;
            const double one = radii[k] * radii[k], two = radii[k + 1] * radii[k + 1];
            const double mixture = one + (two - one) * part / SATK_SLAB;
            assert_in_range(part, 0, SATK_SLAB);
            if (!(fabs(mixture - radius * radius) <= fabs(two - one) / (2 * SATK_SLAB) + 1e-9))
                fail_msg("bokeh %d: radius %.4f has the mixture of %.4f", (int)bokeh, radius,
                         sqrt(mixture));
        }
    }
}

/* Positions never fall, and no step is left out. */
static void positions_rise(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const int count = make(-80, 130, LONGEST, bokeh);
        int last = 0;
        for (int i = 0; radii[0] + (i - 1) / 32.0 <= radii[count - 1]; i++) {
            const int position = satk_position_of(radii, count, radii[0] + i / 32.0);
            assert_in_range(position, last, last + 1);
            last = position;
        }
        assert_int_equal(last, (count - 1) * SATK_SLAB);
    }
}

/* A pull of the focus through all disparities in 1500 frames changes radii by 0.04 a frame. Positions change by no more
 * than one step a frame, although each frame has slabs of its own. */
static void focus_pull(void **state)
{
    int last[11] = {0};

    for (int frame = 0; frame <= 1500; frame++) {
        const double behind = -0.04 * frame, before = 60 + behind;
        const int count = make(behind, before, LONGEST, 0);
        int focus = 0;
        while (radii[focus] != 0)
            focus++;
        for (int i = 0; i <= 10; i++) {
            const double radius = behind + (before - behind) * i / 10;
            const int position = satk_position_of(radii, count, radius) - focus * SATK_SLAB;
            if (frame > 0)
                assert_true(abs(position - last[i]) <= 1);
            last[i] = position;
        }
    }
}

/* --- Apertures -------------------------------------------------------------------------------- */

static double area_of(const satk_stack *s)
{
    return (2.0 * s->middle + 1) * (2.0 * s->middle_rows + 1) +
           2 * (2.0 * s->outer + 1) * (s->rows - s->middle_rows);
}

/* Returns the pixels of a slab's aperture. */
static double pixels_of(const satk_slab *slab)
{
    return area_of(&slab->window[0]) * cell_of(slab) * cell_of(slab);
}

static void as_far_as_behind(void **state)
{
    const int count = make(-500, 500, LONGEST, 0);

    assert_int_equal(count % 2, 1);
    for (int i = 0; i < count; i++) {
        assert_true(radii[i] == -radii[count - 1 - i]);
        assert_int_equal(slabs[i].windows, slabs[count - 1 - i].windows);
        assert_memory_equal(slabs[i].window, slabs[count - 1 - i].window,
                            (size_t)slabs[i].windows * sizeof *slabs[i].window);
    }
}

static void focus_is_one_pixel(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        const satk_stack *const s = &slabs[0].window[0];
        make(0, 0, LONGEST, bokeh);
        assert_true(s->middle == 0 && s->middle_rows == 0 && s->outer == 0 && s->rows == 0);
        assert_int_equal(slabs[0].used, 0);
    }
}

static void squares(void **state)
{
    for (int i = make(0, FAR, LONGEST, SATB_BOKEH_SQUARE) - 1; i >= 0; i--) {
        const double side = 2.0 * made_for(i) + 1;
        if (slabs[i].coarse) {
            assert_true(fabs(sqrt(pixels_of(&slabs[i])) - side) <= SATK_CELL);
            continue;
        }
        assert_true(pixels_of(&slabs[i]) == side * side);
        assert_int_equal(slabs[i].window[0].middle, made_for(i));
    }
}

/* A disc has the pixels of radius r + 1/4 (see make_stack()). Up to 7 rounding to whole pixels is
 * coarser, and up to 100 that to whole cells. */
static void disc_areas(void **state)
{
    for (int i = make(0, FAR, LONGEST, 0) - 1; made_for(i) >= 3; i--) {
        const int radius = made_for(i), is_rounded = slabs[i].coarse && radius < 100;
        const double disc = acos(-1) * (radius + 0.25) * (radius + 0.25);
        const double off = fabs(pixels_of(&slabs[i]) / disc - 1);
        if (!(off < (radius < 9 ? 0.25 : is_rounded ? 0.1 : 0.06)))
            fail_msg("radius %d: %.1f %% off", radius, 100 * off);
    }
}

/* No two slabs look the same: a mixture of both would be a step. */
static void areas_grow(void **state)
{
    for (int i = make(0, FAR, LONGEST, 0) - 1; i > 0; i--)
        assert_true(pixels_of(&slabs[i]) > pixels_of(&slabs[i - 1]));
}

/* --- Heaps ------------------------------------------------------------------------------------ */

/* Windows of forms grow, and reach no farther than they say. */
static void forms_widen(void **state)
{
    static const satb_dof_params shapes[] = {
        {.bokeh = SATB_BOKEH_SMOOTH}, {.blades = 3}, {.blades = 5, .squeeze = 2}, {.blades = 9}};

    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int i = make_shaped(-FAR, FAR, LONGEST, &shapes[k]) - 1; i >= 0; i--)
            for (int j = 0; j < slabs[i].windows; j++) {
                const satk_stack *const s = &slabs[i].window[j];
                assert_true(j == 0 || (s->middle >= s[-1].middle && s->rows >= s[-1].rows &&
                                       s->middle_rows > s[-1].middle_rows));
                for (int b = 0; b < form.count; b++) {
                    const satk_range across = satk_form_columns(&form.box[b], s->middle_rows, 0);
                    const satk_range down = satk_form_rows(&form.box[b], s->middle_rows, 0);
                    assert_true(-across.lo <= s->middle && across.hi - 1 <= s->middle);
                    assert_true(-down.lo <= s->rows && down.hi - 1 <= s->rows);
                }
            }
}

typedef struct bump {
    double light, spread,
        miss; /* spread: the second moment; miss: light that is elsewhere, or beyond */
} bump;

/* Compares a heap with 1 - (rho / wide)^2 of the same light. */
static bump measure(const satk_stack *s, double wide)
{
    const double volume = acos(-1) * wide * wide / 2;
    const int reach = (int)(1.2 * wide) + 2;
    bump b = {0};

    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            b.light += count_at(s, x, y);
            b.spread += count_at(s, x, y) * (x * x + y * y + 1 / 6.0); /* of a pixel: 1/6 */
        }
    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            const double here = fmax(1 - (x * x + y * y) / (wide * wide), 0) / volume;
            b.miss += fabs(count_at(s, x, y) / b.light - here);
        }
    b.spread /= b.light;
    return b;
}

/* A heap is as wide as a disc of radius r + 1/4, and differs by as much as aperture.c says. Small ones are coarse. */
static void heaps_are_bumps(void **state)
{
    for (int i = make(0, 300, LONGEST, SATB_BOKEH_SMOOTH) - 1; i > 0; i--) {
        const int radius = made_for(i), cell = cell_of(&slabs[i]);
        const int is_rounded = slabs[i].coarse && radius < 100;
        const double r = radius + 0.25;
        const bump b = measure(&slabs[i].window[0], sqrt(1.5) * r / cell);
        const double wide = sqrt(2 * b.spread) * cell / r;
        if (!(fabs(wide - 1) < (radius < 7   ? 0.06
                                : is_rounded ? 0.05
                                             : 0.02) &&
              b.miss < (radius < 7 || is_rounded ? 0.27 : 0.141)))
            fail_msg("radius %d: %.1f %% as wide, %.1f %% missed", radius, 100 * wide,
                     100 * b.miss);
    }
}

/* No two slabs look the same, and each is wider than the one before. */
static void heaps_grow(void **state)
{
    double last = 0;

    for (int i = 0, count = make(0, 300, LONGEST, SATB_BOKEH_SMOOTH); i < count; i++) {
        const int cell = cell_of(&slabs[i]);
        const bump b = measure(&slabs[i].window[0], sqrt(1.5) * (made_for(i) + 0.25) / cell);
        assert_true(b.spread * cell * cell > last);
        last = b.spread * cell * cell;
    }
}

/* If windows are wider than the picture, each box of a smooth one holds all of it. Only slabs in
 * use count. */
static void largest_areas(void **state)
{
    satk_layer job = {.src = {.width = 40, .height = 30}, .slabs = slabs};

    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++) {
        job.count = make(-FAR, 0, LONGEST, bokeh);
        job.forms = (satk_forms){.whole = {form.box, form.box}, .count = form.count};
        assert_true(satb_largest_area(&job) == 0);
        slabs[0].used = 1;
        assert_true(satb_largest_area(&job) == (form.count ? 4 : 1) * 40 * 30);
        slabs[0].used = 0;
        slabs[job.count - 1].used = 1; /* the focus, whose widest window is 16 pixels wide */
        job.src.width = job.src.height = 1000;
        const satk_stack *const s = &slabs[job.count - 1].window[slabs[job.count - 1].windows - 1];
        assert_true((double)satb_largest_area(&job) ==
                    (form.count ? measure(s, 20).light : area_of(s)));
        job.src.width = 40, job.src.height = 30;
    }
}

/* Squares of an axis cover it, are mirrored, and have `cell` pixels but for those at the ends and, of an odd axis, the middle one. Each
 * pixel's centre is in its square, and the squares of a part of the axis are those of all of it. */
static void squares_of_axes(void **state)
{
    for (int i = 0; i < 2 * 90; i++) {
        const int length = 1 + i / 2, cell = i % 2 ? SATK_CELL : 1;
        const int squares = satk_squares_of_axis(length, cell);
        const satk_cut cut = satk_cut_axis(length, cell);
        assert_int_equal(satk_square_begin(&cut, cell, 0, length), 0);
        assert_int_equal(satk_square_begin(&cut, cell, squares, length), length);
        for (int k = 0; k < squares; k++) {
            const int begin = satk_square_begin(&cut, cell, k, length);
            const int end = satk_square_begin(&cut, cell, k + 1, length);
            const int is_short = cell > 1 && length % 2 && 2 * k + 1 == squares;
            assert_int_equal(begin + satk_square_begin(&cut, cell, squares - k, length), length);
            assert_true(begin < end && end - begin <= cell - is_short &&
                        (k == 0 || k == squares - 1 || end - begin == cell - is_short));
            for (int x = begin; x < end; x++) {
                satk_cut part = cut;
                assert_int_equal(satk_centre_of(&cut, cell, x) / (2 * cell), k);
                assert_int_equal(satk_centre_of(&cut, cell, x) +
                                     satk_centre_of(&cut, cell, length - 1 - x),
                                 2 * cell * squares);
                assert_int_equal(satk_cut_part(&part, cell, x), k);
                for (int n = k; n <= squares; n++) {
                    const int whole = satk_square_begin(&cut, cell, n, length) - x;
                    assert_int_equal(satk_square_begin(&part, cell, n - k, length - x),
                                     whole > 0 ? whole : 0);
                }
            }
        }
    }
}

UNIT_MAIN(UNIT(squares_of_axes), UNIT(radii_by_second_moments), UNIT(radii_grow),
          UNIT(neighbours_are_close), UNIT(both_sides), UNIT(largest_radii), UNIT(only_sharp),
          UNIT(ends_at_the_picture), UNIT(exact_at_slabs), UNIT(between_slabs),
          UNIT(positions_rise), UNIT(focus_pull), UNIT(as_far_as_behind), UNIT(focus_is_one_pixel),
          UNIT(squares), UNIT(disc_areas), UNIT(areas_grow), UNIT(forms_widen),
          UNIT(heaps_are_bumps), UNIT(heaps_grow), UNIT(largest_areas))
