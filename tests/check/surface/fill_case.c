#include "check/surface/fill_case.h"

#include <math.h>

/* --- Surfaces --------------------------------------------------------------------------------- */

static void draw_discs(check *c, hole_scene *s)
{
    s->discs = 1 + random_below(&c->random, HOLE_DISCS);
    for (int i = 0; i < s->discs; i++) {
        hole_disc *const d = &s->disc[i];
        *d = (hole_disc){.x = random_below(&c->random, 1000) / 1000.0,
                         .y = random_below(&c->random, 1000) / 1000.0,
                         .radius = i > 0 ? 0.05 + random_below(&c->random, 400) / 1000.0 : 2,
                         .depth = 1 + random_below(&c->random, 65535)};
        for (int k = 0; k < 4; k++)
            d->colour[k] = random_below(&c->random, 256);
    }
    s->noise[0] = 1 + random_below(&c->random, 60);
    s->noise[1] = 1 + random_below(&c->random, 3) * random_below(&c->random, 1000);
}

/* Returns the number of the disc at a sample's centre. */
static int disc_at(const hole_scene *s, const satk_plane *of, int x, int y)
{
    const double u = (x + 0.5) / of->width, v = (y + 0.5) / of->height;
    int i = s->discs - 1;

    while (i > 0 && hypot(u - s->disc[i].x, v - s->disc[i].y) > s->disc[i].radius)
        i--;
    return i;
}

/* Stores a code of 16 bits. */
static void put(const satk_plane *to, int x, int y, int channel, int code)
{
    const uint32_t most = code < 65535 ? (uint32_t)code : 65535;

    picture_put(to, x, y, channel, to->bits == 8 ? most >> 8 : most);
}

static void draw_surfaces(check *c, const hole_scene *s)
{
    const satk_plane *const src = &s->src.plane, *const map = &s->map.plane;

    for (int i = 0; i < src->width * src->height; i++) {
        const int x = i % src->width, y = i / src->width;
        const hole_disc *const d = &s->disc[disc_at(s, src, x, y)];
        for (int k = 0; k < src->channels; k++)
            put(src, x, y, k,
                (d->colour[k] + random_below(&c->random, s->noise[0])) * 256 +
                    random_below(&c->random, 256));
    }
    for (int i = 0; i < map->width * map->height; i++) {
        const int x = i % map->width, y = i / map->width;
        const int depth = s->disc[disc_at(s, map, x, y)].depth;
        put(map, x, y, 0, depth + random_below(&c->random, s->noise[1]));
    }
}

/* --- Holes ------------------------------------------------------------------------------------ */

/* Makes all samples holes that are in a disc, a box, or both. */
static void dig(const satk_plane *map, int x, int y, int across, int down, int is_round)
{
    for (int j = y - down; j <= y + down; j++)
        for (int i = x - across; i <= x + across; i++) {
            const int is_in = i >= 0 && j >= 0 && i < map->width && j < map->height;
            const int away = (i - x) * (i - x) + (j - y) * (j - y);
            if (is_in && (!is_round || away <= across * across))
                picture_put(map, i, j, 0, 0);
        }
}

static void dig_blobs(check *c, const satk_plane *map)
{
    for (int i = random_below(&c->random, 30); i > 0; i--) {
        const int radius = random_below(&c->random, 13);
        dig(map, random_below(&c->random, map->width), random_below(&c->random, map->height),
            radius, radius, 1);
    }
}

static void dig_grains(check *c, const satk_plane *map)
{
    const int percent = random_below(&c->random, 100);

    for (int i = 0; i < map->width * map->height; i++)
        if (random_below(&c->random, 100) < percent)
            picture_put(map, i % map->width, i / map->width, 0, 0);
}

static void dig_side(check *c, const satk_plane *map)
{
    const int side = random_below(&c->random, 4);
    const int across = side % 2 ? random_below(&c->random, map->width + 1) : map->width;
    const int down = side % 2 ? map->height : random_below(&c->random, map->height + 1);

    if (across > 0 && down > 0)
        dig(map, side == 3 ? map->width - 1 : 0, side == 2 ? map->height - 1 : 0, across - 1,
            down - 1, 0);
}

