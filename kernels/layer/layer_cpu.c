#include "common/parts.h"
#include "common/pool.h"
#include "layer/layer_channel.h"
#include "layer/layer_tile.h"

#include <string.h>

static int parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

/* Returns the rows of a tile. Its tables need rows beyond it as well, so a tile is higher than these are together; but not
 * so high that a thread has no tile. */
static int tile_rows(const satk_layer *job, const satk_pass *pass, int threads)
{
    const int reach = farthest_reach(job, pass), wanted = reach < 32 ? 64 : 4 * reach;
    const int across = parts_of(pass->grid.columns, SATK_LAYER_TILE);
    const int share = parts_of(pass->grid.rows, parts_of(3 * threads, across));

    return wanted < share ? wanted : share;
}

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the bytes of a thread's memory. A table in vectors has only the rows that windows read, and a row of zeros. */
static satk_layer_sizes sizes_for(const satk_layer *job, const satk_pass *pass, int threads)
{
    const int in_vectors = is_vector_job(job, pass);
    const uint64_t channels = (uint64_t)job->src.channels;
    const uint64_t word = in_vectors && kind_of(job) == SATK_DEEP ? 8 : (uint64_t)job->word / 8;
    const uint64_t planes = in_vectors ? channels * (uint64_t)sample_planes(job->src.bits) : 0;
    const uint64_t reach = (uint64_t)farthest_reach(job, pass);
    const uint64_t rows = (uint64_t)tile_rows(job, pass, threads);
    const uint64_t seen = smaller(rows + 2 * reach, (uint64_t)pass->grid.rows);
    const uint64_t pixels = (uint64_t)pass->grid.cell * (uint64_t)pass->grid.cell;
    const uint64_t columns = satk_layer_columns(job, pass);
    const uint64_t lanes = (uint64_t)satk_layer_lanes((int)channels);

    return (satk_layer_sizes){
        .lights = in_vectors ? rounded(rows * SATK_LAYER_ROW(channels))
                             : rounded(rows * SATK_LAYER_TILE * sizeof(satk_light)),
        .samples = rounded(seen * columns * pixels * (planes + 1) * sizeof(uint16_t)),
        .spans = rounded(seen * columns / SATK_LAYER_SPAN * sizeof(satk_span)),
        .farther =
            rounded(pass->grid.cell == 1 ? seen * columns * (uint64_t)pass->farther.sizes : 0),
        .blocks = rounded((uint64_t)job->count * sizeof(satk_slab_blocks)),
        .table = rounded(in_vectors
                             ? (smaller(2 * reach + 2, seen) + 1) * columns * (channels + 2) * word
                             : seen * columns * lanes * word)};
}

static uint64_t bytes_of(const satk_layer_sizes *sizes)
{
    return sizes->lights + sizes->samples + sizes->spans + sizes->farther + sizes->blocks +
           sizes->table;
}

/* --- Passes ----------------------------------------------------------------------------------- */

enum { COARSE, FINE, PASSES };

/* Returns 1 if some of the slabs first <= k < last are in use. */
static int is_used(const satk_layer *job, int first, int last)
{
    for (int k = first; k < last; k++)
        if (job->slabs[k].used)
            return 1;
    return 0;
}

/* Places the cells of a group of coarse slabs at *memory of the scratch memory, and moves *memory on. next: its slab next
 * to the others. */
static satk_cells make_cells(const satk_layer *job, const satk_grid *grid, int next, int is_before,
                             size_t *memory)
{
    satk_cells cells = {.columns = grid->columns,
                        .rows = grid->rows,
                        .next = next,
                        .across = grid->across,
                        .down = grid->down};
    const size_t count = satk_cell_count(&cells), channels = (size_t)job->src.channels;
    const size_t planes = channels + 1 + (size_t)is_before;

    cells.colours = (uint64_t *)(void *)((uint8_t *)job->scratch + *memory);
    cells.seen = cells.colours + channels * count;
    cells.earlier = is_before ? cells.seen + count : NULL;
    *memory += (size_t)rounded(count * planes * sizeof(uint64_t));
    return cells;
}

/* Fills in both passes. Returns the bytes of scratch memory that they share. */
static size_t make_passes(const satk_layer *job, satk_pass *passes)
{
    const satk_groups groups = satk_group_slabs(job);
    size_t memory = 0;

    passes[COARSE] = (satk_pass){.grid = satk_grid_of(job, 1), .groups = groups};
    if (is_used(job, groups.last, job->count)) {
        passes[COARSE].before = make_cells(job, &passes[COARSE].grid, groups.last, 1, &memory);
        passes[COARSE].before.moment =
            (uint32_t)satk_widest_moment(job, groups.last, job->count, satk_moment_unit(job));
    }
    if (is_used(job, 0, groups.first))
        passes[COARSE].behind = make_cells(job, &passes[COARSE].grid, groups.first - 1, 0, &memory);
    passes[FINE] = passes[COARSE];
    passes[FINE].grid = satk_grid_of(job, 0);
    passes[FINE].farther = satk_make_farther(job);
    return memory;
}

