#include "cli/args_read.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LARGEST_RADIUS 8388608.0 /* 2^23, the library's limit */
#define LARGEST_METRES 1e9
#define LARGEST_CODE   1e12 /* numbers, too */

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Reads a number that may be negative. */
static bool signed_until(const char **at, const char *stops, double low, double high, double *out)
{
    const bool is_negative = **at == '-';
    *at += is_negative;
    if (!number_until(at, stops, 0, is_negative ? -low : high, out))
        return false;
    *out = is_negative ? -*out : *out;
    return *out >= low;
}

static bool number(const char *text, double low, double high, double *out)
{
    return number_until(&text, "", low, high, out);
}

static bool whole(const char *text, int low, int high, int *out)
{
    return number_whole_until(&text, "", low, high, out);
}

/* Reads a number of at least 1. K, M or G behind the number is a power of `unit`. */
static bool with_suffix(const char *text, double unit, double most, double *out)
{
    static const char units[] = "KMG";
    if (!number_until(&text, units, 0, most, out) || (*text && text[1]))
        return false;
    for (const char *u = units; *text && u <= strchr(units, *text); u++)
        *out *= unit;
    return *out >= 1 && *out <= most;
}

/* --- General readers -------------------------------------------------------------------------- */

static void *field_of(const option_row *row, options *o)
{
    return (char *)o + row->field;
}

static const option_choice *find_choice(const option_row *row, const char *text)
{
    for (const option_choice *c = row->choices; c->word; c++)
        if (strcmp(text, c->word) == 0)
            return c;
    return NULL;
}

bool read_choice(const option_row *row, options *o, const char *text)
{
    if (!text) /* an optional value that is missing */
        return true;
    const option_choice *const c = find_choice(row, text);
    if (c)
        memcpy(field_of(row, o), &c->value, sizeof c->value);
    return c != NULL;
}

bool read_help(const option_row *row, options *o, const char *text)
{
    o->help_section = read_choice(row, o, text) ? NULL : text;
    return !o->help_section || text[strspn(text, "abcdefghijklmnopqrstuvwxyz")] == '\0';
}

bool read_word(const option_row *row, options *o, const char *text)
{
    *(const char **)field_of(row, o) = text;
    return find_choice(row, text) != NULL;
}

bool read_number(const option_row *row, options *o, const char *text)
{
    double *const value = field_of(row, o);
    return number(text, row->or_zero ? 0 : row->low, row->high, value) &&
           (*value == 0 || *value >= row->low);
}

/* Does the same, but a minus sign may be before the number. */
bool read_signed(const option_row *row, options *o, const char *text)
{
    return signed_until(&text, "", row->low, row->high, field_of(row, o));
}

bool read_positive(const option_row *row, options *o, const char *text)
{
    double *const value = field_of(row, o);
    return number(text, 0, 1e6, value) && *value > 0;
}

bool read_whole(const option_row *row, options *o, const char *text)
{
    int *const value = field_of(row, o);
    return whole(text, row->or_zero ? 0 : (int)row->low, (int)row->high, value) &&
           (*value == 0 || *value >= row->low);
}

bool read_text(const option_row *row, options *o, const char *text)
{
    *(const char **)field_of(row, o) = text;
    return text[0] != '\0';
}

bool read_command(const option_row *row, options *o, const char *text)
{
    (void)row, (void)o; /* options.text has it */
    return text[0] != '\0';
}

bool read_name_part(const option_row *row, options *o, const char *text)
{
    *(const char **)field_of(row, o) = text;
    return !strchr(text, '/');
}

bool read_clip_time(const option_row *row, options *o, const char *text)
{
    return clip_time_read(field_of(row, o), text);
}

bool read_encoder(const option_row *row, options *o, const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    return read_text(row, o, text) && text[strspn(text, letters)] == '\0';
}

/* --- Readers of one option -------------------------------------------------------------------- */

/* Reads pixels, or per cent, up to a comma or the end. */
static bool radius_until(const char **at, bool in_percent, double *out)
{
    return number_until(at, in_percent ? "%" : ",", 0, in_percent ? 100 : LARGEST_RADIUS, out) &&
           (!in_percent || *(*at)++ == '%');
}

