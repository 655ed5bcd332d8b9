/* Batches: how outputs are named, maps found and work shared, what the list of finished items says,
 * and the lines of the progress. */
#include "cli/args.h"
#include "batch/batch_list.h"
#include "batch/batch_manifest.h"
#include "batch/batch_throttle.h"
#include "base/paths.h"
#include "batch/progress.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "unit/unit.h"

static void test_names(void **state)
{
    (void)state;
    paths list = {0};
    static const char *const words[] = {"b", "a", "c", "a", "", "a/b", "a.png", "b"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_true(paths_add(&list, words[i], strlen(words[i])));
    paths_sort(&list);
    static const char *const sorted[] = {"", "a", "a.png", "a/b", "b", "c"};
    assert_int_equal(list.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(list.at[i], sorted[i]);
    assert_int_equal(paths_from(&list, "a."), 2);
    assert_int_equal(paths_from(&list, ""), 0);
    assert_int_equal(paths_from(&list, "d"), 6);
    paths_free(&list);
    assert_int_equal(list.count, 0);
    assert_true(path_is_picture("x/a.JPeG"));
    assert_false(path_is_picture("x/.png")); /* hidden, without an ending */
    assert_false(path_is_picture("x.png/a"));
    assert_false(path_is_picture("a.txt"));
}

static void check_output_name(const char *name, const char *suffix, const char *format,
                              const char *wanted)
{
    char *got = batch_output_name(name, suffix, format);
    assert_string_equal(got, wanted);
    free(got);
}

static void test_output_names(void **state)
{
    (void)state;
    check_output_name("a.jpg", NULL, NULL, "a.jpg");
    check_output_name("sub/a.JPG", "_blur", NULL, "sub/a_blur.JPG");
    check_output_name("sub/a.b.tga", NULL, "png", "sub/a.b.png");
    check_output_name("a", "x", NULL, "ax");
    check_output_name("v1.2/a", NULL, "jpg", "v1.2/a.jpg");
    assert_null(batch_outside("a/b..c/...d/.e"));
    static const char *const outside[] = {"/a", "..", "../a", "a/..", "a/../b", "a//../b"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_non_null(batch_outside(outside[i]));
}

/* Words separated by blanks, sorted. */
static paths list_of(const char *words)
{
    paths list = {0};
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        assert_true(paths_add(&list, at, length));
        at += length;
    }
    paths_sort(&list);
    return list;
}

/* map NULL: a fault that holds `fault`. */
static void paired(const char *name, const char *maps, const char *suffix, bool among,
                   const char *map, const char *fault)
{
    paths list = list_of(maps);
    char *got_map, *got_fault;
    assert_true(batch_find_map(name, &list, suffix, among, &got_map, &got_fault));
    if (map && (!got_map || strcmp(map, got_map) != 0))
        fail_msg("%s among '%s': %s, not %s", name, maps, got_map ? got_map : got_fault, map);
    if (!map && (!got_fault || !strstr(got_fault, fault)))
        fail_msg("%s among '%s': %s, without '%s'", name, maps, got_fault ? got_fault : got_map,
                 fault);
    assert_true(!got_map != !got_fault);
    free(got_map);
    free(got_fault);
    paths_free(&list);
}

static void test_pairs(void **state)
{
    (void)state;
    paired("a.jpg", "a.png b.png", NULL, false, "a.png", NULL);
    paired("a.jpg", "a.JPG", NULL, false, "a.JPG", NULL);
    paired("a.jpg", "a_depth.png ab.png a-.png", NULL, false, "a_depth.png", NULL);
    paired("a.jpg", "a.depth.pgm", NULL, false, "a.depth.pgm", NULL);
    paired("s/a.jpg", "a.png s/a.png t/a.png", NULL, false, "s/a.png", NULL);
    paired("a.b.jpg", "a.png a.b.png", NULL, false, "a.b.png", NULL);
    paired("a.jpg", "a.txt a.depth.x.png ab.png A.png", NULL, false, NULL, "no a.png, a_depth.png");
    paired("a.jpg", "", NULL, false, NULL, "is missing");
    paired("a.jpg", "a.png a_depth.png", NULL, false, NULL, "a.png for one; say which");
    paired("a.jpg", "a.png a.pgm", NULL, false, NULL, "more than one");
    paired("a.jpg", "a.png a_depth.png", "_depth", false, "a_depth.png", NULL);
    paired("a.jpg", "a.png a_depth.png", "", false, "a.png", NULL);
    paired("a.jpg", "a.png", "_z", false, NULL, "no a_z.png");
    paired("a.jpg", "a.jpg a.png a_depth.png b.jpg", NULL, true, "a_depth.png", NULL);
    paired("a.jpg", "a.jpg a.png", NULL, true, NULL, "is missing");
}

static void test_shards(void **state)
{
    (void)state;
    for (int shards = 1; shards <= 5; shards++) {
        for (size_t i = 0; i < 23; i++) {
            int takers = 0;
            for (int shard = 1; shard <= shards; shard++)
                takers += batch_in_shard(i, shard, shards);
            assert_int_equal(takers, 1);
        }
    }
    assert_true(batch_in_shard(7, 0, 0));
    assert_true(batch_in_shard(0, 1, 4) && batch_in_shard(4, 1, 4) && batch_in_shard(3, 4, 4));
}

/* --- The list of what is done ----------------------------------------------------------------- */

static void test_line(void **state)
{
    (void)state;
    char place[] = "sub dir/new\nline % \x01\xff\".png";
    const manifest_entry e = {.relative = place,
                              .signature = UINT64_MAX - 5,
                              .input = {12345678901234, 1700000000, 7, 99},
                              .map = {.size = -1},
                              .output = {3, -2, 999999999, 0}};
    char *line = manifest_line(&e);
    assert_non_null(line);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    manifest_entry back;
    assert_true(manifest_parse(line, &back));
    assert_string_equal(back.relative, place);
    assert_true(back.signature == e.signature);
    assert_memory_equal(&back.input, &e.input, sizeof e.input);
    assert_int_equal(back.map.size, -1);
    assert_int_equal(back.output.seconds, -2);
    assert_int_equal(back.output.nanoseconds, 999999999);
    free(back.relative);

    const size_t length = strlen(line);
    for (size_t i = 0; i + 1 < length; i++) { /* cut off, or with one bit turned over */
        char *damaged = strndup(line, i);
        assert_false(manifest_parse(damaged, &back));
        free(damaged);
        damaged = strdup(line);
        damaged[i] ^= 1;
        if (manifest_parse(damaged, &back))
            fail_msg("byte %zu of the line does not matter", i);
        free(damaged);
    }
    free(line);
}

static uint64_t signature(const char *line)
{
    static char words[256];
    char *argv[32] = {"satblur"};
    int argc = 1;
    options o;
    problem p;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (args_parse(argc, argv, &o, &p) != ARGS_RUN)
        fail_msg("'%s' was refused: %s", line, p.text);
    return manifest_signature(&o);
}

/* Whatever changes an output's bytes changes the signature; what does not, does not. */
static void test_signature(void **state)
{
    (void)state;
    const uint64_t box = signature("a b --radius 3"), depth = signature("a b --depth-dir d");
    static const char *const others[] = {"a b --radius 3.5",
                                         "a b --radius 3 --gamma",
                                         "a b --radius 3 --edge wrap",
                                         "a b --equalize",
                                         "a b --radius 3 --quality 90",
                                         "a b --radius 3 --compression 2",
                                         "a b --radius 3 --codec stb",
                                         "a b --radius-map m --max-radius 3"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_true(signature(others[i]) != box);
        for (size_t k = 0; k < i; k++)
            assert_true(signature(others[i]) != signature(others[k]));
    }
    assert_true(signature("a b --radius 3 --jobs 4 --threads 2 --device cpu --recursive --quiet "
                          "--resume --shard 1/2 --report r --suffix _x --verify") == box);
    assert_true(box != depth);
    assert_true(signature("c d --depth m") == depth); /* which map, its state tells */
    assert_true(signature("a b --depth-dir d --max-radius 3") != depth);
    assert_true(signature("a b --depth-dir d --near black") != depth);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static batch_item new_item(const char *folder)
{
    return (batch_item){.input = text_new("%s/in", folder),
                        .relative = strdup("sp ace\n.png"),
                        .output = text_new("%s/sp ace\n.png", folder),
                        .map = text_new("%s/map", folder)};
}

static bool is_done(const options *o, const batch_item *item)
{
    manifest m;
    problem p;
    if (!manifest_open(&m, o, &p))
        fail_msg("%s", p.text);
    const bool done = manifest_has(&m, item);
    manifest_close(&m);
    return done;
}

static void note(const options *o, const batch_item *item)
{
    manifest m;
    problem p;
    const file_state input = file_state_of(item->input), map = file_state_of(item->map);
    assert_true(manifest_open(&m, o, &p));
    assert_true(manifest_add(&m, item, &input, &map, &p));
    manifest_close(&m);
}

/* An item is done while its input, map, output and options are what they were. */
static void test_manifest(void **state)
{
    (void)state;
    char folder[] = "/tmp/satb_batch_XXXXXX";
    assert_non_null(mkdtemp(folder));
    batch_item item = new_item(folder);
    options o = {.output = folder};
    o.given[OPT_RESUME] = o.given[OPT_RADIUS] = true;
    o.text[OPT_RADIUS] = "3";
    const char *const files[] = {item.input, item.map, item.output};
    for (int i = 0; i < 3; i++)
        write_file(files[i], "one");
    assert_false(is_done(&o, &item));
    note(&o, &item);
    assert_true(is_done(&o, &item));
    for (int i = 0; i < 3; i++) {
        write_file(files[i], "other");
        assert_false(is_done(&o, &item));
        note(&o, &item); /* once more: the newer line counts */
        assert_true(is_done(&o, &item));
    }
    o.text[OPT_RADIUS] = "4";
    assert_false(is_done(&o, &item));
    o.text[OPT_RADIUS] = "3";
    remove(item.map);
    assert_false(is_done(&o, &item));
    write_file(item.map, "other");
    note(&o, &item);
    remove(item.output);
    assert_false(is_done(&o, &item));
    o.given[OPT_RESUME] = false;
    write_file(item.output, "other");
    note(&o, &item);
    assert_false(is_done(&o, &item)); /* without --resume nothing is read */

    o.given[OPT_RESUME] = true;
    o.shard = 2, o.shards = 3; /* a shard reads all lists, and writes its own */
    assert_true(is_done(&o, &item));
    write_file(item.input, "new");
    note(&o, &item);
    o.shards = 0;
    assert_true(is_done(&o, &item));

    manifest first, second;
    problem p;
    assert_true(manifest_open(&first, &o, &p));
    assert_false(manifest_open(&second, &o, &p));
    assert_non_null(strstr(p.text, "another satblur"));
    manifest_close(&first);

    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(item.input), free(item.relative), free(item.output), free(item.map);
}

/* A list that was cut off in the middle of a line can be added to. */
static void test_torn_manifest(void **state)
{
    (void)state;
    char folder[] = "/tmp/satb_batch_XXXXXX", list[64], command[64];
    assert_non_null(mkdtemp(folder));
    snprintf(list, sizeof list, "%s/.satblur.done", folder);
    batch_item item = new_item(folder);
    options o = {.output = folder};
    o.given[OPT_RESUME] = true;
    write_file(item.output, "x");
    write_file(list, "0123 torn");
    assert_false(is_done(&o, &item));
    note(&o, &item);
    assert_true(is_done(&o, &item));
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(item.input), free(item.relative), free(item.output), free(item.map);
}

static void test_progress(void **state)
{
    (void)state;
    progress g = {.total = 64};
    char text[160];
    progress_text(&g, 1, text);
    assert_string_equal(text, "0/64");
    g.counts[ITEM_DONE] = 10;
    g.counts[ITEM_SKIPPED] = 4;
    progress_text(&g, 2, text);
    assert_string_equal(text, "14/64, 5.0 images/s, 10 s left");
    g.counts[ITEM_FAILED] = 2;
    g.total = 100000;
    progress_text(&g, 1, text);
    assert_string_equal(text, "16/100000, 12.0 images/s, 2:18 h left, 2 failed");
    g.total = 4816;
    progress_text(&g, 1, text);
    assert_string_equal(text, "16/4816, 12.0 images/s, 6:40 min left, 2 failed");
}

/* One picture after the other enters and leaves. */
static void throttle_has(batch_throttle *throttle, int pictures, int slots, bool may_wait)
{
    for (int i = 0; i < pictures; i++) {
        bool may;
        assert_int_equal(batch_throttle_enter(throttle, &may), slots);
        assert_int_equal(may, may_wait);
        batch_throttle_leave(throttle, true);
    }
}

/* One of those pictures meets the end of memory. */
static void throttle_is_too_wide(batch_throttle *throttle, int slots)
{
    bool may;
    assert_int_equal(batch_throttle_enter(throttle, &may), slots);
    batch_throttle_narrow(throttle, slots);
    assert_true(batch_throttle_low_memory(throttle));
    batch_throttle_leave(throttle, false);
}

static void test_throttle(void **state)
{
    (void)state;
    batch_throttle throttle;
    bool may;
    batch_throttle_open(&throttle, 5);
    throttle_has(&throttle, 1000, 5, true);
    for (int i = 0; i < 3; i++) /* together */
        assert_int_equal(batch_throttle_enter(&throttle, &may), 5);
    for (int i = 0; i < 3; i++) {
        batch_throttle_narrow(&throttle, 5); /* once */
        batch_throttle_leave(&throttle, false);
    }
    throttle_has(&throttle, 15, 2, true);
    throttle_is_too_wide(&throttle, 2);
    throttle_has(&throttle, 8, 1, false);
    throttle_has(&throttle, 1, 2, true);
    throttle_is_too_wide(&throttle, 2); /* it was too early: twice the patience */
    throttle_has(&throttle, 16, 1, false);
    throttle_has(&throttle, 32, 2, true);
    throttle_has(&throttle, 64, 4, true);
    throttle_has(&throttle, 80, 5, true);
    assert_false(batch_throttle_low_memory(&throttle)); /* but now it is forgotten */
    throttle_is_too_wide(&throttle, 5);
    throttle_has(&throttle, 16, 2, true);
    throttle_has(&throttle, 32, 4, true);
    throttle_is_too_wide(&throttle, 5);
    throttle_is_too_wide(&throttle, 2); /* nothing was risked in between: the same patience */
    throttle_has(&throttle, 16, 1, false);
    throttle_has(&throttle, 1, 2, true);
    batch_throttle_close(&throttle);

    batch_throttle_open(&throttle, 5);
    assert_int_equal(batch_throttle_enter(&throttle, &may), 5);
    throttle_is_too_wide(&throttle, 5);
    throttle_is_too_wide(&throttle, 2);
    batch_throttle_narrow(&throttle, 5); /* it came among more than there are by now */
    batch_throttle_leave(&throttle, false);
    throttle_has(&throttle, 8, 1, false);
    batch_throttle_close(&throttle);

    batch_throttle_open(&throttle, 1);
    throttle_has(&throttle, 100, 1, true);
    throttle_is_too_wide(&throttle, 1);
    throttle_has(&throttle, 3, 1, false);
    throttle_is_too_wide(&throttle, 1);
    throttle_has(&throttle, 8, 1, false);
    assert_false(batch_throttle_low_memory(&throttle));
    throttle_has(&throttle, 1, 1, true);
    batch_throttle_close(&throttle);
}

typedef struct waiter {
    batch_throttle *throttle;
    atomic_int *inside, *most;
} waiter;

static void *come_and_go(void *user)
{
    const waiter *const w = user;
    for (int i = 0; i < 500; i++) {
        bool may;
        const int slots = batch_throttle_enter(w->throttle, &may), inside = ++*w->inside;
        if (slots == 1 && inside > 1)
            *w->most = INT_MAX;
        for (int most = *w->most;
             inside > most && !atomic_compare_exchange_weak(w->most, &most, inside);)
            ;
        if (i % 50 == 7)
            batch_throttle_narrow(w->throttle, slots);
        if (i % 5 == 0)
            sched_yield();
        --*w->inside;
        batch_throttle_leave(w->throttle, i % 50 != 7);
    }
    return NULL;
}

/* Never more than there are slots; who is told that there is one place is alone; and all come through. */
static void test_throttle_of_many(void **state)
{
    (void)state;
    enum { THREADS = 12, JOBS = 6 };
    pthread_t threads[THREADS];
    batch_throttle throttle;
    atomic_int inside = 0, most = 0;
    const waiter w = {&throttle, &inside, &most};
    batch_throttle_open(&throttle, JOBS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)&w), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(inside, 0);
    assert_in_range(most, 1, JOBS);
    batch_throttle_close(&throttle);
}

typedef struct pair {
    batch_throttle *throttle;
    pthread_barrier_t met;
} pair;

static void *meet(void *user)
{
    pair *const w = user;
    bool may;
    batch_throttle_enter(w->throttle, &may);
    pthread_barrier_wait(&w->met);
    batch_throttle_leave(w->throttle, true);
    return NULL;
}

/* Where there are more slots, all come in that wait for one. */
static void test_wider_throttle(void **state)
{
    (void)state;
    pthread_t threads[2];
    batch_throttle throttle;
    pair w = {.throttle = &throttle};
    bool may;
    batch_throttle_open(&throttle, 2);
    pthread_barrier_init(&w.met, NULL, 2);
    throttle_is_too_wide(&throttle, 2);
    throttle_has(&throttle, 7, 1, false);
    assert_int_equal(batch_throttle_enter(&throttle, &may), 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, meet, &w), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* they wait */
    alarm(20);                                                /* it would be forever */
    batch_throttle_leave(&throttle, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    alarm(0);
    pthread_barrier_destroy(&w.met);
    batch_throttle_close(&throttle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_output_names),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_shards),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_signature),
        cmocka_unit_test(test_manifest),
        cmocka_unit_test(test_torn_manifest),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_throttle),
        cmocka_unit_test(test_throttle_of_many),
        cmocka_unit_test(test_wider_throttle),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
