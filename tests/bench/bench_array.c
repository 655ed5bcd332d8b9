#include "bench/bench_array.h"

#include "support/device.h"
#include "bench/peer_cub.h"
#include "support/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t words_bytes(const array_row *r)
{
    return (size_t)r->count * (size_t)r->word / 8;
}

/* --- Compaction ------------------------------------------------------------------------------- */

static size_t half_bytes(const array_row *r)
{
    return words_bytes(r) / 2;
}

/* Returns a job that keeps about half of the values. */
static satk_compact compact_job(array_bench *b, int set)
{
    return (satk_compact){.in = (const uint32_t *)(void *)b->in[set],
                          .count = b->row->count,
                          .low = 0,
                          .high = UINT32_MAX / 2,
                          .out = (uint32_t *)(void *)b->out[set],
                          .kept = b->result,
                          .variant = (satk_compact_variant)b->row->variant,
                          .scratch = b->scratch};
}

static size_t compact_scratch(array_bench *b)
{
    const satk_compact job = compact_job(b, 0);

    return b->on == BENCH_CUDA ? device_compact_scratch(&job)
                               : satk_compact_scratch_cpu(&job, b->threads);
}

static int compact_run(array_bench *b, int set)
{
    const satk_compact job = compact_job(b, set);

    if (b->on == BENCH_CUDA)
        return device_compact(&job);
    satk_compact_cpu(&job, b->threads);
    return 0;
}

static int compact_peer(array_bench *b, int set)
{
    const satk_compact job = compact_job(b, set);

    return peer_compact(b->peer_scratch, &b->peer_bytes, job.in, job.out, job.kept, job.count,
                        job.low, job.high, device_stream());
}

static const array_kind compact = {.name = "compact",
                                   .variants = satk_compact_variant_names,
                                   .bytes_in = words_bytes,
                                   .bytes_out = half_bytes,
                                   .capacity_out = words_bytes,
                                   .scratch = compact_scratch,
                                   .run = compact_run,
                                   .peer = compact_peer};

/* --- Sort ------------------------------------------------------------------------------------- */

static size_t sort_bytes(const array_row *r)
{
    return words_bytes(r) + (r->values ? (size_t)r->count * 4 : 0);
}

/* The values lie behind the keys. */
static satk_sort sort_job(array_bench *b, int set)
{
    uint8_t *const values = b->out[set] + words_bytes(b->row);

    return (satk_sort){.keys = b->out[set],
                       .values = b->row->values ? (uint32_t *)(void *)values : NULL,
                       .count = b->row->count,
                       .word = b->row->word,
                       .variant = (satk_sort_variant)b->row->variant,
                       .scratch = b->scratch};
}

static size_t sort_scratch(array_bench *b)
{
    const satk_sort job = sort_job(b, 0);

    return b->on == BENCH_CUDA ? device_sort_scratch(&job)
                               : satk_sort_scratch_cpu(&job, b->threads);
}

static int sort_run(array_bench *b, int set)
{
    const satk_sort job = sort_job(b, set);

    if (b->on == BENCH_CUDA)
        return device_sort(&job);
    satk_sort_cpu(&job, b->threads);
    return 0;
}

/* CUB sorts from one array into another, so its input needs no restoring. */
static int sort_peer(array_bench *b, int set)
{
    const array_row *const r = b->row;
    const size_t keys = words_bytes(r);

    return peer_sort(b->peer_scratch, &b->peer_bytes, b->in[set], b->out[set],
                     r->values ? (const uint32_t *)(const void *)(b->in[set] + keys) : NULL,
                     r->values ? (uint32_t *)(void *)(b->out[set] + keys) : NULL, r->count, r->word,
                     device_stream());
}

static const array_kind sort = {.name = "sort",
                                .variants = satk_sort_variant_names,
                                .bytes_in = sort_bytes,
                                .bytes_out = sort_bytes,
                                .scratch = sort_scratch,
                                .run = sort_run,
                                .peer = sort_peer,
                                .in_place = 1};

/* --- Reduction -------------------------------------------------------------------------------- */

static size_t nothing(const array_row *r)
{
    (void)r;
    return 0;
}

static satk_reduce reduce_job(array_bench *b, int set)
{
    return (satk_reduce){.values = (const uint32_t *)(void *)b->in[set],
                         .count = b->row->count,
                         .op = (satk_reduce_op)b->row->op,
                         .variant = (satk_reduce_variant)b->row->variant,
                         .out = b->result,
                         .scratch = b->scratch};
}

static size_t reduce_scratch(array_bench *b)
{
    const satk_reduce job = reduce_job(b, 0);

    return 16 + (b->on == BENCH_CUDA ? device_reduce_scratch(&job) : 0);
}

static int reduce_run(array_bench *b, int set)
{
    const satk_reduce job = reduce_job(b, set);

    if (b->on == BENCH_CUDA)
        return device_reduce(&job);
    satk_reduce_cpu(&job, b->threads);
    return 0;
}

