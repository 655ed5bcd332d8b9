/* The reader and the writer of PNG's chunks; the ends of a JPEG's tables. */
#include "format/jpeg_segment.h"
#include "format/png_chunk.h"

#include <string.h>

#include "unit/unit.h"

enum { SIZE = 5, WHOLE = PNG_BEFORE + SIZE + PNG_BEHIND };

static void frame(uint8_t chunk[WHOLE])
{
    memcpy(chunk + PNG_BEFORE, "hello", SIZE);
    png_frame_chunk(chunk, "tEXt", SIZE);
}

/* IEND without data has the checksum that every PNG ends with. */
static void test_written(void **state)
{
    static const uint8_t end[] = {0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82};
    uint8_t chunk[sizeof end] = {0};
    png_frame_chunk(chunk, "IEND", 0);
    assert_memory_equal(chunk, end, sizeof end);
}

static void test_read(void **state)
{
    uint8_t chunk[WHOLE];
    png_chunk c;
    size_t at = 0;
    frame(chunk);
    const bytes file = {.data = chunk, .size = WHOLE};
    assert_true(png_next_chunk(file, &at, &c));
    assert_int_equal(at, WHOLE);
    assert_true(png_chunk_is(&c, "tEXt"));
    assert_false(png_chunk_is(&c, "zTXt"));
    assert_true(png_chunk_is_sound(&c));
    assert_int_equal(c.data.size, SIZE);
    assert_memory_equal(c.data.data, "hello", SIZE);
    assert_ptr_equal(c.whole.data, chunk);
    assert_int_equal(c.whole.size, WHOLE);
    assert_false(png_next_chunk(file, &at, &c)); /* the end */
    assert_int_equal(at, WHOLE);
}

/* A chunk that is cut anywhere, or claims more than the file has, is refused. Any bit that changes
 * behind the length breaks the checksum. */
static void test_damaged(void **state)
{
    uint8_t chunk[WHOLE];
    png_chunk c;
    size_t at = 0;
    frame(chunk);
    for (size_t size = 0; size < WHOLE; size++)
        assert_false(png_next_chunk((bytes){.data = chunk, .size = size}, &at, &c));
    for (size_t bit = 8 * 4; bit < 8 * WHOLE; bit++) {
        chunk[bit / 8] ^= (uint8_t)(1 << bit % 8);
        at = 0;
        assert_true(png_next_chunk((bytes){.data = chunk, .size = WHOLE}, &at, &c));
        assert_false(png_chunk_is_sound(&c));
        chunk[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    at = 0;
    memset(chunk, 0xff, 4);
    assert_false(png_next_chunk((bytes){.data = chunk, .size = WHOLE}, &at, &c));
    assert_int_equal(at, 0);
}

/* A table's symbols are those that its counts say, and lie within the segment. */
static void test_huffman_end(void **state)
{
    const uint8_t table[1 + 16 + 3] = {0x11, 1, 2};
    for (size_t size = 0; size <= sizeof table; size++) {
        bytes data = {table, size};
        const uint8_t *counts;
        uint8_t head;
        size_t symbols;
        assert_int_equal(jpeg_next_huffman(&data, &head, &counts, &symbols), size == sizeof table);
    }
}

UNIT_MAIN(UNIT(test_written), UNIT(test_read), UNIT(test_damaged), UNIT(test_huffman_end))
