/* Unknown depth (fill/fill.h) as sensors leave it: out of their range, hidden from one of two cameras, on shiny spots. */
#include "unit/unit.h"

#include "fill/fill.h"
#include "fill/fill_rule.h"
#include "unit/kernels/surface_case.h"

#include <math.h>

enum { W = 160, H = 120, HORIZON = 84 };
enum { SUBJECT = 1500, WALL = 4000, GROUND = 6000 }; /* millimetres; the ground's at the horizon */
enum {
    SKY = 0xE0C8B0,
    COAT = 0x202038,
    SKIN = 0x90A8D8,
    GRASS = 0x307048,
    PLASTER = 0x90A0A0,
    GLINT = 0xF8F8F8
}; /* colours, red in the lowest byte */

/* A pixel of a scene. is_known: 0 in holes. The depth is the true one. */
typedef struct point {
    uint32_t colour, depth;
    int is_known;
} point;

typedef point scene(int x, int y);

/* --- Scenes ----------------------------------------------------------------------------------- */

static int in_disc(int x, int y, int cx, int cy, int r)
{
    return (x - cx) * (x - cx) + (y - cy) * (y - cy) <= r * r;
}

/* Returns whether x, y is of a head with shoulders, or `wider` pixels beside it. */
static int in_person(int x, int y, int wider)
{
    return in_disc(x, y, 80, 44, 20 + wider) ||
           (y >= 60 - wider && x >= 48 - wider && x < 112 + wider);
}

static point person(int x, int y)
{
    return (point){in_disc(x, y, 80, 44, 20) ? SKIN : COAT, SUBJECT, 1};
}

/* The sky is out of range. The map's person is wider than the picture's, as sensors' often are. */
static point under_the_sky(int x, int y)
{
    if (in_person(x, y, 0))
        return person(x, y);
    if (y >= HORIZON)
        return (point){GRASS, (uint32_t)(GROUND - (y - HORIZON) * 100), 1};
    return (point){SKY, in_person(x, y, 2) ? SUBJECT : UINT16_MAX, in_person(x, y, 2)};
}

static point alone_under_the_sky(int x, int y)
{
    const point p = under_the_sky(x, y);

    return p.depth == SUBJECT ? p : (point){SKY, UINT16_MAX, 0};
}

/* Half of the coat, up to the wall and to the border, gives no echo. */
static point in_black(int x, int y)
{
    if (!in_person(x, y, 0))
        return (point){PLASTER, WALL, 1};
    point p = person(x, y);
    p.is_known = y < 70 || x < 80;
    return p;
}

/* A camera beside the first does not see the wall beside the person. */
static point in_stereo(int x, int y)
{
    if (in_person(x, y, 0))
        return person(x, y);
    return (point){PLASTER, WALL, !in_person(x - 14, y, 0)};
}

/* So does the shadow of a lamp beside the camera, and nothing else has the colour of the wall in it. */
static point in_shadow(int x, int y)
{
    point p = in_stereo(x, y);

    if (!p.is_known)
        p.colour = 0x606060;
    return p;
}

static point with_glints(int x, int y)
{
    point p = in_person(x, y, 0) ? person(x, y) : (point){PLASTER, WALL, 1};

    if (in_disc(x, y, 86, 40, 4) || in_disc(x, y, 60, 90, 4))
        p.colour = GLINT, p.is_known = 0;
    return p;
}

/* The first columns are seen by one camera only; of a wall, its corner is too dark. */
static point at_the_border(int x, int y)
{
    const int is_near = y >= 40 && y < 90 && x < 60;
    const point p = {is_near ? COAT : PLASTER, is_near ? SUBJECT : WALL, 1};

    return (point){p.colour, p.depth, x >= 12 && !in_disc(x, y, W, H, 24)};
}

/* --- Maps ------------------------------------------------------------------------------------- */

static uint32_t noisy(uint32_t colour, int x, int y, int channel)
{
    const uint32_t noise = (uint32_t)(x * 37 + y * 101 + channel * 13) * 2654435761u >> 29;

    return (colour >> 8 * channel & 0xFF) + noise % 7;
}

static void draw(scene *of, int near_black, const satb_image *photo, const satb_image *map)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const point p = of(x, y);
            const uint32_t code = near_black ? p.depth : UINT16_MAX - p.depth;
            for (int c = 0; c < 3; c++)
                put(photo, x, y, c, noisy(p.colour, x, y, c));
            put(map, x, y, 0, p.is_known ? code : 0);
        }
}

