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
    int scale, samples, image_samples, truth;
};

static void usage(void)
{
    fputs("usage: render [options]\n"
          "  --out FOLDER        where the pictures go (default: .)\n"
          "  --scene NAME        table, street, night or portrait (default: all)\n"
          "  --scale N           divide width and height by N (default: 1)\n"
          "  --samples N         rays per pixel through the lens (default: 1024)\n"
          "  --image-samples N   rays per pixel of the sharp picture (default: 64)\n"
          "  --no-truth          leave out the picture through the lens\n",
          stderr);
    exit(2);
}

static struct options parse(char **argv)
{
    struct options options = {".", NULL, 1, 1024, 64, 1};
    for (char **arg = argv + 1; *arg; ++arg)
        if (!strcmp(*arg, "--no-truth"))
            options.truth = 0;
        else if (!arg[1])
            usage();
        else if (!strcmp(*arg, "--out"))
            options.folder = *++arg;
        else if (!strcmp(*arg, "--scene"))
            options.scene = *++arg;
        else if (!strcmp(*arg, "--scale"))
            options.scale = argument_number(*++arg, usage);
        else if (!strcmp(*arg, "--samples"))
            options.samples = argument_number(*++arg, usage);
        else if (!strcmp(*arg, "--image-samples"))
            options.image_samples = argument_number(*++arg, usage);
        else
            usage();
    return options;
}

static const char *path(const struct options *options, const char *name, const char *suffix)
{
    static char text[4096];
    const int n = snprintf(text, sizeof text, "%s/%s%s.png", options->folder, name, suffix);
    if (n < 0 || (size_t)n >= sizeof text)
        usage();
    return text;
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
    write_gray16(path(options, scene->name, "_depth"), depth, width, height);
    render_image(scene, options->image_samples, 0, rgb);
    write_rgb(path(options, scene->name, ""), rgb, width, height);
    if (options->truth) {
        render_image(scene, options->samples, 1, rgb);
        write_rgb(path(options, scene->name, "_truth"), rgb, width, height);
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
        usage();
    return 0;
}
