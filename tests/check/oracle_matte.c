/* Mattes by their definitions, window by window. */
#include "check/oracle.h"

#include <stdlib.h>

__extension__ typedef __int128 wide;

static int longest_of(const oracle_plane *p)
{
    return p->width > p->height ? p->width : p->height;
}

/* --- Coverage --------------------------------------------------------------------------------- */

/* Returns the channel of a matte that counts. */
static int channel_of(const oracle_plane *src)
{
    const int alpha = src->channels - 1;

    if (src->channels % 2)
        return 0;
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            if (oracle_code(src, x, y, alpha) != oracle_code(src, 0, 0, alpha))
                return alpha;
    return 0;
}

/* Finds where pixel i of n lies on an axis of `from` samples: on a sample, and how much beyond it in 1/65536. */
static void place(int i, int n, int from, int *sample, int64_t *beyond)
{
    const wide twice = (wide)(2 * (int64_t)i + 1) * from - n; /* of the place, times n */
    const wide last = (wide)2 * n * (from - 1);
    const wide at = twice < 0 ? 0 : twice > last ? last : twice;

    *sample = (int)(at / ((wide)2 * n));
    *beyond = (int64_t)((at % ((wide)2 * n) * 65536 * 2 + 2 * (wide)n) / ((wide)4 * n));
}

uint32_t oracle_cover(const oracle_plane *src, int width, int height, int x, int y)
{
    const int channel = channel_of(src), sized = src->width != width || src->height != height;
    const int64_t white = sized ? 65535 : oracle_code_max(src->bits);
    int column = x, row = y;
    int64_t across = 0, down = 0;
    wide sum = 0;

    if (sized) {
        place(x, width, src->width, &column, &across);
        place(y, height, src->height, &row, &down);
    }
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            const wide share = (wide)(i ? across : 65536 - across) * (j ? down : 65536 - down);
            if (share == 0)
                continue;
            const uint32_t code = oracle_code(src, column + i, row + j, channel);
            sum += share * (sized && src->bits == 8 ? code * 257 : code);
        }
    const int64_t code = (int64_t)((sum + ((wide)1 << 31)) >> 32);
    const int64_t cover = (2 * 255 * code + white) / (2 * white);
    return cover < 8 ? 0 : cover > 247 ? 255 : (uint32_t)cover;
}

/* --- Maps that follow ------------------------------------------------------------------------- */

/* 0: background, 1: subject, 2: both. */
static int side_at(const oracle_plane *matte, int x, int y)
{
    const uint32_t cover = oracle_code(matte, x, y, 0);

    return cover == 0 ? 0 : cover == 255 ? 1 : 2;
}

/* Counts the pixels of each side within r of a pixel. Returns their sum. */
static int count_sides(const oracle_plane *matte, int x, int y, int r, int count[3])
{
    count[0] = count[1] = count[2] = 0;
    for (int j = y - r; j <= y + r; j++)
        for (int i = x - r; i <= x + r; i++)
            if (i >= 0 && j >= 0 && i < matte->width && j < matte->height)
                count[side_at(matte, i, j)]++;
    return count[0] + count[1] + count[2];
}

/* Finds the pixels that have only their own side around. Returns whether both sides have some. */
static int find_inside(const oracle_plane *matte, int r, uint8_t *inside)
{
    int has[3] = {0};

#pragma omp parallel for reduction(+ : has)
    for (int y = 0; y < matte->height; y++)
        for (int x = 0; x < matte->width; x++) {
            int count[3];
            const int all = count_sides(matte, x, y, r, count), side = side_at(matte, x, y);
            inside[(size_t)y * (size_t)matte->width + (size_t)x] = side < 2 && count[side] == all;
            has[side] += side < 2 && count[side] == all;
        }
    return has[0] && has[1];
}

/* Finds the mean codes of the pixels inside within r of a pixel. Returns 0 if a side has none. */
static int find_means(const oracle_matte *m, const uint8_t *inside, int x, int y, int r,
                      int64_t mean[2])
{
    int64_t sum[2] = {0}, count[2] = {0};

    for (int j = y - r < 0 ? 0 : y - r; j <= y + r && j < m->map.height; j++)
        for (int i = x - r < 0 ? 0 : x - r; i <= x + r && i < m->map.width; i++)
            if (inside[(size_t)j * (size_t)m->map.width + (size_t)i]) {
                sum[side_at(&m->matte, i, j)] += oracle_code(&m->map, i, j, 0);
                count[side_at(&m->matte, i, j)]++;
            }
    for (int side = 0; side < 2 && count[0] && count[1]; side++)
        mean[side] = (2 * sum[side] + count[side]) / (2 * count[side]);
    return count[0] && count[1];
}