static int reduce_peer(array_bench *b, int set)
{
    if (b->row->op != SATK_REDUCE_SUM)
        return 1;
    return peer_reduce(b->peer_scratch, &b->peer_bytes, (const uint32_t *)(void *)b->in[set],
                       b->result, b->row->count, device_stream());
}

static const array_kind reduce = {.name = "reduce",
                                  .variants = satk_reduce_variant_names,
                                  .bytes_in = words_bytes,
                                  .bytes_out = nothing,
                                  .scratch = reduce_scratch,
                                  .run = reduce_run,
                                  .peer = reduce_peer};

/* --- Scan ------------------------------------------------------------------------------------- */

static satk_scan scan_job(array_bench *b, int set)
{
    return (satk_scan){.in = b->in[set],
                       .out = b->out[set],
                       .count = b->row->count,
                       .word = b->row->word,
                       .variant = (satk_scan_variant)b->row->variant,
                       .scratch = b->scratch};
}

static size_t scan_scratch(array_bench *b)
{
    const satk_scan job = scan_job(b, 0);

    return b->on == BENCH_CUDA ? device_scan_scratch(&job)
                               : satk_scan_scratch_cpu(&job, b->threads);
}

static int scan_run(array_bench *b, int set)
{
    const satk_scan job = scan_job(b, set);

    if (b->on == BENCH_CUDA)
        return device_scan(&job);
    satk_scan_cpu(&job, b->threads);
    return 0;
}

static int scan_peer(array_bench *b, int set)
{
    return peer_scan(b->peer_scratch, &b->peer_bytes, b->in[set], b->out[set], b->row->count,
                     b->row->word, device_stream());
}

static const array_kind scan = {.name = "scan",
                                .variants = satk_scan_variant_names,
                                .bytes_in = words_bytes,
                                .bytes_out = words_bytes,
                                .scratch = scan_scratch,
                                .run = scan_run,
                                .peer = scan_peer};

/* --- Rows ------------------------------------------------------------------------------------- */

int array_measured(const array_row *r, bench_back_end on)
{
    return on == BENCH_CUDA ? r->on != ARRAY_CPU : r->on != ARRAY_CUDA && r->variant == 0;
}

void array_name(const array_row *r, char *name, size_t size)
{
    snprintf(name, size, "%s u%d%s%s%s", r->kind->name, r->word, r->values ? " + values" : "",
             r->what ? ", " : "", r->what ? r->what : "");
}

