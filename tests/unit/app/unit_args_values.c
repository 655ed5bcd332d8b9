/* Tests of the values of options: every kind, right and wrong. */
#include "unit/app/args_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

static void test_defaults(void **state)
{
    const options o = accepted("in.png out.png --depth d.png");
    assert_string_equal(o.input, "in.png");
    assert_string_equal(o.output, "out.png");
    assert_string_equal(o.map, "d.png");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_AUTO);
    assert_int_equal(o.dof.strength, SATB_STRENGTH_DEFAULT);
    assert_int_equal(o.dof.depth_type, SATB_DEPTH_DISPARITY);
    assert_int_equal(o.dof.near_black, 0);
    assert_int_equal(o.dof.look.gamma, 0);
    assert_int_equal(o.dof.look.edge, SATB_EDGE_SHRINK);
    assert_int_equal(o.engine.device, SATB_DEVICE_AUTO);
    assert_int_equal(o.engine.threads, 0);
    assert_int_equal(o.quality, 92);
    assert_int_equal(o.compression, 1);
    assert_int_equal(o.stats, STATS_NONE);
    assert_true(args_writes(&o));
}

static void test_order_and_spelling(void **state)
{
    options o = accepted("--radius=2.5 in.png --gamma out.png");
    assert_true(o.box.radius_x == 2.5 && o.box.radius_y == 2.5);
    assert_int_equal(o.box.look.gamma, 1);
    o = accepted("--radius 3,0.25 -- --in.png -out.png");
    assert_true(o.box.radius_x == 3 && o.box.radius_y == 0.25);
    assert_string_equal(o.input, "--in.png");
    assert_string_equal(o.output, "-out.png");
    o = accepted("in.png out.png --radius 1 --radius 4");
    assert_true(o.box.radius_x == 4);
}

static void test_focus(void **state)
{
    options o = accepted("i.png o.png --depth d.png --focus 0.25 --focus-range 0.1");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_VALUE);
    assert_true(o.dof.focus == 0.25 && o.dof.focus_range == 0.1);
    o = accepted("i.png o.png --depth d.png --focus 2.5m --distance 1,inf");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_DISTANCE);
    assert_true(o.dof.focus == 2.5 && o.dof.distance_near == 1 && isinf(o.dof.distance_far));
    o = accepted("i.png o.png --depth d.png --focus 55c");
    assert_true(o.focus_in_codes && o.dof.focus_mode == SATB_FOCUS_VALUE && o.dof.focus == 55);
    o = accepted("i.png o.png --depth d.npy --focus=-45.5c");
    assert_true(o.focus_in_codes && o.dof.focus == -45.5);
    refused("i.png o.png --depth d.npy --focus=-1000000000001c",
            "--focus -1000000000001c: expected");
    o = accepted("i.png o.png --depth d.png --focus 55c --focus 0.5");
    assert_true(!o.focus_in_codes && o.dof.focus == 0.5);
    o = accepted("i.png o.png --depth d.png --focus-at 12,0");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_POINT);
    assert_int_equal(o.dof.focus_x, 12);
    assert_int_equal(o.dof.focus_y, 0);
    o = accepted("i.png o.png --depth d.png --focus auto");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_AUTO);
}

static void test_scales(void **state)
{
    options o = accepted("i.png o.png --depth d.png");
    assert_int_equal(o.dof.scaled, 0);
    o = accepted("i.png o.png --depth d.png --near-scale 0");
    assert_int_equal(o.dof.scaled, 1);
    assert_true(o.dof.near_scale == 0 && o.dof.far_scale == 1);
    o = accepted("i.png o.png --depth d.png --far-scale 2.5");
    assert_true(o.dof.near_scale == 1 && o.dof.far_scale == 2.5);
    o = accepted("i.png o.png --depth d.png --far-scale 0.5 --near-scale 3");
    assert_true(o.dof.scaled && o.dof.near_scale == 3 && o.dof.far_scale == 0.5);
}

