/* The operations on pictures through the public header: sizes, strides, channels, bits, pixels and
 * parameters from the input. Each runs with one thread and with two, into another picture and in place:
 * the same status and the same pixels, and not a byte beside them. */
#include "fuzz/fuzz_surface.h"
#include "support/dof_ranges.h"

#include <math.h>

typedef struct trial {
    feed *f;
    surface src, map;
    int has_depth; /* else the matte is all that is known of depths */
    int flat;      /* every pixel of src is the same */
} trial;

static satb_context *contexts[2];

static void open_contexts(void)
{
    for (int i = 0; i < 2 && !contexts[i]; i++) {
        const satb_config config = {.device = SATB_DEVICE_CPU, .threads = i + 1};
        CHECK(satb_open(&contexts[i], &config) == SATB_OK);
    }
}

/* --- Parameters ------------------------------------------------------------------------------- */

/* Returns an allowed value in most cases; one in 32 is any double. */
static double choose_number(feed *f, double most)
{
    const uint32_t kind = choose(f, 32);
    double value;
    uint64_t bits;
    switch (kind) {
    case 0:
        bits = (uint64_t)take(f, 4) << 32 | take(f, 4);
        memcpy(&value, &bits, sizeof value);
        return value;
    case 1: return most;
    case 2:
    case 3:
    case 4: return 0;
    case 5: return take(f, 1) / 2048.0 * most;
    case 6: return take(f, 4) / 4294967295.0 * most;
    default: value = take(f, 2) / 1024.0;
    }
    return value > most ? most * (value / 64) : value;
}

static satb_look choose_look(feed *f)
{
    const uint32_t choice = take(f, 1);
    return (satb_look){.gamma = choice & 1, .edge = (satb_edge)(choice >> 1 & 3)};
}

static satb_image choose_shape(feed *f)
{
    static const int bits[] = {8, 16};
    const uint32_t kind = choose(f, 8);
    satb_image shape = {.width = 1 + (int)choose(f, 80), .height = 1 + (int)choose(f, 80)};
    if (kind == 0)
        shape.width = 1 + (int)(take(f, 2) % 2000);
    if (kind == 1)
        shape.height = 1 + (int)(take(f, 2) % 2000);
    if (kind <= 1 && shape.width > 80)
        shape.height = 1 + shape.height % 4;
    else if (kind <= 1 && shape.height > 80)
        shape.width = 1 + shape.width % 4;
    shape.channels = 1 + (int)choose(f, 4);
    shape.bits = bits[choose(f, 2)];
    return shape;
}

static void set_sample(const surface *s, size_t at, uint32_t value)
{
    const size_t a_row = surface_row(s) * 8 / (size_t)s->image.bits;
    uint8_t *row = surface_line(s, (int)(at / a_row));
    if (s->image.bits == 16)
        ((uint16_t *)(void *)row)[at % a_row] = (uint16_t)value;
    else
        row[at % a_row] = (uint8_t)value;
}

/* Fills a picture: constant, two values, noise, few values in runs, spots of light, or the input's own bytes. */
static int fill(feed *f, const surface *s)
{
    const size_t channels = (size_t)s->image.channels, width = (size_t)s->image.width;
    const size_t count = width * (size_t)s->image.height * channels;
    const uint32_t kind = choose(f, 8), opaque = take(f, 1) & 1;
    uint32_t state = take(f, 4), values[4] = {take(f, 2), take(f, 2), take(f, 2), take(f, 2)},
             v = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = (uint32_t)(i / channels % width), y = (uint32_t)(i / channels / width);
        state = state * 1664525u + 1013904223u;
        switch (kind) {
        case 0: v = values[i % channels]; break;
        case 1: v = values[state >> 30 & 1]; break;
        case 2: v = state >> 29 ? v : values[state >> 27 & 3]; break;
        case 3: v = f->size ? take(f, 1) * 257 : state >> 16; break;
        case 4: v = state >> 31 ? 0 : 65535; break;
        case 5: v = x * values[0]; break;
        case 6: v = (x & y) % 16 > 11 ? 65535 : values[0] / 64; break;
        default: v = state >> 16;
        }
        const int is_alpha = channels % 2 == 0 && i % channels == channels - 1;
        set_sample(s, i, is_alpha && opaque ? 65535 : v);
    }
    return kind == 0;
}

