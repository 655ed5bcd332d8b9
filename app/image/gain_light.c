/* Light of a base and its gain map. */
#include "base/threads.h"
#include "image/gain_map.h"
#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <curves.h>
#include <exact_math.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static bool is_within(double v, double low, double high)
{
    return v >= low && v <= high;
}

bool gain_map_is_sound(const gain_map *g)
{
    bool is_sound = g->dark >= 0 && g->bright > g->dark && g->bright <= GAIN_LOG2_MOST;
    for (int c = 0; c < 3; c++) {
        const gain_channel *const v = &g->of[c];
        is_sound = is_sound && is_within(v->least, -GAIN_LOG2_MOST, v->most) &&
                   v->most <= GAIN_LOG2_MOST &&
                   is_within(v->gamma, 1.0 / GAIN_GAMMA_MOST, GAIN_GAMMA_MOST) &&
                   is_within(v->base_offset, 0, 1) && is_within(v->light_offset, 0, 1);
    }
    return is_sound;
}

bool gain_map_is_plain(const gain_map *g)
{
    return memcmp(&g->of[0], &g->of[1], sizeof *g->of) == 0 &&
           memcmp(&g->of[0], &g->of[2], sizeof *g->of) == 0;
}

/* --- Gains ------------------------------------------------------------------------------------ */

/* Steps of the table from one code to the next. Linear interpolation between them is exact to 2^-20 but below code 1, where
 * the power may be steep. */
enum { STEPS = 257, LAST = 255 * STEPS };

typedef struct gain_tables {
    float *of[3]; /* at code i / STEPS; channels may share a table */
} gain_tables;

static double power_of_2(double exponent)
{
    return satb_exp(0x1.62e42fefa39efp-1 * exponent);
}

/* The curve of ITU-R BT.709-6. */
static double light_of_709(double code)
{
    return code < 0.081 ? code / 4.5 : satb_pow((code + 0.099) / 1.099, 1 / 0.45);
}

double gain_map_at(const gain_map *g, int channel, double share)
{
    const gain_channel *const v = &g->of[channel];
    const double by = v->gamma == 1 ? share : satb_pow(share, 1 / v->gamma);
    return g->is_apples ? 1 + (power_of_2(v->most) - 1) * light_of_709(share)
                        : power_of_2(v->least + (v->most - v->least) * by);
}

static void free_gains(gain_tables *t)
{
    for (int c = 0; c < 3; c++)
        if (c == 0 || t->of[c] != t->of[0])
            free(t->of[c]);
}

static bool make_gains(const gain_map *g, gain_tables *t)
{
    const int tables = gain_map_is_plain(g) ? 1 : 3;
    for (int c = 0; c < tables; c++) {
        t->of[c] = malloc((LAST + 1) * sizeof **t->of);
        for (int i = 0; i <= LAST && t->of[c]; i++)
            t->of[c][i] = (float)gain_map_at(g, c, (double)i / LAST);
    }
    for (int c = tables; c < 3; c++)
        t->of[c] = t->of[0];
    return t->of[0] && t->of[1] && t->of[2];
}

/* --- Pixels ----------------------------------------------------------------------------------- */

typedef struct place { /* between two samples of the map */
    int first, second;
    float share; /* of the second */
} place;

typedef struct lighting {
    const gain_map *g;
    const satb_image *base, *light;
    double (*matrix)[3];
    float *of_code; /* base light */
    float base_offset[3], light_offset[3];
    bool is_gray;  /* one gain counts for all colours */
    place *across; /* by column */
    gain_tables tables;
    atomic_int next; /* row */
    atomic_bool failed;
} lighting;

/* Finds the place of the middle of pixel `at` of `size` among `samples`, whose middles lie as evenly. */
static place find_place(int at, int size, int samples)
{
    const double middle = (at + 0.5) * samples / size - 0.5;
    const int first = middle > 0 ? (int)middle : 0;
    const int second = first + 1 < samples ? first + 1 : first;
    return (place){first, second, middle > 0 && second > first ? (float)(middle - first) : 0};
}

static float between(float a, float b, float share)
{
    return a + share * (b - a);
}

static float gain_of(const lighting *l, int channel, float code)
{
    const float *const table = l->tables.of[channel];
    const float at = code * STEPS;
    const int i = (int)at;
    const float part = at - (float)i;
    if (part == 0)
        return table[i];
    if (i < STEPS && l->g->of[channel].gamma != 1)
        return (float)gain_map_at(l->g, channel, (double)code / 255);
    return between(table[i], table[i + 1], part);
}

