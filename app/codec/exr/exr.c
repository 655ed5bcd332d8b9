/* OpenEXR files in memory, by the C library OpenEXRCore: what is refused before anything is allocated. */
#include "codec/exr/exr.h"

#include "image/shape.h"

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

void exr_be_silent(exr_const_context_t file, exr_result_t code, const char *text)
{
    (void)file;
    (void)code;
    (void)text;
}

static _Thread_local bool is_short; /* of memory, see exr_was_short() */

void *exr_zeroed(size_t size)
{
    enum { MOST = 1 << 30 };
    void *const data = size <= MOST ? calloc(1, size) : NULL;
    is_short = is_short || (!data && size <= MOST);
    return data;
}

bool exr_was_short(void)
{
    const bool was = is_short;
    is_short = false;
    return was;
}

static exr_result_t start(exr_context_t *file, bytes *in)
{
    exr_context_initializer_t about = EXR_DEFAULT_CONTEXT_INITIALIZER;
    about.error_handler_fn = exr_be_silent;
    about.alloc_fn = exr_zeroed;
    about.free_fn = free;
    about.user_data = in;
    about.read_fn = file_read;
    about.size_fn = file_size;
    about.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    return exr_start_read(file, "memory", &about);
}

static bool parts_are_few(exr_const_context_t file, problem *p)
{
    uint64_t channels = 0;
    const int parts = exr_part_count(file);
    for (int i = 0; i < parts && parts <= EXR_PARTS; i++)
        channels += (uint64_t)exr_channels_of(file, i)->num_channels;
    return (parts >= 1 && parts <= EXR_PARTS && channels <= EXR_CHANNELS) ||
           problem_set(p, "more than %d parts or %d channels; save only the ones that are needed",
                       EXR_PARTS, EXR_CHANNELS);
}

bool exr_open(exr_context_t *file, bytes *in, problem *p)
{
    *file = NULL;
    (void)exr_was_short();
    const exr_result_t started = start(file, in);
    const bool is_whole = !exr_was_short();
    if (started != EXR_ERR_SUCCESS)
        return problem_set(p, "the header cannot be read (%s); get a new copy",
                           exr_get_default_error_message(started));
    if (is_whole ? parts_are_few(*file, p) : problem_set(p, "not enough memory to read its header"))
        return true;
    exr_finish(file);
    return false;
}

/* --- Parts and channels ----------------------------------------------------------------------- */

const exr_attr_chlist_t *exr_channels_of(exr_const_context_t file, int part)
{
    static const exr_attr_chlist_t none;
    const exr_attr_chlist_t *list;
    return exr_get_channels(file, part, &list) == EXR_ERR_SUCCESS ? list : &none;
}

int exr_part_count(exr_const_context_t file)
{
    int count = 0;
    return exr_get_count(file, &count) == EXR_ERR_SUCCESS ? count : 0;
}

bool exr_is_flat(exr_const_context_t file, int part)
{
    exr_storage_t kind;
    return exr_get_storage(file, part, &kind) == EXR_ERR_SUCCESS &&
           (kind == EXR_STORAGE_SCANLINE || kind == EXR_STORAGE_TILED);
}

int exr_find(const exr_attr_chlist_t *list, const char *name)
{
    for (int i = 0; i < list->num_channels; i++)
        if (strcmp(list->entries[i].name.str, name) == 0)
            return i;
    return -1;
}

int exr_name_channels(exr_const_context_t file, char *text, size_t size)
{
    enum { MOST = 12 };
    int all = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        for (int i = 0; i < list->num_channels && exr_is_flat(file, part); i++, all++) {
            if (all < MOST)
                snprintf(text + used, size - used, "%s%.60s", all ? ", " : "",
                         list->entries[i].name.str);
            else if (all == MOST)
                snprintf(text + used, size - used, ", ...");
            used += strlen(text + used);
        }
    }
    return all;
}

/* --- The header ------------------------------------------------------------------------------- */

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
            return problem_set(p, "subsampled channels are not read here; save them in full size");
    return true;
}

