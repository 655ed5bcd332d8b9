/* Images in the device's memory have the bits of the same images in the host's, in any mixture of
 * both. */
#include "check/check.h"

#include "check/box/blur_case.h"

#include <stdio.h>
#include <string.h>

enum {
    SRC_THERE = 1,
    MAP_THERE = 2,
    DST_THERE = 4,
    PLACES = 8,
    WORN_CAP = 300 << 10,
    TIGHT_CAP = 20 << 10
};

typedef struct tally {
    int done[OPERATIONS], banded, short_of_memory;
    int cut; /* circles in bands */
} tally;

static satb_context *open_with(check *c, satb_device device, size_t cap)
{
    const satb_config config = {.device = device, .threads = 2, .gpu_memory = cap};
    satb_context *context = NULL;

    check_that(c, ON_CUDA, satb_open(&context, &config) == SATB_OK, "%s", satb_open_message());
    return context;
}

/* Returns the picture, or its copy on the device if that is used. */
static satb_image placed(const picture *p, const mirror *m, int there)
{
    satb_image image = image_of(p);

    if (there) {
        image.data = mirror_at(m, &p->memory, p->plane.data);
        image.on_device = 1;
    }
    return image;
}

/* Runs into a picture of its own, or in place. *got is poisoned or the source at first, and becomes
 * the result. */
static satb_status run_placed(check *c, satb_context *context, const task *t, int places,
                              int in_place, picture *got)
{
    mirror src = mirror_up(c, &t->src.memory), map = mirror_up(c, &t->map.memory);
    mirror dst = mirror_up(c, &got->memory);
    satb_status status = SATB_ERR_DEVICE;

    if (src.device && map.device && dst.device) {
        const satb_image to = placed(got, &dst, places & DST_THERE);
        const satb_image from = in_place ? to : placed(&t->src, &src, places & SRC_THERE);
        const satb_image radii = placed(&t->map, &map, places & MAP_THERE);
        status = run_images(context, t, &from, &radii, &to);
        if (places & DST_THERE)
            mirror_down(c, &dst, &got->memory);
    }
    mirror_free(&src);
    mirror_free(&map);
    mirror_free(&dst);
    return status;
}

static picture output_of(const task *t)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};

    return picture_output(&s);
}

static void compare(check *c, satb_context *context, const task *t, int places, satb_status wanted,
                    const picture *want, tally *sum)
{
    const layout l = layout_of(&want->plane);

    for (int in_place = 0; in_place < 2; in_place++) {
        picture got = output_of(t);
        if (in_place)
            picture_copy(&got, &t->src);
        const satb_status status = run_placed(c, context, t, places, in_place, &got);
        check_that(c, ON_CUDA, status == wanted, "status %d, wanted %d: %s", status, wanted,
                   satb_last_message(context));
        if (status == SATB_OK && wanted == SATB_OK) {
            check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
            sum->done[t->operation]++;
            sum->banded += satb_last_memory(context).bands > 1;
        }
        picture_free(&got);
    }
}

/* Compares images on the device with images on the host: whole, in bands, or refused. */
static void compare_capped(check *c, satb_context *context, const task *t, const picture *want,
                           size_t cap, int places, tally *sum)
{
    satb_context *fresh = open_with(c, SATB_DEVICE_CUDA, cap);
    picture got = output_of(t);

    if (fresh && context) {
        const satb_status status = run_task(fresh, t, &got);
        sum->short_of_memory++;
        compare(c, context, t, places, status, want, sum);
    }
    picture_free(&got);
    satb_close(&fresh);
}

/* Memory is less than all takes, and the context has buffers of other pictures. */
static void compare_short(check *c, satb_context *worn, const task *t, const picture *want,
                          size_t peak, int places, tally *sum)
{
    const size_t least = 8192; /* what opening takes */

    for (int i = 0; i < 2; i++) {
        const size_t share = peak * (size_t)(40 + random_below(&c->random, 60)) / 100;
        const size_t cap = share > least ? share : least;
        satb_context *context = open_with(c, SATB_DEVICE_CUDA, cap);
        compare_capped(c, context, t, want, cap, places, sum);
        satb_close(&context);
    }
    compare_capped(c, worn, t, want, WORN_CAP, places, sum);
}

static void compare_counts(check *c, satb_context *cpu, satb_context *cuda, const task *t)
{
    const satb_image src = image_of(&t->src);
    satb_channel_stats want[5], got[5];
    mirror m = mirror_up(c, &t->src.memory);

    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    if (m.device) {
        const satb_image there = placed(&t->src, &m, 1);
        check_that(c, ON_CUDA,
                   satb_measure(cpu, &src, want) == satb_measure(cuda, &there, got) &&
                       satb_measure_luminance(cpu, &src, want + 4) ==
                           satb_measure_luminance(cuda, &there, got + 4) &&
                       !memcmp(want, got, sizeof want),
                   "statistics differ");
    }
    mirror_free(&m);
}

