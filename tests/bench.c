#include "bench.h"

#include "../core/highlights.h"
#include "../core/layers.h"
#include "../core/spreading.h"
#include "../core/tone_tables.h"
#include "device.h"
#include "peer_cub.h"
#include "peer_npp.h"
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Memory ----------------------------------------------------------------------------------- */

static void *get(bench *b, size_t bytes)
{
    void *const memory = bench_get(b->on, bytes);

    b->failed |= memory == NULL;
    return memory;
}

static void *get_filled(bench *b, const void *host, size_t bytes)
{
    void *const memory = bench_get_filled(b->on, host, bytes);

    b->failed |= memory == NULL;
    return memory;
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static size_t pixels_of(const bench_row *r)
{
    return (size_t)r->width * (size_t)r->height * (size_t)(r->pictures ? r->pictures : 1);
}

static size_t source_bytes(const bench_row *r)
{
    return pixels_of(r) * (size_t)r->channels * (size_t)(r->bits / 8);
}

static size_t table_bytes(const bench_row *r)
{
    return pixels_of(r) * (size_t)r->channels * (size_t)(r->word / 8);
}

/* A table, or what is read from one. */
static int is_windowed(const bench_row *r)
{
    return r->primitive == BENCH_TABLE || r->primitive == BENCH_BOX || r->primitive == BENCH_BLUR;
}

/* What must be read once and written once. A box reads the source only where nothing is blurred. */
static void count_bytes(bench *b)
{
    const bench_row *const r = b->row;

    switch (r->primitive) {
    case BENCH_TABLE:
        b->bytes_in = source_bytes(r);
        b->bytes_out = table_bytes(r);
        break;
    case BENCH_BOX:
        b->bytes_in = table_bytes(r) + (r->map ? pixels_of(r) : 0);
        b->bytes_out = source_bytes(r);
        break;
    case BENCH_BLUR:
    case BENCH_LAYER:
    case BENCH_SPREAD:
    case BENCH_HIGHLIGHT:
        b->bytes_in = source_bytes(r) + (r->map ? pixels_of(r) : 0);
        b->bytes_out = source_bytes(r);
        break;
    case BENCH_EQUALIZE: b->bytes_in = b->bytes_out = source_bytes(r); break;
    default:
        b->bytes_in = source_bytes(r);
        b->bytes_out = 0;
        break;
    }
}

/* --- Contents --------------------------------------------------------------------------------- */

/* Smooth as a depth map is: a slope with a disc in front of it. */
static void draw_smooth_map(const bench_row *r, uint8_t *map)
{
    const long cx = r->width / 3, cy = r->height / 2, radius = r->height / 4;

    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const int inside = (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;
            *map++ = (uint8_t)(inside ? 20 : (255L * (r->height - 1 - y)) / r->height);
        }
}

/* Codes of a wall far away, of a floor that comes towards the camera from its foot, and of things
 * that stand on the floor or hang in front of it. */
static void draw_objects_map(const bench_row *r, uint8_t *map)
{
    static const struct {
        int x, y, across, down; /* an ellipse, in 1/64 of the picture */
        int code, slope;        /* in its middle, and what the width adds */
    } objects[] = {
        {12, 27, 4, 9, 90, 0},    {49, 30, 6, 12, 105, 12}, {31, 34, 5, 16, 150, 6},
        {20, 41, 7, 8, 175, -10}, {55, 46, 5, 14, 200, 0},  {3, 40, 4, 30, 240, 8},
    };
    const int count = sizeof objects / sizeof *objects;

    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const double u = 64.0 * x / r->width, v = 64.0 * y / r->height;
            double code = v < 28 ? 50 + 10 * u / 64 : 60 + 170 * (v - 28) / 36;
            for (int i = 0; i < count; i++) {
                const double dx = (u - objects[i].x) / objects[i].across;
                const double dy = (v - objects[i].y) / objects[i].down;
                if (dx * dx + dy * dy < 1)
                    code = objects[i].code + objects[i].slope * dx;
            }
            *map++ = (uint8_t)code;
        }
}

/* The library says which slabs some pixel is in. */
static void mark_used(bench *b, const uint8_t *map)
{
    for (size_t i = 0; i < pixels_of(b->row); i++) {
        const int position = b->positions[map[i]];
        b->slabs[position / SATK_SLAB].used = 1;
        if (position % SATK_SLAB)
            b->slabs[position / SATK_SLAB + 1].used = 1;
    }
}

