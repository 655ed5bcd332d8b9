/* core/depth_edges.c against its definition (satblur.h, depth_edges.h), written here sample by sample,
 * with several numbers of threads, and for all sets of the CPU's instructions that this machine has. */
#include "unit/unit.h"

#include "depth/depth_channel.h"
#include "common/cpu_level.h"
#include "depth/depth_edges.h"
#include "unit/unit_drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- The definition --------------------------------------------------------------------------- */

typedef struct codes { /* as the result has them */
    int w, h, bits;
    uint32_t *at;
    uint8_t *kind;
} codes;

enum { EDGE = 1, RAMP = 2 };

static codes new_codes(int w, int h, int bits)
{
    return (codes){w, h, bits, calloc((size_t)(w * h), sizeof(uint32_t)),
                   calloc((size_t)(w * h), 1)};
}

static void free_codes(codes *c)
{
    free(c->at);
    free(c->kind);
}

static uint32_t range_of(const codes *c, int x, int y, int reach)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (int j = y - reach; j <= y + reach; j++)
        for (int i = x - reach; i <= x + reach; i++)
            if (i >= 0 && j >= 0 && i < c->w && j < c->h) {
                const uint32_t code = c->at[j * c->w + i];
                low = code < low ? code : low;
                high = code > high ? code : high;
            }
    return high - low;
}

static int moved_inside(int i, int n)
{
    return i < 4 ? 4 : i > n - 5 ? n - 5 : i;
}

static int on_ramp(const codes *c, int x, int y, uint32_t margin)
{
    static const int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

    for (int i = 0; i < 4; i++) {
        const int dx = steps[i][0], dy = steps[i][1];
        if ((dx && (x < 1 || x + 1 >= c->w)) || (dy && (y < 1 || y + 1 >= c->h)))
            continue;
        const uint32_t here = c->at[y * c->w + x];
        const uint32_t a = c->at[(y + dy) * c->w + x + dx], b = c->at[(y - dy) * c->w + x - dx];
        if ((a + margin < here && here + margin < b) || (b + margin < here && here + margin < a))
            return 1;
    }
    return 0;
}

static void mark(const codes *c, int *edges, int *ramps)
{
    *edges = *ramps = 0;
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            const uint32_t near = range_of(c, x, y, 1);
            const uint32_t around = range_of(c, moved_inside(x, c->w), moved_inside(y, c->h), 4);
            if (near <= (1u << c->bits) / 64 || 3 * near < around)
                continue;
            const int ramp = on_ramp(c, x, y, around / 16);
            c->kind[y * c->w + x] = (uint8_t)(EDGE | ramp * RAMP);
            ++*edges;
            *ramps += ramp;
        }
}

static uint64_t likeness(const double *a, const double *b)
{
    double sum = 0;

    for (int c = 0; c < 3; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return 1 + (uint64_t)(65536 * exp(-floor(sum / 16) * 16 / (2 * 3 * 12 * 12)) + 0.5);
}

static void colour_of(const satb_image *p, int x, int y, double *rgb)
{
    for (int c = 0; c < 3; c++)
        rgb[c] = sample(p, x, y, p->channels > 2 ? c : 0) >> (p->bits - 8);
}

/* The mean of the middle half of a sample's cell, rounded. */
static void sample_colour(const codes *c, const satb_image *p, int x, int y, double *rgb)
{
    double sum[3] = {0}, one[3];
    int count = 0;

    if (c->w == p->width && c->h == p->height) {
        colour_of(p, x, y, rgb);
        return;
    }
    for (int j = (4 * y + 1) * p->height / (4 * c->h); j <= (4 * y + 3) * p->height / (4 * c->h);
         j++)
        for (int i = (4 * x + 1) * p->width / (4 * c->w); i <= (4 * x + 3) * p->width / (4 * c->w);
             i++, count++) {
            colour_of(p, i, j, one);
            for (int k = 0; k < 3; k++)
                sum[k] += one[k];
        }
    for (int k = 0; k < 3; k++)
        rgb[k] = floor(sum[k] / count + 0.5);
}

/* Pixel i of n among samples, in 1/256 from the first one's centre. */
static int place(int i, int n, int samples)
{
    return ((2 * i + 1) * samples - n) * 256 / (2 * n);
}

static int votes_at(const codes *c, int i, int j, int mute)
{
    return i >= 0 && j >= 0 && i < c->w && j < c->h && !(c->kind[j * c->w + i] & mute);
}

/* Of the 5 x 5 that vote. 0: there are none. */
static int extremes(const codes *c, int x, int y, int mute, uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX, *high = 0;
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++)
            if (votes_at(c, i, j, mute)) {
                const uint32_t code = c->at[j * c->w + i];
                *low = code < *low ? code : *low;
                *high = code > *high ? code : *high;
            }
    return *low <= *high;
}

