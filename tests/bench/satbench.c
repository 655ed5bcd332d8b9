/* satbench: how long every primitive takes on every back end, and how that compares with merely
 * moving its bytes.
 *
 * usage: satbench [--cpu] [--cuda] [--threads 1,2] [--quick] [--filter TEXT]
 *        satbench --textbook [--cpu] [--cuda]
 *        satbench --api ..., see bench_api.h
 *
 * In tests/ and not in app/: it needs the kernel layer, which only tests may see. Prints three
 * Markdown tables, of pictures, of arrays and of depth maps. A row is printed when it has been measured; a row that
 * failed makes the program fail, and so does a run without rows. --textbook times nothing: it counts the
 * work of the course books' kernels (textbook.h), and fails where a count is wrong. */
#include "bench/bench.h"
#include "bench/bench_api.h"
#include "bench/bench_array.h"
#include "bench/bench_depth.h"
#include "support/device.h"
#include "textbook/textbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 8 };

typedef struct options {
    int cpu, cuda; /* asked for by name */
    int quick, textbook;
    int threads[MAX_THREADS], thread_counts;
    const char *filter;
} options;

typedef struct outcome {
    int measured, failed;
} outcome;

static const char *const primitive_names[] = {
    "table",  "box",      "blur",  "layers",    "spread", "highlights", "surfaces", "matte",
    "follow", "separate", "holes", "histogram", "luma",   "codes",      "equalize"};

/* --- Rows ------------------------------------------------------------------------------------- */

/* Writes the name of a row: "3840x2160 RGB, radius 5". */
static void name_row(const bench_row *r, char *name, size_t size)
{
    static const char *const kinds[] = {"gray", "gray+alpha", "RGB", "RGBA"};

    snprintf(name, size, "%s %dx%d %s%s u%d", primitive_names[r->primitive], r->width, r->height,
             kinds[r->channels - 1], r->linear ? " linear" : "", r->bits);
    if (r->primitive <= BENCH_LAYER)
        snprintf(name + strlen(name), size - strlen(name), ", u%d table", r->word);
    if (r->opaque)
        snprintf(name + strlen(name), size - strlen(name), ", opaque");
    if (r->what)
        snprintf(name + strlen(name), size - strlen(name), ", %s", r->what);
}

/* Writes the bytes that were counted, per pixel: "16+1+4" is table + map + result. */
static void name_bytes(const bench_row *r, char *text, size_t size)
{
    const int source = r->channels * r->bits / 8, table = r->channels * r->word / 8;

    if (r->primitive == BENCH_TABLE)
        snprintf(text, size, "%d+%d", source, table);
    else if (r->primitive == BENCH_FILL)
        snprintf(text, size, "2+2");
    else if (r->primitive <= BENCH_SURFACE)
        snprintf(text, size, r->map ? "%d+1+%d" : "%d+%d",
                 r->primitive == BENCH_BOX ? table : source, source);
    else if (r->primitive == BENCH_MATTE_PLANE)
        snprintf(text, size, "%d+1", source);
    else if (r->primitive == BENCH_FOLLOW)
        snprintf(text, size, "2+1");
    else if (r->primitive == BENCH_SEPARATE)
        snprintf(text, size, "%d+2+%d", source, source);
    else if (r->primitive == BENCH_EQUALIZE)
        snprintf(text, size, "%d+%d", source, source);
    else
        snprintf(text, size, "%d", source);
}

static void name_back_end(bench_back_end on, int threads, char *text, size_t size)
{
    if (on == BENCH_CPU)
        snprintf(text, size, "cpu, %d thread%s", threads, threads == 1 ? "" : "s");
    else
        snprintf(text, size, "cuda");
}

/* Prints "| 0.0910 | 0.50 |", or dashes. */
static void print_peer(double ms, double peer)
{
    if (peer > 0)
        printf(" %.4f | %.2f |\n", peer, ms / peer);
    else
        printf(" - | - |\n");
    fflush(stdout);
}

static void print_row(const bench *b, const char *name, double ms, double copy, double peer)
{
    char bytes[32], on[32];

    name_bytes(b->row, bytes, sizeof bytes);
    name_back_end(b->on, b->threads, on, sizeof on);
    printf("| %s | %s | %s | %.4f | %.1f | %.4f | %.2f |", name, on, bytes, ms,
           (double)(b->bytes_in + b->bytes_out) / ms * 1e-6, copy, ms / copy);
    print_peer(ms, peer);
}

static void note_failure(const char *name, bench_back_end on, outcome *out)
{
    fprintf(stderr, "satbench: %s: %s\n", name,
            on == BENCH_CUDA ? device_error() : "out of memory");
    out->failed++;
}

static void measure(const options *o, const bench_row *row, bench_back_end on, int threads,
                    outcome *out)
{
    const int samples = o->quick ? 7 : 21;
    char name[160];
    bench b;
    double ms = -1, copy = -1, peer = -1;

    name_row(row, name, sizeof name);
    if (o->filter && !strstr(name, o->filter))
        return;
    if (bench_open(&b, row, on, threads)) {
        ms = bench_time(&b, samples);
        peer = bench_time_peer(&b, samples);
        copy = bench_time_copy(&b, samples); /* last: it overwrites the table */
    }
    if (ms > 0 && copy > 0) {
        print_row(&b, name, ms, copy, peer);
        out->measured++;
    } else {
        note_failure(name, on, out);
    }
    bench_close(&b);
}

