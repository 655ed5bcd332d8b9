/* Looks at the pixels of cells. Those of most pictures are taken a row at a time, by loops without branches. */
#include "highlight/points_tile.h"

#include <string.h>

/* The pixels of a cell. */
typedef struct place {
    int x, y, across, down; /* its first pixel; how many there are */
} place;

SATK_FN place place_of(const satk_grid *g, int column, int row)
{
    const int x = satk_column_begin(g, column), y = satk_row_begin(g, row);

    return (place){x, y, satk_column_begin(g, column + 1) - x, satk_row_begin(g, row + 1) - y};
}

/* Looks at all pixels of a cell. Returns their sum. */
SATK_FN satk_gray look_at_cell(const satk_points *job, place at, int channels, int bits,
                               satk_gray_cell *found)
{
    const int shift = satk_gray_shift(job);
    const size_t stride = (size_t)job->map.channels, first = (size_t)at.x * stride;
    const uint32_t code = satk_code(satk_points_row(&job->map, at.y), first, job->map.bits);
    uint32_t codes[4], most = 0, differs = 0;
    satk_gray sum = {0}; /* of at most 64 of 24 bits */

    for (int j = 0; j < at.down; j++) {
        const uint8_t *const row = satk_points_row(&job->from, at.y + j);
        const uint8_t *const map = satk_points_row(&job->map, at.y + j);
        for (int i = 0; i < at.across; i++) {
            satk_get_pixel(row, at.x + i, channels, bits, codes);
            const satk_gray g = satk_gray_of(job, codes, channels, bits);
            satk_add_gray(&sum, g, shift);
            most = g.gray > most ? g.gray : most;
            differs |= satk_code(map, first + (size_t)i * stride, job->map.bits) ^ code;
        }
    }
    *found = (satk_gray_cell){most, (uint16_t)code, differs != 0};
    return sum;
}

/* --- Chunks ----------------------------------------------------------------------------------- */

enum { CHUNK = 32, LONGEST = CHUNK * SATK_GRAY_CELL }; /* cells; pixels of a row */

/* Cells beside each other, and what is known of them by places in a row: codes of all colours and channels. */
typedef struct chunk {
    int count, begin[CHUNK + 1]; /* cells, and their first pixels */
    uint16_t
        brightest[4 * LONGEST]; /* of a row: the largest of a pixel's colours, at its first one */
    uint16_t most[4 * LONGEST]; /* of all rows */
    uint16_t differs[4 * LONGEST]; /* bits in which codes of the map differ from the first row's */
    uint32_t sums[CHUNK];          /* by cell */
} chunk;

/* Finds the largest of the `colours` codes from each place on, and the largest of these in all rows so far. */
#define BRIGHTEST(bits)                                                                            \
    SATK_FN void brightest_##bits(const void *row, int places, int colours, void *brightest,       \
                                  void *most)                                                      \
    {                                                                                              \
        const uint##bits##_t *const codes = row;                                                   \
        uint##bits##_t *const own = brightest, *const all = most;                                  \
        for (int i = 0; i < places; i++) {                                                         \
            uint##bits##_t code = codes[i];                                                        \
            for (int c = 1; c < colours; c++)                                                      \
                code = codes[i + c] > code ? codes[i + c] : code;                                  \
            own[i] = code;                                                                         \
            all[i] = code > all[i] ? code : all[i];                                                \
        }                                                                                          \
    }
BRIGHTEST(8)
BRIGHTEST(16)

/* Fetches bytes of the next row of cells: its rows are in other pages, where the machine does not look ahead. */
SATK_FN void fetch(const satk_plane *plane, const uint8_t *row, int bytes)
{
    for (int i = 0; i < bytes; i += 64)
        __builtin_prefetch(row + SATK_GRAY_CELL * plane->pitch + i);
}

/* Returns the sum of `count` pixels from a place of a row on. */
SATK_FN uint32_t sum_samples(const satk_points *job, const void *brightest, int pixel, int count,
                             int channels, int bits)
{
    const uint32_t *const decode = job->tone.decode;
    uint32_t sum = 0;

    for (int i = pixel; i < pixel + count; i++) {
        const uint32_t code = satk_code(brightest, (size_t)(i * channels), bits);
        sum += decode ? decode[code] : code;
    }
    return sum;
}