static uint32_t winner(const uint64_t *weight, const uint64_t *sum)
{
    int best = 0;

    for (int b = 1; b < 7; b++)
        if (weight[b] + weight[b + 1] >= weight[best] + weight[best + 1])
            best = b;
    const uint64_t total = weight[best] + weight[best + 1];
    return (uint32_t)((sum[best] + sum[best + 1] + total / 2) / total);
}

static uint32_t vote(const codes *c, const satb_image *p, int px, int py)
{
    const int x = px * c->w / p->width, y = py * c->h / p->height;
    const int u = place(px, p->width, c->w), v = place(py, p->height, c->h);
    uint64_t weight[8] = {0}, sum[8] = {0};
    uint32_t low, high;
    double mine[3], other[3];

    const int mute = extremes(c, x, y, RAMP, &low, &high) ? RAMP : 0;
    extremes(c, x, y, mute, &low, &high);
    colour_of(p, px, py, mine);
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++) {
            if (!votes_at(c, i, j, mute))
                continue;
            const uint32_t code = c->at[j * c->w + i];
            const uint32_t bin = (code - low) * ((8 << 16) / (high - low + 1)) >> 16;
            const int near = (768 - abs(256 * i - u)) * (768 - abs(256 * j - v)) / 256;
            sample_colour(c, p, i, j, other);
            weight[bin] += (uint64_t)near * likeness(mine, other);
            sum[bin] += (uint64_t)near * likeness(mine, other) * code;
        }
    return winner(weight, sum);
}

static codes halved(const codes *c)
{
    codes half = new_codes((c->w + 1) / 2, (c->h + 1) / 2, c->bits);

    for (int y = 0; y < half.h; y++)
        for (int x = 0; x < half.w; x++) {
            uint32_t sum = 2;
            for (int i = 0; i < 4; i++) {
                const int sx = 2 * x + i % 2 < c->w ? 2 * x + i % 2 : c->w - 1;
                const int sy = 2 * y + i / 2 < c->h ? 2 * y + i / 2 : c->h - 1;
                sum += c->at[sy * c->w + sx];
            }
            half.at[y * half.w + x] = sum / 4;
        }
    return half;
}

/* The samples that decide: c itself, marked, or a halved one, marked. */
static codes narrowed(codes *c, int *ramps)
{
    codes now = *c;
    int edges, of_half;

    mark(&now, &edges, ramps);
    of_half = *ramps;
    for (int i = 0; i < 3 && now.w >= 18 && now.h >= 18; i++) {
        if (edges >= now.w / 8 && 5 * of_half <= 4 * edges)
            break;
        codes half = halved(&now);
        if (now.at != c->at)
            free_codes(&now);
        now = half;
        mark(&now, &edges, &of_half);
    }
    if (edges >= now.w / 8 || now.at == c->at)
        return now;
    free_codes(&now);
    return *c;
}

static int is_near_edge(const codes *c, int x, int y)
{
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (i >= 0 && j >= 0 && i < c->w && j < c->h && c->kind[j * c->w + i] & EDGE)
                return 1;
    return 0;
}

/* *fitted comes in with what is not decided. Returns how many pixels are. */
static size_t fit(codes *c, const satb_image *p, codes *fitted)
{
    const int same = c->w == p->width && c->h == p->height;
    size_t decided = 0;
    int count, ramps;

    if (!same)
        mark(c, &count, &ramps);
    codes samples = same ? narrowed(c, &ramps) : *c;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            const int at = y * p->width + x;
            if (samples.w == p->width && samples.h == p->height
                    ? !(samples.kind[at] & RAMP)
                    : !is_near_edge(&samples, x * samples.w / p->width, y * samples.h / p->height))
                continue;
            fitted->at[at] = vote(&samples, p, x, y);
            decided++;
        }
    if (samples.at != c->at)
        free_codes(&samples);
    return decided;
}

/* --- Pictures --------------------------------------------------------------------------------- */

static uint32_t noise(int x, int y, uint32_t below)
{
    uint32_t v = (uint32_t)(x * 7919 + y * 104729 + 12345);

    v = (v ^ v >> 13) * 2654435761u;
    return (v ^ v >> 15) % below;
}

/* Kinds of maps; u and v in 0 .. 1. A disc and a stripe before a slope; hard, soft, wide, wider; noise. */
enum { HARD, NOISY, SOFT, WIDE, WIDER, NOISE, FLAT, KINDS };

