/* The kinds of JPEG that libjpeg-turbo writes, read by it and by stb. */
#include "unit/codec/codec_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "unit/unit.h"

enum { WIDTH = 123, HEIGHT = 77 };

/* Fills a picture with soft slopes, as the decoders differ at edges of the colours. */
static void fill(uint8_t *pixels, int channels)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < channels; c++)
                pixels[(y * WIDTH + x) * channels + c] =
                    (uint8_t)(40 + x * (c + 1) / 3 + y * (3 - c) / 2);
}

static memory written(int format, int channels, int sampling, int flags)
{
    uint8_t pixels[WIDTH * HEIGHT * 4];
    unsigned char *out = NULL;
    unsigned long size = 0;
    memory m = {0};
    tjhandle tj = tjInitCompress();
    fill(pixels, channels);
    assert_int_equal(
        tjCompress2(tj, pixels, WIDTH, 0, HEIGHT, format, &out, &size, sampling, 90, flags), 0);
    memory_write(&m, out, size);
    tjFree(out);
    tjDestroy(tj);
    return m;
}

static picture decoded(const memory *m, codec_choice choice)
{
    return case_picture_by("a.jpg", NULL, m->data, m->size, &(decode_settings){.choice = choice});
}

/* stb's second-last column of a 4:2:2 file is wrong, so that column is not compared. */
static int difference(const satb_image *a, const satb_image *b)
{
    int largest = 0;
    assert_int_equal(a->channels, b->channels);
    for (int i = 0; i < WIDTH * HEIGHT * a->channels; i++) {
        const int d = abs(((uint8_t *)a->data)[i] - ((uint8_t *)b->data)[i]);
        largest = i / a->channels % WIDTH != WIDTH - 2 && d > largest ? d : largest;
    }
    return largest;
}

static void compare(memory m, const char *library, int tolerance)
{
    picture fast = decoded(&m, CODEC_FAST), plain = decoded(&m, CODEC_PLAIN);
    assert_string_equal(fast.library, library);
    assert_string_equal(plain.library, "stb");
    assert_true(strcmp(library, "stb") == 0 || !fast.note[0]);
    assert_null(strstr(plain.note, "damaged"));
    assert_in_range(difference(&fast.image, &plain.image), 0, tolerance);
    picture_free(&fast);
    picture_free(&plain);
}

static void test_kinds(void **state)
{
    static const int samplings[] = {TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440};
    for (int restarts = 0; restarts <= 1; restarts++) {
        if (restarts)
            setenv("TJ_RESTART", "1", 1); /* a mark after every row of blocks */
        for (int flags = 0; flags <= TJFLAG_PROGRESSIVE; flags += TJFLAG_PROGRESSIVE) {
            for (size_t i = 0; i < sizeof samplings / sizeof *samplings; i++)
                compare(written(TJPF_RGB, 3, samplings[i], flags), turbo_name(), 4);
            compare(written(TJPF_GRAY, 1, TJSAMP_GRAY, flags), turbo_name(), 1);
            compare(written(TJPF_CMYK, 4, TJSAMP_444, flags), "stb", 0);
        }
    }
    unsetenv("TJ_RESTART");
}

/* Data is missing before the end mark. Both ways to read the rest must print a note and find the
 * same pixels. */
static void notes(const memory *m)
{
    picture fast, plain;
    problem p;
    const bool done = picture_decode(&fast, m->data, m->size, "a.jpg", NULL, &p);
    assert_int_equal(done, picture_decode(&plain, m->data, m->size, "a.jpg",
                                          &(decode_settings){.choice = CODEC_PLAIN}, &p));
    if (!done)
        return;
    assert_non_null(strstr(fast.note, "damaged"));
    assert_non_null(strstr(plain.note, "damaged"));
    assert_int_equal(difference(&fast.image, &plain.image), 0);
    picture_free(&fast);
    picture_free(&plain);
}

/* libjpeg-turbo warns of bytes between two segments. stb reads such files, with a note. It also warns where rows are
 * missing, and returns no picture then. */
static void test_warnings(void **state)
{
    memory m = written(TJPF_RGB, 3, TJSAMP_420, 0);
    memory more = {0};
    const size_t first = 4 + ((size_t)m.data[4] << 8 | m.data[5]); /* behind the JFIF segment */
    memory_write(&more, m.data, first);
    memory_write(&more, "\0\0", 2);
    memory_write(&more, m.data + first, m.size - first);
    picture pic = decoded(&more, CODEC_FAST); /* and a note says so */
    assert_non_null(strstr(pic.note, "extraneous bytes"));
    picture_free(&pic);
    compare(more, "stb", 0);
    bool out_of_memory;
    satb_image image = {.width = WIDTH, .height = HEIGHT, .channels = 3, .bits = 8};
    for (size_t cut = 400; cut < m.size - 2;
         cut += 57) { /* an end mark, but the rows are missing */
        memory half = {0};
        memory_write(&half, m.data, cut);
        memory_write(&half, "\xff\xd9", 2);
        problem warning = {.text = ""};
        if (turbo_decode((bytes){half.data, half.size}, &image, &out_of_memory, &warning))
            fail_msg("half a picture was accepted (%zu)", cut);
        assert_null(image.data);
        assert_true(warning.text[0] != '\0');
        notes(&half);
    }
}

/* Without Adobe's segment CMYK has the colours that it has with that segment; a note says so. */
static void test_bare_cmyk(void **state)
{
    for (int flags = 0; flags <= TJFLAG_PROGRESSIVE; flags += TJFLAG_PROGRESSIVE) {
        memory whole = written(TJPF_CMYK, 4, TJSAMP_444, flags), bare = {0};
        size_t at = 2;
        while (whole.data[at + 1] != 0xee)
            at += 2 + ((size_t)whole.data[at + 2] << 8 | whole.data[at + 3]);
        whole.data[at + 15] = 0; /* the transform; libjpeg-turbo wrote YCCK */
        memory_write(&bare, whole.data, at);
        at += 2 + ((size_t)whole.data[at + 2] << 8 | whole.data[at + 3]);
        memory_write(&bare, whole.data + at, whole.size - at);
        picture with = decoded(&whole, CODEC_FAST);
        for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++) {
            picture pic = decoded(&bare, choice);
            assert_int_equal(difference(&pic.image, &with.image), 0);
            assert_non_null(strstr(pic.note, "no Adobe segment"));
            picture_free(&pic);
        }
        picture_free(&with);
    }
}

/* stb reads CMYK, and libjpeg-turbo its damage. */
static void test_damaged_cmyk(void **state)
{
    memory whole = written(TJPF_CMYK, 4, TJSAMP_444, 0), half = {0};
    memory_write(&half, whole.data, whole.size / 2);
    memory_write(&half, "\xff\xd9", 2);
    picture pic = decoded(&half, CODEC_FAST);
    assert_string_equal(pic.library, "stb");
    assert_non_null(strstr(pic.note, "damaged"));
    picture_free(&pic);
}

UNIT_MAIN(UNIT(test_kinds), UNIT(test_warnings), UNIT(test_bare_cmyk), UNIT(test_damaged_cmyk))