static surface choose_surface(feed *f, satb_image shape)
{
    return surface_make(shape, 2 * (size_t)choose(f, 40));
}

/* Sets the first numbers of the aperture, the others, or all: by the bits 64 and 128. */
static void choose_aperture(feed *f, uint32_t given, satb_dof_params *p)
{
    enum { FIRST = 4 };
    static const dof_range numbers[] = {SATB_DOF_SHAPE_NUMBERS(DOF_NUMBER_RANGE)};
    for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
        const dof_range *const r = &numbers[i];
        const double least = r->low < 0 ? r->low : 0;
        if (given & (i < FIRST ? 64 : 128))
            dof_range_set(r,
                          r->is_whole ? choose(f, (uint32_t)r->high + 2)
                                      : least + choose_number(f, r->high - least),
                          p);
    }
}

static satb_dof_params choose_dof(feed *f)
{
    satb_dof_params p = {
        .focus_mode = (satb_focus)choose(f, 4),
        .focus = choose_number(f, 1),
        .focus_x = (int)choose(f, 100),
        .focus_y = (int)choose(f, 100),
        .strength = (satb_strength)choose(f, 3),
        .max_radius = choose_number(f, choose(f, 8) ? 100 : 8388608),
        .depth_type = (satb_depth_type)choose(f, 2),
        .near_black = (int)choose(f, 2),
        .holes = (satb_holes)choose(f, 5),
        .method = (satb_method)choose(f, SATB_METHOD_SPREAD + 1),
        .bokeh = (satb_bokeh)choose(f, 3),
        .look = choose_look(f),
    };
    const uint32_t given = take(f, 1);
    if (given & 1)
        p.focus_range = choose_number(f, 2);
    choose_aperture(f, given, &p);
    if ((p.scaled = given >> 1 & 1)) {
        p.near_scale = choose_number(f, 1000);
        p.far_scale = choose_number(f, 1000);
    }
    if (given & 4 || p.strength == SATB_STRENGTH_LENS || p.focus_mode == SATB_FOCUS_DISTANCE) {
        p.distance_near = choose_number(f, 10);
        p.distance_far = p.distance_near + choose_number(f, 1000);
        p.focus = p.focus_mode == SATB_FOCUS_DISTANCE ? p.distance_near + p.focus : p.focus;
    }
    if (p.strength == SATB_STRENGTH_LENS) {
        p.fstop = choose_number(f, 32);
        p.focal_mm = choose_number(f, 200);
        p.sensor_mm = choose_number(f, 100);
    }
    if (given & 16)
        p.highlights = 1 + choose_number(f, SATB_MOST_HIGHLIGHTS - 1);
    if (given & 32) {
        p.highlight_threshold = choose_number(f, 1);
        p.highlight_size = choose_number(f, SATB_MOST_HIGHLIGHT_SIZE);
    }
    if (given & 8) {
        p.range_low = choose_number(f, 1) / 2;
        p.range_high = p.range_low + choose_number(f, 1) / 2;
    }
    return p;
}

/* Sets what contradicts most other parameters, and the pictures that tell parts from each other. */
static void choose_method(feed *f, trial *t, satb_dof_params *p)
{
    const uint32_t given = take(f, 1);
    if (given & 1) {
        p->method = given & 2 ? SATB_METHOD_LAYERED : SATB_METHOD_SPREAD;
        p->look.edge = SATB_EDGE_SHRINK;
        p->bokeh = SATB_BOKEH_DISC;
        p->highlights = given & 2 ? 1 + choose_number(f, SATB_MOST_HIGHLIGHTS - 1) : 0;
    }
    p->fringe = given & 4 ? choose_number(f, 0.5) : 0;
    p->matte = given & 8 ? &t->map.image : NULL;
    p->protect = given & 16 ? &t->src.image : NULL;
    p->edges = (satb_depth_edges)(given >> 5 & 1);
    p->rounding = (satb_rounding)(given >> 6 & 1);
    t->has_depth = !p->matte || given >> 7;
}

