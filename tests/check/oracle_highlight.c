#include "check/oracle.h"

#include <stdlib.h>

static uint64_t sample_of(const oracle_plane *plane, const oracle_look *look, uint32_t code)
{
    return look->linear ? oracle_decode(plane->bits, code) : code;
}

static int colours_of(const oracle_plane *plane)
{
    return plane->channels - (plane->channels % 2 == 0);
}

static uint32_t brightest(const oracle_plane *plane, int x, int y)
{
    uint32_t most = 0;

    for (int c = 0; c < colours_of(plane); c++)
        most = oracle_code(plane, x, y, c) > most ? oracle_code(plane, x, y, c) : most;
    return most;
}

static const oracle_disc *disc_at(const oracle_highlight *h, int x, int y)
{
    return &h->disc[oracle_code(&h->map, x, y, 0)];
}

static int is_gone(const oracle_plane *plane, int x, int y)
{
    return plane->channels % 2 == 0 && oracle_code(plane, x, y, plane->channels - 1) == 0;
}

static int is_clipped(const oracle_plane *plane, int x, int y)
{
    return 64 * (uint64_t)brightest(plane, x, y) >=
           63 * ((uint64_t)oracle_code_max(plane->bits) + 1);
}

static uint64_t white_of(const oracle_highlight *h)
{
    return sample_of(&h->src, &h->look, oracle_code_max(h->src.bits));
}

/* Returns the brightest sample, which is white where it was clipped. */
static uint64_t light_of(const oracle_highlight *h, int x, int y)
{
    return is_gone(&h->src, x, y)      ? 0
           : is_clipped(&h->src, x, y) ? white_of(h)
                                       : sample_of(&h->src, &h->look, brightest(&h->src, x, y));
}

enum { LEVELS = 4 };

/* Returns the first level that is not above light; LEVELS: all are. */
static int level_of(const oracle_highlight *h, uint64_t light)
{
    int level = 0;

    while (level < LEVELS && light << 2 * level < white_of(h))
        level++;
    return level;
}

/* Returns a sample without the bits beyond ten. */
static uint64_t ten_bits(const oracle_highlight *h, uint64_t sample)
{
    return h->look.linear ? sample / (h->src.bits == 8 ? 16 : 1024)
                          : sample / (h->src.bits == 8 ? 1 : 64);
}

/* --- Find ------------------------------------------------------------------------------------- */

/* Sums over the pixels whose larger distance along an axis is from least to most. */
typedef struct surroundings {
    uint64_t bright[LEVELS], pixels, light;
} surroundings;

static surroundings look_around(const oracle_highlight *h, int x, int y, int least, int most)
{
    surroundings s = {{0}, 0, 0};

    for (int j = y - most; j <= y + most; j++)
        for (int i = x - most; i <= x + most; i++) {
            const int away = abs(i - x) > abs(j - y) ? abs(i - x) : abs(j - y);
            if (away < least || i < 0 || j < 0 || i >= h->src.width || j >= h->src.height)
                continue;
            const uint64_t light = light_of(h, i, j);
            s.pixels++;
            s.light += ten_bits(h, light);
            for (int level = level_of(h, light); level < LEVELS; level++)
                s.bright[level]++;
        }
    return s;
}

/* Returns 1 if few pixels are bright at the level, and far fewer in the ring than near. */
static int is_compact(const surroundings *near, const surroundings *ring, int level, int size)
{
    return near->bright[level] + ring->bright[level] <= (uint64_t)size * (uint64_t)size &&
           8 * ring->bright[level] <= near->bright[level];
}

/* Returns the mean colours beside a light as codes. */
static oracle_codes beside(const oracle_highlight *h, int x, int y, int distance)
{
    uint64_t sum[4] = {0}, count = 0;
    oracle_codes mean = {{0}};

    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            const int u = x + i * distance, v = y + j * distance;
            if ((i == 0 && j == 0) || u < 0 || v < 0 || u >= h->src.width || v >= h->src.height ||
                is_gone(&h->src, u, v) || 2 * light_of(h, u, v) >= light_of(h, x, y))
                continue;
            count++;
            for (int c = 0; c < colours_of(&h->src); c++)
                sum[c] += sample_of(&h->src, &h->look, oracle_code(&h->src, u, v, c));
        }
    for (int c = 0; c < colours_of(&h->src) && count; c++) {
        const uint32_t sample = (uint32_t)((2 * sum[c] + count) / (2 * count));
        mean.c[c] = h->look.linear ? oracle_encode(h->src.bits, sample) : sample;
    }
    return mean;
}

