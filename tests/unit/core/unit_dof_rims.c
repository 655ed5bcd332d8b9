/* Rims of depth that are laid on a map: those that show, and what they change (cover/cover.h), and what a blur is called with
 * then (blur/dof_rims.h). */
#include "unit/core/unit_context.h"

#include "blur/dof_rims.h"
#include "unit/kernels/cover_case.h"

/* --- Which show ------------------------------------------------------------------------------- */

/* Returns whether a rim shows; cover: what it has, and then what it is laid with. All else is as it was. */
static int shows(satk_rim_kind kind, double near, double far, uint8_t *cover)
{
    enum { X = 9, Y = 4 };
    cover_case *const c = open_case(8, near, far);

    add_rim(c, X, Y, NEAR, kind, *cover);
    if (kind == SATK_RIM_EDGE) /* its colour is none of the far surface's */
        put(&c->src, X, Y, 1, 99);
    const laid_map l = laid_on(&c->src, &c->map, &c->rims, c->radius, 1, 2);
    const int is = sample(&l.map, X, Y, 0) == NEAR;
    const uint8_t got = (uint8_t)sample(&l.cover, X, Y, 0);
    if (is) {
        *cover = got;
        put(&l.map, X, Y, 0, FAR);
        put(&l.cover, X, Y, 0, UINT8_MAX);
    }
    are_same(&l.map, &c->map);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(sample(&l.cover, i % WIDTH, i / WIDTH, 0), UINT8_MAX);
    return is;
}

/* The two surfaces differ in sharpness; any may be the sharper. Of a map's edges, the near one must be soft, too. */
static void rims_that_show(void **state)
{
    static const double by[][3] = {
        {0, -0.75, 1}, {0, -0.7461, 0}, {0.75, 0, 1},     {0.7461, 0, 0},      {0, 0, 0},
        {12, 12, 0},   {0.5, -0.25, 1}, {0.5, -0.2, 0},   {40, 39.25, 1},      {39.5, 39, 0},
        {-3, -20, 1},  {-5, -5.5, 0},   {-0.5, -1.25, 1}, {5, -5, 1},          {-1, 0, 1},
        {1e7, 1e6, 1}, {-1e7, 1e7, 1},  {1e7, -1e7, 1},   {1e7 - 1e6, 1e7, 0}, {2, -9, 1},
        {-2, -9, 1},   {1.99, -9, 1},   {-1.99, 9, 1}};

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        for (int kind = SATK_RIM_EDGE; kind <= SATK_RIM_BEFORE_SUBJECT; kind++) {
            uint8_t cover = 100;
            const int is_left = kind == SATK_RIM_EDGE && fabs(by[i][0]) < 2;
            if (shows((satk_rim_kind)kind, by[i][0], by[i][1], &cover) !=
                (by[i][2] > 0 && !is_left))
                fail_msg("kind %d, near %g, far %g", kind, by[i][0], by[i][1]);
            assert_int_equal(cover, 100);
        }
}

/* Less than 8/255 is no sixteenth: the pixel stays the far surface's, as its colour would be lost. */
static void faint_rims(void **state)
{
    for (int kind = SATK_RIM_EDGE; kind <= SATK_RIM_BEFORE_SUBJECT; kind++)
        for (uint8_t of = 0; of < 16; of++) {
            uint8_t cover = of;
            assert_int_equal(shows((satk_rim_kind)kind, 40, 12, &cover), of >= 8);
            assert_int_equal(cover, of);
        }
}

/* Returns the coverage that an edge is laid with; -1: it does not show. */
static int laid(uint8_t cover, double near, double far)
{
    return shows(SATK_RIM_EDGE, near, far, &cover) ? cover : -1;
}

/* The far half of an edge is unknown if the near surface is blurred by 20 pixels more than a far one of less than 10. */
static void doubtful_edges(void **state)
{
    static const double by[][3] = {{20, 0, 1},     {19.99, 0, 0},  {20, -0.01, 0}, {25, -5, 1},
                                   {25, -5.01, 0}, {25, 5, 1},     {25, 6, 0},     {2, -30, 0},
                                   {30, -30, 0},   {-30, -9.9, 1}, {-31, -10, 0},  {-10, -30, 0},
                                   {100, 9.99, 1}, {100, 10, 0},   {1e7, 0, 1}};

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (laid(0, by[i][0], by[i][1]) != (by[i][2] > 0 ? 0 : -1) ||
            laid(127, by[i][0], by[i][1]) != (by[i][2] > 0 ? 0 : 127) ||
            laid(128, by[i][0], by[i][1]) != 128)
            if (fabs(by[i][0] - by[i][1]) >= 0.75)
                fail_msg("near %g, far %g", by[i][0], by[i][1]);
}

