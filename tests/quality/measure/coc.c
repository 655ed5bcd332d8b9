// For other programs, which take a blur radius per pixel instead of a depth: writes R |q - focus| as
// a 16-bit map, white being the radius FULL.
#include "quality/image.h"
#include "quality/measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Bilinear, pixel centres aligned, for maps of another size than the picture.
static float sample(const struct picture *map, float x, float y)
{
    const float cx = fminf(fmaxf(x, 0), (float)map->width - 1);
    const float cy = fminf(fmaxf(y, 0), (float)map->height - 1);
    const int x0 = (int)cx, y0 = (int)cy;
    const int x1 = x0 + 1 < map->width ? x0 + 1 : x0, y1 = y0 + 1 < map->height ? y0 + 1 : y0;
    const float fx = cx - (float)x0, fy = cy - (float)y0;
    const float *const top = map->rgb + 3 * (size_t)y0 * (size_t)map->width;
    const float *const low = map->rgb + 3 * (size_t)y1 * (size_t)map->width;
    return (1 - fy) * ((1 - fx) * top[3 * x0] + fx * top[3 * x1]) +
           fy * ((1 - fx) * low[3 * x0] + fx * low[3 * x1]);
}

int main(int argc, char **argv)
{
    char path[4096];
    const float full = argc == 4 ? strtof(argv[2], NULL) : 0;
    if (full <= 0) {
        fputs("usage: coc SCENE FULL MAP.png\n", stderr);
        return 2;
    }
    snprintf(path, sizeof path, "%s/scene.txt", argv[1]);
    const struct numbers numbers = read_numbers(path);
    snprintf(path, sizeof path, "%s/depth.png", argv[1]);
    const struct picture depth = read_png(path);
    snprintf(path, sizeof path, "%s/exact.png", argv[1]);
    const struct picture picture = read_png(path);
    const int width = picture.width, height = picture.height;
    uint16_t *const map = malloc((size_t)width * (size_t)height * sizeof *map);
    if (!map)
        abort();
    const float sx = (float)depth.width / (float)width, sy = (float)depth.height / (float)height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float q =
                sample(&depth, ((float)x + 0.5f) * sx - 0.5f, ((float)y + 0.5f) * sy - 0.5f);
            const float r = numbers.radius * fabsf(q - numbers.focus) / full;
            map[(size_t)y * (size_t)width + (size_t)x] = (uint16_t)(65535 * fminf(r, 1) + 0.5f);
        }
    write_gray16(argv[3], map, width, height);
    free(map);
    free(depth.rgb);
    free(picture.rgb);
    return 0;
}
