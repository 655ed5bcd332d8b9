/* The gain map of a base and its light. */
#include "image/gain_map.h"
#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <curves.h>
#include <exact_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct measuring {
    const gain_pictures *of;
    const gain_map *old;
    gain_map *made;
    float *of_code;          /* base light */
    float old_gains[3][256]; /* log2, by code of 8 bits */
    float *gains;            /* log2, as the made map's samples lie */
} measuring;

typedef struct cell {             /* the pixels that a sample of the map stands for */
    int left, right, top, bottom; /* right and bottom are beyond it */
} cell;

static cell find_cell(const satb_image *map, const satb_image *base, int x, int y)
{
    const int64_t width = base->width, height = base->height;
    return (cell){.left = (int)(x * width / map->width),
                  .right = (int)((x + 1) * width / map->width),
                  .top = (int)(y * height / map->height),
                  .bottom = (int)((y + 1) * height / map->height)};
}

static bool is_same(const satb_image *a, const satb_image *b, const cell *k)
{
    const ptrdiff_t pixel = (ptrdiff_t)a->channels * (a->bits / 8);
    const size_t size = (size_t)((k->right - k->left) * pixel);
    for (int y = k->top; y < k->bottom; y++)
        if (memcmp((const uint8_t *)a->data + y * a->stride + k->left * pixel,
                   (const uint8_t *)b->data + y * b->stride + k->left * pixel, size) != 0)
            return false;
    return true;
}

/* Adds up the cell's samples by channel. */
static void add_light(const measuring *m, const cell *k, double base[3], double light[3])
{
    const satb_image *const b = m->of->base, *const l = m->of->light;
    const size_t channels = (size_t)b->channels;
    for (int y = k->top; y < k->bottom; y++) {
        const uint8_t *const from = (const uint8_t *)b->data + y * b->stride;
        const uint8_t *const lit = (const uint8_t *)l->data + y * l->stride;
        for (size_t i = (size_t)k->left * channels; i < (size_t)k->right * channels; i++) {
            base[i % channels] += m->of_code[picture_sample(b, from, i)];
            light[i % channels] += half_to_float((uint16_t)picture_sample(l, lit, i));
        }
    }
}

/* Returns log2 of the gain between two means. Light that is darker than halves can say counts as so dark. */
static float log_gain(const gain_channel *v, double base, double light)
{
    const double least = 0x1p-24;
    const double gain =
        satb_log2(fmax(light + v->light_offset, least) / fmax(base + v->base_offset, least));
    return (float)fmin(fmax(gain, -GAIN_LOG2_MOST), GAIN_LOG2_MOST);
}

static void measure_cell(const measuring *m, const cell *k, float *gains)
{
    const int channels = m->of->base->channels;
    const double pixels = (double)(k->right - k->left) * (k->bottom - k->top);
    double base[3] = {0}, light[3] = {0};
    add_light(m, k, base, light);
    if (channels == 3 && m->made->image.channels == 1) { /* BT.709's luminance */
        base[0] = 0.2126 * base[0] + 0.7152 * base[1] + 0.0722 * base[2];
        light[0] = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    }
    for (int c = 0; c < m->made->image.channels; c++)
        gains[c] = log_gain(&m->old->of[c], base[c] / pixels, light[c] / pixels);
}

static void keep_cell(const measuring *m, int x, int y, float *gains)
{
    const satb_image *const old = &m->old->image;
    const uint8_t *const row = (const uint8_t *)old->data + y * old->stride;
    const size_t at = (size_t)x * (size_t)old->channels;
    for (int c = 0; c < m->made->image.channels; c++) {
        const unsigned code = picture_sample(old, row, at + (size_t)(old->channels == 3 ? c : 0));
        gains[c] = m->old_gains[c][old->bits == 16 ? (code + 128) / 257 : code];
    }
}

static void measure_cells(const measuring *m)
{
    const satb_image *const map = &m->made->image;
    float *gains = m->gains;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++, gains += map->channels) {
            const cell k = find_cell(map, m->of->base, x, y);
            if (is_same(m->of->base, m->of->base_before, &k) &&
                is_same(m->of->light, m->of->light_before, &k))
                keep_cell(m, x, y, gains);
            else
                measure_cell(m, &k, gains);
        }
}

/* Moves the ends of the range to gains beyond them, in steps that the file's numbers have. */
static void find_range(const measuring *m)
{
    const double step = 0x1p-20;
    const satb_image *const map = &m->made->image;
    const size_t count = (size_t)map->width * (size_t)map->height * (size_t)map->channels;
    for (size_t i = 0; i < count; i++) {
        gain_channel *const v = &m->made->of[i % (size_t)map->channels];
        if (m->gains[i] < (float)v->least)
            v->least = floor(m->gains[i] / step) * step;
        if (m->gains[i] > (float)v->most)
            v->most = ceil(m->gains[i] / step) * step;
    }
    for (int c = map->channels; c < 3; c++)
        m->made->of[c] = m->made->of[0];
}

static void encode_gains(const measuring *m)
{
    const satb_image *const map = &m->made->image;
    const size_t count = (size_t)map->width * (size_t)map->height * (size_t)map->channels;
    uint8_t *const codes = map->data;
    for (size_t i = 0; i < count; i++) {
        const gain_channel *const v = &m->made->of[i % (size_t)map->channels];
        const double range = v->most - v->least;
        const double share = range > 0 ? fmin(fmax((m->gains[i] - v->least) / range, 0), 1) : 0;
        codes[i] = (uint8_t)lrint(255 * (v->gamma == 1 ? share : satb_pow(share, v->gamma)));
    }
}

/* Makes the tables, for free_tables(). False: memory ran out. */
static bool make_tables(measuring *m)
{
    const unsigned white = m->of->base->bits == 16 ? UINT16_MAX : UINT8_MAX;
    const size_t samples = picture_bytes(&m->made->image);
    m->gains = malloc(samples * sizeof *m->gains);
    m->of_code = malloc((white + 1) * sizeof *m->of_code);
    for (unsigned i = 0; i <= white && m->of_code; i++)
        m->of_code[i] = (float)satb_srgb.to_light((double)i / white);
    for (int i = 0; i <= UINT8_MAX; i++)
        for (int c = 0; c < 3; c++)
            m->old_gains[c][i] = (float)satb_log2(gain_map_at(m->old, c, i / 255.0));
    return m->gains && m->of_code && m->made->image.data;
}

static void free_tables(measuring *m)
{
    free(m->gains);
    free(m->of_code);
}

bool gain_map_measure(const gain_pictures *pictures, const gain_map *old, gain_map *made,
                      problem *p)
{
    satb_image *const map = &made->image;
    measuring m = {.of = pictures, .old = old, .made = made};
    *made = *old;
    made->is_apples = false;
    map->channels = gain_map_is_plain(old) ? old->image.channels : 3;
    map->bits = 8;
    map->stride = (ptrdiff_t)map->width * map->channels;
    map->data = pixels_allocate(picture_bytes(map));
    const bool done = make_tables(&m);
    if (done) {
        measure_cells(&m);
        find_range(&m);
        encode_gains(&m);
    } else {
        pixels_free(map->data);
        map->data = NULL;
    }
    free_tables(&m);
    return done || problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for a gain map");
}
