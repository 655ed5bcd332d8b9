#include "unit/kernels/edges_oracle.h"

#include "unit/unit.h"

#include <math.h>
#include <string.h>

enum { EDGE = 1, RAMP = 2, LEAST_SIDE = 9, MOST_LEVELS = 4, LEAST_EDGE = 4 * 257 };

codes codes_new(int w, int h)
{
    return (codes){w, h, unit_zeros((size_t)(w * h) * sizeof(uint32_t)),
                   unit_zeros((size_t)(w * h))};
}

/* --- Marks ------------------------------------------------------------------------------------ */

typedef struct ends {
    uint32_t low, high;
} ends;

static uint32_t range(ends e)
{
    return e.high - e.low;
}

/* Returns the extremes of the square of samples that is 2 reach + 1 wide, as far as it lies in the map. */
static ends square(const codes *c, int x, int y, int reach)
{
    ends e = {UINT32_MAX, 0};

    for (int j = y - reach; j <= y + reach; j++)
        for (int i = x - reach; i <= x + reach; i++)
            if (i >= 0 && j >= 0 && i < c->w && j < c->h) {
                const uint32_t code = c->at[j * c->w + i];
                e.low = code < e.low ? code : e.low;
                e.high = code > e.high ? code : e.high;
            }
    return e;
}

static int moved_inside(int i, int n)
{
    return i < 4 ? 4 : i > n - 5 ? n - 5 : i;
}

/* Returns 1 if a code lies between those of two opposite neighbours, further than around / 16 from both. */
static int on_ramp(const codes *c, int x, int y, uint32_t around)
{
    static const int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    const int64_t here = c->at[y * c->w + x];

    for (int i = 0; i < 4; i++) {
        const int dx = steps[i][0], dy = steps[i][1];
        if ((dx && (x < 1 || x + 1 >= c->w)) || (dy && (y < 1 || y + 1 >= c->h)))
            continue;
        const int64_t a = c->at[(y + dy) * c->w + x + dx], b = c->at[(y - dy) * c->w + x - dx];
        const int64_t low = a < b ? a : b, high = a < b ? b : a;
        if (16 * (here - low) > around && 16 * (high - here) > around)
            return 1;
    }
    return 0;
}

static void mark(const codes *c, int *edges, int *ramps)
{
    *edges = *ramps = 0;
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            const uint32_t near = range(square(c, x, y, 1));
            const uint32_t around =
                range(square(c, moved_inside(x, c->w), moved_inside(y, c->h), 4));
            if (near <= LEAST_EDGE || 2 * near < around)
                continue;
            const int ramp = on_ramp(c, x, y, around);
            c->kind[y * c->w + x] = (uint8_t)(EDGE | ramp * RAMP);
            ++*edges;
            *ramps += ramp;
        }
}

/* Returns 1 if a map has few edges, or if more than four fifths of them are ramps. */
static int is_wide(const codes *c, int edges, int ramps)
{
    return edges < (c->w > c->h ? c->w : c->h) / 8 || 5 * ramps > 4 * edges;
}

/* Returns the ends of the ramp at a sample: those of the smallest square that differ by more than 8/9 of those of the next
 * larger one. */
static ends ends_at(const codes *c, int x, int y)
{
    int reach = 1;

    while (reach < 4 && 9 * range(square(c, x, y, reach)) <= 8 * range(square(c, x, y, reach + 1)))
        reach++;
    return square(c, x, y, reach);
}

/* Returns the end that is closer, of equals the high one. */
static uint32_t closer(uint32_t code, ends e)
{
    const int64_t above = (int64_t)code - e.low, below = (int64_t)e.high - code;

    return above < below ? e.low : e.high;
}

/* --- Halves ----------------------------------------------------------------------------------- */

/* Returns half of n samples. Of an odd number, it is the odd one of the two that are equally
 * close. */
static int half_of(int n)
{
    return n % 2 && n / 2 % 2 == 0 ? n / 2 + 1 : n / 2;
}

