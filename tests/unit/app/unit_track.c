/* --focus-track: a textured square crosses a clip, passes a like object of the same depth, and is hidden by a pole. */
#include "video/focus_path.h"

#include "image/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

enum { WIDTH = 240, HEIGHT = 136, SIDE = 36, FRAMES = 75, POLE = 130, POLE_WIDE = 52, BEGIN = 14 };
static const double depth_of_square = 0.7;

/* --- The clip --------------------------------------------------------------------------------- */

typedef struct scene {
    uint8_t colours[HEIGHT][WIDTH][3];
    uint8_t depths[HEIGHT][WIDTH];
} scene;

static scene drawn;

/* Returns noise, 0 to most. */
static int noise(int x, int y, int seed, int most)
{
    uint32_t n = (uint32_t)x * 73856093U ^ (uint32_t)y * 19349663U ^ (uint32_t)seed * 83492791U;
    n = (n ^ n >> 13) * 1274126177U;
    return (int)((n ^ n >> 16) % (unsigned)(most + 1));
}

/* Draws a surface of patches of 4 x 4 pixels that move with it, with the noise of the frame. */
static void draw(int left, int top, int wide, int high, int texture, double depth, int frame)
{
    for (int y = top < 0 ? 0 : top; y < top + high && y < HEIGHT; y++)
        for (int x = left < 0 ? 0 : left; x < left + wide && x < WIDTH; x++) {
            for (int c = 0; c < 3; c++)
                drawn.colours[y][x][c] =
                    (uint8_t)(40 + noise((x - left) / 4, (y - top) / 4, texture + c, 170) +
                              noise(x, y, 1000 + 3 * frame + c, 12));
            drawn.depths[y][x] = (uint8_t)(255 * depth + noise(x, y, 5000 + frame, 4) - 2);
        }
}

static int square_left(int frame)
{
    return BEGIN + 5 * frame / 2;
}

static int square_top(int frame)
{
    return (int)(50 + 20 * sin(frame / 12.0));
}

/* Draws a frame. hides: a pole is in front of the square. */
static void draw_frame(int frame, bool hides)
{
    draw(0, 0, WIDTH, HEIGHT, 10, 0.25, frame);
    draw(square_left(frame), square_top(frame), SIDE, SIDE, 20, depth_of_square, frame);
    draw(170 - 4 * frame, 62, 30, 30, 30, depth_of_square,
         frame); /* crosses it in frames 15 to 30 */
    if (hides)
        draw(POLE, 0, POLE_WIDE, HEIGHT, 40, 0.95, frame);
}

/* Returns whether the pole leaves the square as it is. */
static bool is_free(int frame)
{
    const int left = square_left(frame), passing = 170 - 4 * frame;
    return (left + SIDE <= POLE || left >= POLE + POLE_WIDE) &&
           (passing + 30 <= left || passing >= left + SIDE);
}

static satb_image colours_of(void)
{
    return (satb_image){.data = drawn.colours,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .stride = 3 * WIDTH,
                        .channels = 3,
                        .bits = 8};
}

static satb_image depths_of(void)
{
    return (satb_image){.data = drawn.depths,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .stride = WIDTH,
                        .channels = 1,
                        .bits = 8};
}

/* --- The place -------------------------------------------------------------------------------- */

static track followed;

static bool follow(bool is_cut, int *x, int *y)
{
    const satb_image colours = colours_of(), depths = depths_of();
    track_view view;
    problem p;
    assert_true(track_view_make(&view, &colours, &depths, &p));
    const bool seen = track_follow(&followed, &view, is_cut, x, y);
    track_view_free(&view);
    return seen;
}

static void begin(int *x, int *y)
{
    followed.has_begun = false;
    *x = square_left(0) + SIDE / 2 - 5; /* not its middle */
    *y = square_top(0) + SIDE / 2 + 3;
}

/* Returns whether the place is the first one, moved as the square was. */
static bool is_on_square(int frame, int x, int y)
{
    const int right = square_left(frame) + SIDE / 2 - 5, down = square_top(frame) + SIDE / 2 + 3;
    return abs(x - right) <= 3 && abs(y - down) <= 3;
}

