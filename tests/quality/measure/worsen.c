// Depth maps as they come from networks and sensors, made of a scene's exact one: smaller, with
// smoothed edges, with holes.
#include "quality/image.h"
#include "quality/measure/read.h"
#include "quality/vec.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct map {
    int width, height;
    float *q;
};

static struct map map_new(int width, int height)
{
    const struct map map = {width, height, calloc((size_t)width * (size_t)height, sizeof *map.q)};
    if (!map.q)
        abort();
    return map;
}

static float *at(const struct map *map, int x, int y)
{
    const int cx = x < 0 ? 0 : x >= map->width ? map->width - 1 : x;
    const int cy = y < 0 ? 0 : y >= map->height ? map->height - 1 : y;
    return map->q + (size_t)cy * (size_t)map->width + (size_t)cx;
}

// The means of n x n pixels, or (points) the pixel in their middle.
static struct map shrunk(const struct map *exact, int n, int points)
{
    const struct map map = map_new(exact->width / n, exact->height / n);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            float sum = 0;
            for (int i = 0; i < n * n; ++i)
                sum += *at(exact, x * n + i % n, y * n + i / n);
            *at(&map, x, y) =
                points ? *at(exact, x * n + n / 2, y * n + n / 2) : sum / (float)(n * n);
        }
    return map;
}

