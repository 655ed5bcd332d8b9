#include "report.h"

#include "codec.h"

#include <stdarg.h>

/* --- The map's note --------------------------------------------------------------------------- */

typedef struct line { /* a text that grows and is cut off at its end */
    char text[1024];
    size_t used;
} line;

static void add(line *l, const char *format, ...) SAY_FORMAT(2);

static void add(line *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, list);
    va_end(list);
    l->used += length > 0 ? (size_t)length : 0;
    l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
}

static void describe_map(line *l, const job *j)
{
    add(l, "%d-bit %s", j->map.bits, picture_channel_words(j->map.channels));
    if (j->map.channels > 2)
        add(l, ", first channel used");
    else if (j->map.channels == 2)
        add(l, ", alpha not used");
    if (j->map.width != j->src.width || j->map.height != j->src.height) {
        add(l, ", resampled from %dx%d to %dx%d", j->map.width, j->map.height, j->src.width,
            j->src.height);
    }
}

static const char *assumed(const job *j, int option)
{
    return j->o->given[option] ? "" : " (assumed)";
}

static void describe_depth(line *l, const job *j)
{
    const satb_dof_report *r = &j->report;
    if (j->dof.depth_type == SATB_DEPTH_LINEAR) {
        add(l, ", linear distance %g to %g m%s", r->distance_near, r->distance_far,
            assumed(j, OPT_DISTANCE));
    } else {
        add(l, ", disparity%s", assumed(j, OPT_DEPTH_TYPE));
    }
    add(l, ", near = %s%s", j->dof.near_black ? "black" : "white", assumed(j, OPT_NEAR));
    if (j->o->given[OPT_DEPTH_RANGE])
        add(l, ", range %g to %g", j->o->range_a, j->o->range_b);
}

static void describe_focus(line *l, const job *j)
{
    add(l, "; focus %.3f", j->report.focus);
    if (j->report.focus_distance > 0)
        add(l, " = %.3g m", j->report.focus_distance);
    if (j->dof.focus_mode == SATB_FOCUS_AUTO)
        add(l, " (auto)");
    else if (j->dof.focus_mode == SATB_FOCUS_POINT)
        add(l, " (at %d,%d)", j->dof.focus_x, j->dof.focus_y);
}

static void describe_strength(line *l, const job *j)
{
    add(l, "; radius %.1f px at a disparity difference of 1", j->report.max_radius);
    if (j->dof.strength == SATB_STRENGTH_LENS) {
        add(l, " (%g mm f/%g, sensor %g mm)", j->dof.focal_mm, j->dof.fstop,
            j->o->given[OPT_SENSOR] ? j->dof.sensor_mm : 36.0);
    } else if (j->dof.strength == SATB_STRENGTH_DEFAULT) {
        add(l, " (2 %% of the longer side)");
    }
    add(l, ", largest %.1f px", j->report.largest_radius);
}

void report_map(const job *j)
{
    line l = {.used = 0};
    describe_map(&l, j);
    const bool quiet = j->o->given[OPT_QUIET];
    if (!j->o->given[OPT_DEPTH]) {
        say_note(quiet, "%s: %s; radius 0 where it is black, %g px where it is white",
                 j->o->radius_map, l.text, j->dof.max_radius);
        return;
    }
    describe_depth(&l, j);
    describe_focus(&l, j);
    describe_strength(&l, j);
    say_note(quiet, "%s: %s", j->o->depth, l.text);
    if (j->report.single_value) {
        say_note(quiet, "%s: every depth is the same, so every pixel gets the same radius, %.1f px",
                 j->o->depth, j->report.largest_radius);
    }
}

/* --- Timings ---------------------------------------------------------------------------------- */

void report_timings(FILE *to, const job *j, const stage_times *times)
{
    const satb_timings *t = &j->timings;
    const double known = times->decode + j->start_ms + t->upload + t->table + t->blur + t->measure +
                         t->download + times->encode;
    const struct {
        const char *name;
        double ms;
    } rows[] = {
        {"decode", times->decode}, {"start", j->start_ms},    {"upload", t->upload},
        {"table", t->table},       {"blur", t->blur},         {"measure", t->measure},
        {"download", t->download}, {"encode", times->encode}, {"other", times->total - known},
        {"total", times->total}};
    fprintf(to, "device    %s\n", j->device);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double ms = rows[i].ms > 0 ? rows[i].ms : 0.0;
        fprintf(to, "%-9s %9.2f ms %5.1f %%\n", rows[i].name, ms, 100 * ms / times->total);
    }
}

