// Puts regions of pictures side by side, enlarged by a whole number, with a line between them. The
// word / begins a new row.
#include "quality/image.h"
#include "quality/measure/read.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 6 };

struct region {
    int x, y, width, height, zoom;
};

// `out` is the picture's top left.
static void place(uint8_t *out, int pitch, const struct region *r, const struct picture *from)
{
    for (int y = 0; y < r->height * r->zoom; ++y)
        for (int x = 0; x < r->width * r->zoom; ++x) {
            const size_t source =
                (size_t)(r->y + y / r->zoom) * (size_t)from->width + (size_t)(r->x + x / r->zoom);
            uint8_t *const to = out + 3 * ((size_t)y * (size_t)pitch + (size_t)x);
            for (size_t c = 0; c < 3; ++c)
                to[c] = (uint8_t)lrintf(255 * from->rgb[3 * source + c]);
        }
}

static int is_break(const char *word)
{
    return word[0] == '/' && !word[1];
}

// How many pictures the longest row has, and how many rows there are.
static void count(char **words, int *columns, int *rows)
{
    *columns = *rows = 1;
    for (int in_row = 0; *words; ++words) {
        in_row = is_break(*words) ? 0 : in_row + 1;
        *rows += in_row == 0;
        *columns = in_row > *columns ? in_row : *columns;
    }
}

static void place_file(uint8_t *out, int pitch, const struct region *r, const char *file)
{
    const struct picture p = read_png(file);
    if (r->x + r->width > p.width || r->y + r->height > p.height) {
        fprintf(stderr, "side: %s does not hold the region\n", file);
        exit(EXIT_FAILURE);
    }
    place(out, pitch, r, &p);
    free(p.rgb);
}

int main(int argc, char **argv)
{
    struct region r;
    if (argc < 4 ||
        sscanf(argv[1], "%d,%d,%d,%d,%d", &r.x, &r.y, &r.width, &r.height, &r.zoom) != 5 ||
        r.x < 0 || r.y < 0 || r.width < 1 || r.height < 1 || r.zoom < 1) {
        fputs("usage: side X,Y,WIDTH,HEIGHT,ZOOM OUT.png PICTURE.png... [/ PICTURE.png...]\n",
              stderr);
        return 2;
    }
    int columns, rows;
    count(argv + 3, &columns, &rows);
    const int step = r.width * r.zoom + GAP, step_y = r.height * r.zoom + GAP;
    const int pitch = columns * step - GAP, height = rows * step_y - GAP;
    uint8_t *const out = malloc(3 * (size_t)pitch * (size_t)height);
    if (!out)
        abort();
    memset(out, 255, 3 * (size_t)pitch * (size_t)height);
    for (int i = 3, column = 0, row = 0; i < argc; ++i) {
        if (is_break(argv[i])) {
            column = 0;
            ++row;
            continue;
        }
        const size_t at = (size_t)(row * step_y) * (size_t)pitch + (size_t)(column++ * step);
        place_file(out + 3 * at, pitch, &r, argv[i]);
    }
    write_rgb(argv[2], out, pitch, height);
    free(out);
    return 0;
}
