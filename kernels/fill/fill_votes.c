#include "fill/fill_votes.h"

#include <omp.h>
#include <string.h>

/* --- Colours ---------------------------------------------------------------------------------- */

static void mean_colour(const satk_colours *c, satk_range x, satk_range y,
                        const satk_divisor *count, uint8_t *mean)
{
    uint64_t red = 0, green = 0, blue = 0;

    for (int j = y.lo; j < y.hi; j++) {
        uint32_t of_row[3] = {0}; /* below 2^24 pixels */
        const uint8_t *p = c->data + j * c->pitch + (size_t)x.lo * c->pixel;
        __builtin_prefetch(p + 2 * (y.hi - y.lo) * c->pitch); /* of the next row of samples */
        for (int i = x.lo; i < x.hi; i++, p += c->pixel) {
            of_row[0] += p[c->rgb[0]];
            of_row[1] += p[c->rgb[1]];
            of_row[2] += p[c->rgb[2]];
        }
        red += of_row[0];
        green += of_row[1];
        blue += of_row[2];
    }
    mean[0] = (uint8_t)satk_mean64(red, count);
    mean[1] = (uint8_t)satk_mean64(green, count);
    mean[2] = (uint8_t)satk_mean64(blue, count);
}

/* columns: by sample. heard: the samples of row y whose mean is wanted. */
static void row_means(const satk_fill_votes *f, int y, const satk_range *columns,
                      const uint64_t *heard, uint8_t *means)
{
    const satk_range rows = satk_middle_of(y, f->map.height, f->src.height);
    satk_divisor by = {0};

    for (size_t i = 0; i < f->mute.words - 2; i++)
        for (uint64_t bits = heard[i]; bits; bits &= bits - 1) {
            const size_t x = i * 64 + (size_t)__builtin_ctzll(bits);
            const satk_range c = columns[x];
            const uint64_t count = (uint64_t)(c.hi - c.lo) * (uint64_t)(rows.hi - rows.lo);
            if (count != by.divisor)
                by = satk_divide_by(count, 0);
            mean_colour(&f->pixels, c, rows, &by, means + SATK_MEAN * x);
        }
}

void satk_fill_find_means(satk_fill_votes *f, int reach, const satk_fill_means *memory, int threads)
{
    const satk_plane *const map = &f->map;
    const ptrdiff_t pitch = SATK_MEAN * (ptrdiff_t)map->width;

    if (map->width == f->src.width && map->height == f->src.height)
        return;
    f->samples = satk_colours_of(
        &(satk_plane){.data = memory->means, .pitch = pitch, .channels = SATK_MEAN, .bits = 8});
    for (int x = 0; x < map->width; x++)
        memory->columns[x] = satk_middle_of(x, map->width, f->src.width);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
    for (int y = 0; y < map->height; y++) {
        uint64_t *const heard = memory->heard + (size_t)omp_get_thread_num() * f->mute.words;
        satk_bits_around(&f->mute, y, reach, heard);
        row_means(f, y, memory->columns, heard, memory->means + y * pitch);
    }
}

/* --- Voters ----------------------------------------------------------------------------------- */

/* Returns a bit for each of the 5 x 5 that votes, row by row. */
static uint32_t voters_of(const satk_fill_votes *f, int x, int y)
{
    const int left = x - SATK_HEARING, beyond = x + SATK_HEARING - (f->map.width - 1);
    const unsigned shift = (unsigned)left % 64;
    const uint64_t *const mute = satk_bit_row(&f->mute, 0) + (left + 64) / 64 - 1;
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
gather(const satk_fill_votes *f, int x, int y, int bits, int pixel, satk_poll *p, int place)
{
    const uint32_t scale = f->scale;
    const int left = x - SATK_HEARING;

    for (int j = 0; j < SATK_SIDE; j++) {
        const int row = clamped(y - SATK_HEARING + j, f->map.height);
        const uint8_t *const codes =
            (const uint8_t *)f->map.data + row * f->map.pitch + left * (bits / 8);
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
static void gather_any(const satk_fill_votes *f, int x, int y, satk_poll *p, int place)
{
    for (int k = 0; k < SATK_VOTERS; k++) {
        const int row = clamped(y - SATK_HEARING + k / SATK_SIDE, f->map.height);
        const int at = clamped(x - SATK_HEARING + k % SATK_SIDE, f->map.width);
        const uint8_t *const codes = (const uint8_t *)f->map.data + row * f->map.pitch;
        p->code[k][place] = f->scale * satk_code(codes, (size_t)at, f->map.bits);
        p->colour[k][place] = satk_colour_of(&f->samples, at, row);
    }
}

#define GATHER(bits, pixel)                                                                        \
    static void gather##bits##_##pixel(const satk_fill_votes *f, int x, int y, satk_poll *p,       \
                                       int place)                                                  \
    {                                                                                              \
        gather(f, x, y, bits, pixel, p, place);                                                    \
    }

GATHER(8, 3)
GATHER(8, 4)
GATHER(16, 3)
GATHER(16, 4)

void satk_fill_hear(const satk_fill_votes *f, int x, int y, satk_poll *p, int place)
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

/* --- Beginning -------------------------------------------------------------------------------- */

static void fill_likeness(satk_likeness *likeness)
{
    memcpy(likeness->coarse, satk_fill_shares.coarse, sizeof likeness->coarse);
    memcpy(likeness->fine, satk_fill_shares.fine, sizeof likeness->fine);
    for (int i = 0; i < SATK_LIKENESSES; i++)
        likeness->at[i] = satk_likeness_of(&satk_fill_shares, i);
}

satk_fill_votes satk_fill_votes_of(const satk_plane *map, const satk_plane *src,
                                   const satk_bit_rows *mute)
{
    const satk_colours pixels = satk_colours_of(src);
    satk_fill_votes votes = {.map = *map,
                             .src = *src,
                             .scale = satk_fill_scale(map->bits),
                             .pixels = pixels,
                             .samples = pixels,
                             .mute = *mute};

    fill_likeness(&votes.alike);
    return votes;
}