static size_t scratch_bytes(const satk_layer *job, int threads)
{
    satk_layer placeless = *job;
    satk_pass passes[PASSES];
    uint64_t most = 0;

    placeless.scratch = NULL;
    size_t bytes = make_passes(&placeless, passes);
    for (int i = bytes ? COARSE : FINE; i < PASSES; i++) {
        const satk_layer_sizes sizes = sizes_for(job, &passes[i], threads);
        most = bytes_of(&sizes) > most ? bytes_of(&sizes) : most;
    }
    satk_place(&bytes, most, (size_t)threads);
    return bytes;
}

static satk_layer_function *tile_here(void)
{
    switch (satk_level_here()) {
#ifdef SATK_HAVE_LEVELS
    case SATK_AVX512: return satk_layer_tile_avx512;
    case SATK_AVX2: return satk_layer_tile_avx2;
#endif
    default: return satk_layer_tile_plain;
    }
}

/* Returns the column from which on patches lie as they do from the picture's right side. Tiles begin anew there, so that the
 * squares of a vector have one form. */
static int middle_of(const satk_layer *job, const satk_pass *pass)
{
    const satk_form_patches *const p = satk_patches_of(job, &pass->grid);
    const int width = pass->grid.columns;
    const int middle = job->forms.count > 0 ? width - ((p->across / 2) << p->shift) : width;

    return middle % SATK_LAYER_SPAN ? middle : width;
}

/* The tiles of a pass. They go down column by column, as the next one below shares samples. */
typedef struct tiles {
    const satk_layer *job;
    const satk_pass *pass;
    uint8_t *memory;
    satk_layer_sizes sizes;
    satk_layer_function *blur;
    int rows, down;     /* of a tile; tiles of a column */
    int middle, before; /* the column from which on tiles begin anew; columns of tiles before it */
    int count, together;
} tiles;

static satk_area tile_at(const tiles *t, int i)
{
    const int part = i / t->down, height = t->pass->grid.rows;
    const int begin = part < t->before ? 0 : t->middle;
    const int end = part < t->before ? t->middle : t->pass->grid.columns;
    const int left = begin + (part < t->before ? part : part - t->before) * SATK_LAYER_TILE;
    const int right = left + SATK_LAYER_TILE, top = i % t->down * t->rows, bottom = top + t->rows;

    return (satk_area){left, right < end ? right : end, top, bottom < height ? bottom : height};
}

static void blur_tiles(const void *job, int group)
{
    const tiles *const t = job;
    void *const own = t->memory + (size_t)satk_thread() * (size_t)bytes_of(&t->sizes);
    const int first = group * t->together, rest = t->count - first;
    satk_held held = {0};

    for (int i = first; i < first + (rest < t->together ? rest : t->together); i++)
        t->blur(t->job, t->pass, tile_at(t, i), own, &t->sizes, &held);
}

static void run_pass(const satk_layer *job, const satk_pass *pass, uint8_t *memory, int threads)
{
    const int rows = tile_rows(job, pass, threads), down = parts_of(pass->grid.rows, rows);
    const int middle = middle_of(job, pass), before = parts_of(middle, SATK_LAYER_TILE);
    const int after = parts_of(pass->grid.columns - middle, SATK_LAYER_TILE);
    const int count = (before + after) * down;
    const tiles t = {job,
                     pass,
                     memory,
                     sizes_for(job, pass, threads),
                     tile_here(),
                     rows,
                     down,
                     middle,
                     before,
                     count,
                     threads == 1 ? count : parts_of(count, 8 * threads)};

    satk_for(threads, parts_of(count, t.together), 1, blur_tiles, &t);
}

static void blur(const satk_layer *job, int threads)
{
    satk_pass passes[PASSES];
    const size_t shared = make_passes(job, passes);

    for (int i = shared ? COARSE : FINE; i < PASSES; i++)
        run_pass(job, &passes[i], (uint8_t *)job->scratch + shared, threads);
}

/* --- Narrow pictures -------------------------------------------------------------------------- */

/* Returns 1 if a turned window is the window. */
static int is_symmetric(const satk_stack *s)
{
    return s->middle == s->rows && (s->rows == s->middle_rows || s->outer == s->middle_rows);
}

/* Returns the squares of a tile of a picture's rows, with those beside it that its windows
 * reach. */
static uint64_t tile_columns(int reach, int length)
{
    return SATK_LAYER_TILE + 2 * (uint64_t)(reach < length ? reach : length);
}

/* Returns 1 if the picture is blurred as its transposed one, which has the same result. A narrow
 * picture has narrower rows than a tile, and a transposed tile reads fewer columns in vain. */
