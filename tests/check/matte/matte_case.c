#include "check/matte/matte_case.h"

#include <math.h>
#include <stdlib.h>

static const char *const kind_names[] = {"round", "hair",  "thin",       "edge",  "speck", "corner",
                                         "block", "noise", "both sides", "white", "black", "gray"};
static const char *const map_names[] = {"subject", "behind", "even", "close", "noise"};

/* --- Drawing ---------------------------------------------------------------------------------- */

/* Returns how far a pixel lies within the subject, in pixels; below 0 outside. */
static double within(const matte_scene *s, int x, int y)
{
    const int w = s->matte.plane.width, h = s->matte.plane.height;
    const double radius = 0.33 * (w < h ? w : h) + 1;

    switch (s->kind) {
    case MATTE_THIN: return 2.4 - fabs(fmod(x + 3 * sin(y / 7.0) + 5, 19) - 9);
    case MATTE_EDGE: return w > h ? w / 2.0 - x : h / 2.0 - y;
    case MATTE_SPECK: return x == w / 3 && y == h / 2 ? 3 : -3;
    case MATTE_CORNER: return x < 5 && y < 5 ? 3 : -3;
    case MATTE_BLOCK: return x >= 24 && x < 72 && y >= 24 && y < 72 ? 3 : -3;
    default: return radius - hypot(x - w / 2.0, y - h / 2.0);
    }
}

static int cover_at(check *c, const matte_scene *s, int x, int y)
{
    const double in = within(s, x, y), soft = 127.5 + 60 * in;
    const int cover = (int)fmin(fmax(soft, 0), 255), noise = random_below(&c->random, 256);

    switch (s->kind) {
    case MATTE_HAIR: return in > 0 ? cover : in > -9 && noise % 3 ? noise : 0;
    case MATTE_NOISE: return noise;
    case MATTE_BITS: return noise % 2 * 255;
    case MATTE_SUBJECT: return 255;
    case MATTE_BACKGROUND: return 0;
    case MATTE_GRAY: return 100;
    default: return cover;
    }
}

static int depth_at(check *c, const matte_scene *s, int x, int y)
{
    const int off = s->matte.plane.width > 12 ? 3 : 1;
    const int in = within(s, x > off ? x - off : 0, y) > 0;
    const int noise = random_below(&c->random, 5);

    switch (s->sort) {
    case MAP_OF_SUBJECT: return in ? 190 + noise : 40 + y % 60 + noise;
    case MAP_BEHIND: return in ? 30 + noise : 140 + noise;
    case MAP_EVEN: return 77;
    case MAP_CLOSE: return in ? 100 + noise : 104 + noise / 2;
    default: return random_below(&c->random, 256);
    }
}

static void draw_pixel(check *c, const matte_scene *s, int x, int y)
{
    const uint32_t cover = (uint32_t)cover_at(c, s, x, y);
    const int depth = depth_at(c, s, x, y);
    const uint32_t code = (uint32_t)(s->near_black ? 255 - depth : depth);
    const int is_both = cover > 0 && cover < 255;
    const satk_plane *const map = &s->map.plane;

    picture_put(&s->matte.plane, x, y, 0, cover);
    picture_put(map, x, y, 0,
                map->bits == 8        ? code
                : s->sort == MAP_EVEN ? code * 257
                                      : code << 8 | (uint32_t)random_below(&c->random, 256));
    picture_put(&s->sides.plane, x, y, 0,
                is_both || random_below(&c->random, 50) == 0 ? (uint32_t)random_below(&c->random, 3)
                                                             : 0);
}

/* --- Scenes ----------------------------------------------------------------------------------- */

/* Returns the form of a plane of the scene's size. */
static shape random_shape(check *c, int w, int h, int channels, int bits)
{
    const int step = bits / 8;

    return (shape){w,
                   h,
                   channels,
                   bits,
                   step * random_below(&c->random, 4),
                   step * random_below(&c->random, 4)};
}

matte_scene matte_scene_make(check *c, int w, int h, matte_kind kind)
{
    const shape plane = random_shape(c, w, h, 1, 8), sides = random_shape(c, w, h, 1, 8);
    const shape map = random_shape(c, w, h, 1, 8 << random_below(&c->random, 2));
    const shape src =
        random_shape(c, w, h, 1 + random_below(&c->random, 4), 8 << random_below(&c->random, 2));
    matte_scene s = {.kind = kind,
                     .sort = (matte_map)random_below(&c->random, MATTE_MAPS),
                     .near_black = random_below(&c->random, 2),
                     .matte = picture_input(&plane, FILL_RANDOM, &c->random),
                     .map = picture_input(&map, FILL_RANDOM, &c->random),
                     .src = picture_input(&src, FILL_RANDOM, &c->random),
                     .sides = picture_input(&sides, FILL_RANDOM, &c->random),
                     .rims = block_guarded(satk_rims_bytes((size_t)w * (size_t)h), 0)};

    block_poison(&s.rims);
    random_bytes(&c->random, block_data(&s.rims), s.rims.bytes);
    for (size_t i = 0; i < (size_t)w * (size_t)h; i++)
        matte_rims(&s, block_data(&s.rims)).kind[i] &= SATK_RIM_EDGE;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            draw_pixel(c, &s, x, y);
    check_case(c, "%dx%d, matte %s, map %s of %d bits%s, picture of %d channels, %d bits", w, h,
               kind_names[kind], map_names[s.sort], map.bits, s.near_black ? ", near black" : "",
               src.channels, src.bits);
    return s;
}

void matte_scene_free(matte_scene *s)
{
    picture_free(&s->matte);
    picture_free(&s->map);
    picture_free(&s->src);
    picture_free(&s->sides);
    block_free(&s->rims);
}

satk_rims matte_rims(const matte_scene *s, void *memory)
{
    return satk_rims_in(memory, (size_t)s->map.plane.width * (size_t)s->map.plane.height);
}

shape matte_size(check *c, matte_kind kind, int many)
{
    static const int small[][2] = {{1, 1},   {1, 40},  {37, 1},  {31, 33}, {32, 32},
                                   {33, 31}, {64, 65}, {97, 70}, {5, 5},   {120, 40}};
    static const int large[][2] = {{1300, 24}, {20, 2600}, {300, 200}, {1100, 33}, {257, 1030}};
    const int *const side =
        many ? large[random_below(&c->random, 5)] : small[random_below(&c->random, 10)];

    return kind == MATTE_BLOCK ? (shape){.width = 130, .height = 110}
                               : (shape){.width = side[0], .height = side[1]};
}

int matte_scratch_intact(check *c, backend on, const block *scratch)
{
    return check_that(c, on, block_intact(scratch), "bytes beside the scratch were written");
}
