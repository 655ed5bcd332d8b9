/* JPEG XL of other programs: colours, orientation and alpha are heeded, an animation gives its first frame, and what is not carried
 * is named. */
#include "unit/codec/codec_case.h"
#include "unit/metadata/metadata_case.h"

#include "image/half.h"
#include "image/shape.h"

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <math.h>
#include <string.h>

#include "unit/unit.h"

/* A file of libjxl's: a picture of noise in 20 x 10 pixels. All 0: RGB of 8 bits, sRGB. */
typedef struct made {
    int bits;
    bool is_float;
    const JxlColorEncoding *colours;
    int orientation, frames;
    JxlExtraChannelType extra; /* one more channel; ALPHA: none */
    const char *box, *data;    /* packed */
} made;

enum { WIDTH = 20, HEIGHT = 10 };

static void must(JxlEncoderStatus status)
{
    assert_int_equal(status, JXL_ENC_SUCCESS);
}

static void set_info(JxlEncoder *encoder, const made *w)
{
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = WIDTH;
    info.ysize = HEIGHT;
    info.bits_per_sample = w->is_float ? 32 : (uint32_t)w->bits;
    info.exponent_bits_per_sample = w->is_float ? 8 : 0;
    info.num_color_channels = 3;
    info.num_extra_channels = w->extra != JXL_CHANNEL_ALPHA;
    info.uses_original_profile = JXL_TRUE;
    info.orientation = w->orientation ? (JxlOrientation)w->orientation : JXL_ORIENT_IDENTITY;
    info.have_animation = w->frames > 1;
    info.animation.tps_numerator = info.animation.tps_denominator = 1;
    must(JxlEncoderSetCodestreamLevel(encoder, 10));
    must(JxlEncoderSetBasicInfo(encoder, &info));
    JxlColorEncoding colours;
    JxlColorEncodingSetToSRGB(&colours, JXL_FALSE);
    must(JxlEncoderSetColorEncoding(encoder, w->colours ? w->colours : &colours));
}

static void set_channel(JxlEncoder *encoder, const made *w)
{
    JxlExtraChannelInfo extra;
    JxlEncoderInitExtraChannelInfo(w->extra, &extra);
    must(JxlEncoderSetExtraChannelInfo(encoder, 0, &extra));
}

static void add_frames(JxlEncoder *encoder, const made *w, const satb_image *image)
{
    JxlEncoderFrameSettings *const settings = JxlEncoderFrameSettingsCreate(encoder, NULL);
    const JxlPixelFormat format = {.num_channels = 3,
                                   .data_type = w->is_float     ? JXL_TYPE_FLOAT
                                                : w->bits == 16 ? JXL_TYPE_UINT16
                                                                : JXL_TYPE_UINT8,
                                   .endianness = JXL_NATIVE_ENDIAN};
    const size_t size = (size_t)(WIDTH * HEIGHT * 3) * (w->is_float ? 4 : (size_t)w->bits / 8);
    uint8_t zeros[WIDTH * HEIGHT * 4] = {0};
    must(JxlEncoderSetFrameLossless(settings, JXL_TRUE));
    for (int i = 0; i < (w->frames ? w->frames : 1); i++) {
        JxlFrameHeader head;
        JxlEncoderInitFrameHeader(&head);
        head.duration = 1;
        if (w->frames > 1)
            must(JxlEncoderSetFrameHeader(settings, &head));
        must(JxlEncoderAddImageFrame(settings, &format, i ? zeros : image->data, size));
        if (w->extra != JXL_CHANNEL_ALPHA)
            must(JxlEncoderSetExtraChannelBuffer(settings, &format, zeros, WIDTH * HEIGHT, 0));
    }
}

static memory make(const made *given, satb_image *image)
{
    made w = *given;
    w.bits = w.bits ? w.bits : 8;
    *image = case_noise(WIDTH, HEIGHT, 3, w.is_float ? 16 : w.bits);
    JxlEncoder *const encoder = JxlEncoderCreate(NULL);
    set_info(encoder, &w);
    if (w.box) {
        must(JxlEncoderUseBoxes(encoder));
        must(JxlEncoderAddBox(encoder, w.box, (const uint8_t *)w.data, strlen(w.data), JXL_TRUE));
    }
    if (w.extra != JXL_CHANNEL_ALPHA)
        set_channel(encoder, &w);
    if (w.is_float) { /* -2 to 2 */
        float *const floats = unit_memory(WIDTH * HEIGHT * 4 * sizeof *floats);
        for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
            floats[i] = half_to_float(((uint16_t *)image->data)[i] & 0xbfff);
        image->data = floats;
    }
    add_frames(encoder, &w, image);
    JxlEncoderCloseInput(encoder);
    memory m = {.limit = 0};
    for (JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT; status == JXL_ENC_NEED_MORE_OUTPUT;) {
        uint8_t piece[512], *next = piece;
        size_t left = sizeof piece;
        status = JxlEncoderProcessOutput(encoder, &next, &left);
        assert_int_not_equal(status, JXL_ENC_ERROR);
        memory_write(&m, piece, (size_t)(next - piece));
    }
    JxlEncoderDestroy(encoder);
    return m;
}