/* Maps of the picture's size with steps, whose edges the device finds, are rare among random
 * ones. */
static task make_task(check *c, int i)
{
    task t = random_task(&c->random, 120, 100, 40);
    const satk_plane *const p = &t.src.plane;

    if (i % 2 == 0) {
        const shape s = {p->width, p->height, 1, 8 << random_below(&c->random, 2), 2, 0};
        picture_free(&t.map);
        t.map = picture_input(&s, FILL_STEPS, &c->random);
        t.operation = i % 8 ? DOF : MAP;
        t.dof.look.edge = random_below(&c->random, 4) ? SATB_EDGE_SHRINK : t.dof.look.edge;
        t.dof.holes = random_below(&c->random, 2)
                          ? SATB_HOLES_NONE
                          : (satb_holes)random_below(&c->random, SATB_HOLES_FILL + 1);
    }
    return t;
}

static void check_task(check *c, satb_context *cpu, satb_context *worn, const task *t, tally *sum)
{
    satb_context *cuda = open_with(c, SATB_DEVICE_CUDA, 0);
    picture want = output_of(t);
    const int places = 1 + random_below(&c->random, PLACES - 1);
    const satb_status wanted = run_task(cpu, t, &want);

    check_case(
        c, "%s of %dx%d, %d channels of %d bits, map of %dx%d, %d channels of %d bits, places %d",
        operation_names[t->operation], t->src.plane.width, t->src.plane.height,
        t->src.plane.channels, t->src.plane.bits, t->map.plane.width, t->map.plane.height,
        t->map.plane.channels, t->map.plane.bits, places);
    if (cuda) {
        compare(c, cuda, t, PLACES - 1, wanted, &want, sum);
        compare(c, cuda, t, places, wanted, &want, sum);
        compare_counts(c, cpu, cuda, t);
        if (wanted == SATB_OK)
            compare_short(c, worn, t, &want, satb_last_memory(cuda).peak, places, sum);
    }
    satb_close(&cuda);
    picture_free(&want);
}

/* --- The circles of confusion, the table, and what is refused --------------------------------- */

static int refused(const satb_context *context, satb_status status, const char *why)
{
    return status == SATB_ERR_ARG && strstr(satb_last_message(context), why) != NULL;
}

static void check_refusals(check *c, satb_context *cpu, satb_context *cuda, const task *t)
{
    mirror m = mirror_up(c, &t->src.memory);
    picture out = output_of(t);
    const satb_image src = image_of(&t->src), dst = image_of(&out);
    const satb_image there = placed(&t->src, &m, 1);
    satb_image lost = src;

    lost.on_device = 1;
    check_that(c, ON_CPU,
               refused(cpu, satb_box(cpu, &there, &dst, &t->box), "source: is on a device"),
               "the CPU takes a device's picture: %s", satb_last_message(cpu));
    check_that(c, ON_CUDA,
               refused(cuda, satb_box(cuda, &lost, &dst, &t->box),
                       "source: is not in the memory of cuda:0"),
               "the host's memory is taken for the device's: %s", satb_last_message(cuda));
    check_that(c, ON_CUDA,
               refused(cuda, satb_box(cuda, &src, &lost, &t->box),
                       "output: is not in the memory of cuda:0"),
               "also as an output: %s", satb_last_message(cuda));
    picture_free(&out);
    mirror_free(&m);
}

/* Memory of one device is not another's. cuda: on the first device, which is the thread's current
 * one again in the end. */
static void check_second_device(check *c, satb_context *cuda)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA, .cuda_index = 1, .threads = 2};
    task t = make_task(c, 0);
    mirror m = mirror_up(c, &t.src.memory);
    picture out = output_of(&t);
    const satb_image there = placed(&t.src, &m, 1), src = image_of(&t.src), dst = image_of(&out);
    satb_context *second = NULL;
    const satb_status status = satb_open(&second, &config);

    check_case(c, "two devices");
    if (status == SATB_ERR_UNAVAILABLE)
        printf("NOT TRIED, on images in a device's memory: another device's memory (%s)\n",
               satb_open_message());
    else if (check_that(c, ON_CUDA, status == SATB_OK, "%s", satb_open_message()))
        check_that(c, ON_CUDA,
                   refused(second, satb_box(second, &there, &dst, &t.box),
                           "source: is not in the memory of cuda:1"),
                   "the first device's memory is taken for the second's: %s",
                   satb_last_message(second));
    satb_close(&second);
    check_that(c, ON_CUDA, satb_box(cuda, &src, &dst, &t.box) == SATB_OK, "%s",
               satb_last_message(cuda));
    picture_free(&out);
    mirror_free(&m);
    task_free(&t);
}

