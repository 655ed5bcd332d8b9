// Renders clips: scenes in which something moves. For each a folder with
//     image/000.png ...   the frames through a pinhole, 8-bit sRGB: what a method gets
//     exact/000.png ...   their disparity maps of 16 bits, white is near; one scale for all frames
//     truth/000.png ...   the frames through the lens, 16-bit sRGB
//     scene.txt           the numbers that define the blur and the motion
#include "quality/arguments.h"
#include "quality/layers/planes.h"
#include "quality/layers/tableau_write.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct options {
    const char *folder, *scene;
    int scale, samples, frames, list;
};

static struct options parse(char **argv)
{
    struct options options = {".", NULL, 1, 512, 0, 0};
    const struct argument all[] = {
        {"--out FOLDER", "where the clips' folders go (default: .)", .text = &options.folder},
        {"--scene NAME", "one clip (default: all)", .text = &options.scene},
        {"--list", "print the names only", .flag = &options.list},
        {"--frames N", "only the first N frames", .number = &options.frames},
        {"--scale N", "divide sizes and blur by N, but no motion (default: 1)",
         .number = &options.scale},
        {"--samples N", "lens samples (default: 512)", .number = &options.samples},
    };
    arguments_read("clip", all, sizeof all / sizeof *all, argv);
    return options;
}

// FOLDER/SCENE/KIND/FRAME.png, or without the last parts if KIND is NULL or FRAME is negative.
static const char *path(const struct options *options, const char *scene, const char *kind,
                        int frame)
{
    static char text[4096];
    char ending[32] = "";
    if (kind && frame < 0)
        snprintf(ending, sizeof ending, "/%s", kind);
    else if (kind)
        snprintf(ending, sizeof ending, "/%s/%03d.png", kind, frame);
    return argument_path(text, sizeof text, options->folder, scene, ending);
}

static void make_folders(const struct options *options, const char *scene)
{
    static const char *const kinds[] = {NULL, "image", "exact", "truth"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        mkdir(path(options, scene, kinds[i], -1), 0777);
}

// The motion is that of what is shown, in pixels from one frame to the next. The subject is the
// first plane, and the room is the last.
static void write_numbers(const char *file, const struct tableau *scene)
{
    const struct plane *const subject = &scene->planes[0];
    const struct plane *const room = &scene->planes[scene->plane_count - 1];
    FILE *const out = numbers_begin(file, scene);
    fprintf(out, "frames %d\npan %g %g\nmotion %g %g\n", scene->frames,
            (double)room->step_x / TEXELS, (double)room->step_y / TEXELS,
            (double)subject->step_x / TEXELS, (double)subject->step_y / TEXELS);
    numbers_end(out);
}

static void render_frame(const struct options *options, const struct tableau *scene, int frame,
                         float *rgb, float *depth)
{
    const char *const name = scene->name;
    const int w = scene->width, h = scene->height;
    float *const soft = depth + (size_t)w * (size_t)h;
    tableau_pinhole(scene, rgb, depth, soft);
    write_colour(path(options, name, "image", frame), rgb, w, h, 8);
    write_depth(path(options, name, "exact", frame), depth, w, h, 16);
    tableau_lens(scene, options->samples, rgb);
    write_colour(path(options, name, "truth", frame), rgb, w, h, 16);
}

static void render(const struct options *options, struct tableau *scene)
{
    if (options->frames && options->frames < scene->frames)
        scene->frames = options->frames;
    tableau_raster(scene, options->scale * (scene->shrink > 1 ? scene->shrink : 1));
    const size_t count = (size_t)scene->width * (size_t)scene->height;
    float *const rgb = allocate(3 * count, sizeof *rgb);
    float *const depth = allocate(2 * count, sizeof *depth);
    make_folders(options, scene->name);
    write_numbers(path(options, scene->name, "scene.txt", -1), scene);
    for (int frame = 0; frame < scene->frames; ++frame) {
        tableau_move(scene, frame);
        render_frame(options, scene, frame, rgb, depth);
    }
    free(rgb);
    free(depth);
}

int main(int argc, char **argv)
{
    (void)argc;
    const struct options options = parse(argv);
    struct tableau *const scene = allocate(1, sizeof *scene);
    int done = options.list;
    for (int i = 0; memset(scene, 0, sizeof *scene), scenes_moving(i, scene); ++i) {
        if (options.list) {
            puts(scene->name);
        } else if (!options.scene || !strcmp(options.scene, scene->name)) {
            render(&options, scene);
            ++done;
        }
        tableau_free(scene);
    }
    free(scene);
    if (!done)
        fprintf(stderr, "clip: no scene has the name %s\n", options.scene);
    return done ? 0 : 2;
}
