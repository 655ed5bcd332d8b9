#include "hosts/planar.h"

#include "image/half.h"

#include <stdlib.h>

static uint16_t code_of(float value)
{
    return value >= 1 ? UINT16_MAX : value > 0 ? (uint16_t)(value * 65535.0F + 0.5F) : 0;
}

/* A loop over a row for each kind of samples, so that each can become vectors. */
#define EACH for (int i = 0, j = 0; i < f->view.width; i++, j += step)

/* Converts a row of a plane to every step-th sample of an image. */
static void read_row(const planar_frame *f, const void *row, void *to, int step)
{
    const int bits = f->view.bits;
    const unsigned most = (1U << bits % 32) - 1;
    const uint16_t *const words = row;
    const float *const floats = row;
    uint16_t *const out = to;
    if (bits == 8)
        EACH((uint8_t *)to)[j] = ((const uint8_t *)row)[i];
    else if (bits == 32 && f->is_light)
        EACH out[j] = half_of(floats[i]);
    else if (bits == 32)
        EACH out[j] = code_of(floats[i]);
    else if (f->is_float && !f->is_light)
        EACH out[j] = code_of(half_to_float(words[i]));
    else if (bits == 16)
        EACH out[j] = words[i];
    else
        EACH out[j] = (uint16_t)(((words[i] & most) * UINT16_MAX + most / 2) / most);
}

/* Converts every step-th sample that has changed. */
static void write_row(const planar_frame *f, const void *before, const void *after, int step,
                      void *row)
{
    const int bits = f->view.bits;
    const unsigned most = (1U << bits % 32) - 1;
    const uint16_t *const old = before, *const now = after;
    uint16_t *const words = row;
    float *const floats = row;
    if (bits == 8)
        EACH((uint8_t *)row)[i] = ((const uint8_t *)after)[j];
    else if (bits == 32 && f->is_light)
        EACH floats[i] = now[j] != old[j] ? half_to_float(now[j]) : floats[i];
    else if (bits == 32)
        EACH floats[i] = now[j] != old[j] ? now[j] / 65535.0F : floats[i];
    else if (f->is_float && !f->is_light)
        EACH words[i] = now[j] != old[j] ? half_of(now[j] / 65535.0F) : words[i];
    else if (bits == 16)
        EACH words[i] = now[j];
    else
        EACH words[i] = (uint16_t)((now[j] * most + UINT16_MAX / 2) / UINT16_MAX);
}

bool planar_read(const planar_frame *f, bool as_map, satb_image *image)
{
    const int step = as_map ? 1 : f->planes, sample = f->view.bits == 8 ? 1 : 2;
    *image = (satb_image){.width = f->view.width,
                          .height = f->view.height,
                          .channels = step,
                          .bits = 8 * sample,
                          .half = f->is_float && f->is_light,
                          .stride = (ptrdiff_t)f->view.width * step * sample};
    image->data = malloc((size_t)image->stride * (size_t)image->height);
    if (!image->data)
        return false;
    if (as_map && !f->is_float)
        return yuv_to_gray(&f->view, f->colour.full, image);
    if (f->is_yuv && !as_map)
        yuv_to_rgb(&f->view, f->colour, image);
    for (int c = 0; c < step && (as_map || !f->is_yuv); c++)
        for (int y = 0; y < image->height; y++)
            read_row(f, f->view.planes[c] + y * f->view.strides[c],
                     (uint8_t *)image->data + y * image->stride + c * sample, step);
    return true;
}

void planar_write(const planar_frame *f, const satb_image *before, const satb_image *after)
{
    if (f->is_yuv)
        yuv_of_rgb(&f->view, f->colour, before, after);
    for (int c = 0; c < f->planes && !f->is_yuv; c++)
        for (int y = 0; y < after->height; y++) {
            const ptrdiff_t at = y * after->stride + c * after->bits / 8;
            write_row(f, (uint8_t *)before->data + at, (uint8_t *)after->data + at, f->planes,
                      f->view.planes[c] + y * f->view.strides[c]);
        }
}

bool planar_view(const planar_frame *f, int plane, satb_image *image)
{
    const yuv_image *const v = &f->view;
    *image = (satb_image){.data = v->planes[plane],
                          .stride = v->strides[plane],
                          .width = v->width,
                          .height = v->height,
                          .channels = 1,
                          .bits = v->bits,
                          .half = f->is_float};
    return !f->is_yuv && (v->bits == 8 || (v->bits == 16 && (f->is_light || !f->is_float)));
}
