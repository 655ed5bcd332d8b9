// Which pixels count, and for what.
//
// A depth edge is between two neighbours (left and right, or above and below) whose signed blur
// radii R (q - focus) differ by half a pixel or more. The edge band is what lies within
// max(2, r) pixels of either of them, where r is the larger of their two blur radii. The frame is
// what lies within R max|q - focus| pixels, rounded up, of the border: what is outside the picture
// may be seen there, and a method cannot know it.
#include "quality/measure/measure.h"

#include "quality/vec.h"

#include <stdlib.h>

struct map {
    int width, height;
    const float *rgb;
    float radius, focus;
    float subject_low, subject_high;
};

static float signed_blur(const struct map *map, int x, int y)
{
    const size_t i = (size_t)y * (size_t)map->width + (size_t)x;
    return map->radius * (map->rgb[3 * i] - map->focus);
}

static int is_subject(const struct map *map, int x, int y)
{
    const float q = map->rgb[3 * ((size_t)y * (size_t)map->width + (size_t)x)];
    return map->subject_high > 0 && q >= map->subject_low && q <= map->subject_high;
}

// Marks the beginnings and ends of the rows of a disc: +1, -1.
static void mark_disc(int *steps, const struct map *map, int x, int y, float r)
{
    const int reach = (int)r;
    for (int dy = -reach; dy <= reach; ++dy) {
        if (y + dy < 0 || y + dy >= map->height)
            continue;
        const int half = (int)sqrtf(r * r - (float)(dy * dy));
        const int x0 = x - half > 0 ? x - half : 0;
        const int x1 = x + half + 1 < map->width ? x + half + 1 : map->width;
        int *const row = steps + (size_t)(y + dy) * (size_t)(map->width + 1);
        ++row[x0];
        --row[x1];
    }
}

// Marks the band around an edge between a pixel and the next one; `bit` says which edges count.
static void mark_edge(int *steps, const struct map *map, int x, int y, int dx, int dy, int bit)
{
    if (x + dx >= map->width || y + dy >= map->height)
        return;
    if (bit == RIM && is_subject(map, x, y) == is_subject(map, x + dx, y + dy))
        return;
    const float a = signed_blur(map, x, y), b = signed_blur(map, x + dx, y + dy);
    if (fabsf(a - b) < 0.5f)
        return;
    const float r = fmaxf(2, fmaxf(fabsf(a), fabsf(b)));
    mark_disc(steps, map, x, y, r);
    mark_disc(steps, map, x + dx, y + dy, r);
}

static void mark_band(const struct map *map, int bit, uint8_t *mask)
{
    const size_t pitch = (size_t)map->width + 1;
    int *const steps = calloc(pitch * (size_t)map->height, sizeof *steps);
    if (!steps)
        abort();
    for (int y = 0; y < map->height; ++y)
        for (int x = 0; x < map->width; ++x) {
            mark_edge(steps, map, x, y, 1, 0, bit);
            mark_edge(steps, map, x, y, 0, 1, bit);
        }
    for (int y = 0; y < map->height; ++y)
        for (int x = 0, depth = 0; x < map->width; ++x) {
            depth += steps[(size_t)y * pitch + (size_t)x];
            if (depth > 0)
                mask[(size_t)y * (size_t)map->width + (size_t)x] |= (uint8_t)bit;
        }
    free(steps);
}

static int frame_width(const struct map *map)
{
    float most = 0;
    for (int y = 0; y < map->height; ++y)
        for (int x = 0; x < map->width; ++x)
            most = fmaxf(most, fabsf(signed_blur(map, x, y)));
    return (int)ceilf(most);
}

uint8_t *masks(const struct numbers *numbers, const struct picture *exact)
{
    const struct map map = {exact->width,         exact->height,  exact->rgb,
                            numbers->radius,      numbers->focus, numbers->subject_low,
                            numbers->subject_high};
    uint8_t *const mask = calloc((size_t)map.width * (size_t)map.height, 1);
    if (!mask)
        abort();
    mark_band(&map, EDGE, mask);
    mark_band(&map, RIM, mask);
    const int frame = frame_width(&map);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const size_t i = (size_t)y * (size_t)map.width + (size_t)x;
            if (x >= frame && y >= frame && x < map.width - frame && y < map.height - frame)
                mask[i] |= INNER;
            if (is_subject(&map, x, y))
                mask[i] |= SUBJECT;
        }
    return mask;
}
