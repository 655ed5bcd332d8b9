/* Depth maps that are masks (surface/surface.h): which are, how they are cut, and the rims of their gray pixels. */
#include "unit/unit.h"

#include "surface/surface.h"
#include "unit/kernels/edges_oracle.h"
#include "unit/kernels/surface_case.h"
#include "unit/kernels/turned.h"

#include <math.h>
#include <string.h>

enum { THREADS = 3 };

/* Codes are mixed well, in an order that is not the rows'. */
static int scattered(int i, int count)
{
    return (int)((int64_t)i * 389 % count);
}

/* --- What is a mask --------------------------------------------------------------------------- */

static const uint32_t grays[] = {1, 2, 100, 127, 128, 254, 255, 256, 32768, 65534};

/* Returns a gray of a map, which is neither black nor white. */
static uint32_t gray(int i, int bits)
{
    const uint32_t code = grays[i % (int)(sizeof grays / sizeof *grays)];

    return bits == 16 ? code : code < 255 ? code : 254;
}

/* Returns a map of that many black and white samples, and grays. A row's padding is white, and no sample. */
static satb_image grays_with(int w, int h, int bits, int black, int white)
{
    const satb_image map = blank(w, h, 1, bits);

    memset(map.data, UINT8_MAX, (size_t)(map.stride * h));
    for (int i = 0; i < w * h; i++) {
        const int at = scattered(i, w * h);
        put(&map, at % w, at / w, 0,
            i < black           ? 0
            : i < black + white ? (1u << bits) - 1
                                : gray(i, bits));
    }
    return map;
}

/* Returns whether a map is found to be a mask: it has rims then. Otherwise it stays. outline: of a matte, or NULL. */
static int is_found(const satb_image *map, const uint64_t *outline, surfaces *s)
{
    *s = surfaces_of((satk_surface){.how = SATK_FIND_MASK, .outline = outline}, map, map->width,
                     map->height, THREADS);
    const int is = counts_its_rims(s) > 0;

    if (!is)
        are_same(&s->map, map);
    return is;
}

static int is_mask(int w, int h, int bits, int black, int white)
{
    const satb_image map = grays_with(w, h, bits, black, white);
    surfaces s;
    const int is = is_found(&map, NULL, &s);

    assert_int_equal(s.counts[SATK_BLACK], black);
    assert_int_equal(s.counts[SATK_WHITE], white);
    return is;
}

/* Nine tenths but not all are black or white, and a hundredth is each. */
static void what_is_a_mask(void **state)
{
    static const int cases[][5] = {
        {40, 25, 890, 10, 1},  {40, 25, 889, 10, 0},  {40, 25, 10, 890, 1}, {40, 25, 10, 889, 0},
        {40, 25, 450, 450, 1}, {40, 25, 450, 449, 0}, {40, 25, 990, 10, 0}, {40, 25, 989, 10, 1},
        {40, 25, 991, 9, 0},   {40, 25, 10, 990, 0},  {40, 25, 10, 989, 1}, {40, 25, 9, 991, 0},
        {40, 25, 0, 1000, 0},  {40, 25, 1000, 0, 0},  {40, 25, 0, 0, 0},    {40, 25, 900, 9, 0},
        {40, 25, 9, 900, 0},   {7, 13, 1, 81, 1},     {7, 13, 1, 80, 0},    {7, 13, 81, 1, 1},
        {7, 13, 91, 0, 0},     {1, 2, 1, 1, 0},       {1, 1, 1, 0, 0},      {101, 1, 1, 100, 0},
        {100, 1, 1, 99, 0},    {100, 1, 1, 98, 1}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int bits = 8; bits <= 16; bits += 8) {
            const int *const c = cases[i];
            if (is_mask(c[0], c[1], bits, c[2], c[3]) != c[4])
                fail_msg("%d bits: %d black and %d white of %d x %d", bits, c[2], c[3], c[0], c[1]);
        }
}

/* The outline of a matte is the better one, unless the matte has none. */
static void mattes_hide_masks(void **state)
{
    static const uint64_t all = 255 * 40 * 25;
    const satb_image map = grays_with(40, 25, 8, 450, 450);
    const uint64_t sums[] = {0, 1, all / 2, all - 1, all};

    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        surfaces s;
        assert_int_equal(is_found(&map, &sums[i], &s), sums[i] == 0 || sums[i] == all);
    }
}

/* A mask is no mask for stages that do not look for one. */
static void nothing_is_looked_for(void **state)
{
    const satb_image map = grays_with(40, 25, 8, 450, 450);

    surfaces s = surfaces_of((satk_surface){.how = 0}, &map, 40, 25, THREADS);
    are_same(&s.map, &map);
    assert_int_equal(counts_its_rims(&s), 0);
}

/* --- Cuts ------------------------------------------------------------------------------------- */

/* What a mask is cut to. rims: a plane of 16 bits, 1 + 256 kind + cover where there is one. */
typedef struct mask {
    satb_image map, rims;
    uint32_t near, far; /* of all rims */
} mask;

static mask cut(const satb_image *map, int w, int h, int near_black)
{
    surfaces s = surfaces_of((satk_surface){.how = SATK_AS_MASK, .near_black = near_black}, map, w,
                             h, THREADS);
    mask m = {.map = s.map, .rims = blank(w, h, 1, 16)};

    for (int k = 0; k < w * h; k++) {
        if (s.rims.kind[k] == SATK_RIM_NONE)
            continue;
        put(&m.rims, k % w, k / w, 0, 1u + 256u * s.rims.kind[k] + s.rims.cover[k]);
        if (m.near == m.far) /* the first */
            m.near = s.rims.near[k], m.far = s.rims.far[k];
        assert_true(s.rims.near[k] == m.near && s.rims.far[k] == m.far);
    }
    assert_int_equal(s.counts[SATK_SNAPPED], counts_its_rims(&s));
    assert_int_equal(s.counts[SATK_NEAR_HIGH], 0); /* none is an edge's */
    return m;
}

