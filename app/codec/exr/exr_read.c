/* The rows of a part of an EXR, block by block: the library unpacks a block of all channels, and the samples are taken out
 * of it here. Several threads read blocks side by side. */
#include "codec/exr/exr.h"

#include "base/threads.h"
#include "image/half.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Of a block, unpacked. */
enum { BLOCK_MOST = 1 << 30, BLOCK_BESIDE = 1 << 16, BLOCK_PACKED = 4096 };

/* What all threads share. */
typedef struct reading {
    exr_const_context_t file;
    int part;
    const exr_attr_chlist_t *list;
    bool is_tiled;
    exr_attr_box2i_t data, display;
    int64_t block_width, block_height, across, down;
    exr_take_row *take;
    void *user;
    int64_t parts; /* of the rows of blocks */
    _Atomic int64_t next;
    pthread_mutex_t lock; /* of all below */
    int64_t failed;       /* the first row of blocks that could not be read; INT64_MAX */
    problem failure;
} reading;

/* What each has of its own. */
typedef struct reader {
    const reading *r;
    exr_decode_pipeline_t blocks;
    exr_result_t (*decompress)(exr_decode_pipeline_t *);
    bool has_blocks;
    problem p;
} reader;

/* --- Samples ---------------------------------------------------------------------------------- */

size_t exr_sample_bytes(exr_pixel_type_t type)
{
    return type == EXR_PIXEL_HALF ? 2 : 4;
}

uint64_t exr_pixel_bytes(const exr_attr_chlist_t *list)
{
    uint64_t each = 0;
    for (int i = 0; i < list->num_channels; i++)
        each += exr_sample_bytes(list->entries[i].pixel_type);
    return each;
}