/* Returns the part of sample i of an axis in sample s of its half. The parts are n together. */
static uint64_t overlap(int i, int s, int n)
{
    const int half = half_of(n);
    const int left = i * half > s * n ? i * half : s * n;
    const int right = (i + 1) * half < (s + 1) * n ? (i + 1) * half : (s + 1) * n;

    return right > left ? (uint64_t)(right - left) : 0;
}

/* Returns the means by area, rounded. */
static codes halved(const codes *c)
{
    codes half = codes_new(half_of(c->w), half_of(c->h));

    for (int y = 0; y < half.h; y++)
        for (int x = 0; x < half.w; x++) {
            const uint64_t area = (uint64_t)c->w * (uint64_t)c->h;
            uint64_t sum = area / 2;
            for (int j = 0; j < 16; j++) { /* all that may overlap */
                const int sx = 2 * x - 1 + j % 4, sy = 2 * y - 1 + j / 4;
                if (sx >= 0 && sy >= 0 && sx < c->w && sy < c->h)
                    sum += overlap(sx, x, c->w) * overlap(sy, y, c->h) * c->at[sy * c->w + sx];
            }
            half.at[y * half.w + x] = (uint32_t)(sum / area);
        }
    return half;
}

/* --- Places ----------------------------------------------------------------------------------- */

/* Returns the sample, of `samples`, that shows the centre of pixel i of n. If two do, it is the one closer to the
 * middle. */
static int sample_at(int i, int n, int samples)
{
    const int s = (2 * i + 1) * samples / (2 * n), on_border = (2 * i + 1) * samples % (2 * n) == 0;

    return on_border && 2 * s > samples ? s - 1 : s;
}

/* Returns 2^16 times the place of pixel i's centre from the first sample's, rounded, and at most the last one's. */
static int64_t place(int i, int n, int samples)
{
    const int64_t twice = ((2 * (int64_t)i + 1) * samples - n) * 65536;
    const int64_t at = twice > 0 ? (twice + n) / (2 * n) : 0, last = (samples - 1) * (int64_t)65536;

    return at < last ? at : last;
}

/* Returns a number between those of four samples. */
static uint32_t between(const uint32_t *of, int w, int64_t u, int64_t v)
{
    const int64_t x = u / 65536, y = v / 65536, right = u % 65536, down = v % 65536;
    uint64_t sum = (uint64_t)1 << 31;

    for (int k = 0; k < 4; k++) {
        const int64_t across = k % 2 ? right : 65536 - right, along = k / 2 ? down : 65536 - down;
        if (across && along) /* or there may be no sample */
            sum += (uint64_t)(across * along) * of[(y + k / 2) * w + x + k % 2];
    }
    return (uint32_t)(sum >> 32);
}

codes codes_resampled(const codes *c, int w, int h)
{
    codes out = codes_new(w, h);

    for (int i = 0; i < w * h; i++)
        out.at[i] = between(c->at, c->w, place(i % w, w, c->w), place(i / w, h, c->h));
    return out;
}

/* --- Ramps ------------------------------------------------------------------------------------ */

/* A level's map. low, high: of the ramp at each sample. */
typedef struct level {
    codes map, low, high;
} level;

static level level_of(const codes *map)
{
    level l = {*map, codes_new(map->w, map->h), codes_new(map->w, map->h)};

    for (int i = 0; i < map->w * map->h; i++) {
        const ends e = ends_at(map, i % map->w, i / map->w);
        l.low.at[i] = e.low;
        l.high.at[i] = e.high;
    }
    return l;
}

/* Drops the edges of a half where the map before has one: at a sample whose centre lies in theirs. */
static void drop_known(const codes *half, const codes *before)
{
    for (int y = 0; y < before->h; y++)
        for (int x = 0; x < before->w; x++)
            if (before->kind[y * before->w + x])
                half->kind[sample_at(y, before->h, half->h) * half->w +
                           sample_at(x, before->w, half->w)] = 0;
}

