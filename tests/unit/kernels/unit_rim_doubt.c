/* Pixels that show the surface before them, against the definition in cover/cover.h. */
#include "unit/unit.h"

#include "unit/kernels/cover_case.h"

enum { LOOK = 8 }; /* steps */

/* What the oracle says of each pixel. */
enum { NO_MARK, DOUBTFUL, SHARP, RIM /* that shows */ };

/* Codes of 16 bits: FIRST_NEAR and all up to LAST_NEAR are strongly blurred, before the focus. */
enum { SHARP_CODE = 10, FAR_CODE = 20, BLURRED_CODE = 2000, FIRST_NEAR = 1000, LAST_NEAR = 1900 };

typedef struct scene {
    satb_image picture, map, marks, near; /* near: the code before a doubtful pixel, or of a rim */
    satk_rims rims;
    int reach;
} scene;

static int32_t radius[65536];

static int fill_radii(void **state)
{
    radius[SHARP_CODE] = -q8(9.99);
    radius[FAR_CODE] = q8(3);
    radius[BLURRED_CODE] = -q8(10);
    for (int code = FIRST_NEAR; code <= LAST_NEAR; code++)
        radius[code] = q8(23 + code / 100);
    return 0;
}

static uint32_t next(uint32_t *seed)
{
    return *seed = *seed * 1664525u + 1013904223u;
}

/* Makes a pixel a rim before FAR_CODE. kind SATK_RIM_EDGE with a cover of at most 127: it is doubtful. */
static void put_rim(const scene *s, int i, satk_rim_kind kind, int cover, uint32_t near, int sample)
{
    s->rims.kind[i] = (uint8_t)kind;
    s->rims.cover[i] = (uint8_t)cover;
    s->rims.near[i] = (uint16_t)near;
    s->rims.far[i] = FAR_CODE;
    s->rims.sample[i] = (uint8_t)sample;
    s->rims.beside[i] = 200; /* nothing here is sharp */
}

/* Makes pixel i what the scene has `from` pixels from its edge, and marks it. samples: the size of most samples. */
static void put_place(const scene *s, int i, int from, int samples, uint32_t *seed)
{
    const int x = i % s->map.width, y = i / s->map.width;
    const uint32_t v = next(seed);
    const int is_edge = from >= -2 && from < 0, is_other = v >> 8 & 1 && (v >> 9) % 16 == 0;

    put(&s->map, x, y, 0, from < 0 ? SHARP_CODE : BLURRED_CODE);
    put(&s->marks, x, y, 0, from < -2 ? SHARP : NO_MARK);
    if (is_edge && is_other) { /* a rim without doubt: it shows, or it does not */
        const int shows = v >> 20 & 1,
                  cover = shows ? 8 + (int)(v >> 24) % 240 : (int)(v >> 24) % 8;
        put_rim(s, i, SATK_RIM_SUBJECT, cover, FIRST_NEAR + 7, 200);
        put(&s->marks, x, y, 0, shows ? RIM : NO_MARK);
        put(&s->near, x, y, 0, FIRST_NEAR + 7);
    } else if (is_edge) {
        put_rim(s, i, SATK_RIM_EDGE, (int)(v >> 16) % 128, FIRST_NEAR + (v >> 28) * 50,
                samples + (int)(v >> 12) % 3);
        put(&s->marks, x, y, 0, DOUBTFUL);
        put(&s->near, x, y, 0, FIRST_NEAR + (v >> 28) * 50);
    }
}

/* Returns how far doubt reaches: twice the mean size of a sample, and no farther than a share of the picture. */
static int reach_of(const scene *s)
{
    const int w = s->map.width, h = s->map.height, longer = w > h ? w : h;
    const double most = fmax(8, longer / 128);
    double sum = 0, count = 0;

    for (int i = 0; i < w * h; i++)
        if (sample(&s->marks, i % w, i / w, 0) == DOUBTFUL) {
            sum += s->rims.sample[i];
            count++;
        }
    return (int)fmin(count > 0 ? ceil(2 * sum / count - 1e-9) : 0, most);
}

enum { MIRRORED = 1, TRANSPOSED = 2, TURNS = 4 };

