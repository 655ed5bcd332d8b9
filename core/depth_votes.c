#include "depth_votes.h"

#include "plane.h"

#include <math.h>
#include <stdlib.h>

enum {
    BINS = 8,         /* of the voters' range of codes; two neighbours are one surface */
    COLOUR_SHIFT = 4, /* squared distances of colours: 16 to an entry */
    COLOURS = 3 * 255 * 255 / (1 << COLOUR_SHIFT) + 1
};

/* How far a surface's colours are apart, 8-bit codes: the standard deviation of a channel. */
static const double ALIKE = 12;

/* --- Samples ---------------------------------------------------------------------------------- */

static void copy_codes(const satb_votes *f, const satb_image *map, uint32_t scale, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < f->height; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        uint16_t *const to = f->depth + (size_t)y * (size_t)f->width;
        for (int x = 0; x < f->width; x++)
            to[x] =
                (uint16_t)(scale * satk_code(row, (size_t)x * (size_t)map->channels, map->bits));
    }
}

/* 8-bit red, green and blue of a pixel; gray is three equal ones. */
void satb_colour_of(const satb_image *picture, int x, int y, uint32_t *rgb)
{
    const uint8_t *const row = (const uint8_t *)picture->data + y * picture->stride;
    const int colours = picture->channels > 2 ? 3 : 1;

    for (int c = 0; c < 3; c++) {
        const size_t at = (size_t)x * (size_t)picture->channels + (size_t)(c % colours);
        rgb[c] = satk_code(row, at, picture->bits) >> (picture->bits - 8);
    }
}

/* The mean colour of the middle half of a sample's cell: less of what is beside it. */
static void sample_colour(const satb_votes *f, int x, int y, uint8_t *out)
{
    const satb_image *const p = f->picture;
    const int x0 = (int)((4 * (int64_t)x + 1) * p->width / (4 * (int64_t)f->width));
    const int x1 = (int)((4 * (int64_t)x + 3) * p->width / (4 * (int64_t)f->width));
    const int y0 = (int)((4 * (int64_t)y + 1) * p->height / (4 * (int64_t)f->height));
    const int y1 = (int)((4 * (int64_t)y + 3) * p->height / (4 * (int64_t)f->height));
    uint64_t sum[3] = {0}, count = 0;

    for (int j = y0; j <= y1; j++)
        for (int i = x0; i <= x1; i++, count++) {
            uint32_t rgb[3];
            satb_colour_of(p, i, j, rgb);
            for (int c = 0; c < 3; c++)
                sum[c] += rgb[c];
        }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)((sum[c] + count / 2) / count);
}

void satb_voter_colours(const satb_votes *f, int threads)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (int y = 0; y < (f->colour ? f->height : 0); y++)
        for (int x = 0; x < f->width; x++) {
            const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
            if (f->kind[at] & SATB_HEARD)
                sample_colour(f, x, y, f->colour + 3 * at);
        }
}

/* Adds a bit to the samples within reach of one. */
void satb_mark_around(const satb_votes *f, int x, int y, int reach, uint8_t bit)
{
    for (int j = y > reach ? y - reach : 0; j <= y + reach && j < f->height; j++)
        for (int i = x > reach ? x - reach : 0; i <= x + reach && i < f->width; i++)
            f->kind[(size_t)j * (size_t)f->width + (size_t)i] |= bit;
}

/* --- Votes ------------------------------------------------------------------------------------ */

typedef struct window { /* samples x0 .. x1, y0 .. y1 */
    int x0, y0, x1, y1;
} window;

static window window_at(const satb_votes *f, int x, int y)
{
    return (window){.x0 = x > SATB_HEARING ? x - SATB_HEARING : 0,
                    .y0 = y > SATB_HEARING ? y - SATB_HEARING : 0,
                    .x1 = x + SATB_HEARING < f->width ? x + SATB_HEARING : f->width - 1,
                    .y1 = y + SATB_HEARING < f->height ? y + SATB_HEARING : f->height - 1};
}

static size_t index_of(const satb_votes *f, int x, int y)
{
    return (size_t)y * (size_t)f->width + (size_t)x;
}

