#include "bench/bench_api.h"

#include "bench/bench_api_calls.h"
#include "base/context.h"
#include "support/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIZES = 6, MOST_CELLS = 2 * MOST_SIZES, SAMPLES = 21, WARM_UPS = 5, QUICK_SAMPLES = 3 };

/* Of --sizes: from a screen to the largest cameras. */
static const int grown[MOST_SIZES][2] = {{1920, 1080}, {3840, 2160}, {6000, 4000},
                                         {7680, 4320}, {8000, 6000}, {12247, 8165}};

typedef struct api_options {
    bench_back_end on;
    int threads, quick;
    int megabytes; /* the most of a GPU's memory; 0: what is free */
    int grows;     /* 1: the table of sizes */
    int sizes, width[MOST_SIZES], height[MOST_SIZES];
    const char *filter;
} api_options;

/* A call on pictures of one size and 3 or 4 channels: medians, in milliseconds. */
typedef struct api_cell {
    double ms, depth_ms;
    size_t peak; /* bytes of the device */
    int done;
} api_cell;

typedef struct api_bench {
    api_options options;
    api_images images[MOST_SIZES];
    api_cell first[MOST_CELLS]; /* of the first row */
    size_t most;                /* bytes of the device that a row of the first size took */
    const char *most_name;
    int measured, failed;
} api_bench;

/* --- Measuring -------------------------------------------------------------------------------- */

