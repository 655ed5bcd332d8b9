/* The edges of depth, cut by surface/surface.h, against their definition (edges_oracle.h). Every number of threads and every
 * set of the CPU's instructions that this machine has must give the same. */
#include "unit/unit.h"

#include "common/cpu_level.h"
#include "surface/surface.h"
#include "unit/kernels/edges_oracle.h"
#include "unit/kernels/surface_case.h"
#include "unit/kernels/turned.h"

#include <math.h>
#include <string.h>

/* --- Pictures --------------------------------------------------------------------------------- */

static uint32_t noise(int x, int y, uint32_t below)
{
    uint32_t v = (uint32_t)(x * 7919 + y * 104729 + 12345);

    v = (v ^ v >> 13) * 2654435761u;
    return (v ^ v >> 15) % below;
}

/* Kinds of maps, with u and v in 0 .. 1: a disc and a stripe before a slope, with hard, soft, wide
 * and wider edges, and with some of just the least difference, also with samples beyond both ends of the ramps; noise. */
enum { HARD, NOISY, SOFT, WIDE, WIDER, FAINT, SPIKED, NOISE, FLAT, KINDS };

static double depth_at(int kind, double u, double v)
{
    const double disc = 0.33 - sqrt((u - 0.4) * (u - 0.4) + (v - 0.5) * (v - 0.5));
    const double stripe = 0.04 - fabs(u - 0.2 * v - 0.75);
    static const double softness[KINDS] = {
        [SOFT] = 0.012, [WIDE] = 0.05, [WIDER] = 0.1, [FAINT] = 0.03, [SPIKED] = 0.03};
    const double cover = fmin(fmax(0.5 + fmax(disc, stripe) / fmax(softness[kind], 1e-9), 0), 1);

    if (kind == FAINT)
        return 0.3 + cover * (0.012 + 0.016 * v);
    if (kind == SPIKED)
        return 0.3 + cover * (0.0175 + 0.004 * v);
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
            if (kind == SPIKED && noise(x, y, 20) < 2)
                code = noise(x, y, 20) ? code + 3 * largest / 222 : code - 3 * largest / 222;
            put(&map, x, y, 0, kind == NOISE ? noise(x, y, largest + 1) : code);
        }
    return map;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static surfaces fit(const satb_image *map, int width, int height, int near_black, int threads)
{
    return surfaces_of((satk_surface){.how = SATK_CUT, .near_black = near_black}, map, width,
                       height, threads);
}

static codes read_codes(const satb_image *map)
{
    codes c = codes_new(map->width, map->height);

    for (int y = 0; y < c.h; y++)
        for (int x = 0; x < c.w; x++)
            c.at[y * c.w + x] = sample(map, x, y, 0) * (map->bits == 8 ? 257 : 1);
    return c;
}

static int times_by_levels[5]; /* maps that were cut in that many levels */
static int with_rims;          /* results with rims */
static int with_parts;         /* pixels with a part beside an edge */

/* Returns a code as an image of `bits` bits has it. */
static uint32_t rounded(uint32_t code, int bits)
{
    return bits == 8 ? (code + 128) / 257 : code;
}

static void is_as(const satb_image *got, const satb_image *map, const codes *want)
{
    assert_true(got->width == want->w && got->height == want->h && got->channels == 1);
    for (int k = 0; k < want->w * want->h; k++)
        if (sample(got, k % want->w, k / want->w, 0) != rounded(want->at[k], got->bits))
            fail_msg("%d x %d to %d x %d: %d,%d is %u, not %u", map->width, map->height, want->w,
                     want->h, k % want->w, k / want->w, sample(got, k % want->w, k / want->w, 0),
                     rounded(want->at[k], got->bits));
}

/* Returns the pixels whose code differs, as an image of `bits` bits has them. */
static size_t differences(const codes *a, const codes *b, int bits)
{
    size_t count = 0;

    for (int k = 0; k < a->w * a->h; k++)
        count += rounded(a->at[k], bits) != rounded(b->at[k], bits);
    return count;
}

