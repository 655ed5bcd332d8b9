/* satbench: how long every primitive takes on every back end, and how that compares with merely
 * moving its bytes.
 *
 * usage: satbench [--cpu] [--cuda] [--threads 1,2] [--quick] [--filter TEXT]
 *
 * In tests/ and not in app/: it needs the kernel layer, which only tests may see. Prints a Markdown
 * table. A row is printed when it has been measured; a row that failed makes the program fail, and
 * so does a run without rows. */
#include "bench.h"
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 8 };

typedef struct options {
    int cpu, cuda; /* asked for by name */
    int quick;
    int threads[MAX_THREADS], thread_counts;
    const char *filter;
} options;

typedef struct outcome {
    int measured, failed;
} outcome;

static const char *const primitive_names[] = {"table", "box", "reduce", "histogram"};

/* --- Rows ------------------------------------------------------------------------------------- */

/* "3840x2160 RGB, radius 5" */
static void name_row(const bench_row *r, char *name, size_t size)
{
    static const char *const kinds[] = {"gray", "gray+alpha", "RGB", "RGBA"};

    snprintf(name, size, "%s %dx%d %s%s u%d", primitive_names[r->primitive], r->width, r->height,
             kinds[r->channels - 1], r->linear ? " linear" : "", r->bits);
    if (r->primitive == BENCH_TABLE || r->primitive == BENCH_BOX)
        snprintf(name + strlen(name), size - strlen(name), ", u%d table", r->word);
    if (r->what)
        snprintf(name + strlen(name), size - strlen(name), ", %s", r->what);
}

/* What was counted, in bytes per pixel: "16+1+4" is table + map + result. */
static void name_bytes(const bench_row *r, char *text, size_t size)
{
    const int source = r->channels * r->bits / 8, table = r->channels * r->word / 8;

    if (r->primitive == BENCH_TABLE)
        snprintf(text, size, "%d+%d", source, table);
    else if (r->primitive == BENCH_BOX)
        snprintf(text, size, r->map ? "%d+1+%d" : "%d+%d", table, source);
    else
        snprintf(text, size, "%d", source);
}

static void print_row(const bench *b, const char *name, double ms, double copy)
{
    char bytes[32], on[32] = "cuda";

    name_bytes(b->row, bytes, sizeof bytes);
    if (b->on == BENCH_CPU)
        snprintf(on, sizeof on, "cpu, %d thread%s", b->threads, b->threads == 1 ? "" : "s");
    printf("| %s | %s | %s | %.4f | %.1f | %.4f | %.2f |\n", name, on, bytes, ms,
           (double)(b->bytes_in + b->bytes_out) / ms * 1e-6, copy, ms / copy);
    fflush(stdout);
}

static void measure(const options *o, const bench_row *row, bench_back_end on, int threads,
                    outcome *out)
{
    const int samples = o->quick ? 7 : 21;
    char name[160];
    bench b;
    double ms = -1, copy = -1;

    name_row(row, name, sizeof name);
    if (o->filter && !strstr(name, o->filter))
        return;
    if (bench_open(&b, row, on, threads)) {
        ms = bench_time(&b, samples);
        copy = bench_time_copy(&b, samples); /* last: it overwrites the table */
    }
    if (ms > 0 && copy > 0) {
        print_row(&b, name, ms, copy);
        out->measured++;
    } else {
        fprintf(stderr, "satbench: %s: %s\n", name,
                on == BENCH_CUDA ? device_error() : "out of memory");
        out->failed++;
    }
    bench_close(&b);
}

/* --- Program ---------------------------------------------------------------------------------- */

static void measure_all(const options *o, int cpu, int cuda, outcome *out)
{
    if (cuda)
        printf("GPU: %s. ", device_name());
    printf(
        "Median of %d after a warm-up, random data. GB/s: bytes in once and bytes out once, as in "
        "B/pixel.\n"
        "x copy: time / time of a copy that moves as many bytes.\n\n"
        "| what | on | B/pixel | ms | GB/s | copy ms | x copy |\n|---|---|---|---|---|---|---|\n",
        o->quick ? 7 : 21);
    for (int i = 0; i < bench_rows_count; i++) {
        if (cuda)
            measure(o, &bench_rows[i], BENCH_CUDA, 0, out);
        for (int t = 0; t < o->thread_counts && cpu && !bench_rows[i].cuda_only; t++)
            measure(o, &bench_rows[i], BENCH_CPU, o->threads[t], out);
    }
}

/* "1,2,16" */
static int parse_threads(options *o, const char *list)
{
    char *end;

    for (o->thread_counts = 0; o->thread_counts < MAX_THREADS; list = end + 1) {
        const long threads = strtol(list, &end, 10);
        if (end == list || threads < 1 || threads > 1024)
            return 0;
        o->threads[o->thread_counts++] = (int)threads;
        if (*end != ',')
            return *end == '\0';
    }
    return 0;
}