static void draw_map(bench *b, uint64_t *random, uint8_t *map)
{
    const bench_row *const r = b->row;

    switch (r->map) {
    case MAP_SMOOTH: draw_smooth_map(r, map); break;
    case MAP_OBJECTS: draw_objects_map(r, map); break;
    case MAP_RANDOM: random_bytes(random, map, pixels_of(r)); break;
    default: memset(map, 117, pixels_of(r)); break;
    }
    if (r->primitive == BENCH_LAYER)
        mark_used(b, map);
}

static void fill_set(bench *b, int set, uint64_t *random)
{
    const bench_row *const r = b->row;
    const size_t pixels = pixels_of(r), source = source_bytes(r);
    const int has_result = r->primitive != BENCH_TABLE && b->bytes_out > 0;
    const int needs_table = is_windowed(r) && (r->primitive != BENCH_BLUR || b->on == BENCH_CUDA);
    uint8_t *const host = malloc(source + pixels);

    if (!host) {
        b->failed = 1;
        return;
    }
    if (r->constant)
        memset(host, 117, source);
    else
        random_bytes(random, host, source);
    for (size_t i = 3; r->opaque && i < source; i += 4)
        host[i] = 255;
    b->src[set] = get_filled(b, host, source + (r->map ? pixels : 0)); /* as the copy reads */
    if (needs_table) /* the copy reads the map's bytes behind it */
        b->table[set] = get(b, table_bytes(r) + pixels);
    if (has_result)
        b->dst[set] = get(b, source);
    if (r->map)
        draw_map(b, random, host);
    if (r->map)
        b->map[set] = get_filled(b, host, pixels);
    free(host);
}

static void fill_luts(bench *b)
{
    const int bits = b->row->bits;
    const size_t codes = (size_t)1 << bits, samples = (size_t)satb_linear_max(bits) + 1;
    uint32_t lut[256], *const decode = malloc(codes * sizeof *decode);
    uint16_t *const encode = malloc(samples * sizeof *encode);

    for (uint32_t i = 0; i < 256; i++)
        lut[i] =
            b->row->whole ? b->row->radius / 256 * i / 255 * 256 : (b->row->radius * i + 127) / 255;
    b->lut = get_filled(b, lut, sizeof lut);
    b->failed |= !decode || !encode;
    if (b->row->linear && decode && encode) {
        satb_fill_decode(bits, decode);
        satb_fill_encode(bits, encode);
        b->decode = get_filled(b, decode, codes * sizeof *decode);
        b->encode = get_filled(b, encode, samples * sizeof *encode);
    }
    if (b->row->primitive == BENCH_EQUALIZE && encode) { /* any table will do */
        for (size_t i = 0; i < codes; i++)
            encode[i] = (uint16_t)(codes - 1 - i);
        b->encode = get_filled(b, encode, codes * sizeof *encode);
    }
    free(decode);
    free(encode);
}

/* The focus of rows with depth: half as many slabs are in front of it as behind. */
static const double focus = 0.6;

/* Slabs as the library makes them. */
static void fill_slabs(bench *b)
{
    const double reach = b->row->radius / 256.0;
    int signed_radius[SATK_MAX_SLABS];

    b->slab_count = satb_make_slabs(-focus * reach, (1 - focus) * reach, b->row->width, 0, b->slabs,
                                    signed_radius);
    for (int i = 0; i < 256; i++)
        b->positions[i] =
            satb_slab_position(signed_radius, b->slab_count, (i / 255.0 - focus) * reach);
    b->position = get_filled(b, b->positions, sizeof b->positions);
}

/* Splats as the library makes them, of samples without weights. */
static void fill_splats(bench *b)
{
    const double reach = b->row->radius / 256.0;
    const int farthest = (int)(focus * reach) + 1;
    const int bits = satb_light_bits(farthest, satb_linear_max(b->row->bits));
    satk_splat splats[256];

    for (int i = 0; i < 256; i++) {
        const uint32_t radius = (uint32_t)(fabs(i / 255.0 - focus) * b->row->radius);
        splats[i] = satb_make_splat(b->row->whole ? radius / 256 * 256 : radius, bits);
    }
    b->splat = get_filled(b, splats, sizeof splats);
    b->farthest = farthest;
}

/* Discs as the library makes them; and in the place of tables means, which no code but the two largest is four
 * times as bright as: 2.3 % of random pixels are lights, and stay so from run to run. */
