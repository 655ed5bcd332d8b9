/* The plug-in for VapourSynth gives the bytes of the library, and one line for each mistake.
 * unit_vapoursynth LIBVAPOURSYNTH PLUG-IN */
#include "unit/unit.h"

#include "image/half.h"
#include "unit/app/vapoursynth_case.h"
#include "video/yuv.h"

#include <dof_table.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int can_open; /* contexts */

static satb_status open_some(satb_context **out, const satb_config *config)
{
    return atomic_fetch_sub(&can_open, 1) > 0 ? satb_open(out, config) : SATB_ERR_NOMEM;
}

#define satb_open open_some
#include "hosts/contexts.c"
#undef satb_open

static satb_context *context;

/* --- The library's bytes ---------------------------------------------------------------------- */

static satb_image allocate(int channels, int bits, int half)
{
    return (satb_image){.data = calloc((size_t)WIDTH * HEIGHT * 4, 2),
                        .stride = WIDTH * channels * bits / 8,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .channels = channels,
                        .bits = bits,
                        .half = half};
}

static void put(const satb_image *image, int x, int y, int c, unsigned sample)
{
    uint8_t *const at =
        (uint8_t *)image->data + y * image->stride + (x * image->channels + c) * image->bits / 8;
    if (image->bits == 8)
        *at = (uint8_t)sample;
    else
        *(uint16_t *)(void *)at = (uint16_t)sample;
}

static unsigned get(const satb_image *image, int x, int y, int c)
{
    const uint8_t *const at =
        (uint8_t *)image->data + y * image->stride + (x * image->channels + c) * image->bits / 8;
    return image->bits == 8 ? *at : *(const uint16_t *)(const void *)at;
}

/* Returns a frame as an image: integers of 9 to 15 bits fill the scale, and floats are light or codes. */
static satb_image picture(const source *s, int n, bool is_light)
{
    const VSVideoFormat *const f = &s->about.format;
    const bool is_float = f->sampleType == stFloat;
    const satb_image image =
        allocate(f->numPlanes, f->bytesPerSample == 1 ? 8 : 16, is_float && is_light);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < f->numPlanes; c++) {
                const float v = f->bitsPerSample == 16
                                    ? half_to_float(half_of(sample_at(s, n, c, x, y)))
                                    : sample_at(s, n, c, x, y);
                const double scale = (double)(image.bits == 8 ? UINT8_MAX : UINT16_MAX) /
                                     ((1 << f->bitsPerSample % 32) - 1);
                put(&image, x, y, c,
                    is_float && is_light ? half_of(v)
                    : is_float           ? (unsigned)(v * 65535.0F + 0.5F)
                                         : (unsigned)floor(code_at(s, n, c, x, y) * scale + 0.5));
            }
    return image;
}

/* Fails unless a frame has the samples of an image, and those of the source where before is the same. */
static void compare(const char *what, const source *s, int n, const VSFrame *frame,
                    const satb_image *before, const satb_image *after)
{
    const VSVideoFormat *const f = &s->about.format;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < f->numPlanes; c++) {
                const void *const row = api->getReadPtr(frame, c) + y * api->getStride(frame, c);
                const unsigned code = get(after, x, y, c);
                const bool same = code == get(before, x, y, c);
                const float full =
                    after->half ? half_to_float((uint16_t)code) : (float)code / 65535;
                bool right;
                if (f->bitsPerSample == 32)
                    right = ((const float *)row)[x] == (same ? sample_at(s, n, c, x, y) : full);
                else if (f->sampleType == stFloat)
                    right = ((const uint16_t *)row)[x] ==
                            half_of(same ? sample_at(s, n, c, x, y) : full);
                else if (f->bytesPerSample == 1)
                    right = ((const uint8_t *)row)[x] == code;
                else
                    right = ((const uint16_t *)row)[x] ==
                            lrint(code * (double)((1 << f->bitsPerSample) - 1) / 65535);
                if (!right)
                    fail_msg("%s: frame %d differs at %d,%d of plane %d", what, n, x, y, c);
            }
}

/* --- Tests ------------------------------------------------------------------------------------ */

typedef struct blur_case {
    uint32_t format, map_format;
    const char *function, *options;
    satb_dof_params dof;
    satb_box_params box;
    bool has_matte;
    int transfer;
} blur_case;

#define DOF(format, map, options, ...)                                                             \
    {                                                                                              \
        format, map, "DOF", options, .dof = { __VA_ARGS__ }                                        \
    }
#define BOX(format, options, x, y, e)                                                              \
    {                                                                                              \
        format, pfGray8, "Box", options, .box = { x, y, {0, e} }                                   \
    }
