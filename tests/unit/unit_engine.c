/* What the program does when a GPU is missing, runs out of memory or computes something else. The
 * library is played by the few functions below, so that none of it needs a GPU. */
#include "engine/engine.h"
#include "engine/engine_pool.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- The library's part ----------------------------------------------------------------------- */

struct satb_context {
    bool cuda;
};

enum { GPUS = 3 };

static struct {
    bool has_gpu;          /* and then so many */
    satb_status gpu_blurs; /* what a blur on the GPU answers */
    satb_status gpu_measures;
    int gpu_error_at; /* this byte of the GPU's output is off by one; -1: none */
    bool gpu_counts_wrong, gpu_lumas_wrong;
    int opened, closed, trimmed, most_bands, blurred, equalized, measured, lumas;
} stage;

satb_status satb_open(satb_context **out, const satb_config *config)
{
    const bool cuda =
        config->device == SATB_DEVICE_CUDA || (config->device == SATB_DEVICE_AUTO && stage.has_gpu);
    *out = NULL;
    if (cuda && (!stage.has_gpu || config->cuda_index >= GPUS))
        return SATB_ERR_UNAVAILABLE;
    *out = malloc(sizeof **out);
    assert_non_null(*out);
    (*out)->cuda = cuda;
    stage.opened++;
    return SATB_OK;
}

void satb_close(satb_context **context)
{
    stage.closed += *context != NULL;
    free(*context);
    *context = NULL;
}

void satb_trim(satb_context *context)
{
    stage.trimmed++;
    (void)context;
}

void satb_limit_bands(satb_context *context, int most)
{
    (void)context;
    stage.most_bands = most;
}

const char *satb_open_message(void)
{
    return "no GPU on this stage";
}

int satb_is_cuda(const satb_context *context)
{
    return context->cuda;
}

const char *satb_describe(const satb_context *context)
{
    return context->cuda ? "cuda:0 played" : "cpu, played";
}

const char *satb_last_message(const satb_context *context)
{
    (void)context;
    return "GPU memory ran out";
}

satb_timings satb_last_timings(const satb_context *context)
{
    (void)context;
    return (satb_timings){.blur = 1};
}

satb_memory satb_last_memory(const satb_context *context)
{
    return context->cuda ? (satb_memory){.peak = 1000, .bands = 3} : (satb_memory){.bands = 1};
}

satb_status satb_box(satb_context *context, const satb_image *src, const satb_image *dst,
                     const satb_box_params *params)
{
    (void)params;
    stage.blurred++;
    uint8_t *out = dst->data;
    memcpy(out, src->data, (size_t)src->stride * (size_t)src->height);
    if (context->cuda && stage.gpu_error_at >= 0)
        out[stage.gpu_error_at]++;
    return context->cuda ? stage.gpu_blurs : SATB_OK;
}

satb_status satb_blur_map(satb_context *context, const satb_image *src, const satb_image *map,
                          const satb_image *dst, const satb_map_params *params)
{
    (void)context, (void)src, (void)map, (void)dst, (void)params;
    return SATB_ERR_ARG;
}

satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    (void)depth, (void)params, (void)report;
    return satb_box(context, src, dst, NULL);
}

satb_status satb_coc(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    (void)context, (void)src, (void)depth, (void)dst, (void)params, (void)report;
    return SATB_ERR_ARG;
}

satb_status satb_measure(satb_context *context, const satb_image *src, satb_channel_stats *stats)
{
    stage.measured++;
    memset(stats, 0, (size_t)src->channels * sizeof *stats);
    stats[0].histogram[7] = context->cuda && stage.gpu_counts_wrong ? 1 : 0;
    return context->cuda ? stage.gpu_measures : SATB_OK;
}

satb_status satb_measure_luminance(satb_context *context, const satb_image *src,
                                   satb_channel_stats *stats)
{
    (void)src;
    memset(stats, 0, sizeof *stats);
    stats->histogram[7] = context->cuda && stage.gpu_lumas_wrong ? 1 : 0;
    stage.lumas++;
    return SATB_OK;
}

satb_status satb_equalize(satb_context *context, const satb_image *src, const satb_image *dst)
{
    stage.equalized++;
    return satb_box(context, src, dst, NULL);
}

/* --- The tests -------------------------------------------------------------------------------- */

enum { WIDTH = 5, HEIGHT = 3, CHANNELS = 3, BYTES = WIDTH * HEIGHT * CHANNELS };

