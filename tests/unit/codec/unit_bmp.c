/* BMP: every kind of header, palette and packing, byte by byte; files that are cut off or of a kind that is not read. */
#include "unit/codec/codec_case.h"

#include "base/blob.h"
#include "codec/codec_format.h"

#include <string.h>

#include "unit/unit.h"

typedef struct kind {
    int size, bits, packing; /* size: of the header */
    int width, height;
    uint32_t masks[4];
} kind;

static void put(blob *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        blob_add(to, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

/* Returns a file whose palette has the colours (16 n + 1, 16 n + 2, 16 n + 3), for blob_free(). */
static blob file_of(const kind *k, const void *pixels, size_t size)
{
    const bool is_old = k->size == 12, has_masks = k->packing == 3;
    const int colours = k->bits <= 8 ? 1 << k->bits : 0,
              masks = k->size == 40 && has_masks ? 12 : 0;
    blob b = {0};
    blob_add(&b, "BM", 2);
    put(&b, 0, 8);
    put(&b, (uint32_t)(14 + k->size + masks + colours * (is_old ? 3 : 4)), 4);
    put(&b, (uint32_t)k->size, 4);
    put(&b, (uint32_t)k->width, is_old ? 2 : 4);
    put(&b, (uint32_t)k->height, is_old ? 2 : 4);
    put(&b, 1, 2);
    put(&b, (uint32_t)k->bits, 2);
    if (!is_old && k->size > 16)
        put(&b, (uint32_t)k->packing, 4);
    while (b.size < 54 && b.size < 14 + (size_t)k->size)
        put(&b, 0, 1);
    for (int i = 0; i < (k->size >= 56 ? 4 : 3) && has_masks; i++)
        put(&b, k->masks[i], 4);
    while (b.size < 14 + (size_t)k->size)
        put(&b, 0, 1);
    for (int i = 0; i < colours; i++)
        put(&b,
            (uint32_t)(16 * i + 3) % 256 | (uint32_t)(16 * i + 2) % 256 << 8 |
                (uint32_t)(16 * i + 1) % 256 << 16,
            is_old ? 3 : 4);
    blob_add(&b, pixels, size);
    return b;
}

/* Checks that the pixels are those colours of the palette, rows from the top, and that each shorter file is refused. */
static void reads_codes(const kind *k, const void *pixels, size_t size, const uint8_t *codes)
{
    blob file = file_of(k, pixels, size);
    picture pic = case_picture("a.bmp", "BMP", file.data, file.size);
    const int height = k->height < 0 ? -k->height : k->height;
    const uint8_t *got = pic.image.data;
    assert_int_equal(pic.image.width, k->width);
    assert_int_equal(pic.image.height, height);
    for (int i = 0; i < k->width * height; i++)
        for (int c = 0; c < 3; c++)
            assert_int_equal(*got++, (uint8_t)(16 * codes[i] + c + 1));
    picture_free(&pic);
    for (size_t cut = 2; cut < file.size; cut++) {
        uint8_t *const copy = unit_copy(file.data, cut);
        case_refused("a.bmp", copy, cut, "cut off");
    }
    blob_free(&file);
}

static void test_palettes(void **state)
{
    static const int sizes[] = {12, 16, 40, 52, 56, 64, 108, 124};
    static const uint8_t rows[] = {0x0f, 0xe0, 0, 0,
                                   0x12, 0x30, 0, 0}; /* 4 bits, the lower first */
    static const uint8_t up[] = {1, 2, 3, 0, 15, 14}, down[] = {0, 15, 14, 1, 2, 3};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        kind k = {.size = sizes[i], .bits = 4, .width = 3, .height = 2};
        reads_codes(&k, rows, sizeof rows, up);
        k.height = -2;
        if (sizes[i] > 12)
            reads_codes(&k, rows, sizeof rows, down);
        k = (kind){.size = sizes[i], .bits = 8, .width = 3, .height = 1};
        reads_codes(&k, "\377\0\11", 4, (const uint8_t[]){255, 0, 9});
        k = (kind){.size = sizes[i], .bits = 1, .width = 9, .height = 1};
        reads_codes(&k, "\245\200\0", 4, (const uint8_t[]){1, 0, 1, 0, 0, 1, 0, 1, 1});
    }
}

/* Runs, codes that follow each other, a step on, rows that end early, and the end before all rows. */
static void test_runs(void **state)
{
    static const uint8_t eight[] = {3, 7, 0, 3, 1, 2, 4, 0, 0, 0, 1, 5, 0, 2, 2, 1, 2, 6, 0, 1};
    static const uint8_t four[] = {3,    0x78, 0, 3, 0x12, 0x40, 0,    0, 1,
                                   0x55, 0,    2, 2, 1,    2,    0x66, 0, 1};
    static const uint8_t codes[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 0, //
                                    5, 0, 0, 0, 0, 0, 7, 7, 7, 1, 2, 4};
    static const uint8_t mixed[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 0, //
                                    5, 0, 0, 0, 0, 0, 7, 8, 7, 1, 2, 4};
    for (int size = 40; size <= 64; size += 24) {
        const kind k8 = {.size = size, .bits = 8, .packing = 1, .width = 6, .height = 4};
        const kind k4 = {.size = size, .bits = 4, .packing = 2, .width = 6, .height = 4};
        reads_codes(&k8, eight, sizeof eight, codes);
        reads_codes(&k4, four, sizeof four, mixed);
    }
}

static void reads_colours(const kind *k, const void *pixels, size_t size, int channels,
                          const uint8_t *expected)
{
    blob file = file_of(k, pixels, size);
    picture pic = case_picture("a.bmp", "BMP", file.data, file.size);
    assert_int_equal(pic.image.channels, channels);
    assert_memory_equal(pic.image.data, expected, (size_t)(channels * k->width));
    picture_free(&pic);
    blob_free(&file);
}

static void test_colours(void **state)
{
    const kind plain = {.size = 124, .bits = 32, .width = 1, .height = 1};
    const kind narrow = {.size = 40, .bits = 16, .width = 2, .height = 1};
    const kind fields = {.size = 40,
                         .bits = 16,
                         .packing = 3,
                         .width = 2,
                         .height = 1,
                         .masks = {0xf800, 0x7e0, 0x1f}};
    kind clear = {.size = 56,
                  .bits = 32,
                  .packing = 3,
                  .width = 1,
                  .height = 1,
                  .masks = {0xff, 0xff00, 0xff0000, 0xff000000}};
    reads_colours(&plain, "\3\2\1\0", 4, 3, (const uint8_t[]){1, 2, 3});
    reads_colours(&narrow, "\0\174\37\200", 4, 3, (const uint8_t[]){255, 0, 0, 0, 0, 255});
    reads_colours(&fields, "\340\7\2\20", 4, 3, (const uint8_t[]){0, 255, 0, 16, 0, 16});
    reads_colours(&clear, "\1\2\3\4", 4, 4, (const uint8_t[]){1, 2, 3, 4});
    reads_colours(&clear, "\1\2\3\0", 4, 4, (const uint8_t[]){1, 2, 3, 255}); /* no alpha at all */
}

static void refuses(const kind *k, const char *says)
{
    blob file = file_of(k, "\0\0\0", 4);
    case_refused("a.bmp", file.data, file.size, says);
    blob_free(&file);
}

static void test_refused(void **state)
{
    static const struct {
        kind kind;
        const char *says;
    } cases[] = {
        {{.size = 64, .bits = 1, .packing = 3},
         "OS/2 with Huffman codes is not read here; convert"},
        {{.size = 64, .bits = 24, .packing = 4}, "OS/2 with runs of 24 bits is not read"},
        {{.size = 40, .packing = 4}, "a JPEG inside"},
        {{.size = 40, .packing = 5}, "a PNG inside"},
        {{.size = 40, .bits = 8, .packing = 2}, "pixels of 8 bits and packing 2"},
        {{.size = 40, .bits = 3}, "pixels of 3 bits"},
        {{.size = 40, .bits = 32, .packing = 3}, "no bits for a colour"},
        {{.size = 128, .bits = 8}, "a header of 128 bytes"},
        {{.size = 40, .bits = 24, .width = 30000, .height = 30000},
         "claims 30000 x 30000 pixels in"},
        {{.size = 40, .bits = 8, .packing = 1, .width = 30000, .height = 30000},
         "which take 2574 MB"},
        {{.size = 40, .bits = 24, .width = -1}, "claims -1 x 1 pixels"},
        {{.size = 40, .bits = 24, .height = INT32_MIN}, "damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kind k = cases[i].kind;
        k.width = k.width ? k.width : 1;
        k.height = k.height ? k.height : 1;
        refuses(&k, cases[i].says);
    }
}

/* A palette lies within the file. */
static void test_palette_end(void **state)
{
    for (int old = 0; old < 2; old++) {
        const kind k = {.size = old ? 12 : 40, .bits = 4, .width = 2, .height = 1};
        blob file = file_of(&k, "\0\0\0", 4);
        const size_t end = file.size - 4;
        for (size_t size = 0; size <= file.size; size++) {
            satb_image shape;
            problem p;
            assert_int_equal(bmp_probe((bytes){file.data, size}, &shape, &p), size >= end);
        }
        blob_free(&file);
    }
}

UNIT_MAIN(UNIT(test_palettes), UNIT(test_runs), UNIT(test_colours), UNIT(test_refused),
          UNIT(test_palette_end))