static void test_place(void **state)
{
    int x, y, hidden = 0;
    begin(&x, &y);
    for (int i = 0; i < FRAMES; i++) {
        draw_frame(i, true);
        const bool seen = follow(false, &x, &y);
        assert_true(!is_free(i) || (seen && is_on_square(i, x, y)));
        assert_true(!seen || is_on_square(i, x, y)); /* never on the other object, or on the pole */
        hidden += !seen;
    }
    assert_true(hidden > 10 && followed.losses >= 1 && followed.lost_for == 0);
    assert_true(followed.lost_from > 20 && followed.lost_until < 70);
}

/* After a cut to another place and back the square is found, wherever it is by then. */
static void test_cuts(void **state)
{
    int x, y;
    begin(&x, &y);
    for (int i = 0; i < FRAMES; i++) {
        const bool is_away = i >= 20 && i < 62;
        if (is_away)
            draw(0, 0, WIDTH, HEIGHT, 77, 0.4, i);
        else
            draw_frame(i, false);
        const bool seen = follow(i == 20 || i == 62, &x, &y);
        assert_true(is_away ? !seen : seen || !is_free(i));
        assert_true(!seen || is_on_square(i, x, y));
    }
    assert_true(followed.losses >= 1);
}

/* A plain surface has no texture: its colour and its depth are followed. No map: colours alone. */
static void test_plain(void **state)
{
    const satb_image colours = colours_of(), none = {0};
    int x = 30, y = 60;
    track_view view;
    problem p;
    followed.has_begun = false;
    for (int i = 0; i < 30; i++) {
        draw(0, 0, WIDTH, HEIGHT, 10, 0.25, i);
        for (int down = 40; down < 80; down++)
            memset(drawn.colours[down][10 + 3 * i], 90, 40 * 3);
        assert_true(track_view_make(&view, &colours, &none, &p));
        assert_true(track_follow(&followed, &view, false, &x, &y));
        track_view_free(&view);
        assert_true(x > 10 + 3 * i && x < 50 + 3 * i && y > 40 && y < 80);
    }
}

/* Fills a box with one colour and one depth. */
static void fill(int left, int top, int wide, int high, int colour, int depth)
{
    for (int y = top; y < top + high; y++)
        for (int x = left < 0 ? 0 : left; x < left + wide && x < WIDTH; x++) {
            memset(drawn.colours[y][x], colour, 3);
            drawn.depths[y][x] = (uint8_t)depth;
        }
}

/* An object that is smaller than the template leaves what stands still behind it, as its depth is another. */
static void test_small(void **state)
{
    enum { SMALL = 9 };
    int x = 24, y = 64;
    followed.has_begun = false;
    for (int i = 0; i < 50; i++) {
        draw(0, 0, WIDTH, HEIGHT, 10, 0.25, 0);
        draw(20 + 3 * i, 60, SMALL, SMALL, 20, depth_of_square, i);
        assert_true(follow(false, &x, &y));
        assert_true(abs(x - (24 + 3 * i)) <= 2 && abs(y - 64) <= 2);
    }
}

/* Of two squares of one plain colour the depth tells which is which. */
static void test_twins(void **state)
{
    int x = 30, y = 60;
    followed.has_begun = false;
    for (int i = 0; i < 60; i++) {
        draw(0, 0, WIDTH, HEIGHT, 10, 0.1, i);
        fill(190 - 3 * i, 46, 30, 30, 200, 100);
        fill(15 + 3 * i, 45, 30, 30, 200, 180);
        assert_true(follow(false, &x, &y));
        assert_true(x >= 15 + 3 * i && x < 45 + 3 * i && y >= 45 && y < 75);
    }
}

