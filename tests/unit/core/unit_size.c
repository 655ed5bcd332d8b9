/* core/base/size.c and core/backend/image.c: sizes that callers pass. */
#include "unit/unit.h"

#include "backend/image.h"
#include "base/size.h"

static uint16_t pixel[4];

static void products(void **state)
{
    size_t p;

    (void)state;
    assert_true(satb_multiply(0, SIZE_MAX, &p) && p == 0);
    assert_true(satb_multiply(SIZE_MAX, 1, &p) && p == SIZE_MAX);
    assert_false(satb_multiply(SIZE_MAX / 2 + 1, 2, &p));
    assert_true(satb_multiply((size_t)1 << 31, (size_t)1 << 31, &p) && p == (size_t)1 << 62);
}

static satb_image good(void)
{
    return (satb_image){pixel, 8, 1, 1, 4, 16, 0, 0};
}

static void refused(satb_image image)
{
    satb_context context = {0};

    assert_int_equal(satb_check_image(&context, &image, "source"), SATB_ERR_ARG);
    assert_memory_equal(context.message, "source: ", 8);
}

static void images(void **state)
{
    satb_context context = {0};
    satb_image image = good();

    (void)state;
    assert_int_equal(satb_check_image(&context, &image, "source"), SATB_OK);
    assert_int_equal(satb_check_image(&context, NULL, "source"), SATB_ERR_ARG);
#define REFUSED(change) (image = good(), image.change, refused(image))
    REFUSED(data = NULL);
    REFUSED(width = 0);
    REFUSED(width = -1);
    REFUSED(height = 0);
    REFUSED(width = (1 << 24) + 1);
    REFUSED(channels = 0);
    REFUSED(channels = 5);
    REFUSED(bits = 12);
    REFUSED(stride = 7);
    REFUSED(stride = -8);
    REFUSED(stride = 9);
    REFUSED(data = (uint8_t *)pixel + 1);
    image = good();
    image.width = image.height = 1 << 16;
    image.stride = (ptrdiff_t)1 << 20;
    refused(image);
}

static void outputs(void **state)
{
    satb_context context = {0};
    const satb_image src = good();
    satb_image dst = good();

    (void)state;
    assert_int_equal(satb_check_output(&context, &src, &dst), SATB_OK);
    dst.channels = 3;
    assert_int_equal(satb_check_output(&context, &src, &dst), SATB_ERR_ARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(images),
        cmocka_unit_test(outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
