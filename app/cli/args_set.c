/* One setter per option: text to value, strictly. The whole text must be the value; NaN, infinities
 * (but for the far distance), signs, blanks and hexadecimal are refused. The program never calls
 * setlocale(), so strtod() reads the C locale's decimal point on every machine. */
#include "cli/args.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LARGEST_RADIUS 8388608.0 /* 2^23, the library's limit */
#define LARGEST_METRES 1e9

/* Reads a plain decimal number at *at that ends at any of the characters of stops (or the end of
 * the text), moves *at there. strtod() alone would also take " 1", "+1", "0x10", "nan" and
 * "infinity". */
static bool number_until(const char **at, const char *stops, double low, double high, double *out)
{
    const char *text = *at;
    const size_t length = strcspn(text, stops);
    const size_t plain = strspn(text, "0123456789.eE+-");
    if (length == 0 || plain < length || !strchr("0123456789.", text[0]))
        return false;
    char *end;
    const double value = strtod(text, &end);
    if (end != text + length || !(value >= low && value <= high))
        return false;
    *at = end;
    *out = value;
    return true;
}

static bool number(const char *text, double low, double high, double *out)
{
    return number_until(&text, "", low, high, out);
}

static bool positive(const char *text, double high, double *out)
{
    return number(text, 0, high, out) && *out > 0;
}

static bool whole_until(const char **at, const char *stops, int low, int high, int *out)
{
    const size_t length = strcspn(*at, stops);
    double value;
    if (strspn(*at, "0123456789") < length || !number_until(at, stops, low, high, &value))
        return false;
    *out = (int)value;
    return true;
}

static bool whole(const char *text, int low, int high, int *out)
{
    return whole_until(&text, "", low, high, out);
}

const char *const args_edges[] = {"shrink", "clamp", "mirror", "wrap"};

/* The index of text among count words, or -1. */
static int word(const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

static bool file_name(const char *text, const char **out)
{
    *out = text;
    return text[0] != '\0';
}

bool set_depth(options *o, const char *text)
{
    return file_name(text, &o->depth);
}

bool set_radius_map(options *o, const char *text)
{
    return file_name(text, &o->radius_map);
}

bool set_radius(options *o, const char *text)
{
    if (!number_until(&text, ",", 0, LARGEST_RADIUS, &o->box.radius_x))
        return false;
    o->box.radius_y = o->box.radius_x;
    return *text == '\0' || number(text + 1, 0, LARGEST_RADIUS, &o->box.radius_y);
}

bool set_stats(options *o, const char *text)
{
    o->stats = text ? STATS_JSON : STATS_TEXT;
    return !text || strcmp(text, "json") == 0;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), size = strlen(ending);
    return length > size && strcasecmp(text + length - size, ending) == 0;
}

bool set_histogram(options *o, const char *text)
{
    return file_name(text, &o->histogram) && (ends_with(text, ".svg") || ends_with(text, ".png"));
}

bool set_focus(options *o, const char *text)
{
    o->focus_in_metres = false;
    if (strcmp(text, "auto") == 0) {
        o->dof.focus_mode = SATB_FOCUS_AUTO;
        return true;
    }
    const size_t length = strlen(text);
    if (length > 1 && text[length - 1] == 'm') {
        o->dof.focus_mode = SATB_FOCUS_DISTANCE;
        o->focus_in_metres = true;
        return number_until(&text, "m", 0, LARGEST_METRES, &o->dof.focus) && text[1] == '\0' &&
               o->dof.focus > 0;
    }
    o->dof.focus_mode = SATB_FOCUS_VALUE;
    return number(text, 0, 1, &o->dof.focus);
}

bool set_focus_at(options *o, const char *text)
{
    o->dof.focus_mode = SATB_FOCUS_POINT;
    return whole_until(&text, ",", 0, 1 << 24, &o->dof.focus_x) && *text == ',' &&
           whole(text + 1, 0, 1 << 24, &o->dof.focus_y);
}

bool set_focus_range(options *o, const char *text)
{
    return number(text, 0, 2, &o->dof.focus_range);
}

static bool scale(options *o, const char *text, double *out)
{
    if (!o->dof.scaled) /* the other side's, until it is given */
        o->dof.near_scale = o->dof.far_scale = 1;
    o->dof.scaled = 1;
    return number(text, 0, 1000, out);
}

bool set_near_scale(options *o, const char *text)
{
    return scale(o, text, &o->dof.near_scale);
}

