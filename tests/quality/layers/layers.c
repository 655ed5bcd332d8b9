// Renders the scenes that depth-of-field blurs are measured on. For each scene a folder with
//     image.png   the picture through a pinhole, 8-bit sRGB: what a method gets
//     image.pfm   the same in linear light, which may be brighter than white
//     depth.png   its disparity map, white is near: what a method gets
//     exact.png   the same at full size with 16 bits: what the score finds edges in
//     truth.png   the picture through the lens, 16-bit sRGB
//     scene.txt   the numbers that define the blur
#include "quality/arguments.h"
#include "quality/image.h"
#include "quality/layers/planes.h"
#include "quality/layers/tableau_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
    const char *folder, *scene;
    int scale, samples, divide, list, bits;
};

static struct options parse(char **argv)
{
    struct options options = {".", NULL, 1, 0, 1, 0, 8};
    const struct argument all[] = {
        {"--out FOLDER", "where the scenes' folders go (default: .)", .text = &options.folder},
        {"--scene NAME", "one scene (default: all)", .text = &options.scene},
        {"--list", "print the names only", .flag = &options.list},
        {"--scale N", "divide sizes and blur by N (default: 1)", .number = &options.scale},
        {"--samples N", "lens samples (default: the scene's, 1024 or more)",
         .number = &options.samples},
        {"--divide N", "divide the number of lens samples by N (default: 1)",
         .number = &options.divide},
        {"--bits 8|16", "of image.png (default: 8)", .number = &options.bits},
    };
    arguments_read("layers", all, sizeof all / sizeof *all, argv);
    return options;
}

static const char *path(const struct options *options, const char *scene, const char *file)
{
    static char text[4096];
    return argument_path(text, sizeof text, options->folder, scene, file);
}

// Means of 2 x 2, in place.
static void halve(float *q, int width, int height)
{
    for (int y = 0; y < height / 2; ++y)
        for (int x = 0; x < width / 2; ++x) {
            const float *const from = q + (size_t)(2 * y) * (size_t)width + 2 * x;
            q[(size_t)y * (size_t)(width / 2) + (size_t)x] =
                0.25f * (from[0] + from[1] + from[width] + from[width + 1]);
        }
}

static void render(const struct options *options, struct tableau *scene)
{
    const char *const name = scene->name;
    tableau_raster(scene, options->scale * (scene->shrink > 1 ? scene->shrink : 1));
    const int w = scene->width, h = scene->height;
    const size_t count = (size_t)w * (size_t)h;
    float *const rgb = allocate(3 * count, sizeof *rgb);
    float *const depth = allocate(count, sizeof *depth), *soft = allocate(count, sizeof *soft);
    int samples = options->samples ? options->samples : scene->samples ? scene->samples : 1024;
    samples = samples > options->divide ? samples / options->divide : 1;

    mkdir(path(options, name, ""), 0777);
    numbers_end(numbers_begin(path(options, name, "/scene.txt"), scene));
    tableau_pinhole(scene, rgb, depth, soft);
    write_colour(path(options, name, "/image.png"), rgb, w, h, options->bits);
    write_pfm(path(options, name, "/image.pfm"), rgb, w, h);
    write_depth(path(options, name, "/exact.png"), depth, w, h, 16);
    if (scene->depth == DEPTH_HALF_SOFT) {
        halve(soft, w, h);
        write_depth(path(options, name, "/depth.png"), soft, w / 2, h / 2, 16);
    } else {
        write_depth(path(options, name, "/depth.png"), depth, w, h,
                    scene->depth == DEPTH_8 ? 8 : 16);
    }
    tableau_lens(scene, samples, rgb);
    write_colour(path(options, name, "/truth.png"), rgb, w, h, 16);
    free(rgb);
    free(depth);
    free(soft);
}

static int each(const struct options *options, tableau_maker *make)
{
    struct tableau *const scene = allocate(1, sizeof *scene);
    int done = 0;
    for (int i = 0; memset(scene, 0, sizeof *scene), make(i, scene); ++i) {
        if (options->list) {
            puts(scene->name);
        } else if (!options->scene || !strcmp(options->scene, scene->name)) {
            render(options, scene);
            ++done;
        }
        tableau_free(scene);
    }
    free(scene);
    return done;
}

int main(int argc, char **argv)
{
    (void)argc;
    tableau_maker *const makers[] = {scenes_near, scenes_edge, scenes_floor, scenes_night,
                                     scenes_alike};
    const struct options options = parse(argv);
    int done = options.list;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; ++i)
        done += each(&options, makers[i]);
    if (!done)
        fprintf(stderr, "layers: no scene has the name %s\n", options.scene);
    return done ? 0 : 2;
}