#define RADIUS(r) .strength = SATB_STRENGTH_RADIUS, .max_radius = r
static const blur_case cases[] = {
    DOF(pfRGB24, pfGray8, "", 0),
    DOF(pfRGB24, pfGray16, "focus=0.3 max_radius=6 blades=6 vignette=0.8 near_scale=0.5",
        .focus_mode = SATB_FOCUS_VALUE, .focus = 0.3, RADIUS(6), .blades = 6, .vignette = 0.8,
        .scaled = 1, .near_scale = 0.5, .far_scale = 1, .squeeze = 1),
    DOF(pfRGB24, pfRGB24,
        "focus_x=20 focus_y=9 max_radius=4 method=gather edge=mirror near_black=1",
        .focus_mode = SATB_FOCUS_POINT, .focus_x = 20, .focus_y = 9, RADIUS(4),
        .method = SATB_METHOD_GATHER, .look.edge = SATB_EDGE_MIRROR, .near_black = 1),
    DOF(pfRGB24, pfGray8,
        "focus_area=10,5,20,20 max_radius=5 bokeh=smooth rounding=nearest edges=keep",
        .focus_area = {10, 5, 20, 20}, RADIUS(5), .bokeh = SATB_BOKEH_SMOOTH,
        .rounding = SATB_ROUNDING_NEAREST, .edges = SATB_DEPTH_EDGES_KEEP),
    DOF(pfRGB24, pfGray8,
        "fstop=2 focal_mm=50 distance_near=1 distance_far=9 focus=2 focus_mode=distance",
        .focus_mode = SATB_FOCUS_DISTANCE, .focus = 2, .strength = SATB_STRENGTH_LENS, .fstop = 2,
        .focal_mm = 50, .distance_near = 1, .distance_far = 9),
    DOF(pfRGB48, pfGray10, "max_radius=5 method=spread", RADIUS(5), .method = SATB_METHOD_SPREAD),
    DOF(pfRGB30, pfGrayS, "max_radius=5 fringe=0.2 highlights=4", RADIUS(5), .fringe = 0.2,
        .highlights = 4),
    DOF(pfRGBH, pfGray8, "max_radius=5 transfer=linear", RADIUS(5)),
    DOF(pfRGBS, pfGrayH, "max_radius=5 transfer=linear", RADIUS(5)),
    DOF(pfRGBS, pfGray8, "max_radius=5", RADIUS(5)),
    DOF(pfRGBH, pfGray8, "max_radius=5", RADIUS(5)),
    DOF(pfGray8, pfGray8, "max_radius=5 transfer=linear", RADIUS(5), .look.gamma = 1),
    {pfRGB24, pfGray8, "DOF", "max_radius=5", .dof = {RADIUS(5)}, .has_matte = true},
    {pfRGBS, pfGray8, "DOF", "max_radius=5", .dof = {RADIUS(5)}, .transfer = 8},
    BOX(pfRGB24, "radius=5", 5, 5, SATB_EDGE_SHRINK),
    BOX(pfRGB48, "radius=40 radius_y=2.5 edge=wrap", 40, 2.5, SATB_EDGE_WRAP),
    BOX(pfRGB36, "radius=2.25 edge=clamp", 2.25, 2.25, SATB_EDGE_CLAMP),
    BOX(pfRGBH, "radius=3 transfer=linear", 3, 3, SATB_EDGE_SHRINK),
    BOX(pfRGBS, "radius=3", 3, 3, SATB_EDGE_SHRINK),
    BOX(pfGrayS, "radius=3 transfer=linear", 3, 3, SATB_EDGE_SHRINK),
};

/* Returns a map's code where VapourSynth has floats or codes. */
static satb_image gray_of(const source *s, int n)
{
    const satb_image all = picture(s, n, false), gray = allocate(1, all.bits, 0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            put(&gray, x, y, 0, get(&all, x, y, 0));
    free(all.data);
    return gray;
}

static void check_case(const blur_case *c)
{
    const bool is_light = strstr(c->options, "transfer=linear") || c->transfer == 8;
    source src = {.transfer = c->transfer, .seed = 1}, map = {.seed = 2};
    VSNode *clips[3] = {clip(&src, c->format, WIDTH, HEIGHT, FRAMES), NULL, NULL};
    const bool is_dof = c->function[0] == 'D';
    char line[300];
    if (is_dof)
        clips[c->has_matte ? 2 : 1] = clip(&map, c->map_format, WIDTH, HEIGHT, FRAMES);
    VSNode *const node = call(c->function, clips, c->options, line, sizeof line);
    if (!node)
        fail_msg("%s: %s", c->options, line);
    get_all(node);
    for (int n = 0; n < FRAMES; n++) {
        const satb_image before = picture(&src, n, is_light),
                         depth = is_dof ? gray_of(&map, n) : before;
        const satb_image after = allocate(before.channels, before.bits, before.half);
        satb_dof_params p = c->dof;
        p.matte = c->has_matte ? &depth : NULL;
        const satb_status status =
            is_dof ? satb_dof(context, &before, c->has_matte ? NULL : &depth, &after, &p, NULL)
                   : satb_box(context, &before, &after, &c->box);
        if (status != SATB_OK || !frames[n])
            fail_msg("%s: %s", c->options, satb_last_message(context));
        compare(c->options, &src, n, frames[n], &before, &after);
        api->freeFrame(frames[n]);
        free(before.data);
        free(after.data);
        if (is_dof)
            free(depth.data);
    }
    api->freeNode(node);
    for (int i = 0; i < 3; i++)
        api->freeNode(clips[i]);
}

static void same_bytes(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i]);
}