/* The extremes of the codes without this kind. 0: there are none. */
static int extremes(const satb_votes *f, const window *w, int mute, uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX;
    *high = 0;
    for (int j = w->y0; j <= w->y1; j++)
        for (int i = w->x0; i <= w->x1; i++) {
            const uint32_t code = f->depth[index_of(f, i, j)];
            if (f->kind[index_of(f, i, j)] & mute)
                continue;
            *low = code < *low ? code : *low;
            *high = code > *high ? code : *high;
        }
    return *low <= *high;
}

void satb_voter_colour(const satb_votes *f, int x, int y, uint32_t *rgb)
{
    if (!f->colour) {
        satb_colour_of(f->picture, x, y, rgb);
        return;
    }
    for (int c = 0; c < 3; c++)
        rgb[c] = f->colour[3 * index_of(f, x, y) + (size_t)c];
}

/* Of sample (x, y) and a colour, 1 .. 65537. */
static uint32_t likeness(const satb_votes *f, int x, int y, const uint32_t *rgb)
{
    uint32_t sample[3], sum = 0;

    satb_voter_colour(f, x, y, sample);
    for (int c = 0; c < 3; c++) {
        const int off = (int)sample[c] - (int)rgb[c];
        sum += (uint32_t)(off * off);
    }
    return f->likeness[sum >> COLOUR_SHIFT];
}

static uint64_t weight_of(const satb_votes *f, int i, int j, const satb_point *p)
{
    const int64_t far = (SATB_HEARING + 1) * SATB_STEP;
    const int64_t dx = far - llabs(i * (int64_t)SATB_STEP - p->u);
    const int64_t dy = far - llabs(j * (int64_t)SATB_STEP - p->v);

    return (uint64_t)(dx * dy >> 8) * likeness(f, i, j, p->rgb);
}

uint32_t satb_vote(const satb_votes *f, int x, int y, const satb_point *p, uint64_t *support)
{
    const window w = window_at(f, x, y);
    uint64_t sum[BINS] = {0}, weight[BINS] = {0};
    uint32_t low, high;
    int mute = SATB_MUTE, best = 0;

    if (!extremes(f, &w, mute, &low, &high)) {
        mute = 0;
        extremes(f, &w, mute, &low, &high);
    }
    const uint32_t bins = (BINS << 16) / (high - low + 1);
    for (int j = w.y0; j <= w.y1; j++)
        for (int i = w.x0; i <= w.x1; i++) {
            if (f->kind[index_of(f, i, j)] & mute)
                continue;
            const uint32_t code = f->depth[index_of(f, i, j)];
            const uint64_t votes = weight_of(f, i, j, p);
            sum[(code - low) * bins >> 16] += votes * code;
            weight[(code - low) * bins >> 16] += votes;
        }
    for (int b = 1; b < BINS - 1; b++) /* of equals the larger code */
        if (weight[b] + weight[b + 1] >= weight[best] + weight[best + 1])
            best = b;
    const uint64_t total = weight[best] + weight[best + 1];
    if (support)
        *support = total;
    return (uint32_t)((sum[best] + sum[best + 1] + total / 2) / total);
}

/* --- Life ------------------------------------------------------------------------------------- */

static void fill_likeness(uint32_t *likeness)
{
    const double spread = 2 * 3 * ALIKE * ALIKE;

    for (int i = 0; i < COLOURS; i++)
        likeness[i] = 1 + (uint32_t)(65536 * exp(-(i * (1 << COLOUR_SHIFT)) / spread) + 0.5);
}

int satb_open_votes(satb_votes *f, const satb_image *map, const satb_image *picture, uint32_t scale,
                    int threads)
{
    const size_t samples = (size_t)map->width * (size_t)map->height;
    const int same = map->width == picture->width && map->height == picture->height;

    *f = (satb_votes){.width = map->width,
                      .height = map->height,
                      .depth = malloc(samples * sizeof *f->depth),
                      .colour = same ? NULL : malloc(3 * samples),
                      .kind = calloc(samples, 1),
                      .likeness = malloc(COLOURS * sizeof *f->likeness),
                      .picture = picture};
    if (!f->depth || !f->kind || !f->likeness || (!same && !f->colour))
        return 0;
    fill_likeness(f->likeness);
    copy_codes(f, map, scale, threads);
    return 1;
}

void satb_close_votes(satb_votes *f)
{
    free(f->depth);
    free(f->colour);
    free(f->kind);
    free(f->likeness);
}
