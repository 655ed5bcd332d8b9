#include "job/map_advice.h"

#include "image/shape.h"

#include <stdlib.h>

/* Returns whether w1 : h1 and w2 : h2 differ by more than 2 % and by more than the rounding of a side to whole pixels. */
static bool proportions_differ(int w1, int h1, int w2, int h2)
{
    const double a = (double)w1 * h2, b = (double)w2 * h1, most = a > b ? a : b;
    const double rounding = (w1 > h1 ? w1 : h1);
    const double difference = a > b ? a - b : b - a;
    return difference > 0.02 * most && difference > rounding;
}

static const uint8_t *row_of(const satb_image *map, int y)
{
    return (const uint8_t *)map->data + y * map->stride;
}

/* Returns the share of the pixels whose colour is not gray, by more than JPEG's noise. One row in four is looked at. */
static double coloured_share(const satb_image *map)
{
    const int most = map->bits == 16 ? 32 * 257 : 32;
    const size_t channels = (size_t)map->channels;
    size_t coloured = 0, seen = 0;
    for (int y = 0; y < map->height; y += 4)
        for (size_t x = 0; x < (size_t)map->width; x++, seen++) {
            const int r = (int)picture_sample(map, row_of(map, y), x * channels);
            const int g = (int)picture_sample(map, row_of(map, y), x * channels + 1);
            const int b = (int)picture_sample(map, row_of(map, y), x * channels + 2);
            coloured += abs(r - g) > most || abs(b - g) > most;
        }
    return (double)coloured / (double)seen;
}

typedef struct extremes {
    unsigned least, most;
} extremes;

/* Widens the extremes by the first channel of a row. In 16 bits, 0 counts as unknown. */
static void widen(extremes *e, const satb_image *map, const uint8_t *row)
{
    for (size_t x = 0; x < (size_t)map->width; x++) {
        const unsigned code = picture_sample(map, row, x * (size_t)map->channels);
        if (code == 0 && map->bits == 16)
            continue;
        e->least = code < e->least ? code : e->least;
        e->most = code > e->most ? code : e->most;
    }
}

/* Most maps use more of their scale in their first rows, and then the rest is not read. */
static void doubt_range(const options *o, const satb_image *map)
{
    const unsigned full = map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    extremes e = {.least = full, .most = 0};
    for (int y = 0; y < map->height; y++) {
        widen(&e, map, row_of(map, y));
        if (e.most > e.least && 16 * (e.most - e.least) > full)
            return;
    }
    if (e.most <= e.least)
        return;
    message_note(o->given[OPT_QUIET],
                 "%s: uses only the codes %u to %u of %u, so little is blurred; "
                 "--depth-range %u,%u makes them the whole scale",
                 o->depth, e.least, e.most, full, e.least, e.most);
}

void map_advice(const engine_request *q)
{
    const options *const o = q->o;
    const char *const name = o->depth ? o->depth : o->radius_map;
    const satb_image *const map = &q->map;
    const bool quiet = o->given[OPT_QUIET];
    if (proportions_differ(q->src.width, q->src.height, map->width, map->height)) {
        message_note(quiet,
                     "%s: %d x %d has other proportions than %s, %d x %d; it is stretched to them",
                     name, map->width, map->height, o->input, q->src.width, q->src.height);
    }
    if (map->on_device)
        return;
    if (map->channels >= 3 && coloured_share(map) > 0.02) {
        message_note(quiet,
                     "%s: its channels differ, so it may be a false-colour map or a photo; "
                     "its first channel is used, which is right for gray maps only",
                     name);
    }
    if (o->depth && !o->given[OPT_DEPTH_RANGE])
        doubt_range(o, map);
}