/* A cover that slides slowly over the square is not learned: the square is lost, and found when it is free again. */
static void test_cover(void **state)
{
    int x, y, hidden = 0;
    begin(&x, &y);
    for (int i = 0; i < 200; i++) {
        draw_frame(0, false);
        fill(square_left(0) - 60 + i / 2, square_top(0) - 10, 60, 60, 120, 178);
        const bool seen = follow(false, &x, &y);
        assert_true(!seen || is_on_square(0, x, y));
        hidden += !seen;
    }
    assert_true(hidden > 40 && followed.lost_for == 0 && followed.losses <= 2);
}

/* Corners, pictures of one pixel, and large ones. */
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{1, 1}, {1, 900}, {2000, 3}, {321, 319}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int w = sizes[i][0], h = sizes[i][1];
        satb_image image = {.width = w, .height = h, .stride = 2 * w, .channels = 1, .bits = 16};
        uint16_t *const data = malloc((size_t)w * (size_t)h * sizeof *data);
        problem p;
        track_view view;
        assert_non_null(data);
        for (int k = 0; k < w * h; k++)
            data[k] = (uint16_t)noise(k, 0, 3, UINT16_MAX);
        image.data = data;
        assert_true(track_view_make(&view, &image, &image, &p));
        assert_true(view.width <= TRACK_CELLS && view.height <= TRACK_CELLS);
        followed.has_begun = false;
        for (int k = 0; k < 3; k++) {
            int x = w - 1, y = h - 1;
            assert_true(track_follow(&followed, &view, k == 2, &x, &y));
            assert_true(x == w - 1 && y == h - 1);
        }
        track_view_free(&view);
        free(data);
    }
}

/* --- The focus -------------------------------------------------------------------------------- */

/* Returns a copy for pixels_free(). */
static satb_image copy_of(satb_image image)
{
    const size_t size = (size_t)image.stride * (size_t)image.height;
    void *const data = pixels_allocate(size);
    assert_non_null(data);
    memcpy(data, image.data, size);
    image.data = data;
    return image;
}

static engine_pool pool;
static focus_path path;

/* Returns the focus of the drawn frame. */
static double focus_of(const options *o, int frame)
{
    problem p = {.text = ""};
    engine_request q = {
        .o = o, .dof = o->dof, .src = copy_of(colours_of()), .map_white = UINT8_MAX};
    q.map = copy_of(depths_of());
    assert_true(focus_path_set(&path, &pool, &q, (uint64_t)frame, frame / 25.0, 1, &p));
    assert_int_equal(q.dof.focus_mode, SATB_FOCUS_VALUE);
    pixels_free(q.src.data);
    pixels_free(q.map.data);
    return q.dof.focus;
}

/* The focus is the square's depth, hidden or not. At a cut to where it is lost the focus stays, and where it is found again
 * after a cut the focus is there at once. */
static void test_focus(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 1};
    options o = {.input = "clip", .map = "maps", .engine = config};
    problem p = {.text = ""};
    int x, y;
    begin(&x, &y);
    o.given[OPT_DEPTH] = o.given[OPT_FOCUS_TRACK] = true;
    o.dof = (satb_dof_params){.focus_mode = SATB_FOCUS_POINT, .focus_x = x, .focus_y = y};
    assert_true(engine_pool_open(&pool, &config, false, 1, &p));
    focus_path_open(&path, &o, 25, 0);
    for (int i = 0; i < FRAMES + 10; i++) {
        if (i < FRAMES)
            draw_frame(i, true);
        else
            fill(0, 0, WIDTH, HEIGHT, 20, 30);
        assert_true(fabs(focus_of(&o, i) - depth_of_square) < 0.02);
    }
    fill(0, 0, WIDTH, HEIGHT, 250, 30);
    draw(20, 70, SIDE, SIDE, 20, 0.62, 0);
    assert_true(fabs(focus_of(&o, FRAMES + 10) - 0.62) < 0.02);
    assert_true(path.track.lost_for == 0);
    focus_path_close(&path);
    engine_pool_close(&pool);
}

UNIT_MAIN(UNIT(test_place), UNIT(test_cuts), UNIT(test_plain), UNIT(test_small), UNIT(test_twins),
          UNIT(test_cover), UNIT(test_sizes), UNIT(test_focus))
