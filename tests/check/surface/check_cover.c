/* Coverage of rims, and doubt: pictures of few colours with rims anywhere, against the definition in cover/cover.h. */
#include "check/check.h"

#include "support/device.h"
#include "cover/cover.h"

#include <stdlib.h>
#include <string.h>

enum { CODES = 24, COLOURS = 5, EDGE_WIDE = 2100 };

/* A picture with its map and rims, by plane. */
typedef struct covering {
    picture src, map;
    block rims, radius;
    satk_cover job; /* without results */
    size_t pixels;
} covering;

/* Its results. */
typedef struct results {
    picture dst, cover, sides;
} results;

/* --- Scenes ----------------------------------------------------------------------------------- */

static int one_of(check *c, const int *values, int count)
{
    return values[random_below(&c->random, count)];
}

#define ONE_OF(c, values) one_of(c, values, (int)(sizeof values / sizeof *values))

/* One in `rare` pixels is a rim. */
static void draw_rim(check *c, const satk_rims *rims, size_t at, int rare)
{
    static const int covers[] = {0, 0, 7, 8, 100, 127, 128, 200, 254, 255};

    rims->kind[at] =
        (uint8_t)(random_below(&c->random, rare) ? SATK_RIM_NONE
                  : random_below(&c->random, 3)  ? SATK_RIM_EDGE
                                                 : SATK_RIM_SUBJECT + random_below(&c->random, 2));
    rims->cover[at] = (uint8_t)ONE_OF(c, covers);
    rims->sample[at] = (uint8_t)(1 + random_below(&c->random, 9));
    rims->beside[at] = (uint8_t)ONE_OF(c, covers);
    rims->near[at] = (uint16_t)random_below(&c->random, CODES);
    rims->far[at] = (uint16_t)random_below(&c->random, CODES);
}

/* Colours and codes are the same in squares, so that some colours are around and others are not. */
static void draw(check *c, covering *s)
{
    static const int radii[] = {0,    100,   -100, 192,  -511,   512,  -2559, 2559,
                                2560, -2561, 5200, 9000, -12000, 7700, -7680, 20000};
    const satk_plane *const src = &s->src.plane, *const map = &s->map.plane;
    int32_t *const radius = block_data(&s->radius);
    const int rare = random_below(&c->random, 2) ? 6 : 600;
    uint32_t colours[COLOURS][4];

    for (int i = 0; i < 1 << map->bits; i++)
        radius[i] = ONE_OF(c, radii);
    for (int i = 0; i < COLOURS * 4; i++)
        colours[i / 4][i % 4] = (uint32_t)random_below(&c->random, 256) << (src->bits - 8);
    for (int y = 0; y < src->height; y += 3)
        for (int x = 0; x < src->width; x += 3) {
            const int colour = random_below(&c->random, COLOURS),
                      code = random_below(&c->random, CODES);
            for (int k = 0; k < 9 && colour >= 0; k++) {
                const int u = x + k % 3, v = y + k / 3;
                if (u >= src->width || v >= src->height)
                    continue;
                picture_put(map, u, v, 0, (uint32_t)code);
                for (int i = 0; i < src->channels; i++)
                    picture_put(src, u, v, i,
                                colours[colour][i] + (uint32_t)random_below(&c->random, 5));
            }
        }
    for (size_t i = 0; i < s->pixels; i++) {
        draw_rim(c, &s->job.rims, i, rare);
        if (random_below(&c->random, 2)) /* most edges are where the map has the far code */
            s->job.rims.far[i] = (uint16_t)satk_code(
                (const uint8_t *)map->data + (ptrdiff_t)(i / (size_t)map->width) * map->pitch,
                i % (size_t)map->width, map->bits);
    }
}

