/* The statistics on stdout: as tables with charts, or as one JSON object. */
#include "codec/codec.h"
#include "base/json.h"
#include "base/utf8.h"
#include "job/report.h"

/* The statistics of one picture. */
typedef struct section {
    const char *file, *role; /* role: "" or ", depth map" */
    const satb_image *image;
    const satb_channel_stats *stats;
    int channels; /* the number of the image's first ones that are shown */
} section;

static section of_input(const engine_request *q)
{
    return (section){q->o->input, "", &q->src, q->stats, q->src.channels};
}

/* Only the map's first channel is used, and so shown. Of a map of numbers it is the 16-bit codes. */
static section of_depth(const engine_request *q)
{
    const char *const role = q->origin.is_made     ? ", depth map, codes of its depths"
                             : q->map.channels > 1 ? ", depth map, first channel"
                                                   : ", depth map";
    return (section){q->o->map, role, &q->map, q->map_stats, 1};
}

/* --- Text ------------------------------------------------------------------------------------- */

typedef enum unit { CODE, MEASURE, SHARE } unit;

static void print_row(FILE *to, const section *s, const char *name, unit kind,
                      double (*get)(const satb_channel_stats *))
{
    fprintf(to, "%-20s", name);
    for (int c = 0; c < s->channels; c++) {
        const double value = get(&s->stats[c]);
        fprintf(to, " %10.*f", kind == CODE ? 0 : 3, kind == SHARE ? 100 * value : value);
    }
    fputc('\n', to);
}

#define GET(member)                                                                                \
    static double get_##member(const satb_channel_stats *s)                                        \
    {                                                                                              \
        return s->member;                                                                          \
    }
GET(min)
GET(p1)
GET(p5)
GET(median)
GET(p95)
GET(p99)
GET(max)
GET(mean)
GET(stddev)
GET(entropy)
GET(clipped_low)
GET(clipped_high)

static void print_table(FILE *to, const section *s)
{
    static const struct {
        const char *name;
        unit kind;
        double (*get)(const satb_channel_stats *);
    } rows[] = {
        {"minimum", CODE, get_min},
        {"1% percentile", CODE, get_p1},
        {"5% percentile", CODE, get_p5},
        {"median", CODE, get_median},
        {"95% percentile", CODE, get_p95},
        {"99% percentile", CODE, get_p99},
        {"maximum", CODE, get_max},
        {"mean", MEASURE, get_mean},
        {"standard deviation", MEASURE, get_stddev},
        {"entropy, bits", MEASURE, get_entropy},
        {"clipped low, %", SHARE, get_clipped_low},
        {"clipped high, %", SHARE, get_clipped_high},
    };
    fprintf(to, "%-20s", "");
    for (int c = 0; c < s->channels; c++)
        fprintf(to, " %10s", picture_channel_name(s->image->channels, c));
    fputc('\n', to);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        print_row(to, s, rows[i].name, rows[i].kind, rows[i].get);
}

/* Draws the 256 bins as 64 columns of four. The highest column is full, and a column that is not empty has a dot at least. */
static void print_chart(FILE *to, const satb_channel_stats *s, int bits, const char *name)
{
    enum { COLUMNS = 64, ROWS = 8, EACH = SATB_BINS / COLUMNS };
    uint64_t columns[COLUMNS] = {0}, highest = 1;
    for (int i = 0; i < SATB_BINS; i++) {
        uint64_t *column = &columns[i / EACH];
        *column += s->histogram[i];
        highest = *column > highest ? *column : highest;
    }
    fprintf(to, "\n");
    for (int row = ROWS - 1; row >= 0; row--) {
        char bars[COLUMNS + 1] = {0};
        size_t length = 0;
        for (int x = 0; x < COLUMNS; x++) {
            const double height = (double)columns[x] / (double)highest * ROWS;
            const double level = height - row;
            bars[x] = level >= 0.75            ? '#'
                      : level >= 0.25          ? ':'
                      : row == 0 && columns[x] ? '.'
                                               : ' ';
            length = bars[x] != ' ' ? (size_t)x + 1 : length;
        }
        fprintf(to, "%-6s |%.*s\n", row == ROWS - 1 ? name : "", (int)length, bars);
    }
    const char *last = bits == 16 ? "65535" : "255";
    fprintf(to,
            "%6s +----------------------------------------------------------------\n%6s  0%*s\n",
            "", "", COLUMNS - 1, last);
}