bool read_radius(const option_row *row, options *o, const char *text)
{
    const bool percent = strchr(text, '%') != NULL;
    (void)row;
    o->box_in_percent = percent;
    if (!radius_until(&text, percent, &o->box.radius_x))
        return false;
    o->box.radius_y = o->box.radius_x;
    return *text == '\0' ||
           (*text++ == ',' && radius_until(&text, percent, &o->box.radius_y) && *text == '\0');
}

bool read_stats(const option_row *row, options *o, const char *text)
{
    o->stats = text ? STATS_JSON : STATS_TEXT;
    return !text || find_choice(row, text);
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), size = strlen(ending);
    return length > size && strcasecmp(text + length - size, ending) == 0;
}

bool read_histogram(const option_row *row, options *o, const char *text)
{
    return read_text(row, o, text) && (ends_with(text, ".svg") || ends_with(text, ".png"));
}

bool read_dump_coc(const option_row *row, options *o, const char *text)
{
    return read_text(row, o, text) && (ends_with(text, ".png") || ends_with(text, ".pgm"));
}

bool read_focus_view(const option_row *row, options *o, const char *text)
{
    return read_text(row, o, text) &&
           (ends_with(text, ".jpg") || ends_with(text, ".jpeg") || ends_with(text, ".png"));
}

bool read_max_radius(const option_row *row, options *o, const char *text)
{
    (void)row;
    o->radius_in_percent = strchr(text, '%') != NULL;
    return radius_until(&text, o->radius_in_percent, &o->dof.max_radius) && *text == '\0';
}

bool read_grain(const option_row *row, options *o, const char *text)
{
    (void)row;
    o->grain_measured = strcmp(text, "auto") == 0;
    return o->grain_measured || number(text, 0, 64, &o->grain);
}

bool read_tilt_shift(const option_row *row, options *o, const char *text)
{
    (void)row;
    return signed_until(&text, ",", -180, 180, &o->tilt.angle) && *text++ == ',' &&
           number_until(&text, ",", 0, 1, &o->tilt.position) && *text++ == ',' &&
           number(text, 0, 1, &o->tilt.width);
}

/* Returns whether three points are the corners of a triangle: its least height is at least 1/50 of its longest side. */
static bool are_corners(const int x[3], const int y[3])
{
    const double area = ((double)x[1] - x[0]) * ((double)y[2] - y[0]) -
                        ((double)x[2] - x[0]) * ((double)y[1] - y[0]);
    double longest = 0; /* squared */
    for (int i = 0; i < 3; i++) {
        const double across = x[i] - x[(i + 1) % 3], down = y[i] - y[(i + 1) % 3];
        longest = fmax(longest, across * across + down * down);
    }
    return fabs(area) * 50 >= longest && longest > 0;
}

/* Reads X,Y or X,Y,D three times. */
bool read_focus_plane(const option_row *row, options *o, const char *text)
{
    focus_plane *const f = &o->plane;
    int commas = 0;
    (void)row;
    for (const char *at = text; (at = strchr(at, ',')); at++)
        commas++;
    f->has_depths = commas == 8;
    for (int i = 0; i < 3; i++) {
        if ((i > 0 && *text++ != ',') || !number_whole_until(&text, ",", 0, 1 << 24, &f->x[i]) ||
            *text++ != ',' || !number_whole_until(&text, ",", 0, 1 << 24, &f->y[i]))
            return false;
        if (f->has_depths && (*text++ != ',' || !number_until(&text, ",", 0, 1, &f->depths[i])))
            return false;
    }
    return *text == '\0' && are_corners(f->x, f->y);
}

bool read_focus(const option_row *row, options *o, const char *text)
{
    (void)row;
    o->focus_in_metres = o->focus_in_codes = false;
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
    o->focus_in_codes = length > 1 && text[length - 1] == 'c';
    if (o->focus_in_codes)
        return signed_until(&text, "c", -LARGEST_CODE, LARGEST_CODE, &o->dof.focus) &&
               text[1] == '\0';
    return number(text, 0, 1, &o->dof.focus);
}

bool read_focus_at(const option_row *row, options *o, const char *text)
{
    (void)row;
    o->dof.focus_mode = SATB_FOCUS_POINT;
    return number_whole_until(&text, ",", 0, 1 << 24, &o->dof.focus_x) && *text == ',' &&
           whole(text + 1, 0, 1 << 24, &o->dof.focus_y);
}