static void test_holes_and_circles(void **state)
{
    static const char *const words[] = {"none", "far", "near", "fill"};
    static const satb_holes ways[] = {SATB_HOLES_NONE, SATB_HOLES_FAR, SATB_HOLES_NEAR,
                                      SATB_HOLES_FILL};

    options o = accepted("i.png o.png --depth d.png");
    assert_int_equal(o.dof.holes, SATB_HOLES_DEFAULT);
    assert_null(o.coc);
    for (int i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --depth d.png --depth-holes %s", words[i]);
        o = accepted(line);
        assert_int_equal(o.dof.holes, ways[i]);
    }
    o = accepted("i.png o.png --depth d.png --dump-coc c.png");
    assert_string_equal(o.coc, "c.png");
}

/* Codes of a sensor's map are millimetres, unless something else is said. */
static void test_millimetres(void **state)
{
    static const char *const others[] = {
        "--depth-type linear --depth-range 300,4000",
        "--near black --depth-range 300,4000",
        "--depth-type linear --near black",
        "--depth-type linear --near black --depth-range 0,4000",
        "--depth-type linear --near black --depth-range 0.1,1",
        "--depth-type linear --near black --depth-range 300,4000 --distance 1,2",
    };

    options o = accepted("i.png o.png --depth d.png --depth-type linear --near black "
                         "--depth-range 300,4000 --fstop 2 --focal 50 --focus 0.8m");
    assert_true(o.in_millimetres);
    assert_true(o.dof.distance_near == 0.3 && o.dof.distance_far == 4);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char line[128];
        snprintf(line, sizeof line, "i.png o.png --depth d.png %s", others[i]);
        o = accepted(line);
        assert_false(o.in_millimetres);
        assert_true(o.dof.distance_near == (i == 5 ? 1 : 0));
    }
}

static void test_depth_and_lens(void **state)
{
    options o = accepted("i.png o.png --depth d.png --near black --depth-type linear "
                         "--depth-range 10,200 --max-radius 30");
    assert_int_equal(o.dof.near_black, 1);
    assert_int_equal(o.dof.depth_type, SATB_DEPTH_LINEAR);
    assert_int_equal(o.dof.strength, SATB_STRENGTH_RADIUS);
    assert_true(o.range_a == 10 && o.range_b == 200 && o.dof.max_radius == 30);
    o = accepted("i.png o.png --depth d.png --fstop 2.8 --focal 50 --sensor 23.5 --distance 1,8");
    assert_int_equal(o.dof.strength, SATB_STRENGTH_LENS);
    assert_true(o.dof.fstop == 2.8 && o.dof.focal_mm == 50 && o.dof.sensor_mm == 23.5);
    assert_false(o.in_millimetres);
    o = accepted("i.png o.png --radius-map m.png --max-radius 0.5");
    assert_string_equal(o.map, "m.png");
    assert_true(o.dof.max_radius == 0.5);
}

static void test_planes(void **state)
{
    options o = accepted("i.png o.png --tilt-shift -12.5,0.6,0.25");
    assert_true(o.tilt.angle == -12.5 && o.tilt.position == 0.6 && o.tilt.width == 0.25);
    assert_true(options_have_depth(&o) && o.dof.focus_mode == SATB_FOCUS_VALUE);
    assert_true(o.dof.focus * 65535 == PLANE_FOCUS);
    o = accepted("i.png o.png --depth d.png --focus-plane 1,2,30,4,5,60");
    const int x[3] = {1, 30, 5}, y[3] = {2, 4, 60};
    assert_memory_equal(o.plane.x, x, sizeof x);
    assert_memory_equal(o.plane.y, y, sizeof y);
    assert_false(o.plane.has_depths);
    o = accepted("i.png o.png --depth d.png --focus-plane 1,2,0.25,30,4,0,5,60,1");
    assert_memory_equal(o.plane.x, x, sizeof x);
    assert_true(o.plane.has_depths && o.plane.depths[0] == 0.25 && o.plane.depths[2] == 1);
    assert_true(o.dof.focus_mode == SATB_FOCUS_VALUE);
    o = accepted("i.png --depth d.png --focus-view v.JPG");
    assert_string_equal(o.focus_view, "v.JPG");
    assert_true(accepted("i.jpg --focus-view v.jpg").depth_implied);
}