/* Interpolates a row of codes between two of the map. Codes of 16 bits count in those of 8. */
static void mix_rows(const lighting *l, int y, float *row)
{
    const satb_image *const map = &l->g->image;
    const place p = find_place(y, l->base->height, map->height);
    const uint8_t *const first = (const uint8_t *)map->data + p.first * map->stride;
    const uint8_t *const second = (const uint8_t *)map->data + p.second * map->stride;
    const float unit = map->bits == 16 ? 257 : 1;
    for (size_t i = 0; i < (size_t)map->width * (size_t)map->channels; i++)
        row[i] = between((float)picture_sample(map, first, i) / unit,
                         (float)picture_sample(map, second, i) / unit, p.share);
}

static float mix(const double by[3], const float light[3])
{
    return (float)(by[0] * light[0] + by[1] * light[1] + by[2] * light[2]);
}

/* Finds the gains of a pixel's colours. */
static void find_gains(const lighting *l, const float *codes, const place *p, int colours,
                       float gains[3])
{
    const int samples = l->g->image.channels;
    for (int c = 0; c < colours; c++) {
        const int of = samples == 3 ? c : 0;
        const float code =
            between(codes[p->first * samples + of], codes[p->second * samples + of], p->share);
        gains[c] = c > 0 && l->is_gray ? gains[0] : gain_of(l, c, code);
    }
}

static void light_row(const lighting *l, int y, const float *codes)
{
    const satb_image *const base = l->base;
    const uint8_t *const from = (const uint8_t *)base->data + y * base->stride;
    const int channels = base->channels, colours = channels < 3 ? 1 : 3;
    const float white = base->bits == 16 ? UINT16_MAX : UINT8_MAX;
    uint16_t *to = (uint16_t *)((uint8_t *)l->light->data + y * l->light->stride);
    for (int x = 0; x < base->width; x++, to += channels) {
        const size_t at = (size_t)x * (size_t)channels, last = at + (size_t)channels - 1;
        const float alpha = channels % 2 ? 1 : (float)picture_sample(base, from, last) / white;
        float gains[3], lit[3];
        find_gains(l, codes, &l->across[x], colours, gains);
        for (int c = 0; c < colours; c++) {
            const float sdr = l->of_code[picture_sample(base, from, at + (size_t)c)];
            lit[c] = (sdr + l->base_offset[c]) * gains[c] - l->light_offset[c];
            lit[c] = lit[c] > 0 ? lit[c] : 0;
        }
        for (int c = 0; c < colours; c++)
            to[c] = half_of(alpha * (colours == 3 && l->matrix ? mix(l->matrix[c], lit) : lit[c]));
        if (channels % 2 == 0)
            to[channels - 1] = half_of(alpha);
    }
}

static void light_rows(void *user)
{
    lighting *const l = user;
    float *const codes =
        malloc((size_t)l->g->image.width * (size_t)l->g->image.channels * sizeof *codes);
    if (!codes)
        l->failed = true;
    for (int y; !l->failed && (y = atomic_fetch_add(&l->next, 1)) < l->base->height;) {
        mix_rows(l, y, codes);
        light_row(l, y, codes);
    }
    free(codes);
}

/* Makes the tables. False: memory ran out. */
static bool prepare(lighting *l)
{
    const unsigned white = l->base->bits == 16 ? UINT16_MAX : UINT8_MAX;
    l->of_code = malloc((white + 1) * sizeof *l->of_code);
    l->across = malloc((size_t)l->base->width * sizeof *l->across);
    for (unsigned i = 0; i <= white && l->of_code; i++)
        l->of_code[i] = (float)satb_srgb.to_light((double)i / white);
    for (int c = 0; c < 3; c++) {
        l->base_offset[c] = (float)l->g->of[c].base_offset;
        l->light_offset[c] = (float)l->g->of[c].light_offset;
    }
    l->is_gray = l->g->image.channels == 1 && gain_map_is_plain(l->g);
    for (int x = 0; x < l->base->width && l->across; x++)
        l->across[x] = find_place(x, l->base->width, l->g->image.width);
    return make_gains(l->g, &l->tables) && l->of_code && l->across;
}

bool gain_map_light(const gain_map *g, const satb_image *base, double (*matrix)[3], int threads,
                    satb_image *light, problem *p)
{
    *light = *base;
    light->bits = 16;
    light->half = true;
    lighting l = {.g = g, .base = base, .light = light, .matrix = matrix};
    const bool is_ready = pixels_make(light, NULL) && prepare(&l);
    if (is_ready)
        threads_together(threads > 1 ? threads : 1, light_rows, &l);
    free_gains(&l.tables);
    free(l.of_code);
    free(l.across);
    if (is_ready && !l.failed)
        return true;
    pixels_free(light->data);
    light->data = NULL;
    return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for the light of %d x %d pixels",
                            base->width, base->height);
}
