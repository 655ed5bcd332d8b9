#include "cover/cover_rule.h"

#include "common/parts.h"
#include "common/pool.h"

#include <string.h>

enum { TILE = 64, ROWS = 32 }; /* pixels of a tile, in which doubt spreads */

/* What a plane of 8 bits says of each pixel. */
enum { NO_MARK, DOUBTFUL, SHARP, STRANGER };

typedef struct sums {
    uint32_t count, codes; /* doubtful pixels, and the sum of the codes before them */
} sums;

typedef struct doubting {
    const satk_cover *job;
    uint8_t *marks; /* of rims and sharp pixels, in the end with strangers by colour */
    uint8_t *doubt; /* of all, when doubt has spread */
    uint16_t *near; /* the code before a doubtful pixel */
    uint8_t *tiles; /* 1: doubtful rims are in it */
    int across, down;
    sums *
        columns; /* for each thread: the sums of a row of a tile's columns, and of those that its windows reach */
    int reach;
} doubting;

static uint8_t *row_of(const satk_plane *plane, int y)
{
    return (uint8_t *)plane->data + y * plane->pitch;
}

static uint32_t code_at(const satk_plane *plane, int x, int y)
{
    return satk_code(row_of(plane, y), (size_t)x, plane->bits);
}

static size_t index_of(const doubting *d, int x, int y)
{
    return (size_t)y * (size_t)d->job->map.width + (size_t)x;
}

/* --- Colours ---------------------------------------------------------------------------------- */

static int colour_at(const satk_plane *src, int x, int y, int c)
{
    return (
        int)(satk_code(row_of(src, y), (size_t)x * (size_t)src->channels + (size_t)c, src->bits) >>
             (src->bits - 8));
}

/* alike: the largest difference, root mean square. */
static int are_alike(const satk_plane *src, int colours, const int *colour, int x, int y, int alike)
{
    int apart = 0;

    for (int c = 0; c < colours; c++) {
        const int difference = colour[c] - colour_at(src, x, y, c);
        apart += difference * difference;
    }
    return apart <= alike * alike * colours;
}

