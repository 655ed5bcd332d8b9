/* The list of finished items, and the temporaries of a run that was killed. */
#include "cli/args.h"
#include "cli/option_row.h"
#include "batch/batch_list.h"
#include "batch/batch_manifest.h"
#include "batch/batch_sweep.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/unit.h"

static void test_line(void **state)
{
    char place[] = "sub dir/new\nline % \x01\xff\".png";
    const manifest_entry e = {.relative = place,
                              .signature = UINT64_MAX - 5,
                              .from = {.input = {12345678901234, 1700000000, 7, 99},
                                       .map = {.size = -1},
                                       .matte = {5, 6, 7, 8}},
                              .output = {3, -2, 999999999, 0}};
    char *line = manifest_line(&e);
    assert_non_null(line);
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
    manifest_entry back;
    assert_true(manifest_parse(line, &back));
    assert_string_equal(back.relative, place);
    assert_true(back.signature == e.signature);
    assert_memory_equal(&back.from.input, &e.from.input, sizeof e.from.input);
    assert_memory_equal(&back.from.matte, &e.from.matte, sizeof e.from.matte);
    assert_int_equal(back.from.map.size, -1);
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

/* The signature changes with the options that change an output's bytes, and with no others. */
static void test_signature(void **state)
{
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
    assert_true(signature("c d --depth m") == depth); /* the map's state tells maps apart */
    assert_true(signature("a b --depth-dir d --max-radius 3") != depth);
    assert_true(signature("a b --depth-dir d --near black") != depth);
    const uint64_t one = manifest_signature_add(1, "a"), two = manifest_signature_add(1, "ab");
    assert_true(manifest_signature_add(one, "bc") != manifest_signature_add(two, "c"));
}

/* All other options change bytes, so that --resume compares them. */
static void test_options_without_bytes(void **state)
{
    static const char same[] = " stats histogram focus-view dump-coc report device threads "
                               "gpu-memory max-pixels jobs verify timings depth-jobs "
                               "depth-timeout depth-cache depth-suffix suffix format recursive "
                               "files-from shard resume no-clobber start duration quiet "
                               "verbose no-config page onnxruntime version help ";
    for (int i = 0; i < OPT_COUNT; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", args_rows[i].name);
        if ((args_rows[i].bytes == BYTES_SAME) != (strstr(same, word) != NULL))
            fail_msg("--%s: does it change bytes?", args_rows[i].name);
    }
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* Puts another file of the same size and time in its place. */
static void replace_alike(const char *name)
{
    char other[128];
    struct stat about;
    snprintf(other, sizeof other, "%s~", name);
    assert_int_equal(stat(name, &about), 0);
    write_file(other, "OTHER");
    assert_int_equal(
        utimensat(AT_FDCWD, other, (struct timespec[]){about.st_atim, about.st_mtim}, 0), 0);
    assert_int_equal(rename(other, name), 0);
}

static batch_item new_item(const char *folder)
{
    return (batch_item){.input = text_new("%s/in", folder),
                        .relative = strdup("sp ace\n.png"),
                        .output = text_new("%s/sp ace\n.png", folder),
                        .map = text_new("%s/map", folder),
                        .matte = text_new("%s/matte", folder)};
}

static bool is_done(const options *o, const batch_item *item)
{
    manifest m;
    problem p;
    if (!manifest_open(&m, o, o->output, NULL, &p))
        fail_msg("%s", p.text);
    const bool done = manifest_has(&m, item);
    manifest_close(&m);
    return done;
}

static void note(const options *o, const batch_item *item)
{
    manifest m;
    problem p;
    const manifest_sources from = manifest_sources_of(item);
    assert_true(manifest_open(&m, o, o->output, NULL, &p));
    assert_true(manifest_add(&m, item, &from, &p));
    manifest_close(&m);
}

/* An item is done as long as its input, map, output and options stay the same. */
static void test_manifest(void **state)
{
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
    for (int i = 0; i < 3; i++) { /* of an output, which file it is does not matter */
        replace_alike(files[i]);
        assert_int_equal(is_done(&o, &item), i == 2);
        note(&o, &item);
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
    assert_false(is_done(&o, &item)); /* without --resume no list is read */

    o.given[OPT_RESUME] = true;
    o.shard = 2, o.shards = 3; /* a shard reads all lists, and writes its own */
    assert_true(is_done(&o, &item));
    write_file(item.input, "new");
    note(&o, &item);
    o.shards = 0;
    assert_true(is_done(&o, &item));

    manifest first, second;
    problem p;
    assert_true(manifest_open(&first, &o, o.output, NULL, &p));
    assert_false(manifest_open(&second, &o, o.output, NULL, &p));
    assert_non_null(strstr(p.text, "another satblur"));
    manifest_close(&first);

    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(item.input), free(item.relative), free(item.output), free(item.map), free(item.matte);
}

/* Lines are appended to a list that was cut off in the middle of a line. */
static void test_torn_manifest(void **state)
{
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
    free(item.input), free(item.relative), free(item.output), free(item.map), free(item.matte);
}

/* A line that is written only in part fails, and the reason is that of the part that is not written. */
static void test_full_manifest(void **state)
{
    char folder[] = "/tmp/satb_batch_XXXXXX", command[64];
    struct rlimit old, small;
    assert_non_null(mkdtemp(folder));
    batch_item item = new_item(folder);
    const options o = {.output = folder};
    const manifest_sources none = {
        .input = {.size = -1}, .map = {.size = -1}, .matte = {.size = -1}};
    manifest m;
    problem p;
    assert_true(manifest_open(&m, &o, o.output, NULL, &p));
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 10;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    errno = ENOTTY; /* as an earlier call might leave it */
    const bool added = manifest_add(&m, &item, &none, &p);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_false(added);
    assert_non_null(strstr(p.text, strerror(EFBIG)));
    manifest_close(&m);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    free(item.input), free(item.relative), free(item.output), free(item.map), free(item.matte);
}

/* Temporaries are removed beside the file that a link leads to. */
static void test_sweep(void **state)
{
    char folder[] = "/tmp/satb_batch_XXXXXX", elsewhere[] = "/tmp/satb_batch_XXXXXX", text[128];
    assert_true(mkdtemp(folder) && mkdtemp(elsewhere));
    char *const link = text_new("%s/a.png", folder), *const target =
                                                         text_new("%s/b.png", elsewhere);
    char *const own = text_new("%s/.b.png.satblur.abcdef", elsewhere);
    char *const other = text_new("%s/.c.png.satblur.abcdef", elsewhere);
    char *const plain = text_new("%s/.c.png.satblur.ghijkl", folder);
    batch_item items[] = {
        {.output = link}, {.output = text_new("%s/c.png", folder)}, {.input = link}};
    const batch_list list = {.items = items, .count = 3};
    assert_int_equal(symlink(target, link), 0);
    write_file(own, "half");
    write_file(other, "half");
    write_file(plain, "half");
    assert_int_equal(batch_sweep(&(options){0}, &list), 2);
    assert_true(access(own, F_OK) != 0 && access(plain, F_OK) != 0 && access(other, F_OK) == 0);
    snprintf(text, sizeof text, "rm -r %s %s", folder, elsewhere);
    assert_int_equal(system(text), 0);
    free(link), free(target), free(own), free(other), free(plain), free(items[1].output);
}

UNIT_MAIN(UNIT(test_line), UNIT(test_signature), UNIT(test_options_without_bytes),
          UNIT(test_manifest), UNIT(test_torn_manifest), UNIT(test_full_manifest), UNIT(test_sweep))
