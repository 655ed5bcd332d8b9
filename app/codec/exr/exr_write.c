/* Writes pictures of half floats as EXR: blocks of 16 rows, packed by ZIP, and OpenEXRCore's header and table
 * around them. */
#include "codec/exr/exr.h"

#include "base/threads.h"
#include "metadata/exr_attribute.h"

#include <libdeflate.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_ROWS = 16, LEVEL = 4 }; /* of ZIP; of libdeflate */

typedef struct writer {
    const satb_image *image;
    size_t row_size;
    int count;
    struct block {
        uint8_t *data; /* packed */
        size_t size;
    } * blocks;
    atomic_int next;
    atomic_bool failed;
} writer;

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Copies a row channel by channel, in the order of their names: A, B, G, R, or A, Y, which is the reverse. */
static void copy_row(const writer *w, int y, uint8_t *to)
{
    const satb_image *const image = w->image;
    const uint16_t *const row =
        (const void *)((const uint8_t *)image->data + (ptrdiff_t)y * image->stride);
    for (int c = image->channels - 1; c >= 0; c--)
        for (int x = 0; x < image->width; x++) {
            const uint16_t bits = row[(size_t)x * (size_t)image->channels + (size_t)c];
            *to++ = (uint8_t)bits;
            *to++ = (uint8_t)(bits >> 8);
        }
}

/* Sorts the bytes, the first of each sample before the second of each, and makes differences of neighbours. */
static void spread(const uint8_t *from, size_t size, uint8_t *to)
{
    for (size_t i = 0; i < size; i++)
        to[i % 2 ? size / 2 + i / 2 : i / 2] = from[i];
    for (size_t i = size - 1; i > 0; i--)
        to[i] = (uint8_t)(to[i] - to[i - 1] + 128);
}

/* Packs a block through `room`, which holds two. One that does not shrink is stored as it is. False: memory ran out. */
static bool pack_block(writer *w, struct libdeflate_compressor *packer, uint8_t *room, int number)
{
    const int first = number * BLOCK_ROWS, left = w->image->height - first;
    const int rows = left < BLOCK_ROWS ? left : BLOCK_ROWS;
    const size_t size = (size_t)rows * w->row_size;
    for (int y = 0; y < rows; y++)
        copy_row(w, first + y, room + size + (size_t)y * w->row_size);
    spread(room + size, size, room);
    const size_t bound = libdeflate_zlib_compress_bound(packer, size);
    uint8_t *const packed = malloc(bound);
    if (!packed)
        return false;
    size_t used = libdeflate_zlib_compress(packer, room, size, packed, bound);
    if (used >= size)
        memcpy(packed, room + size, used = size);
    uint8_t *const less = realloc(packed, used);
    w->blocks[number] = (struct block){less ? less : packed, used};
    return true;
}

/* Packs blocks until there are none. */
static void pack_blocks(void *user)
{
    writer *const w = user;
    struct libdeflate_compressor *const packer = libdeflate_alloc_compressor(LEVEL);
    uint8_t *const room = malloc(2 * BLOCK_ROWS * w->row_size);
    bool good = packer && room;
    for (int i; good && (i = atomic_fetch_add(&w->next, 1)) < w->count;)
        good = pack_block(w, packer, room, i);
    if (!good)
        atomic_store(&w->failed, true);
    free(room);
    libdeflate_free_compressor(packer);
}

/* --- The file --------------------------------------------------------------------------------- */

/* Writes at an offset of the file in memory: the library leaves a gap for its table and fills it in at the end. */
static int64_t file_write(exr_const_context_t file, void *user, const void *from, uint64_t size,
                          uint64_t offset, exr_stream_error_func_ptr_t error)
{
    blob *const out = user;
    (void)file;
    (void)error;
    static const uint8_t zeros[64];
    while (offset > out->size) {
        const uint64_t gap = offset - out->size;
        if (!blob_add(out, zeros, gap < sizeof zeros ? (size_t)gap : sizeof zeros))
            return -1;
    }
    const uint64_t over = out->size - offset, inside = size < over ? size : over;
    if (inside > 0)
        memcpy(out->data + offset, from, (size_t)inside);
    return blob_add(out, (const uint8_t *)from + inside, (size_t)(size - inside)) ? (int64_t)size
                                                                                  : -1;
}

