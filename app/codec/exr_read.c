/* The numbers of one channel of an EXR, block by block: the library unpacks a block of all channels, and the samples
 * are taken out of it here. */
#include "codec/exr.h"

#include "image/half.h"

#include <string.h>

/* Of a block, unpacked. */
enum { BLOCK_MOST = 1 << 30, BLOCK_BESIDE = 1 << 16, BLOCK_PACKED = 4096 };

typedef struct reader {
    exr_const_context_t file;
    const exr_choice *choice;
    const exr_attr_chlist_t *list;
    exr_decode_pipeline_t blocks;
    exr_result_t (*decompress)(exr_decode_pipeline_t *);
    bool has_blocks;
    exr_attr_box2i_t data, display;
    values *v;
    problem *p;
} reader;

/* --- Samples ---------------------------------------------------------------------------------- */

static size_t sample_bytes(const exr_attr_chlist_entry_t *channel)
{
    return channel->pixel_type == EXR_PIXEL_HALF ? 2 : 4;
}

static uint32_t little_endian(const uint8_t *b, size_t size)
{
    uint32_t n = 0;
    for (size_t i = 0; i < size; i++)
        n |= (uint32_t)b[i] << 8 * i;
    return n;
}

static float sample_at(const uint8_t *at, exr_pixel_type_t type)
{
    float number;
    if (type == EXR_PIXEL_HALF)
        return half_to_float((uint16_t)little_endian(at, 2));
    const uint32_t bits = little_endian(at, 4);
    if (type == EXR_PIXEL_UINT)
        return (float)bits;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* --- A block ---------------------------------------------------------------------------------- */

/* A row of a block: where it begins in the data window, and the samples of all channels, one channel after another. */
typedef struct block_row {
    const uint8_t *samples;
    int64_t x, y;
    int width;
} block_row;

/* Returns the row's samples of a channel. */
static const uint8_t *channel_row(const reader *r, const block_row *row, int channel)
{
    size_t before = 0;
    for (int i = 0; i < channel; i++)
        before += sample_bytes(&r->list->entries[i]);
    return row->samples + before * (size_t)row->width;
}

/* Returns whether R, G and B are equal in the row. */
static bool is_gray(const reader *r, const block_row *row)
{
    const exr_attr_chlist_entry_t *const of = r->list->entries;
    const exr_choice *const c = r->choice;
    const uint8_t *const red = channel_row(r, row, c->channel);
    const size_t size = sample_bytes(&of[c->channel]) * (size_t)row->width;
    return of[c->green].pixel_type == of[c->channel].pixel_type &&
           of[c->blue].pixel_type == of[c->channel].pixel_type &&
           memcmp(red, channel_row(r, row, c->green), size) == 0 &&
           memcmp(red, channel_row(r, row, c->blue), size) == 0;
}

/* Copies the part of the row that the display window shows. */
static void copy_row(const reader *r, const block_row *row)
{
    const exr_pixel_type_t type = r->list->entries[r->choice->channel].pixel_type;
    const size_t step = sample_bytes(&r->list->entries[r->choice->channel]);
    const uint8_t *const from = channel_row(r, row, r->choice->channel);
    const int64_t x = r->data.min.x + row->x - r->display.min.x;
    const int64_t y = r->data.min.y + row->y - r->display.min.y;
    if (y < 0 || y >= r->v->height)
        return;
    float *const to = r->v->data + y * r->v->width;
    const int64_t begin = x < 0 ? -x : 0;
    const int64_t end = x + row->width > r->v->width ? r->v->width - x : row->width;
    for (int64_t i = begin; i < end; i++)
        to[x + i] = sample_at(from + (size_t)i * step, type);
}

static bool refuse_block(const reader *r, int64_t y, exr_result_t why)
{
    if (why == EXR_ERR_OUT_OF_MEMORY)
        return problem_set(r->p, "not enough memory to unpack it");
    return problem_set(r->p, "its pixels at row %lld are damaged or cut off (%s); get a new copy",
                       (long long)y, exr_get_default_error_message(why));
}

/* Returns whether a block is as large as its pixels are, and not out of proportion to its bytes. */
static bool is_sound(const reader *r, const exr_chunk_info_t *block)
{
    uint64_t each = 0;
    for (int i = 0; i < r->list->num_channels; i++)
        each += sample_bytes(&r->list->entries[i]);
    return block->width >= 1 && block->height >= 1 &&
           block->unpacked_size == each * (uint64_t)block->width * (uint64_t)block->height &&
           block->packed_size >= 1 && block->packed_size <= block->unpacked_size &&
           (block->compression != EXR_COMPRESSION_NONE ||
            block->packed_size == block->unpacked_size) &&
           block->unpacked_size <= BLOCK_MOST &&
           block->unpacked_size <= BLOCK_BESIDE + block->packed_size * BLOCK_PACKED;
}

/* Prepares the library's steps for blocks. It unpacks and converts no samples, as no channel has a place for them. */
static exr_result_t begin_blocks(reader *r, const exr_chunk_info_t *block)
{
    const int part = r->choice->part;
    exr_result_t done = exr_decoding_initialize(r->file, part, block, &r->blocks);
    r->has_blocks = done == EXR_ERR_SUCCESS;
    if (r->has_blocks)
        done = exr_decoding_choose_default_routines(r->file, part, &r->blocks);
    r->blocks.unpack_and_convert_fn = NULL;
    r->decompress = r->blocks.decompress_fn;
    return done;
}

static exr_result_t unpack(reader *r, const exr_chunk_info_t *block)
{
    const int part = r->choice->part;
    const exr_result_t begun = r->has_blocks ? exr_decoding_update(r->file, part, block, &r->blocks)
                                             : begin_blocks(r, block);
    /* A block that packing would not shorten is stored as it is, which the library overlooks with B44. */
    r->blocks.decompress_fn = block->packed_size == block->unpacked_size ? NULL : r->decompress;
    const exr_result_t done =
        begun == EXR_ERR_SUCCESS ? exr_decoding_run(r->file, part, &r->blocks) : begun;
    const bool is_b44 =
        block->compression == EXR_COMPRESSION_B44 || block->compression == EXR_COMPRESSION_B44A;
    if ((is_b44 && done == EXR_ERR_OUT_OF_MEMORY) || /* what it calls damage of B44 */
        (done == EXR_ERR_SUCCESS && !r->blocks.unpacked_buffer))
        return EXR_ERR_CORRUPT_CHUNK;
    return done;
}

/* Reads a block whose first pixel is at (x, y) of the data window. */
static bool read_block(reader *r, const exr_chunk_info_t *block, int64_t x, int64_t y)
{
    const exr_result_t done = is_sound(r, block) ? unpack(r, block) : EXR_ERR_CORRUPT_CHUNK;
    if (done != EXR_ERR_SUCCESS)
        return refuse_block(r, y, done);
    const size_t line = (size_t)block->unpacked_size / (size_t)block->height;
    for (int i = 0; i < block->height; i++) {
        const block_row row = {.samples = (const uint8_t *)r->blocks.unpacked_buffer + i * line,
                               .x = x,
                               .y = y + i,
                               .width = block->width};
        if (r->choice->is_gray && !is_gray(r, &row))
            return exr_refuse_channels(r->file, r->p);
        copy_row(r, &row);
    }
    return true;
}

/* --- A part ----------------------------------------------------------------------------------- */

static bool read_lines(reader *r)
{
    const int64_t height = (int64_t)r->data.max.y - r->data.min.y + 1;
    for (int64_t y = 0; y < height;) {
        exr_chunk_info_t block = {0};
        const exr_result_t found = exr_read_scanline_chunk_info(r->file, r->choice->part,
                                                                (int)(r->data.min.y + y), &block);
        if (found != EXR_ERR_SUCCESS)
            return refuse_block(r, y, found);
        if (block.width != (int64_t)r->data.max.x - r->data.min.x + 1 || block.height > height - y)
            return refuse_block(r, y, EXR_ERR_CORRUPT_CHUNK);
        if (!read_block(r, &block, 0, y))
            return false;
        y += block.height;
    }
    return true;
}

static bool read_tile(reader *r, int column, int row, int64_t x, int64_t y)
{
    exr_chunk_info_t block = {0};
    const exr_result_t found =
        exr_read_tile_chunk_info(r->file, r->choice->part, column, row, 0, 0, &block);
    return found == EXR_ERR_SUCCESS ? read_block(r, &block, x, y) : refuse_block(r, y, found);
}

static bool read_tiles(reader *r)
{
    const int64_t width = (int64_t)r->data.max.x - r->data.min.x + 1;
    const int64_t height = (int64_t)r->data.max.y - r->data.min.y + 1;
    uint32_t across = 0, down = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounds;
    if (exr_get_tile_descriptor(r->file, r->choice->part, &across, &down, &levels, &rounds) !=
            EXR_ERR_SUCCESS ||
        across < 1 || down < 1)
        return problem_set(r->p, "has tiles without pixels; the file is damaged");
    for (int64_t y = 0; y < height; y += down)
        for (int64_t x = 0; x < width; x += across)
            if (!read_tile(r, (int)(x / across), (int)(y / down), x, y))
                return false;
    return true;
}

bool exr_read_part(exr_const_context_t file, const exr_choice *choice, values *v, problem *p)
{
    reader r = {.file = file, .choice = choice, .v = v, .p = p};
    exr_storage_t kind;
    if (exr_get_channels(file, choice->part, &r.list) != EXR_ERR_SUCCESS ||
        exr_get_storage(file, choice->part, &kind) != EXR_ERR_SUCCESS ||
        exr_get_data_window(file, choice->part, &r.data) != EXR_ERR_SUCCESS ||
        exr_get_display_window(file, choice->part, &r.display) != EXR_ERR_SUCCESS)
        return problem_set(p, "the header is damaged; get a new copy");
    const bool done = kind == EXR_STORAGE_TILED ? read_tiles(&r) : read_lines(&r);
    if (r.has_blocks)
        exr_decoding_destroy(file, &r.blocks);
    return done;
}