static JxlColorEncoding colours_of(JxlPrimaries primaries, JxlTransferFunction transfer)
{
    JxlColorEncoding c;
    JxlColorEncodingSetToSRGB(&c, JXL_FALSE);
    c.primaries = primaries;
    c.transfer_function = transfer;
    return c;
}

static picture read_made(const made *w, satb_image *image)
{
    memory m = make(w, image);
    picture pic = case_picture("a.jxl", "JPEG XL", m.data, m.size);
    assert_int_equal(pic.orientation, 1);
    return pic;
}

static void done(picture *pic, satb_image *image)
{
    picture_free(pic);
}

/* The pixels come upright, and the orientation is told for what counts stored pixels. */
static void test_turn(void **state)
{
    satb_image image;
    picture pic = read_made(&(made){.orientation = 6}, &image);
    assert_int_equal(pic.image.width, HEIGHT);
    assert_int_equal(pic.meta.turned, 6);
    assert_memory_equal(pic.image.data, (uint8_t *)image.data + (HEIGHT - 1) * WIDTH * 3, 3);
    done(&pic, &image);
}

static void test_animation(void **state)
{
    static const char *const notes[] = {"", "", "1 further frame is not read",
                                        "2 further frames are not read"};
    for (int frames = 2; frames < 4; frames++) {
        satb_image image;
        picture pic = read_made(&(made){.frames = frames}, &image);
        assert_string_equal(pic.note, notes[frames]);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&pic.image));
        done(&pic, &image);
    }
}

/* Returns whether the head of a file says that colours are multiplied by alpha. */
static bool is_premultiplied(memory m)
{
    JxlBasicInfo info = {.xsize = 0};
    JxlDecoder *const decoder = JxlDecoderCreate(NULL);
    JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO);
    JxlDecoderSetInput(decoder, m.data, m.size);
    if (JxlDecoderProcessInput(decoder) == JXL_DEC_BASIC_INFO)
        JxlDecoderGetBasicInfo(decoder, &info);
    JxlDecoderDestroy(decoder);
    return info.xsize == WIDTH && info.ysize == HEIGHT && info.alpha_bits == 16 &&
           info.bits_per_sample == 16 && info.alpha_premultiplied;
}

/* Colours that were multiplied by alpha are divided by it. libjxl 0.7 writes none, but a bit of the head says it. */
static void test_premultiplied(void **state)
{
    satb_image image = case_noise(WIDTH, HEIGHT, 4, 16);
    memory m = case_encoded_by("a.jxl", &image, &(encode_settings){.quality = 100});
    size_t bit = 16;
    for (; bit < 2000; bit++) {
        m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (is_premultiplied(m))
            break;
        m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(bit < 2000);
    picture pic = case_picture("a.jxl", "JPEG XL", m.data, m.size);
    assert_int_equal(pic.orientation, 1);
    const uint16_t *const from = image.data, *const got = pic.image.data;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int c = 0; c < 3 && from[4 * i + 3] > 0; c++) {
            const double want = 65535.0 * from[4 * i + c] / from[4 * i + 3];
            assert_true(fabs(got[4 * i + c] - fmin(want, 65535)) <= 1);
        }
    picture_free(&pic);
}

/* PQ of BT.2020 is light whose white has 203 cd/m2, by the formula of ITU-R BT.2100-2. */
static void test_pq(void **state)
{
    satb_image image;
    const JxlColorEncoding pq = colours_of(JXL_PRIMARIES_2100, JXL_TRANSFER_FUNCTION_PQ);
    picture pic = read_made(&(made){.bits = 16, .colours = &pq}, &image);
    const uint16_t *const from = image.data, *const got = pic.image.data;
    assert_true(pic.image.half);
    assert_string_equal(
        pic.note, "its colours (PQ, BT.2020 primaries) were read as light, with 1 for diffuse "
                  "white; 267 samples are negative or not numbers and blur as 0");
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double light[3];
        for (int c = 0; c < 3; c++) {
            const double e = pow(from[3 * i + c] / 65535.0, 32 / 2523.0);
            light[c] =
                10000 / 203.0 *
                pow(fmax(e - 3424 / 4096.0, 0) / (2413 / 128.0 - 2392 / 128.0 * e), 16384 / 2610.0);
        }
        const double red = 1.6604910 * light[0] - 0.5876411 * light[1] - 0.0728499 * light[2];
        assert_true(fabs(half_to_float(got[3 * i]) - red) <= fabs(red) / 1024 + 1e-3);
    }
    assert_null(pic.meta.icc.data);
    done(&pic, &image);
}

