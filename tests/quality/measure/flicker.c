// Compares blurred frames with the truth of a clip over time: one line of tab-separated numbers for
// each candidate.
#include "quality/image.h"
#include "quality/measure/measure.h"
#include "quality/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(void)
{
    fputs("usage: flicker CLIP CANDIDATE...     CLIP is a folder that clip made, CANDIDATE the "
          "name of\n"
          "                                     a folder in it, which holds 000.png, 001.png, ...\n"
          "       flicker --each CLIP CANDIDATE             one line for each frame\n"
          "       flicker --show N OUT.png CLIP CANDIDATE   eight times the change of the error "
          "from\n"
          "                                     frame N to the next along the subject's motion; "
          "gray\n"
          "                                     is none\n"
          "       flicker --header              prints the names of the columns\n"
          "\n"
          "band, worst       PSNR in dB within the blur's width of depth edges: mean, worst frame\n"
          "still             mean absolute change of the codes (0 to 255) from a frame to the next "
          "in\n"
          "                  what stands still, along the pan; still_truth is the truth's\n"
          "still_error       the same of the error, and still_pops the pixels per 1000 where that "
          "is\n"
          "                  more than 8\n"
          "rim...            the same within the blur's width of the subject's outline, along its\n"
          "                  motion; rim_ratio is rim / rim_truth\n",
          stderr);
    exit(2);
}

struct frame {
    struct picture picture[2]; // candidate, truth
    uint8_t *mask;
    double psnr; // in the band of edges
};

struct result {
    double psnr, worst;
    struct step step[PARTS];
};

static const char *path(const char *clip, const char *kind, int frame)
{
    static char text[4096];
    char last[16] = "";
    if (frame >= 0)
        snprintf(last, sizeof last, "/%03d.png", frame);
    const int n = snprintf(text, sizeof text, "%s/%s%s", clip, kind, last);
    if (n < 0 || (size_t)n >= sizeof text)
        usage();
    return text;
}

// The codes that a picture of 8 bits has.
static void round_codes(struct picture *p)
{
    const size_t count = 3 * (size_t)p->width * (size_t)p->height;
    for (size_t i = 0; i < count; ++i)
        p->rgb[i] = rintf(255 * p->rgb[i]) / 255;
}

static struct frame read_frame(const char *clip, const char *candidate, const struct numbers *n,
                               int index)
{
    struct frame f;
    f.picture[0] = read_png(path(clip, candidate, index));
    f.picture[1] = read_png(path(clip, "truth", index));
    const struct picture exact = read_png(path(clip, "exact", index));
    for (int i = 0; i < 2; ++i)
        if (f.picture[i].width != exact.width || f.picture[i].height != exact.height) {
            fprintf(stderr, "flicker: frame %d of %s has not the size of its depth map\n", index,
                    candidate);
            exit(EXIT_FAILURE);
        }
    f.mask = masks(n, &exact);
    f.psnr = psnr(&f.picture[0], &f.picture[1], f.mask, INNER | EDGE, INNER | EDGE);
    round_codes(&f.picture[0]);
    round_codes(&f.picture[1]);
    free(exact.rgb);
    return f;
}

static void frame_free(struct frame *f)
{
    free(f->picture[0].rgb);
    free(f->picture[1].rgb);
    free(f->mask);
}

static void add_steps(struct step step[PARTS], const struct numbers *n, const struct frame *f,
                      const struct frame *next)
{
    const struct motion by[PARTS] = {n->pan, n->subject_motion};
    uint8_t *const part = parts(&f->picture[0], f->mask, next->mask);
    for (int i = 0; i < PARTS; ++i) {
        const struct picture aligned[2] = {moved(&next->picture[0], by[i]),
                                           moved(&next->picture[1], by[i])};
        step_add(&step[i], part, (enum part)i, f->picture, aligned);
        free(aligned[0].rgb);
        free(aligned[1].rgb);
    }
    free(part);
}

static void print_step(const struct step *s)
{
    const double codes = 255 / fmax(s->pixels, 1);
    printf("\t%.3f\t%.3f\t%.3f\t%.2f", codes * s->candidate, codes * s->truth, codes * s->error,
           1000 * s->pops / fmax(s->pixels, 1));
}

static void print_result(const char *clip, const char *name, const struct result *r)
{
    const char *const base = strrchr(clip, '/');
    printf("%s\t%s\t%.2f\t%.2f", base ? base + 1 : clip, name, r->psnr, r->worst);
    print_step(&r->step[STILL]);
    print_step(&r->step[RIMS]);
    printf("\t%.3f\n", r->step[RIMS].candidate / fmax(r->step[RIMS].truth, 1e-9));
}

// Prints one line, or with `each` a line for each frame, whose steps are those to the next one.
static void measure(const char *clip, const char *candidate, const struct numbers *n, int each)
{
    struct result all = {.worst = 99};
    struct frame f = read_frame(clip, candidate, n, 0);
    for (int i = 0; i < n->frames; ++i) {
        struct result one = {f.psnr, f.psnr, {{0, 0, 0, 0, 0}}};
        all.psnr += f.psnr / n->frames;
        all.worst = fmin(all.worst, f.psnr);
        if (i + 1 < n->frames) {
            struct frame next = read_frame(clip, candidate, n, i + 1);
            add_steps(each ? one.step : all.step, n, &f, &next);
            frame_free(&f);
            f = next;
        }
        if (each)
            print_result(clip, candidate, &one);
    }
    frame_free(&f);
    if (!each)
        print_result(clip, candidate, &all);
}

static void show(const char *clip, const char *candidate, const struct numbers *n, int index,
                 const char *file)
{
    struct frame f = read_frame(clip, candidate, n, index);
    struct frame next = read_frame(clip, candidate, n, index + 1);
    const struct picture a = moved(&next.picture[0], n->subject_motion);
    const struct picture b = moved(&next.picture[1], n->subject_motion);
    const size_t count = 3 * (size_t)a.width * (size_t)a.height;
    uint8_t *const out = malloc(count);
    if (!out)
        abort();
    for (size_t i = 0; i < count; ++i) {
        const float step = a.rgb[i] - f.picture[0].rgb[i] - b.rgb[i] + f.picture[1].rgb[i];
        out[i] = (uint8_t)lrintf(255 * clampf(0.5f + 8 * step, 0, 1));
    }
    write_rgb(file, out, a.width, a.height);
    free(out);
    free(a.rgb);
    free(b.rgb);
    frame_free(&f);
    frame_free(&next);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--header")) {
        puts("clip\tmethod\tband\tworst\tstill\tstill_truth\tstill_error\tstill_pops\trim\trim_"
             "truth\t"
             "rim_error\trim_pops\trim_ratio");
        return 0;
    }
    const int shows = argc == 6 && !strcmp(argv[1], "--show");
    const int each = argc == 4 && !strcmp(argv[1], "--each");
    char **const rest = argv + (shows ? 4 : each ? 2 : 1);
    if (argc < 3 || rest[0][0] == '-')
        usage();
    const struct numbers n = read_numbers(path(rest[0], "scene.txt", -1));
    if (n.frames < 2) {
        fprintf(stderr, "flicker: %s is no clip of two frames or more\n", rest[0]);
        return 1;
    }
    if (shows && (atoi(argv[2]) < 0 || atoi(argv[2]) > n.frames - 2))
        usage();
    if (shows)
        show(rest[0], rest[1], &n, atoi(argv[2]), argv[3]);
    else
        for (char **name = rest + 1; *name; ++name)
            measure(rest[0], *name, &n, each);
    return 0;
}
