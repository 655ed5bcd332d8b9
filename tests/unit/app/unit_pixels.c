/* Memory of pixels: blocks that are kept for the next picture, and pinned. */
#include "image/pixels.h"
#include "unit/unit.h"

#include <string.h>

/* Kept blocks are used again, the last one first, if they are large enough and not far too
 * large. */
static void test_kept_pixels(void **state)
{
    enum { MB = 1 << 20 };
    pixels_keep(2);
    void *const small = pixels_allocate(5 * MB), *const large = pixels_allocate(60 * MB);
    void *const other = pixels_allocate(60 * MB);
    assert_true(small && large && other);
    pixels_free(small);
    pixels_free(large);
    assert_ptr_equal(pixels_allocate(59 * MB), large);
    assert_ptr_equal(pixels_allocate(5 * MB), small);
    pixels_free(small); /* which makes room for the last of these */
    pixels_free(large);
    pixels_free(other);
    assert_ptr_equal(pixels_allocate(60 * MB), other);
    void *const fresh = pixels_allocate(6 * MB);
    memset(fresh, 1, 6 * MB); /* neither too small nor anyone else's */
    assert_ptr_equal(pixels_allocate(60 * MB), large);
    pixels_free(large);
    pixels_keep(0); /* under a leak checker: it is freed now, and the others at once */
    pixels_free(other);
    pixels_free(fresh);
    pixels_free(NULL);
}

static int pins, pinned;

static satb_status pin(void *data, size_t size)
{
    memset(data, 7, size); /* all of it is there */
    pins++;
    pinned++;
    return pins != 2 ? SATB_OK : SATB_ERR_UNAVAILABLE;
}

static void unpin(void *data)
{
    (void)data;
    pinned--;
}

/* Blocks are pinned only while they are kept, once each, and are unpinned before they are freed. */
static void test_pinned_pixels(void **state)
{
    enum { MB = 1 << 20 };
    void *const first = pixels_allocate(5 * MB), *const second = pixels_allocate(5 * MB);
    pixels_pin_by(pin, unpin);
    pixels_pin(first);
    assert_int_equal(pins, 0); /* nothing is kept */
    pixels_keep(1);
    pixels_pin(first);
    pixels_pin(first);
    assert_int_equal(pins, 1);
    pixels_pin(second); /* refused, and so never undone */
    pinned--;
    pixels_free(first);
    assert_int_equal(pinned, 1); /* kept as it is */
    pixels_free(second);         /* in place of the first */
    assert_int_equal(pinned, 0);
    void *const again = pixels_allocate(5 * MB), *const small = pixels_allocate(1000);
    assert_ptr_equal(again, second);
    pixels_pin(small);
    assert_int_equal(pins, 2);
    pixels_pin(again);
    assert_int_equal(pinned, 1);
    pixels_free(small);
    pixels_free(again);
    pixels_keep(0);
    assert_int_equal(pinned, 0);
    pixels_pin_by(NULL, NULL);
}

UNIT_MAIN(UNIT(test_kept_pixels), UNIT(test_pinned_pixels))