/* Floats in linear light are halves, and others codes of 16 bits. */
static void test_floats(void **state)
{
    satb_image image;
    const JxlColorEncoding linear = colours_of(JXL_PRIMARIES_SRGB, JXL_TRANSFER_FUNCTION_LINEAR);
    picture pic = read_made(&(made){.is_float = true, .colours = &linear}, &image);
    assert_true(pic.image.half);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        assert_int_equal(((uint16_t *)pic.image.data)[i], half_of(((float *)image.data)[i]));
    done(&pic, &image);
    pic = read_made(&(made){.is_float = true}, &image);
    assert_false(pic.image.half);
    assert_string_equal(pic.note, "its floats are read as codes of 16 bits");
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        const float v = fminf(fmaxf(((float *)image.data)[i], 0), 1);
        assert_int_equal(((uint16_t *)pic.image.data)[i], lrintf(v * 65535));
    }
    done(&pic, &image);
}

/* Linear light of whole numbers, as which some programs store every picture of 16 bits, is codes in a map. */
static void test_map(void **state)
{
    const decode_settings map = {.as_map = true};
    const JxlColorEncoding linear = colours_of(JXL_PRIMARIES_SRGB, JXL_TRANSFER_FUNCTION_LINEAR);
    satb_image image;
    picture pic;
    problem p;
    memory m = make(&(made){.bits = 16, .colours = &linear}, &image);
    assert_true(picture_decode(&pic, m.data, m.size, "a.jxl", &map, &p));
    assert_false(pic.image.half);
    assert_memory_equal(pic.image.data, image.data, picture_bytes(&pic.image));
    done(&pic, &image);
    m = make(&(made){.is_float = true, .colours = &linear}, &image);
    assert_false(picture_decode(&pic, m.data, m.size, "a.jxl", &map, &p));
    assert_string_equal(p.text, "a.jxl: its floats are no codes; convert it to EXR");
}

/* Colours that are not sRGB's have a profile, which another file keeps byte for byte. */
static void test_profile(void **state)
{
    satb_image image;
    const JxlColorEncoding p3 = colours_of(JXL_PRIMARIES_P3, JXL_TRANSFER_FUNCTION_SRGB);
    picture pic = read_made(&(made){.colours = &p3}, &image);
    assert_true(pic.meta.icc.size > 300);
    assert_memory_equal(pic.image.data, image.data, picture_bytes(&pic.image));
    metadata_fit(&pic.meta, METADATA_JXL, 3);
    assert_string_equal(pic.meta.lost.text, "");
    const encode_settings s = {.quality = 100, .meta = &pic.meta};
    memory m = case_encoded_by("a.jxl", &pic.image, &s);
    picture again = case_picture("a.jxl", "JPEG XL", m.data, m.size);
    assert_int_equal(again.orientation, 1);
    assert_int_equal(again.meta.icc.size, pic.meta.icc.size);
    assert_memory_equal(again.meta.icc.data, pic.meta.icc.data, pic.meta.icc.size);
    picture_free(&again);
    done(&pic, &image);
}

/* What is not carried is named. */
static void test_beside(void **state)
{
    satb_image image;
    picture pic = read_made(
        &(made){.extra = JXL_CHANNEL_DEPTH, .box = "jumb", .data = "a signature"}, &image);
    assert_int_equal(pic.image.channels, 3);
    assert_string_equal(pic.meta.lost.text, "JUMBF, depth map");
    done(&pic, &image);
    pic = read_made(&(made){.box = "xml ", .data = PACKET}, &image);
    assert_int_equal(pic.meta.xmp.size, strlen(PACKET));
    done(&pic, &image);
    memory m = make(&(made){.extra = JXL_CHANNEL_BLACK}, &image);
    problem p;
    assert_false(picture_decode(&pic, m.data, m.size, "a.jxl", NULL, &p));
    assert_string_equal(p.text, "a.jxl: CMYK is not read here; save it as RGB");
}

UNIT_MAIN(UNIT(test_turn), UNIT(test_animation), UNIT(test_premultiplied), UNIT(test_pq),
          UNIT(test_floats), UNIT(test_map), UNIT(test_profile), UNIT(test_beside))
