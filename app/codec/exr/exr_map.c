/* Depth maps from EXR: the numbers of the channel that exr_channel.c chooses. */
#include "codec/exr/exr.h"

#include "image/pixels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct taking {
    exr_const_context_t file;
    const exr_choice *choice;
    values *v;
} taking;

/* Returns whether R, G and B are equal in the row. */
static bool is_gray(const exr_choice *c, const exr_row *row)
{
    const exr_attr_chlist_entry_t *const of = row->list->entries;
    const exr_pixel_type_t type = of[c->channel].pixel_type;
    const uint8_t *const red = exr_row_channel(row, c->channel);
    const size_t size = exr_sample_bytes(type) * (size_t)row->width;
    return of[c->green].pixel_type == type && of[c->blue].pixel_type == type &&
           memcmp(red, exr_row_channel(row, c->green), size) == 0 &&
           memcmp(red, exr_row_channel(row, c->blue), size) == 0;
}

static bool take_row(void *user, const exr_row *row, problem *p)
{
    const taking *const t = user;
    const exr_choice *const c = t->choice;
    const exr_pixel_type_t type = row->list->entries[c->channel].pixel_type;
    const size_t step = exr_sample_bytes(type);
    const uint8_t *const from = exr_row_channel(row, c->channel);
    float *const to = t->v->data + row->y * t->v->width;
    if (c->is_gray && !is_gray(c, row))
        return exr_refuse_channels(t->file, p);
    for (int64_t i = row->first; i < row->end; i++)
        to[row->x + i] = exr_sample(from + (size_t)i * step, type);
    return true;
}

/* NaN is where the file has no pixels. */
static bool allocate(values *v, const satb_image *shape, problem *p)
{
    if (!values_allocate(v, shape->width, shape->height, p))
        return false;
    for (size_t i = 0; i < (size_t)v->width * (size_t)v->height; i++)
        v->data[i] = NAN;
    return true;
}

static bool read_map(exr_const_context_t file, const exr_choice *choice, bytes in,
                     const decode_settings *settings, values *v, problem *p)
{
    satb_image shape = {.channels = MAP_PIXEL, .bits = 8};
    if (!exr_accept_part(file, choice->part, in, settings->max_pixels, &shape, p) ||
        !allocate(v, &shape, p))
        return false;
    const char *const name = choice->name, *const dot = strrchr(name, '.');
    snprintf(v->from, sizeof v->from, "%.*s", (int)sizeof v->from - 1, name);
    v->is_metres = v->is_assumed = strcmp(dot ? dot + 1 : name, "Z") == 0;
    if (exr_read_part(file, choice->part, take_row, &(taking){file, choice, v}, p))
        return true;
    pixels_free(v->data);
    *v = (values){0};
    return false;
}

values_status exr_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    exr_context_t file;
    exr_choice choice;
    if (!exr_open(&file, &in, p))
        return VALUES_FAILED;
    const bool done = exr_choose(file, settings->channel, &choice, p) &&
                      read_map(file, &choice, in, settings, v, p);
    exr_finish(&file);
    return done ? VALUES_READ : VALUES_FAILED;
}

values_status exr_own_depth(bytes in, const decode_settings *settings, values *v, problem *p)
{
    exr_context_t file;
    exr_choice choice;
    if (!exr_open(&file, &in, p))
        return VALUES_FAILED;
    values_status status = VALUES_NONE;
    if (exr_choose_own(file, settings->channel, &choice))
        status = read_map(file, &choice, in, settings, v, p) ? VALUES_READ : VALUES_FAILED;
    else if (settings->channel && !exr_choose(file, settings->channel, &choice, p))
        status = VALUES_FAILED;
    exr_finish(&file);
    return status;
}
