/* The formats that satblur reads by its own lines: TGA, PNM and GIF of every kind. */
#include "unit/codec/codec_case.h"

#include <string.h>

#include "unit/unit.h"

/* Returns whether the file is read. It is copied to memory that ends where it does. */
static bool reads(picture *pic, const char *name, const void *data, size_t size, problem *p)
{
    uint8_t *const copy = unit_copy(data, size);
    const bool done = picture_decode(pic, copy, size, name, NULL, p);
    return done;
}

/* Checks that a file has a row of those bytes, and that each shorter file is refused as cut off or damaged. */
static void has_row(const char *name, const void *data, size_t size, int channels,
                    const void *samples, int width)
{
    picture pic;
    problem p;
    if (!reads(&pic, name, data, size, &p))
        fail_msg("%s", p.text);
    assert_int_equal(pic.image.width * pic.image.height, width);
    assert_int_equal(pic.image.channels, channels);
    assert_memory_equal(pic.image.data, samples, picture_bytes(&pic.image));
    picture_free(&pic);
    for (size_t cut = 1; cut < size; cut++) {
        assert_false(reads(&pic, name, data, cut, &p));
        if (!strstr(p.text, "cut off") && !strstr(p.text, "damaged") &&
            !strstr(p.text, "not a picture"))
            fail_msg("%s", p.text);
    }
}

static void refuses(const char *name, const void *data, size_t size, const char *words)
{
    picture pic;
    problem p;
    assert_false(reads(&pic, name, data, size, &p));
    if (!strstr(p.text, words))
        fail_msg("%s", p.text);
}

/* --- TGA -------------------------------------------------------------------------------------- */

enum { TGA_HEADER = 18, TGA_MOST = 64 };

typedef struct tga {
    uint8_t type, first, count, map_bits, bits, descriptor; /* count: of the map's colours */
    const char *rest;                                       /* map and pixels */
    size_t size;
} tga;

static size_t put_tga(const tga *t, int width, int height, uint8_t out[TGA_MOST])
{
    const uint8_t head[TGA_HEADER] = {[0] = 2, /* bytes of a text */
                                      [1] = t->count > 0,
                                      [2] = t->type,
                                      [3] = t->first,
                                      [5] = t->count,
                                      [7] = t->map_bits,
                                      [12] = (uint8_t)width,
                                      [14] = (uint8_t)height,
                                      [16] = t->bits,
                                      [17] = t->descriptor};
    memcpy(out, head, TGA_HEADER);
    memcpy(out + TGA_HEADER, "id", 2);
    memcpy(out + TGA_HEADER + 2, t->rest, t->size);
    return TGA_HEADER + 2 + t->size;
}

static void tga_has(const tga *t, int channels, const char *samples)
{
    uint8_t file[TGA_MOST];
    has_row("a.tga", file, put_tga(t, 3, 1, file), channels, samples, 3);
}

/* A map may begin at any code, of 8 or 16 bits. Codes that it lacks have its first colour. */
static void test_tga_maps(void **state)
{
    tga_has(&(tga){1, 0, 2, 24, 8, 0, "\3\2\1\6\5\4\0\1\1", 9}, 3, "\1\2\3\4\5\6\4\5\6");
    tga_has(&(tga){1, 20, 2, 24, 8, 0, "\3\2\1\6\5\4\24\25\25", 9}, 3, "\1\2\3\4\5\6\4\5\6");
    tga_has(&(tga){1, 20, 2, 32, 8, 0, "\3\2\1\7\6\5\4\x9\25\24\0", 11}, 4,
            "\4\5\6\x9\1\2\3\7\1\2\3\7");
    tga_has(&(tga){1, 20, 2, 16, 16, 0, "\x1f\x7c\xe0\x03\25\0\24\0\26\0", 10}, 3,
            "\0\xff\0\xff\0\xff\xff\0\xff");
    tga_has(&(tga){9, 20, 2, 24, 8, 0, "\3\2\1\6\5\4\x81\25\0\24", 10}, 3, "\4\5\6\4\5\6\1\2\3");
}

