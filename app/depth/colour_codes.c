#include "depth/colour_codes.h"

#include "image/pixels.h"
#include "image/shape.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Luma and two differences of colour, as JPEG has them, in quarters of a code. */
typedef struct tone {
    int y, b, r;
} tone;

enum {
    NOISE = 4800, /* a colour's square distance from its place on the scale in a JPEG, at most */
    LUMA = 2,     /* weights of luma's square; chroma's are 1 */
    LUMA_AT_EDGES = 8, /* where chroma is of the neighbours, too */
    STEP = 12,         /* most codes between neighbours that confirm each other */
    NEAR = 6,          /* codes to each side of a neighbour's that a doubtful pixel may have */
    FEWEST = 8,        /* codes that tell a scale */
    CACHE = 1 << 11
};

static const double least_share = 6.0 / 7;

typedef struct reader {
    const satb_image *map;
    colour_table table;
    tone tones[256];
    bool exact;
    struct {
        uint32_t colour; /* 0xrrggbb + 1; 0: none */
        int code, distance;
    } cache[CACHE];
} reader;

static tone tone_of(const uint8_t rgb[3])
{
    const int r = rgb[0], g = rgb[1], b = rgb[2];
    return (tone){(77 * r + 150 * g + 29 * b) / 64, (128 * b - 43 * r - 85 * g) / 64,
                  (128 * r - 107 * g - 21 * b) / 64};
}

static int tone_distance(const tone *p, const tone *q, int luma)
{
    const int y = p->y - q->y, b = p->b - q->b, r = p->r - q->r;
    return luma * y * y + b * b + r * r;
}

static void get_colour(const satb_image *map, int x, int y, uint8_t rgb[3])
{
    const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
    for (size_t c = 0; c < 3; c++)
        rgb[c] = (uint8_t)(picture_sample(map, row, (size_t)x * (size_t)map->channels + c) >>
                           (map->bits - 8));
}

/* Returns the largest difference of a channel. */
static int channel_distance(const uint8_t p[3], const uint8_t q[3])
{
    int most = 0;
    for (int c = 0; c < 3; c++)
        most = abs(p[c] - q[c]) > most ? abs(p[c] - q[c]) : most;
    return most;
}

static void reader_init(reader *r, const satb_image *map, colour_scale scale, bool rounded)
{
    memset(r, 0, sizeof *r);
    r->map = map;
    r->table = colour_scale_table(scale, rounded);
    for (int i = 0; i < 256; i++)
        r->tones[i] = tone_of(r->table.rgb[i]);
}

/* Returns the nearest of the codes that are allowed; allowed NULL: of all. */
static int nearest(const reader *r, const uint8_t rgb[3], const bool *allowed, int luma,
                   int *distance)
{
    const tone own = tone_of(rgb);
    int best = 0;
    *distance = INT_MAX;
    for (int i = 0; i < 256; i++) {
        const int d = tone_distance(&own, &r->tones[i], luma);
        if (d < *distance && (!allowed || allowed[i])) {
            best = i;
            *distance = d;
        }
    }
    return best;
}

/* Does the same for all codes. Colours occur again and again, and are remembered. */
static int nearest_known(reader *r, const uint8_t rgb[3], int *distance)
{
    const uint32_t colour = ((uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2]) + 1;
    const size_t at = (colour * 2654435761u) >> 21;
    if (r->cache[at].colour != colour) {
        r->cache[at].code = nearest(r, rgb, NULL, LUMA, &r->cache[at].distance);
        r->cache[at].colour = colour;
    }
    *distance = r->cache[at].distance;
    return r->cache[at].code;
}

/* --- Which scale ------------------------------------------------------------------------------ */

enum { SAMPLES = 64 }; /* to each side */

static void get_sample(const satb_image *map, int i, uint8_t rgb[3])
{
    const int64_t u = i % SAMPLES, v = i / SAMPLES;
    get_colour(map, (int)((2 * u + 1) * map->width / (2 * SAMPLES)),
               (int)((2 * v + 1) * map->height / (2 * SAMPLES)), rgb);
}

/* Returns whether the channels differ, so that the pixel is near to no black, gray or white. */
static bool is_vivid(const uint8_t rgb[3])
{
    const uint8_t grays[3] = {rgb[1], rgb[2], rgb[0]};
    return channel_distance(rgb, grays) > UINT8_MAX / 8;
}

/* What compare_table() has counted. */
typedef struct tally {
    int exact, fit, vivid, vivid_fit;
} tally;

/* Returns the share that fits, of all or of the vivid ones. Black alone, as in a photo of the night, fits several scales. */
static double share_of(const tally *t)
{
    const double all = t->fit / (double)(SAMPLES * SAMPLES);
    const double vivid = t->vivid > 0 ? t->vivid_fit / (double)t->vivid : 1;
    return all < vivid ? all : vivid;
}