/* Adds a row of pixels. */
SATK_FN void look_at_row(const satk_points *job, int y, int channels, int bits, chunk *c)
{
    const int colours = satk_light_colours(channels), left = c->begin[0];
    const int places = (c->begin[c->count] - left) * channels - colours + 1;
    const uint8_t *const row = satk_points_row(&job->from, y) + left * channels * bits / 8;

    fetch(&job->from, row, places * bits / 8);
    (bits == 8 ? brightest_8 : brightest_16)(row, places, colours, c->brightest, c->most);
    for (int i = 0; i < c->count; i++) {
        const int pixel = c->begin[i] - left, across = c->begin[i + 1] - c->begin[i];
        c->sums[i] += across == SATK_GRAY_CELL
                          ? sum_samples(job, c->brightest, pixel, SATK_GRAY_CELL, channels, bits)
                          : sum_samples(job, c->brightest, pixel, across, channels, bits);
    }
}

/* Compares a row of codes of the map with the first one. */
static void compare_codes(const uint8_t *first, const uint8_t *row, int bytes, uint8_t *differs)
{
    for (int i = 0; i < bytes; i++)
        differs[i] |= row[i] ^ first[i];
}

/* Returns what is known of cell i. */
SATK_FN satk_gray_cell cell_of(const satk_points *job, const uint8_t *map, const chunk *c, int i,
                               int across, int channels, int bits)
{
    const size_t stride = (size_t)job->map.channels, first = (size_t)(c->begin[i] - c->begin[0]);
    const uint32_t code = satk_code(map, first * stride, job->map.bits);
    uint32_t most = 0, differs = 0;

    for (size_t x = first; x < first + (size_t)across; x++) {
        const uint32_t own = satk_code(c->most, x * (size_t)channels, bits);
        most = own > most ? own : most;
        differs |= satk_code(c->differs, x * stride, job->map.bits) |
                   (satk_code(map, x * stride, job->map.bits) ^ code);
    }
    return (satk_gray_cell){satk_sample_of(&job->tone, most), (uint16_t)code, differs != 0};
}