/* Sets the shape of a window, which has to be within the limits. */
static bool window_shape(const exr_attr_box2i_t *window, uint64_t max_pixels, satb_image *shape,
                         problem *p)
{
    const int64_t width = (int64_t)window->max.x - window->min.x + 1;
    const int64_t height = (int64_t)window->max.y - window->min.y + 1;
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return problem_set(p,
                           "has a window without pixels, so the file is damaged; get a new copy");
    shape->width = (int)width;
    shape->height = (int)height;
    return picture_allows(shape, max_pixels, p);
}

/* Sets the shape of the display window. */
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

/* Checks the bytes against the pixels of the data window, each of which is in a block, and against the memory that the
 * display window takes. It may be far larger, and the file has no bytes for what is beside the data. */
static bool has_bytes(exr_const_context_t file, int part, bytes in, const satb_image *shape,
                      problem *p)
{
    enum { PACKED = 1400, NONE = 1, RUNS = 64 }; /* bytes, of one */
    exr_attr_box2i_t window = {.min = {.x = 0}};
    exr_compression_t packed = EXR_COMPRESSION_LAST_TYPE;
    exr_get_compression(file, part, &packed);
    exr_get_data_window(file, part, &window);
    const int width = (int)((int64_t)window.max.x - window.min.x + 1);
    const int height = (int)((int64_t)window.max.y - window.min.y + 1);
    const picture_claim data = {.width = width,
                                .height = height,
                                .unpacked = exr_pixel_bytes(exr_channels_of(file, part)) *
                                            (uint64_t)width * (uint64_t)height,
                                .reach = packed == EXR_COMPRESSION_NONE  ? NONE
                                         : packed == EXR_COMPRESSION_RLE ? RUNS
                                                                         : PACKED};
    const picture_claim display = {
        .width = shape->width, .height = shape->height, .memory = picture_bytes(shape)};
    return picture_has_bytes(&data, in, p) && picture_has_bytes(&display, in, p);
}

bool exr_accept_part(exr_const_context_t file, int part, bytes in, uint64_t max_pixels,
                     satb_image *shape, problem *p)
{
    return compression_is_read(file, part, in, p) && is_full(file, part, p) &&
           shape_of(file, part, max_pixels, shape, p) && has_bytes(file, part, in, shape, p);
}

/* exr_accept_part() has weighed it. */
void exr_weigh(bytes in, picture_claim *claim)
{
    (void)in;
    claim->reach = UINT64_MAX;
}

/* Makes *longer at least as long as a side of the window. */
static void widen(int *longer, int first, int last)
{
    const int64_t side = (int64_t)last - first + 1;
    if (side > *longer)
        *longer = side < PICTURE_SIDE ? (int)side : PICTURE_SIDE;
}

/* Claims the largest sides and the channels of all parts. Those of deep data have any number of bytes, and a header that is
 * longer than the first bytes tells nothing. */
bool exr_claim(bytes first, satb_image *shape, problem *p)
{
    exr_context_t file;
    bool is_flat = true;
    (void)p;
    *shape = (satb_image){.width = 0};
    if (!exr_open(&file, &first, &(problem){.text = ""}))
        return true;
    for (int part = 0; part < exr_part_count(file); part++) {
        exr_attr_box2i_t data, display;
        if (exr_get_data_window(file, part, &data) != EXR_ERR_SUCCESS ||
            exr_get_display_window(file, part, &display) != EXR_ERR_SUCCESS)
            continue;
        widen(&shape->width, data.min.x, data.max.x);
        widen(&shape->width, display.min.x, display.max.x);
        widen(&shape->height, data.min.y, data.max.y);
        widen(&shape->height, display.min.y, display.max.y);
        shape->channels += exr_channels_of(file, part)->num_channels;
        is_flat = is_flat && exr_is_flat(file, part);
    }
    exr_finish(&file);
    shape->bits = 32;
    if (!is_flat)
        shape->width = 0;
    return true;
}