/* --- Rows about arrays ------------------------------------------------------------------------ */

static void print_array(const array_bench *b, const char *name, double ms, double copy, double peer)
{
    const array_row *const r = b->row;
    const double count = (double)r->count;
    char bytes[32], on[32];

    array_name_bytes(r, bytes, sizeof bytes);
    name_back_end(b->on, b->threads, on, sizeof on);
    printf("| %s | %s | %.0f | %s | %s | %.4f | %.2f | %.1f | %.4f | %.2f |", name,
           b->on == BENCH_CUDA ? r->kind->variants[r->variant] : "", count, on, bytes, ms,
           count / ms * 1e-6, (double)(b->bytes_in + b->bytes_out) / ms * 1e-6, copy, ms / copy);
    print_peer(ms, peer);
}

static void measure_array(const options *o, const array_row *row, bench_back_end on, int threads,
                          outcome *out)
{
    const int samples = o->quick ? 7 : 21;
    char name[160];
    array_bench b;
    double ms = -1, copy = -1, peer = -1;

    array_name(row, name, sizeof name);
    if (!array_measured(row, on) || (o->filter && !strstr(name, o->filter) &&
                                     !strstr(row->kind->variants[row->variant], o->filter)))
        return;
    if (array_open(&b, row, on, threads)) {
        ms = array_time(&b, samples);
        peer = array_time_peer(&b, samples);
        copy = array_time_copy(&b, samples);
    }
    if (ms > 0 && copy > 0) {
        print_array(&b, name, ms, copy, peer);
        out->measured++;
    } else {
        note_failure(name, on, out);
    }
    array_close(&b);
}

static void measure_arrays(const options *o, int cpu, int cuda, outcome *out)
{
    printf("\nG/s: thousands of millions of elements a second.\n\n"
           "| what | variant | elements | on | B/element | ms | G/s | GB/s | copy ms | x copy "
           "| peer ms | x peer |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < array_rows_count; i++) {
        if (cuda)
            measure_array(o, &array_rows[i], BENCH_CUDA, 0, out);
        for (int t = 0; t < o->thread_counts && cpu; t++)
            measure_array(o, &array_rows[i], BENCH_CPU, o->threads[t], out);
    }
}

/* Prints the table of the host's work on a depth map. The rows of surfaces have a GPU's work. */
static void measure_depths(const options *o, int cpu, outcome *out)
{
    if (cpu)
        printf("\n| what | on, threads | pixels decided | ms |\n|---|---|---|---|\n");
    for (int i = 0; i < depth_rows_count; i++)
        for (int t = 0; t < o->thread_counts && cpu; t++) {
            const int done = depth_measure(i, o->filter, o->threads[t], o->quick ? 7 : 21);
            out->measured += done > 0;
            out->failed += done < 0;
        }
}

/* --- Program ---------------------------------------------------------------------------------- */

static void measure_all(const options *o, int cpu, int cuda, outcome *out)
{
    if (cuda)
        printf("GPU: %s. ", device_name());
    printf(
        "Median of %d after a warm-up, random data. GB/s: bytes in once and bytes out once, as in "
        "B/pixel.\n"
        "x copy: time / time of a copy that moves as many bytes. x peer: time / time of the CUDA "
        "Toolkit's\nversion: NPP's integral and box (which repeats the edge), CUB's histogram, and "
        "CUB's of arrays.\n\n"
        "| what | on | B/pixel | ms | GB/s | copy ms | x copy | peer ms | x peer "
        "|\n|---|---|---|---|---|---|---|---|---|\n",
        o->quick ? 7 : 21);
    for (int i = 0; i < bench_rows_count; i++) {
        if (cuda)
            measure(o, &bench_rows[i], BENCH_CUDA, 0, out);
        for (int t = 0; t < o->thread_counts && cpu && !bench_rows[i].cuda_only; t++)
            measure(o, &bench_rows[i], BENCH_CPU, o->threads[t], out);
    }
    measure_arrays(o, cpu, cuda, out);
    measure_depths(o, cpu, out);
}

/* Parses "1,2,16". */
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
        else if (!strcmp(argv[i], "--textbook"))
            o->textbook = 1;
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

    if (argc > 1 && !strcmp(argv[1], "--api"))
        return api_main(argc - 2, argv + 2);
    if (!parse(&o, argc, argv)) {
        fprintf(stderr,
                "usage: satbench [--cpu] [--cuda] [--threads 1,2] [--quick] [--filter TEXT]\n"
                "       satbench --textbook [--cpu] [--cuda]\n       " API_USAGE "\n");
        return 2;
    }
    const int device = (o.cuda || !o.cpu) && device_open();
    if (o.cuda && !device) {
        fprintf(stderr, "satbench: %s\n", device_reason());
        return 1;
    }
    if (o.textbook)
        return textbook_print(device) > 0;
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
