/* A picture that is turned or mirrored, with its map, gives the turned or mirrored result, to the bit. Pictures and maps
 * are random, so that every rounding and every border of a window shows. */
#include "unit/unit.h"

#include "unit/core/unit_drawn.h"

#include <math.h>
#include <satblur.h>

/* --- Turns ------------------------------------------------------------------------------------ */

enum { MIRRORED = 1, FLIPPED = 2, TRANSPOSED = 4, TURNS = 8 };

/* By turn: the orientation of EXIF whose upright picture is the one before the turn. */
static const int orientations[TURNS] = {1, 2, 4, 3, 5, 6, 8, 7};

/* Return the place of pixel x, y of an image of w x h after a turn: along the columns, and along
 * the rows. */
static int turned_x(int turn, int x, int y, int w, int h)
{
    const int left = turn & MIRRORED ? w - 1 - x : x, top = turn & FLIPPED ? h - 1 - y : y;

    return turn & TRANSPOSED ? top : left;
}

static int turned_y(int turn, int x, int y, int w, int h)
{
    const int left = turn & MIRRORED ? w - 1 - x : x, top = turn & FLIPPED ? h - 1 - y : y;

    return turn & TRANSPOSED ? left : top;
}

static satb_image turned(const satb_image *image, int turn)
{
    const int w = image->width, h = image->height, swapped = turn & TRANSPOSED;
    satb_image out = blank(swapped ? h : w, swapped ? w : h, image->channels, image->bits);

    assert_non_null(out.data);
    out.half = image->half;
    for (int i = 0; i < w * h * image->channels; i++) {
        const int c = i % image->channels, x = i / image->channels % w, y = i / image->channels / w;
        put(&out, turned_x(turn, x, y, w, h), turned_y(turn, x, y, w, h), c,
            sample(image, x, y, c));
    }
    return out;
}

/* --- Pictures --------------------------------------------------------------------------------- */

static uint32_t state = 1;

static int below(int n)
{
    state = state * 1664525u + 1013904223u;
    return (int)((uint64_t)state * (uint64_t)n >> 32);
}

/* Makes an image of noise, or of patches with few colours. */
static satb_image make_picture(int w, int h, int channels, int bits)
{
    const satb_image picture = blank(w, h, channels, bits);
    const int patch = 1 + below(9), codes = 1 << bits, levels = below(2) ? codes : 2 + below(3);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < channels; c++)
                put(&picture, x, y, c,
                    x % patch && y % patch ? sample(&picture, x - 1, y - 1, c)
                                           : (uint32_t)(below(levels) * ((codes - 1) / levels)));
    return picture;
}

enum { DISCS = 5 };

/* Makes a map of discs before each other, of one code each. soft: width of their edges in
 * pixels. */