static covering covering_make(check *c, int w, int h)
{
    const shape src = {w,
                       h,
                       1 + random_below(&c->random, 4),
                       8 << random_below(&c->random, 2),
                       random_below(&c->random, 3) * 2,
                       0};
    const shape map = {w, h, 1, 8 << random_below(&c->random, 2), random_below(&c->random, 3) * 2,
                       0};
    covering s = {.src = picture_input(&src, FILL_CONSTANT, &c->random),
                  .map = picture_input(&map, FILL_CONSTANT, &c->random),
                  .pixels = (size_t)w * (size_t)h};

    s.rims = block_exact(satk_rims_bytes(s.pixels), 0);
    s.radius = block_exact(sizeof(int32_t) << map.bits, 0);
    s.job = (satk_cover){.src = s.src.plane,
                         .map = s.map.plane,
                         .rims = satk_rims_in(block_data(&s.rims), s.pixels),
                         .radius = block_data(&s.radius),
                         .doubts = random_below(&c->random, 6) > 0};
    draw(c, &s);
    check_case(c, "%dx%d, %d channels of %d bits, map of %d bits%s", w, h, src.channels, src.bits,
               map.bits, s.job.doubts ? ", with doubts" : "");
    return s;
}

static results results_make(const covering *s)
{
    const satk_plane *const map = &s->map.plane;
    const shape like = {map->width, map->height, 1, map->bits, 2, 0};
    const shape bytes = {map->width, map->height, 1, 8, 3, 0};

    return (results){picture_output(&like), picture_output(&bytes), picture_output(&bytes)};
}

static void results_free(results *r)
{
    picture_free(&r->dst);
    picture_free(&r->cover);
    picture_free(&r->sides);
}

static void covering_free(covering *s)
{
    picture_free(&s->src);
    picture_free(&s->map);
    block_free(&s->rims);
    block_free(&s->radius);
}

/* --- The definition --------------------------------------------------------------------------- */

enum { LEFT, COVERED, BESIDE, DOUBTED };

static uint32_t code_of(const satk_plane *p, int x, int y, int channel)
{
    return satk_code((const uint8_t *)p->data + y * p->pitch, (size_t)(x * p->channels + channel),
                     p->bits);
}

static int fate_of(const covering *s, size_t i)
{
    const satk_rims *const r = &s->job.rims;
    const int near = s->job.radius[r->near[i]], far = s->job.radius[r->far[i]];

    if (r->kind[i] == SATK_RIM_EDGE && r->cover[i] < 128 && abs(far) < 2560 &&
        abs(near) - abs(far) >= 5120)
        return DOUBTED;
    if (r->kind[i] == SATK_RIM_EDGE && abs(near) < 512)
        return r->beside[i] >= 8 && abs(near - far) >= 192 ? BESIDE : LEFT;
    return r->cover[i] >= 8 && abs(near - far) >= 192 ? COVERED : LEFT;
}

static int is_doubtful(const covering *s, int x, int y)
{
    const size_t i = (size_t)(y * s->map.plane.width + x);

    return s->job.rims.kind[i] != SATK_RIM_NONE && fate_of(s, i) == DOUBTED;
}

static int is_sharp(const covering *s, int x, int y)
{
    const size_t i = (size_t)(y * s->map.plane.width + x);

    return s->job.rims.kind[i] == SATK_RIM_NONE &&
           abs(s->job.radius[code_of(&s->map.plane, x, y, 0)]) < 2560;
}

static int reach_of(const covering *s)
{
    const int w = s->map.plane.width, h = s->map.plane.height, longer = w > h ? w : h;
    const uint64_t most = (uint64_t)(longer / 128 > 8 ? longer / 128 : 8);
    uint64_t sum = 0, count = 0;

    for (int i = 0; i < w * h; i++)
        if (is_doubtful(s, i % w, i / w)) {
            sum += s->job.rims.sample[i];
            count++;
        }
    const uint64_t reach = count ? (2 * sum + count - 1) / count : 0;
    return (int)(reach < most ? reach : most);
}

/* Returns the near code of a pixel in doubt, or -1. */
static int near_of(const covering *s, int reach, int x, int y)
{
    const satk_plane *const map = &s->map.plane;
    int64_t sum = 0, count = 0;

    if (is_doubtful(s, x, y))
        return s->job.rims.near[y * map->width + x];
    for (int v = y - reach; is_sharp(s, x, y) && v <= y + reach; v++)
        for (int u = x - reach; u <= x + reach; u++)
            if (u >= 0 && v >= 0 && u < map->width && v < map->height && is_doubtful(s, u, v)) {
                sum += s->job.rims.near[v * map->width + u];
                count++;
            }
    return count ? (int)((2 * sum + count) / (2 * count)) : -1;
}