/* Returns whether a code has gone so far from its own side's mean to the other's that it contradicts the matte. */
static int contradicts(int side, int64_t code, const int64_t mean[2], int bits)
{
    const int64_t way = mean[1 - side] - mean[side], gone = code - mean[side];
    const int64_t length = llabs(way), ahead = way < 0 ? -gone : gone;

    return length > 4 * (int64_t)oracle_code_max(bits) / 255 &&
           ahead * (side == 1 ? 4 : 2) > length && 4 * ahead <= 5 * length;
}

/* Returns what becomes of a pixel that is not inside. r: the radius of the windows that say so. */
static oracle_followed follow(const oracle_matte *m, const uint8_t *inside, int x, int y, int r)
{
    const int side = side_at(&m->matte, x, y);
    oracle_followed f = {.code = oracle_code(&m->map, x, y, 0), .kind = ORACLE_RIM_NONE};
    int64_t mean[2] = {0};
    int count[3], found = 0;

    const int all = count_sides(&m->matte, x, y, r, count);
    const int once = side == 0 && 4 * count[2] < all;
    for (int wide_r = 2 * r, last = 0; !found && !last; wide_r *= 2) {
        found = find_means(m, inside, x, y, wide_r, mean);
        last = once || wide_r >= longest_of(&m->map);
    }
    if (!found || (side < 2 && !contradicts(side, f.code, mean, m->map.bits)))
        return f;
    const uint32_t cover = oracle_code(&m->matte, x, y, 0);
    const int is_near = m->near_black ? mean[1] < mean[0] : mean[1] >= mean[0];
    f.decided = 1;
    f.code = (uint32_t)mean[cover >= 128];
    f.kind = side < 2 || mean[0] == mean[1] ? ORACLE_RIM_NONE
             : is_near                      ? ORACLE_RIM_SUBJECT
                                            : ORACLE_RIM_BEFORE;
    f.cover = is_near ? cover : 255 - cover;
    f.near = (uint32_t)mean[is_near];
    f.far = (uint32_t)mean[!is_near];
    return f;
}

int oracle_follow(const oracle_matte *m, oracle_followed *pixels)
{
    const int width = m->map.width, height = m->map.height;
    uint8_t *const inside = malloc((size_t)width * (size_t)height);
    int r = longest_of(&m->map) / 128;

    if (!inside)
        return 0;
    r = r < 8 ? 8 : r;
    while (!find_inside(&m->matte, r, inside) && r > 1)
        r /= 2;
#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const size_t i = (size_t)y * (size_t)width + (size_t)x;
            pixels[i] = inside[i] ? (oracle_followed){.code = oracle_code(&m->map, x, y, 0),
                                                      .kind = ORACLE_RIM_STAYS}
                                  : follow(m, inside, x, y, r);
        }
    free(inside);
    return 1;
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Rounds a / b to the nearest, halves away from 0. b is above 0. */
static int64_t rounded(int64_t a, int64_t b)
{
    const int64_t twice = 2 * llabs(a) + b;

    return (a < 0 ? -1 : 1) * (twice / (2 * b));
}

/* Sums the sides within r of a pixel: pixels, and codes by channel. */
static void sum_sides(const oracle_plane *src, const oracle_plane *matte, oracle_pixel p, int r,
                      int64_t count[2], int64_t sum[2][4])
{
    for (int i = 0; i < 8; i++)
        count[i % 2] = sum[i % 2][i / 2] = 0;
    for (int y = p.y - r < 0 ? 0 : p.y - r; y <= p.y + r && y < src->height; y++)
        for (int x = p.x - r < 0 ? 0 : p.x - r; x <= p.x + r && x < src->width; x++) {
            const int side = side_at(matte, x, y);
            if (side == 2)
                continue;
            count[side]++;
            for (int c = 0; c < src->channels; c++)
                sum[side][c] += oracle_code(src, x, y, c);
        }
}

oracle_codes oracle_separated(const oracle_plane *src, const oracle_plane *matte, oracle_pixel p,
                              int of_subject)
{
    const int64_t m = oracle_code(matte, p.x, p.y, 0), white = oracle_code_max(src->bits);
    const int64_t share = of_subject ? m : 255 - m, square = m * m + (255 - m) * (255 - m);
    int64_t count[2] = {0}, sum[2][4];
    oracle_codes codes = {{0}};

    for (int r = 3, last = 0; (count[0] < 12 || count[1] < 12) && !last; r *= 2) {
        sum_sides(src, matte, p, r, count, sum);
        last = r >= longest_of(src);
    }
    for (int c = 0; c < src->channels; c++) {
        codes.c[c] = oracle_code(src, p.x, p.y, c);
        if (count[0] < 12 || count[1] < 12 || (src->channels % 2 == 0 && c == src->channels - 1))
            continue;
        const int64_t mean[2] = {rounded(sum[0][c], count[0]), rounded(sum[1][c], count[1])};
        const int64_t error = 255 * (int64_t)codes.c[c] - m * mean[1] - (255 - m) * mean[0];
        const int64_t own = mean[of_subject] + rounded(share * error, square);
        codes.c[c] = (uint32_t)(own < 0 ? 0 : own > white ? white : own);
    }
    return codes;
}