/* --- Operations ------------------------------------------------------------------------------- */

typedef struct parameters {
    int what;
    satb_box_params box;
    satb_map_params map;
    satb_dof_params dof;
} parameters;

enum { BOX, MAP, DOF, COC, EQUALIZE, OPERATIONS };

static satb_status apply(satb_context *c, const trial *t, const parameters *p,
                         const satb_image *src, const satb_image *dst, satb_dof_report *report)
{
    switch (p->what) {
    case BOX: return satb_box(c, src, dst, &p->box);
    case MAP: return satb_blur_map(c, src, &t->map.image, dst, &p->map);
    case DOF: return satb_dof(c, src, t->has_depth ? &t->map.image : NULL, dst, &p->dof, report);
    case COC: return satb_coc(c, src, t->has_depth ? &t->map.image : NULL, dst, &p->dof, report);
    default: return satb_equalize(c, src, dst);
    }
}

/* Checks the results that some inputs must have in every operation. */
static void check_result(const trial *t, const parameters *p, const surface *dst)
{
    const int radius_0 =
        (p->what == BOX && p->box.radius_x == 0 && p->box.radius_y == 0) ||
        (p->what == MAP && p->map.max_radius == 0) ||
        (p->what == DOF && p->dof.strength == SATB_STRENGTH_RADIUS && p->dof.max_radius == 0);
    if (p->what != COC && (radius_0 || t->flat))
        CHECK(surface_same(&t->src, dst));
}

static void in_place(const trial *t, const parameters *p, const surface *dst)
{
    surface both = surface_make(t->src.image, 6);
    surface_copy(&both, &t->src);
    CHECK(apply(contexts[0], t, p, &both.image, &both.image, NULL) == SATB_OK);
    CHECK(surface_same(&both, dst));
    surface_free(&both);
}

static void run(const trial *t, const parameters *p)
{
    surface before = surface_make(t->src.image, 0), dst[2];
    satb_dof_report reports[2];
    satb_status status[2];
    satb_image shape = t->src.image;
    if (p->what == COC) {
        shape.channels = 1;
        shape.bits = 16;
        shape.half = 0;
    }
    surface_copy(&before, &t->src);
    memset(reports, 0, sizeof reports);
    for (int i = 0; i < 2; i++) {
        dst[i] = choose_surface(t->f, shape);
        status[i] = apply(contexts[i], t, p, &t->src.image, &dst[i].image, &reports[i]);
        CHECK(status[i] == SATB_OK || satb_last_message(contexts[i])[0]);
    }
    CHECK(status[0] == status[1] && surface_same(&before, &t->src));
    CHECK(status[0] == SATB_OK || status[0] == SATB_ERR_ARG || status[0] == SATB_ERR_LIMIT);
    if (status[0] == SATB_OK) {
        CHECK(surface_same(&dst[0], &dst[1]));
        CHECK(reports[0].focus == reports[1].focus && reports[0].snapped == reports[1].snapped &&
              reports[0].mixed == reports[1].mixed);
        CHECK(reports[0].largest_radius == reports[1].largest_radius);
        check_result(t, p, &dst[0]);
        if (p->what != COC)
            in_place(t, p, &dst[0]);
    }
    for (int i = 0; i < 2; i++)
        surface_free(&dst[i]);
    surface_free(&before);
}

static void measure(const trial *t)
{
    satb_channel_stats stats[2][4], luminance[2];
    const int channels = t->src.image.channels;
    memset(stats, 0, sizeof stats);
    for (int i = 0; i < 2; i++) {
        CHECK(satb_measure(contexts[i], &t->src.image, stats[i]) == SATB_OK);
        CHECK(satb_measure_luminance(contexts[i], &t->src.image, &luminance[i]) == SATB_OK);
    }
    CHECK(memcmp(stats[0], stats[1], sizeof stats[0]) == 0);
    CHECK(memcmp(&luminance[0], &luminance[1], sizeof luminance[0]) == 0);
    for (int c = 0; c < channels; c++) {
        const satb_channel_stats *s = &stats[0][c];
        uint64_t count = 0;
        for (int bin = 0; bin < SATB_BINS; bin++)
            count += s->histogram[bin];
        CHECK(count == s->count);
        CHECK(count == (uint64_t)t->src.image.width * (uint64_t)t->src.image.height);
        CHECK(s->min <= s->p1 && s->p1 <= s->p5 && s->p5 <= s->median && s->median <= s->p95);
        CHECK(s->p95 <= s->p99 && s->p99 <= s->max && s->stddev >= 0 && s->entropy >= 0);
        CHECK(s->mean >= s->min && s->mean <= s->max && s->entropy <= t->src.image.bits);
    }
}

