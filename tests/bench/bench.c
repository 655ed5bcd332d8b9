#include "bench/bench_fill.h"
#include "bench/bench_maps.h"

#include "support/device.h"
#include "bench/peer_cub.h"
#include "bench/peer_npp.h"

/* --- Sizes ------------------------------------------------------------------------------------ */

/* Returns the bytes that must be read once and written once. A box reads the source only where
 * nothing is blurred. */
static void count_bytes(bench *b)
{
    const bench_row *const r = b->row;

    switch (r->primitive) {
    case BENCH_TABLE:
        b->bytes_in = bench_source_bytes(r);
        b->bytes_out = bench_table_bytes(r);
        break;
    case BENCH_BOX:
        b->bytes_in = bench_table_bytes(r) + (r->map ? bench_pixels(r) : 0);
        b->bytes_out = bench_source_bytes(r);
        break;
    case BENCH_BLUR:
    case BENCH_LAYER:
    case BENCH_SPREAD:
    case BENCH_HIGHLIGHT:
    case BENCH_SURFACE:
        b->bytes_in = bench_source_bytes(r) + (r->map ? bench_pixels(r) : 0);
        b->bytes_out = bench_source_bytes(r);
        break;
    case BENCH_MATTE_PLANE:
        b->bytes_in = bench_source_bytes(r);
        b->bytes_out = bench_pixels(r);
        break;
    case BENCH_FOLLOW:
        b->bytes_in = 2 * bench_pixels(r);
        b->bytes_out = bench_pixels(r);
        break;
    case BENCH_SEPARATE:
        b->bytes_in = b->bytes_out = bench_source_bytes(r); /* and the outline of two planes */
        break;
    case BENCH_FILL: b->bytes_in = b->bytes_out = 2 * bench_pixels(r); break;
    case BENCH_EQUALIZE: b->bytes_in = b->bytes_out = bench_source_bytes(r); break;
    default:
        b->bytes_in = bench_source_bytes(r);
        b->bytes_out = 0;
        break;
    }
}

/* --- Runs ------------------------------------------------------------------------------------- */

static satk_plane plane_of(const bench_row *r, uint8_t *data, int channels, int bits)
{
    return (satk_plane){
        data, (ptrdiff_t)r->width * channels * (bits / 8), r->width, r->height, channels, bits};
}

static satk_tone tone_of(const bench *b)
{
    return (satk_tone){.decode = b->decode,
                       .encode = b->encode,
                       .weighted = b->row->weighted,
                       .opaque = b->row->opaque};
}

static satk_sat table_job(const bench *b, int set)
{
    return (satk_sat){.src = plane_of(b->row, b->src[set], b->row->channels, b->row->bits),
                      .tone = tone_of(b),
                      .word = b->row->word,
                      .variant = b->row->sat,
                      .pictures = b->row->pictures,
                      .src_step =
                          bench_source_bytes(b->row) / (b->row->pictures ? b->row->pictures : 1),
                      .table = b->table[set],
                      .scratch = b->scratch};
}

static satk_box box_job(const bench *b, int set)
{
    const bench_row *const r = b->row;

    return (satk_box){.table = b->table[set],
                      .word = r->word,
                      .src = plane_of(r, b->src[set], r->channels, r->bits),
                      .dst = plane_of(r, b->dst[set], r->channels, r->bits),
                      .tone = tone_of(b),
                      .radius_x = r->radius,
                      .radius_y = r->radius,
                      .map = plane_of(r, b->map[set], 1, 8),
                      .lut = b->lut};
}

static satk_layer layer_job(const bench *b, int set)
{
    const bench_row *const r = b->row;

    return (satk_layer){.src = plane_of(r, b->src[set], r->channels, r->bits),
                        .dst = plane_of(r, b->dst[set], r->channels, r->bits),
                        .tone = tone_of(b),
                        .map = plane_of(r, b->map[set], 1, 8),
                        .position = b->position,
                        .slabs = b->slabs,
                        .forms = b->forms,
                        .count = b->slab_count,
                        .word = r->word,
                        .scratch = b->scratch};
}

