/* Engines that are shared by workers: the choice of a GPU, shortage of memory, waking. */
#include "engine/engine_pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "unit/app/engine_stage.h"
#include "unit/unit.h"

/* Pictures choose GPUs and stay in work. Those on the second GPU end at once: they succeed, or (second_fails) fail. */
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

/* A faster GPU gets more pictures, but a GPU that fails at all of them does not. */
static void test_choice_of_gpus(void **state)
{
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

/* In a shortage, idle engines keep no memory. */
static void test_shortage(void **state)
{
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

typedef struct giver {
    engine_pool *pool;
    engine *e;
} giver;

static void *give(void *user)
{
    const giver *const g = user;
    engine_pool_give(g->pool, g->e);
    return NULL;
}

/* An engine keeps no memory if the shortage begins while it comes back. */
static void test_shortage_meanwhile(void **state)
{
    static engine_pool pool;
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    pthread_t thread;
    problem p;
    stage.has_gpu = true;
    assert_true(engine_pool_open(&pool, &config, true, GPUS, &p));
    giver g = {&pool, engine_pool_take(&pool, ANY_ENGINE)};
    pthread_mutex_lock(&pool.lock);
    assert_int_equal(pthread_create(&thread, NULL, give, &g), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* until it waits for the lock */
    pool.low_memory = true;
    pthread_mutex_unlock(&pool.lock);
    pthread_join(thread, NULL);
    assert_int_equal(stage.trimmed, 1);
    engine_pool_close(&pool);
}

typedef struct taker {
    pthread_t thread;
    engine_pool *pool;
    int gpu; /* whose engines it takes; or ANY_ENGINE */
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

/* More threads than engines: each thread gets an engine in the end. */
static void test_waking(void **state)
{
    enum { TAKERS = 8 * GPUS };
    static engine_pool pool;
    static atomic_int users[GPUS];
    taker takers[TAKERS];
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    problem p;
    stage.has_gpu = true;
    assert_true(engine_pool_open(&pool, &config, true, 2 * GPUS, &p));
    alarm(60); /* without a wake-up a thread waits for ever */
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

UNIT_MAIN(cmocka_unit_test_setup(test_choice_of_gpus, stage_clear),
          cmocka_unit_test_setup(test_shortage, stage_clear),
          cmocka_unit_test_setup(test_shortage_meanwhile, stage_clear),
          cmocka_unit_test_setup(test_waking, stage_clear))
