/* Rims of depth that are laid on a map (dof_rims.h): those that show, and what they change. */
#include "unit/unit.h"

#include "blur/dof_rims.h"
#include "unit/unit_drawn.h"

#include <math.h>
#include <string.h>

static satb_context context = {.threads = 2};

enum { WIDTH = 60, HEIGHT = 9, EDGE = 10, END = 30, NEAR = 200, FAR = 30, OTHER = 77 };

/* A blur by a map of its own: FAR on either side, NEAR between, and rims around EDGE. */
typedef struct blur_case {
    satb_image src, map;
    uint32_t counts[65536];
    double signed_radius[65536];
    satb_rims rims;
    satb_dof_blur blur;
} blur_case;

static void count(const satb_image *map, uint32_t *counts)
{
    memset(counts, 0, sizeof(uint32_t) << map->bits);
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            counts[sample(map, x, y, 0)]++;
}

static blur_case *open_case(int bits, double near, double far)
{
    blur_case *const c = calloc(1, sizeof *c);

    c->src = blank(WIDTH, HEIGHT, 3, 8);
    c->map = blank(WIDTH, HEIGHT, 1, bits);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(&c->map, x, y, 0, x < EDGE || x >= END ? FAR : NEAR);
    count(&c->map, c->counts);
    c->signed_radius[NEAR] = near;
    c->signed_radius[FAR] = far;
    c->signed_radius[OTHER] = 0;
    c->blur = (satb_dof_blur){.src = &c->src,
                              .map = &c->map,
                              .rims = &c->rims,
                              .counts = c->counts,
                              .signed_radius = c->signed_radius};
    return c;
}

static void close_case(blur_case *c)
{
    satb_free_rims(&c->rims);
    free(c->src.data);
    free(c->map.data);
    free(c);
}

static void add(blur_case *c, int x, int y, uint16_t near, satb_rim_kind kind, uint8_t cover)
{
    const satb_rim rim = {.x = x,
                          .y = y,
                          .near = near,
                          .far = FAR,
                          .cover = cover,
                          .kind = (uint8_t)kind,
                          .sample = 4};

    assert_true(satb_add_rim(&c->rims, &rim));
}

/* --- Which show ------------------------------------------------------------------------------- */

/* Returns whether a rim shows; cover: what it has, and then what it is laid with. */
static int shows(satb_rim_kind kind, double near, double far, uint8_t *cover)
{
    blur_case *const c = open_case(8, near, far);
    satb_covered covered;

    add(c, 9, 4, NEAR, kind, *cover);
    if (kind == SATB_RIM_EDGE) /* its colour is none of the far surface's */
        put(&c->src, 9, 4, 1, 99);
    assert_int_equal(satb_open_covered(&context, &c->blur, &covered), SATB_OK);
    const int is = covered.blur.cover != NULL;
    if (is) {
        *cover = (uint8_t)sample(&covered.cover, 9, 4, 0);
        assert_int_equal(sample(&covered.map, 9, 4, 0), NEAR);
    } else { /* all is the caller's */
        assert_true(covered.blur.map == &c->map && covered.blur.counts == c->counts);
        assert_true(covered.map.data == NULL && covered.counts == NULL);
    }
    satb_close_covered(&context, &covered);
    close_case(c);
    return is;
}