/* Colours may have a map beside them, which they do not use. */
static void test_tga_colours(void **state)
{
    tga_has(&(tga){2, 9, 1, 24, 24, 0, "map\3\2\1\6\5\4\x9\x8\7", 12}, 3, "\1\2\3\4\5\6\7\x8\x9");
    tga_has(&(tga){.type = 2, .bits = 15, .rest = "\x1f\x7c\xe0\x03\x1f\0", .size = 6}, 3,
            "\xff\0\xff\0\xff\0\0\0\xff");
    tga_has(&(tga){.type = 3, .bits = 16, .rest = "\1\2\3\4\5\6", .size = 6}, 2, "\1\2\3\4\5\6");
    tga_has(&(tga){.type = 11, .bits = 8, .rest = "\1\1\2\xff\3", .size = 5}, 1, "\1\2\3");
}

static void test_tga_order(void **state)
{
    static const char *const wanted[] = {"\3\4\1\2", "\4\3\2\1", "\1\2\3\4", "\2\1\4\3"};
    for (uint8_t i = 0; i < 4; i++) {
        uint8_t file[TGA_MOST];
        const tga t = {.type = 11,
                       .bits = 8,
                       .descriptor = (uint8_t)(i << 4),
                       .rest = "\3\1\2\3\4", /* a packet over both rows */
                       .size = 5};
        has_row("a.tga", file, put_tga(&t, 2, 2, file), 1, wanted[i], 4);
    }
}

static void test_tga_kinds_that_are_not_read(void **state)
{
    uint8_t file[TGA_MOST];
    refuses("a.tga", file,
            put_tga(&(tga){.type = 3, .bits = 8, .descriptor = 0x80, .rest = "abc", .size = 3}, 3,
                    1, file),
            "interleaved rows");
    refuses("a.tga", file,
            put_tga(&(tga){.type = 2, .bits = 12, .rest = "abcdef", .size = 6}, 3, 1, file),
            "pixels of 12 bits (type 2) is not read here; convert it to PNG");
    refuses("a.tga", file,
            put_tga(&(tga){.type = 1, .bits = 8, .rest = "abcdef", .size = 6}, 3, 1, file),
            "no colour map");
    refuses("a.tga", file,
            put_tga(&(tga){.type = 32, .bits = 8, .rest = "abcdef", .size = 6}, 3, 1, file),
            "of an unusual kind");
}

/* --- PNM -------------------------------------------------------------------------------------- */

/* A text that ends in a digit is cut off only if that digit is. */
static void pnm_has(const char *name, const char *text, int channels, const void *samples)
{
    picture pic;
    problem p;
    if (!reads(&pic, name, text, strlen(text), &p))
        fail_msg("%s", p.text);
    assert_int_equal(pic.image.channels, channels);
    assert_memory_equal(pic.image.data, samples, picture_bytes(&pic.image));
    picture_free(&pic);
    refuses(name, text, strlen(text) - 1, "cut off");
}

static void test_pnm_digits(void **state)
{
    pnm_has("a.pbm", "P1 # bits\n5 2\n1 0 1\n0#more\n1 01100", 1, "\0\377\0\377\0\377\0\0\377\377");
    pnm_has("a.pgm", "P2\n3 1\n15\n0 15\n# more\n1", 1, "\0\377\21");
    pnm_has("a.ppm", "P3 2 1 255 1 2 3\t4\n5\r\n6", 3, "\1\2\3\4\5\6");
    pnm_has("a.pgm", "P2 2 1 1023 1023 9", 1, (const uint16_t[]){65535, (9 * 65535 + 511) / 1023});
    refuses("a.pgm", "P2 2 1 255 1 x", 14, "a sample is no number");
    refuses("a.pgm", "P2 2 1 15 1 16", 14, "a sample is 16 and the header allows 15");
    refuses("a.pgm", "P2 2 1 15 1 -1", 14, "a sample is no number");
    refuses("a.pbm", "P1 2 1 12", 9, "a sample is no number");
    refuses("a.pgm", "P2 60000 60000 255 1 2 3", 24, "need 7199999999 bytes");
}

