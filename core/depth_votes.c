#include "depth_votes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINS = 8,         /* of the voters' range of codes; two neighbours are one surface */
    COLOUR_SHIFT = 4, /* squared distances of colours: 16 to an entry */
    COLOURS = 3 * 255 * 255 / (1 << COLOUR_SHIFT) + 1,
    VOTERS = SATB_SIDE * SATB_SIDE
};

/* How far a surface's colours are apart, 8-bit codes: the standard deviation of a channel. */
static const double ALIKE = 12;

/* --- Bits ------------------------------------------------------------------------------------- */

void satb_bits_around(const satb_votes *f, const uint64_t *bits, int y, int reach, uint64_t *out)
{
    const size_t count = f->words - 2;
    const int last = y + reach < f->map.height ? y + reach : f->map.height - 1;
    const unsigned rest = (unsigned)f->map.width % 64;

    memset(out, 0, count * sizeof *out);
    for (int j = y > reach ? y - reach : 0; j <= last; j++) {
        const uint64_t *const row = satb_bit_row(f, bits, j);
        for (size_t i = 0; i < count; i++)
            out[i] |= row[i];
    }
    uint64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = out[i], after = i + 1 < count ? out[i + 1] : 0;
        for (int k = 1; k <= reach; k++)
            out[i] |= here << k | before >> (64 - k) | here >> k | after << (64 - k);
        before = here;
    }
    if (rest > 0)
        out[count - 1] &= ((uint64_t)1 << rest) - 1;
}

/* The bits of samples x .. x + SATB_SIDE - 1, of which some may lie beside the row. */
static uint32_t bits_from(const uint64_t *row, int x)
{
    const int word = x < 0 ? -1 : x / 64;
    const unsigned shift = (unsigned)x % 64;
    const uint64_t beyond = shift > 64 - SATB_SIDE ? row[word + 1] << (64 - shift) : 0;

    return (uint32_t)(row[word] >> shift | beyond) & ((1u << SATB_SIDE) - 1);
}

/* --- Colours ---------------------------------------------------------------------------------- */

static inline uint32_t colour_at(const void *row, int x, int channels, int bits)
{
    const size_t at = (size_t)x * (size_t)channels;
    const uint8_t *const s = (const uint8_t *)row + at;
    const uint16_t *const t = (const uint16_t *)row + at;

    if (channels > 2)
        return bits == 8 ? s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16
                         : t[0] >> 8 | (t[1] & 0xff00u) | (t[2] & 0xff00u) << 8;
    return (bits == 8 ? s[0] : t[0] >> 8) * 0x10101u;
}

uint32_t satb_colour_of(const satb_image *picture, int x, int y)
{
    return colour_at((const uint8_t *)picture->data + y * picture->stride, x, picture->channels,
                     picture->bits);
}

typedef struct cell { /* pixels x0 .. x1, y0 .. y1 */
    int x0, y0, x1, y1;
} cell;

static uint32_t mean_colour(const satb_image *picture, const cell *c)
{
    const uint64_t count = (uint64_t)(c->x1 - c->x0 + 1) * (uint64_t)(c->y1 - c->y0 + 1);
    uint64_t sum[3] = {0};
    uint32_t mean = 0;

    for (int j = c->y0; j <= c->y1; j++)
        for (int i = c->x0; i <= c->x1; i++) {
            const uint32_t colour = satb_colour_of(picture, i, j);
            for (int k = 0; k < 3; k++)
                sum[k] += colour >> 8 * k & 255;
        }
    for (int k = 0; k < 3; k++)
        mean |= (uint32_t)((sum[k] + count / 2) / count) << 8 * k;
    return mean;
}

/* From quarter i of an axis of n samples to its pixel, of `pixels`. */
static int pixel_of(int64_t i, int n, int pixels)
{
    return (int)(i * pixels / (4 * (int64_t)n));
}