/* Looks at the pixels of a chunk, which have neither weights nor half floats. */
SATK_FN void look_at_chunk(const satk_points *job, const satk_grid *g, int row, int channels,
                           int bits, chunk *c, satk_gray_cell *cells)
{
    const int top = satk_row_begin(g, row), bottom = satk_row_begin(g, row + 1);
    const int left = c->begin[0], pixel = job->map.channels * job->map.bits / 8;
    const uint8_t *const map = satk_points_row(&job->map, top) + left * pixel;

    memset(c->most, 0, sizeof c->most);
    memset(c->differs, 0, sizeof c->differs);
    memset(c->sums, 0, sizeof c->sums);
    for (int y = top; y < bottom; y++) {
        const uint8_t *const codes = map + (y - top) * job->map.pitch;
        const int bytes = (c->begin[c->count] - left) * pixel;
        fetch(&job->map, codes, bytes);
        look_at_row(job, y, channels, bits, c);
        compare_codes(map, codes, bytes, (uint8_t *)c->differs);
    }
    for (int i = 0; i < c->count; i++) {
        const int across = c->begin[i + 1] - c->begin[i];
        cells[i] = across == SATK_GRAY_CELL
                       ? cell_of(job, map, c, i, SATK_GRAY_CELL, channels, bits)
                       : cell_of(job, map, c, i, across, channels, bits);
    }
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Returns 1 if the discs of a cell's pixels differ in cells or group from one. */
SATK_FN int has_other_discs(const satk_points *job, place at, const satk_disc *own)
{
    int differs = 0;

    for (int j = 0; j < at.down; j++)
        for (int i = 0; i < at.across; i++) {
            const satk_disc *const disc = satk_disc_at(job->disc, &job->map, at.x + i, at.y + j);
            differs |= (disc->cells ^ own->cells) | (disc->group ^ own->group);
        }
    return differs != 0;
}

/* Finds the words of a mixed cell. */
SATK_FN void find_mixed_words(const satk_points *job, place at, int channels, int bits,
                              uint64_t *words)
{
    const int shift = satk_gray_shift(job);
    satk_gray sums[SATK_POINT_GROUPS] = {{0}};
    uint32_t codes[4];

    for (int y = at.y; y < at.y + at.down; y++)
        for (int x = at.x; x < at.x + at.across; x++) {
            satk_get_pixel(satk_points_row(&job->from, y), x, channels, bits, codes);
            satk_add_gray(&sums[satk_disc_at(job->disc, &job->map, x, y)->group],
                          satk_gray_of(job, codes, channels, bits), shift);
        }
    for (int i = SATK_POINT_GROUPS - 1; i >= 0; i--) {
        if (i < SATK_POINT_GROUPS - 1)
            satk_add_gray(&sums[i], sums[i + 1], 0);
        words[i] = satk_gray_word(job, sums[i]);
    }
}

/* Finds the words of a cell from the sum of its pixels. */
SATK_FN void find_words(const satk_points *job, place at, satk_gray sum, int channels, int bits,
                        satk_gray_cell *cell, uint64_t *words)
{
    const satk_disc *const disc = &job->disc[cell->code];
    const uint64_t word = satk_gray_word(job, sum);

    cell->is_mixed = cell->is_mixed && has_other_discs(job, at, disc);
    if (cell->is_mixed)
        find_mixed_words(job, at, channels, bits, words);
    else
        for (int i = 0; i < SATK_POINT_GROUPS; i++)
            words[i] = i <= disc->group ? word : 0;
}

/* Makes the sums along a row of cells. No store can change the copy of the job, so it stays in registers. */
SATK_FN void sum_row(const satk_points *all, const satk_grid *g, int row, int channels, int bits,
                     satk_gray_cell *cells, uint64_t *to)
{
    const satk_points copy = *all, *const job = &copy;
    const int groups = job->groups, by_cell = job->tone.half || job->tone.weighted;
    uint64_t sums[SATK_POINT_GROUPS] = {0}, words[SATK_POINT_GROUPS];
    chunk c;

    for (int x = 0; x < g->columns; x++) {
        const place at = place_of(g, x, row);
        if (x % CHUNK == 0 && !by_cell) {
            c.count = satk_smaller(CHUNK, g->columns - x);
            for (int i = 0; i <= c.count; i++)
                c.begin[i] = satk_column_begin(g, x + i);
            look_at_chunk(job, g, row, channels, bits, &c, cells + x);
        }
        const satk_gray sum = by_cell
                                  ? look_at_cell(job, at, channels, bits, &cells[x])
                                  : (satk_gray){c.sums[x % CHUNK], (uint32_t)(at.across * at.down)};
        find_words(job, at, sum, channels, bits, &cells[x], words);
        for (int i = 0; i < groups; i++)
            to[x * groups + i] = sums[i] += words[i];
    }
}

/* Each kind of picture has a function with constant channels and bits. */
#define KIND(channels, bits)                                                                       \
    static void sum_##channels##_##bits(const satk_points *job, const satk_grid *g, int row,       \
                                        satk_gray_cell *cells, uint64_t *to)                       \
    {                                                                                              \
        sum_row(job, g, row, channels, bits, cells, to);                                           \
    }
#define KINDS(bits) KIND(1, bits) KIND(2, bits) KIND(3, bits) KIND(4, bits)
KINDS(8)
KINDS(16)

static void (*const sums[2][4])(const satk_points *job, const satk_grid *g, int row,
                                satk_gray_cell *cells, uint64_t *to) = {
    {sum_1_8, sum_2_8, sum_3_8, sum_4_8}, {sum_1_16, sum_2_16, sum_3_16, sum_4_16}};

void satk_points_sum_cells(const satk_points *job, const satk_grid *g, int row,
                           satk_gray_cell *cells, uint64_t *to)
{
    sums[job->src.bits == 16][job->src.channels - 1](job, g, row, cells, to);
}
