#include "bench_run.h"

#include "../core/tone_tables.h"
#include "device.h"
#include "sample.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* --- Memory of either back end ---------------------------------------------------------------- */

/* Large buffers ask for huge pages, as the library's own do. */
static void *get_host(size_t bytes)
{
    const size_t huge = (size_t)2 << 20, alignment = bytes < huge ? 64 : huge;
    const size_t rounded = (bytes + alignment) / alignment * alignment;
    void *const memory = aligned_alloc(alignment, rounded);

    if (memory && alignment == huge)
        madvise(memory, rounded, MADV_HUGEPAGE); /* a wish: failure changes nothing */
    return memory;
}

static void *get(bench *b, size_t bytes)
{
    void *const memory = b->on == BENCH_CUDA ? device_alloc(bytes) : get_host(bytes);

    b->failed |= memory == NULL;
    return memory;
}

static void put_back(const bench *b, void *memory)
{
    if (b->on == BENCH_CPU)
        free(memory);
    else if (memory)
        device_free(memory);
}

/* Memory of the back end with the host's contents. */
static void *get_filled(bench *b, const void *host, size_t bytes)
{
    void *const memory = get(b, bytes);

    if (memory && b->on == BENCH_CPU)
        memcpy(memory, host, bytes);
    else if (memory)
        b->failed |= device_upload(memory, host, bytes) != 0;
    return memory;
}

/* --- Sizes ------------------------------------------------------------------------------------ */

static size_t pixels_of(const bench_row *r)
{
    return (size_t)r->width * (size_t)r->height;
}

static size_t source_bytes(const bench_row *r)
{
    return pixels_of(r) * (size_t)r->channels * (size_t)(r->bits / 8);
}

static size_t table_bytes(const bench_row *r)
{
    return pixels_of(r) * (size_t)r->channels * (size_t)(r->word / 8);
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

static void fill_set(bench *b, int set, uint64_t *random)
{
    const bench_row *const r = b->row;
    const size_t pixels = pixels_of(r), source = source_bytes(r);
    const size_t size = source > pixels ? source : pixels;
    uint8_t *const host = malloc(size);

    if (!host) {
        b->failed = 1;
        return;
    }
    if (r->constant)
        memset(host, 117, source);
    else
        random_bytes(random, host, source);
    b->src[set] = get_filled(b, host, source);
    if (r->primitive == BENCH_TABLE ||
        r->primitive == BENCH_BOX) /* the copy reads the map's bytes behind it */
        b->table[set] = get(b, table_bytes(r) + pixels);
    if (r->primitive == BENCH_BOX)
        b->dst[set] = get(b, source);
    if (r->map == MAP_SMOOTH)
        draw_smooth_map(r, host);
    else if (r->map == MAP_RANDOM)
        random_bytes(random, host, pixels);
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
        lut[i] = (b->row->radius * i + 127) / 255;
    b->lut = get_filled(b, lut, sizeof lut);
    b->failed |= !decode || !encode;
    if (b->row->linear && decode && encode) {
        satb_fill_decode(bits, decode);
        satb_fill_encode(bits, encode);
        b->decode = get_filled(b, decode, codes * sizeof *decode);
        b->encode = get_filled(b, encode, samples * sizeof *encode);
    }
    free(decode);
    free(encode);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static satk_plane plane_of(const bench_row *r, uint8_t *data, int channels, int bits)
{
    return (satk_plane){
        data, (ptrdiff_t)r->width * channels * (bits / 8), r->width, r->height, channels, bits};
}

static satk_tone tone_of(const bench *b)
{
    return (satk_tone){.decode = b->decode, .encode = b->encode, .weighted = b->row->weighted};
}

static satk_sat table_job(const bench *b, int set)
{
    return (satk_sat){.src = plane_of(b->row, b->src[set], b->row->channels, b->row->bits),
                      .tone = tone_of(b),
                      .word = b->row->word,
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

static void run(bench *b, bench_primitive primitive, int set)
{
    const satk_plane src = plane_of(b->row, b->src[set], b->row->channels, b->row->bits);
    const int cuda = b->on == BENCH_CUDA;
    const satk_sat table = table_job(b, set);
    const satk_box box = box_job(b, set);
    const satk_reduce reduce = {src, b->result};
    const satk_histogram histogram = {src, b->result};

    switch (primitive) {
    case BENCH_TABLE:
        cuda ? (void)(b->failed |= device_sat(&table)) : satk_sat_cpu(&table, b->threads);
        break;
    case BENCH_BOX:
        cuda ? (void)(b->failed |= device_box(&box)) : satk_box_cpu(&box, b->threads);
        break;
    case BENCH_REDUCE:
        cuda ? (void)(b->failed |= device_reduce(&reduce)) : satk_reduce_cpu(&reduce, b->threads);
        break;
    case BENCH_HISTOGRAM:
        cuda ? (void)(b->failed |= device_histogram(&histogram))
             : satk_histogram_cpu(&histogram, b->threads);
        break;
    }
}

void bench_run(bench *b, int set, int variant)
{
    (void)variant;
    run(b, b->row->primitive, set);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Enough sets that none is still in a cache when its turn comes again: 512 MB in all. */
static int sets_for(const bench *b)
{
    const size_t wanted = ((size_t)512 << 20) / (b->bytes_in + b->bytes_out) + 1;

    return wanted < BENCH_SETS ? (int)wanted : BENCH_SETS;
}

int bench_open(bench *b, const bench_row *row, bench_back_end on, int threads)
{
    uint64_t random = 1;

    *b = (bench){.row = row, .on = on, .threads = threads};
    count_bytes(b);
    b->sets = sets_for(b);
    fill_luts(b);
    for (int set = 0; set < b->sets && !b->failed; set++)
        fill_set(b, set, &random);
    b->result = get(b, 4 * SATK_BINS * sizeof(uint64_t));
    if (row->primitive == BENCH_TABLE || row->primitive == BENCH_BOX) {
        const satk_sat job = table_job(b, 0);
        b->scratch = get(b, on == BENCH_CUDA ? device_sat_scratch(&job)
                                             : satk_sat_scratch_cpu(&job, threads));
    }
    /* A box needs a true table: the encoding looks its means up. */
    for (int set = 0; set < b->sets && row->primitive == BENCH_BOX && !b->failed; set++)
        run(b, BENCH_TABLE, set);
    return !b->failed;
}

void bench_close(bench *b)
{
    for (int set = 0; set < b->sets; set++) {
        put_back(b, b->src[set]);
        put_back(b, b->table[set]);
        put_back(b, b->dst[set]);
        put_back(b, b->map[set]);
    }
    put_back(b, b->lut);
    put_back(b, b->decode);
    put_back(b, b->encode);
    put_back(b, b->scratch);
    put_back(b, b->result);
}