static uint8_t source[BYTES], result[BYTES];
static options given;

static int set_stage(void **state)
{
    (void)state;
    memset(&stage, 0, sizeof stage);
    stage.gpu_error_at = -1;
    given = (options){.input = "in.png"};
    given.given[OPT_RADIUS] = given.given[OPT_QUIET] = true;
    for (int i = 0; i < BYTES; i++) {
        source[i] = (uint8_t)(i * 7);
        result[i] = 0;
    }
    return 0;
}

static engine_request new_job(void)
{
    engine_request q = {.o = &given};
    q.src = (satb_image){.data = source,
                         .stride = WIDTH * CHANNELS,
                         .width = WIDTH,
                         .height = HEIGHT,
                         .channels = CHANNELS,
                         .bits = 8};
    q.dst = q.src;
    q.dst.data = result;
    return q;
}

static bool run_once(engine_request *q, problem *p)
{
    engine e = {.config = given.engine};
    const bool done = engine_run(&e, q, p);
    engine_close(&e);
    return done;
}

static void test_cpu(void **state)
{
    (void)state;
    engine_request q = new_job();
    problem p;
    assert_true(run_once(&q, &p));
    assert_memory_equal(source, result, BYTES);
    assert_string_equal(q.device, "cpu, played");
    assert_int_equal(stage.opened, stage.closed);
}

/* An engine keeps its context from job to job, until the GPU fails. */
static void test_kept(void **state)
{
    (void)state;
    engine e = {.config = {.device = SATB_DEVICE_AUTO}};
    problem p;
    bool is_cuda;
    stage.has_gpu = true;
    assert_true(engine_open(&e, &is_cuda, &p));
    assert_true(is_cuda);
    for (int i = 0; i < 3; i++) {
        engine_request q = new_job();
        assert_true(engine_run(&e, &q, &p));
    }
    assert_int_equal(stage.opened, 1);
    assert_int_equal(stage.closed, 0);
    stage.gpu_blurs = SATB_ERR_DEVICE;
    engine_request q = new_job();
    assert_true(engine_run(&e, &q, &p));
    assert_int_equal(stage.opened, 2); /* the CPU's */
    assert_int_equal(stage.closed, 1);
    engine_close(&e);
    assert_int_equal(stage.closed, 2);
}

static void test_missing_gpu(void **state)
{
    (void)state;
    engine_request q = new_job();
    problem p;
    given.engine.device = SATB_DEVICE_CUDA;
    assert_false(run_once(&q, &p));
    assert_string_equal(p.text, "--device cuda: no GPU on this stage; use --device auto or cpu");
    given.engine.device = SATB_DEVICE_AUTO;
    given.given[OPT_VERIFY] = true;
    assert_false(run_once(&q, &p));
    assert_non_null(strstr(p.text, "--verify needs a CUDA device"));
    assert_int_equal(stage.blurred, 0);
}

/* Under auto a failing GPU is replaced by the CPU, whichever step fails; when it was asked for,
 * not. */
static void test_failing_gpu(void **state)
{
    (void)state;
    static const satb_status failures[] = {SATB_ERR_DEVICE_NOMEM, SATB_ERR_DEVICE};
    for (int i = 0; i < 2; i++) {
        set_stage(NULL);
        stage.has_gpu = true;
        stage.gpu_blurs = failures[i];
        stage.gpu_error_at = 3;
        engine_request q = new_job();
        problem p;
        assert_true(run_once(&q, &p));
        assert_memory_equal(source, result, BYTES);
        assert_string_equal(q.device, "cpu, played");
        assert_true(q.timings.blur == 1); /* the failed try is not counted */
        given.engine.device = SATB_DEVICE_CUDA;
        assert_false(run_once(&q, &p));
        assert_string_equal(p.text, "in.png: GPU memory ran out");
        assert_int_equal(stage.opened, 3);
        assert_int_equal(stage.closed, 3);
    }
    set_stage(NULL);
    stage.has_gpu = true;
    stage.gpu_measures = SATB_ERR_DEVICE_NOMEM;
    given.stats = STATS_TEXT;
    engine_request q = new_job();
    problem p;
    assert_true(run_once(&q, &p));
    stage.gpu_measures = SATB_ERR_ARG; /* no fault of the GPU: the CPU would say the same */
    assert_false(run_once(&q, &p));
}