/* The picture and the map are on the device. The radii go there, too, or to the host. Returns the status: a table of 16 bits
 * does not fit TIGHT_CAP. */
static satb_status compare_circles(check *c, satb_context *cuda, const task *t, int there,
                                   satb_status wanted, const picture *want)
{
    const shape s = {t->src.plane.width, t->src.plane.height, 1, 16, 6, 2};
    picture got = picture_output(&s);
    mirror src = mirror_up(c, &t->src.memory), map = mirror_up(c, &t->map.memory),
           dst = mirror_up(c, &got.memory);
    const layout l = layout_of(&want->plane);
    satb_status status = SATB_ERR_DEVICE;

    if (src.device && map.device && dst.device) {
        const satb_image from = placed(&t->src, &src, 1), by = placed(&t->map, &map, 1),
                         to = placed(&got, &dst, there);
        status = satb_coc(cuda, &from, &by, &to, &t->dof, NULL);
        check_that(c, ON_CUDA, status == wanted || status == SATB_ERR_DEVICE_NOMEM,
                   "status %d, wanted %d: %s", status, wanted, satb_last_message(cuda));
        if (status == wanted && (!there || mirror_down(c, &dst, &got.memory)))
            check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
    }
    picture_free(&got);
    mirror_free(&src);
    mirror_free(&map);
    mirror_free(&dst);
    return status;
}

static void check_circles(check *c, satb_context *cpu, satb_context *cuda, satb_context *tight,
                          const task *t, tally *sum)
{
    const shape s = {t->src.plane.width, t->src.plane.height, 1, 16, 6, 2};
    const satb_image src = image_of(&t->src), map = image_of(&t->map);
    picture want = picture_output(&s);
    const satb_image to = image_of(&want);
    const satb_status wanted = satb_coc(cpu, &src, &map, &to, &t->dof, NULL);

    for (int there = 0; there < 2; there++)
        check_that(c, ON_CUDA, compare_circles(c, cuda, t, there, wanted, &want) == wanted, "%s",
                   satb_last_message(cuda));
    const satb_status status = compare_circles(c, tight, t, 1, wanted, &want);
    sum->cut += status == SATB_OK && satb_last_memory(tight).bands > 1;
    picture_free(&want);
}

static void check_table(check *c, satb_context *cpu, satb_context *cuda, const task *t)
{
    const satk_plane *const p = &t->src.plane;
    const size_t bytes = (size_t)p->width * (size_t)p->height * (size_t)p->channels * 4;
    const layout l = {bytes, bytes, 4, 4};
    block want = block_guarded(bytes, 0), got = block_guarded(bytes, 0);
    mirror m = mirror_up(c, &t->src.memory);
    const satb_image src = image_of(&t->src), there = placed(&t->src, &m, 1);

    block_poison(&want);
    block_poison(&got);
    check_that(c, ON_CUDA,
               satb_table(cpu, &src, 32, block_data(&want)) == SATB_OK &&
                   satb_table(cuda, &there, 32, block_data(&got)) == SATB_OK,
               "%s", satb_last_message(cuda));
    check_same(c, ON_CUDA, &want, &got, &l);
    block_free(&want);
    block_free(&got);
    mirror_free(&m);
}

void check_on_device(check *c)
{
    tally sum = {.banded = 0};

    if (!c->cuda)
        return;
    satb_context *cpu = open_with(c, SATB_DEVICE_CPU, 0);
    satb_context *cuda = open_with(c, SATB_DEVICE_CUDA, 0);
    satb_context *worn = open_with(c, SATB_DEVICE_CUDA, WORN_CAP);
    satb_context *tight = open_with(c, SATB_DEVICE_CUDA, TIGHT_CAP);
    for (int i = 0;
         cpu && cuda && worn && tight && i < check_count(c, 300, 40) && !check_hopeless(c); i++) {
        task t = make_task(c, i);
        check_task(c, cpu, worn, &t, &sum);
        check_refusals(c, cpu, cuda, &t);
        check_circles(c, cpu, cuda, tight, &t, &sum);
        check_table(c, cpu, cuda, &t);
        task_free(&t);
    }
    if (cuda)
        check_second_device(c, cuda);
    check_case(c, "all of them");
    for (int i = 0; i < OPERATIONS; i++)
        check_that(c, ON_CUDA, sum.done[i] > 2, "%s: %d runs", operation_names[i], sum.done[i]);
    check_that(c, ON_CUDA, sum.banded > 2 && sum.short_of_memory > 2 && sum.cut > 2,
               "%d runs in bands, %d with less memory, %d of circles in bands", sum.banded,
               sum.short_of_memory, sum.cut);
    satb_close(&cpu);
    satb_close(&cuda);
    satb_close(&worn);
    satb_close(&tight);
}
