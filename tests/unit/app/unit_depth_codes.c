/* Numbers of a depth map to codes, against a formula of this file's own; and the presets. */
#include "unit/unit.h"

#include "depth/depth_span.h"
#include "image/pixels.h"

#include <math.h>
#include <string.h>

enum { MOST = 16 };

static values numbers_of(const float *data, int count)
{
    values v;
    problem p;
    assert_true(values_allocate(&v, count, 1, &p));
    memcpy(v.data, data, (size_t)count * sizeof *data);
    return v;
}

static depth_codes codes_of(const float *data, int count, depth_request r, uint16_t to[MOST])
{
    values v = numbers_of(data, count);
    depth_codes c;
    problem p;
    assert_true(depth_codes_make(&c, &v, &r, &p));
    assert_int_equal(c.image.width, count);
    assert_int_equal(c.image.bits, 16);
    memcpy(to, c.image.data, (size_t)count * sizeof *to);
    pixels_free(c.image.data);
    pixels_free(v.data);
    return c;
}

static bool refuses(const float *data, int count, depth_request r, const char *words)
{
    values v = numbers_of(data, count);
    depth_codes c;
    problem p = {.text = ""};
    const bool made = depth_codes_make(&c, &v, &r, &p);
    pixels_free(v.data);
    return !made && strstr(p.text, words);
}

static const depth_request disparity = {.meaning = {DEPTH_DISPARITY, 0}};
static const depth_request metres = {.meaning = {DEPTH_METRES, 1}};

