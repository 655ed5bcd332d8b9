#include "depth_votes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLOUR_SHIFT = 4, /* squared distances of colours: 16 to an entry */
    LOW_BITS = (1 << COLOUR_SHIFT) - 1,
    COLOURS = 3 * 255 * 255 / (1 << COLOUR_SHIFT) + 1
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

static satb_colours colours_of(const satb_image *picture)
{
    const uint16_t one = 1;
    const size_t sample = (size_t)picture->bits / 8;
    const size_t high = sample == 2 && *(const uint8_t *)&one == 1; /* its more significant byte */
    const size_t next = picture->channels > 2 ? sample : 0;

    return (satb_colours){.data = picture->data,
                          .stride = picture->stride,
                          .pixel = (size_t)picture->channels * sample,
                          .rgb = {high, high + next, high + 2 * next}};
}

typedef struct cell { /* pixels x0 .. x1, y0 .. y1 */
    int x0, y0, x1, y1;
} cell;

static void mean_colour(const satb_colours *pixels, const cell *c, uint8_t *mean)
{
    const uint64_t count = (uint64_t)(c->x1 - c->x0 + 1) * (uint64_t)(c->y1 - c->y0 + 1);
    uint64_t sum[3] = {0};

    for (int j = c->y0; j <= c->y1; j++)
        for (int i = c->x0; i <= c->x1; i++) {
            const uint32_t colour = satb_colour_of(pixels, i, j);
            for (int k = 0; k < 3; k++)
                sum[k] += colour >> 8 * k & 255;
        }
    for (int k = 0; k < 3; k++)
        mean[k] = (uint8_t)((sum[k] + count / 2) / count);
}

/* From quarter i of an axis of n samples to its pixel, of `pixels`. */
static int pixel_of(int64_t i, int n, int pixels)
{
    return (int)(i * pixels / (4 * (int64_t)n));
}

/* The mean colour of the middle half of a sample's cell: less of what is beside it. */
static void row_means(const satb_votes *f, int y, const uint64_t *heard)
{
    const satb_image *const p = f->picture;
    const int w = f->map.width, h = f->map.height;
    uint8_t *const means = (uint8_t *)f->means + 3 * (size_t)y * (size_t)w;
    cell c = {.y0 = pixel_of(4 * (int64_t)y + 1, h, p->height),
              .y1 = pixel_of(4 * (int64_t)y + 3, h, p->height)};

    for (int x = 0; x < w; x++) {
        if (!(heard[x / 64] >> x % 64 & 1))
            continue;
        c.x0 = pixel_of(4 * (int64_t)x + 1, w, p->width);
        c.x1 = pixel_of(4 * (int64_t)x + 3, w, p->width);
        mean_colour(&f->pixels, &c, means + 3 * (size_t)x);
    }
}

/* --- Voices ----------------------------------------------------------------------------------- */

/* Which of the 5 x 5 vote: bits, by places. */
static uint64_t voters_of(const satb_votes *f, int x, int y)
{
    const int left = SATB_HEARING - x, right = x + SATB_HEARING - (f->map.width - 1);
    uint32_t within = (1u << SATB_SIDE) - 1;
    uint64_t loud = 0, all = 0;

    if (left > 0)
        within &= within << left;
    if (right > 0)
        within &= within >> right;
    for (int j = 0; j < SATB_SIDE; j++) {
        const int row = y - SATB_HEARING + j;
        if (row < 0 || row >= f->map.height)
            continue;
        const uint32_t mute = bits_from(satb_bit_row(f, f->mute, row), x - SATB_HEARING);
        all |= (uint64_t)within << SATB_LANES * j;
        loud |= (uint64_t)(within & ~mute) << SATB_LANES * j;
    }
    return loud ? loud : all;
}

typedef struct voter {
    uint16_t code;
    uint8_t place, shift; /* shift: 8 times its bin */
} voter;

/* Their codes, and the extremes of these. Returns how many there are. */
static int find_voters(const satb_votes *f, int x, int y, voter *voters, satb_voices *v)
{
    const satb_image map = f->map;
    const ptrdiff_t sample = map.bits / 8;
    const ptrdiff_t corner = (y - SATB_HEARING) * map.stride + (x - SATB_HEARING) * sample;
    const uint32_t scale = f->scale;
    uint32_t low = UINT32_MAX, high = 0;
    int count = 0;

    for (uint64_t bits = voters_of(f, x, y); bits; bits &= bits - 1, count++) {
        const int place = __builtin_ctzll(bits);
        const uint8_t *const at =
            (const uint8_t *)map.data +
            (corner + place / SATB_LANES * map.stride + place % SATB_LANES * sample);
        const uint32_t code = scale * (sample == 1 ? *at : *(const uint16_t *)at);
        voters[count] = (voter){.code = (uint16_t)code, .place = (uint8_t)place};
        low = code < low ? code : low;
        high = code > high ? code : high;
    }
    v->low = low;
    v->high = high;
    return count;
}

/* The voters become voices, ordered by bins. A bin has a byte of `sizes` and of `next`, which are
 * running sums by that product: a counting sort without memory. corner: bytes to the first one's colour. */
