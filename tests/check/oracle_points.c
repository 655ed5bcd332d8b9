#include "check/oracle.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static int colours_of(const oracle_plane *plane)
{
    return plane->channels - (plane->channels % 2 == 0);
}

static u128 divided(u128 a, u128 b)
{
    return (2 * a + b) / (2 * b); /* half up */
}

/* Divides with the rounding half away from 0. */
static i128 rounded(i128 a, i128 b)
{
    return a < 0 ? -(i128)divided((u128)-a, (u128)b) : (i128)divided((u128)a, (u128)b);
}

static u128 sample_at(const oracle_points *p, const oracle_plane *plane, int x, int y, int c)
{
    return oracle_sample(&p->look, plane->bits, 0, oracle_code(plane, x, y, c));
}

static const oracle_disc *disc_at(const oracle_points *p, int x, int y)
{
    return &p->disc[oracle_code(&p->map, x, y, 0)];
}

static int is_weighted(const oracle_points *p)
{
    return p->look.weighted && p->src.channels % 2 == 0;
}

/* Multiplies by alpha / the largest, with weights. */
static u128 weighed(const oracle_points *p, const oracle_plane *plane, int x, int y, u128 n)
{
    return is_weighted(p) ? divided(n * oracle_code(plane, x, y, plane->channels - 1),
                                    oracle_code_max(plane->bits))
                          : n;
}

/* --- Ground ----------------------------------------------------------------------------------- */

static int is_half(const oracle_points *p)
{
    return p->look.linear == ORACLE_HALF;
}

/* Returns the alpha of a pixel of from, and stores that of what is opaque. */
static u128 alpha_at(const oracle_points *p, int x, int y, u128 *opaque)
{
    const int last = p->from.channels - 1;

    *opaque = is_half(p) ? 1 << 20 : oracle_code_max(p->from.bits);
    if (p->from.channels % 2 || !(is_half(p) || p->look.weighted))
        return *opaque;
    return is_half(p) ? sample_at(p, &p->from, x, y, last) : oracle_code(&p->from, x, y, last);
}

/* Returns the brightness of a pixel's colour. is_void: 1 if there is neither surface nor light. */
static u128 brightness(const oracle_points *p, int x, int y, int *is_void)
{
    u128 most = 0, opaque;
    const u128 alpha = alpha_at(p, x, y, &opaque);
    const int thin = 16 * alpha < opaque;

    for (int c = 0; c < colours_of(&p->from); c++) {
        const u128 sample = sample_at(p, &p->from, x, y, c);
        most = sample > most ? sample : most;
    }
    if (thin && !is_half(p))
        most = 0;
    if (!thin && is_half(p))
        most = most * opaque / alpha;
    *is_void = thin && most == 0;
    return most < UINT32_MAX ? most : UINT32_MAX;
}

/* Returns a pixel's cell of 8 pixels of an axis of n, from its middle on. There is the middle of a cell or its end if n is even;
 * if it is odd, that of a cell of 7. */
static int cell_of(int pixel, int n)
{
    const int cells = (n + 7) / 8, off = pixel - n / 2, away = abs(off);

    if (n % 2)
        return away <= 3 ? 0 : (1 + (away - 4) / 8) * (off < 0 ? -1 : 1);
    return (off + 8 * cells + cells % 2 * 4) / 8;
}

/* Returns the number of void pixels of cells, a 16th of each cell's. */
static u128 sum_voids(const int *voids, int cells)
{
    u128 count = 0;

    for (int i = 0; i < cells; i++)
        count += divided((u128)voids[i], 16);
    return count;
}

/* Returns four times the mean brightness around a pixel, of all pixels in cells near its own that are not nearer. */
static u128 four_means(const oracle_points *p, int x, int y)
{
    const oracle_disc *const disc = disc_at(p, x, y);
    const int w = p->src.width, h = p->rows, side = 2 * disc->cells + 1;
    int *const voids = calloc((size_t)(side * side), sizeof *voids);
    const u128 unit = is_half(p) ? 256 : 1;
    u128 sum = 0, count = 0;

    for (int j = 0; j < p->src.height && voids; j++)
        for (int i = 0; i < w; i++) {
            const int across = cell_of(i, w) - cell_of(x, w) + disc->cells;
            const int down = cell_of(j + p->row, h) - cell_of(y + p->row, h) + disc->cells;
            int is_void;
            if (across < 0 || across >= side || down < 0 || down >= side ||
                disc_at(p, i, j)->group < disc->group)
                continue;
            sum += brightness(p, i, j, &is_void) / unit;
            count += !is_void;
            voids[down * side + across] += is_void && is_half(p);
        }
    count += voids ? sum_voids(voids, side * side) : 0;
    free(voids);
    const u128 four = count ? 4 * sum / count * unit : 0;
    return four < UINT32_MAX ? four : UINT32_MAX;
}