/* Returns how far before the edge a pixel is; the edge is where that is 0. */
static int place_of(int w, int h, int x, int y, int turn)
{
    const int n = turn & TRANSPOSED ? h : w, along = turn & TRANSPOSED ? y : x;
    const int beside = turn & TRANSPOSED ? x : y;

    return (turn & MIRRORED ? n - 1 - along : along) - n / 2 + beside * beside % 5;
}

/* turn: where the sharp side is. */
static scene make(int w, int h, int channels, int bits, int samples, int turn)
{
    scene s = {.picture = blank(w, h, channels, bits),
               .map = blank(w, h, 1, 16),
               .marks = blank(w, h, 1, 8),
               .near = blank(w, h, 1, 16),
               .rims = rims_none(w, h)};
    uint32_t seed = (uint32_t)(w + channels);

    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w, from = place_of(w, h, x, y, turn);
        put_place(&s, i, from, samples, &seed);
        for (int c = 0; c < channels; c++) {
            const uint32_t v = next(&seed);
            const uint32_t code = (from < -4 ? 60 : 110) + (v >> 24) % 48; /* of 8 bits */
            put(&s.picture, x, y, c, bits == 8 ? code : code << 8 | v >> 24);
        }
    }
    s.reach = reach_of(&s);
    return s;
}

/* Returns the mean code before the doubtful pixels around; 0: there are none. */
static uint32_t near_around(const scene *s, int x, int y)
{
    uint32_t sum = 0, count = 0;

    for (int j = y - s->reach; j <= y + s->reach; j++)
        for (int i = x - s->reach; i <= x + s->reach; i++)
            if (i >= 0 && j >= 0 && i < s->marks.width && j < s->marks.height &&
                sample(&s->marks, i, j, 0) == DOUBTFUL) {
                sum += sample(&s->near, i, j, 0);
                count++;
            }
    return count ? (2 * sum + count) / (2 * count) : 0;
}

/* Makes sharp pixels near doubtful ones doubtful. */
static void spread(const scene *s)
{
    const int w = s->marks.width, h = s->marks.height;
    uint32_t *const around = unit_zeros((size_t)(w * h) * sizeof *around);

    for (int i = 0; i < w * h; i++)
        if (sample(&s->marks, i % w, i / w, 0) == SHARP)
            around[i] = near_around(s, i % w, i / w);
    for (int i = 0; i < w * h; i++)
        if (around[i]) {
            put(&s->marks, i % w, i / w, 0, DOUBTFUL);
            put(&s->near, i % w, i / w, 0, around[i]);
        }
}

static int is_alike(const satb_image *p, int x, int y, int u, int v)
{
    const int colours = p->channels - (p->channels % 2 == 0);
    long apart = 0;

    for (int c = 0; c < colours; c++) {
        const long a = (long)sample(p, x, y, c) >> (p->bits - 8);
        const long b = (long)sample(p, u, v, c) >> (p->bits - 8);
        apart += (a - b) * (a - b);
    }
    return apart <= 36 * colours;
}

static int is_stranger(const scene *s, int x, int y)
{
    int seen = 0, alike = 0;

    if (sample(&s->marks, x, y, 0) != DOUBTFUL)
        return 0;
    for (int j = -LOOK; j <= LOOK; j++)
        for (int i = -LOOK; i <= LOOK; i++) {
            const int step = (s->reach + 1) / 2, u = x + i * step, v = y + j * step;
            if (u < 0 || v < 0 || u >= s->marks.width || v >= s->marks.height ||
                sample(&s->marks, u, v, 0) != SHARP)
                continue;
            seen++;
            alike += is_alike(&s->picture, x, y, u, v);
        }
    return seen > 0 && alike == 0;
}

