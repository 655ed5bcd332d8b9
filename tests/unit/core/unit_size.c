/* core/base/size.c and core/backend/image.c: sizes that callers pass. core/base/memory.c: blocks that wait for the next picture. */
#include "unit/unit.h"

#include "backend/image.h"
#include "base/memory.h"
#include "base/size.h"

#include <malloc.h>

static uint16_t pixel[4];
static const void *freed; /* the last one */

void __real_free(void *data);
void __wrap_free(void *data);
void __wrap_free(void *data)
{
    freed = data;
    __real_free(data);
}

static void products(void **state)
{
    size_t p;

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

    assert_int_equal(satb_check_output(&context, &src, &dst), SATB_OK);
    dst.channels = 3;
    assert_int_equal(satb_check_output(&context, &src, &dst), SATB_ERR_ARG);
}

/* A block that is taken is large enough, and the smallest of those that are. */
static void spares_fit(void **state)
{
    enum { KIB = 1024, SIZES = 4 };
    static const size_t sizes[SIZES] = {300 * KIB, 100 * KIB, 400 * KIB, 200 * KIB};
    satb_spares s = {.count = 0};
    void *blocks[SIZES];

    for (int i = 0; i < SIZES; i++)
        satb_give(&s, blocks[i] = satb_allocate(sizes[i]));
    void *const one = satb_take(&s, 250 * KIB), *const two = satb_take(&s, 250 * KIB),
                *const small = satb_take(&s, 1), *const large = satb_take(&s, 5000 * KIB);
    assert_ptr_equal(one, blocks[0]);
    assert_ptr_equal(two, blocks[2]);
    assert_int_equal(s.count, 2); /* a small one is not taken of these, and a large one is new */
    assert_true(small && large && malloc_usable_size(large) >= 5000 * KIB);
    satb_give(&s, one);
    satb_give(&s, two);
    satb_give(&s, small);
    assert_int_equal(s.count, 4);
    satb_give(&s, large);
    satb_free_spares(&s);
    assert_int_equal(s.count, 0);
}

/* The oldest block goes. */
static void spares_are_few(void **state)
{
    satb_spares s = {.count = 0};
    void *blocks[SATB_SPARES + 1];

    for (int i = 0; i <= SATB_SPARES; i++) {
        freed = NULL;
        satb_give(&s, blocks[i] = satb_allocate(1 << 17));
        assert_ptr_equal(freed, i < SATB_SPARES ? NULL : blocks[0]);
    }
    assert_int_equal(s.count, SATB_SPARES);
    assert_ptr_equal(s.blocks[0], blocks[1]);
    satb_free_spares(&s);
}

UNIT_MAIN(UNIT(products), UNIT(images), UNIT(outputs), UNIT(spares_fit), UNIT(spares_are_few))
