/* Clips: keys, names of numbered files, and the focus from frame to frame. */
#include "engine/clip_keys.h"
#include "video/focus_path.h"
#include "video/numbered.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

static clip_keys keys;

static bool reads(const char *text)
{
    return clip_keys_read(&keys, text, true, 1);
}

static void test_keys(void **state)
{
    assert_true(reads("0s:0.8, 2.5s:3m ,4s:812,440"));
    assert_int_equal(keys.count, 3);
    assert_int_equal(keys.keys[1].kind, KEY_METRES);
    assert_true(keys.keys[2].kind == KEY_POINT && keys.keys[2].x == 812 && keys.keys[2].y == 440);
    assert_true(reads("0:1,25:0.5,50:640,360"));
    assert_true(keys.count == 3 && keys.keys[1].kind == KEY_NUMBER && keys.keys[2].in_frames);
    static const char *const wrong[] = {
        "",        "0s",       "0s:",    "0s:2",      "1s:0,1s:1", "2s:0,1s:1", "0s:-1",
        "0.5:0.5", "0s:0.5,",  "x:0.5",  "0s:0m",     "0s:1,2.5",  "0s:nan",    "0s:0.5 1s:0.4",
        "inf:0",   "0x10:0.5", "0s:0x1", "0s:0x1p-1", "0X1s:0",    "0s:1,0x2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(reads(wrong[i]));
    assert_false(clip_keys_read(&keys, "0s:3m", false, 100)); /* radii have no metres */
}

static void test_easing(void **state)
{
    assert_true(reads("1s:0,3s:1"));
    assert_true(clip_keys_number(&keys, 0, 25) == 0 && clip_keys_number(&keys, 9, 25) == 1);
    assert_true(clip_keys_number(&keys, 2, 25) == 0.5);
    assert_true(fabs(clip_keys_number(&keys, 1.5, 25) - 0.15625) < 1e-12);
    assert_true(reads("0:0,50:1")); /* frames */
    assert_true(clip_keys_number(&keys, 1, 25) == 0.5);
}

static void test_names(void **state)
{
    char name[4096];
    problem p;
    assert_true(numbered_is("in/%05d.png") && numbered_is("%d.jpg"));
    assert_false(numbered_is("in/5.png") || numbered_is("%s.png") || numbered_is("%05d_%d.png") ||
                 numbered_is("%5d.png"));
    assert_false(numbered_is("%99999d.png") || numbered_is("%0d.png") || numbered_is("50%.png"));
    assert_true(numbered_is("in/a_####.png") && numbered_is("###"));
    assert_false(numbered_is("a##.png") || numbered_is("####_###.png") ||
                 numbered_is("####/a.png"));
    assert_true(numbered_is("50%/####.png") && numbered_is("%d/%d.png"));
    assert_false(numbered_is("%d/a.png"));
    assert_true(numbered_name("50%/####.png", 7, name, &p));
    assert_string_equal(name, "50%/0007.png");
    assert_true(numbered_name("a##/b_####.png", 7, name, &p));
    assert_string_equal(name, "a##/b_0007.png");
    assert_true(numbered_number("in/b_####.png", "b_0007.png", 10) == 7);
    assert_true(numbered_name("in/%05d.png", 7, name, &p));
    assert_string_equal(name, "in/00007.png");
    assert_true(numbered_number("in/%05d.png", "00007.png", 9) == 7);
    assert_true(numbered_number("in/%05d.png", "00007.png.x", 9) == 7);
    assert_true(numbered_number("in/%05d.png", "00007.png.x", 11) == -1);
    assert_true(numbered_number("in/%05d.png", "0007.png", 8) == -1);
    assert_true(numbered_number("in/%05d.png", "00007.pn", 8) == -1);
    assert_true(numbered_number("in/a%d.png", "a00.png", 7) == -1);
}

/* Returns a look at a frame of one brightness. */
static focus_look look_at(int number, double focus)
{
    focus_look look = {.number = (uint64_t)number,
                       .seconds = number / 25.0,
                       .has_focus = focus >= 0,
                       .focus = focus};
    look.histogram[0][10] = look.pixels = 100;
    return look;
}

static void test_focus(void **state)
{
    options o = {0};
    focus_path f;
    focus_path_open(&f, &o, 25, 0);
    focus_look look = look_at(0, 0.2);
    assert_true(focus_path_step(&f, &look) == 0.2); /* a shot begins where its focus is */
    double last = 0.2;
    for (int i = 1; i < 100; i++) {
        look = look_at(i, i == 20 ? 1 : i % 3 == 0 ? (i < 40 ? 0.2 : 0.9) : -1);
        const double now = focus_path_step(&f, &look);
        assert_true(fabs(now - last) <= 0.8 / 25 + 1e-12);
        assert_true(i >= 40 || now == 0.2); /* one odd measurement moves nothing */
        last = now;
    }
    assert_true(fabs(last - 0.9) < 0.05);
    focus_path_close(&f);
}

/* Someone who turns to and fro once in two seconds is in focus, and the focus is calm. */
static void test_calm(void **state)
{
    options o = {0};
    focus_path f;
    double least = 1, most = 0;
    focus_path_open(&f, &o, 24, 0);
    for (int i = 0; i < 240; i++) {
        focus_look look = look_at(i, i % 3 == 0 ? 0.7 + 0.02 * sin(3.14159265 * i / 24) : -1);
        look.seconds = i / 24.0;
        const double now = focus_path_step(&f, &look);
        if (i >= 120) {
            least = fmin(least, now);
            most = fmax(most, now);
        }
    }
    assert_true(most - least < 0.2 * 2 * 0.02);
    assert_true(fabs((most + least) / 2 - 0.7) < 0.005);
    focus_path_close(&f);
}

/* Makes a look at a picture of two brightnesses, the second of which begins at that column. */
static focus_look look_at_edge(int column, uint8_t left, uint8_t right)
{
    static uint8_t samples[64 * 64];
    const satb_image image = {
        .data = samples, .width = 64, .height = 64, .channels = 1, .bits = 8, .stride = 64};
    focus_look look = {0};
    for (int i = 0; i < 64 * 64; i++)
        samples[i] = i % 64 < column ? left : right;
    focus_look_count(&look, &image);
    return look;
}

static void test_cut(void **state)
{
    const focus_look shot = look_at_edge(32, 40, 190), brighter = look_at_edge(32, 44, 194),
                     pan = look_at_edge(28, 40, 190), mirrored = look_at_edge(32, 190, 40),
                     other = look_at_edge(32, 90, 250), dot = {.histogram = {{1}}, .pixels = 1},
                     half = look_at_edge(32, 40, 90), quarter = look_at_edge(48, 40, 190);
    assert_false(focus_look_is_cut(&shot, &shot) || focus_look_is_cut(&dot, &dot));
    assert_false(focus_look_is_cut(&shot, &brighter)); /* the camera's exposure */
    assert_false(focus_look_is_cut(&shot, &pan) || focus_look_is_cut(&shot, &quarter));
    assert_true(focus_look_is_cut(&shot, &half)); /* of the pixels have another brightness */
    assert_true(focus_look_is_cut(&shot, &other));
    assert_true(focus_look_is_cut(&shot, &mirrored)); /* of the same brightnesses, elsewhere */
}

UNIT_MAIN(UNIT(test_keys), UNIT(test_easing), UNIT(test_names), UNIT(test_focus), UNIT(test_calm),
          UNIT(test_cut))