static satk_spread spread_job(const bench *b, int set)
{
    const bench_row *const r = b->row;

    return (satk_spread){.src = plane_of(r, b->src[set], r->channels, r->bits),
                         .dst = plane_of(r, b->dst[set], r->channels, r->bits),
                         .tone = tone_of(b),
                         .map = plane_of(r, b->map[set], 1, 8),
                         .splat = b->splat,
                         .farthest = b->farthest,
                         .scratch = b->scratch};
}

static satk_highlight highlight_job(const bench *b, int set)
{
    const bench_row *const r = b->row;

    return (satk_highlight){.src = plane_of(r, b->src[set], r->channels, r->bits),
                            .base = plane_of(r, b->table[set], r->channels, r->bits),
                            .halo = plane_of(r, b->halo, r->channels, 8),
                            .dst = plane_of(r, b->dst[set], r->channels, r->bits),
                            .tone = tone_of(b),
                            .map = plane_of(r, b->map[set], 1, 8),
                            .disc = b->disc,
                            .threshold = 1 << (SATK_LINEAR_BITS(r->bits) - 1),
                            .size = (r->width + 10) / 20,
                            .found = b->result,
                            .scratch = b->scratch};
}

/* All points are seen. */
static satk_points points_job(const bench *b, int set)
{
    const satk_highlight lamps = highlight_job(b, set);

    return (satk_points){.src = lamps.src,
                         .from = lamps.base,
                         .base = lamps.base,
                         .halo = lamps.halo,
                         .dst = lamps.dst,
                         .tone = lamps.tone,
                         .map = lamps.map,
                         .runs = plane_of(b->row, b->runs, 1, 8),
                         .disc = b->disc,
                         .outlines = b->outlines,
                         .boost = 8 * SATK_ONE,
                         .groups = 1,
                         .found = b->result,
                         .farthest = b->farthest,
                         .fraction = 51 - SATK_LINEAR_BITS(b->row->bits),
                         .scratch = b->scratch};
}

static void run_highlight(bench *b, int set)
{
    satk_highlight lamps = highlight_job(b, set);
    satk_points points = points_job(b, set);

    if (b->on == BENCH_CUDA) {
        b->failed |= device_highlight_find(&lamps) || device_points_find(&points) ||
                     device_points_add(&points);
        return;
    }
    satk_highlight_find_cpu(&lamps, b->threads);
    satk_points_find_cpu(&points, b->threads);
    satk_points_add_cpu(&points, b->threads);
}

static void run(bench *b, bench_primitive primitive, int set)
{
    const satk_plane src = plane_of(b->row, b->src[set], b->row->channels, b->row->bits);
    const int cuda = b->on == BENCH_CUDA;
    const satk_sat table = table_job(b, set);
    const satk_box box = box_job(b, set);
    const satk_layer layer = layer_job(b, set);
    const satk_spread spread = spread_job(b, set);
    const satk_histogram histogram = {src, b->result, b->scratch, 0};
    const satk_luma luma = {src, b->result, b->scratch, 0};
    const satk_codes codes = {src, b->result, b->scratch};
    const satk_plane dst = plane_of(b->row, b->dst[set], b->row->channels, b->row->bits);
    const satk_equalize equalize = {src, dst, b->encode};

    switch (primitive) {
    case BENCH_TABLE:
        cuda ? (void)(b->failed |= device_sat(&table)) : satk_sat_cpu(&table, b->threads);
        break;
    case BENCH_BOX:
        cuda ? (void)(b->failed |= device_box(&box)) : satk_box_cpu(&box, b->threads);
        break;
    case BENCH_BLUR:
        if (cuda && device_box_fused_pays(&box))
            b->failed |= device_box_fused(&box, b->scratch);
        else if (cuda)
            b->failed |= device_sat(&table) || device_box(&box);
        else
            satk_box_fused_cpu(&box, b->scratch, b->threads);
        break;
    case BENCH_LAYER:
        cuda ? (void)(b->failed |= device_layer(&layer)) : satk_layer_cpu(&layer, b->threads);
        break;
    case BENCH_SPREAD:
        cuda ? (void)(b->failed |= device_spread(&spread)) : satk_spread_cpu(&spread, b->threads);
        break;
    case BENCH_HIGHLIGHT: run_highlight(b, set); break;
    case BENCH_SURFACE:
    case BENCH_MATTE_PLANE:
    case BENCH_FOLLOW:
    case BENCH_SEPARATE:
    case BENCH_FILL: bench_run_maps(b, set); break;
    case BENCH_HISTOGRAM:
        cuda ? (void)(b->failed |= device_histogram(&histogram))
             : satk_histogram_cpu(&histogram, b->threads);
        break;
    case BENCH_LUMA:
        cuda ? (void)(b->failed |= device_luma(&luma)) : satk_luma_cpu(&luma, b->threads);
        break;
    case BENCH_CODES:
        cuda ? (void)(b->failed |= device_codes(&codes)) : satk_codes_cpu(&codes, b->threads);
        break;
    case BENCH_EQUALIZE:
        cuda ? (void)(b->failed |= device_equalize(&equalize))
             : satk_equalize_cpu(&equalize, b->threads);
        break;
    }
}