static void test_presets(void **state)
{
    options o = accepted("i.png o.png --depth d.png --max-radius 3.5%");
    assert_true(o.radius_in_percent && o.dof.max_radius == 3.5);
    o = accepted("i.png o.png --depth d.png --max-radius 3.5% --max-radius 8");
    assert_true(!o.radius_in_percent && o.dof.max_radius == 8);
    o = accepted("i.png o.png --dof-preset macro --depth d.png --focus-range 0.2");
    assert_true(o.radius_in_percent && o.dof.max_radius == 5 && o.dof.focus_range == 0.2);
    assert_true(o.by_preset[OPT_BOKEH] && !o.by_preset[OPT_FOCUS_RANGE]);
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_SMOOTH);
    assert_int_equal(o.dof.strength, SATB_STRENGTH_RADIUS);
    assert_true(accepted("i.png o.png --dof-preset miniature").tilt.position == 0.55);
}

static void test_engine_and_output(void **state)
{
    options o = accepted("i.png o.png --radius 1 --device cuda:3 --threads 7 --edge wrap");
    assert_int_equal(o.engine.device, SATB_DEVICE_CUDA);
    assert_int_equal(o.engine.cuda_index, 3);
    assert_int_equal(o.engine.threads, 7);
    assert_int_equal(o.box.look.edge, SATB_EDGE_WRAP);
    o = accepted("i.png o.png --radius 1 --quality 100 --compression 0 --verify --timings --quiet");
    assert_int_equal(o.quality, 100);
    assert_int_equal(o.compression, 0);
    assert_true(o.given[OPT_VERIFY] && o.given[OPT_TIMINGS] && o.given[OPT_QUIET]);
}

static void test_stats(void **state)
{
    options o = accepted("i.png --stats");
    assert_int_equal(o.stats, STATS_TEXT);
    assert_null(o.output);
    assert_false(args_writes(&o));
    o = accepted("i.png --stats=json");
    assert_int_equal(o.stats, STATS_JSON);
    o = accepted("i.png o.png --radius 1 --stats");
    assert_true(args_writes(&o));
    refused("i.png --stats=xml", "--stats=xml: expected --stats or --stats=json");
    refused("i.png o.png --stats", "--stats writes no picture");
}

static void test_figure_and_equalize(void **state)
{
    options o = accepted("i.png --histogram h.svg");
    assert_string_equal(o.histogram, "h.svg");
    assert_null(o.output);
    assert_false(args_writes(&o));
    o = accepted("i.png --histogram a/b.PNG --stats=json");
    assert_int_equal(o.stats, STATS_JSON);
    o = accepted("i.png o.png --depth d.png --histogram h.png");
    assert_true(args_writes(&o));
    o = accepted("i.png o.jpg --equalize --quality 50 --stats --verify");
    assert_true(args_writes(&o) && o.given[OPT_EQUALIZE]);
    refused("i.png --histogram h.jpg", "--histogram h.jpg: expected");
    refused("i.png --histogram svg", "expected");
    refused("i.png --histogram .png", "expected");
    refused("i.png --histogram", "needs a value");
    refused("i.png o.png --histogram h.svg", "--histogram writes no picture");
    refused("i.png o.png --stats --histogram h.svg", "--stats writes no picture");
    refused("i.png o.png --equalize --histogram o.png", "name two files");
    refused("i.png --equalize", "OUTPUT is missing");
    refused("i.png o.png --equalize --radius 1", "exclude each other");
    refused("i.png o.png --equalize --depth d.png", "exclude each other");
    refused("i.png o.png --equalize --radius-map d.png --max-radius 1", "exclude each other");
    refused("i.png o.png --equalize --edge wrap", "--edge needs a blur");
    refused("i.png o.png --equalize=2", "takes no value");
}

static void test_rates(void **state)
{
    static const char *const wrong[] = {"30000/",       "/1001",        "30000/0",
                                        "30000/1001/1", "2.5/1",        "1/2000",
                                        "1000000/1",    "1000001/1001", "25/-1"};
    assert_true(accepted("i.mkv o.mkv --radius 1").fps == 25);
    assert_true(accepted("i.mkv o.mkv --radius 1 --fps 23.976").fps == 23.976);
    assert_true(accepted("i.mkv o.mkv --radius 1 --fps 30000/1001").fps == 30000 / 1001.0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.mkv o.mkv --radius 1 --fps %s", wrong[i]);
        refused(line, "like 25 or 30000/1001");
    }
}

