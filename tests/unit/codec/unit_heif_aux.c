/* Depth maps and mattes of HEIC files: which picture is found, how it is turned, and what its codes mean. */
#include "codec/heif/heif_aux.h"
#include "image/orientation.h"
#include "image/pixels.h"
#include "unit/codec/heif_case.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

#define DEPTH     "urn:mpeg:hevc:2015:auxid:2"
#define DEPTH_TOO "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
#define MATTE     "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
#define GAIN      "urn:com:apple:photo:2020:aux:hdrgainmap"

static const decode_settings settings;

static heif_aux_image read_aux(const blob *file, heif_aux kind)
{
    heif_aux_image out;
    problem p;
    if (heif_aux_read(blob_view(file), kind, &settings, &out, &p) != HEIF_AUX_READ)
        fail_msg("not read: %s", p.text);
    return out;
}

static satb_image flat(int width, int height, uint8_t code)
{
    satb_image image = heif_case_ramp(width, height);
    memset(image.data, code, (size_t)width * (size_t)height);
    return image;
}

static void assert_near(const satb_image *a, const satb_image *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->channels, 1);
    const uint8_t *x = a->data, *y = b->data;
    for (int i = 0; i < a->width * a->height; i++)
        assert_in_range(x[i] + 3 - y[i], 0, 6);
}

/* The type decides: the pictures stand in an order that would mislead, and beside others. */
static void test_types(void **state)
{
    static const char *const depths[] = {DEPTH, DEPTH_TOO};
    for (int i = 0; i < 2; i++) {
        heif_case_part parts[] = {{.image = heif_case_ramp(128, 64)},
                                  {.image = flat(64, 64, 40), .type = GAIN},
                                  {.image = flat(64, 128, 80), .type = MATTE},
                                  {.image = flat(64, 64, 120), .type = depths[i]}};
        blob file = heif_case_file(parts, 4);
        heif_aux_image depth = read_aux(&file, HEIF_AUX_DEPTH);
        heif_aux_image matte = read_aux(&file, HEIF_AUX_MATTE);
        assert_near(&depth.image, &parts[3].image);
        assert_near(&matte.image, &parts[2].image);
        assert_int_equal(depth.white, 255);
        assert_int_equal(depth.type, SATB_DEPTH_DISPARITY);
        assert_false(depth.near_black);
        assert_true(depth.distance_near == 0 && depth.distance_far == 0);
        pixels_free(depth.image.data);
        pixels_free(matte.image.data);
        blob_free(&file);
    }
}

/* A map whose file says so is of limited range. */
static void test_range(void **state)
{
    heif_case_part parts[] = {
        {.image = heif_case_ramp(128, 64)},
        {.image = flat(64, 64, 126), .type = DEPTH, .nclx = "\0\1\0\x0d\0\6\0"},
        {.image = flat(64, 64, 126), .type = MATTE}};
    blob file = heif_case_file(parts, 3);
    heif_aux_image depth = read_aux(&file, HEIF_AUX_DEPTH);
    heif_aux_image matte = read_aux(&file, HEIF_AUX_MATTE);
    assert_in_range(((const uint8_t *)depth.image.data)[0], 127, 129);
    assert_in_range(((const uint8_t *)matte.image.data)[0], 125, 127);
    pixels_free(depth.image.data);
    pixels_free(matte.image.data);
    blob_free(&file);
}

static void test_none(void **state)
{
    heif_case_part parts[] = {{.image = heif_case_ramp(64, 64)},
                              {.image = flat(64, 64, 40), .type = GAIN}};
    blob file = heif_case_file(parts, 2);
    heif_aux_image out;
    problem p;
    const bytes in = blob_view(&file);
    assert_int_equal(heif_aux_read(in, HEIF_AUX_DEPTH, &settings, &out, &p), HEIF_AUX_NONE);
    assert_int_equal(heif_aux_read(in, HEIF_AUX_MATTE, &settings, &out, &p), HEIF_AUX_NONE);
    const bytes other = {.data = (const uint8_t *)"GIF89a", .size = 6};
    assert_int_equal(heif_aux_read(other, HEIF_AUX_DEPTH, &settings, &out, &p), HEIF_AUX_NONE);
    const bytes cut = {.data = file.data, .size = 60};
    assert_int_equal(heif_aux_read(cut, HEIF_AUX_DEPTH, &settings, &out, &p), HEIF_AUX_FAILED);
    assert_true(p.text[0] != '\0');
    blob_free(&file);
}

