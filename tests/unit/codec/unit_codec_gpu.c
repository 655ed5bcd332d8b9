/* The memory of a GPU that is retained for the next JPEGs, and when it goes back; on an emulated device. */
#include "codec/codec.h"
#include "image/device_pixels.h"

#include <stdlib.h>

#include "unit/unit.h"

enum { WIDTH = 20, HEIGHT = 18, BLOCK = 1 << 20 };

static bool count(void *user, const void *data, size_t size)
{
    (void)data;
    *(size_t *)user += size;
    return true;
}

/* Writes a JPEG by the codec that is idle for longest. */
static void write_one(void)
{
    static uint8_t pixels[HEIGHT][WIDTH][3];
    const satb_image image = {.width = WIDTH,
                              .height = HEIGHT,
                              .stride = WIDTH * 3,
                              .channels = 3,
                              .bits = 8,
                              .data = pixels};
    size_t size = 0;
    sink to = {.write = count, .user = &size};
    problem p;
    assert_int_equal(nvjpeg_encode(&image, 90, &to, &p), GPU_DONE);
    assert_true(size > 0);
}

static void keep_a_block(void)
{
    void *const data = device_pixels_allocate(0, BLOCK);
    assert_non_null(data);
    device_pixels_free(data);
}

static int open_two(void **state)
{
    problem p;
    return !nvjpeg_open(0, 1, 2, &p) || !nvjpeg_trim(0); /* the first codec is open by then */
}

static int close_all(void **state)
{
    nvjpeg_close();
    return 0;
}

static void test_codecs(void **state)
{
    assert_false(nvjpeg_trim(0));
    for (int i = 0; i < 3; i++) { /* each of the two, and one again */
        write_one();
        assert_true(nvjpeg_trim(0));
        assert_false(nvjpeg_trim(0));
    }
    write_one();
    write_one();
    assert_true(nvjpeg_trim(0)); /* both at once */
    assert_false(nvjpeg_trim(0));
}

static void test_blocks(void **state)
{
    keep_a_block();
    assert_true(nvjpeg_trim(0));
    assert_false(nvjpeg_trim(0));
    void *const used = device_pixels_allocate(0, BLOCK);
    assert_false(nvjpeg_trim(0));
    device_pixels_free(used);
    assert_ptr_equal(device_pixels_allocate(0, BLOCK), used);
    void *const other = device_pixels_allocate(0, BLOCK);
    assert_non_null(other);
    assert_ptr_not_equal(other, used);
    device_pixels_free(other);
    device_pixels_free(used);
    assert_true(nvjpeg_trim(0));
}

/* Retained memory goes back, and none is retained while memory is short. */
static void test_shortage(void **state)
{
    write_one();
    keep_a_block();
    nvjpeg_set_low_memory(true);
    assert_false(nvjpeg_trim(0));
    write_one();
    assert_false(nvjpeg_trim(0));
    keep_a_block();
    assert_false(nvjpeg_trim(0));
    nvjpeg_set_low_memory(false);
    write_one();
    assert_true(nvjpeg_trim(0));
    keep_a_block();
    assert_true(nvjpeg_trim(0));
}

int main(void)
{
    setenv("EMULATE_MEMORY", "64000000000", true); /* enough for two codecs */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_codecs, open_two, close_all),
        cmocka_unit_test_setup_teardown(test_blocks, open_two, close_all),
        cmocka_unit_test_setup_teardown(test_shortage, open_two, close_all),
    };
    return cmocka_run_group_tests_name("codec_gpu", tests, NULL, NULL);
}