static colour_match compare_table(const satb_image *map, colour_scale scale, bool rounded)
{
    colour_match m = {.scale = scale, .rounded = rounded};
    bool met[256] = {false};
    tally t = {0};
    reader r;
    reader_init(&r, map, scale, rounded);
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        uint8_t rgb[3];
        int distance;
        get_sample(map, i, rgb);
        const int code = nearest_known(&r, rgb, &distance);
        t.exact += channel_distance(rgb, r.table.rgb[code]) <= 1;
        t.vivid += is_vivid(rgb);
        if (distance > NOISE)
            continue;
        m.codes += !met[code];
        met[code] = true;
        m.distance += distance;
        t.fit++;
        t.vivid_fit += is_vivid(rgb);
    }
    m.share = share_of(&t);
    m.exact = 10 * t.exact >= 9 * SAMPLES * SAMPLES;
    m.distance = t.fit > 0 ? m.distance / t.fit : 0;
    return m;
}

/* Returns whether a fits better than b. */
static bool is_better(const colour_match *a, const colour_match *b)
{
    const bool fits = a->share >= least_share;
    if (a->exact != b->exact)
        return a->exact;
    if (fits != (b->share >= least_share))
        return fits;
    return fits ? a->distance < b->distance : a->share > b->share;
}

colour_match colour_compare(const satb_image *map, colour_scale scale)
{
    const colour_match cut = compare_table(map, scale, false);
    const colour_match rounded = compare_table(map, scale, true);
    return is_better(&rounded, &cut) ? rounded : cut;
}

/* Returns the mean difference of two scales' codes for the samples. */
static double disagreement(const satb_image *map, const colour_match *a, const colour_match *b)
{
    const bool turned =
        colour_scale_is_near_first(a->scale) != colour_scale_is_near_first(b->scale);
    reader one, other;
    double sum = 0;
    reader_init(&one, map, a->scale, a->rounded);
    reader_init(&other, map, b->scale, b->rounded);
    for (int i = 0; i < SAMPLES * SAMPLES; i++) {
        uint8_t rgb[3];
        int ignored;
        get_sample(map, i, rgb);
        const int p = nearest_known(&one, rgb, &ignored), q = nearest_known(&other, rgb, &ignored);
        sum += abs(p - (turned ? 255 - q : q));
    }
    return sum / (SAMPLES * SAMPLES);
}

colour_verdict colour_find(const satb_image *map, colour_match found[2])
{
    enum { ALIKE = 8 }; /* codes apart, where it does not matter which scale it is */
    found[0] = found[1] = (colour_match){0};
    for (int s = 0; s < COLOUR_SCALES; s++) {
        const colour_match m = colour_compare(map, (colour_scale)s);
        if (is_better(&m, &found[0]) || s == 0) {
            found[1] = found[0];
            found[0] = m;
        } else if (is_better(&m, &found[1]) || s == 1) {
            found[1] = m;
        }
    }
    const colour_match *const a = &found[0], *const b = &found[1];
    if (a->share < least_share || a->codes < FEWEST)
        return COLOURS_UNKNOWN;
    if (a->exact != b->exact || b->share < least_share || b->distance > 2 * a->distance)
        return COLOURS_FOUND;
    return disagreement(map, a, b) <= ALIKE ? COLOURS_FOUND : COLOURS_AMBIGUOUS;
}

/* --- Codes ------------------------------------------------------------------------------------ */

/* Reads the code of each pixel alone. fits: whether its colour is near to the code's. */
static void read_pixels(reader *r, uint8_t *codes, uint8_t *fits)
{
    size_t at = 0;
    for (int y = 0; y < r->map->height; y++)
        for (int x = 0; x < r->map->width; x++, at++) {
            uint8_t rgb[3];
            int distance;
            get_colour(r->map, x, y, rgb);
            const int code = nearest_known(r, rgb, &distance);
            codes[at] = (uint8_t)code;
            fits[at] =
                r->exact ? channel_distance(rgb, r->table.rgb[code]) <= 2 : distance <= NOISE;
        }
}

typedef struct field {
    const uint8_t *codes, *fits;
    int width, height;
} field;

static bool is_inside(const field *f, int x, int y)
{
    return x >= 0 && y >= 0 && x < f->width && y < f->height;
}

/* Returns whether a pixel of a JPEG fits, and the neighbours to its four sides confirm it. */
static bool is_certain(const field *f, int x, int y)
{
    static const int sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
    bool certain = f->fits[at];
    for (int i = 0; certain && i < 4; i++) {
        const int u = x + sides[i][0], v = y + sides[i][1];
        const size_t other = (size_t)v * (size_t)f->width + (size_t)u;
        certain =
            !is_inside(f, u, v) || (f->fits[other] && abs(f->codes[at] - f->codes[other]) <= STEP);
    }
    return certain;
}

