/* Joins of pixels that show two surfaces: their use on anti-aliased edges, and the definition
 * (surface_join_cpu.h), which is written here pixel by pixel. */
#include "unit/unit.h"

#include "base/tone_tables.h"
#include "surface/surface_rule.h"
#include "unit/kernels/surface_case.h"

#include <math.h>
#include <string.h>

/* Returns the map with its mixed pixels joined. */
static surfaces joined(const satb_image *map, const satb_image *picture, int near_black,
                       int threads)
{
    uint32_t linear[256];

    satb_fill_decode(8, linear);
    surfaces s = surfaces_of(
        (satk_surface){
            .src = plane_of(picture), .how = SATK_JOIN, .near_black = near_black, .linear = linear},
        map, map->width, map->height, threads);
    assert_int_equal(counts_its_rims(&s), 0);
    assert_int_equal(s.counts[SATK_SNAPPED], 0);
    return s;
}

/* --- The definition --------------------------------------------------------------------------- */

typedef struct scene {
    const satb_image *map, *picture;
    int near_black;
} scene;

static int is_inside(const scene *s, int x, int y)
{
    return x >= 0 && y >= 0 && x < s->map->width && y < s->map->height;
}

static int nearness(const scene *s, int x, int y)
{
    const int code = (int)sample(s->map, x, y, 0);

    return s->near_black ? (1 << s->map->bits) - 1 - code : code;
}

static int nearest(const scene *s, int x, int y)
{
    int most = 0;

    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (is_inside(s, i, j) && nearness(s, i, j) > most)
                most = nearness(s, i, j);
    return most;
}

static int is_beside(const scene *s, int x, int y)
{
    return nearest(s, x, y) - nearness(s, x, y) > (s->map->bits == 8 ? 8 : 8 * 257);
}

/* Linear light, 14 bits. */
static void colour_of(const scene *s, int x, int y, int64_t *rgb)
{
    static uint32_t decode[256];

    if (!decode[255])
        satb_fill_decode(8, decode);
    for (int c = 0; c < 3; c++)
        rgb[c] = decode[sample(s->picture, x, y, s->picture->channels > 2 ? c : 0) >>
                        (s->picture->bits - 8)];
}

typedef struct surface {
    int64_t colours[25][3], mean[3];
    int count;
} surface;

static void add(surface *to, const scene *s, int x, int y)
{
    colour_of(s, x, y, to->colours[to->count++]);
}

static void find_mean(surface *of)
{
    for (int c = 0; c < 3; c++) {
        int64_t sum = 0;
        for (int i = 0; i < of->count; i++)
            sum += of->colours[i][c];
        of->mean[c] = sum / of->count;
    }
}

/* Returns whether a colour is four standard deviations from their mean. All is multiplied by
 * count^2, so this is exact. */
static int is_far_from(const int64_t *colour, const surface *of)
{
    int64_t away = 0, variance = 0;

    for (int c = 0; c < 3; c++) {
        int64_t sum = 0;
        for (int i = 0; i < of->count; i++)
            sum += of->colours[i][c];
        for (int i = 0; i < of->count; i++) {
            const int64_t off = of->count * of->colours[i][c] - sum;
            variance += off * off; /* count^3 times */
        }
        away += (of->count * colour[c] - sum) * (of->count * colour[c] - sum);
    }
    return of->count * away > 16 * variance;
}

/* Returns 1 if v is between 0 and d, and within 18 degrees of that line. */
static int is_between(const int64_t *v, const int64_t *d)
{
    const int64_t vd = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
    const int64_t vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const int64_t dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];

    return vd > 0 && vd <= dd && 10 * vd * vd > 9 * vv * dd;
}

static int is_mixed(const scene *s, int x, int y)
{
    const int own = nearness(s, x, y), most = nearest(s, x, y);
    surface near = {0}, far = {0};
    int64_t colour[3], v[3], d[3];

    if (!is_beside(s, x, y))
        return 0;
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++)
            if (is_inside(s, i, j) && most - nearness(s, i, j) < nearness(s, i, j) - own)
                add(&near, s, i, j);
            else if (is_inside(s, i, j) && !is_beside(s, i, j))
                add(&far, s, i, j);
    if (near.count == 0 || far.count == 0)
        return 0;
    find_mean(&near);
    find_mean(&far);
    colour_of(s, x, y, colour);
    for (int c = 0; c < 3; c++) {
        d[c] = near.mean[c] - far.mean[c];
        v[c] = colour[c] - far.mean[c];
    }
    return is_far_from(colour, &far) && is_between(v, d);
}

/* --- Against it ------------------------------------------------------------------------------- */

static uint32_t hashed(int x, int y, int what)
{
    uint32_t v = (uint32_t)(x * 7919 + y * 104729 + what * 31337 + 12345);

    v = (v ^ v >> 13) * 2654435761u;
    v ^= v >> 15;
    v *= 2246822519u;
    return v >> 16;
}