static int count_edges(const codes *c)
{
    int count = 0;

    for (int i = 0; i < c->w * c->h; i++)
        count += c->kind[i] != 0;
    return count;
}

/* Returns the number of levels of a map, marked. of_all: of each, the edges before any are dropped. */
static int find_levels(const codes *map, level *levels, int *of_all)
{
    int count = 1, edges, ramps;

    levels[0] = level_of(map);
    for (; count < MOST_LEVELS; count++) {
        const codes *const last = &levels[count - 1].map;
        if (last->w < 2 * LEAST_SIDE || last->h < 2 * LEAST_SIDE)
            break;
        const codes half = halved(last);
        mark(&half, &edges, &ramps);
        levels[count] = level_of(&half);
    }
    for (int l = 0; l < count; l++)
        of_all[l] = count_edges(&levels[l].map);
    for (int l = count - 1; l > 0; l--) /* what a map drops is dropped in its half, too */
        drop_known(&levels[l].map, &levels[l - 1].map);
    return count;
}

/* Returns the number of levels before the first half of whose edges less than a third are new. */
static int worth_it(const level *levels, int count, const int *of_all)
{
    for (int l = 1; l < count; l++)
        if (3 * count_edges(&levels[l].map) < of_all[l])
            return l;
    return count;
}

static int is_near_edge(const codes *c, int x, int y)
{
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (i >= 0 && j >= 0 && i < c->w && j < c->h && c->kind[j * c->w + i])
                return 1;
    return 0;
}

/* Returns the finest level in which sample x, y of the first is near an edge, or count. */
static int finest(const level *levels, int count, int x, int y)
{
    const codes *const first = &levels[0].map;
    int l = 0;

    while (l < count && !is_near_edge(&levels[l].map, sample_at(x, first->w, levels[l].map.w),
                                      sample_at(y, first->h, levels[l].map.h)))
        l++;
    return l;
}

/* --- Cuts ------------------------------------------------------------------------------------- */

/* Returns the difference of two pixels' codes. A pixel beyond the border has the border's. */
static uint32_t difference(const codes *c, int x, int y, int dx, int dy)
{
    const int i = x + dx < 0 ? 0 : x + dx >= c->w ? c->w - 1 : x + dx;
    const int j = y + dy < 0 ? 0 : y + dy >= c->h ? c->h - 1 : y + dy;
    const int64_t d = (int64_t)c->at[y * c->w + x] - c->at[j * c->w + i];

    return (uint32_t)(d < 0 ? -d : d);
}

static int ceiling(int a, int b)
{
    return a / b + (a % b > 0);
}

/* Returns 1 if the map rises by less than a 32nd of a ramp to all four pixels that are half a sample of the level away, or a part
 * of a pixel more. */
static int is_flat(const codes *plain, const codes *map, int x, int y, ends e)
{
    const int across = (ceiling(plain->w, map->w) + 1) / 2,
              down = (ceiling(plain->h, map->h) + 1) / 2;

    return 32 * difference(plain, x, y, across, 0) < range(e) &&
           32 * difference(plain, x, y, -across, 0) < range(e) &&
           32 * difference(plain, x, y, 0, down) < range(e) &&
           32 * difference(plain, x, y, 0, -down) < range(e);
}

/* Cuts a pixel of a ramp. */
static void cut(const fitted *f, int k, ends e, int near_black)
{
    const uint32_t was = f->map.at[k], end = closer(was, e);
    const double way =
        near_black ? (double)e.high - was : (double)was - e.low; /* from the far end */
    const double twice = 12 * way - 5.0 * range(e); /* six times as steep, of twice the range */
    const int cover = twice <= 0 ? 0
                      : twice >= 2.0 * range(e)
                          ? 255
                          : (int)floor((255 * twice + range(e)) / (2.0 * range(e)));

    f->map.at[k] = end;
    f->map.kind[k] = cover < 255 && (cover > 0 || 64 * fabs(way) > range(e));
    f->near.at[k] = near_black ? e.low : e.high;
    f->near.kind[k] = (uint8_t)cover;
    f->far.at[k] = near_black ? e.high : e.low;
}