/* Adds up by colour what unclipped pixels towards dx, dy have more than the one at the end. */
static void add_glow(const oracle_highlight *h, int x, int y, int dx, int dy, int end,
                     uint64_t *glow)
{
    const int u = x + dx * end, v = y + dy * end;

    if (u < 0 || v < 0 || u >= h->src.width || v >= h->src.height || is_gone(&h->src, u, v))
        return;
    for (int away = 1; away < end; away = (5 * away + 3) / 4) {
        const int i = x + dx * away, j = y + dy * away;
        if (is_gone(&h->src, i, j) || is_clipped(&h->src, i, j))
            continue;
        for (int c = 0; c < 3; c++) {
            const uint64_t at = sample_of(&h->src, &h->look, oracle_code(&h->src, i, j, c)),
                           rest = sample_of(&h->src, &h->look, oracle_code(&h->src, u, v, c));
            glow[c] += at > rest ? at - rest : 0;
        }
    }
}

static oracle_codes halo_of(const oracle_highlight *h, int x, int y, int size)
{
    const int64_t codes = oracle_code_max(h->src.bits) + 1;
    const uint64_t some = white_of(h) / 16 + 1;
    uint64_t glow[3] = {some, some, some}, most = 0;
    int64_t lost = codes / 8;
    oracle_codes halo = {{0}};

    for (int i = 0; i < 9 && h->src.channels >= 3; i++)
        if (i != 4)
            add_glow(h, x, y, i % 3 - 1, i / 3 - 1, size + (size + 3) / 4, glow);
    for (int c = 0; c < colours_of(&h->src); c++) {
        const int64_t beyond =
            (int64_t)oracle_code(&h->src, x, y, c) - (codes - codes / 64 - codes / 8);
        lost = beyond < lost ? beyond : lost;
        most = glow[c] > most ? glow[c] : most;
    }
    lost = lost < 0 ? 0 : lost;
    for (int c = 0; c < colours_of(&h->src); c++)
        halo.c[c] = (uint32_t)(255 - (255 - (int64_t)(255 * glow[c] / most)) * lost / (codes / 8));
    return halo;
}

/* Returns the sizes that are tried, least first. */
static int sizes_of(const oracle_highlight *h, int *sizes)
{
    int count = 0, size = h->size < 3 ? h->size : 3;

    while (size < h->size) {
        sizes[count++] = size;
        size = (3 * size + 1) / 2;
    }
    sizes[count++] = h->size;
    return count;
}

/* Returns 1 if a lamp of this size fits. */
static int fits_lamp(const oracle_highlight *h, int x, int y, int size)
{
    const surroundings near = look_around(h, x, y, 0, size),
                       ring = look_around(h, x, y, size + 1, (3 * size + 1) / 2);
    const int first = level_of(h, light_of(h, x, y));
    int level = 1;

    if (ring.pixels == 0 ||
        (first ? 8 : 4) * ring.light > ten_bits(h, light_of(h, x, y)) * ring.pixels)
        return 0;
    while (level < LEVELS - 1 && (uint64_t)h->threshold << 2 * level < white_of(h))
        level++;
    for (; level >= first; level--)
        if (is_compact(&near, &ring, level, size) && (level > 0 || size >= 12 || size == h->size))
            return 1;
    return 0;
}

oracle_spot oracle_light(const oracle_highlight *h, int x, int y)
{
    oracle_spot spot = {.clipped = 0};
    int sizes[32], is_found = 0;

    for (int c = 0; c < h->src.channels; c++)
        spot.codes.c[c] = oracle_code(&h->src, x, y, c);
    if (!disc_at(h, x, y)->side || light_of(h, x, y) < h->threshold)
        return spot;
    for (int i = 0, count = sizes_of(h, sizes); i < count && !is_found; i++) {
        const int size = sizes[i];
        is_found = fits_lamp(h, x, y, size);
        if (!is_found)
            continue;
        const oracle_codes rest = beside(h, x, y, size + (size + 3) / 4);
        spot.side = disc_at(h, x, y)->side;
        spot.clipped = is_clipped(&h->src, x, y);
        spot.halo = spot.clipped ? halo_of(h, x, y, size) : spot.halo;
        for (int c = 0; c < colours_of(&h->src); c++)
            spot.codes.c[c] = rest.c[c] < oracle_code(&h->src, x, y, c)
                                  ? rest.c[c]
                                  : oracle_code(&h->src, x, y, c);
    }
    return spot;
}