static satb_image make_map(int w, int h, int bits, double soft)
{
    const satb_image map = blank(w, h, 1, bits);
    double at[DISCS][4];

    for (int i = 0; i < DISCS; i++) {
        at[i][0] = below(w + 1), at[i][1] = below(h + 1);
        at[i][2] = i ? 1 + below(w + h) / 3.0 : 4.0 * (w + h);
        at[i][3] = below(1 << bits);
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double code = 0;
            for (int i = 0; i < DISCS; i++) {
                const double in = at[i][2] - hypot(x + 0.5 - at[i][0], y + 0.5 - at[i][1]);
                const double cover = fmin(fmax(in / soft + 0.5, 0), 1);
                code += cover * (at[i][3] - code);
            }
            put(&map, x, y, 0, (uint32_t)code);
        }
    return map;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static satb_context *context;

typedef struct scene {
    satb_image picture, map;
    satb_dof_params params;
    satb_image matte, protect; /* without data: none */
} scene;

/* Returns the blurred picture, or (coc) its circles of confusion. */
static satb_image result_of(const scene *s, int coc)
{
    const satb_image *const p = &s->picture;
    satb_image out = blank(p->width, p->height, coc ? 1 : p->channels, coc ? 16 : p->bits);
    satb_dof_params params = s->params;

    assert_non_null(out.data);
    out.half = coc ? 0 : p->half;
    params.matte = s->matte.data ? &s->matte : NULL;
    params.protect = s->protect.data ? &s->protect : NULL;
    if ((coc ? satb_coc : satb_dof)(context, p, &s->map, &out, &params, NULL) != SATB_OK)
        fail_msg("%s", satb_last_message(context));
    return out;
}

static size_t count_different(const satb_image *a, const satb_image *b)
{
    size_t count = 0;

    assert_int_equal(a->width, b->width);
    for (int i = 0; i < a->width * a->height * a->channels; i++) {
        const int c = i % a->channels, at = i / a->channels;
        count += sample(a, at % a->width, at / a->width, c) !=
                 sample(b, at % a->width, at / a->width, c);
    }
    return count;
}

static void fail_for(const scene *s, int turn, int orientation, size_t different)
{
    const satb_dof_params *const p = &s->params;

    fail_msg("%d x %d x %d of %d bits%s, map %d x %d of %d bits,%s%s radius %.2f, method %d, bokeh "
             "%d, %d blades, rotation %g, squeeze %g, edge %g, spherical %g, vignette %g, "
             "highlights %g: %zu samples differ after turn %d as orientation %d",
             s->picture.width, s->picture.height, s->picture.channels, s->picture.bits,
             s->picture.half ? " (half)" : "", s->map.width, s->map.height, s->map.bits,
             s->matte.data ? " matte," : "", s->protect.data ? " protected," : "", p->max_radius,
             (int)p->method, (int)p->bokeh, p->blades, p->blade_rotation, p->squeeze, p->bokeh_edge,
             p->spherical, p->vignette, p->highlights, different, turn, orientation);
}

/* all: what the scene gives. */
static void stays(const scene *s, const satb_image *all, int turn, int orientation, int coc)
{
    scene other = {
        .picture = turned(&s->picture, turn), .map = turned(&s->map, turn), .params = s->params};

    if (s->matte.data)
        other.matte = turned(&s->matte, turn);
    if (s->protect.data)
        other.protect = turned(&s->protect, turn);
    other.params.orientation = orientation;
    const satb_image want = turned(all, turn), got = result_of(&other, coc);
    const size_t different = count_different(&want, &got);
    if (different)
        fail_for(s, turn, orientation, different);
}

static void is_symmetric(const scene *s, int coc)
{
    const satb_image all = result_of(s, coc);

    for (int turn = 1; turn < TURNS; turn++)
        stays(s, &all, turn, orientations[turn], coc); /* auto focus goes by it */
}

/* radius: at most. */
static satb_dof_params make_params(satb_method method, double radius)
{
    return (satb_dof_params){.focus_mode = below(2) ? SATB_FOCUS_AUTO : SATB_FOCUS_VALUE,
                             .focus = below(5) / 4.0,
                             .strength = SATB_STRENGTH_RADIUS,
                             .max_radius = radius * (1 + below(64)) / 64,
                             .near_black = below(2),
                             .holes = SATB_HOLES_NONE,
                             .method = method,
                             .bokeh = (satb_bokeh)below(3),
                             .highlights = method == SATB_METHOD_LAYERED && !below(4) ? 8 : 0,
                             .look.gamma = below(2)};
}

static int side(int most)
{
    return below(6) ? 1 + below(most) : 1 + below(12);
}

static void hard_maps_of_one_size(void **unused)
{
    (void)unused;
    for (int i = 0; i < 96; i++) {
        const int w = side(60), h = side(60);
        scene s = {.picture = make_picture(w, h, 1 + i % 4, i / 4 % 2 ? 16 : 8),
                   .map = make_map(w, h, i / 8 % 2 ? 16 : 8, 1e-6),
                   .params = make_params(i % 3 ? SATB_METHOD_LAYERED : (satb_method)below(4), 28)};
        is_symmetric(&s, 0);
    }
}

/* Coarse slabs have cells of 4 x 4 pixels. Pictures have several tiles. */
static void wide_radii(void **unused)
{
    (void)unused;
    for (int i = 0; i < 64; i++) {
        const int w = i % 16 ? side(90) : 256 + below(60), h = i % 16 ? side(90) : 256 + below(20);
        scene s = {.picture = make_picture(w, h, 1 + i % 4, i / 4 % 2 ? 16 : 8),
                   make_map(w, h, 8, 1e-6),
                   .params = make_params(SATB_METHOD_LAYERED, i % 3 ? 120 : 40)};
        is_symmetric(&s, 0);
    }
}

/* Maps are decided at their edges. sides: factors of the map's sides. */
static void any_maps(void **unused)
{
    static const double softness[] = {1e-6, 2, 6, 20};
    static const int factors[] = {1, 2, 3, 4, 8};

    (void)unused;
    for (int i = 0; i < 120; i++) {
        const int w = 9 + below(30), h = 9 + below(30), by = factors[i % 5];
        scene s = {.picture = make_picture(w * by, h * by, 1 + i % 4, i / 4 % 2 ? 16 : 8),
                   .map = make_map(w, h, i / 8 % 2 ? 16 : 8, softness[i / 5 % 4]),
                   .params = make_params(SATB_METHOD_LAYERED, 36)};
        is_symmetric(&s, 1);
    }
}

/* Maps have any smaller size, but no even number of samples for an odd one of pixels: its middle
 * pixel would lie in two samples. */
static void maps_of_odd_ratios(void **unused)
{
    (void)unused;
    for (int i = 0; i < 120; i++) {
        const int w = 9 + below(30), h = 9 + below(30);
        const int right = w + below(2 * w), bottom = h + below(2 * h);
        scene s = {.picture = make_picture(right + (w % 2 == 0 && right % 2),
                                           bottom + (h % 2 == 0 && bottom % 2), 1 + i % 4, 8),
                   .map = make_map(w, h, i % 2 ? 16 : 8, i % 3 ? 1e-6 : 3),
                   .params = make_params(SATB_METHOD_LAYERED, 36)};
        is_symmetric(&s, 1);
    }
}

/* --- Looks ------------------------------------------------------------------------------------ */

/* Gives the lens one or more of its looks. */
static void draw_lens(satb_dof_params *p)
{
    static const double vignettes[] = {0, 0, 0.3, 0.8, 1, 1};

    p->vignette = vignettes[below(6)];
    p->squeeze = below(3) ? 0 : pow(4, below(33) / 16.0 - 1);
    p->highlights = below(3) ? 0 : 1 + below(64);
    if (p->bokeh == SATB_BOKEH_SMOOTH)
        return;
    p->bokeh_edge = below(3) ? 0 : below(17) / 8.0 - 1;
    p->spherical = below(4) ? 0 : below(17) / 8.0 - 1;
    if (p->bokeh == SATB_BOKEH_DISC && below(2)) {
        p->blades = 3 + below(7);
        p->blade_rotation = below(2) ? 0 : below(360);
        p->blade_curvature = below(5) / 4.0;
    }
}

/* Makes a scene of any kind of picture. w, h: at most. */
static scene any_scene(int w, int h, int i)
{
    static const double softness[] = {1e-6, 2, 6};

    w = side(w), h = side(h);
    const int soft = w % 2 && h % 2 && w > 8 && h > 8 ? below(3) : 0;
    const satb_method method = i % 5 ? SATB_METHOD_LAYERED : (satb_method)(2 + below(2));
    scene s = {.picture = make_picture(w, h, 1 + i % 4, i / 4 % 2 ? 16 : 8),
               .map = make_map(w, h, i / 8 % 2 ? 16 : 8, softness[soft]),
               .params = make_params(method, 28)};

    if (method == SATB_METHOD_LAYERED)
        draw_lens(&s.params);
    if (!below(6))
        s.matte = make_map(w, h, 8, 2);
    if (!below(6))
        s.protect = make_map(w, h, 8, 2);
    if (s.picture.bits == 16 && !below(3)) {
        s.picture.half = 1;
        s.params.look.gamma = 0;
        s.params.highlights = 0;
    }
    return s;
}

/* The orientation says how the aperture stands, so all turns are exact. */
static void turned_looks(void **unused)
{
    (void)unused;
    for (int i = 0; i < 500; i++) {
        scene s = any_scene(90, 90, i);
        const satb_image all = result_of(&s, 0);
        const int turn = 1 + below(TURNS - 1);
        stays(&s, &all, turn, orientations[turn], 0);
    }
}

/* Discs, squares and bumps are mirrored themselves. */
static void mirrored_looks(void **unused)
{
    (void)unused;
    for (int i = 0; i < 500; i++) {
        scene s = any_scene(90, 90, i);
        s.params.blades = 0;
        s.params.focus_mode = SATB_FOCUS_VALUE;
        s.params.rounding = SATB_ROUNDING_NEAREST; /* the pattern goes by the orientation */
        const satb_image all = result_of(&s, 0);
        stays(&s, &all, 1 + below(TRANSPOSED - 1), 1, 0);
    }
}

/* Long pictures are cut in cells, too. */
static void long_pictures(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; i++) {
        const int w = 3600 + below(200), h = 1 + below(9);
        scene s = {.picture = make_picture(w, h, 1, 8),
                   .map = make_map(w, h, 8, 1e-6),
                   .params = make_params(SATB_METHOD_LAYERED, 300)};
        draw_lens(&s.params);
        s.params.vignette = 1;
        is_symmetric(&s, 0);
    }
}

static int open_context(void **unused)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 1};

    (void)unused;
    return satb_open(&context, &config) == SATB_OK ? 0 : -1;
}

static int close_context(void **unused)
{
    (void)unused;
    satb_close(&context);
    return 0;
}

UNIT_MAIN_WITHIN(open_context, close_context, UNIT(hard_maps_of_one_size), UNIT(wide_radii),
                 UNIT(any_maps), UNIT(maps_of_odd_ratios), UNIT(turned_looks), UNIT(mirrored_looks),
                 UNIT(long_pictures))