static int is_narrow(const satk_layer *job)
{
    const int width = job->src.width, height = job->src.height;
    const int is_whole = job->rows == 0 || job->rows == height;
    int reach = 0;

    if (job->forms.count > 0)
        return 0;
    for (int k = 0; k < job->count; k++) {
        const satk_slab *const slab = &job->slabs[k];
        for (int i = 0; i < slab->windows && slab->used; i++)
            if (!is_symmetric(&slab->window[i]))
                return 0;
        reach = slab->used && satk_reach(slab) > reach ? satk_reach(slab) : reach;
    }
    return is_whole && width < SATK_LAYER_TILE && width < height &&
           tile_columns(reach, height) * (uint64_t)width <
               tile_columns(reach, width) * SATK_LAYER_TILE;
}

static size_t pixel_bytes(const satk_plane *plane)
{
    return (size_t)plane->channels * (size_t)plane->bits / 8;
}

static size_t plane_bytes(const satk_plane *plane)
{
    return (size_t)rounded(pixel_bytes(plane) * (size_t)plane->width * (size_t)plane->height);
}

/* Returns the plane for a transposed one, in memory from *memory on, which moves on. */
static satk_plane make_transposed(const satk_plane *plane, uint8_t **memory)
{
    satk_plane to = *plane;

    to.data = *memory;
    to.width = plane->height;
    to.height = plane->width;
    to.pitch = (ptrdiff_t)(pixel_bytes(plane) * (size_t)to.width);
    *memory += plane_bytes(plane);
    return to;
}

static size_t left_bytes(const satk_layer *job)
{
    return rounded((size_t)job->marks * (size_t)job->left.width * (size_t)job->left.height);
}

/* Does the same for `left`. */
static satk_plane make_transposed_left(const satk_layer *job, uint8_t **memory)
{
    uint8_t *const first = *memory;
    const satk_plane to = make_transposed(&job->left, memory);

    *memory = first + left_bytes(job);
    return to;
}

static void transpose_row(const void *planes, int y)
{
    const satk_plane *const *const p = planes, *const from = p[0], *const to = p[1];
    const size_t pixel = pixel_bytes(from);
    const uint8_t *in = (const uint8_t *)from->data + y * from->pitch;
    uint8_t *out = (uint8_t *)to->data + (size_t)y * pixel;

    for (int x = 0; x < from->width; x++, in += pixel, out += to->pitch)
        memcpy(out, in, pixel);
}

static void transpose_pattern(const satk_pattern *from, satk_pattern *to)
{
    for (int y = 0; y < SATK_PATTERN_SIDE; y++)
        for (int x = 0; x < SATK_PATTERN_SIDE; x++)
            to->threshold[x][y] = from->threshold[y][x];
}

/* Transposes a plane. `from` has few columns or few rows. */
static void transpose(const satk_plane *from, const satk_plane *to, int threads)
{
    const satk_plane *const planes[] = {from, to};

    satk_for(threads, from->height, 0, transpose_row, planes);
}

static void blur_transposed(const satk_layer *job, int threads)
{
    satk_layer turned = *job;
    uint8_t *memory = job->scratch;

    turned.src = make_transposed(&job->src, &memory);
    turned.map = make_transposed(&job->map, &memory);
    turned.dst = make_transposed(&job->dst, &memory);
    if (job->cover.data)
        turned.cover = make_transposed(&job->cover, &memory);
    if (job->marks > 0)
        turned.left = make_transposed_left(job, &memory);
    turned.row = turned.rows = 0;
    transpose_pattern(&job->pattern, &turned.pattern);
    turned.scratch = memory;
    transpose(&job->src, &turned.src, threads);
    transpose(&job->map, &turned.map, threads);
    if (job->cover.data)
        transpose(&job->cover, &turned.cover, threads);
    blur(&turned, threads);
    transpose(&turned.dst, &job->dst, threads);
    for (int i = 0; i < job->marks; i++) {
        const satk_plane from = satk_left_plane(&turned.left, i);
        const satk_plane to = satk_left_plane(&job->left, i);
        transpose(&from, &to, threads);
    }
}

/* --- Run -------------------------------------------------------------------------------------- */

size_t satk_layer_scratch_cpu(const satk_layer *job, int threads)
{
    satk_layer turned = *job;

    if (satk_layer_is_channel(job))
        return satk_layer_channel_scratch(job, threads);
    if (!is_narrow(job))
        return scratch_bytes(job, threads);
    turned.src.width = job->src.height;
    turned.src.height = job->src.width;
    turned.row = turned.rows = 0;
    size_t bytes = 2 * plane_bytes(&job->src) + plane_bytes(&job->map) +
                   (job->cover.data ? plane_bytes(&job->cover) : 0) +
                   (job->marks > 0 ? left_bytes(job) : 0);
    satk_place(&bytes, scratch_bytes(&turned, threads), 1);
    return bytes;
}

void satk_layer_cpu(const satk_layer *job, int threads)
{
    if (satk_layer_is_channel(job))
        satk_layer_channel(job, threads);
    else if (is_narrow(job))
        blur_transposed(job, threads);
    else
        blur(job, threads);
}