static void load_colour(const satk_plane *src, int colours, int x, int y, int *colour)
{
    for (int c = 0; c < colours; c++)
        colour[c] = colour_at(src, x, y, c);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void *take(void *memory, size_t *at, size_t count, size_t element)
{
    const size_t begin = satk_place(at, count, element);

    return memory ? (uint8_t *)memory + begin : NULL;
}

static size_t columns_of(const satk_cover *job)
{
    return TILE + 2 * (size_t)satk_most_reach(&job->map);
}

static doubting lay_out(const satk_cover *job, int threads, void *memory, size_t *bytes)
{
    const size_t pixels = (size_t)job->map.width * (size_t)job->map.height;
    doubting d = {
        .job = job,
        .across = (job->map.width + TILE - 1) / TILE,
        .down = (job->map.height + ROWS - 1) / ROWS
    };

    *bytes = 0;
    d.marks = take(memory, bytes, pixels, 1);
    d.doubt = take(memory, bytes, pixels, 1);
    d.near = take(memory, bytes, pixels, sizeof *d.near);
    d.tiles = take(memory, bytes, (size_t)d.across * (size_t)d.down, 1);
    d.columns = take(memory, bytes, (size_t)threads * columns_of(job), sizeof *d.columns);
    return d;
}

size_t satk_cover_scratch_cpu(const satk_cover *job, int threads)
{
    size_t bytes = 0;

    if (job->doubts)
        lay_out(job, threads, NULL, &bytes);
    return bytes;
}

/* --- Doubt ------------------------------------------------------------------------------------ */

static int is_sharp(const doubting *d, int x, int y)
{
    return satk_size_of(d->job->radius[code_at(&d->job->map, x, y)]) < SATK_SHARP;
}

/* Marks a rim. Returns whether it is doubtful. */
static int mark_rim(const doubting *d, size_t at, int x, int y)
{
    if (satk_fate_at(d->job, at) != SATK_DOUBTED) {
        d->marks[at] = NO_MARK;
        return 0;
    }
    d->marks[at] = DOUBTFUL;
    d->near[at] = d->job->rims.near[at];
    d->tiles[y / ROWS * d->across + x / TILE] = 1;
    return 1;
}

typedef struct marking {
    const doubting *d;
    _Atomic uint64_t *sum, *count; /* of the samples of doubtful rims */
} marking;

static void mark_row(const marking *m, int y)
{
    const doubting *const d = m->d;
    const satk_rims *const rims = &d->job->rims;
    uint64_t sum = 0, count = 0;

    for (int x = 0; x < d->job->map.width; x++) {
        const size_t at = index_of(d, x, y);
        if (rims->kind[at] == SATK_RIM_NONE)
            d->marks[at] = is_sharp(d, x, y) ? SHARP : NO_MARK;
        else if (mark_rim(d, at, x, y)) {
            sum += rims->sample[at];
            count++;
        }
    }
    atomic_fetch_add(m->sum, sum);
    atomic_fetch_add(m->count, count);
}

static void mark_tiles(const void *of, int tile)
{
    const marking *const m = of;

    for (int y = tile * ROWS; y < (tile + 1) * ROWS && y < m->d->job->map.height; y++)
        mark_row(m, y);
}

/* Marks rims, of which some are doubtful, and sharp pixels. Sets the reach of doubt. */
static void mark_pixels(doubting *d, int threads)
{
    _Atomic uint64_t sum = 0, count = 0;

    memset(d->tiles, 0, (size_t)d->across * (size_t)d->down);
    satk_for(threads, d->down, 1, mark_tiles, &(marking){d, &sum, &count});
    d->reach = satk_reach_of_doubt(&d->job->map, sum, count);
}

/* Returns whether a tile has doubtful rims within reach. */
static int is_near_doubt(const doubting *d, int column, int row)
{
    const int beside = (d->reach + TILE - 1) / TILE, above = (d->reach + ROWS - 1) / ROWS;

    for (int j = row - above; j <= row + above; j++)
        for (int i = column - beside; i <= column + beside; i++)
            if (i >= 0 && j >= 0 && i < d->across && j < d->down && d->tiles[j * d->across + i])
                return 1;
    return 0;
}

/* Adds a row of doubtful pixels to the columns from x0 to x1, or takes it away. */
static void add_row(const doubting *d, int y, int x0, int x1, int sign, sums *columns)
{
    if (y < 0 || y >= d->job->map.height)
        return;
    for (int x = x0; x < x1; x++) {
        const size_t at = index_of(d, x, y);
        if (d->marks[at] != DOUBTFUL)
            continue;
        columns[x - x0].count += (uint32_t)sign;
        columns[x - x0].codes += (uint32_t)sign * d->near[at];
    }
}

/* Makes the sharp pixels of a tile's row doubtful that have doubtful ones in their windows. columns: from x0 to x1. */
static void spread_row(const doubting *d, int y, int left, int right, int x0, int x1,
                       const sums *columns)
{
    sums window = {0, 0};
    int from = x0, to = x0;

    for (int x = left; x < right; x++) {
        const size_t at = index_of(d, x, y);
        for (; to < x1 && to <= x + d->reach; to++) {
            window.count += columns[to - x0].count;
            window.codes += columns[to - x0].codes;
        }
        for (; from < x - d->reach; from++) {
            window.count -= columns[from - x0].count;
            window.codes -= columns[from - x0].codes;
        }
        d->doubt[at] = d->marks[at];
        if (d->marks[at] != SHARP || window.count == 0)
            continue;
        d->doubt[at] = DOUBTFUL;
        d->near[at] = (uint16_t)((window.codes + (uint64_t)window.count / 2) / window.count);
    }
}

/* Spreads doubt in a tile: the sums of its windows' columns slide down. */
static void spread_tile(const doubting *d, int column, int row, sums *columns)
{
    const int width = d->job->map.width, height = d->job->map.height, reach = d->reach;
    const int left = column * TILE, right = left + TILE < width ? left + TILE : width;
    const int top = row * ROWS
    , bottom = top + ROWS
    < height ? top + ROWS : height;
    const int x0 = left > reach ? left - reach : 0,
              x1 = right + reach < width ? right + reach : width;

    memset(columns, 0, (size_t)(x1 - x0) * sizeof *columns);
    for (int y = top - reach; y < top + reach; y++)
        add_row(d, y, x0, x1, 1, columns);
    for (int y = top; y < bottom; y++) {
        add_row(d, y + reach, x0, x1, 1, columns);
        spread_row(d, y, left, right, x0, x1, columns);
        add_row(d, y - reach, x0, x1, -1, columns);
    }
}

static void copy_tile(const doubting *d, int column, int row)
{
    const int width = d->job->map.width, height = d->job->map.height, left = column * TILE;
    const size_t count = (size_t)(left + TILE < width ? TILE : width - left);

    for (int y = row * ROWS; y < (row + 1) * ROWS && y < height; y++)
        memcpy(d->doubt + index_of(d, left, y), d->marks + index_of(d, left, y), count);
}

/* Finds a tile's doubtful pixels. It writes near codes of its own sharp pixels, and others read those of doubtful rims. */
static void spread_doubt(const void *of, int tile)
{
    const doubting *const d = of;
    const int column = tile % d->across, row = tile / d->across;

    if (is_near_doubt(d, column, row))
        spread_tile(d, column, row, d->columns + (size_t)satk_thread() * columns_of(d->job));
    else
        copy_tile(d, column, row);
}

/* --- Strangers -------------------------------------------------------------------------------- */

/* Returns whether sharp pixels are around a doubtful one, and none of them has its colour. */
static int is_stranger(const doubting *d, int x, int y)
{
    const satk_plane *const src = &d->job->src;
    const int step = (d->reach + 1) / 2, colours = satk_colours_in(src->channels);
    int colour[3] = {0}, seen = 0;

    load_colour(src, colours, x, y, colour);
    for (int v = y - SATK_LOOK * step; v <= y + SATK_LOOK * step; v += step)
        for (int u = x - SATK_LOOK * step; u <= x + SATK_LOOK * step; u += step) {
            if (u < 0 || v < 0 || u >= src->width || v >= src->height ||
                d->doubt[index_of(d, u, v)] != SHARP)
                continue;
            seen = 1;
            if (are_alike(src, colours, colour, u, v, SATK_ALIKE))
                return 0;
        }
    return seen;
}

/* Marks the strangers by colour. */
static void find_strangers(const void *of, int y)
{
    const doubting *const d = of;

    for (int x = 0; x < d->job->map.width; x++) {
        const size_t at = index_of(d, x, y);
        d->marks[at] = d->doubt[at] == DOUBTFUL && is_stranger(d, x, y) ? STRANGER : d->doubt[at];
    }
}

/* Returns whether most pixels around a doubtful one are strangers by colour. */
static int is_among_strangers(const doubting *d, int x, int y)
{
    const satk_plane *const map = &d->job->map;
    const int left = satk_larger(x - SATK_AROUND, 0),
              right = satk_smaller(x + SATK_AROUND, map->width - 1);
    int strangers = 0, all = 0;

    for (int v = satk_larger(y - SATK_AROUND, 0);
         v <= satk_smaller(y + SATK_AROUND, map->height - 1); v++)
        for (int u = left; u <= right; u++) {
            const uint8_t mark = d->marks[index_of(d, u, v)];
            strangers += mark == STRANGER;
            all += mark != NO_MARK;
        }
    return satk_is_among(strangers, all);
}

static void lay_strangers(const void *of, int y)
{
    const doubting *const d = of;
    const satk_cover *const job = d->job;

    for (int x = 0; x < job->map.width; x++) {
        const size_t at = index_of(d, x, y);
        if (d->doubt[at] != DOUBTFUL || (d->marks[at] != STRANGER && !is_among_strangers(d, x, y)))
            continue;
        satk_put_code(row_of(&job->dst, y), (size_t)x, job->dst.bits, d->near[at]);
        row_of(&job->cover, y)[x] = 0;
    }
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Returns whether a pixel on the far side of an edge looks like the near surface beside it. */
static int looks_near(const satk_cover *job, int x, int y, size_t at)
{
    const satk_plane *const map = &job->map;
    const uint32_t near = job->rims.near[at], far = job->rims.far[at];
    const int colours = satk_colours_in(job->src.channels);
    int colour[3] = {0};

    if (code_at(map, x, y) != far)
        return 0;
    load_colour(&job->src, colours, x, y, colour);
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
            if (u >= 0 && v >= 0 && u < map->width && v < map->height &&
                satk_is_nearer(code_at(map, u, v), near, far) &&
                are_alike(&job->src, colours, colour, u, v, SATK_ALIKE_BESIDE))
                return 1;
    return 0;
}

/* Lays the rims of a row that show. Returns whether others are doubtful. */
static uint64_t lay_row(const void *of, int y)
{
    const satk_cover *const job = of;
    const size_t width = (size_t)job->map.width, first = (size_t)y * width;
    uint64_t doubts = 0;

    memcpy(row_of(&job->dst, y), row_of(&job->map, y), width * (size_t)job->map.bits / 8);
    memset(row_of(&job->cover, y), UINT8_MAX, width);
    if (job->sides.data)
        memset(row_of(&job->sides, y), SATK_COLOUR_KEEP, width);
    for (size_t x = 0; x < width; x++) {
        const size_t at = first + x;
        if (job->rims.kind[at] == SATK_RIM_NONE)
            continue;
        const satk_fate fate = satk_fate_at(job, at);
        doubts |= fate == SATK_DOUBTED;
        if (fate != SATK_COVERED && !(fate == SATK_BESIDE && looks_near(job, (int)x, y, at)))
            continue;
        satk_put_code(row_of(&job->dst, y), x, job->dst.bits, job->rims.near[at]);
        row_of(&job->cover, y)[x] = satk_shown_cover(&job->rims, at, fate);
        if (job->sides.data)
            row_of(&job->sides, y)[x] = (uint8_t)satk_side_of(job->rims.kind[at]);
    }
    return doubts;
}

void satk_cover_cpu(const satk_cover *job, int threads)
{
    size_t bytes;
    doubting d = lay_out(job, threads, job->scratch, &bytes);
    const uint64_t doubts = satk_sum(threads, job->map.height, 16, lay_row, job);

    if (!job->doubts || !doubts)
        return;
    mark_pixels(&d, threads);
    satk_for(threads, d.across * d.down, 4, spread_doubt, &d);
    satk_for(threads, job->map.height, 8, find_strangers, &d);
    satk_for(threads, job->map.height, 8, lay_strangers, &d);
}