/* Returns the map without holes. */
static satb_image filled_by(const satb_image *map, const satb_image *photo, int near_black,
                            int threads)
{
    const satb_image out = noisy_image(map->width, map->height, 1, map->bits);
    uint64_t counts[SATK_FILL_COUNTS];
    satk_fill job = {.src = plane_of(photo),
                     .map = plane_of(map),
                     .dst = plane_of(&out),
                     .how = SATK_FILL_INWARDS,
                     .near_black = near_black,
                     .counts = counts};
    const uint64_t holes = satk_fill_count_cpu(&job.map, threads);

    memset(counts, NOISE_BYTE, sizeof counts);
    job.scratch = noisy_memory(satk_fill_scratch_cpu(&job, threads));
    satk_fill_cpu(&job, threads);
    keeps_its_padding(&out);
    assert_int_equal(counts[SATK_FILL_HOLES], holes);
    assert_true(counts[SATK_FILL_REST] <= holes && counts[SATK_FILL_ROUNDS] <= holes);
    return out;
}

static satb_image filled(const satb_image *map, const satb_image *photo, int near_black)
{
    return filled_by(map, photo, near_black, 2);
}

/* Checks that at most `wrong` holes are off their true depth by more than 1/8. */
static void fills(scene *of, int wrong)
{
    const satb_image photo = blank(W, H, 3, 8), map = blank(W, H, 1, 16);

    for (int near_black = 0; near_black < 2; near_black++) {
        int off = 0;
        draw(of, near_black, &photo, &map);
        const satb_image out = filled(&map, &photo, near_black);
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                const uint32_t code = sample(&out, x, y, 0), want = of(x, y).depth;
                const uint32_t depth = near_black ? code : UINT16_MAX - code;
                off += depth > want + want / 8 || depth < want - want / 8;
            }
        if (off > wrong)
            fail_msg("near_black %d: %d samples are off, and %d may be", near_black, off, wrong);
    }
}

static void out_of_range_is_far(void **state)
{
    const satb_image photo = blank(W, H, 3, 8), map = blank(W, H, 1, 16);

    draw(under_the_sky, 1, &photo, &map);
    const satb_image out = filled(&map, &photo, 1);
    for (int y = 0; y < HORIZON; y++)
        for (int x = 0; x < W; x++)
            if (!under_the_sky(x, y).is_known)
                assert_in_range(sample(&out, x, y, 0), GROUND - 400, UINT16_MAX);
}

static void nothing_else_in_range_is_far(void **state)
{
    fills(alone_under_the_sky, 0);
}

static void the_nearer_colour_is_near(void **state)
{
    fills(in_black, 20);
}

static void shadows_are_far(void **state)
{
    fills(in_stereo, 0);
    fills(in_shadow, 0);
}

static void glints_are_their_objects(void **state)
{
    fills(with_glints, 0);
}

static void borders_continue(void **state)
{
    fills(at_the_border, 0);
}

/* --- Symmetry --------------------------------------------------------------------------------- */

enum { MIRRORED = 1, FLIPPED = 2, TRANSPOSED = 4, TURNS = 8 };

static satb_image turned(const satb_image *image, int turn)
{
    const int w = image->width, h = image->height, swapped = turn & TRANSPOSED;
    const satb_image out = blank(swapped ? h : w, swapped ? w : h, image->channels, image->bits);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < image->channels; c++) {
                const int u = turn & MIRRORED ? w - 1 - x : x, v = turn & FLIPPED ? h - 1 - y : y;
                put(&out, swapped ? v : u, swapped ? u : v, c, sample(image, x, y, c));
            }
    return out;
}

/* The result turns with picture and map. Neither the number of threads changes it, nor whether the holes are counted. */
static void turns_with_the_picture(void **state)
{
    scene *const scenes[] = {under_the_sky, in_black, in_shadow, with_glints, at_the_border};
    const satb_image photo = blank(W, H, 3, 8), map = blank(W, H, 1, 16);

    for (int i = 0; i < 5 * TURNS; i++) {
        const int turn = i % TURNS;
        draw(scenes[i / TURNS], 1, &photo, &map);
        const satb_image other = turned(&map, turn), view = turned(&photo, turn);
        const satb_image out = filled_by(&map, &photo, 1, 1), want = turned(&out, turn);
        const satb_image got = filled_by(&other, &view, 1, 3);
        are_same(&got, &want);
    }
}

/* The likeness of colours falls as their distance's exponential says. */
static void likeness_is_exponential(void **state)
{
    for (int d = 0; d < 1024; d++)
        assert_true(fabs(satk_likeness_of(&satk_fill_shares, d) - 1 - 65536 * exp(-d / 54.0)) <
                    0.51);
}

UNIT_MAIN(UNIT(out_of_range_is_far), UNIT(nothing_else_in_range_is_far),
          UNIT(the_nearer_colour_is_near), UNIT(shadows_are_far), UNIT(glints_are_their_objects),
          UNIT(borders_continue), UNIT(turns_with_the_picture), UNIT(likeness_is_exponential))