/* Compares the rims. */
static void are_as(const surfaces *got, const fitted *want)
{
    const satk_rims *const rims = &got->rims;
    const int w = want->map.w, bits = got->map.bits;

    for (int k = 0; k < w * want->map.h; k++) {
        if (rims->kind[k] != (want->map.kind[k] ? SATK_RIM_EDGE : SATK_RIM_NONE))
            fail_msg("%d,%d is of kind %d", k % w, k / w, rims->kind[k]);
        if (!want->map.kind[k])
            continue;
        if (rims->beside[k] != want->beside.kind[k])
            fail_msg("%d x %d: %d,%d has %d beside it, not %d", w, want->map.h, k % w, k / w,
                     rims->beside[k], want->beside.kind[k]);
        with_parts += rims->beside[k] > 0;
        if (rims->cover[k] != want->near.kind[k] || rims->sample[k] != want->far.kind[k] ||
            rims->near[k] != rounded(want->near.at[k], bits) ||
            rims->far[k] != rounded(want->far.at[k], bits))
            fail_msg("%d x %d: %d,%d is a rim from %u to %u of %d, not %u to %u of %d", w,
                     want->map.h, k % w, k / w, rims->near[k], rims->far[k], rims->cover[k],
                     want->near.at[k], want->far.at[k], want->near.kind[k]);
    }
    with_rims += counts_its_rims(got) > 0;
}

static void fits(const satb_image *map, int width, int height)
{
    const int same = map->width == width && map->height == height;
    codes c = read_codes(map), plain = codes_resampled(&c, width, height);

    fitted want[] = {codes_fit(&c, width, height, 0), codes_fit(&c, width, height, 1)};
    const size_t cut = differences(&plain, &want[0].map, same ? map->bits : 16);
    for (int i = 0; i < 3 * SATK_LEVELS; i++) {
        satk_level_limit = (satk_level)(i / 3);
        surfaces got = fit(map, width, height, i % 2, 1 + 2 * (i % 3));
        assert_int_equal(got.counts[SATK_SNAPPED], cut);
        assert_int_equal(got.counts[SATK_MIXED], 0);
        are_as(&got, &want[i % 2]);
        is_as(&got.map, map, &want[i % 2].map);
    }
    times_by_levels[want[0].levels]++;
}