static int parse(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--cpu"))
            o->cpu = 1;
        else if (!strcmp(argv[i], "--cuda"))
            o->cuda = 1;
        else if (!strcmp(argv[i], "--quick"))
            o->quick = 1;
        else if (!strcmp(argv[i], "--filter") && i + 1 < argc)
            o->filter = argv[++i];
        else if (strcmp(argv[i], "--threads") || i + 1 >= argc || !parse_threads(o, argv[++i]))
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    options o = {.threads = {1, 2}, .thread_counts = 2};
    outcome out = {0};

    if (!parse(&o, argc, argv)) {
        fprintf(stderr,
                "usage: satbench [--cpu] [--cuda] [--threads 1,2] [--quick] [--filter TEXT]\n");
        return 2;
    }
    const int device = (o.cuda || !o.cpu) && device_open();
    if (o.cuda && !device) {
        fprintf(stderr, "satbench: %s\n", device_reason());
        return 1;
    }
    if (device && !bench_copy_is_right()) {
        fprintf(stderr, "satbench: the yardstick does not copy: %s\n", device_error());
        return 1;
    }
    measure_all(&o, o.cpu || !o.cuda, device, &out);
    if (!device && !o.cpu)
        printf("\nNot measured on a GPU: %s.\n", device_reason());
    if (out.measured == 0)
        fprintf(stderr, "satbench: nothing was measured\n");
    return out.failed > 0 || out.measured == 0;
}

/* Radii in 1/256. Where the window's sum would not fit u32 the table is u64, as the library would
 * choose. */
#define GRAY_HD    .width = 1920, .height = 1080, .channels = 1, .bits = 8, .word = 32
#define GRAY_4K    .width = 3840, .height = 2160, .channels = 1, .bits = 8, .word = 32
#define GRAY_8K    .width = 8192, .height = 8192, .channels = 1, .bits = 8, .word = 32
#define GRAY_16K   .width = 16384, .height = 16384, .channels = 1, .bits = 8, .word = 32
#define DEEP_8K    .width = 8192, .height = 8192, .channels = 1, .bits = 16, .word = 64
#define RGB_4K     .width = 3840, .height = 2160, .channels = 3, .bits = 8, .word = 32
#define RGBA_8K    .width = 7680, .height = 4320, .channels = 4, .bits = 8, .word = 32
#define RGBA_8K_64 .width = 7680, .height = 4320, .channels = 4, .bits = 8, .word = 64

const bench_row bench_rows[] = {
    {BENCH_TABLE, NULL, GRAY_HD},
    {BENCH_TABLE, NULL, GRAY_4K},
    {BENCH_TABLE, NULL, GRAY_8K},
    {BENCH_TABLE, NULL, GRAY_16K, .cuda_only = 1},
    {BENCH_TABLE, NULL, DEEP_8K},
    {BENCH_TABLE, NULL, RGB_4K},
    {BENCH_TABLE, NULL, RGBA_8K},
    {BENCH_TABLE, NULL, RGB_4K, .linear = 1},
    {BENCH_TABLE, "alpha-weighted", RGBA_8K_64, .linear = 1, .weighted = 1},
    {BENCH_BOX, "radius 5", RGB_4K, .radius = 5 * 256},
    {BENCH_BOX, "radius 5.5", RGB_4K, .radius = 5 * 256 + 128},
    {BENCH_BOX, "radius 32", RGB_4K, .radius = 32 * 256},
    {BENCH_BOX, "radius 500", RGB_4K, .radius = 500 * 256},
    {BENCH_BOX, "smooth map to 32", RGB_4K, .radius = 32 * 256, .map = MAP_SMOOTH},
    {BENCH_BOX, "random map to 32", RGB_4K, .radius = 32 * 256, .map = MAP_RANDOM},
    {BENCH_BOX, "radius 32", RGB_4K, .linear = 1, .radius = 32 * 256},
    {BENCH_BOX, "smooth map to 32", RGB_4K, .linear = 1, .radius = 32 * 256, .map = MAP_SMOOTH},
    {BENCH_BOX, "radius 5", RGBA_8K, .radius = 5 * 256},
    {BENCH_BOX, "radius 5.5", RGBA_8K, .radius = 5 * 256 + 128},
    {BENCH_BOX, "radius 32", RGBA_8K, .radius = 32 * 256},
    {BENCH_BOX, "radius 500", RGBA_8K, .radius = 500 * 256},
    {BENCH_BOX, "smooth map to 32", RGBA_8K, .radius = 32 * 256, .map = MAP_SMOOTH},
    {BENCH_BOX, "random map to 32", RGBA_8K, .radius = 32 * 256, .map = MAP_RANDOM},
    {BENCH_BOX, "alpha-weighted, smooth map to 32", RGBA_8K_64, .linear = 1, .weighted = 1,
     .radius = 32 * 256, .map = MAP_SMOOTH},
    {BENCH_REDUCE, "random", RGB_4K},
    {BENCH_REDUCE, "constant", RGB_4K, .constant = 1},
    {BENCH_REDUCE, "random", RGBA_8K},
    {BENCH_REDUCE, "constant", RGBA_8K, .constant = 1},
    {BENCH_HISTOGRAM, "random", RGB_4K},
    {BENCH_HISTOGRAM, "constant", RGB_4K, .constant = 1},
    {BENCH_HISTOGRAM, "random", RGBA_8K},
    {BENCH_HISTOGRAM, "constant", RGBA_8K, .constant = 1},
};
const int bench_rows_count = sizeof bench_rows / sizeof *bench_rows;