float exr_sample(const uint8_t *at, exr_pixel_type_t type)
{
    float number;
    if (type == EXR_PIXEL_HALF)
        return half_to_float((uint16_t)little_endian_16(at));
    const uint32_t bits = little_endian_32(at);
    if (type == EXR_PIXEL_UINT)
        return (float)bits;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* --- A block ---------------------------------------------------------------------------------- */

const uint8_t *exr_row_channel(const exr_row *row, int channel)
{
    size_t before = 0;
    for (int i = 0; i < channel; i++)
        before += exr_sample_bytes(row->list->entries[i].pixel_type);
    return row->samples + before * (size_t)row->width;
}

/* Passes on the part of a row that the display window shows. (x, y): its place in the data window. */
static bool pass_row(reader *own, const uint8_t *samples, int width, int64_t x, int64_t y)
{
    const reading *const r = own->r;
    const int64_t shown = (int64_t)r->display.max.x - r->display.min.x + 1;
    exr_row row = {.list = r->list,
                   .samples = samples,
                   .width = width,
                   .x = r->data.min.x + x - r->display.min.x,
                   .y = r->data.min.y + y - r->display.min.y};
    row.first = row.x < 0 ? -row.x : 0;
    row.end = row.x + width > shown ? shown - row.x : width;
    return row.y < 0 || row.y > (int64_t)r->display.max.y - r->display.min.y ||
           row.first >= row.end || r->take(r->user, &row, &own->p);
}

static bool refuse_block(reader *own, int64_t y, exr_result_t why)
{
    if (why == EXR_ERR_OUT_OF_MEMORY)
        return problem_set(&own->p, "not enough memory to unpack it");
    return problem_set(&own->p,
                       "its pixels at row %lld are damaged or cut off (%s); get a new copy",
                       (long long)y, exr_get_default_error_message(why));
}

/* Returns whether a block is as large as its pixels are, and not out of proportion to its bytes. */
static bool is_sound(const reading *r, const exr_chunk_info_t *block)
{
    const uint64_t each = exr_pixel_bytes(r->list);
    return block->width >= 1 && block->height >= 1 &&
           block->unpacked_size == each * (uint64_t)block->width * (uint64_t)block->height &&
           block->packed_size >= 1 && block->packed_size <= block->unpacked_size &&
           (block->compression != EXR_COMPRESSION_NONE ||
            block->packed_size == block->unpacked_size) &&
           block->unpacked_size <= BLOCK_MOST &&
           block->unpacked_size <= BLOCK_BESIDE + block->packed_size * BLOCK_PACKED;
}

/* Prepares the library's steps for blocks. It unpacks and converts no samples, as no channel has a place for them. */
static exr_result_t begin_blocks(reader *own, const exr_chunk_info_t *block)
{
    const reading *const r = own->r;
    exr_result_t done = exr_decoding_initialize(r->file, r->part, block, &own->blocks);
    own->has_blocks = done == EXR_ERR_SUCCESS;
    if (own->has_blocks)
        done = exr_decoding_choose_default_routines(r->file, r->part, &own->blocks);
    own->blocks.unpack_and_convert_fn = NULL;
    own->decompress = own->blocks.decompress_fn;
    return done;
}

static exr_result_t unpack(reader *own, const exr_chunk_info_t *block)
{
    const reading *const r = own->r;
    const exr_result_t begun = own->has_blocks
                                   ? exr_decoding_update(r->file, r->part, block, &own->blocks)
                                   : begin_blocks(own, block);
    /* A block that packing would not shorten is stored as it is, which the library overlooks with B44. */
    own->blocks.decompress_fn = block->packed_size == block->unpacked_size ? NULL : own->decompress;
    const exr_result_t done =
        begun == EXR_ERR_SUCCESS ? exr_decoding_run(r->file, r->part, &own->blocks) : begun;
    const bool is_b44 =
        block->compression == EXR_COMPRESSION_B44 || block->compression == EXR_COMPRESSION_B44A;
    if ((is_b44 && done == EXR_ERR_OUT_OF_MEMORY) || /* what it calls damage of B44 */
        (done == EXR_ERR_SUCCESS && !own->blocks.unpacked_buffer))
        return EXR_ERR_CORRUPT_CHUNK;
    return done;
}

/* Finds the block at (column, row) of the blocks. Lines are as wide as the picture, and no higher than is left of it. */
static exr_result_t find_block(const reading *r, int64_t column, int64_t row,
                               exr_chunk_info_t *block)
{
    const int64_t y = row * r->block_height;
    if (r->is_tiled)
        return exr_read_tile_chunk_info(r->file, r->part, (int)column, (int)row, 0, 0, block);
    const exr_result_t found =
        exr_read_scanline_chunk_info(r->file, r->part, (int)(r->data.min.y + y), block);
    const int64_t left = (int64_t)r->data.max.y - r->data.min.y + 1 - y;
    return found == EXR_ERR_SUCCESS &&
                   (block->width != r->block_width ||
                    block->height != (left < r->block_height ? left : r->block_height))
               ? EXR_ERR_CORRUPT_CHUNK
               : found;
}

static bool read_block(reader *own, int64_t column, int64_t row)
{
    exr_chunk_info_t block = {0};
    const int64_t x = column * own->r->block_width, y = row * own->r->block_height;
    exr_result_t done = find_block(own->r, column, row, &block);
    if (done == EXR_ERR_SUCCESS)
        done = is_sound(own->r, &block) ? unpack(own, &block) : EXR_ERR_CORRUPT_CHUNK;
    if (done != EXR_ERR_SUCCESS)
        return refuse_block(own, y, done);
    const size_t line = (size_t)block.unpacked_size / (size_t)block.height;
    const uint8_t *const samples = own->blocks.unpacked_buffer;
    for (int i = 0; i < block.height; i++)
        if (!pass_row(own, samples + (size_t)i * line, block.width, x, y + i))
            return false;
    return true;
}

/* --- A part ----------------------------------------------------------------------------------- */

static bool find_tiles(reading *r, problem *p)
{
    uint32_t across = 0, down = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounds;
    if (exr_get_tile_descriptor(r->file, r->part, &across, &down, &levels, &rounds) !=
            EXR_ERR_SUCCESS ||
        across < 1 || down < 1)
        return problem_set(p, "has tiles without pixels, so the file is damaged; get a new copy");
    r->block_width = across;
    r->block_height = down;
    return true;
}

static bool find_blocks(reading *r, problem *p)
{
    const int64_t width = (int64_t)r->data.max.x - r->data.min.x + 1;
    const int64_t height = (int64_t)r->data.max.y - r->data.min.y + 1;
    int32_t lines = 0;
    if (r->is_tiled && !find_tiles(r, p))
        return false;
    if (!r->is_tiled &&
        (exr_get_scanlines_per_chunk(r->file, r->part, &lines) != EXR_ERR_SUCCESS || lines < 1))
        return problem_set(p, "the header is damaged; get a new copy");
    r->block_width = r->is_tiled ? r->block_width : width;
    r->block_height = r->is_tiled ? r->block_height : lines;
    r->across = (width + r->block_width - 1) / r->block_width;
    r->down = (height + r->block_height - 1) / r->block_height;
    return true;
}

/* Reads rows of blocks, from first to before end. Of several threads' failures the topmost counts. */
static void read_some(reading *r, int64_t first, int64_t end)
{
    reader own = {.r = r};
    int64_t row = first;
    bool good = true;
    for (; row < end && good; row++)
        for (int64_t column = 0; column < r->across && good; column++)
            good = read_block(&own, column, row);
    if (own.has_blocks)
        exr_decoding_destroy(r->file, &own.blocks);
    pthread_mutex_lock(&r->lock);
    if (!good && row < r->failed) {
        r->failed = row;
        r->failure = own.p;
    }
    pthread_mutex_unlock(&r->lock);
}

/* Reads parts until there are none. */
static void read_parts(void *user)
{
    reading *const r = user;
    for (int64_t i; (i = atomic_fetch_add(&r->next, 1)) < r->parts;)
        read_some(r, r->down * i / r->parts, r->down * (i + 1) / r->parts);
}

static void read_all(reading *r, int threads)
{
    enum { EACH = 4 }; /* parts for a thread, as some are slower than others */
    const int64_t most = EACH * (int64_t)threads;
    r->parts = threads < 2 ? 1 : most < r->down ? most : r->down;
    threads_together(threads < r->parts ? threads : (int)r->parts, read_parts, r);
}

bool exr_read_part(exr_const_context_t file, int part, int threads, exr_take_row *take, void *user,
                   problem *p)
{
    reading r = {.file = file,
                 .part = part,
                 .list = exr_channels_of(file, part),
                 .take = take,
                 .user = user,
                 .failed = INT64_MAX,
                 .lock = PTHREAD_MUTEX_INITIALIZER};
    exr_storage_t kind;
    if (exr_get_storage(file, part, &kind) != EXR_ERR_SUCCESS ||
        exr_get_data_window(file, part, &r.data) != EXR_ERR_SUCCESS ||
        exr_get_display_window(file, part, &r.display) != EXR_ERR_SUCCESS)
        return problem_set(p, "the header is damaged; get a new copy");
    r.is_tiled = kind == EXR_STORAGE_TILED;
    if (!find_blocks(&r, p))
        return false;
    read_all(&r, threads);
    if (r.failed != INT64_MAX)
        *p = r.failure;
    return r.failed == INT64_MAX;
}