/* Returns a code at a pixel, or at the picture's side next to it. */
static double code_within(const codes *c, int x, int y)
{
    const int i = x < 0 ? 0 : x >= c->w ? c->w - 1 : x;
    const int j = y < 0 ? 0 : y >= c->h ? c->h - 1 : y;

    return c->at[j * c->w + i];
}

/* Returns the near end's part where its edge is a pixel wide and begins at the middle of the ramp. */
static uint8_t beside(const codes *plain, int x, int y, ends e, int near_black)
{
    const double code = code_within(plain, x, y), middle = (e.low + e.high) / 2.0;
    const double behind = near_black ? code - middle : middle - code;
    const double slope =
        fabs(code_within(plain, x + 1, y) - code_within(plain, x - 1, y)) / 2 +
        fabs(code_within(plain, x, y + 1) - code_within(plain, x, y - 1)) / 2; /* of a pixel */

    if (behind <= 0 || behind >= slope || code < e.low || code > e.high)
        return 0;
    return (uint8_t)floor(255 * (slope - behind) / slope + 0.5);
}

/* Cuts the ramps of all levels. Returns a bit for each level that was cut in. */
static int cut_levels(const level *levels, int count, const codes *plain, const fitted *f,
                      int near_black)
{
    const codes *const first = &levels[0].map;
    int used = 0;

    for (int k = 0; k < plain->w * plain->h; k++) {
        const int x = k % plain->w, y = k / plain->w;
        const int l = finest(levels, count, sample_at(x, plain->w, first->w),
                             sample_at(y, plain->h, first->h));
        if (l == count)
            continue;
        const codes *const map = &levels[l].map;
        const int64_t u = place(x, plain->w, map->w), v = place(y, plain->h, map->h);
        const ends e = {between(levels[l].low.at, map->w, u, v),
                        between(levels[l].high.at, map->w, u, v)};
        if (range(e) <= LEAST_EDGE || is_flat(plain, map, x, y, e))
            continue;
        const int across = ceiling(plain->w, map->w), down = ceiling(plain->h, map->h);
        cut(f, k, e, near_black);
        f->far.kind[k] = (uint8_t)(across > down ? across : down);
        f->beside.kind[k] = beside(plain, x, y, e, near_black);
        used |= 1 << l;
    }
    return used;
}

static int bits_in(int word)
{
    int count = 0;

    for (; word; word &= word - 1)
        count++;
    return count;
}

/* Cuts the ramps of a map and its halves. */
static void fit_halves(const codes *c, int near_black, fitted *f)
{
    codes plain = codes_resampled(c, f->map.w, f->map.h);
    level all[MOST_LEVELS];
    int of_all[MOST_LEVELS];

    const int count = find_levels(c, all, of_all), used = worth_it(all, count, of_all);
    f->levels = bits_in(cut_levels(all, used, &plain, f, near_black));
}

fitted codes_fit(const codes *c, int w, int h, int near_black)
{
    fitted f = {codes_resampled(c, w, h), codes_new(w, h), codes_new(w, h), codes_new(w, h), 0};
    const int same = c->w == w && c->h == h;
    int edges, ramps;

    if (c->w > w || c->h > h || c->w < LEAST_SIDE || c->h < LEAST_SIDE)
        return f;
    mark(c, &edges, &ramps);
    if (!same || is_wide(c, edges, ramps)) {
        fit_halves(c, near_black, &f);
        return f;
    }
    for (int i = 0; i < w * h; i++)
        if (c->kind[i] & RAMP)
            f.map.at[i] = closer(c->at[i], ends_at(c, i % w, i / w));
    f.levels = ramps > 0;
    return f;
}