oracle_codes oracle_ground(const oracle_points *p, int x, int y)
{
    const oracle_disc *const disc = disc_at(p, x, y);
    int is_void;
    const u128 bright = brightness(p, x, y, &is_void);
    const u128 ground = disc->cells ? four_means(p, x, y) : bright;
    oracle_codes codes = {{0}};

    for (int c = 0; c < p->from.channels; c++)
        codes.c[c] = oracle_code(&p->from, x, y, c);
    for (int c = 0; c < colours_of(&p->from) && bright > ground; c++) {
        const u128 all = 256 * bright, excess = bright - ground * ground / bright,
                   rest = all - excess * (u128)disc->fade;
        codes.c[c] = oracle_code_of(&p->look, p->from.bits, 0,
                                    (uint32_t)divided(sample_at(p, &p->from, x, y, c) * rest, all),
                                    codes.c[c]);
    }
    return codes;
}

/* --- Spans ------------------------------------------------------------------------------------ */

/* Returns the integral of a side from the middle to y, in 1/256 pixel: in 1/65536 pixel. */
static i128 side_to(const oracle_points *p, const int *side, i128 radius, i128 half, i128 y)
{
    const int centre = p->strips / 2, down = y < 0 ? -1 : 1;
    const i128 unit = (i128)1 << 36, inverse = centre * unit / half;
    i128 place = (y < 0 ? -y : y) * inverse;

    place = place > centre * unit ? centre * unit : place;
    const int strip = place == centre * unit ? centre - 1 : (int)(place / unit);
    const i128 part = (place - strip * unit) / 4096; /* of 2^24 */
    const i128 from = side[centre + down * strip], to = side[centre + down * (strip + 1)];
    const i128 sum = from + rounded((to - from) * part, 1 << 24);
    return rounded(rounded(sum * radius, 4096) * radius, 4096);
}

typedef struct span {
    i128 lo, hi, weight;
} span;

/* Finds what an outline gives a row below the centre. */
static span span_of(const oracle_points *p, const oracle_outline *o, int radius, int row)
{
    const i128 middle = rounded((i128)radius * o->middle, 65536);
    const i128 wanted = rounded((i128)radius * o->half, 65536), half = wanted > 1 ? wanted : 1;
    i128 from = 256 * (i128)row - 128 - middle, to = from + 256;
    span s = {0, 0, 0};

    from = from < -half ? -half : from;
    to = to > half ? half : to;
    if (from >= to)
        return s;
    s.lo = 128 +
           rounded(side_to(p, o->left, radius, half, to) - side_to(p, o->left, radius, half, from),
                   to - from);
    s.hi = 128 + rounded(side_to(p, o->right, radius, half, to) -
                             side_to(p, o->right, radius, half, from),
                         to - from);
    s.weight = s.lo < s.hi ? o->weight * (to - from) : 0;
    return s;
}

/* --- Points ----------------------------------------------------------------------------------- */

typedef struct point {
    int x, y;
    const oracle_disc *disc;
    const oracle_outline *of;
    uint64_t light[4]; /* of 1/65536 pixel */
} point;

static int is_point(const oracle_points *p, int x, int y)
{
    for (int c = 0; c < colours_of(&p->src); c++)
        if (oracle_code(&p->src, x, y, c) != oracle_code(&p->base, x, y, c))
            return 1;
    return 0;
}

static u128 brightest_at(const oracle_points *p, int x, int y)
{
    u128 most = 0;

    for (int c = 0; c < colours_of(&p->src); c++)
        if (sample_at(p, &p->src, x, y, c) > most)
            most = sample_at(p, &p->src, x, y, c);
    return most;
}

/* Returns the light of all spans of a point. */
static u128 area_of(const oracle_points *p, const point *l)
{
    const int far = 4 * l->disc->radius / 256 + 2;
    i128 area = 0;

    for (int level = 0; level < p->levels; level++)
        for (int row = -far; row <= far; row++) {
            const span s = span_of(p, &l->of[level], l->disc->radius, row);
            area += (s.hi - s.lo) * s.weight;
        }
    return area > 0 ? (u128)area : 1;
}

/* Returns the bits behind the point: 57 less those of a sample, and of a boost by 64 but for half floats. */
static int fraction_of(const oracle_points *p)
{
    uint32_t most = oracle_sample_max(p->src.bits, &p->look);
    int bits = is_half(p) ? 0 : 6;

    for (; most > 0; most /= 2)
        bits++;
    return 57 - bits;
}

static u128 light_at(const oracle_points *p, int x, int y, int c)
{
    const uint32_t codes = oracle_code_max(p->src.bits) + 1;
    const u128 sample = sample_at(p, &p->src, x, y, c);
    u128 light = sample - sample_at(p, &p->base, x, y, c);
    uint32_t brightest = 0;

    for (int i = 0; i < colours_of(&p->src); i++)
        if (oracle_code(&p->src, x, y, i) > brightest)
            brightest = oracle_code(&p->src, x, y, i);
    if (p->halo.data && 64 * (uint64_t)brightest >= 63 * (uint64_t)codes) {
        const u128 boosted = divided(sample * p->boost * oracle_code(&p->halo, x, y, c), 255 * 256);
        light = boosted > light ? boosted : light;
    }
    light = weighed(p, &p->src, x, y, light);
    if (p->cover.data) {
        const u128 covered = divided(16 * oracle_code(&p->cover, x, y, 0), 255);
        light = divided(light * (covered ? covered : 1), 16);
    }
    return light;
}

