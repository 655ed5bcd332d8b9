/* Contexts and memory: promises of satblur.h that no kernel test sees. */
#include "unit/api/api_case.h"

#include <string.h>

static void opening(void **state)
{
    satb_context *context = (satb_context *)1;
    satb_config config = {.device = (satb_device)7};

    assert_int_equal(satb_open(&context, &config), SATB_ERR_ARG);
    assert_null(context);
    assert_true(strlen(satb_open_message()) > 0);
    assert_int_equal(satb_open(&context, NULL), SATB_OK);
    assert_true(strlen(satb_open_message()) == 0);
    satb_close(&context);
    satb_close(&context);
    satb_close(NULL);
    config = (satb_config){.device = SATB_DEVICE_CUDA, .cuda_index = 99};
    assert_int_equal(satb_open(&context, &config), SATB_ERR_UNAVAILABLE);
    assert_null(strchr(satb_open_message(), '\n'));
    assert_non_null(satb_version());
    assert_non_null(satb_status_text((satb_status)-5));
    assert_string_equal(satb_stage_name(SATB_STAGE_DEPTH), "depth");
    assert_string_equal(satb_stage_name(SATB_STAGE_DOWNLOAD), "download");
    assert_non_null(satb_stage_name(SATB_STAGES));
}

/* A CPU context refuses images on a device. */
static void no_device_no_images_there(void **state)
{
    const satb_image src = make(8, 8, 1, 8, 1);
    satb_image there = src;
    satb_channel_stats stats;

    there.on_device = 1;
    const satb_box_params params = {1, 1, {0}};
    assert_int_equal(satb_box(cpu, &there, &src, &params), SATB_ERR_ARG);
    assert_string_equal(satb_last_message(cpu), "source: is on a device, but the context has none");
    assert_int_equal(satb_box(cpu, &src, &there, &params), SATB_ERR_ARG);
    assert_int_equal(satb_measure(cpu, &there, &stats), SATB_ERR_ARG);
    assert_int_equal(satb_dof(cpu, &src, &there, &src, &(satb_dof_params){0}, NULL), SATB_ERR_ARG);
}

static void threads_do_not_matter(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 7};
    const satb_image src = make(131, 97, 4, 16, 11), a = make(131, 97, 4, 16, 12),
                     b = make(131, 97, 4, 16, 13);
    const satb_box_params params = {12.75, 3, {0}};
    satb_context *seven;

    assert_int_equal(satb_open(&seven, &config), SATB_OK);
    ok(satb_box(cpu, &src, &a, &params));
    ok(satb_box(seven, &src, &b, &params));
    same(&a, &b);
    satb_close(&seven);
    assert_null(seven);
}

/* Memory is locked once, if there is a GPU, and results are the same. */
static void memory_is_pinned(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    const satb_image src = make(300, 200, 3, 8, 1), dst = make(300, 200, 3, 8, 2);
    const satb_image want = make(300, 200, 3, 8, 3);
    const satb_box_params params = {.radius_x = 4, .radius_y = 4};
    satb_context *cuda = NULL;

    const int is_there = satb_open(&cuda, &config) == SATB_OK;
    const satb_status status = satb_pin(src.data, bytes_of(&src));
    assert_int_equal(status, is_there ? SATB_OK : SATB_ERR_UNAVAILABLE);
    ok(satb_box(cpu, &src, &want, &params));
    if (is_there) {
        assert_int_equal(satb_pin(src.data, bytes_of(&src)), SATB_ERR_UNAVAILABLE);
        assert_int_equal(satb_box(cuda, &src, &dst, &params), SATB_OK);
        same(&want, &dst);
        satb_unpin(src.data);
        assert_int_equal(satb_pin(src.data, bytes_of(&src)), SATB_OK);
        satb_unpin(src.data);
    }
    satb_close(&cuda);
}

/* Trimming between calls, even several times, changes no result. */
static void memory_is_given_back(void **state)
{
    static const satb_device devices[] = {SATB_DEVICE_CPU, SATB_DEVICE_CUDA};
    const satb_image src = make(120, 90, 3, 8, 1), depth = make(120, 90, 1, 8, 2);
    const satb_image dst = make(120, 90, 3, 8, 3), want = make(120, 90, 3, 8, 4);
    const satb_dof_params params = {.max_radius = 6, .range_high = 1};

    ok(satb_dof(cpu, &src, &depth, &want, &params, NULL));
    for (int i = 0; i < 2; i++) {
        const satb_config config = {.device = devices[i]};
        satb_context *context;
        if (satb_open(&context, &config) != SATB_OK)
            continue;
        for (int round = 0; round < 3; round++) {
            memset(dst.data, 0, bytes_of(&dst));
            assert_int_equal(satb_dof(context, &src, &depth, &dst, &params, NULL), SATB_OK);
            same(&want, &dst);
            for (int times = 0; times < round; times++)
                satb_trim(context);
        }
        satb_close(&context);
    }
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(opening), UNIT(no_device_no_images_there),
                 UNIT(threads_do_not_matter), UNIT(memory_is_pinned), UNIT(memory_is_given_back))
