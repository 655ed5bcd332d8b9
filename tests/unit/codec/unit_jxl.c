/* JPEG XL as it is written: lossless pictures come back bit for bit, metadata is carried, and damaged files are refused. */
#include "unit/codec/codec_case.h"
#include "unit/metadata/metadata_case.h"

#include "image/half.h"
#include "image/shape.h"

#include <string.h>

#include "unit/unit.h"

static const encode_settings lossless = {.quality = 100}, lossy = {.quality = 90};

/* --- What is written -------------------------------------------------------------------------- */

static void test_lossless(void **state)
{
    static const int sizes[][2] = {{1, 1}, {50, 40}, {257, 129}};
    for (int i = 0; i < 3 * 4 * 2; i++) {
        satb_image image =
            case_noise(sizes[i % 3][0], sizes[i % 3][1], 1 + i / 3 % 4, 8 + i / 12 * 8);
        memory m = case_encoded_by("a.jxl", &image, &lossless);
        picture pic = case_picture("a.jxl", "JPEG XL", m.data, m.size);
        assert_int_equal(pic.orientation, 1);
        assert_int_equal(pic.image.channels, image.channels);
        assert_int_equal(pic.image.bits, image.bits);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        assert_string_equal(pic.note, "");
        assert_null(pic.meta.icc.data);
        picture_free(&pic);
    }
}

/* Halves of every size and sign come back; infinity is the largest one, and NaN is 0. */
static void test_light(void **state)
{
    satb_image image = case_noise(256, 256, 1, 16);
    uint16_t *const at = image.data;
    image.half = 1;
    for (int i = 0; i < 65536; i++)
        at[i] = (uint16_t)i;
    memory m = case_encoded_by("a.jxl", &image, &lossless);
    picture pic = case_picture("a.jxl", "JPEG XL", m.data, m.size);
    assert_int_equal(pic.orientation, 1);
    assert_true(pic.image.half);
    for (int i = 0; i < 65536; i++) {
        const int size = i & 0x7fff;
        const int want = size < HALF_INFINITY    ? i
                         : size == HALF_INFINITY ? (i & 0x8000) | HALF_LARGEST
                                                 : 0;
        assert_int_equal(((uint16_t *)pic.image.data)[i], want);
    }
    picture_free(&pic);
}

/* Light is multiplied by alpha, and stays as it is. */
static void test_light_alpha(void **state)
{
    for (int channels = 2; channels <= 4; channels += 2) {
        satb_image image = case_noise(9, 7, channels, 16);
        uint16_t *const at = image.data;
        image.half = 1;
        for (int i = 0; i < 9 * 7 * channels; i++)
            at[i] = half_of(i % channels == channels - 1 ? 0.25F * (float)(1 + i % 4) : (float)i);
        memory m = case_encoded_by("a.jxl", &image, &lossless);
        picture pic = case_picture("a.jxl", "JPEG XL", m.data, m.size);
        assert_int_equal(pic.orientation, 1);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        picture_free(&pic);
    }
}

/* Colours are near, and a higher quality has more bytes. The threads do not count. */
static void test_lossy(void **state)
{
    satb_image image = case_noise(300, 300, 3, 8);
    uint8_t *const at = image.data;
    for (int i = 0; i < 300 * 300 * 3; i++)
        at[i] = (uint8_t)(at[i] / 16 + i / 3 % 300 / 2 + 40);
    size_t before = 0;
    for (int quality = 10; quality <= 90; quality += 20) {
        encode_settings s = {.quality = quality, .threads = 1};
        memory m = case_encoded_by("a.jxl", &image, &s);
        s.threads = 3;
        memory same = case_encoded_by("a.jxl", &image, &s);
        assert_int_equal(m.size, same.size);
        assert_memory_equal(m.data, same.data, m.size);
        assert_true(m.size > before);
        before = m.size;
        picture pic = case_picture("a.jxl", "JPEG XL", m.data, m.size);
        assert_int_equal(pic.orientation, 1);
        for (int i = 0; i < 300 * 300 * 3 && quality == 90; i++)
            assert_in_range(((uint8_t *)pic.image.data)[i] - at[i] + 20, 0, 40);
        picture_free(&pic);
    }
}

static void test_metadata(void **state)
{
    satb_image image = case_noise(20, 10, 3, 8);
    blob exif = case_exif(false, 1);
    metadata m = {.icc = case_profile(301, "RGB ")}, none = {.from = METADATA_NONE};
    metadata_take_exif(&m, blob_view(&exif));
    metadata_take_xmp(&m, (bytes){.data = (const uint8_t *)PACKET, .size = strlen(PACKET)});
    metadata_fit(&m, METADATA_JXL, 3);
    assert_string_equal(m.lost.text, "colour profile (its library does not understand it)");
    const encode_settings s = {.quality = 100, .meta = &m}, plain = {.quality = 100, .meta = &none};
    memory file = case_encoded_by("a.jxl", &image, &s);
    picture pic = case_picture("a.jxl", "JPEG XL", file.data, file.size);
    assert_int_equal(pic.orientation, 1);
    assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
    assert_int_equal(pic.meta.exif.size, m.exif.size);
    assert_memory_equal(pic.meta.exif.data, m.exif.data, m.exif.size);
    assert_int_equal(pic.meta.xmp.size, strlen(PACKET));
    assert_memory_equal(pic.meta.xmp.data, "<x:xmpmeta tiff:Orientation=\"1\"/>", strlen(PACKET));
    assert_string_equal(pic.meta.lost.text, "");
    file = case_encoded_by("a.jxl", &image, &plain);
    assert_memory_equal(file.data, "\xff\x0a", 2); /* no boxes for nothing */
    picture_free(&pic);
    metadata_free(&m);
    blob_free(&exif);
}

/* --- Damage ----------------------------------------------------------------------------------- */

static void test_damage(void **state)
{
    satb_image image = case_noise(9, 7, 4, 8);
    for (int i = 0; i < 2; i++) {
        memory m = case_encoded_by("a.jxl", &image, i ? &lossy : &lossless);
        case_damage("a.jxl", m);
    }
}

static void put_bits(uint8_t *to, int *at, uint32_t value, int count)
{
    for (int i = 0; i < count; i++, ++*at)
        to[*at / 8] |= (uint8_t)((value >> i & 1) << *at % 8);
}

/* Heads that claim more pixels than a side may have, more than a limit, and more than their bytes can stand for. */
static void test_claims(void **state)
{
    static const struct {
        uint32_t side;
        const char *says;
    } claims[] = {{1 << 30, "at most 16777216 a side"},
                  {1 << 18, "262144 x 262144 pixels"},
                  {20000, "claims 20000 x 20000 pixels in"}};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        uint8_t head[40] = "\xff\x0a";
        int at = 16;
        put_bits(head, &at, 0, 1); /* not small */
        put_bits(head, &at, 3, 2); /* the height has 30 bits */
        put_bits(head, &at, claims[i].side - 1, 30);
        put_bits(head, &at, 1, 3); /* the width is the same */
        put_bits(head, &at, 3, 2); /* all else is usual */
        case_refused("a.jxl", head, sizeof head, claims[i].says);
    }
}

UNIT_MAIN(UNIT(test_lossless), UNIT(test_light_alpha), UNIT(test_light), UNIT(test_lossy),
          UNIT(test_metadata), UNIT(test_damage), UNIT(test_claims))
