/* Pictures that do not fit the allowed memory are done band by band: they must have the whole
 * picture's bits, within that memory. */
#include "check/check.h"

#include "check/box/blur_case.h"
#include "layer/layer_rule.h"
#include "blur/dof_slabs.h"

#include <stdlib.h>
#include <string.h>

/* Counts of the operations that ran in several bands: none may be missing. */
typedef struct tally {
    int banded[OPERATIONS], tables, counts, refused;
} tally;

static satb_context *open_capped(check *c, size_t bytes)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA, .gpu_memory = bytes};
    satb_context *context = NULL;

    check_that(c, ON_CUDA, satb_open(&context, &config) == SATB_OK, "%s", satb_open_message());
    return context;
}

/* Returns a bound on memory: from a few bytes less than the whole picture takes to several times
 * less. */
static size_t random_cap(check *c, const task *t, size_t peak)
{
    const satk_plane *const p = &t->src.plane;
    const size_t most = (size_t)p->pitch * (size_t)p->height << random_below(&c->random, 5);
    const size_t less = 1 + (size_t)random_next(&c->random) % most;
    const size_t least = 8192; /* what opening takes */

    return peak > less + least ? peak - less : least;
}

/* Returns 1 if it fitted. */
static int fitted(check *c, const satb_context *context, satb_status status, size_t cap, tally *sum)
{
    if (status == SATB_ERR_DEVICE_NOMEM) {
        sum->refused++;
        check_that(c, ON_CUDA,
                   strstr(satb_last_message(context), "of its memory are needed") != NULL, "%s",
                   satb_last_message(context));
        return 0;
    }
    check_that(c, ON_CUDA, satb_last_memory(context).peak <= cap, "%zu bytes taken, of %zu",
               satb_last_memory(context).peak, cap);
    return check_that(c, ON_CUDA, status == SATB_OK, "status %d: %s", status,
                      satb_last_message(context));
}

/* Runs into another picture, and then in place. */
static void compare(check *c, satb_context *context, const task *t, size_t cap, const picture *want,
                    tally *sum)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};
    picture got = picture_output(&s);
    const layout l = layout_of(&got.plane);

    if (fitted(c, context, run_task(context, t, &got), cap, sum)) {
        sum->banded[t->operation] += satb_last_memory(context).bands > 1;
        check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
        task in_place = *t;
        picture_copy(&got, &t->src);
        in_place.src = got;
        if (fitted(c, context, run_task(context, &in_place, &got), cap, sum))
            check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
    }
    picture_free(&got);
}

static void compare_counts(check *c, satb_context *cpu, satb_context *context, const task *t,
                           size_t cap, tally *sum)
{
    const satb_image src = image_of(&t->src);
    satb_channel_stats want[4], got[4];

    satb_measure(cpu, &src, want);
    if (!fitted(c, context, satb_measure(context, &src, got), cap, sum))
        return;
    sum->counts += satb_last_memory(context).bands > 1;
    check_that(c, ON_CUDA, !memcmp(want, got, sizeof *want * (size_t)src.channels),
               "statistics differ");
}

static void compare_tables(check *c, satb_context *cpu, satb_context *context, const task *t,
                           size_t cap, tally *sum)
{
    const satb_image src = image_of(&t->src);
    const int word = 32 << random_below(&c->random, 2);
    const size_t bytes =
        (size_t)src.width * (size_t)src.height * (size_t)src.channels * (size_t)word / 8;
    const layout l = {bytes, bytes, (size_t)word / 8, (size_t)word / 8};
    block want = block_guarded(bytes, 0), got = block_guarded(bytes, 0);

    block_poison(&want);
    block_poison(&got);
    satb_table(cpu, &src, word, block_data(&want));
    if (fitted(c, context, satb_table(context, &src, word, block_data(&got)), cap, sum)) {
        sum->tables += satb_last_memory(context).bands > 1;
        check_same(c, ON_CUDA, &want, &got, &l);
    }
    block_free(&want);
    block_free(&got);
}

static void check_capped(check *c, satb_context *cpu, const task *t, size_t cap,
                         const picture *want, tally *sum)
{
    const satk_plane *const p = &t->src.plane;
    satb_context *context = open_capped(c, cap);

    check_case(c, "%s of %dx%d, %d channels of %d bits, map of %d bits, in %zu bytes",
               operation_names[t->operation], p->width, p->height, p->channels, p->bits,
               t->map.plane.bits, cap);
    if (context) {
        compare(c, context, t, cap, want, sum);
        compare_counts(c, cpu, context, t, cap, sum);
        compare_tables(c, cpu, context, t, cap, sum);
    }
    satb_close(&context);
}