static void test_pnm_bits(void **state)
{
    has_row("a.pbm", "P4\n9 1\n\x55\x80", 9, 1, "\377\0\377\0\377\0\377\0\0", 9);
}

static void test_pam(void **state)
{
    static const char gray[] = "P7\n# a comment\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\n"
                               "TUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\1\2\3\4";
    static const char deep[] = "P7\nMAXVAL 65535\nDEPTH 3\nHEIGHT 1\nWIDTH 1\nENDHDR\n\0\1\0\2\0\3";
    static const char bits[] =
        "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\0\1";
    has_row("a.pam", gray, sizeof gray - 1, 2, "\1\2\3\4", 2);
    has_row("a.pam", deep, sizeof deep - 1, 3, (const uint16_t[]){1, 2, 3}, 1);
    has_row("a.pam", bits, sizeof bits - 1, 1, "\0\377", 2);
    static const char wide[] = "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\n\1\2\3\4\5";
    refuses("a.pam", wide, sizeof wide - 1, "5 samples a pixel");
}

/* --- GIF -------------------------------------------------------------------------------------- */

enum { GIF_AT = 25, GIF_FRAME = 10 }; /* where the first frame stands, and the bytes of its head */

/* Returns a file of 9 x 5 pixels, whose code is x * y / 3 % 4. Strings are used as soon as they are made. The palette has
 * (10, 20, 30), (40, 50, 60) and so on. */
static size_t put_gif(uint8_t out[128])
{
    static const uint8_t file[] = {
        0x47, 0x49, 0x46, 0x38, 0x37, 0x61, 0x09, 0x00, 0x05, 0x00, 0x81, 0x00, 0x00, 0x0a,
        0x14, 0x1e, 0x28, 0x32, 0x3c, 0x46, 0x50, 0x5a, 0x64, 0x6e, 0x78, 0x2c, 0x00, 0x00,
        0x00, 0x00, 0x09, 0x00, 0x05, 0x00, 0x00, 0x08, 0x1d, 0x00, 0x01, 0x08, 0x1c, 0x48,
        0x50, 0x60, 0x80, 0x83, 0x02, 0x12, 0x1a, 0x4c, 0x38, 0xc0, 0x20, 0x80, 0x00, 0x02,
        0x1a, 0x42, 0x6c, 0xf8, 0x50, 0x40, 0xc5, 0x8a, 0x01, 0x01, 0x00, 0x3b};
    memcpy(out, file, sizeof file);
    return sizeof file;
}

static picture gif_of(const uint8_t *file, size_t size, int channels)
{
    picture pic;
    problem p;
    if (!reads(&pic, "a.gif", file, size, &p))
        fail_msg("%s", p.text);
    assert_string_equal(pic.format, "GIF");
    assert_int_equal(pic.image.channels, channels);
    return pic;
}

static void test_gif(void **state)
{
    uint8_t file[128], samples[9 * 5 * 3], *to = samples;
    const size_t size = put_gif(file);
    for (int i = 0; i < 9 * 5; i++)
        for (int c = 1; c <= 3; c++)
            *to++ = (uint8_t)(i % 9 * (i / 9) / 3 % 4 * 30 + 10 * c);
    has_row("a.gif", file, size - 4, 3, samples, 9 * 5); /* without the end marks */
    for (size_t i = GIF_AT; i < size; i++)
        for (int bit = 0; bit < 8; bit++) { /* whatever is there, no more is read than that */
            picture pic;
            problem p;
            file[i] ^= (uint8_t)(1 << bit);
            if (reads(&pic, "a.gif", file, size, &p))
                picture_free(&pic);
            file[i] ^= (uint8_t)(1 << bit);
        }
}

