/* Batches: names of outputs, pairs of pictures and maps, shards, lines of progress. */
#include "batch/batch_list.h"
#include "base/paths.h"
#include "codec/codec.h"
#include "batch/progress.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static void test_names(void **state)
{
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
    assert_true(codec_is_picture_name("x/a.JPeG"));
    assert_false(codec_is_picture_name("x/.png")); /* hidden, without an ending */
    assert_false(codec_is_picture_name("x.png/a"));
    assert_false(codec_is_picture_name("a.txt"));
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

/* Returns the words, which blanks separate, sorted. */
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

/* Checks the map of a name; map NULL: the fault must contain `fault`. */
static void paired(const char *name, const char *maps, const char *suffix, bool among,
                   const char *map, const char *fault)
{
    paths list = list_of(maps);
    const batch_naming naming = {.kind = "depth",
                                 .word = "map",
                                 .suffix = suffix,
                                 .remedy = "; choose by --depth-suffix",
                                 .among = among};
    char *got_map, *got_fault;
    assert_true(batch_find_companion(name, &list, &naming, &got_map, &got_fault));
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
    paired("a.jpg", "a.png b.png", NULL, false, "a.png", NULL);
    paired("a.jpg", "a.JPG", NULL, false, "a.JPG", NULL);
    paired("a.jpg", "a_depth.png ab.png a-.png", NULL, false, "a_depth.png", NULL);
    paired("a.jpg", "a.depth.pgm", NULL, false, "a.depth.pgm", NULL);
    paired("s/a.jpg", "a.png s/a.png t/a.png", NULL, false, "s/a.png", NULL);
    paired("a.b.jpg", "a.png a.b.png", NULL, false, "a.b.png", NULL);
    paired("a.jpg", "a.txt a.depth.x.png ab.png A.png", NULL, false, NULL,
           "expected a.png, a_depth.png");
    paired("a.jpg", "", NULL, false, NULL, "is missing");
    paired("a.jpg", "a.png a_depth.png", NULL, false, NULL, "including a.png; choose");
    paired("a.jpg", "a.png a.pgm", NULL, false, NULL, "several files match");
    paired("a.jpg", "a.png a_depth.png", "_depth", false, "a_depth.png", NULL);
    paired("a.jpg", "a.png a_depth.png", "", false, "a.png", NULL);
    paired("a.jpg", "a.png", "_z", false, NULL, "expected a_z.png");
    paired("a.jpg", "a.jpg a.png a_depth.png b.jpg", NULL, true, "a_depth.png", NULL);
    paired("a.jpg", "a.jpg a.png", NULL, true, NULL,
           "missing; expected a_depth.png or a.depth.png");
}

static void test_shards(void **state)
{
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

static void test_progress(void **state)
{
    progress g = {.total = 64, .unit = "images"};
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

UNIT_MAIN(UNIT(test_names), UNIT(test_output_names), UNIT(test_pairs), UNIT(test_shards),
          UNIT(test_progress))