static void test_verify(void **state)
{
    (void)state;
    engine_request q = new_job();
    problem p;
    stage.has_gpu = true;
    given.given[OPT_VERIFY] = true;
    given.stats = STATS_TEXT;
    assert_true(run_once(&q, &p));
    assert_int_equal(stage.blurred, 2);
    assert_int_equal(q.verified, BYTES + CHANNELS * sizeof(satb_channel_stats));
    assert_int_equal(q.memory.peak, 1000); /* the GPU's */
    assert_int_equal(q.memory.bands, 3);
    for (int at = 0; at < BYTES; at++) {
        char says[64];
        snprintf(says, sizeof says, "first at pixel %d,%d, channel %d;", at / CHANNELS % WIDTH,
                 at / CHANNELS / WIDTH, at % CHANNELS);
        stage.gpu_error_at = at;
        assert_false(run_once(&q, &p));
        if (!strstr(p.text, says))
            fail_msg("'%s' is not in '%s'", says, p.text);
    }
    stage.gpu_error_at = -1;
    stage.gpu_counts_wrong = true;
    assert_false(run_once(&q, &p));
    assert_non_null(strstr(p.text, "statistics"));
    assert_int_equal(stage.opened, stage.closed);
}

/* What is measured: the depth map only beside --stats, the luminance only for the figure. */
static void test_measured(void **state)
{
    (void)state;
    engine_request q = new_job();
    problem p;
    q.map = q.src;
    given.given[OPT_DEPTH] = true;
    assert_true(run_once(&q, &p));
    assert_int_equal(stage.measured, 0);
    given.histogram = "h.svg";
    assert_true(run_once(&q, &p));
    assert_int_equal(stage.measured, 1);
    assert_int_equal(stage.lumas, 1);
    given.stats = STATS_JSON;
    assert_true(run_once(&q, &p));
    assert_int_equal(stage.measured, 3);
    given.given[OPT_VERIFY] = stage.has_gpu = true;
    assert_true(run_once(&q, &p));
    assert_int_equal(q.verified, BYTES + (2 * CHANNELS + 1) * sizeof(satb_channel_stats));
    stage.gpu_lumas_wrong = true;
    assert_false(run_once(&q, &p));
    assert_non_null(strstr(p.text, "statistics"));
}

static void test_equalize(void **state)
{
    (void)state;
    engine_request q = new_job();
    problem p;
    given.given[OPT_RADIUS] = false;
    given.given[OPT_EQUALIZE] = given.given[OPT_VERIFY] = stage.has_gpu = true;
    assert_true(run_once(&q, &p));
    assert_int_equal(stage.equalized, 2);
    assert_int_equal(q.verified, BYTES);
    stage.gpu_error_at = 4;
    assert_false(run_once(&q, &p));
    assert_non_null(strstr(p.text, "first at pixel 1,0, channel 1;"));
}

/* Pictures that have chosen a GPU stay in work, but for those of the second one, which fail at once or not. */
static void choose(engine_pool *pool, int pictures, bool second_fails, int chosen[GPUS])
{
    for (int i = 0; i < pictures; i++) {
        const int gpu = engine_pool_enter(pool);
        assert_in_range(gpu, 0, GPUS - 1);
        chosen[gpu]++;
        if (gpu == 1)
            engine_pool_leave(pool, gpu, !second_fails);
    }
}

/* A GPU that is quicker gets more pictures, but not as it fails at all of them. */
static void test_choice_of_gpus(void **state)
{
    (void)state;
    static engine_pool pool;
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    problem p;
    stage.has_gpu = true;
    for (int second_fails = 0; second_fails < 2; second_fails++) {
        int chosen[GPUS] = {0};
        assert_true(engine_pool_open(&pool, &config, true, 2 * GPUS, &p));
        assert_int_equal(pool.devices, GPUS);
        choose(&pool, 60, second_fails, chosen);
        for (int i = 0; i < GPUS && second_fails; i++)
            assert_int_equal(chosen[i], 60 / GPUS);
        assert_true(second_fails || chosen[1] > 50);
        engine_pool_close(&pool);
    }
    assert_int_equal(stage.opened, stage.closed);
}

static bool run_on(satb_device device, bool may_wait, problem *p)
{
    engine_request q = new_job();
    q.may_wait = may_wait;
    given.engine.device = device;
    return run_once(&q, p);
}