/* Prints the 256 bins as numbers, 16 a line, each line behind its first value. */
static void print_counts(FILE *to, const satb_channel_stats *s, int bits, const char *name)
{
    enum { EACH = 16 };
    uint64_t highest = 0;
    for (int i = 0; i < SATB_BINS; i++)
        highest = s->histogram[i] > highest ? s->histogram[i] : highest;
    const int width = snprintf(NULL, 0, "%llu", (unsigned long long)highest) + 1;
    for (int i = 0; i < SATB_BINS; i++) {
        if (i % EACH == 0)
            fprintf(to, "%-6s%6d:", i ? "" : name, bits == 16 ? i * 256 : i);
        fprintf(to, "%*llu%s", width, (unsigned long long)s->histogram[i],
                i % EACH == EACH - 1 ? "\n" : "");
    }
}

static void print_section_text(FILE *to, const section *s)
{
    const satb_image *image = s->image;
    char file[4096];
    utf8_show(s->file, file, sizeof file);
    fprintf(to, "%s: %d x %d, %s, %d bits%s\n\n", file, image->width, image->height,
            picture_channel_words(image->channels), image->bits, s->role);
    print_table(to, s);
    for (int c = 0; c < s->channels; c++)
        print_chart(to, &s->stats[c], image->bits, picture_channel_name(image->channels, c));
    fprintf(to, "\nPixels by value: a column above holds %d values, a number below %s\n\n",
            image->bits == 16 ? 1024 : 4, image->bits == 16 ? "256" : "one");
    for (int c = 0; c < s->channels; c++)
        print_counts(to, &s->stats[c], image->bits, picture_channel_name(image->channels, c));
}

static void stats_text(FILE *to, const engine_request *q)
{
    const section input = of_input(q), depth = of_depth(q);
    print_section_text(to, &input);
    if (engine_measures_depth(q->o)) {
        fputc('\n', to);
        print_section_text(to, &depth);
    }
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void json_channel(FILE *to, const satb_channel_stats *s, const char *name)
{
    fprintf(to,
            "    {\"name\": \"%s\", \"min\": %u, \"max\": %u, \"mean\": %.10g, \"stddev\": %.10g,\n"
            "     \"median\": %u, \"p1\": %u, \"p5\": %u, \"p95\": %u, \"p99\": %u,\n"
            "     \"entropy\": %.10g, \"clipped_low\": %.10g, \"clipped_high\": %.10g,\n",
            name, (unsigned)s->min, (unsigned)s->max, s->mean, s->stddev, (unsigned)s->median,
            (unsigned)s->p1, (unsigned)s->p5, (unsigned)s->p95, (unsigned)s->p99, s->entropy,
            s->clipped_low, s->clipped_high);
    fprintf(to, "     \"histogram\": [");
    for (int i = 0; i < SATB_BINS; i++)
        fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)s->histogram[i]);
    fprintf(to, "]}");
}

/* Prints the members of an object, without its braces. */
static void print_section_json(FILE *to, const section *s)
{
    static const char *const names[5][4] = {
        {0}, {"gray"}, {"gray", "alpha"}, {"R", "G", "B"}, {"R", "G", "B", "alpha"}};
    const satb_image *image = s->image;
    fprintf(to, "\"file\": ");
    json_string(to, s->file);
    fprintf(to, ", \"width\": %d, \"height\": %d, \"bits\": %d,\n  \"channels\": [\n", image->width,
            image->height, image->bits);
    for (int c = 0; c < s->channels; c++) {
        json_channel(to, &s->stats[c], names[image->channels][c]);
        fprintf(to, "%s\n", c + 1 < s->channels ? "," : "");
    }
    fprintf(to, "  ]");
}

void report_stats_json(FILE *to, const engine_request *q)
{
    const section input = of_input(q), depth = of_depth(q);
    fputc('{', to);
    print_section_json(to, &input);
    if (engine_measures_depth(q->o)) {
        fprintf(to, ",\n  \"depth\": {");
        print_section_json(to, &depth);
        fputc('}', to);
    }
    fprintf(to, ",\n  \"device\": ");
    json_string(to, q->device);
    fprintf(to, "}\n");
}

void report_stats(FILE *to, const engine_request *q)
{
    if (q->o->stats == STATS_JSON)
        report_stats_json(to, q);
    else
        stats_text(to, q);
}