/* Returns the bytes that the whole picture takes; 0: an error. *want becomes the CPU's result. */
static size_t run_whole(check *c, satb_context *cpu, const task *t, picture *want)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};
    picture got = picture_output(&s);
    satb_context *whole = open_capped(c, 0);
    size_t peak = 0;

    *want = picture_output(&s);
    if (run_task(cpu, t, want) == SATB_OK && whole && run_task(whole, t, &got) == SATB_OK)
        peak = satb_last_memory(whole).peak;
    satb_close(&whole);
    picture_free(&got);
    return peak;
}

/* Compares a result in less memory than the whole picture takes with the CPU's. */
static void check_task(check *c, satb_context *cpu, const task *t, tally *sum)
{
    picture want;
    const size_t peak = run_whole(c, cpu, t, &want);

    for (int i = 0; i < 3 && peak > 0; i++)
        check_capped(c, cpu, t, random_cap(c, t, peak), &want, sum);
    picture_free(&want);
}

/* Returns about the least memory in which the picture is done. */
static size_t least_cap(check *c, const task *t, size_t peak)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};
    picture got = picture_output(&s);
    size_t refused = peak / 4, enough = peak;

    while (enough - refused > peak / (size_t)check_count(c, 50, 15)) {
        const size_t middle = refused + (enough - refused) / 2;
        satb_context *context = open_capped(c, middle);
        const int fits = context && run_task(context, t, &got) == SATB_OK;
        *(fits ? &enough : &refused) = middle;
        satb_close(&context);
    }
    picture_free(&got);
    return enough;
}

/* The same in the least memory, and in hundredths of the whole picture's more: few rows of a band become many. */
static void check_in_bands(check *c, satb_context *cpu, const task *t, int runs, tally *sum)
{
    picture want;
    const size_t peak = run_whole(c, cpu, t, &want);
    const size_t least = peak > 0 ? least_cap(c, t, peak) : 0;

    for (int i = 0; i < runs && peak > 0; i++)
        check_capped(c, cpu, t, least + i * peak / 100, &want, sum);
    picture_free(&want);
}

/* The widest window of a slab is read where narrower ones see little, and only its farthest row decides
 * here: in front of a far plane that is all but hidden, patches of another depth, each with a hole in
 * its middle through which one far pixel is seen; and the only light, another far pixel, as far below
 * as windows reach. */
static task hidden_task(uint64_t *random, int patches)
{
    enum { FAR_RADIUS = 12, EACH = 14, HEIGHT = 120, FIRST = 30, SHARP = 255, PATCH = 200 };
    static satk_slab slabs[SATK_MAX_SLABS];
    static double radii[SATK_MAX_SLABS];
    const satb_aperture aperture = satb_make_aperture(&(satb_dof_params){.blades = 0});
    satb_make_slabs(-FAR_RADIUS, 0, 0, 1 << 24, &aperture, slabs, radii);
    const int reach = satk_reach(&slabs[0]);
    const shape s = {patches * EACH, HEIGHT, 1, 8, 0, 0};
    task t = {.operation = DOF,
              .src = picture_input(&s, FILL_CONSTANT, random),
              .map = picture_input(&s, FILL_CONSTANT, random),
              .dof = {.focus_mode = SATB_FOCUS_VALUE,
                      .focus = 1,
                      .strength = SATB_STRENGTH_RADIUS,
                      .max_radius = FAR_RADIUS,
                      .method = SATB_METHOD_LAYERED,
                      .look = {.gamma = 1}}};

    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++) {
            const int patch = x / EACH, dx = x % EACH - EACH / 2, dy = y - FIRST - patch;
            const int hole = dx == 0 && (dy == 0 || dy == reach);
            picture_put(&t.src.plane, x, y, 0, hole && dy ? 255 : 0);
            picture_put(&t.map.plane, x, y, 0,
                        hole                           ? 0
                        : abs(dx) <= 2 && abs(dy) <= 2 ? PATCH
                                                       : SHARP);
        }
    return t;
}

/* The device's tables are cut into tiles of 32 rows, so these caps make bands of very different
 * sizes. One of them ends in a patch. */
static void check_hidden(check *c, satb_context *cpu, tally *sum)
{
    task t = hidden_task(&c->random, 12);

    check_in_bands(c, cpu, &t, 3, sum);
    task_free(&t);
}

