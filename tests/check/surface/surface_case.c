#include "check/surface/surface_case.h"

#include <math.h>

enum { SAMPLES = 4 }; /* SAMPLES^2 of a pixel */

static const char *const softness_names[] = {"hard", "soft", "noisy", "wild", "mask"};

void scene_draw_discs(check *c, scene *s, int w, int h)
{
    for (int i = 0; i < SCENE_DISCS; i++) {
        disc *const d = &s->disc[i];
        *d = (disc){.x = random_below(&c->random, w + 1),
                    .y = random_below(&c->random, h + 1),
                    .radius = 2 + random_below(&c->random, (w < h ? w : h) / 2 + 2),
                    .depth = (i * 255 + random_below(&c->random, 200)) / SCENE_DISCS};
        for (int k = 0; k < 4; k++)
            d->colour[k] = random_below(&c->random, 256);
    }
    s->disc[0].radius = w + h;
}

static const disc *disc_at(const scene *s, double x, double y)
{
    int i = SCENE_DISCS - 1;

    while (hypot(x - s->disc[i].x, y - s->disc[i].y) > s->disc[i].radius)
        i--;
    return &s->disc[i];
}

static uint32_t code_of_light(double light)
{
    const double v = light / 255;
    return (uint32_t)lround(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055));
}

static int noise(check *c, int most)
{
    return random_below(&c->random, 2 * most + 1) - most;
}

/* Stores a code. The lower byte of 16 bits is random. */
static void put(check *c, const satk_plane *to, int x, int y, int channel, double code)
{
    const uint32_t high = (uint32_t)fmin(fmax(code, 0), 255);

    picture_put(to, x, y, channel,
                to->bits == 8 ? high : high << 8 | (uint32_t)random_below(&c->random, 256));
}

/* Draws a sample of the map; step: pixels from a sample to the next. */
static void draw_depth(check *c, const scene *s, int i, int j, const double *step)
{
    const double x = i * step[0], y = j * step[1];
    double depth = 0;

    for (int k = 0; k < SAMPLES * SAMPLES; k++) {
        const disc *const d = disc_at(s, x + (k % SAMPLES + 0.5) / SAMPLES * step[0],
                                      y + (k / SAMPLES + 0.5) / SAMPLES * step[1]);
        depth +=
            (s->softness == MASK ? 255 * (d != s->disc) : d->depth) / (double)(SAMPLES * SAMPLES);
    }
    if (s->softness == HARD || s->softness == NOISY)
        depth = disc_at(s, x + step[0] / 2, y + step[1] / 2)->depth +
                noise(c, s->softness == NOISY ? 6 : 0);
    if (s->softness == WILD)
        depth = random_below(&c->random, 256);
    if (s->near_black)
        depth = 255 - depth;
    if (s->softness == MASK && s->map.plane.bits == 16) /* with the last bit */
        picture_put(&s->map.plane, i, j, 0, (uint32_t)lround(depth * 257));
    else
        put(c, &s->map.plane, i, j, 0, depth);
}

static void draw_colour(check *c, const scene *s, int x, int y)
{
    double colour[4] = {0};

    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        const disc *const d =
            disc_at(s, x + (i % SAMPLES + 0.5) / SAMPLES, y + (i / SAMPLES + 0.5) / SAMPLES);
        for (int k = 0; k < 4; k++)
            colour[k] += d->colour[k] / (double)(SAMPLES * SAMPLES);
    }
    for (int k = 0; k < s->src.plane.channels; k++)
        put(c, &s->src.plane, x, y, k, code_of_light(colour[k]) + noise(c, 2));
}

void scene_draw_pixel(check *c, const scene *s, int x, int y)
{
    static const double whole[] = {1, 1};

    draw_colour(c, s, x, y);
    draw_depth(c, s, x, y, whole);
}

