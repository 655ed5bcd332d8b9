/* Depth maps from OpenEXR files, by the C library OpenEXRCore: what is refused before anything is allocated. exr_channel.c
 * chooses the channel and exr_read.c reads it. */
#include "codec/exr.h"

#include "image/pixels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The file in memory ----------------------------------------------------------------------- */

static int64_t file_size(exr_const_context_t file, void *user)
{
    (void)file;
    return (int64_t)((const bytes *)user)->size;
}

/* Copies what there is of the bytes; the library refuses fewer than it needs. */
static int64_t file_read(exr_const_context_t file, void *user, void *to, uint64_t size,
                         uint64_t offset, exr_stream_error_func_ptr_t error)
{
    const bytes *const in = user;
    (void)file;
    (void)error;
    if (offset >= in->size)
        return 0;
    const uint64_t rest = in->size - offset;
    const uint64_t count = size < rest ? size : rest;
    memcpy(to, in->data + offset, (size_t)count);
    return (int64_t)count;
}

static void be_silent(exr_const_context_t file, exr_result_t code, const char *text)
{
    (void)file;
    (void)code;
    (void)text;
}

/* Returns zeroed memory, so that no damage shows what lay there before. */
static void *zeroed(size_t size)
{
    enum { MOST = 1 << 30 };
    return size <= MOST ? calloc(1, size) : NULL;
}

static exr_result_t open_file(exr_context_t *file, bytes *in)
{
    exr_context_initializer_t about = EXR_DEFAULT_CONTEXT_INITIALIZER;
    about.error_handler_fn = be_silent;
    about.alloc_fn = zeroed;
    about.free_fn = free;
    about.user_data = in;
    about.read_fn = file_read;
    about.size_fn = file_size;
    about.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return exr_start_read(file, "memory", &about);
}

/* --- The header ------------------------------------------------------------------------------- */

static bool parts_are_few(exr_const_context_t file, problem *p)
{
    int parts = 0;
    uint64_t channels = 0;
    exr_get_count(file, &parts);
    for (int i = 0; i < parts && parts <= EXR_PARTS; i++) {
        const exr_attr_chlist_t *list;
        if (exr_get_channels(file, i, &list) == EXR_ERR_SUCCESS)
            channels += (uint64_t)list->num_channels;
    }
    return (parts >= 1 && parts <= EXR_PARTS && channels <= EXR_CHANNELS) ||
           problem_set(p, "more than %d parts or %d channels; save its depth alone", EXR_PARTS,
                       EXR_CHANNELS);
}

/* Returns the largest number of a compression in the file's headers. The library passes over those that it does not know,
 * and would take the pixels for ZIP's. */
static int largest_compression(bytes in)
{
    static const char attribute[] = "compression\0compression\0\1\0\0";
    enum { SIZE = sizeof attribute };
    int largest = 0;
    for (size_t at = 0; at + SIZE < in.size;) {
        const uint8_t *const next = memchr(in.data + at, 'c', in.size - SIZE - at);
        if (!next)
            break;
        at = (size_t)(next - in.data) + 1;
        if (memcmp(next, attribute, SIZE) == 0 && next[SIZE] > largest)
            largest = next[SIZE];
    }
    return largest;
}

static bool compression_is_read(exr_const_context_t file, int part, bytes in, problem *p)
{
    exr_compression_t packed = EXR_COMPRESSION_LAST_TYPE;
    exr_get_compression(file, part, &packed);
    return (packed < EXR_COMPRESSION_DWAA && largest_compression(in) < EXR_COMPRESSION_LAST_TYPE) ||
           problem_set(p, "%s compression is not read here; save it with ZIP",
                       packed == EXR_COMPRESSION_DWAA   ? "DWAA"
                       : packed == EXR_COMPRESSION_DWAB ? "DWAB"
                                                        : "its");
}

/* False: a channel of the part has fewer samples than the part has pixels. */
static bool is_full(exr_const_context_t file, int part, problem *p)
{
    const exr_attr_chlist_t *list;
    if (exr_get_channels(file, part, &list) != EXR_ERR_SUCCESS)
        return problem_set(p, "has no channels; get a new copy");
    for (int i = 0; i < list->num_channels; i++)
        if (list->entries[i].x_sampling != 1 || list->entries[i].y_sampling != 1)
            return problem_set(p, "subsampled channels are not read here; save its depth alone");
    return true;
}

/* Sets the shape of a window, which has to be within the limits. */
static bool window_shape(const exr_attr_box2i_t *window, uint64_t max_pixels, satb_image *shape,
                         problem *p)
{
    const int64_t width = (int64_t)window->max.x - window->min.x + 1;
    const int64_t height = (int64_t)window->max.y - window->min.y + 1;
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return problem_set(p, "has a window without pixels; the file is damaged");
    shape->width = (int)width;
    shape->height = (int)height;
    return picture_allows(shape, max_pixels, p);
}

/* Sets the map's shape: the display window, as that is the picture's. */
static bool shape_of(exr_const_context_t file, int part, uint64_t max_pixels, satb_image *shape,
                     problem *p)
{
    exr_attr_box2i_t data, display;
    if (exr_get_data_window(file, part, &data) != EXR_ERR_SUCCESS ||
        exr_get_display_window(file, part, &display) != EXR_ERR_SUCCESS)
        return problem_set(p, "has no windows; get a new copy");
    if (!window_shape(&data, max_pixels, shape, p) || !window_shape(&display, max_pixels, shape, p))
        return false;
    return (data.min.x <= display.max.x && data.max.x >= display.min.x &&
            data.min.y <= display.max.y && data.max.y >= display.min.y) ||
           problem_set(p, "all pixels lie outside its display window; save it without an offset");
}

/* --- The map ---------------------------------------------------------------------------------- */

static bool allocate(values *v, const satb_image *shape, problem *p)
{
    if (!values_allocate(v, shape->width, shape->height, p))
        return false;
    for (size_t i = 0; i < (size_t)v->width * (size_t)v->height; i++)
        v->data[i] = NAN;
    return true;
}

static bool read_map(exr_const_context_t file, bytes in, const decode_settings *settings, values *v,
                     problem *p)
{
    exr_choice choice;
    satb_image shape = {0};
    if (!parts_are_few(file, p) || !exr_choose(file, settings->channel, &choice, p) ||
        !compression_is_read(file, choice.part, in, p) || !is_full(file, choice.part, p) ||
        !shape_of(file, choice.part, settings->max_pixels, &shape, p) || !allocate(v, &shape, p))
        return false;
    const char *const dot = strrchr(choice.name, '.'), *const axis = dot ? dot + 1 : choice.name;
    snprintf(v->from, sizeof v->from, "%.*s", (int)sizeof v->from - 1, choice.name);
    v->is_metres = strcmp(axis, "Z") == 0;
    if (exr_read_part(file, &choice, v, p))
        return true;
    pixels_free(v->data);
    *v = (values){0};
    return false;
}

values_status exr_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    exr_context_t file = NULL;
    const exr_result_t opened = open_file(&file, &in);
    if (opened != EXR_ERR_SUCCESS) {
        problem_set(p, "the header cannot be read (%s); get a new copy",
                    exr_get_default_error_message(opened));
        return VALUES_FAILED;
    }
    const bool done = read_map(file, in, settings, v, p);
    exr_finish(&file);
    return done ? VALUES_READ : VALUES_FAILED;
}