static int are_alike(const satk_plane *src, int x, int y, int u, int v, int most)
{
    const int colours = src->channels < 3 ? 1 : 3;
    int apart = 0;

    for (int k = 0; k < colours; k++) {
        const int d = (int)(code_of(src, x, y, k) >> (src->bits - 8)) -
                      (int)(code_of(src, u, v, k) >> (src->bits - 8));
        apart += d * d;
    }
    return apart <= most * most * colours;
}

/* doubt: by pixel: the near code of those in doubt. */
static int is_stranger(const covering *s, const int *doubt, int reach, int x, int y)
{
    const satk_plane *const src = &s->src.plane;
    const int step = (reach + 1) / 2;
    int seen = 0;

    for (int k = 0; k < 17 * 17; k++) {
        const int u = x + (k % 17 - 8) * step, v = y + (k / 17 - 8) * step;
        if (u < 0 || v < 0 || u >= src->width || v >= src->height || !is_sharp(s, u, v) ||
            doubt[v * src->width + u] >= 0)
            continue;
        seen = 1;
        if (are_alike(src, x, y, u, v, 6))
            return 0;
    }
    return seen;
}

/* Returns whether more than seven tenths of the pixels around that are sharp, or in doubt, are strangers. */
static int is_among(const covering *s, const int *doubt, const uint8_t *strange, int x, int y)
{
    const satk_plane *const map = &s->map.plane;
    int strangers = 0, all = 0;

    for (int k = 0; k < 7 * 7; k++) {
        const int u = x + k % 7 - 3, v = y + k / 7 - 3, i = v * map->width + u;
        if (u < 0 || v < 0 || u >= map->width || v >= map->height)
            continue;
        strangers += strange[i];
        all += doubt[i] >= 0 || is_sharp(s, u, v);
    }
    return 10 * strangers > 7 * all;
}

/* Returns whether a pixel with a far code is alike to one around it that is nearer. */
static int looks_near(const covering *s, int x, int y)
{
    const satk_plane *const src = &s->src.plane, *const map = &s->map.plane;
    const int i = y * map->width + x, near = s->job.rims.near[i], far = s->job.rims.far[i];

    for (int k = 0; k < 9; k++) {
        const int u = x + k % 3 - 1, v = y + k / 3 - 1;
        if (u < 0 || v < 0 || u >= map->width || v >= map->height)
            continue;
        const int code = (int)code_of(map, u, v, 0);
        if (abs(code - near) < abs(code - far) && are_alike(src, x, y, u, v, 12))
            return code_of(map, x, y, 0) == (uint32_t)far;
    }
    return 0;
}

/* Returns the coverage of a rim that shows, or -1. */
static int shown(const covering *s, int i)
{
    const satk_rims *const r = &s->job.rims;
    const int w = s->map.plane.width;
    const int fate = r->kind[i] == SATK_RIM_NONE ? LEFT : fate_of(s, (size_t)i);

    return fate == COVERED                                 ? r->cover[i]
           : fate == BESIDE && looks_near(s, i % w, i / w) ? r->beside[i]
                                                           : -1;
}

typedef struct tally {
    int strangers, among, beside; /* pixels */
} tally;