/* The last entry of a table is the sum of all samples. */
static void table(const trial *t)
{
    const satb_image *src = &t->src.image;
    const int word = choose(t->f, 2) ? 32 : 64;
    const size_t count = (size_t)src->width * (size_t)src->height * (size_t)src->channels;
    satb_channel_stats stats[4];
    uint8_t *out[2];
    CHECK(satb_measure(contexts[0], src, stats) == SATB_OK);
    for (int i = 0; i < 2; i++) {
        out[i] = malloc(count * (size_t)word / 8);
        CHECK(out[i] && satb_table(contexts[i], src, word, out[i]) == SATB_OK);
    }
    CHECK(memcmp(out[0], out[1], count * (size_t)word / 8) == 0);
    for (int c = 0; c < src->channels; c++) {
        const size_t at = count - (size_t)src->channels + (size_t)c;
        const uint64_t sum =
            word == 64 ? ((uint64_t *)(void *)out[0])[at] : ((uint32_t *)(void *)out[0])[at];
        CHECK(sum == (word == 64 ? stats[c].sum : (uint32_t)stats[c].sum));
    }
    free(out[0]);
    free(out[1]);
}

/* Shapes that no picture has are refused. */
static void refuse(const trial *t)
{
    satb_image wrong = t->src.image;
    satb_channel_stats stats[4];
    switch (choose(t->f, 6)) {
    case 0: wrong.stride = -wrong.stride; break;
    case 1: wrong.stride = (ptrdiff_t)surface_row(&t->src) - 1; break;
    case 2: wrong.width = -(int)choose(t->f, 1000); break;
    case 3: wrong.height = (1 << 24) + 1; break;
    case 4: wrong.channels = 5; break;
    default: wrong.bits = (int)choose(t->f, 8);
    }
    const satb_box_params params = {.radius_x = 1};
    CHECK(satb_box(contexts[0], &wrong, &wrong, &params) == SATB_ERR_ARG);
    CHECK(satb_measure(contexts[1], &wrong, stats) == SATB_ERR_ARG);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feed f = {data, size};
    parameters p = {.what = (int)choose(&f, OPERATIONS + 3)};
    trial t = {.f = &f};
    open_contexts();
    t.src = choose_surface(&f, choose_shape(&f));
    t.flat = fill(&f, &t.src);
    if (p.what == MAP || p.what == DOF || p.what == COC) {
        satb_image shape = choose_shape(&f);
        if (choose(&f, 2)) {
            shape.width = t.src.image.width;
            shape.height = t.src.image.height;
        }
        t.map = choose_surface(&f, shape);
        fill(&f, &t.map);
    }
    p.box.radius_x = choose_number(&f, choose(&f, 8) ? 200 : 8388608);
    p.box.radius_y = choose(&f, 2) ? p.box.radius_x : choose_number(&f, 200);
    p.box.look = p.map.look = choose_look(&f);
    p.map.max_radius = p.box.radius_x;
    p.dof = choose_dof(&f);
    t.src.image.half = p.what <= COC && t.src.image.bits == 16 && choose(&f, 4) == 1;
    choose_method(&f, &t, &p.dof);
    if (p.what < OPERATIONS)
        run(&t, &p);
    else if (p.what == OPERATIONS)
        measure(&t);
    else if (p.what == OPERATIONS + 1)
        table(&t);
    else
        refuse(&t);
    surface_free(&t.src);
    if (t.map.memory)
        surface_free(&t.map);
    return 0;
}
