#include "bench/bench_fill.h"

#include "bench/bench_maps.h"
#include "blur/dof_points.h"
#include "blur/dof_slabs.h"
#include "blur/forms.h"
#include "layer/radii_rule.h"
#include "blur/dof_spread.h"
#include "base/tone_tables.h"
#include "support/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Memory ----------------------------------------------------------------------------------- */

void *bench_get_for(bench *b, size_t bytes)
{
    void *const memory = bench_get(b->on, bytes);

    b->failed |= memory == NULL;
    return memory;
}

static void *get_filled(bench *b, const void *host, size_t bytes)
{
    void *const memory = bench_get_filled(b->on, host, bytes);

    b->failed |= memory == NULL;
    return memory;
}

/* --- Sizes ------------------------------------------------------------------------------------ */

size_t bench_pixels(const bench_row *r)
{
    return (size_t)r->width * (size_t)r->height * (size_t)(r->pictures ? r->pictures : 1);
}

size_t bench_source_bytes(const bench_row *r)
{
    return bench_pixels(r) * (size_t)r->channels * (size_t)(r->bits / 8);
}

size_t bench_table_bytes(const bench_row *r)
{
    return bench_pixels(r) * (size_t)r->channels * (size_t)(r->word / 8);
}

/* A table, or what is read from one. */
int bench_is_windowed(const bench_row *r)
{
    return r->primitive == BENCH_TABLE || r->primitive == BENCH_BOX || r->primitive == BENCH_BLUR;
}

/* --- Contents --------------------------------------------------------------------------------- */

/* Draws a map as smooth as one of depth: a slope with a disc in front of it. */
static void draw_smooth_map(const bench_row *r, uint8_t *map)
{
    const long cx = r->width / 3, cy = r->height / 2, radius = r->height / 4;

    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const int inside = (x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius;
            *map++ = (uint8_t)(inside ? 20 : (255L * (r->height - 1 - y)) / r->height);
        }
}

/* Codes of a wall far away, of a floor that comes towards the camera from its foot, and of things
 * that stand on the floor or hang in front of it. */
static void draw_objects_map(const bench_row *r, uint8_t *map)
{
    static const struct {
        int x, y, across, down; /* an ellipse, in 1/64 of the picture */
        int code, slope;        /* in its middle, and what the width adds */
    } objects[] = {
        {12, 27, 4, 9, 90, 0},    {49, 30, 6, 12, 105, 12}, {31, 34, 5, 16, 150, 6},
        {20, 41, 7, 8, 175, -10}, {55, 46, 5, 14, 200, 0},  {3, 40, 4, 30, 240, 8},
    };
    const int count = sizeof objects / sizeof *objects;

    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const double u = 64.0 * x / r->width, v = 64.0 * y / r->height;
            double code = v < 28 ? 50 + 10 * u / 64 : 60 + 170 * (v - 28) / 36;
            for (int i = 0; i < count; i++) {
                const double dx = (u - objects[i].x) / objects[i].across;
                const double dy = (v - objects[i].y) / objects[i].down;
                if (dx * dx + dy * dy < 1)
                    code = objects[i].code + objects[i].slope * dx;
            }
            *map++ = (uint8_t)code;
        }
}

/* Finds the slabs that have pixels, as the library does. */
static void mark_used(bench *b, const uint8_t *map)
{
    for (size_t i = 0; i < bench_pixels(b->row); i++)
        satk_use_position(b->slabs, b->positions[map[i]]);
}

/* Draws the objects, far ones dark as near is black, and discs of code 0. map: 16 bits a sample. */
static void draw_holes_map(const bench_row *r, uint64_t *random, uint8_t *map)
{
    uint16_t *const codes = (uint16_t *)map;
    size_t left = bench_pixels(r) / 20;

    draw_objects_map(r, map);
    for (size_t i = bench_pixels(r); i-- > 0;)
        codes[i] = (uint16_t)(1 + 16 * (255 - map[i]) + random_below(random, 16));
    while (left > 0) {
        const int radius = 5 + random_below(random, 16);
        const int cx = random_below(random, r->width), cy = random_below(random, r->height);
        for (int y = cy - radius; y <= cy + radius; y++)
            for (int x = cx - radius; x <= cx + radius; x++) {
                const int away = (x - cx) * (x - cx) + (y - cy) * (y - cy);
                if (x < 0 || y < 0 || x >= r->width || y >= r->height || away > radius * radius)
                    continue;
                uint16_t *const code = codes + (size_t)y * (size_t)r->width + x;
                left -= left > 0 && *code > 0;
                *code = 0;
            }
    }
}