/* Returns the part of a pixel that the near surface covers: a disc, and strands that cross the
 * borders. */
static double cover(int x, int y, int strands)
{
    const double disc = 7.3 - hypot(x - 15.2, y - 12.7),
                 strand = 1.2 - fabs(fmod(x + y / 3.0, 19) - 9);
    const double within = strands ? fmax(disc, strand) : disc;

    return fmin(fmax(0.5 + within, 0), 1);
}

/* noise: of colours, codes of 8 bits. */
static void draw(const satb_image *map, const satb_image *picture, int near_black, int noise,
                 int strands)
{
    static uint32_t decode[256];
    static uint16_t encode[SATB_LINEAR_MAX_8 + 1];
    const int near_code = near_black ? 30 : 220, far_code = near_black ? 200 : 40;

    satb_fill_decode(8, decode);
    satb_fill_encode(8, encode);
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const double q = cover(x, y, strands);
            const int code = q > 0.5 ? near_code : far_code;
            put(map, x, y, 0, (uint32_t)(map->bits == 8 ? code : 257 * code));
            for (int c = 0; c < picture->channels; c++) {
                const double near = decode[200 - 50 * c], far = decode[30 + 20 * c];
                uint32_t own = encode[(int)(q * near + (1 - q) * far)];
                own += noise > 0 ? hashed(x, y, c) % (uint32_t)noise : 0;
                put(picture, x, y, c, picture->bits == 8 ? own : 256 * own + 77);
            }
        }
}

static size_t joined_in_all;

static void joins(const satb_image *map, const satb_image *picture, int near_black)
{
    const scene s = {map, picture, near_black};

    for (int threads = 1; threads <= 3; threads++) {
        surfaces got = joined(map, picture, near_black, threads);
        size_t count = 0;
        for (int y = 0; y < map->height; y++)
            for (int x = 0; x < map->width; x++) {
                const int is = is_mixed(&s, x, y), most = nearest(&s, x, y);
                const uint32_t near = (uint32_t)(near_black ? (1 << map->bits) - 1 - most : most);
                count += (size_t)is;
                assert_int_equal(sample(&got.map, x, y, 0), is ? near : sample(map, x, y, 0));
            }
        assert_int_equal(got.counts[SATK_MIXED], count);
        joined_in_all += count;
    }
}

/* The sizes have one pixel, one row, bands that end, and whole ones. */
static const int sizes[][2] = {{1, 1}, {2, 3}, {40, 1}, {1, 40}, {31, 33}, {70, 32}, {33, 97}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void edges_are_as_defined(void **state)
{
    static const int noises[] = {0, 3, 40};

    for (int i = 0; i < SIZES * 3 * 8; i++) {
        const int *const size = sizes[i % SIZES];
        const satb_image map = blank(size[0], size[1], 1, i / SIZES % 2 ? 16 : 8);
        const satb_image picture =
            blank(size[0], size[1], 1 + i / SIZES % 4, i / SIZES / 4 % 2 ? 16 : 8);
        draw(&map, &picture, i % 2, noises[i / SIZES / 8], 1);
        joins(&map, &picture, i % 2);
    }
    assert_true(joined_in_all > 1000);
}

static void anything_is_as_defined(void **state)
{
    joined_in_all = 0;
    for (int i = 0; i < 48; i++) {
        const int levels = 2 + i % 5; /* few, so that there are surfaces */
        const int codes = 1 << (i % 2 ? 16 : 8);
        const int step =
            i < 30 ? (codes - 1) / (levels - 1) : 8 * (i % 2 ? 257 : 1) + i / 2 % 2; /* or more */
        const satb_image map = blank(50, 41, 1, i % 2 ? 16 : 8), picture = blank(50, 41, 3, 8);
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 50; x++) {
                const int level = (int)hashed(x / (1 + i % 4), y / (1 + i % 3), i) % levels;
                put(&map, x, y, 0, (uint32_t)(level * step));
                for (int c = 0; c < 3; c++)
                    put(&picture, x, y, c,
                        hashed(x, y, c) % 2 ? 20u : (uint32_t)(60 * level) % 256);
            }
        joins(&map, &picture, i / 2 % 2);
    }
    assert_true(joined_in_all > 100);
}

/* Colours at both ends of a line between means, which are rounded down. */
static void ends_of_lines(void **state)
{
    static const int64_t lines[][3] = {{1, 0, 0}, {0, 2, 1}, {100, 99, 0}, {-50, 7, 49}, {0, 0, 0}};

    for (int i = 0; i < 5 * 2 * 343; i++) {
        const int64_t *const d = lines[i % 5];
        satk_colour_sums near = {.count = 3}, far = {.count = 2};
        int64_t colour[3], v[3];
        for (int c = 0, at = i / 10; c < 3; c++, at /= 7) {
            v[c] = at % 7 - 3 + (i / 5 % 2 ? d[c] : 0);
            colour[c] = 60 + v[c];
            near.colour[c] = 3 * (60 + d[c]) + c;
            far.colour[c] = 2 * 60 + c % 2;
        }
        assert_int_equal(satk_is_on_line(colour, &near, &far), is_between(v, d));
    }
}

