// Puts regions of pictures side by side, enlarged by a whole number, with a line between them.
#include "quality/image.h"
#include "quality/read.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAP = 6 };

struct region {
    int x, y, width, height, zoom;
};

static void place(uint8_t *out, int pitch, int left, const struct region *r,
                  const struct picture *from)
{
    for (int y = 0; y < r->height * r->zoom; ++y)
        for (int x = 0; x < r->width * r->zoom; ++x) {
            const size_t source =
                (size_t)(r->y + y / r->zoom) * (size_t)from->width + (size_t)(r->x + x / r->zoom);
            uint8_t *const to = out + 3 * ((size_t)y * (size_t)pitch + (size_t)(left + x));
            for (size_t c = 0; c < 3; ++c)
                to[c] = (uint8_t)lrintf(255 * from->rgb[3 * source + c]);
        }
}

int main(int argc, char **argv)
{
    struct region r;
    if (argc < 4 ||
        sscanf(argv[1], "%d,%d,%d,%d,%d", &r.x, &r.y, &r.width, &r.height, &r.zoom) != 5 ||
        r.x < 0 || r.y < 0 || r.width < 1 || r.height < 1 || r.zoom < 1) {
        fputs("usage: side X,Y,WIDTH,HEIGHT,ZOOM OUT.png PICTURE.png...\n", stderr);
        return 2;
    }
    const int count = argc - 3, step = r.width * r.zoom + GAP, pitch = count * step - GAP;
    uint8_t *const out = malloc(3 * (size_t)pitch * (size_t)(r.height * r.zoom));
    if (!out)
        abort();
    for (size_t i = 0; i < 3 * (size_t)pitch * (size_t)(r.height * r.zoom); ++i)
        out[i] = 255;
    for (int i = 0; i < count; ++i) {
        const struct picture p = read_png(argv[3 + i]);
        if (r.x + r.width > p.width || r.y + r.height > p.height) {
            fprintf(stderr, "side: %s does not hold the region\n", argv[3 + i]);
            return 1;
        }
        place(out, pitch, i * step, &r, &p);
        free(p.rgb);
    }
    write_rgb(argv[2], out, pitch, r.height * r.zoom);
    free(out);
    return 0;
}