/* Returns the milliseconds from the call to the device's idleness. Negative: it failed. */
static double time_once(const api_bench *b, api_run *r, double *depth_ms)
{
    const double began = satb_now_ms();
    const satb_status status = r->call->run(r);
    const int failed = status != SATB_OK || (b->options.on == BENCH_CUDA && device_idle());
    const int calls = r->call->queued > 0 ? r->call->queued : 1;
    const double ms = (satb_now_ms() - began) / calls;

    if (failed)
        fprintf(stderr, "satbench: %s: %s %s\n", r->call->name, satb_last_message(r->context),
                status == SATB_OK || *satb_last_message(r->context) == '\0' ? device_error() : "");
    *depth_ms = satb_last_timings(r->context).ms[SATB_STAGE_DEPTH];
    r->set = (r->set + 1) % API_SETS;
    return failed ? -1 : ms;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static void take_samples(const api_bench *b, api_run *r, api_cell *cell)
{
    const int samples = b->options.quick ? QUICK_SAMPLES : SAMPLES;
    double ms[SAMPLES], depth_ms[SAMPLES], unused;

    for (int i = 0; i < (b->options.quick ? 1 : WARM_UPS); i++)
        if (time_once(b, r, &unused) < 0)
            return;
    if (!api_did_as_named(r)) {
        fprintf(stderr, "satbench: %s: it did something else\n", r->call->name);
        return;
    }
    for (int i = 0; i < samples; i++)
        if ((ms[i] = time_once(b, r, &depth_ms[i])) < 0)
            return;
    *cell = (api_cell){median(ms, samples), median(depth_ms, samples),
                       satb_last_memory(r->context).peak, 1};
}

/* Every cell has a context of its own, whose memory is that of this call. */
static api_cell measure(api_bench *b, const api_call *call, int size, int channels)
{
    const satb_config config = {.device = b->options.on == BENCH_CUDA ? SATB_DEVICE_CUDA
                                                                      : SATB_DEVICE_CPU,
                                .threads = b->options.threads,
                                .gpu_memory = (size_t)b->options.megabytes << 20};
    api_run r = {.call = call, .images = &b->images[size], .channels = channels};
    api_cell cell = {0};

    if (satb_open(&r.context, &config) == SATB_OK)
        take_samples(b, &r, &cell);
    else
        fprintf(stderr, "satbench: %s\n", satb_open_message());
    satb_close(&r.context);
    b->measured += cell.done;
    b->failed += !cell.done;
    return cell;
}

/* --- Printing --------------------------------------------------------------------------------- */

static void print_clock(const api_options *o)
{
    printf(
        "On: %s. Milliseconds by the host's clock, until the call has returned and the device is "
        "idle: median of %d\nafter %d. ",
        o->on == BENCH_CUDA ? device_name() : "the CPU", o->quick ? QUICK_SAMPLES : SAMPLES,
        o->quick ? 1 : WARM_UPS);
}

static void print_head(const api_options *o)
{
    print_clock(o);
    printf("x: time / time of the first row. depth: the part that satb_last_timings() has for the "
           "depth map.\n\n| call |");
    for (int i = 0; i < o->sizes; i++)
        printf(" %dx%d RGB ms | x | depth | RGBA ms | x | depth |", o->width[i], o->height[i]);
    printf("\n|---|");
    for (int i = 0; i < 6 * o->sizes; i++)
        printf("---|");
    printf("\n");
}

static void print_cell(const api_cell *cell, const api_cell *first)
{
    if (!cell->done)
        printf(" - | - | - |");
    else if (first->done)
        printf(" %.3f | %.2f | %.3f |", cell->ms, cell->ms / first->ms, cell->depth_ms);
    else
        printf(" %.3f | - | %.3f |", cell->ms, cell->depth_ms);
    fflush(stdout);
}

static void print_memory(const api_bench *b)
{
    const api_options *const o = &b->options;

    printf("\nMemory of the device for %dx%d, MB: %s %zu RGB, %zu RGBA; at most %zu, %s.\n",
           o->width[0], o->height[0], api_calls[0].name, b->first[0].peak >> 20,
           b->first[1].peak >> 20, b->most >> 20, b->most_name ? b->most_name : "none");
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Returns whether a row is measured. The first one always is. A back end that is the host has no copies. */
static int is_wanted(const api_options *o, int row)
{
    const api_call *const call = &api_calls[row];

    return (row == 0 || !o->filter || strstr(call->name, o->filter)) &&
           (o->on == BENCH_CUDA || !call->on_host);
}

static void measure_row(api_bench *b, int row)
{
    printf("| %s |", api_calls[row].name);
    for (int i = 0; i < 2 * b->options.sizes; i++) {
        const api_cell cell = measure(b, &api_calls[row], i / 2, 3 + i % 2);
        if (row == 0)
            b->first[i] = cell;
        if (i < 2 && cell.peak > b->most) {
            b->most = cell.peak;
            b->most_name = api_calls[row].name;
        }
        print_cell(&cell, &b->first[i / 2 * 2]);
    }
    printf("\n");
}

/* Returns the milliseconds of a copy of a picture. */
static double time_copy(const api_bench *b, const api_images *images, api_image picture)
{
    bench_copy copy = {.on = b->options.on,
                       .threads = b->options.threads > 0 ? b->options.threads : 1,
                       .sets = API_SETS,
                       .bytes_in = api_bytes(&images->host[picture]),
                       .bytes_out = api_bytes(&images->host[picture])};

    for (int i = 0; i < API_SETS; i++) {
        copy.in[i] = images->set[i][picture].data;
        copy.out[i] = images->result[i].data;
    }
    return bench_median_copy(&copy, b->options.quick ? QUICK_SAMPLES : SAMPLES);
}

/* Prints the rows of a size: a call each. */
static void measure_size(api_bench *b, int size)
{
    const api_images *const images = &b->images[size];
    const double pixels = (double)images->width * images->height;
    double copies[2];

    for (int i = 0; i < 2; i++)
        copies[i] = time_copy(b, images, i ? API_RGBA : API_RGB);
    for (int row = 0; row < api_calls_count; row++) {
        if (!is_wanted(&b->options, row))
            continue;
        printf("| %s | %dx%d | %.1f |", api_calls[row].name, images->width, images->height,
               pixels / 1e6);
        for (int i = 0; i < 2; i++) {
            const api_cell cell = measure(b, &api_calls[row], size, 3 + i);
            printf(" %.3f | %.3f | %.1f | %.0f |", cell.ms, cell.ms * 1e6 / pixels,
                   cell.ms / copies[i], (double)cell.peak / pixels);
            fflush(stdout);
        }
        printf("\n");
    }
}

static void measure_sizes(api_bench *b)
{
    const api_options *const o = &b->options;

    print_clock(o);
    printf(
        "x: time / time of a copy of the same bytes. bytes: of the device's memory, a pixel.\n\n"
        "| call | picture | Mpx | RGB ms | ms a Mpx | x | bytes | RGBA ms | ms a Mpx | x | bytes "
        "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < o->sizes; i++) {
        if (api_open_images(&b->images[i], o->on, o->width[i], o->height[i])) {
            measure_size(b, i);
        } else {
            fprintf(stderr, "satbench: no memory for the images\n");
            b->failed++;
        }
        api_close_images(&b->images[i]);
    }
}

static void measure_all(api_bench *b)
{
    const api_options *const o = &b->options;
    int opened = 1;

    for (int i = 0; i < o->sizes; i++)
        opened &= api_open_images(&b->images[i], o->on, o->width[i], o->height[i]);
    if (opened) {
        print_head(o);
        for (int row = 0; row < api_calls_count; row++)
            if (is_wanted(o, row))
                measure_row(b, row);
        if (o->on == BENCH_CUDA)
            print_memory(b);
    } else {
        fprintf(stderr, "satbench: no memory for the images\n");
        b->failed++;
    }
    for (int i = 0; i < o->sizes; i++)
        api_close_images(&b->images[i]);
}

/* --- Program ---------------------------------------------------------------------------------- */

/* Parses "3840x2160". Maps are a quarter of it, and a picture has at least 16 pixels on a side. */
static int parse_size(api_options *o, const char *text)
{
    char more;

    o->sizes = 1;
    return sscanf(text, "%dx%d%c", &o->width[0], &o->height[0], &more) == 2 && o->width[0] >= 16 &&
           o->height[0] >= 16 && o->width[0] <= 16384 && o->height[0] <= 16384;
}

static void use_sizes(api_options *o)
{
    o->grows = 1;
    o->sizes = MOST_SIZES;
    for (int i = 0; i < MOST_SIZES; i++) {
        o->width[i] = grown[i][0];
        o->height[i] = grown[i][1];
    }
}

static int parse(api_options *o, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--cpu"))
            o->on = BENCH_CPU;
        else if (!strcmp(argv[i], "--quick"))
            o->quick = 1;
        else if (!strcmp(argv[i], "--sizes"))
            use_sizes(o);
        else if (i + 1 >= argc)
            return 0;
        else if (!strcmp(argv[i], "--threads"))
            o->threads = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--gpu-memory"))
            o->megabytes = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--filter"))
            o->filter = argv[++i];
        else if (strcmp(argv[i], "--size") || !parse_size(o, argv[++i]))
            return 0;
    return o->threads >= 0 && o->threads <= 1024 && o->megabytes >= 0;
}

int api_main(int argc, char **argv)
{
    api_bench b = {
        .options = {.on = BENCH_CUDA, .sizes = 2, .width = {3840, 1920}, .height = {2160, 1080}}};

    if (!parse(&b.options, argc, argv)) {
        fprintf(stderr, "usage: " API_USAGE "\n");
        return 2;
    }
    if (b.options.on == BENCH_CUDA && !device_open()) {
        fprintf(stderr, "satbench: %s\n", device_reason());
        return 1;
    }
    if (b.options.grows)
        measure_sizes(&b);
    else
        measure_all(&b);
    return b.failed > 0 || b.measured == 0;
}