/* Adds to a tally. */
static void define(const covering *s, const results *r, tally *t)
{
    const int w = s->map.plane.width, h = s->map.plane.height;
    const int reach = s->job.doubts ? reach_of(s) : 0;
    int *const doubt = malloc(s->pixels * sizeof *doubt);
    uint8_t *const by_colour = calloc(s->pixels, 1);

    for (int i = 0; doubt && i < w * h; i++)
        doubt[i] = reach ? near_of(s, reach, i % w, i / w) : -1;
    for (int i = 0; doubt && by_colour && i < w * h; i++)
        by_colour[i] = doubt[i] >= 0 && is_stranger(s, doubt, reach, i % w, i / w);
    for (int i = 0; doubt && by_colour && i < w * h; i++) {
        const int x = i % w, y = i / w, kind = s->job.rims.kind[i];
        const int cover = shown(s, i), covered = cover >= 0;
        const int strange = by_colour[i] || (doubt[i] >= 0 && is_among(s, doubt, by_colour, x, y));
        picture_put(&r->dst.plane, x, y, 0,
                    strange   ? (uint32_t)doubt[i]
                    : covered ? s->job.rims.near[i]
                              : code_of(&s->map.plane, x, y, 0));
        picture_put(&r->cover.plane, x, y, 0, strange ? 0 : covered ? (uint32_t)cover : 255);
        picture_put(&r->sides.plane, x, y, 0,
                    covered && kind == SATK_RIM_SUBJECT          ? SATK_COLOUR_SUBJECT
                    : covered && kind == SATK_RIM_BEFORE_SUBJECT ? SATK_COLOUR_BACKGROUND
                                                                 : SATK_COLOUR_KEEP);
        t->strangers += strange;
        t->among += strange && !by_colour[i];
        t->beside += covered && fate_of(s, (size_t)i) == BESIDE;
    }
    free(doubt);
    free(by_colour);
}

/* --- Back ends -------------------------------------------------------------------------------- */

static void compare(check *c, backend on, const results *want, const results *got)
{
    const picture *const a[] = {&want->dst, &want->cover, &want->sides};
    const picture *const b[] = {&got->dst, &got->cover, &got->sides};

    for (int i = 0; i < 3; i++) {
        const layout l = layout_of(&a[i]->plane);
        check_same(c, on, &a[i]->memory, &b[i]->memory, &l);
    }
}

static void on_cpu(check *c, const covering *s, const results *want, int threads)
{
    results got = results_make(s);
    satk_cover job = s->job;
    job.dst = got.dst.plane, job.cover = got.cover.plane, job.sides = got.sides.plane;
    block scratch = block_exact(satk_cover_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_cover_cpu(&job, threads);
    compare(c, ON_CPU, want, &got);
    block_free(&scratch);
    results_free(&got);
}

static void on_cuda(check *c, const covering *s, const results *want)
{
    results got = results_make(s);
    satk_cover job = s->job;
    mirrors on = {.c = c};

    job.src = mirrors_in_plane(&on, &s->src), job.map = mirrors_in_plane(&on, &s->map);
    job.dst = mirrors_out_plane(&on, &got.dst), job.cover = mirrors_out_plane(&on, &got.cover);
    job.sides = mirrors_out_plane(&on, &got.sides);
    job.rims = satk_rims_in(mirrors_in(&on, &s->rims), s->pixels);
    job.radius = mirrors_in(&on, &s->radius);
    job.scratch = mirrors_scratch(&on, device_cover_scratch(&job));
    if (mirrors_end(&on, on.failed || device_cover(&job)))
        compare(c, ON_CUDA, want, &got);
    results_free(&got);
}

void check_cover(check *c)
{
    static const int sides[][2] = {{1, 1}, {5, 40}, {31, 33}, {64, 32}, {97, 70}, {65, 100}};
    const int rounds = check_count(c, 60, 12);
    tally all = {0, 0, 0};

    if (!check_group(c, "cover"))
        return;
    for (int i = 0; i < rounds && !check_hopeless(c); i++) {
        const int *const side = sides[i % 6];
        covering s = i == 3 ? covering_make(c, EDGE_WIDE, 40) : covering_make(c, side[0], side[1]);
        results want = results_make(&s);
        define(&s, &want, &all);
        on_cpu(c, &s, &want, 1);
        on_cpu(c, &s, &want, 3);
        if (c->cuda)
            on_cuda(c, &s, &want);
        results_free(&want);
        covering_free(&s);
    }
    check_case(c, "all");
    check_that(c, ON_CPU, all.strangers > all.among && all.among > 0,
               "there was no stranger by colour, or none among such");
    check_that(c, ON_CPU, all.beside > 0, "there was nothing beside the edge of a sharp thing");
}
