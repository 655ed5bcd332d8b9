#include "depth/depth_votes.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "surface/surface_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The standard deviation of a surface's colours in a channel, in 8-bit codes. */
static const double ALIKE = 12;

enum { MEAN = 4 }; /* bytes of a mean colour, of which three count */

typedef struct span {
    int first, end;
} span;

/* --- Colours ---------------------------------------------------------------------------------- */

/* Returns the pixels of an axis that the middle half of sample i of n touches: from its first quarter, rounded down, to its
 * third, rounded up. All of a sample would show more of its neighbours. */
static span middle_of(int i, int n, int pixels)
{
    const int64_t first = (4 * (int64_t)i + 1) * pixels, end = (4 * (int64_t)i + 3) * pixels;
    const int64_t quarters = 4 * (int64_t)n;

    return (span){(int)(first / quarters), (int)((end + quarters - 1) / quarters)};
}

static void mean_colour(const satk_colours *c, span x, span y, const satk_divisor *count,
                        uint8_t *mean)
{
    uint32_t red = 0, green = 0, blue = 0;

    for (int j = y.first; j < y.end; j++) {
        const uint8_t *p = c->data + j * c->pitch + (size_t)x.first * c->pixel;
        __builtin_prefetch(p + 2 * (y.end - y.first) * c->pitch); /* of the next row of samples */
        for (int i = x.first; i < x.end; i++, p += c->pixel) {
            red += p[c->rgb[0]];
            green += p[c->rgb[1]];
            blue += p[c->rgb[2]];
        }
    }
    mean[0] = (uint8_t)satk_mean64(red, count);
    mean[1] = (uint8_t)satk_mean64(green, count);
    mean[2] = (uint8_t)satk_mean64(blue, count);
}

/* columns: by sample. */
static void row_means(const satb_votes *f, int y, const span *columns, const uint64_t *heard)
{
    const span rows = middle_of(y, f->map.height, f->picture->height);
    uint8_t *const means = f->means + MEAN * (size_t)y * (size_t)f->map.width;
    satk_divisor by = {0};

    for (size_t i = 0; i < f->mute.words - 2; i++)
        for (uint64_t bits = heard[i]; bits; bits &= bits - 1) {
            const size_t x = i * 64 + (size_t)__builtin_ctzll(bits);
            const span c = columns[x];
            const uint64_t count = (uint64_t)(c.end - c.first) * (uint64_t)(rows.end - rows.first);
            if (count != by.divisor)
                by = satk_divide_by(count, 0);
            mean_colour(&f->pixels, c, rows, &by, means + MEAN * x);
        }
}

/* --- Voters ----------------------------------------------------------------------------------- */

/* Returns a bit for each of the 5 x 5 that votes, row by row. */
static uint32_t voters_of(const satb_votes *f, int x, int y)
{
    const int left = x - SATK_HEARING, beyond = x + SATK_HEARING - (f->map.width - 1);
    const unsigned shift = (unsigned)left % 64;
    const uint64_t *const mute = satb_bit_row(&f->mute, 0) + (left + 64) / 64 - 1;
    uint32_t within = (1u << SATK_SIDE) - 1, loud = 0, all = 0;

    if (left < 0)
        within &= within << -left;
    if (beyond > 0)
        within &= within >> beyond;
    for (int j = 0; j < SATK_SIDE; j++) {
        const int row = y - SATK_HEARING + j;
        if (row < 0 || row >= f->map.height)
            continue;
        const uint64_t *const words = mute + (size_t)row * f->mute.words;
        const uint64_t quiet = words[0] >> shift | words[1] << 1 << (63 - shift);
        all |= within << SATK_SIDE * j;
        loud |= (within & ~(uint32_t)quiet) << SATK_SIDE * j;
    }
    return loud ? loud : all;
}

static inline int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* Gathers voters inside the map's columns. Four bytes are a colour. */
static inline __attribute__((always_inline)) void
gather(const satb_votes *f, int x, int y, int bits, int pixel, satk_poll *p, int place)
{
    const uint32_t scale = f->scale;
    const int left = x - SATK_HEARING;

    for (int j = 0; j < SATK_SIDE; j++) {
        const int row = clamped(y - SATK_HEARING + j, f->map.height);
        const uint8_t *const codes =
            (const uint8_t *)f->map.data + row * f->map.stride + left * (bits / 8);
        const uint8_t *const colours =
            f->samples.data + row * f->samples.pitch + (ptrdiff_t)left * pixel;
        uint32_t *const code = p->code[SATK_SIDE * j] + place;
        uint32_t *const colour = p->colour[SATK_SIDE * j] + place;
        for (int i = 0; i < SATK_SIDE; i++) {
            code[SATK_POINTS * i] = scale * (bits == 8 ? codes[i] : ((const uint16_t *)codes)[i]);
            memcpy(&colour[SATK_POINTS * i], colours + (ptrdiff_t)i * pixel, sizeof *colour);
        }
    }
}

