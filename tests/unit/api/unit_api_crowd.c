/* Contexts in as many threads: each gives the results of one alone. */
#include "unit/api/api_case.h"

#include <pthread.h>

enum { CROWD = 64, ROUNDS = 3 };

typedef struct scene {
    satb_image src, depth, blurred, boxed;
    satb_channel_stats stats[3];
} scene;

static const satb_box_params box = {9.5, 4, {0}};
static const satb_dof_params lens = {.focus_mode = SATB_FOCUS_VALUE,
                                     .focus = 0.3,
                                     .strength = SATB_STRENGTH_RADIUS,
                                     .max_radius = 9,
                                     .blades = 6};

static int work(satb_context *context, scene *s)
{
    return satb_box(context, &s->src, &s->boxed, &box) == SATB_OK &&
           satb_dof(context, &s->src, &s->depth, &s->blurred, &lens, NULL) == SATB_OK &&
           satb_measure(context, &s->src, s->stats) == SATB_OK;
}

static scene scene_make(void)
{
    return (scene){make(120, 80, 3, 8, 1),
                   make(120, 80, 1, 8, 2),
                   make(120, 80, 3, 8, 3),
                   make(120, 80, 3, 8, 4),
                   {{0}}};
}

static void scene_free(const scene *s)
{
    free(s->src.data);
    free(s->depth.data);
    free(s->blurred.data);
    free(s->boxed.data);
}

typedef struct member {
    pthread_t thread;
    scene scene;
    int done;
} member;

/* Opens a context and works in it again and again. A thread must not assert. */
static void *live(void *user)
{
    member *const m = user;
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 3};
    satb_context *context;
    for (int i = 0; i < ROUNDS && satb_open(&context, &config) == SATB_OK; i++) {
        m->done += work(context, &m->scene);
        satb_close(&context);
    }
    return NULL;
}

static void each_is_alone(void **state)
{
    static member all[CROWD];
    scene want = scene_make();

    assert_true(work(cpu, &want));
    for (int i = 0; i < CROWD; i++) {
        all[i].scene = scene_make();
        assert_int_equal(pthread_create(&all[i].thread, NULL, live, &all[i]), 0);
    }
    for (int i = 0; i < CROWD; i++) {
        pthread_join(all[i].thread, NULL);
        assert_int_equal(all[i].done, ROUNDS);
        same(&want.blurred, &all[i].scene.blurred);
        same(&want.boxed, &all[i].scene.boxed);
        assert_memory_equal(want.stats, all[i].scene.stats, sizeof want.stats);
        scene_free(&all[i].scene);
    }
    scene_free(&want);
}

UNIT_MAIN_WITHIN(set_up, tear_down, cmocka_unit_test(each_is_alone))