static void test_numbers(void **state)
{
    static const char *const wrong[] = {
        "nan", "NAN", "inf", "-1",  "+1",  "0x1p3", "1e999", "1.2.3", "1e",   ".",     "1,2,3",
        "1,",  ",1",  "''",  "1mm", "1e+", "--1",   "1-2",   "9e9",   "1,-2", "1,nan", "infinity"};
    static const char *const right[] = {"0",   "1",       "1.",  ".5",  "1e2",
                                        "1E2", "8388608", "0,0", "1e-3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --radius=%s",
                 strcmp(wrong[i], "''") ? wrong[i] : "");
        refused(line, "expected");
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --radius %s", right[i]);
        accepted(line);
    }
    refused("i.png o.png --depth d --focus 1.01", "--focus 1.01: expected");
    refused("i.png o.png --depth d --focus m", "--focus m: expected");
    refused("i.png o.png --depth d --focus 0m", "--focus 0m: expected");
    refused("i.png o.png --depth d --focus 2mm", "expected");
    refused("i.png o.png --depth d --focus-at 1", "expected");
    refused("i.png o.png --depth d --focus-at 1.5,2", "expected");
    refused("i.png o.png --depth d --focus-at -1,2", "expected");
    refused("i.png o.png --depth d --focus-range 3", "expected");
    refused("i.png o.png --depth d --depth-range 5,5", "expected");
    refused("i.png o.png --depth d --distance 0,5", "expected");
    refused("i.png o.png --depth d --distance inf,inf", "expected");
    refused("i.png o.png --depth d --distance 1,INF", "expected");
    refused("i.png o.png --radius 1 --threads 0", "expected");
    refused("i.png o.png --radius 1 --threads 2000", "expected");
    refused("i.png o.png --radius 1 --threads 2.0", "expected");
    refused("i.png o.png --radius 1 --quality 0", "expected");
    refused("i.png o.png --radius 1 --compression 13", "expected");
    refused("i.png o.png --radius 1 --device cuda:", "expected");
    refused("i.png o.png --radius 1 --device cuda:-1", "expected");
    refused("i.png o.png --radius 1 --device CUDA", "expected");
    refused("i.png o.png --radius 1 --edge reflect", "expected");
    refused("i.png o.png --depth d --near grey", "expected");
}

/* Both ends of a range are taken, and nothing beyond them. */
static void test_ranges(void **state)
{
    static const struct {
        const char *line;
        double low, high, step; /* step: to the next value beyond */
    } rows[] = {{"a b --radius 1 --threads", 1, 1024, 1},
                {"a b --radius 1 --jobs", 1, 256, 1},
                {"a b.jpg --radius 1 --quality", 1, 100, 1},
                {"a b.png --radius 1 --compression", 0, 12, 1},
                {"a.mkv b.mkv --radius 1 --crf", 0, 63, 0.5},
                {"a.mkv b.png --radius 1 --frames", 1, 256, 1},
                {"a%d.png b%d.png --radius 1 --fps", 0.001, 10000, 0.0005},
                {"a b --depth-process x --depth-jobs", 1, 64, 1},
                {"a b --depth-process x --depth-timeout", 0.1, 86400, 0.05},
                {"a b --depth-process x --depth-size", 16, 16384, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int beyond = 0; beyond < 2; beyond++)
            for (int end = 0; end < 2; end++) {
                const double by = beyond * rows[i].step;
                char line[64];
                snprintf(line, sizeof line, "%s=%.10g", rows[i].line,
                         end ? rows[i].high + by : rows[i].low - by);
                if (beyond)
                    refused(line, "expected");
                else
                    accepted(line);
            }
}

UNIT_MAIN(UNIT(test_defaults), UNIT(test_order_and_spelling), UNIT(test_focus), UNIT(test_scales),
          UNIT(test_holes_and_circles), UNIT(test_millimetres), UNIT(test_depth_and_lens),
          UNIT(test_planes), UNIT(test_presets), UNIT(test_engine_and_output), UNIT(test_stats),
          UNIT(test_figure_and_equalize), UNIT(test_rates), UNIT(test_numbers), UNIT(test_ranges))