// At the same size, each the mean of the n x n around it.
static struct map smoothed(const struct map *exact, int n)
{
    const struct map map = map_new(exact->width, exact->height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            for (int i = 0; i < n * n; ++i)
                *at(&map, x, y) +=
                    *at(exact, x + i % n - n / 2, y + i / n - n / 2) / (float)(n * n);
    return map;
}

// Bilinear between the samples' middles, which are at whole numbers.
static float between(const struct map *map, float u, float v)
{
    const int i = (int)floorf(u), j = (int)floorf(v);
    const float a = u - (float)i, b = v - (float)j;
    return (1 - b) * ((1 - a) * *at(map, i, j) + a * *at(map, i + 1, j)) +
           b * ((1 - a) * *at(map, i, j + 1) + a * *at(map, i + 1, j + 1));
}

// Interpolated to the size of `like`; a sample of `small` covers step_x x step_y of its pixels.
static struct map enlarged(const struct map *small, const struct map *like, float step_x,
                           float step_y)
{
    const struct map map = map_new(like->width, like->height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            *at(&map, x, y) = between(small, ((float)x + 0.5f) / step_x - 0.5f,
                                      ((float)y + 0.5f) / step_y - 0.5f);
    return map;
}

// Shrunk, and interpolated back: as networks' maps come out of their pipelines.
static struct map widened(const struct map *exact, int n)
{
    const struct map small = shrunk(exact, n, 0);
    const struct map map = enlarged(&small, exact, (float)n, (float)n);
    free(small.q);
    return map;
}

// How much of pixel i lies between two places.
static float overlap(int i, float from, float to)
{
    return fmaxf(0, fminf((float)(i + 1), to) - fmaxf((float)i, from));
}

// The means of the areas of width x height samples.
static struct map reduced(const struct map *exact, int width, int height)
{
    const struct map map = map_new(width, height);
    const float step_x = (float)exact->width / (float)width;
    const float step_y = (float)exact->height / (float)height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float left = (float)x * step_x, right = left + step_x;
            const float top = (float)y * step_y, bottom = top + step_y;
            float sum = 0;
            for (int j = (int)top; (float)j < bottom; ++j)
                for (int i = (int)left; (float)i < right; ++i)
                    sum += overlap(i, left, right) * overlap(j, top, bottom) * *at(exact, i, j);
            *at(&map, x, y) = sum / (step_x * step_y);
        }
    return map;
}

// Softens by a standard deviation of 1.4 samples: three means of 3 x 3.
static void soften(struct map *map)
{
    for (int i = 0; i < 3; ++i) {
        const struct map softer = smoothed(map, 3);
        free(map->q);
        *map = softer;
    }
}

// As a network gives it: 518 samples wide, or half of a small picture's width, soft, interpolated to
// the full size.
static struct map networked(const struct map *exact)
{
    const int width = exact->width > 518 ? 518 : (exact->width + 1) / 2;
    const int height = (2 * width * exact->height + exact->width) / (2 * exact->width);
    struct map small = reduced(exact, width, height);
    soften(&small);
    const struct map map = enlarged(&small, exact, (float)exact->width / (float)width,
                                    (float)exact->height / (float)height);
    free(small.q);
    return map;
}

// Frame n of a clip as a network for video gives it: of half the width, soft, and other in each
// frame. Noise of 12 samples' size wanders: it moves outlines by up to a third of a sample, and it
// changes disparities by up to 1/100. After some three frames it is another.
static struct map filmed(const struct map *exact, int frame)
{
    struct map small = reduced(exact, (exact->width + 1) / 2, (exact->height + 1) / 2);
    soften(&small);
    const struct map map = map_new(small.width, small.height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const vec3 n = noise3(v3((float)x / 12, (float)y / 12, (float)frame / 3));
            const float q = between(&small, (float)x + n.x / 3, (float)y + n.y / 3);
            *at(&map, x, y) = clampf(q + 0.01f * n.z, 0, 1);
        }
    free(small.q);
    return map;
}

// Its outlines are up to 3 pixels off, in directions that change over some 40 pixels.
static struct map displaced(const struct map *exact)
{
    const struct map map = map_new(exact->width, exact->height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const vec3 n = noise3(v3((float)x / 40, (float)y / 40, 0));
            const vec3 by = scaled(disc(0.5f + 0.5f * n.x, 0.5f + 0.5f * n.y), 3);
            *at(&map, x, y) = between(exact, (float)x + by.x, (float)y + by.y);
        }
    return map;
}

static struct map shifted_network(const struct map *exact)
{
    const struct map moved = displaced(exact), map = networked(&moved);
    free(moved.q);
    return map;
}

// What two cameras side by side do not both see, and blots where a sensor sees nothing, are 0.
static struct map holed(const struct map *exact)
{
    enum { BASE = 40, CELL = 60, BLOT = 9 }; // pixels
    const struct map map = map_new(exact->width, exact->height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const float q = *at(exact, x, y);
            int seen = 1;
            for (int d = 1; d < BASE && seen; ++d)
                seen = *at(exact, x - d, y) < q + ((float)d + 0.5f) / BASE;
            const int cx = x / CELL, cy = y / CELL;
            const uint32_t noise = ((uint32_t)cx * 73856093u ^ (uint32_t)cy * 19349663u) >> 3;
            const int dx = x - cx * CELL - 10 - (int)(noise % 40),
                      dy = y - cy * CELL - 10 - (int)(noise / 64 % 40);
            *at(&map, x, y) = seen && dx * dx + dy * dy > BLOT * BLOT ? fmaxf(q, 1 / 65535.0f) : 0;
        }
    return map;
}

static struct map worse(const struct map *exact, const char *kind)
{
    const int n = kind[0] ? atoi(kind + 4) : 0;
    if (!strncmp(kind, "mean", 4) && n > 1)
        return shrunk(exact, n, 0);
    if (!strncmp(kind, "each", 4) && n > 1)
        return shrunk(exact, n, 1);
    if (!strncmp(kind, "soft", 4) && n > 1)
        return smoothed(exact, n);
    if (!strncmp(kind, "wide", 4) && n > 1)
        return widened(exact, n);
    if (!strncmp(kind, "clip", 4))
        return filmed(exact, n);
    if (!strcmp(kind, "holes"))
        return holed(exact);
    if (!strcmp(kind, "net"))
        return networked(exact);
    if (!strcmp(kind, "netshift"))
        return shifted_network(exact);
    fputs("usage: worsen EXACT.png KIND OUT.png     KIND:\n"
          "  meanN  1/N of the size, means of N x N pixels\n"
          "  eachN  1/N of the size, each N-th pixel\n"
          "  softN  the same size, means of the N x N pixels around\n"
          "  wideN  meanN, interpolated back to the full size\n"
          "  holes  0 where a pair of cameras would not know\n"
          "  net    as a network gives it: 518 wide, softened, enlarged, 8 bits\n"
          "  netshift  net, its outlines up to 3 pixels off\n"
          "  clipN  frame N of a clip as a network for video gives it: 1/2 of the size, softened,\n"
          "         with noise that changes, 8 bits\n",
          stderr);
    exit(2);
}

static void write_map(const char *file, const struct map *map, int bits)
{
    const size_t count = (size_t)map->width * (size_t)map->height;
    uint16_t *const words = calloc(count, sizeof *words);
    uint8_t *const bytes = (uint8_t *)words;
    if (!words)
        abort();
    for (size_t i = 0; i < count; ++i)
        if (bits == 16)
            words[i] = (uint16_t)(65535 * map->q[i] + 0.5f);
        else
            bytes[i] = (uint8_t)(255 * map->q[i] + 0.5f);
    write_png(file, words, map->width, map->height, 1, bits);
    free(words);
}

int main(int argc, char **argv)
{
    const struct picture picture = read_png(argc == 4 ? argv[1] : "");
    struct map exact = map_new(picture.width, picture.height);
    const size_t count = (size_t)exact.width * (size_t)exact.height;
    for (size_t i = 0; i < count; ++i)
        exact.q[i] = picture.rgb[3 * i];
    const struct map map = worse(&exact, argv[2]);
    write_map(argv[3], &map, strncmp(argv[2], "net", 3) && strncmp(argv[2], "clip", 4) ? 16 : 8);
    free(map.q);
    free(exact.q);
    free(picture.rgb);
    return 0;
}
