// Depth maps as they come from networks and sensors, made of a scene's exact one: smaller, with
// smoothed edges, with holes.
#include "quality/image.h"
#include "quality/read.h"

#include <math.h>
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

// Shrunk, and interpolated back: as networks' maps come out of their pipelines.
static struct map widened(const struct map *exact, int n)
{
    const struct map small = shrunk(exact, n, 0), map = map_new(exact->width, exact->height);
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x) {
            const float u = ((float)x + 0.5f) / (float)n - 0.5f;
            const float v = ((float)y + 0.5f) / (float)n - 0.5f;
            const int i = (int)floorf(u), j = (int)floorf(v);
            const float a = u - (float)i, b = v - (float)j;
            *at(&map, x, y) = (1 - b) * ((1 - a) * *at(&small, i, j) + a * *at(&small, i + 1, j)) +
                              b * ((1 - a) * *at(&small, i, j + 1) + a * *at(&small, i + 1, j + 1));
        }
    free(small.q);
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
    if (!strcmp(kind, "holes"))
        return holed(exact);
    fputs("usage: worsen EXACT.png KIND OUT.png     KIND:\n"
          "  meanN  1/N of the size, means of N x N pixels\n"
          "  eachN  1/N of the size, each N-th pixel\n"
          "  softN  the same size, means of the N x N pixels around\n"
          "  wideN  meanN, interpolated back to the full size\n"
          "  holes  0 where a pair of cameras would not know\n",
          stderr);
    exit(2);
}

int main(int argc, char **argv)
{
    const struct picture picture = read_png(argc == 4 ? argv[1] : "");
    struct map exact = map_new(picture.width, picture.height);
    const size_t count = (size_t)exact.width * (size_t)exact.height;
    for (size_t i = 0; i < count; ++i)
        exact.q[i] = picture.rgb[3 * i];
    const struct map map = worse(&exact, argv[2]);
    uint16_t *const codes = calloc(count, sizeof *codes);
    if (!codes)
        abort();
    for (size_t i = 0; i < (size_t)map.width * (size_t)map.height; ++i)
        codes[i] = (uint16_t)(65535 * map.q[i] + 0.5f);
    write_gray16(argv[3], codes, map.width, map.height);
    free(codes);
    free(map.q);
    free(exact.q);
    free(picture.rgb);
    return 0;
}
