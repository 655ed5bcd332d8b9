#include "bench/bench_scene.h"

#include <math.h>

enum { DISCS = 5, STRANDS = DISCS };

/* --- The scene -------------------------------------------------------------------------------- */

uint32_t scene_hash(uint32_t x, uint32_t y)
{
    const uint32_t v = (x * 7919 + y * 104729 + 12345) * 2654435761u;

    return (v ^ v >> 15) * 2246822519u >> 16;
}

double scene_within(double x, double y, int *object)
{
    double most = 3 - fabs(fmod(x + y / 3, 230) - 115);
    int of = STRANDS;

    for (int i = 0; i < DISCS; i++) {
        const double cx = 200 + 380 * i, cy = 300 + 240 * (i % 3);
        const double inside = 60 + 25 * i - hypot(x - cx, y - cy);
        if (inside > most)
            most = inside, of = i;
    }
    if (object)
        *object = of;
    return most;
}

double scene_wall(double y)
{
    return 0.1 + 0.3 * y / SCENE_HEIGHT;
}

double scene_object(int object)
{
    static const double disparity[DISCS + 1] = {0.5, 0.6, 0.75, 0.85, 0.95, 0.7};

    return disparity[object];
}

/* Returns the units of a pixel. */
static double unit_of(const satb_image *image)
{
    return (double)SCENE_WIDTH / image->width;
}

static void put(const satb_image *image, int x, int y, int channel, double part)
{
    uint8_t *const row = (uint8_t *)image->data + y * image->stride;
    const int at = x * image->channels + channel;

    if (image->bits == 8)
        row[at] = (uint8_t)(part * 255 + 0.5);
    else
        ((uint16_t *)row)[at] = (uint16_t)(part * 65535 + 0.5);
}

static double get(const satb_image *image, int x, int y)
{
    const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
    const int at = x * image->channels;

    return image->bits == 8 ? row[at] / 255.0 : ((const uint16_t *)row)[at] / 65535.0;
}

static double clipped(double value)
{
    return fmin(fmax(value, 0), 1);
}

/* --- The picture ------------------------------------------------------------------------------ */

/* Returns a channel of a surface's colour; the wall is number DISCS + 1. */
static double colour_of(int surface, int channel)
{
    return 0.15 + 0.6 * scene_hash((uint32_t)surface, 77 + (uint32_t)channel) / 65536.0;
}

/* Returns whether a lamp, 6 units wide, is at a point of the wall's upper third. */
static int is_lamp(double x, double y)
{
    const double u = fmod(x, 64) - 32, v = fmod(y, 64) - 32;

    return y < SCENE_HEIGHT / 3 && u * u + v * v < 9;
}

static void draw_pixel(const satb_image *p, int x, int y)
{
    const double unit = unit_of(p), u = (x + 0.5) * unit, v = (y + 0.5) * unit;
    const int colours = p->channels < 3 ? 1 : 3;
    int object = 0;
    const double cover = clipped(0.5 + scene_within(u, v, &object) / unit);

    for (int c = 0; c < p->channels; c++) {
        const uint32_t place = (uint32_t)y * (uint32_t)p->width + (uint32_t)x;
        const double noise = 0.12 * scene_hash(place, (uint32_t)c) / 65536.0;
        const double wall = is_lamp(u, v) ? 1 : colour_of(DISCS + 1, c) / 2;
        const double part = cover * colour_of(object, c) + (1 - cover) * wall + noise;
        put(p, x, y, c, c < colours ? clipped(part) : 1);
    }
}

void scene_draw_picture(const satb_image *picture)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++)
            draw_pixel(picture, x, y);
}

/* --- Maps ------------------------------------------------------------------------------------- */

/* Draws `part` of every pixel, at its centre in units, in a channel. */
static void draw(const satb_image *map, int channel, double (*part)(double x, double y, double of),
                 double of)
{
    const double unit = unit_of(map);

#pragma omp parallel for schedule(static)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            put(map, x, y, channel, part((x + 0.5) * unit, (y + 0.5) * unit, of));
}

static double disparity_at(double x, double y, double unused)
{
    int object = 0;

    (void)unused;
    return scene_within(x, y, &object) > 0 ? scene_object(object) : scene_wall(y);
}

void scene_draw_map(const satb_image *map)
{
    draw(map, 0, disparity_at, 0);
}

static double subject_at(double x, double y, double soft)
{
    int object = 0;
    const double inside = scene_within(x, y, &object);

    return object == SCENE_SUBJECT ? clipped(0.5 + inside / soft) : 0;
}

void scene_draw_subject(const satb_image *map)
{
    draw(map, 0, subject_at, 4);
}

void scene_draw_cutout(const satb_image *picture)
{
    scene_draw_picture(picture);
    draw(picture, 3, subject_at, 4);
}

static double radius_at(double x, double y, double focus)
{
    return floor(fabs(disparity_at(x, y, 0) - focus) * 51) * 5 / 255;
}

void scene_draw_radii(const satb_image *map, double focus)
{
    draw(map, 0, radius_at, focus);
}

/* Returns whether a point is in a spot. Spots are up to 32 units wide, and their middles are near rims. */
static int is_in_hole(double x, double y)
{
    const double cell = 24, left = floor(x / cell), top = floor(y / cell);

    for (int i = 0; i < 9; i++) {
        const double across = left + i % 3 - 1, down = top + i / 3 - 1;
        const uint32_t one = scene_hash((uint32_t)(across + 9), (uint32_t)(down + 9)),
                       other = scene_hash(one, 5);
        const double u = (across + one / 65536.0) * cell, v = (down + other / 65536.0) * cell;
        const double radius = 4 + one % 13;
        if ((x - u) * (x - u) + (y - v) * (y - v) < radius * radius &&
            fabs(scene_within(u, v, NULL)) < 7)
            return 1;
    }
    return 0;
}

void scene_draw_holes(const satb_image *map)
{
    const double unit = unit_of(map);

#pragma omp parallel for schedule(static)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            if (is_in_hole((x + 0.5) * unit, (y + 0.5) * unit))
                put(map, x, y, 0, 0);
}

/* --- Other sizes ------------------------------------------------------------------------------ */

void scene_shrink(const satb_image *from, const satb_image *to)
{
    const int by = from->width / to->width;

#pragma omp parallel for schedule(static)
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            double sum = 0;
            for (int i = 0; i < by * by; i++)
                sum += get(from, x * by + i % by, y * by + i / by);
            put(to, x, y, 0, sum / (by * by));
        }
}

/* Finds the two samples beside a place, and returns the second one's part. */
static double between(double at, int count, int *first, int *second)
{
    const double place = fmin(fmax(at, 0), count - 1);

    *first = (int)place;
    *second = *first + 1 < count ? *first + 1 : *first;
    return place - *first;
}

void scene_enlarge(const satb_image *from, const satb_image *to)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < to->height; y++) {
        int top, bottom, left, right;
        const double down =
            between((y + 0.5) * from->height / to->height - 0.5, from->height, &top, &bottom);
        for (int x = 0; x < to->width; x++) {
            const double across =
                between((x + 0.5) * from->width / to->width - 0.5, from->width, &left, &right);
            const double above =
                get(from, left, top) * (1 - across) + get(from, right, top) * across;
            const double below =
                get(from, left, bottom) * (1 - across) + get(from, right, bottom) * across;
            put(to, x, y, 0, above * (1 - down) + below * down);
        }
    }
}