/* --- After cuts ------------------------------------------------------------------------------- */

/* Returns a map of 1/part of a map's size: the means of its samples, which are soft where it has edges. */
static satb_image shrunk(const satb_image *map, int part)
{
    const satb_image out = blank(map->width / part, map->height / part, 1, map->bits);

    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++) {
            uint32_t sum = 0;
            for (int i = 0; i < 4;
                 i++) { /* of two columns and rows, also if there is one a sample */
                const int u = x * part + i % 2, v = y * part + i / 2;
                sum +=
                    sample(map, u < map->width ? u : x * part, v < map->height ? v : y * part, 0);
            }
            put(&out, x, y, 0, sum / 4);
        }
    return out;
}

/* A map that is cut and joined is the joined one of the map that is cut. */
static void joins_follow_cuts(void **state)
{
    uint32_t linear[256];
    uint64_t snapped = 0, mixed = 0, rims = 0;

    satb_fill_decode(8, linear);
    for (int i = 0; i < 16; i++) {
        const satb_image sharp = blank(60, 52, 1, i & 1 ? 16 : 8), picture = blank(60, 52, 3, 8);
        satk_surface job = {.src = plane_of(&picture), .near_black = i >> 1 & 1, .linear = linear};
        draw(&sharp, &picture, job.near_black, i & 4 ? 3 : 0, 1);
        const satb_image map = shrunk(&sharp, i & 8 ? 2 : 1);
        job.how = SATK_CUT;
        surfaces cut = surfaces_of(job, &map, 60, 52, 2);
        surfaces then = joined(&cut.map, &picture, job.near_black, 2);
        job.how = SATK_CUT | SATK_JOIN;
        surfaces both = surfaces_of(job, &map, 60, 52, 2);
        are_same(&both.map, &then.map);
        assert_memory_equal(both.rims.near, cut.rims.near, satk_rims_bytes(60 * 52));
        assert_int_equal(both.counts[SATK_MIXED], then.counts[SATK_MIXED]);
        both.counts[SATK_MIXED] = 0;
        assert_memory_equal(both.counts, cut.counts, sizeof cut.counts);
        snapped += cut.counts[SATK_SNAPPED], mixed += then.counts[SATK_MIXED];
        rims += cut.counts[SATK_RIMS];
    }
    assert_true(snapped > 100 && mixed > 100 && rims > 100);
}

/* --- What it is for --------------------------------------------------------------------------- */

enum { W = 60, H = 50 };

/* Every pixel that shows some of the near surface has its code then. */
static void smooth_edges_are_the_near_surfaces(void **state)
{
    const satb_image map = blank(W, H, 1, 8), picture = blank(W, H, 3, 8);
    size_t some = 0;

    draw(&map, &picture, 0, 0, 0);
    surfaces got = joined(&map, &picture, 0, 1);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const double q = cover(x, y, 0);
            if (q > 0.05 && q <= 0.5) {
                some++;
                assert_int_equal(sample(&got.map, x, y, 0), 220);
            } else if (q == 0) {
                assert_int_equal(sample(&got.map, x, y, 0), 40);
            }
        }
    assert_true(some > 10 && got.counts[SATK_MIXED] >= some);
}

/* A colour that differs from the far surface in another direction, or is beyond the near one, is no
 * mixture. The far surface's own texture is none, either. */
static void what_is_no_mixture_stays(void **state)
{
    static const int far[3] = {60, 60, 60}, near[3] = {180, 60, 60};
    static const int others[][3] = {{60, 120, 60}, {60, 60, 10}, {30, 30, 30}, {250, 60, 60}};

    for (int k = 0; k < 5; k++) {
        const satb_image map = blank(W, H, 1, 8), picture = blank(W, H, 3, 8);
        for (int i = 0; i < W * H * 3; i++) {
            const int x = i / 3 % W, y = i / 3 / W, c = i % 3;
            const int grain = k == 4 && c == 0 && (x + y) % 2 ? 60 : 0;
            const int own = x < 30    ? near[c]
                            : x == 30 ? k < 4 ? others[k][c] : far[c] + 30 * (c == 0)
                                      : far[c] + grain;
            put(&map, x, y, 0, x < 30 ? 200 : 50);
            put(&picture, x, y, c, (uint32_t)own);
        }
        surfaces got = joined(&map, &picture, 0, 1);
        assert_int_equal(got.counts[SATK_MIXED], 0);
        are_same(&got.map, &map);
    }
}

UNIT_MAIN(UNIT(edges_are_as_defined), UNIT(anything_is_as_defined), UNIT(ends_of_lines),
          UNIT(joins_follow_cuts), UNIT(smooth_edges_are_the_near_surfaces),
          UNIT(what_is_no_mixture_stays))
