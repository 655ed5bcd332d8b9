#include "check/layer/highlight_case.h"

uint32_t highlight_white(const highlight_case *k)
{
    const uint32_t code = oracle_code_max(k->form.bits);

    return k->look.linear ? oracle_decode(k->form.bits, code) : code;
}

void highlight_draw_map(check *c, const highlight_case *k, const satk_plane *map)
{
    const uint32_t max = oracle_code_max(map->bits);

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            picture_put(map, x, y, 0,
                        k->sort == RADII_ONE ? max
                        : k->sort == RADII_STEPS
                            ? (uint32_t)((x / 9 + y / 7) % 2) * max
                            : (uint32_t)random_below(&c->random, (int)max + 1));
}

void highlight_darken(const satk_plane *p, int by)
{
    const oracle_plane view = oracle_view(p);

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int c = 0; c < p->channels; c++)
                picture_put(p, x, y, c, oracle_code(&view, x, y, c) / (uint32_t)by);
}

/* Lights are not darker than what they leave. */
void highlight_limit(const satk_plane *p, const satk_plane *src)
{
    const oracle_plane view = oracle_view(p), from = oracle_view(src);

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int c = 0; c < p->channels; c++)
                if (c == p->channels - 1 && p->channels % 2 == 0)
                    picture_put(p, x, y, c, oracle_code(&from, x, y, c));
                else if (oracle_code(&view, x, y, c) > oracle_code(&from, x, y, c))
                    picture_put(p, x, y, c, oracle_code(&from, x, y, c));
}

typedef struct rectangle {
    int left, top, right, bottom; /* the last two inclusive */
} rectangle;

static void draw_rectangle(const satk_plane *p, rectangle r, const int *codes)
{
    for (int y = r.top > 0 ? r.top : 0; y <= r.bottom && y < p->height; y++)
        for (int x = r.left > 0 ? r.left : 0; x <= r.right && x < p->width; x++)
            for (int c = 0; c < p->channels; c++)
                picture_put(p, x, y, c, (uint32_t)codes[c]);
}

/* Darkens all, and draws bright rectangles in the middle of dim ones: some are as wide as lamps may be and some wider,
 * clipped or not. */
void highlight_draw_spots(check *c, const highlight_case *k, const satk_plane *p)
{
    const int apart = 3 * k->size + 4, most = (int)oracle_code_max(p->bits);

    highlight_darken(p, k->dark);
    for (int i = 0; i < 1 + p->width * p->height / (apart * apart); i++) {
        const int x = random_below(&c->random, p->width), y = random_below(&c->random, p->height);
        const int w = random_below(&c->random, k->size + 2),
                  h = random_below(&c->random, k->size + 2);
        const int glow = random_below(&c->random, k->size + 1);
        const int darker = random_below(&c->random, 3) * random_below(&c->random, most / 3);
        const int codes[4] = {most, most - darker, most - darker, most};
        const int dim[4] = {random_below(&c->random, most), random_below(&c->random, most / 2),
                            random_below(&c->random, most / 2), most};
        draw_rectangle(p, (rectangle){x - glow, y - glow, x + w + glow, y + h + glow}, dim);
        draw_rectangle(p, (rectangle){x, y, x + w, y + h}, codes);
    }
}

/* Some alpha is 0, and much is faint. */
void highlight_fade(check *c, const satk_plane *p)
{
    const oracle_plane view = oracle_view(p);
    const int alpha = p->channels - 1;

    for (int y = 0; y < p->height && p->channels % 2 == 0; y++)
        for (int x = 0; x < p->width; x++)
            picture_put(p, x, y, alpha,
                        p->bits == 16 && random_below(&c->random, 8) == 0
                            ? 0x2c00 /* a 16th, of half floats */
                            : oracle_code(&view, x, y, alpha) >>
                                  random_below(&c->random, p->bits + 2));
}