/* Keys are large, and a command line has one list of each kind. */
bool read_focus_keys(const option_row *row, options *o, const char *text)
{
    static clip_keys keys;
    (void)row;
    o->focus_keys = &keys;
    o->dof.focus_mode = SATB_FOCUS_VALUE;
    return clip_keys_read(&keys, text, true, 1);
}

bool read_radius_keys(const option_row *row, options *o, const char *text)
{
    static clip_keys keys;
    (void)row;
    o->radius_keys = &keys;
    return clip_keys_read(&keys, text, false, LARGEST_RADIUS);
}

/* Reads a number, or whole numbers N/D. FFmpeg's fractions are found again from the quotient, up to a million. */
bool read_fps(const option_row *row, options *o, const char *text)
{
    int n, d;
    if (!strchr(text, '/'))
        return read_number(row, o, text);
    if (!number_whole_until(&text, "/", 1, 1000000, &n) || !whole(text + 1, 1, 1000000, &d))
        return false;
    o->fps = (double)n / d;
    return o->fps >= row->low && o->fps <= row->high;
}

bool read_depth_range(const option_row *row, options *o, const char *text)
{
    (void)row;
    const char *const comma = strchr(text, ',');
    if (!comma)
        return false;
    o->range_in_percent = comma > text && comma[-1] == '%';
    const char *const end = o->range_in_percent ? "%" : ",";
    if (!signed_until(&text, end, -LARGEST_CODE, LARGEST_CODE, &o->range_a) ||
        text != comma - o->range_in_percent)
        return false;
    text = comma + 1;
    if (strcmp(text, "inf") == 0)
        o->range_b = INFINITY;
    else if (!signed_until(&text, "%", -LARGEST_CODE, LARGEST_CODE, &o->range_b) ||
             strcmp(text, o->range_in_percent ? "%" : "") != 0)
        return false;
    return o->range_a < o->range_b &&
           (!o->range_in_percent || (o->range_a >= 0 && o->range_b <= 100));
}

bool read_distance(const option_row *row, options *o, const char *text)
{
    (void)row;
    if (!number_until(&text, ",", 0, LARGEST_METRES, &o->dof.distance_near) || *text != ',')
        return false;
    if (strcmp(text + 1, "inf") == 0)
        o->dof.distance_far = INFINITY;
    else if (!number(text + 1, 0, LARGEST_METRES, &o->dof.distance_far))
        return false;
    return o->dof.distance_near > 0 && o->dof.distance_near < o->dof.distance_far;
}

/* Reads a choice, or cuda:N. */
bool read_device(const option_row *row, options *o, const char *text)
{
    o->engine.cuda_index = 0;
    o->all_devices = strcmp(text, "cuda:all") == 0;
    if (read_choice(row, o, text))
        return true;
    o->engine.device = SATB_DEVICE_CUDA;
    return strncmp(text, "cuda:", 5) == 0 && whole(text + 5, 0, 1023, &o->engine.cuda_index);
}

bool read_gpu_memory(const option_row *row, options *o, const char *text)
{
    double size;
    (void)row;
    if (!with_suffix(text, 1024, 0x1p60, &size))
        return false;
    o->engine.gpu_memory = (size_t)size;
    return true;
}

bool read_max_pixels(const option_row *row, options *o, const char *text)
{
    const double most = 2147483648.0; /* the library's limit */
    double pixels;
    (void)row;
    if (!with_suffix(text, 1000, most, &pixels))
        return false;
    o->max_pixels = (uint64_t)(pixels + 0.5); /* 0.29M is a little less than 290000 */
    return true;
}

/* Reads the place in a Slurm job array. Slurm counts from _MIN on, in steps of _STEP. A list of tasks with gaps gives
 * no task its place, so such lists are refused. */
static bool read_slurm_shard(options *o)
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

bool read_shard(const option_row *row, options *o, const char *text)
{
    (void)row;
    if (strcmp(text, "slurm") == 0)
        return read_slurm_shard(o);
    return number_whole_until(&text, "/", 1, 1 << 24, &o->shard) && *text == '/' &&
           whole(text + 1, o->shard, 1 << 24, &o->shards);
}