static int run_row(void *of, int set)
{
    bench *const b = of;

    run(b, b->row->primitive, set);
    return b->failed;
}

double bench_time(bench *b, int samples)
{
    return bench_median(&(bench_work){b->on, b->sets, run_row, NULL, b}, samples);
}

/* --- Peers ------------------------------------------------------------------------------------ */

static int run_cub(void *of, int set)
{
    bench *const b = of;
    const int count = b->row->width * b->row->height;

    return peer_histogram(b->peer_scratch, &b->peer_bytes, b->src[set], b->result, count,
                          device_stream());
}

static int run_integral(void *of, int set)
{
    bench *const b = of;

    return peer_integral(b->src[set], b->peer_scratch, b->row->width, b->row->height,
                         device_stream());
}

static int run_box(void *of, int set)
{
    bench *const b = of;

    return peer_box(b->src[set], b->dst[set], b->row->width, b->row->height,
                    (int)(b->row->radius / 256), device_stream());
}

/* Returns the peer of a row, and the scratch memory that it needs; NULL: there is none. */
static int (*peer_of(bench *b))(void *, int)
{
    const bench_row *const r = b->row;
    const int plain = r->bits == 8 && !r->linear && !r->map && !r->pictures;

    if (b->on != BENCH_CUDA || !plain)
        return NULL;
    if (r->primitive == BENCH_HISTOGRAM && r->channels == 4)
        return run_cub(b, 0) ? NULL : run_cub; /* the call asks for the size */
    if (r->primitive == BENCH_TABLE && r->channels == 1) {
        b->peer_bytes = ((size_t)r->width + 1) * ((size_t)r->height + 1) * sizeof(int32_t);
        return run_integral;
    }
    b->peer_bytes = 16;
    return r->primitive == BENCH_BLUR && r->channels == 4 && r->radius <= 8 * 256 ? run_box : NULL;
}

double bench_time_peer(bench *b, int samples)
{
    int (*const run_peer)(void *, int) = peer_of(b);
    double ms = -1;

    if (!run_peer)
        return -1;
    b->peer_scratch = bench_get(BENCH_CUDA, b->peer_bytes);
    if (b->peer_scratch && run_peer(b, 0) == 0)
        ms = bench_median(&(bench_work){b->on, b->sets, run_peer, NULL, b}, samples);
    bench_put_back(BENCH_CUDA, b->peer_scratch);
    return ms;
}