void array_name_bytes(const array_row *r, char *text, size_t size)
{
    const size_t in = r->kind->bytes_in(r) / (size_t)r->count;
    const size_t out = r->kind->bytes_out(r) / (size_t)r->count;

    snprintf(text, size, out ? "%zu+%zu" : "%zu", in, out);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

static int fill_set(array_bench *b, int set, const uint8_t *host)
{
    const array_kind *const k = b->row->kind;
    const size_t capacity = k->capacity_out ? k->capacity_out(b->row) : b->bytes_out;

    b->in[set] = bench_get_filled(b->on, host, b->bytes_in);
    b->out[set] = bench_get(b->on, capacity < 16 ? 16 : capacity);
    return b->in[set] && b->out[set];
}

int array_open(array_bench *b, const array_row *row, bench_back_end on, int threads)
{
    uint64_t random = 1;

    *b = (array_bench){.row = row, .on = on, .threads = threads};
    b->bytes_in = row->kind->bytes_in(row);
    b->bytes_out = row->kind->bytes_out(row);
    b->sets = bench_sets_for(b->bytes_in + b->bytes_out);
    uint8_t *const host = malloc(b->bytes_in);
    int ready = host != NULL;
    for (int set = 0; set < b->sets && ready; set++) {
        random_bytes(&random, host, b->bytes_in);
        ready = fill_set(b, set, host);
    }
    free(host);
    if (ready) {
        b->result = bench_get(on, 64 * sizeof *b->result);
        b->scratch = bench_get(on, row->kind->scratch(b));
    }
    return ready && b->result && b->scratch;
}

void array_close(array_bench *b)
{
    for (int set = 0; set < b->sets; set++) {
        bench_put_back(b->on, b->in[set]);
        bench_put_back(b->on, b->out[set]);
    }
    bench_put_back(b->on, b->result);
    bench_put_back(b->on, b->scratch);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static int run_row(void *of, int set)
{
    array_bench *const b = of;

    return b->row->kind->run(b, set);
}

static int restore_row(void *of, int set)
{
    array_bench *const b = of;

    if (b->on == BENCH_CUDA)
        return device_copy(b->out[set], b->in[set], b->bytes_in);
    memcpy(b->out[set], b->in[set], b->bytes_in);
    return 0;
}

double array_time(array_bench *b, int samples)
{
    return bench_median(&(bench_work){.on = b->on,
                                      .sets = b->sets,
                                      .run = run_row,
                                      .restore = b->row->kind->in_place ? restore_row : NULL,
                                      .of = b},
                        samples);
}

static int run_peer(void *of, int set)
{
    array_bench *const b = of;

    return b->row->kind->peer(b, set);
}

double array_time_peer(array_bench *b, int samples)
{
    double ms = -1;

    if (b->on != BENCH_CUDA || run_peer(b, 0) != 0)
        return -1;
    b->peer_scratch = bench_get(BENCH_CUDA, b->peer_bytes);
    if (b->peer_scratch)
        ms = bench_median(&(bench_work){.on = b->on, .sets = b->sets, .run = run_peer, .of = b},
                          samples);
    bench_put_back(BENCH_CUDA, b->peer_scratch);
    return ms;
}

double array_time_copy(array_bench *b, int samples)
{
    bench_copy c = {.on = b->on,
                    .threads = b->threads,
                    .sets = b->sets,
                    .bytes_in = b->bytes_in,
                    .bytes_out = b->bytes_out};

    for (int set = 0; set < b->sets; set++) {
        c.in[set] = b->in[set];
        c.out[set] = b->out[set];
    }
    return bench_median_copy(&c, samples);
}

/* --- What is measured ------------------------------------------------------------------------- */

#define HUGE_   .count = (uint64_t)1 << 28
#define LARGE   .count = (uint64_t)1 << 26
#define COMMON  .count = (uint64_t)1 << 25
#define MEDIUM  .count = (uint64_t)1 << 22
#define ON_CUDA .on = ARRAY_CUDA

const array_row array_rows[] = {
    {&reduce, SATK_REDUCE_FAST, COMMON, .word = 32, .what = "sum"},
    {&reduce, SATK_REDUCE_FAST, HUGE_, .word = 32, .what = "sum", ON_CUDA},
    {&reduce, SATK_REDUCE_FAST, COMMON, .word = 32, .what = "max", .op = SATK_REDUCE_MAX},
    {&reduce, SATK_REDUCE_FAST, COMMON, .word = 32, .what = "argmax", .op = SATK_REDUCE_ARGMAX},
    {&reduce, SATK_REDUCE_FAST, COMMON, .word = 32, .what = "product", .op = SATK_REDUCE_PRODUCT},
    {&reduce, SATK_REDUCE_INTERLEAVED, COMMON, .word = 32, .what = "sum", ON_CUDA},
    {&reduce, SATK_REDUCE_CONVERGENT, COMMON, .word = 32, .what = "sum", ON_CUDA},
    {&reduce, SATK_REDUCE_SHARED, COMMON, .word = 32, .what = "sum", ON_CUDA},
    {&reduce, SATK_REDUCE_SEGMENTED, COMMON, .word = 32, .what = "sum", ON_CUDA},
    {&reduce, SATK_REDUCE_COARSENED, COMMON, .word = 32, .what = "sum", ON_CUDA},
    {&scan, SATK_SCAN_LOOK_BACK, COMMON, .word = 32},
    {&scan, SATK_SCAN_LOOK_BACK, HUGE_, .word = 32, ON_CUDA},
    {&scan, SATK_SCAN_LOOK_BACK, COMMON, .word = 64},
    {&scan, SATK_SCAN_CHAINED, COMMON, .word = 32, ON_CUDA},
    {&scan, SATK_SCAN_THREE_PHASE, COMMON, .word = 32, ON_CUDA},
    {&scan, SATK_SCAN_HILLIS_STEELE, COMMON, .word = 32, ON_CUDA},
    {&scan, SATK_SCAN_BLELLOCH, COMMON, .word = 32, ON_CUDA},
    {&scan, SATK_SCAN_BRENT_KUNG, COMMON, .word = 32, ON_CUDA},
    {&compact, SATK_COMPACT_SINGLE_PASS, LARGE, .word = 32, .what = "half kept"},
    {&compact, SATK_COMPACT_THREE_KERNEL, LARGE, .word = 32, .what = "half kept"},
    {&sort, SATK_SORT_DIGITS, LARGE, .word = 32, .on = ARRAY_CUDA},
    {&sort, SATK_SORT_DIGITS, LARGE, .word = 32, .values = 1, .on = ARRAY_CUDA},
    {&sort, SATK_SORT_DIGITS, LARGE, .word = 64, .on = ARRAY_CUDA},
    {&sort, SATK_SORT_DIGITS, LARGE, .word = 64, .values = 1, .on = ARRAY_CUDA},
    {&sort, SATK_SORT_DIGITS, MEDIUM, .word = 32},
    {&sort, SATK_SORT_SPLIT, MEDIUM, .word = 32},
    {&sort, SATK_SORT_TILES, MEDIUM, .word = 32},
    {&sort, SATK_SORT_DIGITS, MEDIUM, .word = 32, .values = 1},
    {&sort, SATK_SORT_SPLIT, MEDIUM, .word = 32, .values = 1},
    {&sort, SATK_SORT_TILES, MEDIUM, .word = 32, .values = 1},
    {&sort, SATK_SORT_DIGITS, MEDIUM, .word = 64},
    {&sort, SATK_SORT_SPLIT, MEDIUM, .word = 64},
    {&sort, SATK_SORT_TILES, MEDIUM, .word = 64},
};
const int array_rows_count = sizeof array_rows / sizeof *array_rows;