/* Copies the planes of a frame, as one that was not blurred. */
static yuv_image copy_of(const VSFrame *f)
{
    const VSVideoFormat *const v = api->getVideoFrameFormat(f);
    yuv_image yuv = {.width = WIDTH,
                     .height = HEIGHT,
                     .bits = v->bitsPerSample,
                     .shift_x = v->subSamplingW,
                     .shift_y = v->subSamplingH};
    for (int i = 0; i < 3; i++) {
        const size_t size = (size_t)api->getStride(f, i) * (size_t)api->getFrameHeight(f, i);
        yuv.strides[i] = api->getStride(f, i);
        yuv.planes[i] = malloc(size);
        memcpy(yuv.planes[i], api->getReadPtr(f, i), size);
    }
    return yuv;
}

/* Frames of YUV are converted by yuv.h, and the map is a still. */
static void check_yuv(uint32_t format, int matrix, yuv_colour colour)
{
    source src = {.seed = 3, .matrix = matrix}, map = {.seed = 4};
    VSNode *const clips[3] = {clip(&src, format, WIDTH, HEIGHT, FRAMES),
                              clip(&map, pfGray8, WIDTH, HEIGHT, 1), NULL};
    char line[300];
    VSNode *const node =
        call("DOF", clips, "max_radius=8 focus=0.5 focus_range=0.4", line, sizeof line);
    if (!node)
        fail_msg("%s", line);
    const VSFrame *const given = api->getFrame(1, clips[0], line, sizeof line),
                         *const made = api->getFrame(1, node, line, sizeof line);
    const yuv_image yuv = copy_of(given);
    const satb_image before = allocate(3, yuv.bits == 8 ? 8 : 16, 0),
                     after = allocate(3, before.bits, 0), depth = gray_of(&map, 0);
    const satb_dof_params p = {
        .focus_mode = SATB_FOCUS_VALUE, .focus = 0.5, .focus_range = 0.4, RADIUS(8)};
    yuv_to_rgb(&yuv, colour, &before);
    assert_int_equal(satb_dof(context, &before, &depth, &after, &p, NULL), SATB_OK);
    assert_memory_not_equal(before.data, after.data, (size_t)(after.stride * HEIGHT));
    yuv_of_rgb(&yuv, colour, &before, &after);
    for (int i = 0; i < 3; i++) {
        for (int y = 0; y < api->getFrameHeight(made, i); y++)
            assert_memory_equal(api->getReadPtr(made, i) + y * api->getStride(made, i),
                                yuv.planes[i] + y * yuv.strides[i],
                                (size_t)api->getFrameWidth(made, i) * (yuv.bits > 8 ? 2 : 1));
        free(yuv.planes[i]);
    }
    free(before.data), free(after.data), free(depth.data);
    api->freeFrame(given), api->freeFrame(made);
    api->freeNode(node), api->freeNode(clips[0]), api->freeNode(clips[1]);
}

static void yuv(void **state)
{
    check_yuv(pfYUV420P8, 0, (yuv_colour){.kr = 0.299, .kb = 0.114}); /* small, so of SD */
    check_yuv(pfYUV422P10, 9, (yuv_colour){.kr = 0.2627, .kb = 0.0593, .full = true});
}

typedef struct error_case {
    uint32_t format, map_format; /* 0: none */
    int map_width, map_frames;
    const char *function, *options, *line;
} error_case;