/* Compares a mask's cut with that of its codes, of `largest` at most, at the picture's size. */
static void is_cut(const mask *m, const codes *plain, uint32_t largest, int near_black)
{
    size_t count = 0;

    assert_true((1u << m->map.bits) - 1 == largest);
    for (int k = 0; k < plain->w * plain->h; k++) {
        const int x = k % plain->w, y = k / plain->w;
        const double white = (double)plain->at[k] / largest, near = near_black ? 1 - white : white;
        const int is_gray = white > 0 && white < 1;
        const uint32_t rim =
            is_gray ? 1 + 256 * SATK_RIM_SUBJECT + (uint32_t)floor(255 * near + 0.5) : 0;
        if (sample(&m->map, x, y, 0) != (white > 0.5 ? largest : 0) ||
            sample(&m->rims, x, y, 0) != rim)
            fail_msg("%d,%d of code %u: %u, with a rim of %u, not %u", x, y, plain->at[k],
                     sample(&m->map, x, y, 0), sample(&m->rims, x, y, 0), rim);
        count += (size_t)is_gray;
    }
    if (count > 0)
        assert_true(m->near == (near_black ? 0 : largest) && m->far == largest - m->near);
}

/* Every code there is, in a map of the picture's size. */
static void every_code(void **state)
{
    for (int i = 0; i < 4; i++) {
        const int bits = i & 1 ? 16 : 8, side = i & 1 ? 256 : 16;
        const satb_image map = blank(side, side, 1, bits);
        codes c = codes_new(side, side);
        for (int k = 0; k < side * side; k++) {
            c.at[k] = (uint32_t)scattered(k, side * side);
            put(&map, k % side, k / side, 0, c.at[k]);
        }
        mask m = cut(&map, side, side, i / 2);
        is_cut(&m, &c, (1u << bits) - 1, i / 2);
        for (int k = 0; k < side * side; k++) /* the caller's map is as it was */
            assert_int_equal(sample(&map, k % side, k / side, 0), c.at[k]);
    }
}

/* Returns a disc with a gray rim that is two samples wide. */
static satb_image disc(int w, int h, int bits)
{
    const satb_image map = blank(w, h, 1, bits);
    const double largest = (1u << bits) - 1, r = 0.3 * (w < h ? w : h);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const double away = hypot(x + 0.5 - 0.4 * w, y + 0.5 - 0.55 * h);
            put(&map, x, y, 0, (uint32_t)(largest * fmin(fmax((r - away) / 2 + 0.5, 0), 1) + 0.5));
        }
    return map;
}

/* Sizes of a mask, and of its picture. */
static const int sizes[][4] = {{30, 20, 60, 40}, {30, 20, 75, 31}, {31, 17, 31, 40},
                               {60, 40, 30, 20}, {61, 43, 20, 33}, {30, 40, 60, 20},
                               {1, 1, 3, 2},     {40, 30, 41, 31}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void other_sizes(void **state)
{
    for (int i = 0; i < SIZES * 4; i++) {
        const int *const s = sizes[i / 4];
        const satb_image map = disc(s[0], s[1], i & 1 ? 16 : 8);
        codes c = codes_new(s[0], s[1]);
        for (int k = 0; k < s[0] * s[1]; k++)
            c.at[k] = sample(&map, k % s[0], k / s[0], 0) * (i & 1 ? 1 : 257);
        codes plain = codes_resampled(&c, s[2], s[3]);
        mask m = cut(&map, s[2], s[3], i >> 1 & 1);
        is_cut(&m, &plain, UINT16_MAX, i >> 1 & 1);
    }
}

/* --- Symmetry --------------------------------------------------------------------------------- */

static void turned_masks(void **state)
{
    for (int i = 0; i < SIZES * 4 * TURNS; i++) {
        const int *const s = sizes[i / 4 / TURNS];
        const int near_black = i >> 3 & 1, how = i % TURNS;
        const satb_image map = disc(s[0], s[1], i & 16 ? 16 : 8), other = turned(&map, how);
        mask m = cut(&map, s[2], s[3], near_black);
        mask again = cut(&other, s[how & TURNED ? 3 : 2], s[how & TURNED ? 2 : 3], near_black);
        const satb_image cuts = turned(&m.map, how), rims = turned(&m.rims, how);
        are_same(&again.map, &cuts);
        are_same(&again.rims, &rims);
    }
}

/* A negative whose black is near has the same rims. */
static void negatives(void **state)
{
    for (int i = 0; i < SIZES * 2; i++) {
        const int *const s = sizes[i / 2];
        const satb_image map = disc(s[0], s[1], i & 1 ? 16 : 8);
        const satb_image negative = blank(s[0], s[1], 1, map.bits);
        for (int k = 0; k < s[0] * s[1]; k++)
            put(&negative, k % s[0], k / s[0], 0,
                (1u << map.bits) - 1 - sample(&map, k % s[0], k / s[0], 0));
        mask m = cut(&map, s[0], s[1], 0), n = cut(&negative, s[0], s[1], 1);
        are_same(&m.rims, &n.rims);
    }
}

UNIT_MAIN(UNIT(what_is_a_mask), UNIT(mattes_hide_masks), UNIT(nothing_is_looked_for),
          UNIT(every_code), UNIT(other_sizes), UNIT(turned_masks), UNIT(negatives))