/* Sources beyond a band reach into it. */
static void check_spreading(check *c, satb_context *cpu, tally *sum)
{
    for (int i = 0; i < 3; i++) {
        task t = random_task(&c->random, 120, 150, 1);
        t.operation = DOF;
        t.dof = (satb_dof_params){.focus_mode = SATB_FOCUS_VALUE,
                                  .focus = 0.5,
                                  .strength = SATB_STRENGTH_RADIUS,
                                  .max_radius = 20,
                                  .method = SATB_METHOD_SPREAD};
        check_in_bands(c, cpu, &t, 2, sum);
        task_free(&t);
    }
}

/* Cells begin with the picture, not with a band. Bands have wide slabs on both sides of the
 * focus. */
static void check_wide(check *c, satb_context *cpu, tally *sum)
{
    for (int i = 0; i < 4; i++) {
        task t = random_task(&c->random, 40 + i, 500 + random_below(&c->random, 90), 1);
        t.operation = DOF;
        t.dof = (satb_dof_params){.focus_mode = SATB_FOCUS_VALUE,
                                  .focus = 0.5,
                                  .strength = SATB_STRENGTH_RADIUS,
                                  .max_radius = 90 + random_below(&c->random, 60),
                                  .highlights = i == 3 ? 4 : 0,
                                  .look.edge = i % 2 ? SATB_EDGE_WRAP : SATB_EDGE_SHRINK};
        check_in_bands(c, cpu, &t, 1, sum);
        task_free(&t);
    }
}

/* What is wide and far is hidden by what is wide and near, but for the last rows that its widest window reads; in
 * 16 bits, where nothing rounds it away. Of three bands the first ends within a cell. */
static void check_step(check *c, satb_context *cpu, tally *sum)
{
    const shape s = {48, 381, 1, 16, 0, 0};
    task t = {.operation = DOF,
              .src = picture_input(&s, FILL_RANDOM, &c->random),
              .map =
                  picture_input(&(shape){s.width, s.height, 1, 8, 0, 0}, FILL_CONSTANT, &c->random),
              .dof = {.focus_mode = SATB_FOCUS_VALUE,
                      .focus = 0.5,
                      .strength = SATB_STRENGTH_RADIUS,
                      .max_radius = 98,
                      .method = SATB_METHOD_LAYERED}};

    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++) {
            picture_put(&t.src.plane, x, y, 0,
                        y % 4 == 3 ? 60000 : (uint32_t)random_below(&c->random, 5000));
            picture_put(&t.map.plane, x, y, 0, y < 175 ? 255 : 0);
        }
    check_in_bands(c, cpu, &t, 4, sum);
    task_free(&t);
}

/* Lights behind the focus, all as far: bright pixels of a dark picture, each `every`-th of each `every`-th row; or
 * (every 0) at random, and squares of 30 pixels. */
static void check_lights_of(check *c, satb_context *cpu, const shape *s, int every, double radius,
                            double highlights, tally *sum)
{
    task t = {.operation = DOF,
              .src = picture_input(s, FILL_CONSTANT, &c->random),
              .map = picture_input(s, FILL_CONSTANT, &c->random),
              .dof = {.focus_mode = SATB_FOCUS_VALUE,
                      .focus = 1,
                      .strength = SATB_STRENGTH_RADIUS,
                      .max_radius = radius,
                      .highlights = highlights}};
    picture want;

    for (int i = 0; i < s->width * s->height; i++) {
        const int x = i % s->width, y = i / s->width;
        const int in_square = (x / 64 + y / 64) % 5 == 0 && x % 64 < 30 && y % 64 < 30;
        const int is_light = every ? x % every == every / 2 && y % every == 0
                                   : in_square || random_below(&c->random, 400) == 0;
        const uint32_t bright = every ? oracle_code_max(s->bits) : 220;
        picture_put(&t.src.plane, x, y, 0, is_light ? bright : 0);
        picture_put(&t.map.plane, x, y, 0, 0);
    }
    const size_t peak = run_whole(c, cpu, &t, &want);
    if (peak > 0) /* in less memory it takes the emulated device a minute */
        check_capped(c, cpu, &t, peak * 9 / 10, &want, sum);
    picture_free(&want);
    task_free(&t);
}

static void check_lights(check *c, satb_context *cpu, tally *sum)
{
    /* so wide that more rows decide on lights than all windows of layers reach */
    const shape wide = {700, 520, 1, 8, 0, 0};
    /* discs of radius 631 reach farther than the windows of their slab */
    const shape tall = {16, 2000, 1, 16, 0, 0};

    check_lights_of(c, cpu, &wide, 0, 3, 2, sum);
    if (!c->quick) /* these bands take an emulated device half a minute */
        check_lights_of(c, cpu, &tall, 9, 631, 64, sum);
}