scene scene_make(check *c, int w, int h)
{
    const shape src = {w,
                       h,
                       1 + random_below(&c->random, 4),
                       8 << random_below(&c->random, 2),
                       random_below(&c->random, 3) * 2,
                       0};
    const shape map = {w, h, 1, 8 << random_below(&c->random, 2), random_below(&c->random, 3) * 2,
                       0};
    scene s = {.softness = (softness)random_below(&c->random, SOFTNESSES),
               .near_black = random_below(&c->random, 2),
               .src = picture_input(&src, FILL_RANDOM, &c->random),
               .map = picture_input(&map, FILL_RANDOM, &c->random)};

    s.params = (satb_dof_params){.near_black = s.near_black,
                                 .edges = random_below(&c->random, 8) ? SATB_DEPTH_EDGES_FIT
                                                                      : SATB_DEPTH_EDGES_KEEP};
    scene_draw_discs(c, &s, w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            scene_draw_pixel(c, &s, x, y);
    check_case(c, "%dx%d, %d channels of %d bits, %s map of %d bits%s", w, h, src.channels,
               src.bits, softness_names[s.softness], map.bits, s.near_black ? ", near black" : "");
    return s;
}

/* Returns the samples of a map's side. */
static int side_of(check *c, int pixels, int part)
{
    const int side = part == 0   ? 1 + random_below(&c->random, pixels)
                     : part == 5 ? pixels + 1 + random_below(&c->random, 20)
                                 : pixels / part;

    return side < 1 ? 1 : side;
}

void scene_resize(check *c, scene *s)
{
    const int part = random_below(&c->random, 6); /* 0: any; 1 to 4: of that part; 5: larger */
    const int w = s->src.plane.width, h = s->src.plane.height;
    const shape form = {side_of(c, w, part),
                        side_of(c, h, part),
                        1 + random_below(&c->random, 4),
                        8 << random_below(&c->random, 2),
                        random_below(&c->random, 3) * 2,
                        0};
    const double step[] = {(double)w / form.width, (double)h / form.height};

    picture_free(&s->map);
    s->map = picture_input(&form, FILL_RANDOM, &c->random);
    for (int j = 0; j < form.height; j++)
        for (int i = 0; i < form.width; i++)
            draw_depth(c, s, i, j, step);
    check_case(c, "%dx%d, %d channels of %d bits, %s map of %dx%d, %d channels of %d bits%s%s", w,
               h, s->src.plane.channels, s->src.plane.bits, softness_names[s->softness], form.width,
               form.height, form.channels, form.bits, s->near_black ? ", near black" : "",
               s->params.edges == SATB_DEPTH_EDGES_KEEP ? ", edges kept" : "");
}

void scene_free(scene *s)
{
    picture_free(&s->src);
    picture_free(&s->map);
}

/* --- Few edges -------------------------------------------------------------------------------- */

enum { FEW_WIDTH = 900, FEW_HEIGHT = 28, PATCH = 6, HOLES = 9 };

/* Sets all samples of a pixel. A hole of the map is code 0. */
static void put_few(check *c, const scene *s, int x, int y, int colour, int depth)
{
    const int code = s->near_black && depth > 0 ? 255 - depth : depth;

    for (int k = 0; k < s->src.plane.channels; k++)
        put(c, &s->src.plane, x, y, k, colour + noise(c, 2));
    for (int k = 0; k < s->map.plane.channels; k++)
        picture_put(&s->map.plane, x, y, k, (uint32_t)(s->map.plane.bits == 8 ? code : code * 257));
}

scene scene_make_few(check *c, int channels, int step)
{
    const shape src = {FEW_WIDTH, FEW_HEIGHT, 1 + random_below(&c->random, 4), 8, 0, 0};
    const shape map = {FEW_WIDTH, FEW_HEIGHT, channels, 8 << random_below(&c->random, 2), 0, 0};
    const int left = 20 + random_below(&c->random, FEW_WIDTH - 40), top = 10;
    scene s = {.near_black = random_below(&c->random, 2),
               .src = picture_input(&src, FILL_RANDOM, &c->random),
               .map = picture_input(&map, FILL_RANDOM, &c->random)};

    s.params.near_black = s.near_black;
    for (int y = 0; y < FEW_HEIGHT; y++)
        for (int x = 0; x < FEW_WIDTH; x++) {
            const int in = x >= left && x < left + PATCH && y >= top && y < top + PATCH;
            const int at_rim =
                x >= left - 1 && x <= left + PATCH && y >= top - 1 && y <= top + PATCH;
            const int first = x % 32 == 0 && y == 0; /* of a device's tile: no edge is beside it */
            put_few(c, &s, x, y, in ? 220 : at_rim ? 140 : 40, in ? 40 + step : first ? 44 : 40);
        }
    for (int i = 0; i < HOLES && channels == 1; i++)
        put_few(c, &s, i * 90 + random_below(&c->random, 9), FEW_HEIGHT - 1 - i % 3, 40, 0);
    check_case(c, "few edges of %d, %d channels of 8 bits, map of %d channels of %d bits%s", step,
               src.channels, map.channels, map.bits, s.near_black ? ", near black" : "");
    return s;
}