static void order(const satb_colours *colours, ptrdiff_t corner, voter *voters, int count,
                  satb_voices *v)
{
    const uint32_t bins = (SATB_VOTE_BINS << 16) / (v->high - v->low + 1), low = v->low;
    const satb_colours c = *colours;
    uint64_t sizes = 0;

    for (int k = 0; k < count; k++) {
        voters[k].shift = (uint8_t)(8 * ((voters[k].code - low) * bins >> 16));
        sizes += (uint64_t)1 << voters[k].shift;
    }
    uint64_t next = sizes * 0x0101010101010100;
    for (int b = 0; b < SATB_VOTE_BINS; b++)
        v->first[b] = (uint8_t)(next >> 8 * b);
    v->first[SATB_VOTE_BINS] = (uint8_t)count;
    for (int k = 0; k < count; k++) {
        const size_t to = next >> voters[k].shift & 255;
        const int place = voters[k].place;
        const uint8_t *const pixel = c.data + (corner + place / SATB_LANES * c.stride +
                                               place % SATB_LANES * (ptrdiff_t)c.pixel);
        next += (uint64_t)1 << voters[k].shift;
        v->code[to] = voters[k].code;
        v->place[to] = voters[k].place;
        v->red[to] = pixel[c.rgb[0]];
        v->green[to] = pixel[c.rgb[1]];
        v->blue[to] = pixel[c.rgb[2]];
    }
}

void satb_hear(const satb_votes *f, int x, int y, satb_voices *v)
{
    const satb_colours *const c = &f->samples;
    voter voters[SATB_SIDE * SATB_SIDE];
    const int count = find_voters(f, x, y, voters, v);

    order(c, (y - SATB_HEARING) * c->stride + (x - SATB_HEARING) * (ptrdiff_t)c->pixel, voters,
          count, v);
}

/* --- Votes ------------------------------------------------------------------------------------ */

void satb_come_close(int away, uint16_t close[SATB_LANES])
{
    memset(close, 0, SATB_LANES * sizeof *close);
    for (int i = 0; i < SATB_SIDE; i++)
        close[i] =
            (uint16_t)((SATB_HEARING + 1) * SATB_STEP - abs((i - SATB_HEARING) * SATB_STEP - away));
}

static inline uint16_t squared(uint16_t a, uint16_t b)
{
    const uint16_t off = (uint16_t)(a - b); /* modulo 2^16: its square fits */

    return (uint16_t)((uint32_t)off * off);
}

/* How far the voices' colours are from one: the sum of squares over 2^COLOUR_SHIFT. Sixteen bits are
 * enough for the quotients, and for what remains of them. */
static void colours_away(const satb_voices *v, uint32_t colour, uint16_t *out)
{
    const uint16_t red = colour & 255, green = colour >> 8 & 255, blue = colour >> 16 & 255;

    for (int k = 0; k < SATB_VOICES; k++) {
        const uint16_t r = squared(v->red[k], red);
        const uint16_t g = squared(v->green[k], green);
        const uint16_t b = squared(v->blue[k], blue);
        const uint16_t rest = (uint16_t)((r & LOW_BITS) + (g & LOW_BITS) + (b & LOW_BITS));
        out[k] = (uint16_t)((r >> COLOUR_SHIFT) + (g >> COLOUR_SHIFT) + (b >> COLOUR_SHIFT) +
                            (rest >> COLOUR_SHIFT));
    }
}

/* Votes are summed up over all voices, so that a bin's are a difference. They fit 32 bits: of the
 * closenesses the sum is at most 81 * 2^8, a likeness is at most 2^16 + 1. */
uint32_t satb_vote(const satb_votes *f, const satb_voices *v, const satb_point *p,
                   uint32_t *support)
{
    uint32_t votes[SATB_VOICES], most = 0;
    uint64_t codes[SATB_VOICES];
    uint16_t away[SATB_VOICES], close[SATB_SIDE * SATB_LANES];
    const uint8_t *const first = v->first;
    int best = 0;

    if (!support && v->low == v->high)
        return v->low;
    colours_away(v, p->colour, away);
    for (int j = 0; j < SATB_SIDE; j++)
        for (int i = 0; i < SATB_LANES; i++)
            close[SATB_LANES * j + i] = (uint16_t)((uint32_t)p->x[i] * p->y[j] >> 8);
    votes[0] = 0;
    codes[0] = 0;
    for (int k = 0; k < first[SATB_VOTE_BINS]; k++) {
        const uint32_t vote = close[v->place[k]] * f->likeness[away[k]];
        votes[k + 1] = votes[k] + vote;
        codes[k + 1] = codes[k] + (uint64_t)vote * v->code[k];
    }
    for (int b = 0; b < SATB_VOTE_BINS - 1; b++) { /* of equals the larger code */
        const uint32_t both = votes[first[b + 2]] - votes[first[b]];
        best = both >= most ? b : best;
        most = both >= most ? both : most;
    }
    if (support)
        *support = most;
    return (uint32_t)((codes[first[best + 2]] - codes[first[best]] + most / 2) / most);
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
                      .pixels = colours_of(picture),
                      .samples = colours_of(picture),
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
    f->means = malloc(3 * samples); /* hardly any of it is touched */
    if (!f->means)
        return 0;
    f->samples = colours_of(&(satb_image){
        .data = f->means, .stride = 3 * (ptrdiff_t)map->width, .channels = 3, .bits = 8});
#pragma omp parallel num_threads(threads) reduction(& : whole)
    {
        uint64_t *const heard = malloc(f->words * sizeof *heard);
        whole = heard != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < map->height; y++) {
            if (!heard)
                continue;
            satb_bits_around(f, bits, y, reach, heard);
            row_means(f, y, heard);
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
    free(f->means);
    free(f->likeness);
}