bool set_far_scale(options *o, const char *text)
{
    return scale(o, text, &o->dof.far_scale);
}

bool set_max_radius(options *o, const char *text)
{
    o->dof.strength = SATB_STRENGTH_RADIUS;
    return number(text, 0, LARGEST_RADIUS, &o->dof.max_radius);
}

bool set_method(options *o, const char *text)
{
    static const char *const words[] = {"layered", "gather", "spread"};
    const int method = word(text, words, 3);
    o->dof.method = method == 2   ? SATB_METHOD_SPREAD
                    : method == 1 ? SATB_METHOD_GATHER
                                  : SATB_METHOD_LAYERED;
    return method >= 0;
}

bool set_bokeh(options *o, const char *text)
{
    static const char *const words[] = {"disc", "square", "smooth"};
    const int bokeh = word(text, words, 3);
    o->dof.bokeh = bokeh == 2   ? SATB_BOKEH_SMOOTH
                   : bokeh == 1 ? SATB_BOKEH_SQUARE
                                : SATB_BOKEH_DISC;
    return bokeh >= 0;
}

bool set_highlights(options *o, const char *text)
{
    return number(text, 1, SATB_MOST_HIGHLIGHTS, &o->dof.highlights);
}

bool set_depth_type(options *o, const char *text)
{
    static const char *const words[] = {"disparity", "linear"};
    const int type = word(text, words, 2);
    o->dof.depth_type = type == 1 ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    return type >= 0;
}

bool set_near(options *o, const char *text)
{
    static const char *const words[] = {"white", "black"};
    const int near = word(text, words, 2);
    o->dof.near_black = near == 1;
    return near >= 0;
}

bool set_depth_range(options *o, const char *text)
{
    return number_until(&text, ",", 0, 65535, &o->range_a) && *text == ',' &&
           number(text + 1, 0, 65535, &o->range_b) && o->range_a < o->range_b;
}

bool set_depth_holes(options *o, const char *text)
{
    static const char *const words[] = {"none", "far", "near", "fill"};
    static const satb_holes ways[] = {SATB_HOLES_NONE, SATB_HOLES_FAR, SATB_HOLES_NEAR,
                                      SATB_HOLES_FILL};
    const int way = word(text, words, 4);
    o->dof.holes = ways[way < 0 ? 0 : way];
    return way >= 0;
}

bool set_fstop(options *o, const char *text)
{
    o->dof.strength = SATB_STRENGTH_LENS;
    return positive(text, 1e6, &o->dof.fstop);
}

bool set_focal(options *o, const char *text)
{
    o->dof.strength = SATB_STRENGTH_LENS;
    return positive(text, 1e6, &o->dof.focal_mm);
}

bool set_sensor(options *o, const char *text)
{
    return positive(text, 1e6, &o->dof.sensor_mm);
}

bool set_distance(options *o, const char *text)
{
    if (!number_until(&text, ",", 0, LARGEST_METRES, &o->dof.distance_near) || *text != ',')
        return false;
    if (strcmp(text + 1, "inf") == 0)
        o->dof.distance_far = INFINITY;
    else if (!number(text + 1, 0, LARGEST_METRES, &o->dof.distance_far))
        return false;
    return o->dof.distance_near > 0 && o->dof.distance_near < o->dof.distance_far;
}

bool set_gamma(options *o, const char *text)
{
    o->look.gamma = 1;
    return text == NULL;
}

bool set_edge(options *o, const char *text)
{
    static const satb_edge edges[] = {SATB_EDGE_SHRINK, SATB_EDGE_CLAMP, SATB_EDGE_MIRROR,
                                      SATB_EDGE_WRAP};
    const int edge = word(text, args_edges, 4);
    o->look.edge = edges[edge < 0 ? 0 : edge];
    return edge >= 0;
}

bool set_device(options *o, const char *text)
{
    static const char *const words[] = {"auto", "cpu", "cuda"};
    static const satb_device devices[] = {SATB_DEVICE_AUTO, SATB_DEVICE_CPU, SATB_DEVICE_CUDA};
    o->all_devices = strcmp(text, "cuda:all") == 0;
    if (strncmp(text, "cuda:", 5) == 0) {
        o->engine.device = SATB_DEVICE_CUDA;
        o->engine.cuda_index = 0;
        if (o->all_devices)
            return true;
        return whole(text + 5, 0, 1023, &o->engine.cuda_index);
    }
    const int device = word(text, words, 3);
    o->engine.device = devices[device < 0 ? 0 : device];
    o->engine.cuda_index = 0;
    return device >= 0;
}