double bench_time_copy(bench *b, int samples)
{
    bench_copy c = {b->on, b->threads, b->sets, b->bytes_in, b->bytes_out, {NULL}, {NULL}, 0};

    for (int set = 0; set < b->sets; set++) {
        c.in[set] = b->row->primitive == BENCH_BOX ? b->table[set] : b->src[set];
        c.out[set] = b->dst[set] ? b->dst[set] : b->bytes_out ? b->table[set] : b->result;
    }
    return bench_median_copy(&c, samples);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t scratch_bytes(const bench *b)
{
    const bench_row *const row = b->row;
    const satk_sat table = table_job(b, 0);
    const satk_box box = box_job(b, 0);
    const satk_layer layer = layer_job(b, 0);
    const satk_spread spread = spread_job(b, 0);
    const satk_highlight highlight = highlight_job(b, 0);
    const satk_points points = points_job(b, 0);
    const satk_plane src = plane_of(row, NULL, row->channels, row->bits);
    const satk_histogram histogram = {.src = src};
    const satk_luma luma = {.src = src};
    const satk_codes codes = {.src = src};

    if (row->primitive == BENCH_LAYER)
        return b->on == BENCH_CUDA ? device_layer_scratch(&layer)
                                   : satk_layer_scratch_cpu(&layer, b->threads);
    if (row->primitive == BENCH_SPREAD)
        return b->on == BENCH_CUDA ? device_spread_scratch(&spread)
                                   : satk_spread_scratch_cpu(&spread, b->threads);
    if (row->primitive == BENCH_HIGHLIGHT)
        return b->on == BENCH_CUDA ? larger(device_highlight_find_scratch(&highlight),
                                            device_points_find_scratch(&points))
                                   : larger(satk_highlight_scratch_cpu(&highlight, b->threads),
                                            satk_points_scratch_cpu(&points, b->threads));
    if (bench_is_of_maps(row))
        return bench_maps_scratch(b);
    if (!bench_is_windowed(row) && b->on == BENCH_CUDA)
        return 16;
    if (row->primitive == BENCH_CODES)
        return satk_codes_scratch_cpu(&codes, b->threads);
    if (!bench_is_windowed(row))
        return row->primitive == BENCH_LUMA ? satk_luma_scratch_cpu(&luma, b->threads)
                                            : satk_histogram_scratch_cpu(&histogram, b->threads);
    if (b->on == BENCH_CUDA && row->primitive == BENCH_BLUR && device_box_fused_pays(&box))
        return device_box_fused_scratch(&box);
    if (b->on == BENCH_CUDA)
        return device_sat_scratch(&table);
    return row->primitive == BENCH_BLUR ? satk_box_fused_scratch(&box, b->threads)
                                        : satk_sat_scratch_cpu(&table, b->threads);
}

int bench_open(bench *b, const bench_row *row, bench_back_end on, int threads)
{
    *b = (bench){.row = row, .on = on, .threads = threads};
    count_bytes(b);
    b->sets = bench_sets_for(b->bytes_in + b->bytes_out);
    bench_fill(b);
    b->result = bench_get_for(b, satk_histogram_bytes(row->channels, row->bits));
    b->scratch = bench_get_for(b, scratch_bytes(b));
    /* Makes a true table for a box, whose encoding looks up its means. */
    for (int set = 0; set < b->sets && row->primitive == BENCH_BOX && !b->failed; set++)
        run(b, BENCH_TABLE, set);
    return !b->failed;
}

void bench_close(bench *b)
{
    for (int set = 0; set < b->sets; set++) {
        bench_put_back(b->on, b->src[set]);
        bench_put_back(b->on, b->table[set]);
        bench_put_back(b->on, b->dst[set]);
        bench_put_back(b->on, b->map[set]);
    }
    bench_put_back(b->on, b->lut);
    bench_put_back(b->on, b->decode);
    bench_put_back(b->on, b->encode);
    bench_put_back(b->on, b->position);
    bench_put_back(b->on, b->splat);
    bench_put_back(b->on, b->disc);
    bench_put_back(b->on, (void *)(uintptr_t)b->outlines.of);
    bench_put_back(b->on, b->runs);
    bench_put_back(b->on, b->halo);
    bench_put_back(b->on, b->linear);
    bench_put_back(b->on, b->rims);
    bench_put_back(b->on, b->matte);
    bench_put_back(b->on, b->scratch);
    bench_put_back(b->on, b->result);
}
