/* The JPEGs that jpeg_check() refuses, put together byte by byte; and that the decoders agree on them. */
#include "codec/codec.h"
#include "codec/jpeg/jpeg_check.h"
#include "format/jpeg_segment.h"
#include "unit/codec/codec_case.h"

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

/* --- Files ------------------------------------------------------------------------------------ */

static void segment(blob *to, int marker, const void *data, size_t size)
{
    blob_add_number(to, 0xff00u | (uint32_t)marker, 2);
    blob_add_number(to, (uint32_t)size + 2, 2);
    blob_add(to, data, size);
}

static void add_quantizers(blob *to)
{
    uint8_t table[65];
    memset(table, 1, sizeof table);
    table[0] = 0;
    segment(to, JPEG_DQT, table, sizeof table);
}

/* Adds a table of one code of one bit, 0: no difference (DC), or the end of a block (AC). */
static void add_huffman(blob *to, uint8_t head)
{
    const uint8_t table[18] = {head, 1};
    segment(to, JPEG_DHT, table, sizeof table);
}

static void add_frame(blob *to, int marker, int width, int height, int components)
{
    blob frame = {0};
    blob_add_number(&frame, 8, 1);
    blob_add_number(&frame, (uint32_t)height, 2);
    blob_add_number(&frame, (uint32_t)width, 2);
    blob_add_number(&frame, (uint32_t)components, 1);
    for (int i = 1; i <= components; i++) {
        blob_add_number(&frame, (uint32_t)i, 1);
        blob_add_number(&frame, 0x1100, 2);
    }
    segment(to, marker, frame.data, frame.size);
    blob_free(&frame);
}

/* Adds a scan of components 1 to `components`, with data of that many bytes: all blocks are
 * black. */
static void add_scan(blob *to, int components, int first, int last, int approximation, size_t size)
{
    blob scan = {0};
    blob_add_number(&scan, (uint32_t)components, 1);
    for (int i = 1; i <= components; i++)
        blob_add_number(&scan, (uint32_t)i << 8, 2);
    blob_add_number(&scan, (uint32_t)(first << 16 | last << 8 | approximation), 3);
    segment(to, JPEG_SOS, scan.data, scan.size);
    blob_free(&scan);
    for (size_t i = 0; i < size; i++)
        blob_add_number(to, 0, 1);
}

static blob begin(void)
{
    blob file = {0};
    blob_add(&file, "\xff\xd8", 2);
    return file;
}

static void end(blob *file)
{
    blob_add(file, "\xff\xd9", 2);
}

/* Returns a gray, progressive JPEG. Each coefficient has eight scans, a bit each; a block takes a
 * bit of data in each scan. */