static void draw_map(bench *b, uint64_t *random, uint8_t *map)
{
    const bench_row *const r = b->row;

    switch (r->map) {
    case MAP_SMOOTH: draw_smooth_map(r, map); break;
    case MAP_OBJECTS: draw_objects_map(r, map); break;
    case MAP_HOLES: draw_holes_map(r, random, map); break;
    case MAP_RANDOM: random_bytes(random, map, bench_pixels(r)); break;
    default: memset(map, 117, bench_pixels(r)); break;
    }
    if (r->primitive == BENCH_LAYER)
        mark_used(b, map);
}

/* Darkens all, and makes every 40th pixel of every 40th row a white lamp of 6 x 6 pixels. */
static void draw_lamps(const bench_row *r, uint8_t *codes)
{
    const size_t width = (size_t)r->width, channels = (size_t)r->channels;

    for (size_t i = 0; i < bench_source_bytes(r); i++)
        codes[i] =
            i / channels % width % 40 < 6 && i / channels / width % 40 < 6 ? 255 : codes[i] / 3;
}

/* Draws codes that rise from corner to corner, the same in all channels. */
static void draw_slope(const bench_row *r, uint8_t *codes)
{
    const size_t channels = (size_t)r->channels,
                 samples = bench_source_bytes(r) / (size_t)(r->bits / 8);
    const uint64_t most = (uint64_t)(2 * r->width + r->height), largest = (1u << r->bits) - 1;

    for (size_t i = 0; i < samples; i++) {
        const size_t x = i / channels % (size_t)r->width, y = i / channels / (size_t)r->width;
        satk_put_code(codes, i, r->bits, (uint32_t)((2 * x + y) * largest / most));
    }
}

/* Makes all a surface with some noise, into which the depths around a hole can grow. */
static void draw_surface(const bench_row *r, uint8_t *codes)
{
    for (size_t i = 0; i < bench_source_bytes(r); i++)
        codes[i] = (uint8_t)(120 + codes[i] / 10);
}

static void fill_set(bench *b, int set, uint64_t *random)
{
    const bench_row *const r = b->row;
    const size_t source = bench_source_bytes(r);
    const size_t of_map = bench_pixels(r) * (r->primitive == BENCH_FILL ? 2 : 1);
    const int has_result = r->primitive != BENCH_TABLE && b->bytes_out > 0;
    const int needs_table =
        bench_is_windowed(r) && (r->primitive != BENCH_BLUR || b->on == BENCH_CUDA);
    uint8_t *const host = malloc(source + of_map);

    if (!host) {
        b->failed = 1;
        return;
    }
    if (r->constant)
        memset(host, 117, source);
    else if (r->smooth)
        draw_slope(r, host);
    else
        random_bytes(random, host, source);
    if (r->primitive == BENCH_HIGHLIGHT)
        draw_lamps(r, host);
    if (r->primitive == BENCH_FILL)
        draw_surface(r, host);
    for (size_t i = 3; r->opaque && i < source; i += 4)
        host[i] = 255;
    b->src[set] = get_filled(b, host, source + (r->map ? of_map : 0)); /* as the copy reads */
    if (needs_table) /* the copy reads the map's bytes behind it */
        b->table[set] = bench_get_for(b, bench_table_bytes(r) + of_map);
    if (has_result)
        b->dst[set] = bench_get_for(b, source);
    if (r->map)
        draw_map(b, random, host);
    if (r->map)
        b->map[set] = get_filled(b, host, of_map);
    free(host);
}

static void fill_luts(bench *b)
{
    const int bits = b->row->bits;
    const size_t codes = (size_t)1 << bits, samples = (size_t)satb_linear_max(bits) + 1;
    uint32_t lut[256], *const decode = malloc(codes * sizeof *decode);
    uint16_t *const encode = malloc(samples * sizeof *encode);

    for (uint32_t i = 0; i < 256; i++)
        lut[i] =
            b->row->whole ? b->row->radius / 256 * i / 255 * 256 : (b->row->radius * i + 127) / 255;
    b->lut = get_filled(b, lut, sizeof lut);
    b->failed |= !decode || !encode;
    if (b->row->linear && decode && encode) {
        satb_fill_decode(bits, decode);
        satb_fill_encode(bits, encode);
        b->decode = get_filled(b, decode, codes * sizeof *decode);
        b->encode = get_filled(b, encode, samples * sizeof *encode);
    }
    if (b->row->primitive == BENCH_EQUALIZE && encode) { /* any table will do */
        for (size_t i = 0; i < codes; i++)
            encode[i] = (uint16_t)(codes - 1 - i);
        b->encode = get_filled(b, encode, codes * sizeof *encode);
    }
    free(decode);
    free(encode);
}