bool set_threads(options *o, const char *text)
{
    return whole(text, 1, 1024, &o->engine.threads);
}

bool set_sat(options *o, const char *text)
{
    static const char *const words[] = {"one-pass", "rows-columns"};
    o->engine.sat = text;
    return word(text, words, 2) >= 0;
}

/* At least 1; K, M or G behind the number is a power of `unit`. */
static bool with_suffix(const char *text, double unit, double most, double *out)
{
    static const char units[] = "KMG";
    if (!number_until(&text, units, 0, most, out) || (*text && text[1]))
        return false;
    for (const char *u = units; *text && u <= strchr(units, *text); u++)
        *out *= unit;
    return *out >= 1 && *out <= most;
}

bool set_gpu_memory(options *o, const char *text)
{
    double size;
    if (!with_suffix(text, 1024, 0x1p60, &size))
        return false;
    o->engine.gpu_memory = (size_t)size;
    return true;
}

bool set_depth_dir(options *o, const char *text)
{
    return file_name(text, &o->depth_dir);
}

static bool part_of_name(const char *text, const char **out)
{
    *out = text;
    return !strchr(text, '/');
}

bool set_depth_suffix(options *o, const char *text)
{
    return part_of_name(text, &o->depth_suffix);
}

bool set_suffix(options *o, const char *text)
{
    return part_of_name(text, &o->suffix);
}

bool set_files_from(options *o, const char *text)
{
    return file_name(text, &o->files_from);
}

bool set_report(options *o, const char *text)
{
    return file_name(text, &o->report);
}

bool set_format(options *o, const char *text)
{
    static const char *const words[] = {"png", "jpg"};
    o->format = text;
    return word(text, words, 2) >= 0;
}

bool set_jobs(options *o, const char *text)
{
    return whole(text, 1, JOBS_MOST, &o->jobs);
}

/* Slurm counts from _MIN on, in steps of _STEP. A list of tasks with gaps tells none its place. */
static bool slurm_shard(options *o)
{
    static const char *const names[] = {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN",
                                        "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_STEP",
                                        "SLURM_ARRAY_TASK_MAX"};
    enum { ID, MIN, COUNT, STEP, MAX, NUMBERS };
    int n[NUMBERS] = {[STEP] = 1, [MAX] = -1}; /* these two may be missing */
    for (int i = 0; i < NUMBERS; i++) {
        const char *text = getenv(names[i]);
        if (text ? !whole(text, 0, 1 << 24, &n[i]) : i < STEP)
            return false;
    }
    const int from_min = n[ID] - n[MIN];
    if (n[STEP] == 0 || from_min % n[STEP] != 0 ||
        (n[MAX] >= 0 && (long long)n[MAX] != n[MIN] + (n[COUNT] - 1LL) * n[STEP]))
        return false;
    o->shard = from_min / n[STEP] + 1;
    o->shards = n[COUNT];
    return o->shard >= 1 && o->shard <= o->shards;
}

bool set_shard(options *o, const char *text)
{
    if (strcmp(text, "slurm") == 0)
        return slurm_shard(o);
    return whole_until(&text, "/", 1, 1 << 24, &o->shard) && *text == '/' &&
           whole(text + 1, o->shard, 1 << 24, &o->shards);
}

bool set_quality(options *o, const char *text)
{
    return whole(text, 1, 100, &o->quality);
}

bool set_compression(options *o, const char *text)
{
    return whole(text, 0, 12, &o->compression);
}

bool set_codec(options *o, const char *text)
{
    static const char *const words[] = {"fast", "stb", "gpu"};
    static const codec_choice choices[] = {CODEC_FAST, CODEC_PLAIN, CODEC_GPU};
    const int choice = word(text, words, 3);
    o->codec = choices[choice < 0 ? 0 : choice];
    return choice >= 0;
}

bool set_max_pixels(options *o, const char *text)
{
    const double most = 2147483648.0; /* the library's limit */
    double pixels;
    if (!with_suffix(text, 1000, most, &pixels))
        return false;
    o->max_pixels = (uint64_t)(pixels + 0.5); /* 0.29M is a little less than 290000 */
    return true;
}

bool set_dump_coc(options *o, const char *text)
{
    return file_name(text, &o->coc) && (ends_with(text, ".png") || ends_with(text, ".pgm"));
}
