/* Files that are cut off, damaged or no pictures at all, and outputs that fail. */
#include "unit/codec/codec_case.h"

#include <satb_config.h>

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

static void refuse(const char *name, const uint8_t *data, size_t size, size_t detail)
{
    /* A copy of exactly that size lets the address sanitizer see a read beyond the end. */
    uint8_t *copy = unit_copy(data, size);
    for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++) {
        picture pic;
        problem p;
        if (picture_decode(&pic, copy, size, name, &(decode_settings){.choice = choice}, &p))
            fail_msg("%s was accepted (%zu)", name, detail);
        assert_null(pic.image.data);
        assert_null(strchr(p.text, '\n'));
    }
}

static void test_cut_off(void **state)
{
    static const struct {
        const char *name;
        int channels, bits;
    } cases[] = {{"a.png", 3, 8}, {"a.png", 4, 16}, {"a.jpg", 3, 8}, {"a.bmp", 3, 8},
                 {"a.bmp", 4, 8}, {"a.tga", 1, 8},  {"a.tga", 3, 8}, {"a.tga", 4, 8},
                 {"a.ppm", 3, 8}, {"a.pgm", 1, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int flat = 0; flat <= 1;
             flat++) { /* a flat picture packs into runs where there are any */
            satb_image image = case_noise(31, 19, cases[i].channels, cases[i].bits);
            if (flat)
                memset(image.data, 200, picture_bytes(&image));
            for (int fast = 0; fast <= 1; fast++) {
                memory m = case_encoded_by(cases[i].name, &image,
                                           fast ? &case_fast_settings : &case_settings);
                for (size_t size = 0; size < m.size; size++)
                    refuse(cases[i].name, m.data, size, size);
            }
        }
    }
}

/* Rows that are not packed are read straight into the picture, past stb's own buffer. */
static void test_cut_off_plain_tga(void **state)
{
    enum { WIDTH = 70, HEIGHT = 3, SIZE = 18 + WIDTH * HEIGHT * 3 };
    uint8_t file[SIZE] = {[2] = 2, [12] = WIDTH, [14] = HEIGHT, [16] = 24};
    picture pic;
    problem p;
    assert_true(picture_decode(&pic, file, SIZE, "a.tga", NULL, &p));
    picture_free(&pic);
    for (size_t size = 0; size < SIZE; size++)
        refuse("a.tga", file, size, size);
}

static void test_every_bit_of_a_png(void **state)
{
    satb_image image = case_noise(9, 7, 3, 8);
    memory m = case_encoded_by("a.png", &image, &case_fast_settings);
    for (size_t bit = 0; bit < m.size * 8; bit++) {
        m.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refuse("a.png", m.data, m.size, bit);
        m.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

/* Damage must never crash, hang or overrun. The format decides whether it can be noticed. */
static void test_damage(void **state)
{
    static const char *const names[] = {"a.jpg", "a.bmp", "a.tga", "a.ppm", "a.png"};
    uint32_t random = 12345;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        satb_image image = case_noise(33, 18, 3, 8);
        memory m = case_encoded(names[i], &image);
        uint8_t *copy = unit_memory(m.size);
        for (int turn = 0; turn < 6000; turn++) {
            memcpy(copy, m.data, m.size);
            for (int hits = 1 + turn / 2 % 4; hits > 0; hits--) {
                random = random * 1664525u + 1013904223u;
                const size_t reach = turn & 4 ? m.size : (m.size < 64 ? m.size : 64);
                copy[(random >> 8) % reach] = (uint8_t)(random >> 3);
            }
            picture pic;
            problem p;
            if (picture_decode(&pic, copy, m.size, names[i],
                               &(decode_settings){.choice = (codec_choice)(turn & 1)}, &p))
                picture_free(&pic);
        }
    }
}

static void test_strangers(void **state)
{
    static const struct {
        const char *data, *says;
    } cases[] = {
        {"GIF89a......", "cut off"},
        {"qoif............", "QOI is not read here; convert it to PNG"},
        {"SIMPLE  =      T", "FITS is not read here; export it as a PNG or TIFF of 16 bits"},
        {"SDPX............", "DPX is not read here; convert it to EXR"},
        {"<svg xmlns=''/>", "SVG is not read here; draw it as a PNG"},
        {"....ftypcrx ....", "a camera's raw file (CR3) is not read here; develop it"},
        {"....ftypisom....", "a clip (MP4) is not read here; give it the ending of a clip"},
        {"FUJIFILMCCD-RAW ", "a camera's raw file (RAF) is not read here; develop it"},
#if SATB_HAVE_WEBP
        {"RIFF\x0c...WEBPVP8 ", "the WebP is cut off"},
#else
        {"RIFF....WEBPVP8 ", "WebP is not read"},
#endif
        {"hello, world", "not a picture"},
        {"P3 1 1 255 0 0", "cut off"},
        {"BM", "a.x: "},
        {"\xff\xd8\xff", "cut off"}
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        case_refused("a.x", cases[i].data, strlen(cases[i].data), cases[i].says);
}

static void test_missing_file(void **state)
{
    picture pic;
    problem p;
    assert_false(picture_load(&pic, "no/such/file.png", NULL, &p));
    assert_non_null(strstr(p.text, "there is no such file"));
    assert_false(picture_load(&pic, ".", NULL, &p));
    assert_non_null(strstr(p.text, "is a folder"));
    assert_false(picture_load(&pic, "/dev/null", NULL, &p));
    assert_non_null(strstr(p.text, "is empty"));
}

/* A sink that fails at any byte sets `failed`, and nothing leaks or crashes. */
static void test_failing_sink(void **state)
{
    static const char *const names[] = {"a.png", "a.jpg", "a.bmp", "a.tga", "a.ppm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int kind = 0; kind < 4; kind++) {
            const encode_settings *settings = kind & 1 ? &case_fast_settings : &case_settings;
            satb_image image = case_noise(20, 20, 3, kind & 2 ? 16 : 8);
            memory whole = case_encoded_by(names[i], &image, settings);
            for (size_t limit = 1; limit < whole.size; limit += 97) {
                memory m = {.limit = limit};
                sink to = {.write = memory_write, .user = &m};
                problem p;
                assert_non_null(
                    codec_encode(codec_for_output(names[i], &p), &image, settings, &to, &p));
                assert_true(to.failed);
                assert_true(m.size <= limit);
            }
        }
    }
}

/* A size that the encoder refuses is not reported as a lack of memory. */
static void test_refused_size(void **state)
{
    static const char *(*const encoders[])(const satb_image *, const encode_settings *, sink *,
                                           problem *) = {stb_encode_bmp, stb_encode_tga};
    const satb_image image = {.width = -1, .height = -1, .channels = 3, .bits = 8};
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        memory m = {0};
        sink to = {.write = memory_write, .user = &m};
        problem p = {.text = ""};
        assert_null(encoders[i](&image, &case_settings, &to, &p));
        assert_null(strstr(p.text, "memory"));
        assert_non_null(strstr(p.text, "could not be written"));
    }
}

UNIT_MAIN(UNIT(test_cut_off), UNIT(test_cut_off_plain_tga), UNIT(test_every_bit_of_a_png),
          UNIT(test_damage), UNIT(test_strangers), UNIT(test_missing_file), UNIT(test_failing_sink),
          UNIT(test_refused_size))