static void test_limit(void **state)
{
    heif_case_part parts[] = {{.image = heif_case_ramp(64, 64)},
                              {.image = flat(128, 128, 40), .type = DEPTH}};
    blob file = heif_case_file(parts, 2);
    heif_aux_image out;
    problem p;
    const decode_settings small = {.max_pixels = 128 * 128 - 1};
    assert_int_equal(heif_aux_read(blob_view(&file), HEIF_AUX_DEPTH, &small, &out, &p),
                     HEIF_AUX_FAILED);
    assert_non_null(strstr(p.text, "--max-pixels"));
    blob_free(&file);
}

/* Whether the map has turns of its own or not, it lies as the primary picture does. */
static void test_turns(void **state)
{
    for (int kind = 0; kind < 12; kind++) {
        const int quarters = kind % 4, axis = kind / 4;
        for (int own = 0; own < 2; own++) {
            heif_case_part parts[] = {
                {.image = heif_case_ramp(128, 64), .quarters = quarters, .axis = axis},
                {.image = heif_case_ramp(128, 64), .type = DEPTH}};
            if (own) {
                parts[1].quarters = quarters;
                parts[1].axis = axis;
            }
            blob file = heif_case_file(parts, 2);
            picture pic;
            problem p;
            if (!picture_decode(&pic, file.data, file.size, "a.heic", NULL, &p))
                fail_msg("%s", p.text);
            heif_aux_image depth = read_aux(&file, HEIF_AUX_DEPTH);
            assert_int_equal(pic.orientation, 1);
            assert_int_equal(pic.image.width, quarters % 2 ? 64 : 128);
            assert_near(&depth.image, &pic.image);
            pixels_free(depth.image.data);
            picture_free(&pic);
            blob_free(&file);
        }
    }
}

/* --- Meaning ---------------------------------------------------------------------------------- */

static heif_aux_image with_meaning(bytes sei, const char *xmp)
{
    heif_case_part parts[] = {{.image = heif_case_ramp(128, 64)},
                              {.image = flat(64, 64, 90), .type = DEPTH, .sei = sei, .xmp = xmp}};
    blob file = heif_case_file(parts, 2);
    heif_aux_image depth = read_aux(&file, HEIF_AUX_DEPTH);
    pixels_free(depth.image.data);
    blob_free(&file);
    return depth;
}

static void test_message(void **state)
{
    uint8_t sei[32];
    heif_aux_image depth = with_meaning(heif_case_sei(sei, false, -2, 1), NULL);
    assert_int_equal(depth.type, SATB_DEPTH_DISPARITY);
    assert_false(depth.near_black);
    assert_true(depth.distance_near == 0.5);
    assert_true(depth.distance_far == 4);
    depth = with_meaning(heif_case_sei(sei, true, -1, 3), NULL);
    assert_int_equal(depth.type, SATB_DEPTH_LINEAR);
    assert_true(depth.near_black);
    assert_true(depth.distance_near == 0.5);
    assert_true(depth.distance_far == 8);
    depth = with_meaning(heif_case_sei(sei, false, 3, 1), NULL); /* upside down */
    assert_true(depth.distance_near == 0 && depth.distance_far == 0);
}

#define XMP(attributes)                                                                            \
    "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF><rdf:Description " attributes                  \
    "/></rdf:RDF></x:xmpmeta>"
#define RANGE "apdi:FloatMinValue=\"0.25\" apdi:FloatMaxValue=\"2\" "