/* The two surfaces differ in sharpness; any may be the sharper. */
static void rims_that_show(void **state)
{
    static const double by[][3] = {
        {0, -0.75, 1}, {0, -0.7499, 0}, {0.75, 0, 1},     {0.7499, 0, 0}, {0, 0, 0},
        {12, 12, 0},   {0.5, -0.25, 1}, {0.5, -0.2, 0},   {40, 39.25, 1}, {39.5, 39, 0},
        {-3, -20, 1},  {-5, -5.5, 0},   {-0.5, -1.25, 1}, {5, -5, 1},     {-1, 0, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        for (int kind = SATB_RIM_SUBJECT; kind <= SATB_RIM_EDGE; kind++) {
            uint8_t cover = 100;
            if (shows((satb_rim_kind)kind, by[i][0], by[i][1], &cover) != (int)by[i][2])
                fail_msg("kind %d, near %g, far %g", kind, by[i][0], by[i][1]);
            assert_int_equal(cover, 100);
        }
}

/* Less than 8/255 is no sixteenth: the pixel stays the far surface's, as its colour would be lost. */
static void faint_rims(void **state)
{
    (void)state;
    for (int kind = SATB_RIM_SUBJECT; kind <= SATB_RIM_EDGE; kind++)
        for (uint8_t of = 0; of < 16; of++) {
            uint8_t cover = of;
            assert_int_equal(shows((satb_rim_kind)kind, 40, 12, &cover), of >= 8);
            assert_int_equal(cover, of);
        }
}

/* Returns the coverage that an edge is laid with; -1: it does not show. */
static int laid(uint8_t cover, double near, double far)
{
    return shows(SATB_RIM_EDGE, near, far, &cover) ? cover : -1;
}

/* The far half of an edge is unknown if the near surface is blurred by 20 pixels more than a far one of less than 10. */
static void doubtful_edges(void **state)
{
    static const double by[][3] = {{20, 0, 1},     {19.99, 0, 0},  {20, -0.01, 0}, {25, -5, 1},
                                   {25, -5.01, 0}, {25, 5, 1},     {25, 6, 0},     {0, -30, 0},
                                   {30, -30, 0},   {-30, -9.9, 1}, {-31, -10, 0},  {-10, -30, 0},
                                   {100, 9.99, 1}, {100, 10, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (laid(0, by[i][0], by[i][1]) != (by[i][2] > 0 ? 0 : -1) ||
            laid(127, by[i][0], by[i][1]) != (by[i][2] > 0 ? 0 : 127) ||
            laid(128, by[i][0], by[i][1]) != 128)
            if (fabs(by[i][0] - by[i][1]) >= 0.75)
                fail_msg("near %g, far %g", by[i][0], by[i][1]);
}

/* Doubt reaches two samples of the map beyond an edge. */
static void doubt_reaches(void **state)
{
    blur_case *const c = open_case(8, 40, 0);
    satb_covered covered;

    (void)state;
    add(c, 9, 4, NEAR, SATB_RIM_EDGE, 0);
    put(&c->src, 1, 4, 2, 99); /* eight pixels away */
    put(&c->src, 0, 4, 2, 99); /* and nine */
    assert_int_equal(satb_open_covered(&context, &c->blur, &covered), SATB_OK);
    assert_int_equal(sample(&covered.map, 1, 4, 0), NEAR);
    assert_int_equal(sample(&covered.cover, 1, 4, 0), 0);
    assert_int_equal(sample(&covered.map, 0, 4, 0), FAR);
    assert_int_equal(sample(&covered.map, 9, 4, 0), FAR);
    satb_close_covered(&context, &covered);
    close_case(c);
}

static void no_rims(void **state)
{
    blur_case *const c = open_case(16, 30, -30);
    satb_covered covered;

    (void)state;
    assert_int_equal(satb_open_covered(&context, &c->blur, &covered), SATB_OK);
    assert_true(covered.blur.cover == NULL && covered.blur.map == &c->map);
    satb_close_covered(&context, &covered);
    close_case(c);
}

/* --- What they change ------------------------------------------------------------------------- */

static uint8_t cover_at(int x, int y)
{
    return (uint8_t)(x * 13 + y * 7);
}

/* Rims are all of columns 7 to 12. Those of column 9 have a code that the map has not, and those of column 7, and 12, have no
 * part and do not show. Returns the code that is to be at a pixel. */
static uint32_t code_of(int x)
{
    if (x == 9)
        return OTHER;
    return x >= 8 && x < END ? NEAR : FAR;
}

static int is_laid(int x)
{
    return x >= 8 && x <= 11;
}

static void rims_are_laid(void **state)
{
    static uint32_t counts[65536];

    (void)state;
    for (int bits = 8; bits <= 16; bits += 8) {
        blur_case *const c = open_case(bits, 12, -1);
        const satb_image map = blank(WIDTH, HEIGHT, 1, bits);
        satb_covered covered;
        memcpy(map.data, c->map.data, (size_t)(map.stride * HEIGHT));
        for (int x = 7; x <= 12; x++)
            for (int y = HEIGHT - 1; y >= 0; y--)
                add(c, x, y, x == 9 ? OTHER : NEAR,
                    x % 2 || !is_laid(x) ? SATB_RIM_EDGE : SATB_RIM_SUBJECT,
                    is_laid(x) ? cover_at(x, y) : 0);
        assert_int_equal(satb_open_covered(&context, &c->blur, &covered), SATB_OK);
        assert_true(covered.blur.map == &covered.map && covered.blur.cover == &covered.cover);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                assert_int_equal(sample(&covered.map, x, y, 0), code_of(x));
                assert_int_equal(sample(&covered.cover, x, y, 0),
                                 is_laid(x) ? cover_at(x, y) : UINT8_MAX);
            }
        count(&covered.map, counts);
        assert_memory_equal(covered.blur.counts, counts, sizeof(uint32_t) << bits);
        count(&map, counts);
        assert_memory_equal(c->counts, counts, sizeof(uint32_t) << bits);
        assert_memory_equal(c->map.data, map.data, (size_t)(map.stride * HEIGHT));
        satb_close_covered(&context, &covered);
        free(map.data);
        close_case(c);
    }
}

/* --- Lists ------------------------------------------------------------------------------------ */

static void lists_grow(void **state)
{
    satb_rims all = {NULL, 0, 0}, part = {NULL, 0, 0};

    (void)state;
    assert_true(satb_add_rims(&all, &part) && all.count == 0 && all.at == NULL);
    for (int n = 1, i = 0; n < 3000; n *= 3) {
        const size_t before = all.count;
        for (int k = 0; k < n; k++, i++) {
            const satb_rim rim = {.x = i, .y = -i};
            assert_true(satb_add_rim(&part, &rim));
        }
        assert_true(satb_add_rims(&all, &part));
        assert_int_equal(all.count, before + (size_t)n);
        satb_free_rims(&part);
        assert_true(part.at == NULL && part.count == 0);
    }
    for (size_t i = 0; i < all.count; i++)
        assert_true(all.at[i].x == (int)i && all.at[i].y == -(int)i);
    satb_free_rims(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rims_that_show), cmocka_unit_test(faint_rims),
        cmocka_unit_test(doubtful_edges), cmocka_unit_test(doubt_reaches),
        cmocka_unit_test(no_rims),        cmocka_unit_test(rims_are_laid),
        cmocka_unit_test(lists_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