static void fill_discs(bench *b)
{
    enum { MEAN = 136 };
    const double reach = b->row->radius / 256.0;
    uint8_t *const means = malloc(source_bytes(b->row));
    satk_disc discs[256];

    for (int i = 0; i < 256; i++)
        discs[i] = satb_make_disc((i / 255.0 - focus) * reach, 0);
    b->disc = get_filled(b, discs, sizeof discs);
    b->farthest = (int)(focus * reach) + 1;
    b->mask = get(b, pixels_of(b->row));
    b->failed |= !means;
    if (means)
        memset(means, MEAN, source_bytes(b->row));
    for (int set = 0; set < b->sets && means; set++)
        b->table[set] = get_filled(b, means, source_bytes(b->row));
    free(means);
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
                      .src_step = source_bytes(b->row) / (b->row->pictures ? b->row->pictures : 1),
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
                            .dst = plane_of(r, b->dst[set], r->channels, r->bits),
                            .tone = tone_of(b),
                            .map = plane_of(r, b->map[set], 1, 8),
                            .disc = b->disc,
                            .boost = 8 * SATK_ONE,
                            .mask = plane_of(r, b->mask, 1, 8),
                            .found = b->result,
                            .farthest = b->farthest,
                            .scratch = b->scratch};
}

/* The lights behind the focus are all seen. */
static void run_highlight(bench *b, int set)
{
    satk_highlight job = highlight_job(b, set);

    if (b->on == BENCH_CUDA)
        b->failed |= device_find_lights(&job) != 0;
    else
        satk_highlight_find_cpu(&job, b->threads);
    for (job.side = -1; job.side <= 1; job.side += 2)
        if (b->on == BENCH_CUDA)
            b->failed |= device_add_lights(&job) != 0;
        else
            satk_highlight_add_cpu(&job, b->threads);
}

static void run(bench *b, bench_primitive primitive, int set)
{
    const satk_plane src = plane_of(b->row, b->src[set], b->row->channels, b->row->bits);
    const int cuda = b->on == BENCH_CUDA;
    const satk_sat table = table_job(b, set);
    const satk_box box = box_job(b, set);
    const satk_layer layer = layer_job(b, set);
    const satk_spread spread = spread_job(b, set);
    const satk_histogram histogram = {src, b->result, b->scratch};
    const satk_luma luma = {src, b->result, b->scratch};
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
    case BENCH_HISTOGRAM:
        cuda ? (void)(b->failed |= device_histogram(&histogram))
             : satk_histogram_cpu(&histogram, b->threads);
        break;
    case BENCH_LUMA:
        cuda ? (void)(b->failed |= device_luma(&luma)) : satk_luma_cpu(&luma, b->threads);
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

/* What the row is compared with, and how much memory of its own that needs; NULL: nothing. */
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

static size_t scratch_bytes(const bench *b)
{
    const bench_row *const row = b->row;
    const satk_sat table = table_job(b, 0);
    const satk_box box = box_job(b, 0);
    const satk_layer layer = layer_job(b, 0);
    const satk_spread spread = spread_job(b, 0);
    const satk_highlight highlight = highlight_job(b, 0);
    const satk_plane src = plane_of(row, NULL, row->channels, row->bits);
    const satk_histogram histogram = {.src = src};
    const satk_luma luma = {.src = src};

    if (row->primitive == BENCH_LAYER)
        return b->on == BENCH_CUDA ? device_layer_scratch(&layer)
                                   : satk_layer_scratch_cpu(&layer, b->threads);
    if (row->primitive == BENCH_SPREAD)
        return b->on == BENCH_CUDA ? device_spread_scratch(&spread)
                                   : satk_spread_scratch_cpu(&spread, b->threads);
    if (row->primitive == BENCH_HIGHLIGHT)
        return b->on == BENCH_CUDA ? device_lights_scratch(&highlight)
                                   : satk_highlight_scratch_cpu(&highlight, b->threads);
    if (!is_windowed(row) && b->on == BENCH_CUDA)
        return 16;
    if (!is_windowed(row))
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
    uint64_t random = 1;

    *b = (bench){.row = row, .on = on, .threads = threads};
    count_bytes(b);
    b->sets = bench_sets_for(b->bytes_in + b->bytes_out);
    fill_luts(b);
    if (row->primitive == BENCH_LAYER)
        fill_slabs(b);
    if (row->primitive == BENCH_SPREAD)
        fill_splats(b);
    if (row->primitive == BENCH_HIGHLIGHT)
        fill_discs(b);
    for (int set = 0; set < b->sets && !b->failed; set++)
        fill_set(b, set, &random);
    b->result = get(b, satk_histogram_bytes(row->channels, row->bits));
    b->scratch = get(b, scratch_bytes(b));
    /* A box needs a true table: the encoding looks its means up. */
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
    bench_put_back(b->on, b->mask);
    bench_put_back(b->on, b->scratch);
    bench_put_back(b->on, b->result);
}