/* The mean colour of the middle half of a sample's cell: less of what is beside it. */
static void row_colours(const satb_votes *f, int y, const uint64_t *heard)
{
    const satb_image *const p = f->picture;
    const int w = f->map.width, h = f->map.height;
    cell c = {.y0 = pixel_of(4 * (int64_t)y + 1, h, p->height),
              .y1 = pixel_of(4 * (int64_t)y + 3, h, p->height)};

    for (int x = 0; x < w; x++) {
        if (!(heard[x / 64] >> x % 64 & 1))
            continue;
        c.x0 = pixel_of(4 * (int64_t)x + 1, w, p->width);
        c.x1 = pixel_of(4 * (int64_t)x + 3, w, p->width);
        f->colour[(size_t)y * (size_t)w + (size_t)x] = mean_colour(p, &c);
    }
}

uint32_t satb_voter_colour(const satb_votes *f, int x, int y)
{
    return f->colour ? f->colour[(size_t)y * (size_t)f->map.width + (size_t)x]
                     : satb_colour_of(f->picture, x, y);
}

/* --- Voices ----------------------------------------------------------------------------------- */

/* Which of the 5 x 5 vote: a bit for each, row by row. */
static uint32_t voters_of(const satb_votes *f, int x, int y)
{
    const int left = SATB_HEARING - x, right = x + SATB_HEARING - (f->map.width - 1);
    uint32_t within = (1u << SATB_SIDE) - 1, loud = 0, all = 0;

    if (left > 0)
        within &= within << left;
    if (right > 0)
        within &= within >> right;
    for (int j = 0; j < SATB_SIDE; j++) {
        const int row = y - SATB_HEARING + j;
        if (row < 0 || row >= f->map.height)
            continue;
        const uint32_t mute = bits_from(satb_bit_row(f, f->mute, row), x - SATB_HEARING);
        all |= within << SATB_SIDE * j;
        loud |= (within & ~mute) << SATB_SIDE * j;
    }
    return loud ? loud : all;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* Codes and colours of the 5 x 5; those beside the map have any. */
static void look_around(const satb_votes *f, int x, int y, satb_voices *v)
{
    const satb_image *const map = &f->map;
    size_t column[SATB_SIDE];

    for (int i = 0; i < SATB_SIDE; i++)
        column[i] = (size_t)clamped(x - SATB_HEARING + i, map->width);
    for (int j = 0; j < SATB_SIDE; j++) {
        const int at = clamped(y - SATB_HEARING + j, map->height);
        const uint8_t *const row = (const uint8_t *)map->data + at * map->stride;
        for (int i = 0; i < SATB_SIDE; i++) {
            const int k = SATB_SIDE * j + i;
            const uint32_t code =
                map->bits == 8 ? row[column[i]] : ((const uint16_t *)row)[column[i]];
            const uint32_t colour = satb_voter_colour(f, (int)column[i], at);
            v->code[k] = (uint16_t)(code * f->scale);
            v->colour[0][k] = (uint8_t)colour;
            v->colour[1][k] = (uint8_t)(colour >> 8);
            v->colour[2][k] = (uint8_t)(colour >> 16);
        }
    }
}

void satb_hear(const satb_votes *f, int x, int y, satb_voices *v)
{
    const uint32_t voters = voters_of(f, x, y);
    uint16_t low = UINT16_MAX, high = 0;

    look_around(f, x, y, v);
    for (int k = 0; k < VOTERS; k++)
        v->counts[k] = (uint16_t) - (voters >> k & 1);
    for (int k = 0; k < SATB_VOICES; k++) {
        const uint16_t least = (uint16_t)(v->code[k] | ~v->counts[k]);
        const uint16_t most = v->code[k] & v->counts[k];
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    const uint32_t bins = (BINS << 16) / (high - low + 1u);
    for (int k = 0; k < SATB_VOICES; k++) {
        const uint16_t above = (uint16_t)((v->code[k] - low) & v->counts[k]);
        v->bin[k] = (uint16_t)(above * bins >> 16);
    }
    v->low = low;
    v->high = high;
}

/* --- Votes ------------------------------------------------------------------------------------ */

void satb_come_close(int away, uint16_t close[SATB_SIDE])
{
    for (int i = 0; i < SATB_SIDE; i++)
        close[i] =
            (uint16_t)((SATB_HEARING + 1) * SATB_STEP - abs((i - SATB_HEARING) * SATB_STEP - away));
}

/* Sums fit 32 bits: those of the places are at most 81 * 2^8, a likeness is at most 2^16 + 1. */
static void weigh(const satb_votes *f, const satb_voices *v, const satb_point *p, uint32_t *votes)
{
    const int red = p->colour & 255, green = p->colour >> 8 & 255, blue = p->colour >> 16 & 255;
    uint32_t distance[SATB_VOICES];

    for (int k = 0; k < SATB_VOICES; k++) {
        const int16_t r = (int16_t)(v->colour[0][k] - red);
        const int16_t g = (int16_t)(v->colour[1][k] - green);
        const int16_t b = (int16_t)(v->colour[2][k] - blue);
        distance[k] = (uint32_t)(r * r) + (uint32_t)(g * g) + (uint32_t)(b * b);
    }
    for (int j = 0; j < SATB_SIDE; j++)
        for (int i = 0; i < SATB_SIDE; i++) {
            const int k = SATB_SIDE * j + i;
            const uint32_t place = (uint32_t)p->x[i] * p->y[j] >> 8 & v->counts[k];
            votes[k] = place * f->likeness[distance[k] >> COLOUR_SHIFT];
        }
}

uint32_t satb_vote(const satb_votes *f, const satb_voices *v, const satb_point *p,
                   uint32_t *support)
{
    uint32_t votes[SATB_VOICES] = {0};
    uint32_t weight[2][BINS] = {0}; /* two, since the same bin twice has to wait */
    uint64_t sum = 0;
    int best = 0;

    if (!support && v->low == v->high)
        return v->low;
    weigh(f, v, p, votes);
    for (int k = 0; k <= VOTERS; k++)
        weight[k % 2][v->bin[k]] += votes[k];
    for (int b = 0; b < BINS; b++)
        weight[0][b] += weight[1][b];
    for (int b = 1; b < BINS - 1; b++) /* of equals the larger code */
        if (weight[0][b] + weight[0][b + 1] >= weight[0][best] + weight[0][best + 1])
            best = b;
    for (int k = 0; k < SATB_VOICES; k++)
        if (v->bin[k] == best || v->bin[k] == best + 1)
            sum += (uint64_t)votes[k] * v->code[k];
    const uint32_t total = weight[0][best] + weight[0][best + 1];
    if (support)
        *support = total;
    return (uint32_t)((sum + total / 2) / total);
}

/* --- Life ------------------------------------------------------------------------------------- */

static void fill_likeness(uint32_t *likeness)
{
    const double spread = 2 * 3 * ALIKE * ALIKE;

    for (int i = 0; i < COLOURS; i++)
        likeness[i] = 1 + (uint32_t)(65536 * exp(-(i * (1 << COLOUR_SHIFT)) / spread) + 0.5);
}

int satb_open_votes(satb_votes *f, const satb_image *map, const satb_image *picture, uint32_t scale)
{
    const size_t words = (size_t)(map->width + 63) / 64 + 2, all = words * (size_t)map->height;

    *f = (satb_votes){.map = *map,
                      .scale = scale,
                      .picture = picture,
                      .words = words,
                      .edge = calloc(all, sizeof *f->edge),
                      .mute = calloc(all, sizeof *f->mute)};
    return f->edge && f->mute;
}

int satb_call_votes(satb_votes *f, const uint64_t *bits, int reach, int threads)
{
    const satb_image *const map = &f->map, *const picture = f->picture;
    const size_t samples = (size_t)map->width * (size_t)map->height;
    int whole = 1;

    f->likeness = malloc(COLOURS * sizeof *f->likeness);
    if (!f->likeness)
        return 0;
    fill_likeness(f->likeness);
    if (map->width == picture->width && map->height == picture->height)
        return 1;
    f->colour = malloc(samples * sizeof *f->colour); /* hardly any of it is touched */
    if (!f->colour)
        return 0;
#pragma omp parallel num_threads(threads) reduction(& : whole)
    {
        uint64_t *const heard = malloc(f->words * sizeof *heard);
        whole = heard != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < map->height; y++) {
            if (!heard)
                continue;
            satb_bits_around(f, bits, y, reach, heard);
            row_colours(f, y, heard);
        }
        free(heard);
    }
    return whole;
}

void satb_close_votes(satb_votes *f)
{
    free(f->owned);
    free(f->edge);
    free(f->mute);
    free(f->colour);
    free(f->likeness);
}
