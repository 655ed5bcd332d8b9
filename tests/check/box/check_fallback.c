/* Depth of field that gathers after layers were tried: their windows are too large. Gather reads the map that the device
 * has kept, in memory that holds less than the whole call. */
#include "check/check.h"

#include "check/box/blur_case.h"

/* Counts of results: of whole pictures, in bands, and refused for lack of memory. */
typedef struct tally {
    int whole, banded, refused;
} tally;

/* Returns a context on a CUDA device, of so much memory; 0: all. */
static satb_context *open_capped(check *c, size_t bytes)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA, .gpu_memory = bytes};
    satb_context *context = NULL;

    check_that(c, ON_CUDA, satb_open(&context, &config) == SATB_OK, "%s", satb_open_message());
    return context;
}

/* A picture of 16 bits that lets light through, with a map of slopes, or of steps, which have edges. */
static task make_task(check *c, int edges)
{
    const shape s = {70, 1000, 4, 16, 0, 0}, map = {s.width, s.height, 1, 16, 0, 0};
    task t = {.operation = DOF,
              .src = picture_input(&s, FILL_RANDOM, &c->random),
              .map = picture_input(&map, FILL_CONSTANT, &c->random),
              .dof = {.focus_mode = SATB_FOCUS_VALUE,
                      .focus = 0.5,
                      .strength = SATB_STRENGTH_RADIUS,
                      .max_radius = 230}};

    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++) {
            const int slope = 1 + 65534 * y / s.height;
            const int step = (x / 40 + y / 90) % 2 ? 60000 + x : 5000 + y;
            picture_put(&t.map.plane, x, y, 0, (uint32_t)(edges ? step : slope));
            picture_put(&t.src.plane, x, y, 3, 40000);
        }
    return t;
}

/* A larger picture of few bytes a pixel, in a call that leaves the slot of maps larger than make_task() needs. */
static task make_larger(check *c)
{
    const shape s = {400, 400, 1, 8, 0, 0}, map = {20, 20, 1, 8, 0, 0};

    return (task){.operation = MAP,
                  .src = picture_input(&s, FILL_RANDOM, &c->random),
                  .map = picture_input(&map, FILL_RANDOM, &c->random),
                  .by_map = {.max_radius = 3}};
}

static picture output_of(const task *t)
{
    const satk_plane *const p = &t->src.plane;
    const shape s = {p->width, p->height, p->channels, p->bits, 6, 2};

    return picture_output(&s);
}

/* Compares with the CPU's result. before: a task that the context runs first, or NULL. */
static void compare(check *c, const task *t, const task *before, size_t cap, const picture *want,
                    tally *sum)
{
    satb_context *context = open_capped(c, cap);
    picture got = output_of(t), other = before ? output_of(before) : got;
    const layout l = layout_of(&got.plane);

    satb_status status = context ? SATB_OK : SATB_ERR_UNAVAILABLE;
    if (status == SATB_OK && before)
        status = run_task(context, before, &other);
    if (status == SATB_OK)
        status = run_task(context, t, &got);
    if (status == SATB_ERR_DEVICE_NOMEM) {
        sum->refused++;
    } else if (check_that(c, ON_CUDA, status == SATB_OK, "status %d: %s", status,
                          satb_last_message(context))) {
        const int banded = satb_last_memory(context).bands > 1;
        sum->banded += banded;
        sum->whole += !banded;
        check_same(c, ON_CUDA, &want->memory, &got.memory, &l);
    }
    satb_close(&context);
    picture_free(&got);
    if (before)
        picture_free(&other);
}

/* Returns the bytes that the whole call takes; 0: an error. *want becomes the CPU's result. */
static size_t run_whole(check *c, const task *t, picture *want)
{
    const satb_config config = {.device = SATB_DEVICE_CPU};
    satb_context *cpu = NULL, *cuda = open_capped(c, 0);
    picture got = output_of(t);
    size_t peak = 0;

    *want = output_of(t);
    check_that(c, ON_CPU, satb_open(&cpu, &config) == SATB_OK && run_task(cpu, t, want) == SATB_OK,
               "%s", satb_last_message(cpu));
    if (cuda && run_task(cuda, t, &got) == SATB_OK)
        peak = satb_last_memory(cuda).peak;
    satb_close(&cpu);
    satb_close(&cuda);
    picture_free(&got);
    return peak;
}

void check_fallback(check *c)
{
    task larger = make_larger(c);

    for (int edges = 0; edges < 2 && c->cuda; edges++) {
        task t = make_task(c, edges);
        tally sum = {0, 0, 0};
        picture want;
        const size_t peak = run_whole(c, &t, &want);
        for (size_t percent = 50; percent < 100 && peak > 0; percent += c->quick ? 12 : 5) {
            check_case(c, "%d edges, in %zu %% of %zu bytes", edges, percent, peak);
            compare(c, &t, NULL, peak * percent / 100, &want, &sum);
            check_case(c, "the same, %d edges, %zu %%, after a larger picture", edges, percent);
            compare(c, &t, &larger, peak * percent / 100, &want, &sum);
        }
        check_case(c, "all of them, %d edges", edges);
        check_that(c, ON_CUDA, sum.whole > 1 && sum.banded > 1, "%d whole, %d in bands, %d refused",
                   sum.whole, sum.banded, sum.refused);
        picture_free(&want);
        task_free(&t);
    }
    task_free(&larger);
}
