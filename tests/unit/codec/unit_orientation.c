/* The eight ways to turn a picture, against pictures written out by hand. */
#include "unit/codec/codec_case.h"
#include "image/orientation.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static satb_image of_text(const char *text, int width, int height)
{
    satb_image image = {
        .width = width, .height = height, .stride = width, .channels = 1, .bits = 8};
    image.data = malloc((size_t)(width * height));
    assert_non_null(image.data);
    memcpy(image.data, text, (size_t)(width * height));
    return image;
}

/* The row and column of the stored picture that are the upright one's top and left: EXIF 2.3,
 * 4.6.4. */
static void test_by_hand(void **state)
{
    static const char *const upright[] = {"",       "abcdef", "cbafed", "fedcba", "defabc",
                                          "adbecf", "daebfc", "fcebda", "cfbead"};
    for (int orientation = 1; orientation <= 8; orientation++) {
        satb_image image = of_text("abcdef", 3, 2);
        assert_true(orientation_apply(&image, orientation));
        assert_int_equal(image.width, orientation < 5 ? 3 : 2);
        assert_int_equal(image.height, orientation < 5 ? 2 : 3);
        assert_int_equal(image.stride, image.width);
        assert_memory_equal(image.data, upright[orientation], 6);
        free(image.data);
    }
}

/* Pixels of every size, beyond a tile, come from the place that orientation_point_to_stored()
 * returns. Turning back gives the stored picture. */
static void test_all_kinds(void **state)
{
    for (int kind = 0; kind < 8 * 8; kind++) {
        const int orientation = 1 + kind % 8, channels = 1 + kind / 8 % 4,
                  bits = kind < 32 ? 8 : 16;
        const size_t pixel = (size_t)(channels * bits / 8);
        satb_image stored = case_noise(131, 67, channels, bits), turned = stored;
        turned.data = malloc(picture_bytes(&stored));
        assert_non_null(turned.data);
        memcpy(turned.data, stored.data, picture_bytes(&stored));
        assert_true(orientation_apply(&turned, orientation));
        for (int y = 0; y < turned.height; y++) {
            for (int x = 0; x < turned.width; x++) {
                int from_x = x, from_y = y;
                orientation_point_to_stored(orientation, turned.width, turned.height, &from_x,
                                            &from_y);
                assert_in_range(from_x, 0, stored.width - 1);
                assert_in_range(from_y, 0, stored.height - 1);
                const uint8_t *from = (const uint8_t *)stored.data + from_y * stored.stride,
                              *to = (const uint8_t *)turned.data + y * turned.stride;
                if (memcmp(from + (size_t)from_x * pixel, to + (size_t)x * pixel, pixel) != 0)
                    fail_msg("orientation %d, %d channels, %d bits: %d,%d", orientation, channels,
                             bits, x, y);
            }
        }
        assert_true(orientation_apply(&turned, orientation_inverse(orientation)));
        assert_int_equal(turned.width, stored.width);
        assert_memory_equal(turned.data, stored.data, picture_bytes(&stored));
        free(turned.data);
    }
}

UNIT_MAIN(UNIT(test_by_hand), UNIT(test_all_kinds))