/* Rows are so far apart that their offsets pass 32 bits. Only the rows themselves take memory. */
static void check_far_rows(check *c, satb_context *cpu)
{
    enum { WIDTH = 9, HEIGHT = 4200, STRIDE = 1 << 20 };
    const satb_box_params params = {.radius_x = 2, .radius_y = 6.5};
    uint8_t *const from = calloc(HEIGHT, STRIDE), *const to = calloc(HEIGHT, STRIDE);
    uint8_t *const want = malloc(WIDTH * HEIGHT);
    const satb_image src = {from, STRIDE, WIDTH, HEIGHT, 1, 8, 0, 0},
                     dst = {to, STRIDE, WIDTH, HEIGHT, 1, 8, 0, 0};
    const satb_image by_cpu = {want, WIDTH, WIDTH, HEIGHT, 1, 8, 0, 0};
    satb_context *cuda = open_capped(c, 100000);
    tally sum = {.refused = 0};
    int same = 1;

    check_case(c, "rows %d bytes apart", (int)STRIDE);
    if (!from || !to || !want) {
        check_skip(c, "no address space of 8 GiB");
    } else if (cuda) {
        for (size_t i = 0; i < WIDTH * HEIGHT; i++)
            from[i / WIDTH * STRIDE + i % WIDTH] = (uint8_t)random_below(&c->random, 256);
        satb_box(cpu, &src, &by_cpu, &params);
        fitted(c, cuda, satb_box(cuda, &src, &dst, &params), 100000, &sum);
        for (size_t y = 0; y < HEIGHT; y++)
            same &= !memcmp(want + y * WIDTH, to + y * STRIDE, WIDTH);
        check_that(c, ON_CUDA, same && satb_last_memory(cuda).bands > 1, "%d bands differ",
                   satb_last_memory(cuda).bands);
    }
    satb_close(&cuda);
    free(from);
    free(to);
    free(want);
}

void check_bands(check *c)
{
    static const double radii[] = {3, 12, 90};
    const satb_config config = {.device = SATB_DEVICE_CPU};
    satb_context *cpu = NULL;
    tally sum = {.refused = 0};

    if (!c->cuda || !check_that(c, ON_CPU, satb_open(&cpu, &config) == SATB_OK, "no CPU"))
        return;
    for (int i = 0; i < check_count(c, 300, 50) && !check_hopeless(c); i++) {
        task t = random_task(&c->random, 120, 150, radii[i % 3]);
        check_task(c, cpu, &t, &sum);
        task_free(&t);
    }
    check_hidden(c, cpu, &sum);
    check_spreading(c, cpu, &sum);
    check_wide(c, cpu, &sum);
    check_step(c, cpu, &sum);
    check_lights(c, cpu, &sum);
    check_far_rows(c, cpu);
    check_case(c, "all of them");
    for (int i = 0; i < OPERATIONS; i++)
        check_that(c, ON_CUDA, sum.banded[i] > 2, "%s: %d runs in bands", operation_names[i],
                   sum.banded[i]);
    check_that(c, ON_CUDA, sum.tables > 2 && sum.counts > 2 && sum.refused > 2,
               "in bands: %d tables, %d counts; %d refused", sum.tables, sum.counts, sum.refused);
    satb_close(&cpu);
}

void check_large_bands(check *c)
{
    const size_t cap = (size_t)3 << 30;
    const satb_config config = {.device = SATB_DEVICE_CPU};
    const satb_box_params params = {.radius_x = 20.5, .radius_y = 31};
    picture src = picture_input(&large_words, FILL_RANDOM, &c->random);
    picture want = picture_output(&large_words), got = picture_output(&large_words);
    const satb_image from = image_of(&src), by_cpu = image_of(&want), by_cuda = image_of(&got);
    satb_context *cpu = NULL, *cuda = c->cuda ? open_capped(c, cap) : NULL;
    tally sum = {.refused = 0};

    check_case(c, "box of %d x %d", large_words.width, large_words.height);
    if (check_that(c, ON_CPU,
                   satb_open(&cpu, &config) == SATB_OK &&
                       satb_box(cpu, &from, &by_cpu, &params) == SATB_OK,
                   "the CPU failed") &&
        cuda && fitted(c, cuda, satb_box(cuda, &from, &by_cuda, &params), cap, &sum)) {
        const layout l = layout_of(&got.plane);
        check_that(c, ON_CUDA, satb_last_memory(cuda).bands > 1, "one band");
        check_same(c, ON_CUDA, &want.memory, &got.memory, &l);
    }
    satb_close(&cpu);
    satb_close(&cuda);
    picture_free(&src);
    picture_free(&want);
    picture_free(&got);
}