static point point_at(const oracle_points *p, int x, int y)
{
    const int w = p->src.width, patches = oracle_patches(w, p->shift);
    point l = {.x = x, .y = y, .disc = disc_at(p, x, y)};

    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++)
            if (i >= 0 && j >= 0 && i < w && j < p->src.height && is_point(p, i, j) &&
                brightest_at(p, i, j) >= brightest_at(p, x, y) &&
                disc_at(p, i, j)->side * disc_at(p, i, j)->radius > l.disc->side * l.disc->radius)
                l.disc = disc_at(p, i, j);
    const int down = oracle_patches(p->rows, p->shift);
    const int column = oracle_patch_at(x, w, p->shift),
              row = oracle_patch_at(y + p->row, p->rows, p->shift);
    l.of = p->outline + (((l.disc->side > 0) * down + row) * patches + column) * p->levels;
    const u128 area = area_of(p, &l);
    for (int c = 0; c < colours_of(&p->src); c++)
        l.light[c] = (uint64_t)(((light_at(p, x, y, c) << fraction_of(p)) + area / 2) / area);
    return l;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Returns the 65536ths of a pixel, times weights, that a point lights. */
static i128 lit_by(const oracle_points *p, const point *l, int x, int y)
{
    const int across = p->along_columns ? y - l->y : x - l->x;
    const int down = p->along_columns ? x - l->x : y - l->y;
    i128 lit = 0;

    for (int level = 0; level < p->levels; level++) {
        const span s = span_of(p, &l->of[level], l->disc->radius, down);
        const i128 lo = s.lo > 256 * across ? s.lo : 256 * across;
        const i128 hi = s.hi < 256 * across + 256 ? s.hi : 256 * across + 256;
        lit += lo < hi ? (hi - lo) * s.weight : 0;
    }
    return lit;
}

/* Returns a part of 255 in 256ths. */
static u128 in_256ths(uint8_t part)
{
    return part < 128 ? part : part + 1;
}

static void add_to_pixel(const oracle_points *p, const point *points, size_t count, int x, int y,
                         oracle_codes *codes)
{
    const oracle_plane *const dst = &p->dst;
    const u128 most = oracle_code_max(dst->bits), largest = oracle_sample_max(dst->bits, &p->look);
    i128 sum[ORACLE_GROUPS][4] = {{0}};
    u128 lit[4] = {0}, brightest = largest;

    for (int c = 0; c < dst->channels; c++)
        codes->c[c] = oracle_code(dst, x, y, c);
    if (is_weighted(p) && codes->c[dst->channels - 1] == 0)
        return;
    for (size_t i = 0; i < count; i++) {
        const i128 part = p->groups >> points[i].disc->group & 1 ? lit_by(p, &points[i], x, y) : 0;
        for (int c = 0; c < colours_of(dst) && part; c++)
            sum[points[i].disc->group][c] += part * (i128)points[i].light[c];
    }
    for (int c = 0; c < colours_of(dst); c++) {
        for (int g = 0; g < ORACLE_GROUPS; g++)
            lit[c] += ((u128)(sum[g][c] > 0 ? sum[g][c] : 0) >> 8) *
                      (p->left[g] ? in_256ths(p->left[g][y * dst->width + x]) : 256);
        lit[c] >>= fraction_of(p) - 16;
        if (is_weighted(p))
            lit[c] = lit[c] * most / codes->c[dst->channels - 1];
        lit[c] = (p->alone ? 0 : sample_at(p, dst, x, y, c)) + (lit[c] + 32768) / 65536;
        brightest = lit[c] > brightest ? lit[c] : brightest;
    }
    for (int c = 0; c < colours_of(dst); c++) {
        const u128 own = sample_at(p, dst, x, y, c), hue = lit[c] * largest / brightest;
        const u128 all = p->alone ? own + hue : hue;
        const uint32_t sample = (uint32_t)(all < largest ? all : largest);
        if (sample > sample_at(p, dst, x, y, c))
            codes->c[c] = oracle_code_of(&p->look, dst->bits, 0, sample, codes->c[c]);
    }
}

int oracle_add_points(const oracle_points *p, const oracle_pixel *pixels, size_t count,
                      oracle_codes *codes)
{
    point *const points = malloc(sizeof *points * (size_t)p->src.width * (size_t)p->src.height);
    size_t found = 0;

    for (int y = 0; points && y < p->src.height; y++)
        for (int x = 0; x < p->src.width; x++)
            if (is_point(p, x, y))
                points[found++] = point_at(p, x, y);
#pragma omp parallel for schedule(dynamic, 16) if (count > 64)
    for (size_t i = 0; i < count; i++)
        if (points)
            add_to_pixel(p, points, found, pixels[i].x, pixels[i].y, &codes[i]);
    free(points);
    return points != NULL;
}
