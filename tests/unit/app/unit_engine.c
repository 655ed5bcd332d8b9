/* The program's answers to a GPU that is missing, runs out of memory or computes something else. */
#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/app/engine_stage.h"
#include "unit/unit.h"

enum { WIDTH = 5, HEIGHT = 3, CHANNELS = 3, BYTES = WIDTH * HEIGHT * CHANNELS };

static uint8_t source[BYTES], result[BYTES];
static options given;

static int set_stage(void **state)
{
    stage_clear(state);
    given = (options){.input = "in.png"};
    given.given[OPT_RADIUS] = given.given[OPT_QUIET] = true;
    for (int i = 0; i < BYTES; i++) {
        source[i] = (uint8_t)(i * 7);
        result[i] = 0;
    }
    return 0;
}

static engine_request new_request(void)
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
    engine_request q = new_request();
    problem p;
    assert_true(run_once(&q, &p));
    assert_memory_equal(source, result, BYTES);
    assert_string_equal(q.device, "cpu, played");
    assert_int_equal(stage.opened, stage.closed);
}

/* An engine keeps its context from picture to picture, until the GPU fails. */
static void test_kept(void **state)
{
    engine e = {.config = {.device = SATB_DEVICE_AUTO}};
    problem p;
    bool is_cuda;
    stage.has_gpu = true;
    assert_true(engine_open(&e, &is_cuda, &p));
    assert_true(is_cuda);
    for (int i = 0; i < 3; i++) {
        engine_request q = new_request();
        assert_true(engine_run(&e, &q, &p));
    }
    assert_int_equal(stage.opened, 1);
    assert_int_equal(stage.closed, 0);
    stage.gpu_blurs = SATB_ERR_DEVICE;
    engine_request q = new_request();
    assert_true(engine_run(&e, &q, &p));
    assert_int_equal(stage.opened, 2); /* the CPU's */
    assert_int_equal(stage.closed, 1);
    engine_close(&e);
    assert_int_equal(stage.closed, 2);
}