/* The focus of rows with depth: half as many slabs are in front of it as behind. */
static const double focus = 0.6;

/* Brings the forms of windows to where kernels read them. */
static void fill_forms(bench *b)
{
    satb_forms forms;

    if (satb_make_forms(NULL, &b->aperture, b->row->width, b->row->height, &forms) != SATB_OK)
        return;
    if (forms.bytes > 0)
        satb_forms_at(&forms, get_filled(b, forms.box, forms.bytes));
    b->forms = forms.windows;
    satb_free_forms(&forms);
}

/* Makes slabs as the library does. */
static void fill_slabs(bench *b)
{
    const double reach = b->row->radius / 256.0;
    double signed_radius[SATK_MAX_SLABS];
    const satb_dof_params params = {
        .blades = b->row->blades, .bokeh_edge = b->row->edge, .vignette = b->row->vignette};

    b->aperture = satb_make_aperture(&params);
    fill_forms(b);
    b->slab_count = satb_make_slabs(-focus * reach, (1 - focus) * reach, 0, b->row->width,
                                    &b->aperture, b->slabs, signed_radius);
    for (int i = 0; i < 256; i++)
        b->positions[i] =
            satk_position_of(signed_radius, b->slab_count, (i / 255.0 - focus) * reach);
    b->position = get_filled(b, b->positions, sizeof b->positions);
}

/* Makes splats as the library does, of samples without weights. */
static void fill_splats(bench *b)
{
    const double reach = b->row->radius / 256.0;
    const int farthest = (int)(focus * reach) + 1;
    const int bits = satb_light_bits(farthest, satb_linear_max(b->row->bits));
    satk_splat splats[256];

    for (int i = 0; i < 256; i++) {
        const uint32_t radius = (uint32_t)(fabs(i / 255.0 - focus) * b->row->radius);
        splats[i] = satb_make_splat(b->row->whole ? radius / 256 * 256 : radius, bits);
    }
    b->splat = get_filled(b, splats, sizeof splats);
    b->farthest = farthest;
}

/* Makes discs as the library does, without groups. What the picture is without points stands in the place of tables. */
static void fill_discs(bench *b)
{
    const double reach = b->row->radius / 256.0;
    const satb_dof_params round = {.bokeh = SATB_BOKEH_DISC};
    const satb_aperture aperture = satb_make_aperture(&round);
    satb_outlines outlines;
    satk_disc discs[256];

    if (satb_make_outlines(NULL, &aperture, b->row->width, b->row->height, &outlines) != SATB_OK)
        return;
    b->outlines = outlines.all;
    b->outlines.of = get_filled(b, outlines.of, outlines.bytes);
    satb_free_outlines(&outlines);
    for (int i = 0; i < 256; i++)
        discs[i] = satk_disc_of((i / 255.0 - focus) * reach);
    b->disc = get_filled(b, discs, sizeof discs);
    b->farthest = (int)(focus * reach) + 2;
    b->runs = bench_get_for(b, bench_pixels(b->row));
    b->halo = bench_get_for(b, bench_source_bytes(b->row));
    for (int set = 0; set < b->sets; set++)
        b->table[set] = bench_get_for(b, bench_source_bytes(b->row));
}

static void fill_surfaces(bench *b)
{
    uint32_t linear[256];

    satb_fill_decode(8, linear);
    b->linear = get_filled(b, linear, sizeof linear);
    b->rims = bench_get_for(b, satk_rims_bytes(bench_pixels(b->row)));
}

void bench_fill(bench *b)
{
    uint64_t random = 1;

    fill_luts(b);
    if (b->row->primitive == BENCH_LAYER)
        fill_slabs(b);
    if (b->row->primitive == BENCH_SPREAD)
        fill_splats(b);
    if (b->row->primitive == BENCH_HIGHLIGHT)
        fill_discs(b);
    if (b->row->primitive == BENCH_SURFACE)
        fill_surfaces(b);
    if (bench_has_matte(b->row))
        bench_fill_matte(b);
    for (int set = 0; set < b->sets && !b->failed; set++)
        fill_set(b, set, &random);
}