/* --- Statistics ------------------------------------------------------------------------------- */

static const char *channel_name(int channels, int c)
{
    static const char *const names[5][4] = {
        {0}, {"gray"}, {"gray", "alpha"}, {"R", "G", "B"}, {"R", "G", "B", "alpha"}};
    return names[channels][c];
}

/* The 256 bins as 64 columns of four. The highest column is full; a column with anything in it
 * shows at least a dot. */
static void chart(FILE *to, const satb_channel_stats *s, int bits, const char *name)
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
        fprintf(to, "%-6s|%.*s\n", row == ROWS - 1 ? name : "", (int)length, bars);
    }
    const char *last = bits == 16 ? "65535" : "255";
    fprintf(to, "%6s+----------------------------------------------------------------\n%6s 0%*s\n",
            "", "", COLUMNS - 1, last);
}

/* The 256 bins as numbers, 16 to a line, each line behind the value that it begins with. */
static void counts(FILE *to, const satb_channel_stats *s, int bits, const char *name)
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

static void stats_text(FILE *to, const job *j)
{
    const satb_image *image = &j->src;
    fprintf(to, "%s: %d x %d, %s, %d bits\n\n", j->o->input, image->width, image->height,
            picture_channel_words(image->channels), image->bits);
    fprintf(to, "%-6s %8s %8s %12s %12s\n", "", "min", "max", "mean", "stddev");
    for (int c = 0; c < image->channels; c++) {
        const satb_channel_stats *s = &j->stats[c];
        fprintf(to, "%-6s %8u %8u %12.3f %12.3f\n", channel_name(image->channels, c),
                (unsigned)s->min, (unsigned)s->max, s->mean, s->stddev);
    }
    for (int c = 0; c < image->channels; c++)
        chart(to, &j->stats[c], image->bits, channel_name(image->channels, c));
    fprintf(to, "\nPixels by value: a column above holds %d values, a number below %s\n\n",
            image->bits == 16 ? 1024 : 4, image->bits == 16 ? "256" : "one");
    for (int c = 0; c < image->channels; c++)
        counts(to, &j->stats[c], image->bits, channel_name(image->channels, c));
}

/* Length of the valid UTF-8 character at s, 0 where there is none (RFC 3629: no overlong forms, no
 * surrogates). */
static int utf8_length(const unsigned char *s)
{
    const int length = s[0] < 0x80   ? 1
                       : s[0] < 0xc2 ? 0
                       : s[0] < 0xe0 ? 2
                       : s[0] < 0xf0 ? 3
                       : s[0] < 0xf5 ? 4
                                     : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static void json_string(FILE *to, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', to);
    while (*s) {
        const int length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", to); /* a file name may be any bytes, a JSON text may not */
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(to, "\\u%04x", *s);
        else
            fprintf(to, "%s%.*s", *s == '"' || *s == '\\' ? "\\" : "", length, (const char *)s);
        s += length ? length : 1;
    }
    fputc('"', to);
}

static void json_channel(FILE *to, const satb_channel_stats *s, const char *name)
{
    fprintf(
        to,
        "    {\"name\": \"%s\", \"min\": %u, \"max\": %u, \"mean\": %.10g, \"stddev\": %.10g,\n",
        name, (unsigned)s->min, (unsigned)s->max, s->mean, s->stddev);
    fprintf(to, "     \"histogram\": [");
    for (int i = 0; i < SATB_BINS; i++)
        fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)s->histogram[i]);
    fprintf(to, "]}");
}

static void stats_json(FILE *to, const job *j)
{
    const satb_image *image = &j->src;
    fprintf(to, "{\"file\": ");
    json_string(to, j->o->input);
    fprintf(to, ", \"width\": %d, \"height\": %d, \"bits\": %d,\n  \"channels\": [\n", image->width,
            image->height, image->bits);
    for (int c = 0; c < image->channels; c++) {
        json_channel(to, &j->stats[c], channel_name(image->channels, c));
        fprintf(to, "%s\n", c + 1 < image->channels ? "," : "");
    }
    fprintf(to, "  ],\n  \"device\": ");
    json_string(to, j->device);
    fprintf(to, "}\n");
}

void report_stats(FILE *to, const job *j)
{
    if (j->o->stats == STATS_JSON)
        stats_json(to, j);
    else
        stats_text(to, j);
}