/* Interlaced rows come in the order 0, 4, 2, 1, 3. */
static void test_gif_interlaced(void **state)
{
    static const int place[] = {0, 4, 2, 1, 3};
    uint8_t file[128];
    const size_t size = put_gif(file);
    picture plain = gif_of(file, size, 3);
    file[GIF_AT + 9] |= 0x40;
    picture pic = gif_of(file, size, 3);
    for (int i = 0; i < 5; i++)
        assert_memory_equal((uint8_t *)pic.image.data + 27 * place[i],
                            (uint8_t *)plain.image.data + 27 * i, 27);
    picture_free(&plain);
    picture_free(&pic);
}

/* A code may be clear, and so is what lies outside of the frame. Further frames are named. */
static void test_gif_clear(void **state)
{
    static const uint8_t control[] = {'!', 0xf9, 4, 1, 0, 0, 2, 0};
    uint8_t file[256];
    size_t size = put_gif(file);
    memmove(file + GIF_AT + sizeof control, file + GIF_AT, size - GIF_AT);
    memcpy(file + GIF_AT, control, sizeof control);
    size += sizeof control;
    file[6] = 12, file[8] = 7; /* the picture is larger, */
    file[GIF_AT + sizeof control + 1] = 2, file[GIF_AT + sizeof control + 3] = 1;
    picture pic = gif_of(file, size, 4);
    const uint8_t *alpha = (const uint8_t *)pic.image.data + 3;
    for (int i = 0; i < 12 * 7; i++, alpha += 4) {
        const int x = i % 12 - 2, y = i / 12 - 1;
        const bool is_inside = x >= 0 && x < 9 && y >= 0 && y < 5;
        assert_int_equal(*alpha, is_inside && x * y / 3 % 4 != 2 ? 255 : 0);
    }
    assert_string_equal(pic.note, "");
    picture_free(&pic);
    const size_t frame = size - 1 - (GIF_AT + sizeof control); /* once more before the end mark */
    memmove(file + size - 1, file + GIF_AT + sizeof control, frame);
    pic = gif_of(file, size - 1 + frame, 4);
    assert_string_equal(pic.note, "an animation's further frames are not read");
    picture_free(&pic);
}

/* --- Maps ------------------------------------------------------------------------------------- */

/* Maps of codes may be in any channel, by its letter or name. */
static void test_channels(void **state)
{
    static const char *const names[] = {"R", "green", "b", "Alpha"};
    satb_image image = case_noise(7, 5, 4, 16);
    memory m = case_encoded("a.png", &image);
    picture pic;
    problem p;
    for (int c = 0; c < 4; c++) {
        assert_true(picture_decode(&pic, m.data, m.size, "map",
                                   &(decode_settings){.as_map = true, .channel = names[c]}, &p));
        assert_int_equal(pic.image.channels, 1);
        for (int i = 0; i < 7 * 5; i++)
            assert_int_equal(((uint16_t *)pic.image.data)[i], ((uint16_t *)image.data)[4 * i + c]);
        picture_free(&pic);
    }
    assert_false(picture_decode(&pic, m.data, m.size, "map",
                                &(decode_settings){.as_map = true, .channel = "Z"}, &p));
    assert_string_equal(p.text,
                        "map: has no channel Z: it is RGBA; give --depth-channel R, G, B or A");
}

UNIT_MAIN(UNIT(test_tga_maps), UNIT(test_tga_colours), UNIT(test_tga_order),
          UNIT(test_tga_kinds_that_are_not_read), UNIT(test_pnm_digits), UNIT(test_pnm_bits),
          UNIT(test_pam), UNIT(test_gif), UNIT(test_gif_interlaced), UNIT(test_gif_clear),
          UNIT(test_channels))