/* What is known of a pixel. UNREACHED: neither its colour nor a pixel around tells its code. */
enum { DOUBTFUL, CERTAIN, UNREACHED };

/* Allows the codes around those of the certain pixels within a distance. Returns how many pixels these are. */
static int allow_around(const field *f, const uint8_t *certain, int x, int y, int reach,
                        bool allowed[256])
{
    int count = 0;
    memset(allowed, 0, 256 * sizeof *allowed);
    for (int v = y - reach; v <= y + reach; v++)
        for (int u = x - reach; u <= x + reach; u++) {
            if (!is_inside(f, u, v) || certain[(size_t)v * (size_t)f->width + (size_t)u] != CERTAIN)
                continue;
            const int code = f->codes[(size_t)v * (size_t)f->width + (size_t)u];
            const int from = code > NEAR ? code - NEAR : 0;
            const int to = code < UINT8_MAX - NEAR ? code + NEAR : UINT8_MAX;
            memset(allowed + from, 1, (size_t)(to - from + 1) * sizeof *allowed);
            count++;
        }
    return count;
}

/* Gives a doubtful pixel the best of the codes around, or its own where nothing around is certain. Adds to *foreign. */
static void settle(const reader *r, const field *f, uint8_t *certain, int x, int y, uint8_t *codes,
                   size_t *foreign)
{
    enum { ENOUGH = 3, FIRST = 3, LAST = 12 };
    const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
    bool allowed[256];
    uint8_t rgb[3];
    int ignored;
    get_colour(r->map, x, y, rgb);
    for (int reach = FIRST; reach <= LAST; reach *= 2) {
        if (allow_around(f, certain, x, y, reach, allowed) >= ENOUGH) {
            codes[at] = (uint8_t)nearest(r, rgb, allowed, LUMA_AT_EDGES, &ignored);
            return;
        }
        *foreign += reach == FIRST && !f->fits[at];
    }
    codes[at] = f->codes[at];
    if (!f->fits[at])
        certain[at] = UNREACHED;
}

/* Gives an unreached pixel the code of a neighbour, if that has one. */
static void copy_code(uint8_t *state, uint8_t *codes, size_t at, size_t from)
{
    if (state[at] != UNREACHED || state[from] == UNREACHED)
        return;
    codes[at] = codes[from];
    state[at] = DOUBTFUL;
}

/* Spreads codes over the unreached pixels: to the right and downwards, then to the left and upwards. */
static void spread(const field *f, uint8_t *state, uint8_t *codes)
{
    const size_t width = (size_t)f->width, count = width * (size_t)f->height;
    for (size_t at = 1; at < count; at++) {
        if (at % width > 0)
            copy_code(state, codes, at, at - 1);
        if (at >= width)
            copy_code(state, codes, at, at - width);
    }
    for (size_t at = count - 1; at-- > 0;) {
        if ((at + 1) % width > 0)
            copy_code(state, codes, at, at + 1);
        if (at + width < count)
            copy_code(state, codes, at, at + width);
    }
}

/* Returns the number of foreign pixels. */
static size_t mend_pixels(const reader *r, const field *f, uint8_t *certain, uint8_t *codes)
{
    size_t at = 0, foreign = 0;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++, at++)
            certain[at] = r->exact ? f->fits[at] : is_certain(f, x, y);
    at = 0;
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++, at++) {
            codes[at] = f->codes[at];
            if (certain[at] == DOUBTFUL)
                settle(r, f, certain, x, y, codes, &foreign);
        }
    spread(f, certain, codes);
    return foreign;
}

bool colour_read(const satb_image *map, const colour_match *match, uint8_t *codes, size_t *foreign)
{
    const size_t count = (size_t)map->width * (size_t)map->height;
    uint8_t *const scratch = pixels_allocate(3 * count);
    reader r;
    if (!scratch)
        return false;
    uint8_t *const fits = scratch + count, *const certain = fits + count;
    const field f = {scratch, fits, map->width, map->height};
    reader_init(&r, map, match->scale, match->rounded);
    r.exact = match->exact;
    read_pixels(&r, scratch, fits);
    *foreign = mend_pixels(&r, &f, certain, codes);
    pixels_free(scratch);
    return true;
}

void colour_unpack(const satb_image *map, bool red_is_low, uint16_t *codes)
{
    const uint32_t full = 0xffffff;
    const int high = red_is_low ? 2 : 0, low = 2 - high;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            uint8_t rgb[3];
            get_colour(map, x, y, rgb);
            const uint32_t value = (uint32_t)rgb[high] << 16 | (uint32_t)rgb[1] << 8 | rgb[low];
            *codes++ = (uint16_t)(((uint64_t)value * UINT16_MAX + full / 2) / full);
        }
}