static void test_disparity(void **state)
{
    uint16_t to[MOST];
    const float all[] = {-2, 0, 1, 2, 0.5F};
    depth_codes c = codes_of(all, 5, disparity, to);
    assert_int_equal(c.unknown, 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(to[i], lround(((double)all[i] + 2) / 4 * 65535));
    const float holes[] = {-2, INFINITY, 2, NAN, -INFINITY, 0};
    c = codes_of(holes, 6, disparity, to);
    assert_int_equal(c.unknown, 3);
    const uint16_t want[] = {1, 0, 65535, 0, 0, 32768};
    assert_memory_equal(to, want, sizeof want);
}

static void test_metres(void **state)
{
    uint16_t to[MOST];
    const float all[] = {0.5F, 1, 2, 8, 3.7F};
    depth_codes c = codes_of(all, 5, metres, to);
    assert_true(c.least == 0.5 && c.most == 8 && !c.reaches_infinity && c.unknown == 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(to[i], lround((1 / (double)all[i] - 0.125) / (2 - 0.125) * 65535));
    const float sky[] = {0.5F, INFINITY, 2, 1e10F, 0, -1, NAN};
    c = codes_of(sky, 7, metres, to);
    assert_true(c.least == 0.5 && c.most == 2 && c.reaches_infinity && c.unknown == 3);
    const uint16_t want[] = {65535, 1, 1 + 65534 / 4 + 1, 1, 0, 0, 0}; /* 16383.5 is rounded up */
    assert_memory_equal(to, want, sizeof want);
}

/* Codes of any unit are those of metres. */
static void test_scale(void **state)
{
    uint16_t to[MOST], same[MOST];
    const float some[] = {512, 1024, 4096, 768}, in_metres[] = {2, 4, 16, 3};
    const depth_request r = {.meaning = {DEPTH_METRES, 256}};
    const depth_codes c = codes_of(some, 4, r, to);
    codes_of(in_metres, 4, metres, same);
    assert_true(c.least == 2 && c.most == 16);
    assert_memory_equal(to, same, 4 * sizeof *to);
}

static void test_one_depth(void **state)
{
    uint16_t to[MOST];
    const float flat[] = {3, 3, 3};
    const depth_codes c = codes_of(flat, 3, metres, to);
    assert_true(c.least == 3 && c.most == 3 && c.reaches_infinity);
    assert_true(to[0] == 65535 && to[2] == 65535);
    codes_of(flat, 3, disparity, to);
    assert_int_equal(to[1], 65535);
}

static void test_range(void **state)
{
    uint16_t to[MOST];
    const float all[] = {0.5F, 1, 2, 4, 8, INFINITY};
    depth_request r = {.meaning = {DEPTH_METRES, 1}, .has_ends = true, .ends = {1, 4}};
    depth_codes c = codes_of(all, 6, r, to);
    const uint16_t clipped[] = {65535, 65535, 21845, 0, 0, 0};
    assert_memory_equal(to, clipped, sizeof clipped);
    assert_false(c.reaches_infinity);
    r.ends[1] = INFINITY;
    c = codes_of(all, 6, r, to);
    const uint16_t open[] = {65535, 65535, 32768, 16384, 8192, 0};
    assert_memory_equal(to, open, sizeof open);
    assert_true(c.reaches_infinity);
    r = (depth_request){
        .meaning = {DEPTH_METRES, 1}, .has_ends = true, .is_percent = true, .ends = {25, 75}};
    c = codes_of(all, 6, r, to); /* of the five finite ones */
    assert_true(c.least == 1 && c.most == 4);
    assert_memory_equal(to, clipped, sizeof clipped);
}

static void test_refusals(void **state)
{
    const float none[] = {NAN, INFINITY}, sky[] = {INFINITY, 1e12F, 0}, some[] = {1, 2};
    depth_request r = {.meaning = {DEPTH_METRES, 1}, .has_ends = true, .ends = {5, 9}};
    assert_true(refuses(none, 2, disparity, "no number in it is a depth"));
    assert_true(refuses(sky, 3, metres, "every depth in it is infinite"));
    assert_true(refuses(some, 2, r, "its depths are 1 to 2, outside --depth-range 5,9"));
    r.ends[0] = -1;
    assert_true(refuses(some, 2, r, "give metres above 0"));
    r.meaning.kind = DEPTH_DISPARITY;
    r.ends[1] = INFINITY;
    assert_true(refuses(some, 2, r, "ends at inf"));
}

static void test_presets(void **state)
{
    assert_null(depth_preset_of(NULL));
    assert_null(depth_preset_of("nobody"));
    const depth_preset *const zoe = depth_preset_of("zoedepth");
    assert_true(zoe->codes.kind == DEPTH_METRES && zoe->codes.scale == 256);
    assert_true(zoe->numbers.kind == DEPTH_METRES && zoe->numbers.scale == 1);
    assert_true(depth_preset_of("tum")->codes.scale == 5000);
    assert_true(depth_preset_of("unreal")->numbers.scale == 100);
    assert_true(depth_preset_of("midas")->numbers.kind == DEPTH_DISPARITY);
    assert_true(depth_preset_of("marigold")->codes.kind == DEPTH_RELATIVE);
    assert_true(depth_preset_of("video-depth-anything")->numbers.kind == DEPTH_DISPARITY);
    assert_true(depth_preset_of("da3")->numbers.kind == DEPTH_METRES);
    assert_true(depth_preset_of("zbuffer")->codes.kind == DEPTH_Z_BUFFER);
    assert_true(depth_preset_of("carla")->is_packed && !zoe->is_packed);
    for (const depth_preset *p = depth_presets; p->name; p++) {
        assert_true((p->codes.kind == DEPTH_METRES) == (p->codes.scale > 0));
        assert_true((p->numbers.kind == DEPTH_METRES) == (p->numbers.scale > 0));
    }
}

/* Returns a span of both halves of the numbers, each added alone. */
static depth_span span_of(float *numbers, int count, const depth_meaning *meaning)
{
    depth_span s, other;
    problem p;
    assert_true(depth_span_open(&s, true, &p) && depth_span_open(&other, true, &p));
    const values a = {.data = numbers, .width = count / 2, .height = 1};
    const values b = {.data = numbers + count / 2, .width = count - count / 2, .height = 1};
    depth_span_add(&s, &a, meaning);
    depth_span_add(&other, &b, meaning);
    depth_span_join(&s, &other);
    depth_span_close(&other);
    return s;
}

static void test_span(void **state)
{
    enum { COUNT = 2001 };
    static float numbers[COUNT];
    const depth_meaning plain = {DEPTH_DISPARITY, 0}, millimetres = {DEPTH_METRES, 1000};
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)((i * 7) % COUNT - 1000); /* each of -1000 to 1000 once */
    depth_span s = span_of(numbers, COUNT, &plain);
    assert_true(s.least == -1000 && s.most == 1000 && s.maps == 2 && s.known == COUNT);
    for (int per_cent = 0; per_cent <= 100; per_cent += 5)
        assert_true(depth_span_percentile(&s, per_cent) == 20 * per_cent - 1000);
    depth_span_close(&s);
    s = span_of(numbers, COUNT, &millimetres); /* 0 and less are unknown */
    assert_true(s.least == 0.001 && s.most == 1 && s.known == 1000 && !s.has_infinite);
    assert_true(fabs(depth_span_percentile(&s, 50) / 0.501 - 1) < 1.0 / 2048);
    depth_span_close(&s);
    numbers[3] = INFINITY;
    s = span_of(numbers, COUNT, &millimetres);
    assert_true(s.has_infinite && s.most <= 1);
    depth_span_close(&s);
    assert_true(isinf(depth_number(&millimetres, 1e9F))); /* from there on */
    assert_true(depth_number(&millimetres, nextafterf(1e9F, 0)) < 1e6);
}

UNIT_MAIN(UNIT(test_disparity), UNIT(test_metres), UNIT(test_scale), UNIT(test_one_depth),
          UNIT(test_range), UNIT(test_refusals), UNIT(test_presets), UNIT(test_span))
