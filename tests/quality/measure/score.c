// Compares candidates with the truth of a scene: one line of tab-separated numbers for each.
#include "quality/measure/measure.h"
#include "quality/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(void)
{
    fputs("usage: score SCENE CANDIDATE.png...     SCENE is a folder that layers made\n"
          "       score --shift N SCENE CANDIDATE.png...   first moves them N pixels to the right\n"
          "       score --header                   prints the names of the columns\n"
          "       score --step SCENE CANDIDATE NEXT_SCENE NEXT_CANDIDATE\n"
          "\n"
          "edge, edge_ssim   PSNR in dB and SSIM within the blur's width of depth edges\n"
          "all, ssim         the same of the picture, without a frame of the largest blur's width\n"
          "frame             PSNR of that frame\n"
          "leak_in, leak_out mean absolute error of the codes near the subject's outline, inside\n"
          "                  and outside (scenes with a subject)\n"
          "energy, shape     light of the spots relative to the truth; L1 distance of the spots'\n"
          "                  shapes, 0 to 2 (scenes with lights)\n"
          "step              --step: PSNR of the change from one picture to the next against the\n"
          "                  truth's change\n"
          "share             of the picture that the edge band takes\n",
          stderr);
    exit(2);
}

struct scene {
    const char *folder;
    struct numbers numbers;
    struct picture truth;
    uint8_t *mask;
};

static const char *path(const char *folder, const char *file)
{
    static char text[4096];
    const int n = snprintf(text, sizeof text, "%s/%s", folder, file);
    if (n < 0 || (size_t)n >= sizeof text)
        usage();
    return text;
}

static void same_size(const struct picture *a, const struct picture *b, const char *name)
{
    if (a->width != b->width || a->height != b->height) {
        fprintf(stderr, "score: %s has not the size of the truth\n", name);
        exit(EXIT_FAILURE);
    }
}

static struct scene read_scene(const char *folder)
{
    struct scene s = {.folder = folder};
    s.numbers = read_numbers(path(folder, "scene.txt"));
    s.truth = read_png(path(folder, "truth.png"));
    const struct picture exact = read_png(path(folder, "exact.png"));
    same_size(&exact, &s.truth, "exact.png");
    s.mask = masks(&s.numbers, &exact);
    free(exact.rgb);
    return s;
}

static void scene_free(struct scene *s)
{
    free(s->truth.rgb);
    free(s->mask);
}

// The last part of a path, without ".png" and without what leads to it.
static void print_base(const char *text)
{
    const size_t all = strlen(text);
    size_t end = all;
    while (end > 1 && text[end - 1] == '/')
        --end;
    if (end > 4 && !strncmp(text + end - 4, ".png", 4))
        end -= 4;
    size_t begin = end;
    while (begin > 0 && text[begin - 1] != '/')
        --begin;
    printf("%.*s", (int)(end - begin), text + begin);
}

static void print_number(double value, int digits)
{
    if (isnan(value))
        printf("\t-");
    else
        printf("\t%.*f", digits, value);
}

static double band_share(const struct scene *s)
{
    const size_t count = (size_t)s->truth.width * (size_t)s->truth.height;
    double band = 0, inner = 0;
    for (size_t i = 0; i < count; ++i) {
        inner += (s->mask[i] & INNER) != 0;
        band += (s->mask[i] & (INNER | EDGE)) == (INNER | EDGE);
    }
    return inner > 0 ? band / inner : (double)NAN;
}

static void move(struct picture *p, int shift)
{
    const size_t row = 3 * (size_t)p->width, by = 3 * (size_t)shift;
    for (size_t y = 0; y < (size_t)p->height && by < row; ++y)
        memmove(p->rgb + y * row + by, p->rgb + y * row, (row - by) * sizeof *p->rgb);
}

static void score(const struct scene *s, const char *file, int shift)
{
    struct picture candidate = read_png(file);
    const struct picture *const t = &s->truth, *const c = &candidate;
    same_size(c, t, file);
    move(&candidate, shift);
    const int band = INNER | EDGE;
    float *const ssim = ssim_map(c, t);
    print_base(s->folder);
    putchar('\t');
    print_base(file);
    print_number(psnr(c, t, s->mask, band, band), 2);
    print_number(mean_over(ssim, t, s->mask, band, band), 4);
    print_number(psnr(c, t, s->mask, INNER, INNER), 2);
    print_number(mean_over(ssim, t, s->mask, INNER, INNER), 4);
    print_number(psnr(c, t, s->mask, INNER, 0), 2);
    const int all = band | SUBJECT, has_subject = s->numbers.subject_high > 0;
    print_number(has_subject ? mean_error(c, t, s->mask, all, all) : (double)NAN, 4);
    print_number(has_subject ? mean_error(c, t, s->mask, all, band) : (double)NAN, 4);
    const struct light_score light = light_score(&s->numbers, t, c);
    print_number(s->numbers.light_count ? light.energy : (double)NAN, 3);
    print_number(s->numbers.light_count ? light.shape : (double)NAN, 3);
    print_number((double)NAN, 0);
    print_number(band_share(s), 3);
    putchar('\n');
    free(ssim);
    free(candidate.rgb);
}

// a -= b
static void subtract(struct picture *a, const struct picture *b, const char *name)
{
    same_size(a, b, name);
    const size_t count = 3 * (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < count; ++i)
        a->rgb[i] -= b->rgb[i];
}

static void score_step(char **file)
{
    struct scene from = read_scene(file[0]), to = read_scene(file[2]);
    const struct picture before = read_png(file[1]);
    struct picture after = read_png(file[3]);
    subtract(&after, &before, file[3]);
    subtract(&to.truth, &from.truth, file[2]);
    same_size(&after, &to.truth, file[1]);
    print_base(file[0]);
    putchar('\t');
    print_base(file[1]);
    for (int i = 0; i < 9; ++i)
        print_number((double)NAN, 0);
    print_number(psnr(&after, &to.truth, from.mask, INNER, INNER), 2);
    print_number(band_share(&from), 3);
    putchar('\n');
    scene_free(&from);
    scene_free(&to);
    free(before.rgb);
    free(after.rgb);
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--header")) {
        puts("scene\tmethod\tedge\tedge_ssim\tall\tssim\tframe\tleak_in\tleak_out\tenergy\tshape\t"
             "step\tshare");
        return 0;
    }
    if (argc == 6 && !strcmp(argv[1], "--step")) {
        score_step(argv + 2);
        return 0;
    }
    int shift = 0;
    if (argc > 3 && !strcmp(argv[1], "--shift")) {
        shift = atoi(argv[2]);
        argv += 2;
        argc -= 2;
    }
    if (argc < 3 || argv[1][0] == '-' || shift < 0)
        usage();
    struct scene scene = read_scene(argv[1]);
    for (int i = 2; i < argc; ++i)
        score(&scene, argv[i], shift);
    scene_free(&scene);
    return 0;
}
