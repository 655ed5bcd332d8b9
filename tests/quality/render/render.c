// Renders the sample pictures: for each scene the picture, its disparity map, and the same picture
// through a thin lens.
#include "quality/arguments.h"
#include "quality/image.h"
#include "quality/render/thin_lens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *folder, *scene;
    int scale, samples, image_samples, no_truth;
};

static struct options parse(char **argv)
{
    struct options options = {".", NULL, 1, 1024, 64, 0};
    const struct argument all[] = {
        {"--out FOLDER", "where the pictures go (default: .)", .text = &options.folder},
        {"--scene NAME", "table, street, night or portrait (default: all)", .text = &options.scene},
        {"--scale N", "divide width and height by N (default: 1)", .number = &options.scale},
        {"--samples N", "rays per pixel through the lens (default: 1024)",
         .number = &options.samples},
        {"--image-samples N", "rays per pixel of the sharp picture (default: 64)",
         .number = &options.image_samples},
        {"--no-truth", "leave out the picture through the lens", .flag = &options.no_truth},
    };
    arguments_read("render", all, sizeof all / sizeof *all, argv);
    return options;
}

static const char *path(const struct options *options, const char *name, const char *ending)
{
    static char text[4096];
    return argument_path(text, sizeof text, options->folder, name, ending);
}

static void render(const struct options *options, struct scene *scene)
{
    scene_finish(scene, options->scale);
    const int width = scene->camera.width, height = scene->camera.height;
    uint16_t *const depth = malloc((size_t)width * (size_t)height * sizeof *depth);
    uint8_t *const rgb = malloc((size_t)width * (size_t)height * 3);
    if (!depth || !rgb) {
        fputs("render: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    printf("%s: R %g q_focus %.4f near %g far %g\n", scene->name, (double)scene->blur,
           (double)disparity(scene, scene->focus), (double)scene->near, (double)scene->far);
    fflush(stdout);
    const int clamped = render_depth(scene, depth);
    if (clamped > 0)
        fprintf(stderr, "render: %d pixels outside near and far\n", clamped);
    write_gray16(path(options, scene->name, "_depth.png"), depth, width, height);
    render_image(scene, options->image_samples, 0, rgb);
    write_rgb(path(options, scene->name, ".png"), rgb, width, height);
    if (!options->no_truth) {
        render_image(scene, options->samples, 1, rgb);
        write_rgb(path(options, scene->name, "_truth.png"), rgb, width, height);
    }
    free(depth);
    free(rgb);
}

int main(int argc, char **argv)
{
    (void)argc;
    struct scene *(*const scenes[])(void) = {scene_table, scene_street, scene_night,
                                             scene_portrait};
    const struct options options = parse(argv);
    int done = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
        struct scene *const scene = scenes[i]();
        if (!options.scene || !strcmp(options.scene, scene->name)) {
            render(&options, scene);
            ++done;
        }
        scene_free(scene);
    }
    if (!done)
        fprintf(stderr, "render: no scene has the name %s\n", options.scene);
    return done ? 0 : 2;
}