static double depth_at(int kind, double u, double v)
{
    const double disc = 0.33 - sqrt((u - 0.4) * (u - 0.4) + (v - 0.5) * (v - 0.5));
    const double stripe = 0.04 - fabs(u - 0.2 * v - 0.75);
    static const double softness[KINDS] = {[SOFT] = 0.012, [WIDE] = 0.05, [WIDER] = 0.1};
    const double cover = fmin(fmax(0.5 + fmax(disc, stripe) / fmax(softness[kind], 1e-9), 0), 1);

    return kind == FLAT ? 0.3 + 0.01 * u : cover * 0.8 + (1 - cover) * (0.1 + 0.15 * v);
}

static satb_image make_map(int kind, int w, int h, int bits)
{
    const satb_image map = blank(w, h, 1, bits);
    const uint32_t largest = (1u << bits) - 1;

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const double q = depth_at(kind, (x + 0.5) / w, (y + 0.5) / h);
            uint32_t code = (uint32_t)(q * largest);
            if (kind == NOISY)
                code += noise(x, y, largest / 20);
            put(&map, x, y, 0, kind == NOISE ? noise(x, y, largest + 1) : code);
        }
    return map;
}

static satb_image make_picture(int w, int h, int channels, int bits)
{
    const satb_image picture = blank(w, h, channels, bits);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < channels; c++) {
                const double q = depth_at(HARD, (x + 0.5) / w, (y + 0.5) / h);
                const uint32_t code =
                    (uint32_t)(40 + 200 * q) - (uint32_t)c * 9 + noise(x, y + c, 16);
                put(&picture, x, y, c, bits == 8 ? code : 256 * code + 77);
            }
    return picture;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static satb_context context = {.threads = 1};

static codes read_codes(const satb_image *map, int bits)
{
    codes c = new_codes(map->width, map->height, bits);

    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++)
            c.at[y * c.w + x] = sample(map, x, y, 0) * (bits > map->bits ? 257 : 1);
    return c;
}

static size_t decided_in_all;

static void fits(const satb_image *map, const satb_image *picture)
{
    const int same = map->width == picture->width && map->height == picture->height;
    satb_image plain = *map;
    size_t snapped;

    if (!same)
        assert_int_equal(satb_resample(&context, map, picture->width, picture->height, &plain), 0);
    codes c = read_codes(map, plain.bits), want = read_codes(&plain, plain.bits);
    const size_t decided = fit(&c, picture, &want);
    for (int i = 0; i < 3 * SATK_LEVELS; i++) {
        satb_image got;
        satk_level_limit = (satk_level)(i / 3);
        context.threads = 1 + 2 * (i % 3);
        assert_int_equal(satb_fit_depth(&context, map, picture, &got, &snapped), SATB_OK);
        assert_int_equal(snapped, decided);
        assert_int_equal(got.bits, plain.bits);
        for (int k = 0; k < want.w * want.h; k++)
            if (sample(&got, k % want.w, k / want.w, 0) != want.at[k])
                fail_msg("level %d: %d,%d is %u, not %u", i / 3, k % want.w, k / want.w,
                         sample(&got, k % want.w, k / want.w, 0), want.at[k]);
        if (got.data != map->data)
            free(got.data);
    }
    decided_in_all += decided;
    if (!same)
        free(plain.data);
    free_codes(&c);
    free_codes(&want);
}

/* Words of 64 samples end within rows, at their ends and beside them. */
static const int sizes[][2] = {{9, 9},   {10, 31},  {63, 20},  {64, 17},
                               {65, 19}, {131, 70}, {192, 40}, {290, 150}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void maps_of_one_size(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES * KINDS * 2; i++) {
        const int *const size = sizes[i / 2 / KINDS];
        const satb_image picture = make_picture(size[0], size[1], 1 + i % 4, i % 3 ? 8 : 16);
        const satb_image map = make_map(i / 2 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        fits(&map, &picture);
        free(map.data);
        free(picture.data);
    }
    assert_true(decided_in_all > 1000);
}

static void smaller_maps(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES * KINDS * 2; i++) {
        const int *const size = sizes[i / 2 / KINDS];
        const int w = size[0] * (1 + i % 3) + i % 2, h = size[1] * (1 + i % 4 / 2) + i % 5;
        const satb_image picture = make_picture(w, h, 1 + i % 4, i % 3 ? 8 : 16);
        const satb_image map = make_map(i / 2 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        fits(&map, &picture);
        free(map.data);
        free(picture.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_of_one_size),
        cmocka_unit_test(smaller_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
