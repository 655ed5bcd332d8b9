/* Pictures from EXR: half floats, in the size of the display window. */
#include "codec/exr/exr.h"

#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdio.h>
#include <string.h>

typedef struct taking {
    const exr_layer *layer;
    const satb_image *image;
} taking;

static void take_channel(const exr_row *row, int channel, uint16_t *to, int step)
{
    const exr_pixel_type_t type = row->list->entries[channel].pixel_type;
    const size_t size = exr_sample_bytes(type);
    const uint8_t *from = exr_row_channel(row, channel) + (size_t)row->first * size;
    for (int64_t i = row->first; i < row->end; i++, from += size, to += step)
        *to = type == EXR_PIXEL_HALF ? (uint16_t)(from[0] | from[1] << 8)
                                     : half_of(exr_sample(from, type));
}

static bool take_row(void *user, const exr_row *row, problem *p)
{
    const taking *const t = user;
    const int count = t->image->channels;
    uint16_t *const to =
        (uint16_t *)t->image->data + (row->y * t->image->width + row->x + row->first) * count;
    (void)p;
    for (int c = 0; c < count; c++)
        take_channel(row, t->layer->channel[c], to + c, count);
    return true;
}

static bool find_picture(exr_const_context_t file, bytes in, uint64_t max_pixels, exr_layer *layer,
                         satb_image *shape, problem *p)
{
    *shape = (satb_image){.bits = 16, .half = 1};
    if (!exr_choose_layer(file, layer, p))
        return false;
    shape->channels = layer->count;
    return exr_accept_part(file, layer->part, in, max_pixels, shape, p);
}

bool exr_probe(bytes in, satb_image *shape, problem *p)
{
    exr_context_t file;
    exr_layer layer;
    if (!exr_open(&file, &in, p))
        return false;
    const bool done = find_picture(file, in, PICTURE_PIXELS_MOST, &layer, shape, p);
    exr_finish(&file);
    return done;
}

/* Says which channels of the file are not in the picture, 6 at most. */
static void tell_rest(exr_const_context_t file, const exr_layer *layer, problem *p)
{
    enum { MOST = 6 };
    char names[200] = "";
    int count = 0;
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        for (int i = 0; i < list->num_channels; i++) {
            bool is_taken = false;
            for (int c = 0; c < layer->count && part == layer->part; c++)
                is_taken = is_taken || layer->channel[c] == i;
            const size_t used = strlen(names);
            if (!is_taken && count++ < MOST)
                snprintf(names + used, sizeof names - used, "%s%.24s", used ? ", " : "",
                         list->entries[i].name.str);
        }
    }
    if (count > 0)
        problem_set(p, "%d other channel%s (%s%s) %s not copied to the output", count,
                    count == 1 ? "" : "s", names, count > MOST ? ", ..." : "",
                    count == 1 ? "is" : "are");
}

static bool read_picture(exr_const_context_t file, bytes in, satb_image *image,
                         const decode_settings *settings, problem *p)
{
    exr_layer layer;
    satb_image shape;
    if (!find_picture(file, in, settings->max_pixels, &layer, &shape, p))
        return false;
    *image = shape;
    if (!pixels_make(image, p))
        return false;
    memset(image->data, 0, picture_bytes(image));
    if (!exr_read_part(file, layer.part, settings->threads, take_row, &(taking){&layer, image}, p))
        return false;
    tell_rest(file, &layer, p);
    return true;
}

const char *exr_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    exr_context_t file;
    if (!exr_open(&file, &in, p))
        return NULL;
    const bool done = read_picture(file, in, image, settings, p);
    exr_finish(&file);
    return done ? "OpenEXRCore" : NULL;
}