/* Gathers voters anywhere. Those beside the map have no vote. */
static void gather_any(const satb_votes *f, int x, int y, satk_poll *p, int place)
{
    for (int k = 0; k < SATK_VOTERS; k++) {
        const int row = clamped(y - SATK_HEARING + k / SATK_SIDE, f->map.height);
        const int at = clamped(x - SATK_HEARING + k % SATK_SIDE, f->map.width);
        const uint8_t *const codes = (const uint8_t *)f->map.data + row * f->map.stride;
        p->code[k][place] = f->scale * satk_code(codes, (size_t)at, f->map.bits);
        p->colour[k][place] = satk_colour_of(&f->samples, at, row);
    }
}

#define GATHER(bits, pixel)                                                                        \
    static void gather##bits##_##pixel(const satb_votes *f, int x, int y, satk_poll *p, int place) \
    {                                                                                              \
        gather(f, x, y, bits, pixel, p, place);                                                    \
    }

GATHER(8, 3)
GATHER(8, 4)
GATHER(16, 3)
GATHER(16, 4)

void satb_hear(const satb_votes *f, int x, int y, satk_poll *p, int place)
{
    const int beyond = f->samples.beyond;
    const int within = x >= SATK_HEARING && x + SATK_HEARING + beyond < f->map.width;

    p->voters[place] = voters_of(f, x, y);
    if (beyond < 0 || !within)
        gather_any(f, x, y, p, place);
    else if (f->map.bits == 8)
        (f->samples.pixel == 3 ? gather8_3 : gather8_4)(f, x, y, p, place);
    else
        (f->samples.pixel == 3 ? gather16_3 : gather16_4)(f, x, y, p, place);
}

/* --- Life ------------------------------------------------------------------------------------- */

static uint32_t share_of(int away)
{
    const double spread = 2 * 3 * ALIKE * ALIKE;

    return (uint32_t)(0x1p31 * exp(-(away * 16) / spread) + 0.5);
}

void satb_fill_likeness(satk_likeness *likeness)
{
    for (int i = 0; i < 32; i++) {
        likeness->coarse[i] = share_of(32 * i);
        likeness->fine[i] = share_of(i);
    }
    for (int i = 0; i < SATK_LIKENESSES; i++) {
        const uint64_t product = (uint64_t)likeness->coarse[i / 32] * likeness->fine[i % 32];
        likeness->at[i] = 1 + (uint32_t)((product + ((uint64_t)1 << 45)) >> 46);
    }
}

int satb_open_votes(satb_context *context, satb_votes *f, const satb_image *map,
                    const satb_image *picture)
{
    const satk_plane plane = satb_plane_of(picture);
    const satk_colours pixels = satk_colours_of(&plane);

    *f = (satb_votes){.context = context,
                      .map = *map,
                      .scale = map->bits == 8 ? 257 : 1,
                      .picture = picture,
                      .pixels = pixels,
                      .samples = pixels,
                      .mute = satb_make_bits(&context->spares, map->width, map->height)};
    return f->mute.bits != NULL;
}

/* Returns 0 if memory ran out. */
static int find_means(const satb_votes *f, int reach, int threads)
{
    const int width = f->map.width;
    span *const columns = malloc((size_t)width * sizeof *columns);
    int whole = columns != NULL;

    for (int x = 0; whole && x < width; x++)
        columns[x] = middle_of(x, width, f->picture->width);
#pragma omp parallel num_threads(threads) reduction(& : whole)
    {
        uint64_t *const heard = malloc(f->mute.words * sizeof *heard);
        whole &= heard != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < f->map.height; y++) {
            if (!heard || !columns)
                continue;
            satb_bits_around(&f->mute, y, reach, heard);
            row_means(f, y, columns, heard);
        }
        free(heard);
    }
    free(columns);
    return whole;
}

int satb_call_votes(satb_votes *f, int reach, int threads)
{
    const satb_image *const map = &f->map, *const picture = f->picture;
    const size_t samples = (size_t)map->width * (size_t)map->height;

    satb_fill_likeness(&f->alike);
    if (map->width == picture->width && map->height == picture->height)
        return 1;
    f->means = satb_take(&f->context->spares, MEAN * samples);
    if (!f->means)
        return 0;
    f->samples = satk_colours_of(&(satk_plane){
        .data = f->means, .pitch = MEAN * (ptrdiff_t)map->width, .channels = MEAN, .bits = 8});
    return find_means(f, reach, threads);
}

void satb_close_votes(satb_votes *f)
{
    satb_spares *const spares = &f->context->spares;

    satb_give(spares, f->mute.bits);
    satb_give(spares, f->means);
}