/* Words of 64 samples end within rows, at their ends and beside them. */
static const int sizes[][2] = {{9, 9},   {10, 31},  {18, 36},  {63, 20},  {64, 17},
                               {65, 19}, {131, 70}, {192, 40}, {290, 150}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Returns a side of a picture whose map has n samples: as many, up to 3.5 times as many, and odd ones. i: the map's number,
 * of four of each kind and size. */
static int longer(int n, int i)
{
    static const int by[][3] = {{1, 1, 0}, {1, 1, 1}, {3, 2, 0}, {2, 1, 0},
                                {2, 1, 1}, {3, 1, 0}, {3, 1, 2}, {7, 2, 0}};

    const int *const b = by[(i + 4 * (i / 4 / KINDS)) % 8];

    return n * b[0] / b[1] + b[2];
}

static void maps_of_one_size(void **state)
{
    with_rims = with_parts = 0;
    memset(times_by_levels, 0, sizeof times_by_levels);
    for (int i = 0; i < SIZES * KINDS * 2; i++) {
        const int *const size = sizes[i / 2 / KINDS];
        const satb_image map = make_map(i / 2 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        fits(&map, size[0], size[1]);
    }
    for (int levels = 0; levels <= 3; levels++)
        assert_true(times_by_levels[levels] > 0);
    assert_true(with_rims > 100 && with_parts > 100);
}

static void smaller_maps(void **state)
{
    with_rims = with_parts = 0;
    memset(times_by_levels, 0, sizeof times_by_levels);
    for (int i = 0; i < SIZES * KINDS * 4; i += 3) {
        const int *const size = sizes[i / 4 / KINDS];
        const satb_image map = make_map(i / 4 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        fits(&map, longer(size[0], i), longer(size[1], i + i / 8));
    }
    for (int levels = 0; levels <= 3; levels++)
        assert_true(times_by_levels[levels] > 0);
    assert_true(with_rims > 100 && with_parts > 100);
}

/* --- Few edges and wide ones ------------------------------------------------------------------ */

/* A spike has nine samples on edges, so a map of 80 samples has few, and one of 79 does not. A lower one beside it is near an
 * edge, but on no ramp. */
static void few_edges(void **state)
{
    memset(times_by_levels, 0, sizeof times_by_levels);
    for (int side = 70; side < 84; side++)
        for (int i = 0; i < 2; i++) {
            const satb_image map = i ? blank(20, side, 1, 8) : blank(side, 20, 1, 8);
            put(&map, 9, 9, 0, 255);
            put(&map, 11, 9, 0, 100);
            fits(&map, map.width, map.height);
        }
    assert_int_equal(times_by_levels[0], 2 * 10);
}

/* A hard edge, of which a part is a ramp: four fifths of the samples on edges are not yet wide. A lower sample beside the edge
 * is on no ramp, and near it. */
static void wide_edges(void **state)
{
    int were[2] = {0};

    for (int i = 0; i < 2 * 8 * 28; i++) {
        const int h = 20 + i / 2 % 8, soft = i / 16,
                  second = soft - i % 2; /* rows of its columns */
        const satb_image map = blank(32, h, 1, 8);
        for (int y = 0; y < h; y++) {
            put(&map, 15, y, 0, y < soft ? 85 : 0);
            put(&map, 16, y, 0, y < second ? 170 : 255);
            for (int x = 17; x < 32; x++)
                put(&map, x, y, 0, 255);
        }
        put(&map, 14, h - 4, 0, 100);
        fits(&map, 32, h);
        surfaces got = fit(&map, 32, h, 0, 1);
        were[sample(&got.map, 14, h - 4, 0) != 100]++;
    }
    assert_true(were[0] > 10 && were[1] > 10);
}

/* Maps that are larger in either direction, or have less than 9 samples in one, are interpolated. */
static void only_interpolated(void **state)
{
    static const int sides[][4] = {{64, 17, 63, 40}, {64, 17, 90, 16}, {65, 65, 30, 30},
                                   {8, 40, 24, 60},  {40, 8, 40, 24},  {8, 40, 8, 40}};

    memset(times_by_levels, 0, sizeof times_by_levels);
    for (int i = 0; i < 12; i++) {
        const int *const s = sides[i / 2];
        const satb_image map = make_map(HARD, s[0], s[1], i % 2 ? 16 : 8);
        fits(&map, s[2], s[3]);
    }
    assert_int_equal(times_by_levels[0], 12);
}

/* --- Symmetry --------------------------------------------------------------------------------- */

static void is_symmetric(const satb_image *map, int width, int height)
{
    surfaces first = fit(map, width, height, 0, 1);

    for (int how = 1; how < TURNS; how++) {
        const satb_image other = turned(map, how), want = turned(&first.map, how);
        surfaces again = fit(&other, want.width, want.height, 0, 1);
        assert_memory_equal(first.counts, again.counts, sizeof first.counts);
        for (int k = 0; k < width * height; k++)
            if (sample(&again.map, k % want.width, k / want.width, 0) !=
                sample(&want, k % want.width, k / want.width, 0))
                fail_msg("%d x %d to %d x %d, turned by %d: %d,%d is another", map->width,
                         map->height, width, height, how, k % want.width, k / want.width);
    }
}

/* The middle pixel of an odd number would lie in two samples of an even one. */
static void turned_maps(void **state)
{
    for (int i = 0; i < SIZES * KINDS * 4; i += 3) {
        const int *const size = sizes[i / 4 / KINDS];
        const satb_image map = make_map(i / 4 % KINDS, size[0], size[1], i % 2 ? 16 : 8);
        const int w = longer(size[0], i), h = longer(size[1], i + i / 8);
        is_symmetric(&map, w + (w % 2 && size[0] % 2 == 0), h + (h % 2 && size[1] % 2 == 0));
    }
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* A map of 8 bits and the same map times 257 in 16 bits have the same edges and the same cuts. The result is rounded to
 * its bits. */
static void bits_do_not_matter(void **state)
{
    for (int i = 0; i < SIZES * KINDS * 4; i += 3) {
        const int *const size = sizes[i / 4 / KINDS];
        const satb_image map = make_map(i / 4 % KINDS, size[0], size[1], 8);
        const satb_image wide = blank(size[0], size[1], 1, 16);
        const int w = longer(size[0], i), h = longer(size[1], i);
        for (int k = 0; k < size[0] * size[1]; k++)
            put(&wide, k % size[0], k / size[0], 0,
                257 * sample(&map, k % size[0], k / size[0], 0));
        surfaces got = fit(&map, w, h, 0, 1), want = fit(&wide, w, h, 0, 1);
        const uint64_t snapped = got.counts[SATK_SNAPPED];
        assert_true(got.map.bits == 8 ? snapped <= want.counts[SATK_SNAPPED]
                                      : snapped == want.counts[SATK_SNAPPED]);
        for (int k = 0; k < w * h; k++)
            assert_int_equal(sample(&got.map, k % w, k / w, 0),
                             rounded(sample(&want.map, k % w, k / w, 0), got.map.bits));
    }
}

UNIT_MAIN(UNIT(bits_do_not_matter), UNIT(maps_of_one_size), UNIT(smaller_maps), UNIT(few_edges),
          UNIT(wide_edges), UNIT(only_interpolated), UNIT(turned_maps))