/* What may be tried again when there is more memory is neither done by the CPU nor cut into many bands. */
static void test_waiting(void **state)
{
    (void)state;
    problem p;
    stage.has_gpu = true;
    assert_true(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.most_bands, 8);
    assert_true(run_on(SATB_DEVICE_AUTO, false, &p));
    assert_int_equal(stage.most_bands, 0);
    given.engine.gpu_memory = 1 << 20; /* that will not change */
    assert_true(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.most_bands, 0);
    given.engine.gpu_memory = 0;

    stage.gpu_blurs = SATB_ERR_DEVICE_NOMEM;
    stage.blurred = 0;
    assert_false(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.blurred, 1);
    assert_true(p.out_of_device_memory);
    assert_string_equal(p.text, "in.png: GPU memory ran out");
    assert_true(run_on(SATB_DEVICE_AUTO, false, &p));
    assert_int_equal(stage.blurred, 3);
    for (int may_wait = 0; may_wait < 2; may_wait++) {
        assert_false(run_on(SATB_DEVICE_CUDA, may_wait, &p));
        assert_true(p.out_of_device_memory);
    }
    stage.gpu_blurs = SATB_ERR_DEVICE;
    assert_false(run_on(SATB_DEVICE_CUDA, true, &p));
    assert_false(p.out_of_device_memory);
    assert_true(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.opened, stage.closed);
}

/* In a shortage, engines that wait keep nothing. */
static void test_shortage(void **state)
{
    (void)state;
    static engine_pool pool;
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    problem p;
    stage.has_gpu = true;
    assert_true(engine_pool_open(&pool, &config, true, 2 * GPUS, &p));
    engine *const e = engine_pool_take(&pool, ANY_ENGINE), *const f = engine_pool_take(&pool, 1);
    engine_pool_give(&pool, f);
    assert_int_equal(stage.trimmed, 0);
    engine_pool_set_low_memory(&pool, true);
    assert_int_equal(stage.trimmed, GPUS - 1); /* the others are not open, or in use */
    engine_pool_give(&pool, e);
    assert_int_equal(stage.trimmed, GPUS);
    engine_pool_set_low_memory(&pool, false);
    engine_pool_give(&pool, engine_pool_take(&pool, ANY_ENGINE));
    assert_int_equal(stage.trimmed, GPUS);
    engine_pool_close(&pool);
}

typedef struct taker {
    pthread_t thread;
    engine_pool *pool;
    int gpu; /* what it takes all the time; or ANY_ENGINE */
    atomic_int *users;
    int wrong;
} taker;

static void *take_often(void *user)
{
    taker *const t = user;
    for (int i = 0; i < 400; i++) {
        engine *const e = engine_pool_take(t->pool, t->gpu);
        const int gpu = e->config.cuda_index;
        t->wrong +=
            (t->gpu != ANY_ENGINE && gpu != t->gpu) || atomic_fetch_add(&t->users[gpu], 1) >= 2;
        sched_yield();
        atomic_fetch_sub(&t->users[gpu], 1);
        engine_pool_give(t->pool, e);
    }
    return NULL;
}

/* Of more threads than engines, each goes on when one comes back that it may have. */
static void test_waking(void **state)
{
    (void)state;
    enum { TAKERS = 8 * GPUS };
    static engine_pool pool;
    static atomic_int users[GPUS];
    taker takers[TAKERS];
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    problem p;
    stage.has_gpu = true;
    assert_true(engine_pool_open(&pool, &config, true, 2 * GPUS, &p));
    alarm(60); /* who is never woken waits for ever */
    for (int i = 0; i < TAKERS; i++) {
        takers[i] = (taker){.pool = &pool, .gpu = i % (GPUS + 1) - 1, .users = users};
        assert_int_equal(pthread_create(&takers[i].thread, NULL, take_often, &takers[i]), 0);
    }
    for (int i = 0; i < TAKERS; i++) {
        pthread_join(takers[i].thread, NULL);
        assert_int_equal(takers[i].wrong, 0);
    }
    alarm(0);
    engine_pool_close(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_cpu, set_stage),
        cmocka_unit_test_setup(test_kept, set_stage),
        cmocka_unit_test_setup(test_missing_gpu, set_stage),
        cmocka_unit_test_setup(test_failing_gpu, set_stage),
        cmocka_unit_test_setup(test_verify, set_stage),
        cmocka_unit_test_setup(test_measured, set_stage),
        cmocka_unit_test_setup(test_equalize, set_stage),
        cmocka_unit_test_setup(test_choice_of_gpus, set_stage),
        cmocka_unit_test_setup(test_waiting, set_stage),
        cmocka_unit_test_setup(test_shortage, set_stage),
        cmocka_unit_test_setup(test_waking, set_stage),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