static void errors(void **state)
{
    static const error_case all[] = {
        {pfRGB24, pfGray8, WIDTH, FRAMES, "DOF", "bogus=1", "DOF: no argument(s) named bogus"},
        {pfRGB24, 0, 0, 0, "DOF", "",
         "DOF: there is no depth; give maps as depth, or masks as matte"},
        {pfRGB24, pfGray8, WIDTH, FRAMES - 1, "DOF", "",
         "DOF: depth: 5 frames, and the clip has 6; give as many, or one for all"},
        {pfRGB24, pfGray8, HEIGHT, FRAMES, "DOF", "",
         "DOF: depth: 38 x 38 has other proportions than 54 x 38; use std.Crop or resize"},
        {pfRGB24, pfGray32, WIDTH, FRAMES, "DOF", "",
         "DOF: depth: Gray32 is not supported; convert it by "
         "core.resize.Bicubic(format=vs.GRAY16)"},
        {pfYUV444PS, pfGray8, WIDTH, FRAMES, "DOF", "",
         "DOF: clip: YUV444PS is not supported; convert it by "
         "core.resize.Bicubic(format=vs.RGB48)"},
        {0, 0, 0, 0, "Box", "radius=1",
         "Box: clip: its format or size varies; give it one by core.resize"},
        {pfRGB24, pfGray8, WIDTH, FRAMES, "DOF", "method=gauss",
         "DOF: method: 'gauss' is unknown; give one of: default, layered, gather, spread"},
        {pfRGB24, pfGray8, WIDTH, FRAMES, "DOF", "blades=2",
         "DOF: blades: 2 is neither 0 nor in 3 .. 9"},
        {pfRGB24, pfGray8, WIDTH, FRAMES, "DOF", "focus_x=60 focus_y=1",
         "DOF: focus point: 60,1 is outside the picture of 54 x 38"},
        {pfRGB24, pfGray8, WIDTH, FRAMES, "DOF", "focus_area=1,2,3,4,5",
         "DOF: focus_area: give at most 4 numbers"},
        {pfRGB24, 0, 0, 0, "Box", "radius=-1", "Box: radius: not in 0 .. 2^23"},
    };
    for (const error_case *e = all; e < all + sizeof all / sizeof *all; e++) {
        source src = {.seed = 1}, map = {.seed = 2};
        VSNode *clips[3] = {
            clip(&src, e->format, e->format ? WIDTH : 0, e->format ? HEIGHT : 0, FRAMES), NULL,
            NULL};
        char line[300];
        if (e->map_format)
            clips[1] = clip(&map, e->map_format, e->map_width, HEIGHT, e->map_frames);
        assert_null(call(e->function, clips, e->options, line, sizeof line));
        assert_string_equal(line, e->line);
        api->freeNode(clips[0]), api->freeNode(clips[1]);
    }
    source pq = {.transfer = 16};
    VSNode *const clips[3] = {clip(&pq, pfRGB48, WIDTH, HEIGHT, FRAMES), NULL, NULL};
    char line[300];
    VSNode *const node = call("Box", clips, "radius=1", line, sizeof line);
    assert_null(api->getFrame(0, node, line, sizeof line));
    assert_string_equal(
        line,
        "Box: clip: PQ and HLG need core.resize.Bicubic(format=vs.RGBH, transfer_s='linear')");
    api->freeNode(node), api->freeNode(clips[0]);
}

/* Every row of the table is an argument. */
static void every_row(void **state)
{
    const char *const types =
        api->getPluginFunctionArguments(api->getPluginFunctionByName("DOF", plugin));
#define NAMED(name, ...)                                                                           \
    if (!strstr(types, ";" #name ":"))                                                             \
        fail_msg("%s is no argument", #name);
    SATB_DOF_NUMBERS(NAMED)
    SATB_DOF_CHOICES(NAMED)
    SATB_DOF_OTHERS(NAMED)
}

static void *take_and_give(void *user)
{
    satb_context *const taken = contexts_take(user);
    if (taken)
        contexts_give(user, taken);
    return taken;
}

/* Where no further context can be opened, one that is taken is waited for. */
static void waits(void **state)
{
    contexts *c;
    pthread_t thread;
    void *other;
    can_open = 1;
    c = contexts_open(&(satb_config){.device = SATB_DEVICE_CPU}, 3);
    satb_context *const first = contexts_take(c);
    assert_int_equal(pthread_create(&thread, NULL, take_and_give, c), 0);
    usleep(20000);
    contexts_give(c, first);
    pthread_join(thread, &other);
    assert_ptr_equal(other, first);
    contexts_close(&c);
}

int main(int count, char **words)
{
    static const struct CMUnitTest tests[] = {UNIT(every_row), UNIT(same_bytes), UNIT(yuv),
                                              UNIT(errors), UNIT(waits)};
    if (count != 3 || !host_open(words[1], words[2]))
        return 1;
    if (satb_open(&context, &(satb_config){.device = SATB_DEVICE_CPU}) != SATB_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    satb_close(&context);
    host_close();
    return failed;
}