static bool add_channels(exr_context_t file, int part, int channels)
{
    static const char *const names[5][4] = {
        {0}, {"Y"}, {"A", "Y"}, {"B", "G", "R"}, {"A", "B", "G", "R"}};
    for (int c = 0; c < channels; c++)
        if (exr_add_channel(file, part, names[channels][c], EXR_PIXEL_HALF,
                            EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1) != EXR_ERR_SUCCESS)
            return false;
    return true;
}

/* Sets an attribute that was read from another EXR. One that the library refuses is left out. */
static void set_attribute(exr_context_t file, int part, const exr_attribute *a)
{
    float number[8];
    memcpy(number, a->value.data, a->value.size < sizeof number ? a->value.size : sizeof number);
    if (strcmp(a->name, "pixelAspectRatio") == 0)
        exr_set_pixel_aspect_ratio(file, part, number[0]);
    else if (strcmp(a->type, "float") == 0)
        exr_attr_set_float(file, part, a->name, number[0]);
    else if (strcmp(a->type, "chromaticities") == 0)
        exr_attr_set_chromaticities(file, part, a->name, (const void *)number);
    else if (strcmp(a->type, "rational") == 0)
        exr_attr_set_rational(file, part, a->name, (const void *)number);
    else if (strcmp(a->type, "timecode") == 0)
        exr_attr_set_timecode(file, part, a->name, (const void *)number);
    else
        exr_attr_set_string(file, part, a->name, a->text);
}

static void set_attributes(exr_context_t file, int part, const metadata *m)
{
    exr_attribute a;
    bytes left = m ? blob_view(&m->own) : (bytes){0};
    while (exr_attribute_next(&left, &a))
        set_attribute(file, part, &a);
}

static bool put_blocks(const writer *w, exr_context_t file, int part)
{
    for (int i = 0; i < w->count; i++) {
        struct block *const b = &w->blocks[i];
        if (exr_write_scanline_chunk(file, part, i * BLOCK_ROWS, b->data, b->size) !=
            EXR_ERR_SUCCESS)
            return false;
        free(b->data);
        b->data = NULL;
    }
    return true;
}

static bool write_file(const writer *w, const metadata *m, blob *out)
{
    exr_context_t file = NULL;
    int part = 0;
    exr_context_initializer_t about = EXR_DEFAULT_CONTEXT_INITIALIZER;
    about.error_handler_fn = exr_be_silent;
    about.alloc_fn = exr_zeroed;
    about.free_fn = free;
    about.user_data = out;
    about.write_fn = file_write;
    (void)exr_was_short();
    if (exr_start_write(&file, "memory", EXR_WRITE_FILE_DIRECTLY, &about) != EXR_ERR_SUCCESS)
        return false;
    bool done = exr_add_part(file, NULL, EXR_STORAGE_SCANLINE, &part) == EXR_ERR_SUCCESS &&
                exr_initialize_required_attr_simple(file, part, w->image->width, w->image->height,
                                                    EXR_COMPRESSION_ZIP) == EXR_ERR_SUCCESS &&
                add_channels(file, part, w->image->channels);
    if (done)
        set_attributes(file, part, m);
    done = done && exr_write_header(file) == EXR_ERR_SUCCESS && put_blocks(w, file, part);
    return exr_finish(&file) == EXR_ERR_SUCCESS && done && !out->failed && !exr_was_short();
}

const char *exr_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    writer w = {.image = image,
                .row_size = (size_t)image->width * (size_t)image->channels * 2,
                .count = (image->height + BLOCK_ROWS - 1) / BLOCK_ROWS};
    const int most = settings->threads > 0 ? settings->threads : satb_processors();
    blob out = {0};
    w.blocks = calloc((size_t)w.count, sizeof *w.blocks);
    if (w.blocks)
        threads_together(most < w.count ? most : w.count, pack_blocks, &w);
    const bool done = w.blocks && !w.failed && write_file(&w, settings->meta, &out);
    for (int i = 0; i < w.count && w.blocks; i++)
        free(w.blocks[i].data);
    free(w.blocks);
    if (done)
        sink_put(to, out.data, out.size);
    else
        problem_set(p, "not enough memory to write the EXR");
    blob_free(&out);
    return done ? "OpenEXRCore" : NULL;
}