/* Returns whether more than seven tenths of the sharp and doubtful pixels around are strangers. strange: by pixel. */
static int is_among(const scene *s, const uint8_t *strange, int x, int y)
{
    int strangers = 0, all = 0;

    for (int k = 0; k < 7 * 7; k++) {
        const int u = x + k % 7 - 3, v = y + k / 7 - 3;
        if (u < 0 || v < 0 || u >= s->marks.width || v >= s->marks.height)
            continue;
        const uint32_t mark = sample(&s->marks, u, v, 0);
        all += mark == SHARP || mark == DOUBTFUL;
        strangers += strange[v * s->marks.width + u];
    }
    return sample(&s->marks, x, y, 0) == DOUBTFUL && strangers > 0.7 * all + 1e-9;
}

/* Returns the strangers by pixel: 1 by colour, 2: they are among such. */
static uint8_t *find_strangers(const scene *s)
{
    const int w = s->map.width, h = s->map.height;
    uint8_t *const all = unit_zeros((size_t)(w * h)), *const by_colour =
                                                          unit_zeros((size_t)(w * h));

    for (int i = 0; i < w * h; i++)
        by_colour[i] = (uint8_t)is_stranger(s, i % w, i / w);
    for (int i = 0; i < w * h; i++)
        all[i] = by_colour[i] ? 1 : is_among(s, by_colour, i % w, i / w) ? 2 : 0;
    return all;
}

static int among; /* strangers that have a sharp pixel's colour */

/* Compares what is laid with the scene, whose doubt has spread. Returns the number of strangers. */
static int is_laid(const scene *s, const laid_map *got, int threads)
{
    const int w = s->map.width;
    uint8_t *const all = find_strangers(s);
    int strangers = 0;

    for (int i = 0; i < w * s->map.height; i++) {
        const int x = i % w, y = i / w, is = all[i] > 0;
        const int shows = sample(&s->marks, x, y, 0) == RIM;
        const uint32_t code = is || shows ? sample(&s->near, x, y, 0) : sample(&s->map, x, y, 0);
        const uint32_t cover = is ? 0 : shows ? s->rims.cover[i] : UINT8_MAX;
        if (sample(&got->map, x, y, 0) != code || sample(&got->cover, x, y, 0) != cover)
            fail_msg("%d x %d, %d channels of %d bits, %d threads: %d,%d is %u of %u, not %u of %u",
                     w, s->map.height, s->picture.channels, s->picture.bits, threads, x, y,
                     sample(&got->map, x, y, 0), sample(&got->cover, x, y, 0), code, cover);
        strangers += is;
        among += all[i] == 2;
    }
    return strangers;
}

static int compare(int w, int h, int channels, int bits, int samples, int turn)
{
    scene s = make(w, h, channels, bits, samples, turn);
    int strangers = 0;

    spread(&s);
    for (int threads = 1; threads <= 3; threads += 2) {
        const laid_map got = laid_on(&s.picture, &s.map, &s.rims, radius, 1, threads);
        strangers = is_laid(&s, &got, threads);
    }
    return strangers;
}

static void strangers(void **state)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int bits = 8; bits <= 16; bits += 8) {
            const int turn = (channels + bits / 8) % TURNS, samples = channels / 2 + bits / 8;
            assert_true(compare(80, 40, channels, bits, samples, 0) > 20);
            assert_true(compare(70, 80, channels, bits, samples, turn) > 20);
            compare(33, 7, channels, bits, 1, turn);
        }
    assert_true(among > 20);
}

/* Doubt crosses the tiles that it spreads in, and reaches at most 1/128 of the longer side, or 8 pixels. */
static void far_reaches(void **state)
{
    for (int turn = 0; turn < TURNS; turn++) {
        assert_true(compare(260, 70, 3, 8, 3, turn) > 20);
        assert_true(compare(243, 70, 3, 8, 90, turn) > 20);
        assert_true(compare(1280, 40, 3, 8, 40, turn) > 20);
        assert_true(compare(41, 1152, 1, 8, 40, turn) > 20);
    }
}

/* Without sharp pixels farther away nothing is a stranger. */
static void nothing_sharp(void **state)
{
    assert_int_equal(compare(16, 9, 3, 8, 4, 0), 0);
    assert_int_equal(compare(2, 1, 1, 8, 2, 0), 0);
}

UNIT_MAIN_WITHIN(fill_radii, NULL, UNIT(strangers), UNIT(far_reaches), UNIT(nothing_sharp))