static blob progressive(int width, int height, int scans, size_t size)
{
    blob file = begin();
    add_quantizers(&file);
    add_frame(&file, JPEG_SOF2, width, height, 1);
    add_huffman(&file, 0);
    add_huffman(&file, 0x10);
    for (int i = 0; i < scans; i++) {
        const int low = 7 - i % 8, high = i % 8 == 0 ? 0 : low + 1;
        add_scan(&file, 1, i / 8, i / 8, high << 4 | low, size);
    }
    end(&file);
    return file;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Checks a file. text NULL: it passes. */
static void expect_verdict(blob *file, const char *text)
{
    problem p = {.text = "passed"};
    if (jpeg_check(blob_view(file), &p) == (text != NULL) || (text && !strstr(p.text, text)))
        fail_msg("%s; expected: %s", p.text, text ? text : "passed");
    blob_free(file);
}

/* Reads a file by that choice of libraries, or checks that it is refused with that text. */
static picture read_by(const blob *file, codec_choice choice, const char *text)
{
    picture pic;
    problem p = {.text = "passed"};
    const bool done = picture_decode(&pic, file->data, file->size, "a.jpg",
                                     &(decode_settings){.choice = choice}, &p);
    if (done == (text != NULL) || (text && !strstr(p.text, text)))
        fail_msg("choice %d: %s; expected: %s", (int)choice, p.text, text ? text : "passed");
    return pic;
}

/* Each choice of libraries reads the same pixels, with that text in the note. "": there is no note. */
static void expect_notes(const blob *file, const char *text)
{
    picture fast = read_by(file, CODEC_FAST, NULL), plain = read_by(file, CODEC_PLAIN, NULL);
    assert_int_equal(fast.image.channels, plain.image.channels);
    assert_memory_equal(fast.image.data, plain.image.data, picture_bytes(&fast.image));
    assert_string_equal(fast.note, plain.note);
    assert_true(text[0] ? strstr(fast.note, text) != NULL : fast.note[0] == '\0');
    picture_free(&fast);
    picture_free(&plain);
}

static void expect_both(const blob *file, const char *text)
{
    if (!text) {
        expect_notes(file, "");
        return;
    }
    (void)read_by(file, CODEC_FAST, text);
    (void)read_by(file, CODEC_PLAIN, text);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void test_scans(void **state)
{
    blob most = progressive(16, 16, JPEG_SCANS_MOST, 1);
    expect_both(&most, NULL);
    blob_free(&most);
    blob more = progressive(16, 16, JPEG_SCANS_MOST + 1, 1);
    expect_both(&more, "too many scans");
    blob_free(&more);
}

/* 40 million pixels allow 215 scans. 16 scans of 2^30 pixels would have 2^28 blocks, but they are
 * few for a picture of that size. */
static void test_work(void **state)
{
    blob photo = progressive(6400, 6224, 24, 1);
    expect_verdict(&photo, NULL);
    blob many = progressive(6400, 6224, 499, 1);
    expect_verdict(&many, "too many scans for 6400 x 6224 pixels");
    blob large = progressive(1 << 15, 1 << 15, 16, 1);
    expect_verdict(&large, NULL);
    blob larger = progressive(1 << 15, 1 << 15, JPEG_PASSES_MOST + 1, 1);
    expect_verdict(&larger, "too many scans");
}

/* Returns a gray JPEG with all but one of its parts. */
static blob without(const char *part, int marker)
{
    blob file = begin();
    if (strcmp(part, "quantizers") != 0)
        add_quantizers(&file);
    add_frame(&file, marker, 16, 16, strcmp(part, "scan") == 0 ? 3 : 1);
    if (strcmp(part, "DC") != 0)
        add_huffman(&file, 0);
    if (strcmp(part, "AC") != 0)
        add_huffman(&file, 0x10);
    if (marker == JPEG_SOF2) {
        add_scan(&file, 1, 0, 0, 0, 1);
        add_scan(&file, 1, 1, 63, 0, 1);
    } else {
        add_scan(&file, 1, 0, 63, 0, 1);
    }
    end(&file);
    return file;
}

static void test_parts(void **state)
{
    static const int frames[] = {JPEG_SOF0, JPEG_SOF1, JPEG_SOF2};
    for (size_t i = 0; i < 3; i++) {
        blob whole = without("", frames[i]);
        expect_both(&whole, NULL);
        blob_free(&whole);
        blob quantizers = without("quantizers", frames[i]);
        expect_both(&quantizers, "a scan names a table or component that is not there");
        blob_free(&quantizers);
        blob scan = without("scan", frames[i]);
        expect_both(&scan, "a component has no scan");
        blob_free(&scan);
    }
    blob dc = without("DC", JPEG_SOF2), ac = without("AC", JPEG_SOF2);
    expect_both(&dc, "a scan names a table");
    expect_both(&ac, "a scan names a table");
    blob_free(&dc);
    blob_free(&ac);
    blob none = begin(); /* no scan at all, which leaves no component's */
    add_frame(&none, JPEG_SOF0, 16, 16, 1);
    end(&none);
    expect_verdict(&none, "no scan");
}

/* Frames of Motion JPEG leave out the standard Huffman tables, which our own encoders write: all of
 * them, or those of AC. */
static void test_standard_tables(void **state)
{
    satb_image image = case_noise(40, 24, 3, 8);
    memory m =
        case_encoded_by("a.jpg", &image, &(encode_settings){.quality = 80, .choice = CODEC_PLAIN});
    const bytes in = {m.data, m.size};
    picture whole = read_by(&(blob){.data = m.data, .size = m.size}, CODEC_PLAIN, NULL);
    blob copy = {0};
    problem p;
    assert_true(jpeg_prepare_for_stb(in, &copy, &p) && !copy.data);
    blob bare = {0};
    jpeg_segment s;
    size_t at = JPEG_FIRST, from = 0;
    while (jpeg_next_segment(in, &at, &s) && s.marker != JPEG_EOI)
        if (s.marker == JPEG_DHT) {
            blob_add(&bare, in.data + from, s.begin - from);
            from = at;
        }
    blob_add(&bare, in.data + from, in.size - from);
    assert_true(bare.size < m.size);
    assert_true(jpeg_prepare_for_stb(blob_view(&bare), &copy, &p) && copy.size > bare.size);
    blob_free(&copy);
    picture plain = read_by(&bare, CODEC_PLAIN, NULL), fast = read_by(&bare, CODEC_FAST, NULL);
    assert_memory_equal(plain.image.data, whole.image.data, picture_bytes(&whole.image));
    assert_string_equal(fast.note, "");
    picture_free(&whole);
    picture_free(&plain);
    picture_free(&fast);
    blob_free(&bare);
}

/* For components of one name, libjpeg-turbo goes by their order, and stb would mix them up. */
static void test_twins(void **state)
{
    if (!turbo_name())
        skip();
    satb_image image = case_noise(40, 24, 3, 8);
    memory m =
        case_encoded_by("a.jpg", &image, &(encode_settings){.quality = 80, .choice = CODEC_PLAIN});
    const blob file = {.data = m.data, .size = m.size};
    picture apart = read_by(&file, CODEC_FAST, NULL);
    jpeg_segment s;
    size_t at = JPEG_FIRST;
    while (jpeg_next_segment(blob_view(&file), &at, &s) && s.marker != JPEG_EOI)
        for (size_t i = 0; i < 3; i++) {
            if (s.marker == JPEG_SOF0)
                m.data[s.begin + 10 + 3 * i] = 1;
            if (s.marker == JPEG_SOS)
                m.data[s.begin + 5 + 2 * i] = 1;
        }
    picture twins = read_by(&file, CODEC_FAST, NULL);
    assert_string_equal(twins.library, turbo_name());
    assert_memory_equal(twins.image.data, apart.image.data, picture_bytes(&image));
    (void)read_by(&file, CODEC_PLAIN, "share a name");
    picture_free(&twins);
    picture_free(&apart);
}

/* Four components are CMYK or YCCK by Adobe's segment, and CMYK without that segment. */
static void test_cmyk(void **state)
{
    for (int transform = -1; transform <= 2; transform++) {
        const uint8_t adobe[12] = {'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, (uint8_t)transform};
        blob file = begin();
        if (transform >= 0)
            segment(&file, JPEG_APP14, adobe, sizeof adobe);
        add_quantizers(&file);
        add_frame(&file, JPEG_SOF0, 16, 16, 4);
        add_huffman(&file, 0);
        add_huffman(&file, 0x10);
        add_scan(&file, 4, 0, 63, 0, 4);
        end(&file);
        if (transform == 1)
            expect_both(&file, "Adobe's transform 1");
        else
            expect_notes(&file, transform >= 0 ? "CMYK was converted to RGB" : "no Adobe segment");
        blob_free(&file);
    }
}

/* libjpeg-turbo writes gray as gray. */
static void test_gray(void **state)
{
    if (!turbo_name())
        skip();
    satb_image image = case_noise(40, 24, 1, 8);
    memory m =
        case_encoded_by("a.jpg", &image, &(encode_settings){.quality = 95, .choice = CODEC_FAST});
    picture pic = read_by(&(blob){.data = m.data, .size = m.size}, CODEC_FAST, NULL);
    assert_int_equal(pic.image.channels, 1);
    picture_free(&pic);
}

static bool fits_jpeg(void *user, const satb_image *shape, problem *p)
{
    (void)user;
    satb_image fit;
    char note[128];
    return codec_fit(codec_for_output("o.jpg", p), shape, CODEC_FAST, &fit, note, p);
}

/* The output's format is checked before the pixels are read: this file has none. */
static void test_output(void **state)
{
    picture pic;
    problem p;
    blob file = begin();
    add_quantizers(&file);
    add_frame(&file, JPEG_SOF0, 65535, 8, 1);
    add_huffman(&file, 0);
    add_huffman(&file, 0x10);
    add_scan(&file, 1, 0, 63, 0, 1024);
    end(&file);
    const decode_settings settings = {.accept = fits_jpeg};
    assert_false(picture_decode(&pic, file.data, file.size, "a.jpg", &settings, &p));
    assert_string_equal(p.text, "JPEG cannot hold 65535 x 8 pixels; use .png");
    blob_free(&file);
}

/* Kinds that no decoder here reads are named, and not called damaged. */
static void test_kinds_not_read(void **state)
{
    static const struct {
        int marker;
        const char *name;
    } kinds[] = {{0xc3, "lossless"},   {0xc5, "hierarchical"}, {0xc9, "arithmetic"},
                 {0xca, "arithmetic"}, {0xcf, "hierarchical"}, {JPEG_SOF55, "JPEG-LS"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char text[80];
        blob file = begin();
        add_frame(&file, kinds[i].marker, 8, 8, 1);
        end(&file);
        snprintf(text, sizeof text, "a JPEG of this kind (%s) is not read here; convert it to PNG",
                 kinds[i].name);
        expect_verdict(&file, text);
    }
    blob file = begin();
    add_frame(&file, JPEG_SOF1, 8, 8, 1);
    file.data[6] = 12; /* bits */
    end(&file);
    expect_verdict(&file, "a JPEG of this kind (12 bits) is not read here; convert it to PNG");
}

UNIT_MAIN(UNIT(test_scans), UNIT(test_work), UNIT(test_parts), UNIT(test_standard_tables),
          UNIT(test_cmyk), UNIT(test_twins), UNIT(test_gray), UNIT(test_output),
          UNIT(test_kinds_not_read))