static void test_missing_gpu(void **state)
{
    engine_request q = new_request();
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

/* With auto, the CPU replaces a GPU that fails in any step. With cuda, the picture fails. */
static void test_failing_gpu(void **state)
{
    static const satb_status failures[] = {SATB_ERR_DEVICE_NOMEM, SATB_ERR_DEVICE};
    for (int i = 0; i < 2; i++) {
        set_stage(NULL);
        stage.has_gpu = true;
        stage.gpu_blurs = failures[i];
        stage.gpu_error_at = 3;
        engine_request q = new_request();
        problem p;
        assert_true(run_once(&q, &p));
        assert_memory_equal(source, result, BYTES);
        assert_string_equal(q.device, "cpu, played");
        assert_true(q.timings.ms[SATB_STAGE_BLUR] == 1); /* the failed try is not counted */
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
    engine_request q = new_request();
    problem p;
    assert_true(run_once(&q, &p));
    stage.gpu_measures = SATB_ERR_ARG; /* not the GPU's fault: the CPU would answer the same */
    assert_false(run_once(&q, &p));
}

static void test_verify(void **state)
{
    engine_request q = new_request();
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

/* The depth map is measured only beside --stats, the luminance only for the figure. */
static void test_measured(void **state)
{
    engine_request q = new_request();
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

/* --verify with a depth map compares pixels, radii and each member of the report. */
static void test_verify_depth(void **state)
{
    uint16_t radii[WIDTH * HEIGHT];
    engine_request q = new_request();
    problem p;
    q.map = q.src;
    q.coc = (satb_image){radii, 2 * WIDTH, WIDTH, HEIGHT, 1, 16, 0, 0};
    given.given[OPT_DEPTH] = given.given[OPT_VERIFY] = stage.has_gpu = true;
    assert_true(run_once(&q, &p));
    assert_int_equal(q.verified, BYTES + sizeof radii);
    stage.gpu_coc_error_at = 2 * (WIDTH + 3) + 1;
    assert_false(run_once(&q, &p));
    assert_non_null(strstr(p.text, "in --dump-coc, first at pixel 3,1, channel 0;"));
    stage.gpu_coc_error_at = -1;
}

/* Returns the next member of the report in the header, or false behind the last. */
static bool next_member(const char **at, char name[32])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    for (;;) {
        *at += strcspn(*at, ",;}/");
        if (**at == '}')
            return false;
        if (**at == '/') {
            *at = strstr(*at, "*/") + 2;
            continue;
        }
        const char *first = *at;
        while (strchr(letters, first[-1]))
            first--;
        snprintf(name, 32, "%.*s", (int)(*at - first), first);
        ++*at;
        return true;
    }
}

/* Each byte of a report is another on the GPU in turn: --verify names each member that the header has. */
static void test_verify_report(void **state)
{
    static char header[1 << 17], seen[sizeof(satb_dof_report)][32];
    int members = 0, found = 0;
    char name[32];
    problem p;
    FILE *const file = fopen(SATB_HEADER, "r");
    assert_non_null(file);
    assert_in_range(fread(header, 1, sizeof header - 1, file), 1, sizeof header - 2);
    fclose(file);
    engine_request q = new_request();
    q.map = q.src;
    given.given[OPT_DEPTH] = given.given[OPT_VERIFY] = stage.has_gpu = true;
    assert_true(run_once(&q, &p));
    for (size_t at = 0; at < sizeof(satb_dof_report); at++) {
        stage.gpu_report_error_at = (int)at;
        if (!run_once(&q, &p))
            assert_int_equal(sscanf(p.text, "verify: the reports of cpu and gpu differ (%31[a-z_])",
                                    seen[found++]),
                             1);
    }
    for (const char *at = strstr(header, "typedef struct satb_dof_report {");
         next_member(&at, name); members++) {
        bool is_seen = false;
        for (int i = 0; i < found; i++)
            is_seen |= strcmp(seen[i], name) == 0;
        if (!is_seen)
            fail_msg("%s is not compared", name);
    }
    assert_in_range(members, 21, sizeof(satb_dof_report) / 4);
}

/* Returns the milliseconds that `auto` expects of the CPU with the options as they are. */
static double expected_ms(void)
{
    engine e = {.config = {.threads = 1}, .is_for_one = true};
    engine_request q = new_request();
    problem p;
    q.map = q.src;
    assert_true(engine_run(&e, &q, &p));
    engine_close(&e);
    assert_string_equal(q.device, "cpu, played");
    return q.chosen_ms;
}

static void test_expected_ms(void **state)
{
    stage.has_gpu = given.given[OPT_DEPTH] = true;
    const double layers = expected_ms();
    given.dof.method = SATB_METHOD_GATHER;
    const double gather = expected_ms();
    assert_true(gather < layers);
    given.dof.method = SATB_METHOD_DEFAULT;
    given.look.edge = SATB_EDGE_MIRROR; /* layers have no such edge */
    assert_true(expected_ms() == gather);
    given.look.edge = SATB_EDGE_SHRINK;
    given.dof.max_radius = 500.0 * 500 / 1000 / 2 / 2 * WIDTH / 36;
    const double wide = expected_ms();
    assert_true(wide > layers);
    given.dof.max_radius = 0;
    given.dof.strength = SATB_STRENGTH_LENS; /* 500 mm f/2, from 1 m on */
    given.dof.focal_mm = 500;
    given.dof.fstop = 2;
    given.dof.distance_near = 1;
    given.dof.distance_far = INFINITY;
    assert_true(fabs(expected_ms() - wide) < 1e-9);
    given.dof.scaled = true;
    given.dof.near_scale = 3;
    assert_true(expected_ms() > wide);
}

static void test_equalize(void **state)
{
    engine_request q = new_request();
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

static bool run_on(satb_device device, bool may_wait, problem *p)
{
    engine_request q = new_request();
    q.may_wait = may_wait;
    given.engine.device = device;
    return run_once(&q, p);
}

/* A picture that may wait for memory is neither done by the CPU nor cut into many bands. */
static void test_waiting(void **state)
{
    problem p;
    stage.has_gpu = true;
    assert_true(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.most_bands, 8);
    assert_true(run_on(SATB_DEVICE_AUTO, false, &p));
    assert_int_equal(stage.most_bands, 0);
    given.engine.gpu_memory = 1 << 20; /* a limit that no waiting changes */
    assert_true(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.most_bands, 0);
    given.engine.gpu_memory = 0;

    stage.gpu_blurs = SATB_ERR_DEVICE_NOMEM;
    stage.blurred = 0;
    assert_false(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.blurred, 1);
    assert_int_equal(p.kind, PROBLEM_DEVICE_MEMORY);
    assert_string_equal(p.text, "in.png: GPU memory ran out");
    assert_true(run_on(SATB_DEVICE_AUTO, false, &p));
    assert_int_equal(stage.blurred, 3);
    for (int may_wait = 0; may_wait < 2; may_wait++) {
        assert_false(run_on(SATB_DEVICE_CUDA, may_wait, &p));
        assert_int_equal(p.kind, PROBLEM_DEVICE_MEMORY);
    }
    stage.gpu_blurs = SATB_ERR_DEVICE;
    assert_false(run_on(SATB_DEVICE_CUDA, true, &p));
    assert_int_not_equal(p.kind, PROBLEM_DEVICE_MEMORY);
    assert_true(run_on(SATB_DEVICE_AUTO, true, &p));
    assert_int_equal(stage.opened, stage.closed);
}

UNIT_MAIN(cmocka_unit_test_setup(test_cpu, set_stage), cmocka_unit_test_setup(test_kept, set_stage),
          cmocka_unit_test_setup(test_missing_gpu, set_stage),
          cmocka_unit_test_setup(test_failing_gpu, set_stage),
          cmocka_unit_test_setup(test_verify, set_stage),
          cmocka_unit_test_setup(test_measured, set_stage),
          cmocka_unit_test_setup(test_verify_depth, set_stage),
          cmocka_unit_test_setup(test_verify_report, set_stage),
          cmocka_unit_test_setup(test_expected_ms, set_stage),
          cmocka_unit_test_setup(test_equalize, set_stage),
          cmocka_unit_test_setup(test_waiting, set_stage))