static void dig_surface(check *c, const hole_scene *s)
{
    const satk_plane *const map = &s->map.plane;
    const int disc = random_below(&c->random, s->discs);

    for (int i = 0; i < map->width * map->height; i++)
        if (disc_at(s, map, i % map->width, i / map->width) == disc)
            picture_put(map, i % map->width, i / map->width, 0, 0);
}

static void dig_comb(check *c, const satk_plane *map)
{
    const int longest = map->height / 2, step = 2 + random_below(&c->random, 3);

    for (int x = random_below(&c->random, step); x < map->width; x += step)
        for (int side = 0; side < 2; side++)
            dig(map, x, side * (map->height - 1), 0, longest - 1 - random_below(&c->random, 3), 0);
}

static void dig_kind(check *c, const hole_scene *s, hole_kind kind)
{
    const satk_plane *const map = &s->map.plane;

    switch (kind) {
    case HOLES_BLOBS: dig_blobs(c, map); break;
    case HOLES_GRAINS: dig_grains(c, map); break;
    case HOLES_SIDE: dig_side(c, map); break;
    case HOLES_SURFACE: dig_surface(c, s); break;
    case HOLES_COMB: dig_comb(c, map); break;
    default:
        dig(map, random_below(&c->random, map->width), random_below(&c->random, map->height),
            random_below(&c->random, map->width), random_below(&c->random, map->height), 0);
    }
}

/* Makes all samples holes, all but one, or none. */
static void dig_extreme(check *c, const satk_plane *map)
{
    const int known = random_below(&c->random, map->width * map->height);
    const int which = random_below(&c->random, 3);

    for (int i = 0; i < map->width * map->height && which < 2; i++)
        if (which == 0 || i != known)
            picture_put(map, i % map->width, i / map->width, 0, 0);
}

static uint64_t count_holes(const satk_plane *map)
{
    uint64_t holes = 0;

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            holes +=
                satk_code((const uint8_t *)map->data + y * map->pitch, (size_t)x, map->bits) == 0;
    return holes;
}

/* --- Scenes ----------------------------------------------------------------------------------- */

/* Returns the size of the picture along an axis: the map's or, unless `same`, another one. */
static int other_size(check *c, int samples, int same)
{
    return same ? samples : 1 + random_below(&c->random, 3 * samples);
}

hole_scene hole_scene_make(check *c, int w, int h, hole_kind kind)
{
    static const char *const ways[] = {"inwards", "far", "near"};
    static const char *const kinds[] = {"blobs", "grains", "a side", "a surface",
                                        "a box", "a comb", "extreme"};
    const int same = random_below(&c->random, 2);
    const shape src = {other_size(c, w, same),          other_size(c, h, same),
                       1 + random_below(&c->random, 4), 8 << random_below(&c->random, 2),
                       random_below(&c->random, 3) * 2, 0};
    const shape map = {
        w, h, 1, random_below(&c->random, 4) ? 16 : 8, random_below(&c->random, 3) * 2, 0};
    hole_scene s = {.src = picture_input(&src, FILL_RANDOM, &c->random),
                    .map = picture_input(&map, FILL_RANDOM, &c->random),
                    .how = random_below(&c->random, 12)
                               ? SATK_FILL_INWARDS
                               : (satk_fill_way)random_below(&c->random, 3),
                    .near_black = random_below(&c->random, 2)};

    draw_discs(c, &s);
    draw_surfaces(c, &s);
    if (kind == HOLES_KINDS)
        dig_extreme(c, &s.map.plane);
    else
        dig_kind(c, &s, kind);
    if (random_below(&c->random, 3) == 0)
        dig_kind(c, &s, (hole_kind)random_below(&c->random, HOLES_KINDS));
    s.holes = count_holes(&s.map.plane);
    check_case(c, "%s, %dx%d, %d channels of %d bits, map %dx%d of %d bits%s, holes: %s",
               ways[s.how], src.width, src.height, src.channels, src.bits, w, h, map.bits,
               s.near_black ? ", near black" : "", kinds[kind]);
    return s;
}

void hole_scene_free(hole_scene *s)
{
    picture_free(&s->src);
    picture_free(&s->map);
}
