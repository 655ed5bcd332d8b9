#include "quality/layers/tableau_write.h"

#include "quality/image.h"

#include <stdlib.h>

void *allocate(size_t count, size_t size)
{
    void *const memory = calloc(count, size);
    if (!memory) {
        fputs("layers: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

void write_colour(const char *file, const float *rgb, int width, int height, int bits)
{
    const size_t count = (size_t)width * (size_t)height * 3;
    uint16_t *const words = allocate(count, sizeof *words);
    uint8_t *const bytes = (uint8_t *)words;
    for (size_t i = 0; i < count; ++i)
        if (bits == 16)
            words[i] = srgb_word(rgb[i]);
        else
            bytes[i] = srgb_byte(rgb[i]);
    write_png(file, words, width, height, 3, bits);
    free(words);
}

void write_depth(const char *file, const float *q, int width, int height, int bits)
{
    const size_t count = (size_t)width * (size_t)height;
    uint16_t *const words = allocate(count, sizeof *words);
    uint8_t *const bytes = (uint8_t *)words;
    for (size_t i = 0; i < count; ++i)
        if (bits == 16)
            words[i] = (uint16_t)(65535 * clampf(q[i], 0, 1) + 0.5f);
        else
            bytes[i] = (uint8_t)(255 * clampf(q[i], 0, 1) + 0.5f);
    write_png(file, words, width, height, 1, bits);
    free(words);
}

FILE *numbers_begin(const char *file, const struct tableau *scene)
{
    FILE *const out = fopen(file, "w");
    if (!out) {
        fprintf(stderr, "layers: cannot write %s\n", file);
        exit(EXIT_FAILURE);
    }
    fprintf(out, "name %s\nsize %d %d\nradius %.9g\nfocus %.9g\naperture %s\n", scene->name,
            scene->width, scene->height, (double)scene->radius, (double)scene->focus,
            scene->aperture == DISC     ? "disc"
            : scene->aperture == SQUARE ? "square"
                                        : "hexagon");
    if (scene->vignette != 0)
        fprintf(out, "vignette %g\n", (double)scene->vignette);
    if (scene->edge != 0)
        fprintf(out, "edge %g\n", (double)scene->edge);
    if (scene->spherical != 0)
        fprintf(out, "spherical %g\n", (double)scene->spherical);
    if (scene->subject_high > 0)
        fprintf(out, "subject %g %g\n", (double)scene->subject_low, (double)scene->subject_high);
    for (int i = 0; i < scene->light_count; ++i)
        fprintf(out, "light %.2f %.2f %.2f\n", (double)scene->lights[i].x,
                (double)scene->lights[i].y, (double)scene->lights[i].radius);
    return out;
}

void numbers_end(FILE *out)
{
    if (fclose(out) != 0) {
        fputs("layers: cannot write scene.txt\n", stderr);
        exit(EXIT_FAILURE);
    }
}
