/* WebP: lossless pictures and alpha come back bit for bit, metadata is carried, an animation gives its first frame, and
 * damaged files are refused. */
#include "unit/codec/codec_case.h"
#include "unit/metadata/metadata_case.h"

#include "image/shape.h"

#include <string.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "unit/unit.h"

static const encode_settings lossless = {.quality = 100}, lossy = {.quality = 90};

static int kind_of(memory m) /* 1: lossy, 2: lossless */
{
    WebPBitstreamFeatures f;
    assert_int_equal(WebPGetFeatures(m.data, m.size, &f), VP8_STATUS_OK);
    return f.format;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static void test_lossless(void **state)
{
    static const int sizes[][2] = {{1, 1}, {50, 40}, {257, 129}};
    for (int i = 0; i < 3 * 2; i++) {
        const int channels = 3 + i / 3;
        satb_image image = case_noise(sizes[i % 3][0], sizes[i % 3][1], channels, 8);
        memory m = case_encoded_by("a.webp", &image, &lossless);
        picture pic = case_picture("a.webp", "WebP", m.data, m.size);
        assert_int_equal(kind_of(m), 2);
        assert_int_equal(pic.image.channels, channels);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        assert_string_equal(pic.note, "");
        picture_free(&pic);
    }
}

/* Colours are near in a smooth picture, and alpha is the same. */
static void test_lossy(void **state)
{
    satb_image image = case_noise(64, 48, 4, 8);
    uint8_t *const at = image.data;
    for (int i = 0; i < 64 * 48; i++) {
        at[4 * i] = (uint8_t)(i % 64 * 2 + 60);
        at[4 * i + 1] = (uint8_t)(i / 64 * 3 + 60);
        at[4 * i + 2] = 100;
        at[4 * i + 3] |= 1; /* nothing is clear */
    }
    memory m = case_encoded_by("a.webp", &image, &lossy);
    picture pic = case_picture("a.webp", "WebP", m.data, m.size);
    const uint8_t *const got = pic.image.data;
    assert_int_equal(kind_of(m), 1);
    assert_int_equal(pic.image.channels, 4);
    for (int i = 0; i < 64 * 48; i++) {
        for (int c = 0; c < 3; c++)
            assert_in_range(got[4 * i + c] - at[4 * i + c] + 12, 0, 24);
        assert_int_equal(got[4 * i + 3], at[4 * i + 3]);
    }
    picture_free(&pic);
}

/* A lossless WebP stays lossless, unless the caller has cleared the mark. */
static void test_stays_lossless(void **state)
{
    satb_image image = case_noise(33, 21, 3, 8);
    for (int i = 0; i < 2; i++) {
        memory m = case_encoded_by("a.webp", &image, i ? &lossy : &lossless);
        picture pic = case_picture("a.webp", "WebP", m.data, m.size);
        assert_int_equal(pic.meta.is_lossless, i == 0);
        encode_settings s = {.quality = 50, .meta = &pic.meta};
        memory again = case_encoded_by("a.webp", &pic.image, &s);
        assert_int_equal(kind_of(again), i ? 1 : 2);
        pic.meta.is_lossless = false;
        again = case_encoded_by("a.webp", &pic.image, &s);
        assert_int_equal(kind_of(again), 1);
        picture_free(&pic);
    }
}

static void test_largest_side(void **state)
{
    satb_image image = {.width = 16383, .height = 2, .channels = 3, .bits = 8, .stride = 16383 * 3};
    satb_image fit;
    char note[128];
    problem p;
    const codec *const c = codec_for_output("a.webp", &p);
    assert_true(codec_fit(c, &image, CODEC_FAST, &fit, note, &p));
    image.width++;
    assert_false(codec_fit(c, &image, CODEC_FAST, &fit, note, &p));
    assert_string_equal(p.text, "WebP cannot hold 16384 x 2 pixels; use .png");
}

/* --- Animations ------------------------------------------------------------------------------- */

static memory animation(int frames)
{
    WebPAnimEncoderOptions options;
    WebPConfig config;
    WebPData data;
    assert_true(WebPAnimEncoderOptionsInit(&options) && WebPConfigInit(&config) &&
                WebPConfigLosslessPreset(&config, 1));
    WebPAnimEncoder *const encoder = WebPAnimEncoderNew(20, 10, &options);
    for (int i = 0; i < frames; i++) {
        WebPPicture frame;
        satb_image image = case_noise(20, 10, 3, 8);
        ((uint8_t *)image.data)[0] = (uint8_t)(i * 50);
        assert_true(WebPPictureInit(&frame));
        frame.width = 20;
        frame.height = 10;
        frame.use_argb = 1;
        assert_true(WebPPictureImportRGB(&frame, image.data, 60));
        assert_true(WebPAnimEncoderAdd(encoder, &frame, 100 * i, &config));
        WebPPictureFree(&frame);
    }
    assert_true(WebPAnimEncoderAdd(encoder, NULL, 100 * frames, NULL));
    assert_true(WebPAnimEncoderAssemble(encoder, &data));
    WebPAnimEncoderDelete(encoder);
    memory m = {0};
    assert_true(memory_write(&m, data.bytes, data.size));
    WebPDataClear(&data);
    return m;
}

static void test_animation(void **state)
{
    static const char *const notes[] = {"", "", "1 further frame is not read",
                                        "2 further frames are not read"};
    for (int frames = 2; frames < 4; frames++) {
        memory m = animation(frames);
        picture pic = case_picture("a.webp", "WebP", m.data, m.size);
        satb_image first = case_noise(20, 10, 3, 8);
        ((uint8_t *)first.data)[0] = 0;
        assert_string_equal(pic.note, notes[frames]);
        assert_int_equal(pic.image.width, 20);
        for (int i = 0; i < 200; i++)
            assert_memory_equal((uint8_t *)pic.image.data + i * pic.image.channels,
                                (uint8_t *)first.data + 3 * i, 3);
        picture_free(&pic);
    }
}

/* --- Metadata --------------------------------------------------------------------------------- */

static void test_metadata(void **state)
{
    satb_image image = case_noise(20, 10, 3, 8);
    blob exif = case_exif(false, 6);
    metadata m = {.icc = case_profile(301, "RGB ")};
    metadata_take_exif(&m, blob_view(&exif));
    metadata_take_xmp(&m, (bytes){.data = (const uint8_t *)PACKET, .size = strlen(PACKET)});
    const encode_settings s = {.quality = 100, .meta = &m};
    memory file = case_encoded_by("a.webp", &image, &s);
    picture pic = case_picture("a.webp", "WebP", file.data, file.size);
    assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
    assert_int_equal(pic.orientation, 6);
    assert_int_equal(pic.meta.icc.size, m.icc.size);
    assert_memory_equal(pic.meta.icc.data, m.icc.data, m.icc.size);
    assert_int_equal(pic.meta.exif.size, m.exif.size);
    assert_memory_equal(pic.meta.exif.data, m.exif.data, m.exif.size);
    assert_int_equal(pic.meta.xmp.size, strlen(PACKET));
    assert_memory_equal(pic.meta.xmp.data, PACKET, strlen(PACKET));
    assert_string_equal(pic.meta.lost.text, "");
    assert_int_equal(metadata_fit(&pic.meta, METADATA_WEBP, 3), 1); /* the tag stays */
    assert_int_equal(metadata_fit(&pic.meta, METADATA_PNG, 3), 6);
    picture_free(&pic);
    metadata_free(&m);
    blob_free(&exif);
}

/* --- Damage ----------------------------------------------------------------------------------- */

static void test_damage(void **state)
{
    satb_image image = case_noise(9, 7, 4, 8);
    for (int i = 0; i < 2; i++) {
        memory m = case_encoded_by("a.webp", &image, i ? &lossy : &lossless);
        case_damage("a.webp", m);
    }
    memory m = animation(2);
    case_damage("a.webp", m);
}

/* Heads of 30 bytes that claim more pixels than a WebP has, and as many as it may have. */
static void test_claims(void **state)
{
    uint8_t head[] = "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\x7f\0\0";
    case_refused("a.webp", head, 30, "16777216 x 128 pixels");
    memcpy(head + 24, "\xff\x3f\0\0\0\0", 6);
    case_refused("a.webp", head, 30, "at most 16383 a side");
    memcpy(head + 24, "\xfe\x3f\0\xfe\x3f\0", 6);
    case_refused("a.webp", head, 30, "cut off");
}

/* An animation whose canvas is far larger than its frames. */
static void test_canvas(void **state)
{
    enum { CANVAS = 24 }; /* the offset of its sides in VP8X */
    memory m = animation(2);
    picture pic;
    memcpy(m.data + CANVAS, "\xff\x03\0\xff\x01\0", 6);
    pic = case_picture("a.webp", "WebP", m.data, m.size);
    assert_int_equal(pic.image.width, 1024);
    assert_int_equal(pic.image.height, 512);
    picture_free(&pic);
    memcpy(m.data + CANVAS, "\xfe\x3f\0\xfe\x3f\0", 6);
    case_refused("a.webp", m.data, m.size, "claims 16383 x 16383 pixels in");
}

UNIT_MAIN(UNIT(test_lossless), UNIT(test_lossy), UNIT(test_stays_lossless), UNIT(test_largest_side),
          UNIT(test_animation), UNIT(test_metadata), UNIT(test_damage), UNIT(test_claims),
          UNIT(test_canvas))
