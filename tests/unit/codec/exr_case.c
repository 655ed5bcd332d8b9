#include "unit/codec/exr_case.h"

#include <string.h>

static void put(blob *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)(value >> 8 * i);
        blob_add(to, &byte, 1);
    }
}

static void put_text(blob *to, const char *text)
{
    blob_add(to, text, strlen(text) + 1);
}

static void put_head(blob *to, const char *name, const char *type, int size)
{
    put_text(to, name);
    put_text(to, type);
    put(to, (uint64_t)size, 4);
}

static void put_window(blob *to, const char *name, int left, int top, int width, int height)
{
    put_head(to, name, "box2i", 16);
    put(to, (uint32_t)left, 4);
    put(to, (uint32_t)top, 4);
    put(to, (uint32_t)(left + width - 1), 4);
    put(to, (uint32_t)(top + height - 1), 4);
}

static int channel_count(const exr_case *e)
{
    int count = 0;
    while (count < 16 && e->names[count])
        count++;
    return count;
}

static void put_channels(blob *to, const exr_case *e)
{
    const uint64_t sampling = e->sampling ? (uint64_t)e->sampling : 1;
    blob list = {0};
    for (int i = 0; i < channel_count(e); i++) {
        put_text(&list, e->names[i]);
        put(&list, (uint64_t)e->type, 4);
        put(&list, 0, 4);
        put(&list, sampling, 4);
        put(&list, sampling, 4);
    }
    put(&list, 0, 1);
    put_head(to, "channels", "chlist", (int)list.size);
    blob_add(to, list.data, list.size);
    blob_free(&list);
}

static void put_header(blob *to, const exr_case *e)
{
    put(to, 20000630, 4);
    put(to, e->tile ? 0x202 : 2, 4);
    put_channels(to, e);
    put_head(to, "compression", "compression", 1);
    put(to, (uint64_t)e->packing, 1);
    put_window(to, "dataWindow", e->left, e->top, e->width, e->height);
    put_window(to, "displayWindow", 0, 0, e->shown_width ? e->shown_width : e->width,
               e->shown_height ? e->shown_height : e->height);
    put_head(to, "lineOrder", "lineOrder", 1);
    put(to, 0, 1);
    put_head(to, "pixelAspectRatio", "float", 4);
    put(to, 0x3f800000, 4);
    put_head(to, "screenWindowCenter", "v2f", 8);
    put(to, 0, 8);
    put_head(to, "screenWindowWidth", "float", 4);
    put(to, 0x3f800000, 4);
    if (e->tile) {
        put_head(to, "tiles", "tiledesc", 9);
        put(to, (uint64_t)e->tile, 4);
        put(to, (uint64_t)e->tile, 4);
        put(to, 0, 1);
    }
    put(to, 0, 1);
}

/* The numbers are whole and below 2048, which all types hold. */
float exr_case_number(const exr_case *e, int c, int x, int y)
{
    return (float)(1 + x + 10 * y + (e->differ ? 300 * c : 0));
}

static void put_sample(blob *to, const exr_case *e, int c, int x, int y)
{
    const float number = exr_case_number(e, c, x, y);
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (e->type == EXR_CASE_UINT)
        put(to, (uint64_t)number, 4);
    else if (e->type == EXR_CASE_FLOAT)
        put(to, bits, 4);
    else
        put(to, ((bits >> 23) - 112) << 10 | (bits >> 13 & 1023), 2);
}

/* Adds the pixels of a block, in rows of one channel after another. */
static void put_block(blob *to, const exr_case *e, int x, int y, int width, int height)
{
    blob pixels = {0};
    for (int row = y; row < y + height; row++)
        for (int c = 0; c < channel_count(e); c++)
            for (int column = x; column < x + width; column++)
                put_sample(&pixels, e, c, column, row);
    put(to, pixels.size, 4);
    blob_add(to, pixels.data, pixels.size);
    blob_free(&pixels);
}

static int at_most(int number, int most)
{
    return number < most ? number : most;
}

/* Adds the blocks to `blocks`, and their offsets in it to `offsets`. */
static void put_blocks(blob *offsets, blob *blocks, const exr_case *e)
{
    const int down = e->tile ? e->tile : 1, across = e->tile ? e->tile : e->width;
    for (int y = 0; y < e->height; y += down)
        for (int x = 0; x < e->width; x += across) {
            put(offsets, blocks->size, 8);
            if (e->tile) {
                put(blocks, (uint64_t)(x / across), 4);
                put(blocks, (uint64_t)(y / down), 4);
                put(blocks, 0, 8);
            } else {
                put(blocks, (uint32_t)(e->top + y), 4);
            }
            put_block(blocks, e, x, y, at_most(across, e->width - x), at_most(down, e->height - y));
        }
}

blob exr_case_file(const exr_case *e)
{
    blob file = {0}, offsets = {0}, blocks = {0};
    put_header(&file, e);
    put_blocks(&offsets, &blocks, e);
    const size_t begin = file.size + offsets.size;
    for (size_t at = 0; at < offsets.size; at += 8) {
        uint64_t offset = begin;
        for (int i = 0; i < 8; i++)
            offset += (uint64_t)offsets.data[at + (size_t)i] << 8 * i;
        put(&file, offset, 8);
    }
    blob_add(&file, blocks.data, blocks.size);
    blob_free(&offsets);
    blob_free(&blocks);
    return file;
}