/* A pixel beside the edge at EDGE, or as far from it as `away`. */
typedef struct beside_case {
    double near, far; /* radii */
    int beside, away;
    uint32_t code, colour; /* of the map there, and of the picture, which is black elsewhere */
    int want;              /* its coverage; -1: it stays whole and far */
} beside_case;

/* The edge of a sharp thing covers a part of the pixels beside it that look like it. */
static void edges_of_sharp_things(void **state)
{
    static const beside_case by[] = {
        {0, -9, 100, 0, FAR, 0, 100},    {0, -9, 100, 0, FAR, 20, 100}, /* 12 x sqrt(3) */
        {0, -9, 100, 0, FAR, 21, -1},    {0, -9, 8, 0, FAR, 0, 8},
        {0, -9, 7, 0, FAR, 0, -1},       {0, -9, 255, 0, FAR, 0, 255},
        {0, -9, 100, 1, FAR, 0, -1},     {0, -9, 100, 0, FAR + 1, 0, -1},
        {1.99, -9, 100, 0, FAR, 0, 100}, {-1.99, -9, 100, 0, FAR, 0, 100},
        {2, -9, 100, 0, FAR, 0, -1},     {0, -0.75, 100, 0, FAR, 0, 100},
        {0, -0.74, 100, 0, FAR, 0, -1},  {0, 9, 100, 0, FAR, 0, 100}};

    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        const int x = EDGE - 1 - by[i].away, y = 4;
        cover_case *const c = open_case(8, by[i].near, by[i].far);
        add_rim(c, x, y, NEAR, SATK_RIM_EDGE, 0);
        c->rims.beside[y * WIDTH + x] = (uint8_t)by[i].beside;
        put(&c->map, x, y, 0, by[i].code);
        put(&c->src, x, y, 1, by[i].colour);
        const laid_map l = laid_on(&c->src, &c->map, &c->rims, c->radius, (int)i % 2, 2);
        const int shows = by[i].want >= 0;
        if (sample(&l.map, x, y, 0) != (shows ? NEAR : by[i].code) ||
            sample(&l.cover, x, y, 0) != (shows ? (uint32_t)by[i].want : UINT8_MAX))
            fail_msg("case %zu: code %u, coverage %u", i, sample(&l.map, x, y, 0),
                     sample(&l.cover, x, y, 0));
        assert_int_equal(sample(&l.sides, x, y, 0), SATK_COLOUR_KEEP);
    }
}

/* Doubt reaches two samples of the map beyond an edge. */
static void doubt_reaches(void **state)
{
    cover_case *const c = open_case(8, 40, 0);

    add_rim(c, 9, 4, NEAR, SATK_RIM_EDGE, 0);
    put(&c->src, 1, 4, 2, 99); /* eight pixels away */
    put(&c->src, 0, 4, 2, 99); /* and nine */
    const laid_map l = laid_on(&c->src, &c->map, &c->rims, c->radius, 1, 2);
    assert_int_equal(sample(&l.map, 1, 4, 0), NEAR);
    assert_int_equal(sample(&l.cover, 1, 4, 0), 0);
    assert_int_equal(sample(&l.map, 0, 4, 0), FAR);
    assert_int_equal(sample(&l.map, 9, 4, 0), FAR);
}

/* Without doubts, a doubtful rim stays far, whatever its colour is. */
static void no_doubts(void **state)
{
    cover_case *const c = open_case(8, 40, 0);

    add_rim(c, 9, 4, NEAR, SATK_RIM_EDGE, 100);
    put(&c->src, 9, 4, 1, 99);
    const laid_map l = laid_on(&c->src, &c->map, &c->rims, c->radius, 0, 2);
    are_same(&l.map, &c->map);
    assert_int_equal(sample(&l.cover, 9, 4, 0), UINT8_MAX);
}