static void test_xmp(void **state)
{
    uint8_t sei[32];
    const bytes none = {.size = 0};
    heif_aux_image depth = with_meaning(none, XMP(RANGE "depthData:Accuracy=\"absolute\""));
    assert_int_equal(depth.type, SATB_DEPTH_DISPARITY);
    assert_true(depth.distance_near == 0.5 && depth.distance_far == 4);
    depth = with_meaning(none, XMP(RANGE "depthData:Accuracy=\"relative\""));
    assert_true(depth.distance_near == 0 && depth.distance_far == 0);
    depth = with_meaning(none, XMP("apdi:FloatMinValue='0' apdi:FloatMaxValue='4'"));
    assert_true(depth.distance_near == 0.25 && isinf(depth.distance_far));
    depth = with_meaning(none, XMP(RANGE "apdi:NativeFormat=\"hdep\""));
    assert_int_equal(depth.type, SATB_DEPTH_LINEAR);
    assert_true(depth.near_black && depth.distance_near == 0.25 && depth.distance_far == 2);
    depth = with_meaning(none, "<apdi:FloatMinValue>1</apdi:FloatMinValue>"
                               "<apdi:FloatMaxValue>2</apdi:FloatMaxValue>");
    assert_true(depth.distance_near == 0.5 && depth.distance_far == 1);
    depth = with_meaning(heif_case_sei(sei, false, -2, 1), XMP("depthData:Accuracy=\"relative\""));
    assert_true(depth.distance_near == 0 && depth.distance_far == 0);
    depth = with_meaning(none, XMP("apdi:FloatMinValue=\"nan\" apdi:FloatMaxValue=\"2\""));
    assert_true(depth.distance_near == 0 && depth.distance_far == 0);
}

/* Checks what a picture of the file says is not copied. */
static void expect_lost(blob *file, const char *words)
{
    picture pic;
    problem p;
    if (!picture_decode(&pic, file->data, file->size, "a.heic", NULL, &p))
        fail_msg("%s", p.text);
    assert_string_equal(pic.meta.lost.text, words);
    picture_free(&pic);
    blob_free(file);
}

/* All that belongs to no primary picture is named. */
static void test_beside(void **state)
{
    static const struct {
        const char *type, *name;
    } types[] = {{GAIN, "gain map"},
                 {DEPTH, "depth map"},
                 {DEPTH_TOO, "depth map"},
                 {MATTE, "matte"},
                 {"urn:com:apple:photo:2019:aux:semanticskinmatte", "mattes of parts"},
                 {"urn:mpeg:hevc:2015:auxid:1", ""}, /* alpha */
                 {"urn:example", "auxiliary pictures"}};
    satb_image image = heif_case_ramp(64, 64);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const heif_case_part parts[] = {{.image = image}, {.image = image, .type = types[i].type}};
        blob file = heif_case_file(parts, 2);
        expect_lost(&file, types[i].name);
    }
    heif_case_part parts[] = {{.image = image}, {.image = image}, {.image = image}};
    blob file = heif_case_file(parts, 3);
    expect_lost(&file, "2 further pictures");
    parts[0].group = "ster";
    file = heif_case_file(parts, 2);
    expect_lost(&file, "stereo pair, 1 further picture");
    parts[0].group = "brst";
    file = heif_case_file(parts, 3);
    expect_lost(&file, "burst, 2 further pictures");
    parts[0].group = "altr";
    file = heif_case_file(parts, 1);
    blob_add(&file, "\0\0\0\x0cmpvdabcd\0\0\0\x08moov\0\0", 22);
    expect_lost(&file, "motion video, animation");
    file = heif_case_file(parts, 1);
    blob_add(&file, "SEFT", 4);
    expect_lost(&file, "what follows its end");
}

UNIT_MAIN(UNIT(test_types), UNIT(test_range), UNIT(test_none), UNIT(test_limit), UNIT(test_turns),
          UNIT(test_message), UNIT(test_xmp), UNIT(test_beside))