/* A rim that shows gets the colour of its near surface if a matte or a mask has made it. */
static void sides_of_rims(void **state)
{
    static const satk_colour_side want[] = {SATK_COLOUR_KEEP, SATK_COLOUR_KEEP, SATK_COLOUR_SUBJECT,
                                            SATK_COLOUR_BACKGROUND};
    cover_case *const c = open_case(8, 12, -1);

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        add_rim(c, i % WIDTH, i / WIDTH, NEAR, (satk_rim_kind)(i % 4), i / 4 % 3 ? 120 : 7);
    const laid_map l = laid_on(&c->src, &c->map, &c->rims, c->radius, 1, 3);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(sample(&l.sides, i % WIDTH, i / WIDTH, 0),
                         i / 4 % 3 ? want[i % 4] : SATK_COLOUR_KEEP);
}

/* --- What a blur is called with --------------------------------------------------------------- */

/* A blur by the map of a case, and the codes and radii of it. */
typedef struct blur_case {
    cover_case *of;
    satb_depth_map depth;
    satb_dof_blur blur;
    satb_code_set codes;
    satk_lens lens;
} blur_case;

/* Returns a lens with the radii of a case at NEAR and FAR, of which the first is not below 0 and the second not above. The focus
 * is at OTHER, or at FAR if that is sharp. */
static satk_lens lens_of(const cover_case *of)
{
    const double full = (1u << of->map.bits) - 1, near = of->radius[NEAR] / 256.0;
    const double far = of->radius[FAR] / 256.0, focus = far < 0 ? OTHER : FAR;

    return (satk_lens){.span = 1,
                       .focus = focus / full,
                       .before = near / ((NEAR - focus) / full),
                       .behind = far < 0 ? far / ((FAR - focus) / full) : 1};
}

/* Returns the blur of a case, whose rims are known to the map's numbers. */
static blur_case *open_blur(cover_case *of)
{
    blur_case *const b = unit_zeros(sizeof *b);
    uint64_t low = 0, high = 0;

    b->of = of;
    b->depth = (satb_depth_map){
        .at = cpu, .picture = of->src, .seen = of->src, .map = of->map, .rims = of->rims};
    satb_add_codes(&b->codes, FAR, FAR);
    satb_add_codes(&b->codes, NEAR, NEAR);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const uint32_t near = of->rims.near[i];
        if (of->rims.kind[i] != SATK_RIM_NONE)
            satb_add_codes(&b->depth.numbers.near, near, near);
        if (of->rims.kind[i] != SATK_RIM_EDGE)
            continue;
        low = 65536 - near > low ? 65536 - near : low;
        high = near + 1 > high ? near + 1 : high;
    }
    b->depth.numbers.surface[SATK_NEAR_LOW] = low;
    b->depth.numbers.surface[SATK_NEAR_HIGH] = high;
    b->lens = lens_of(of);
    b->blur = (satb_dof_blur){
        .src = &of->src, .map = &of->map, .depth = &b->depth, .codes = &b->codes, .lens = &b->lens};
    return b;
}

static void close_blur(blur_case *b)
{
}

static void no_rims(void **state)
{
    blur_case *const b = open_blur(open_case(16, 30, -30));
    satb_covered covered;

    assert_int_equal(satb_cover_rims(cpu, &b->blur, &covered), SATB_OK);
    assert_true(covered.blur.cover == NULL && covered.blur.map == &b->of->map);
    assert_true(covered.blur.codes == &b->codes && covered.blur.src == &b->of->src);
    close_blur(b);
}

static uint8_t cover_at(int x, int y)
{
    return (uint8_t)(x * 13 + y * 7);
}

enum { IN_MAP = 11 }; /* the column of a map's edge; rims of a subject may be sharp, too */

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

/* Returns the case of these rims. */
static cover_case *with_columns(int bits)
{
    cover_case *const c = open_case(bits, 2, -1);

    for (int x = 7; x <= 12; x++)
        for (int y = HEIGHT - 1; y >= 0; y--)
            add_rim(c, x, y, x == 9 ? OTHER : NEAR,
                    x == IN_MAP || !is_laid(x) ? SATK_RIM_EDGE : SATK_RIM_SUBJECT,
                    is_laid(x) ? cover_at(x, y) : 0);
    return c;
}

/* Checks that a blur's codes are FAR, NEAR, OTHER, and those between low and high. */
static void has_codes(const satb_dof_blur *blur, uint32_t low, uint32_t high)
{
    for (uint32_t code = 0; code < 1u << blur->map->bits; code++)
        assert_int_equal(satb_has_code(blur->codes, code), code == FAR || code == NEAR ||
                                                               code == OTHER ||
                                                               (code >= low && code <= high));
}

static void rims_are_laid(void **state)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        blur_case *const b = open_blur(with_columns(bits));
        const satb_image was = blank(WIDTH, HEIGHT, 1, bits);
        satb_covered covered;
        memcpy(was.data, b->of->map.data, (size_t)(was.stride * HEIGHT));
        assert_int_equal(satb_cover_rims(cpu, &b->blur, &covered), SATB_OK);
        assert_true(covered.blur.map == &covered.map && covered.blur.cover == &covered.cover);
        assert_true(covered.blur.codes == &covered.codes && covered.blur.src == &b->of->src);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                assert_int_equal(sample(&covered.map, x, y, 0), code_of(x));
                assert_int_equal(sample(&covered.cover, x, y, 0),
                                 is_laid(x) ? cover_at(x, y) : UINT8_MAX);
            }
        has_codes(&covered.blur, NEAR, NEAR);
        assert_false(satb_has_code(&b->codes, OTHER)); /* the caller's are as they were */
        are_same(&b->of->map, &was);
        close_blur(b);
    }
}

/* Strangers get mean codes of edges, so the codes between those are in the set if there may be any: where a near surface is
 * blurred by 20 pixels. */
static void codes_of_strangers(void **state)
{
    for (int i = 0; i < 2; i++) {
        cover_case *const c = open_case(8, i ? 20 : 19.99, 0);
        satb_covered covered;
        add_rim(c, 9, 4, NEAR, SATK_RIM_EDGE, 0);
        add_rim(c, 8, 4, OTHER, SATK_RIM_EDGE, 0);
        add_rim(c, 3, 4, FAR, SATK_RIM_SUBJECT, 200); /* no edge */
        blur_case *const b = open_blur(c);
        assert_int_equal(satb_cover_rims(cpu, &b->blur, &covered), SATB_OK);
        has_codes(&covered.blur, OTHER, i ? NEAR : OTHER);
        close_blur(b);
    }
}

/* With a matte, pixels at rims get the colour of their near surface. */
static void colours_of_a_matte(void **state)
{
    const satb_image matte = blank(WIDTH, HEIGHT, 1, 8), sides = blank(WIDTH, HEIGHT, 1, 8),
                     want = blank(WIDTH, HEIGHT, 3, 8);
    blur_case *const b = open_blur(with_columns(8));
    satb_covered covered;

    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        put(&matte, x, y, 0, x < 7 ? 0 : x < 13 ? 20 + (uint32_t)x * 15 : 255);
        put(&sides, x, y, 0, is_laid(x) && x != IN_MAP ? SATK_COLOUR_SUBJECT : SATK_COLOUR_KEEP);
        for (int c = 0; c < 3; c++)
            put(&b->of->src, x, y, c, (uint32_t)(x * 4 + c * 9 + i % 5));
    }
    b->depth.matte = matte;
    satk_separate job = {.src = plane_of(&b->of->src),
                         .matte = plane_of(&matte),
                         .sides = plane_of(&sides),
                         .dst = plane_of(&want)};
    job.scratch = noisy_memory(satk_separate_scratch_cpu(&job, 1));
    satk_separate_cpu(&job, 1);
    assert_int_equal(satb_cover_rims(cpu, &b->blur, &covered), SATB_OK);
    assert_ptr_equal(covered.blur.src, &covered.src);
    are_same(&covered.src, &want);
    assert_int_not_equal(sample(&want, 8, 4, 0), sample(&b->of->src, 8, 4, 0));
    close_blur(b);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(rims_that_show), UNIT(faint_rims), UNIT(doubtful_edges),
                 UNIT(edges_of_sharp_things), UNIT(doubt_reaches), UNIT(no_doubts),
                 UNIT(sides_of_rims), UNIT(no_rims), UNIT(rims_are_laid), UNIT(codes_of_strangers),
                 UNIT(colours_of_a_matte))
