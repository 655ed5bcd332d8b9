/* Tests of the command line: sizes, contradictions, folders, and the table of options. */
#include "batch/batch_manifest.h"
#include "cli/args.h"
#include "cli/args_help.h"
#include "cli/format_choices.h"
#include "codec/video_table.h"
#include "unit/app/args_case.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static void test_gpu_memory(void **state)
{
    static const struct {
        const char *text;
        size_t bytes;
    } right[] = {{"1", 1},       {"512M", (size_t)512 << 20}, {"1.5G", (size_t)3 << 29},
                 {"2.5K", 2560}, {"64G", (size_t)64 << 30},   {"10000000", 10000000},
                 {"0.001K", 1}};
    static const char *const wrong[] = {"0", "-1", "M", "1T", "1GB", "G1", "1e30", "0.1", "''"};
    char line[80];
    assert_true(accepted("i.png o.png --radius 1").engine.gpu_memory == 0);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(line, sizeof line, "i.png o.png --radius 1 --gpu-memory %s", right[i].text);
        if (accepted(line).engine.gpu_memory != right[i].bytes)
            fail_msg("%s is not %zu bytes", line, right[i].bytes);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(line, sizeof line, "i.png --stats --gpu-memory %s", wrong[i]);
        refused(line, "a number of bytes");
    }
}

static void test_max_pixels(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } right[] = {{"1", 1},
                 {"1000", 1000},
                 {"2147483648", 2147483648u},
                 {"1K", 1000},
                 {"100M", 100000000},
                 {"2G", 2000000000},
                 {"1.5G", 1500000000},
                 {".001K", 1},
                 {"0.29M", 290000}};
    static const char *const wrong[] = {"0", "0.5", "2147483649", "2.2G", "1GB", "K",    "-1",
                                        "m", "1m",  "1MK",        "0M",   "nan", "1M,2", "1M1"};
    assert_true(accepted("i.png o.png --radius 1").max_pixels == 1 << 30);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --radius 1 --max-pixels %s", right[i].text);
        if (accepted(line).max_pixels != right[i].value)
            fail_msg("%s", line);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png --stats --max-pixels %s", wrong[i]);
        refused(line, "expected a number of pixels");
    }
}

static void test_contradictions(void **state)
{
    refused("i.png", "OUTPUT is missing; give its name after 'i.png', or --stats to measure");
    refused("--files-from -",
            "nothing to do; give --depth MAP, or --radius R to blur everything alike (see");
    assert_true(accepted("i.png o.png").depth_implied); /* the photo may carry a map */
    refused("", "no picture is given; see 'satblur --help'");
    refused("--radius 1", "INPUT is missing");
    refused("i.png --radius 1", "OUTPUT is missing");
    refused("a b c.png --radius 1", "one file too many");
    refused("a b c --radius 1", "'c' is not a folder; give 'c/'");
    refused("a '' --radius 1", "empty");
    refused("a b --radius 1 --depth d", "exclude each other");
    refused("a b --radius 1 --radius-map d --max-radius 1", "exclude each other");
    refused("a b --depth d --radius-map m", "exclude each other");
    refused("a b --radius 1 --max-radius 3",
            "--max-radius needs --depth MAP, --matte MASK, --tilt-shift A,P,W or --radius-map MAP");
    refused("a b --radius 1 --near black", "--near needs --depth MAP");
    refused("a b --radius-map m --max-radius 1 --focus 1", "--focus needs --depth MAP");
    refused("a b --radius-map m", "needs --max-radius");
    refused("a --stats --gamma", "--gamma needs a blur");
    refused("a --stats --quality 3", "--quality needs an OUTPUT");
    refused("a --stats --no-hdr", "--no-hdr needs an OUTPUT");
    refused("a b --depth d --max-radius 3 --sensor 36", "exclude each other");
    refused("a b --depth d --fstop 2 --focal 50", "--distance NEAR,FAR is missing");
    refused("a b --depth d --focal 50 --distance 1,2", "--fstop N is missing");
    refused("a b --depth d --sensor 50", "--fstop N is missing");
    refused("a b --depth d --focus 0.1 --focus-at 1,1", "exclude each other");
    refused("a b --matte m --focus 55c", "--focus 55c is a code of a map, and there is none");
    refused("a b --depth d --focus 55cc", "--focus 55cc: expected");
    refused("a b --depth d --focus 2m", "needs --distance");
    refused("a b --depth d --focus 20m --distance 1,10", "outside --distance");
    assert_true(accepted("i.png o.png --depth d.png --focus 1m --distance 1,10").dof.focus == 1);
    assert_true(accepted("i.png o.png --depth d.png --focus 10m --distance 1,10").dof.focus == 10);
    refused("a b --depth auto", "--depth auto needs a program");
    refused("a b --matte auto --depth-command x", "--matte auto needs a program");
    refused("a b --depth-process x --radius 3", "exclude each other");
    assert_string_equal(accepted("a b --depth-process x").map, "auto");
    assert_string_equal(accepted("a b --depth d --depth-process x").map, "d");
    assert_string_equal(accepted("a b --matte-command x").matte, "auto");
    assert_null(accepted("a b --matte-command x").map);
    refused("a b --depth d --focus-plane 5,5,5,5,5,5", "--focus-plane 5,5,5,5,5,5: expected");
    refused("a b --depth d --depth-type linear --distance 1,inf", "needs a finite far distance");
}

static void test_unknown(void **state)
{
    refused("a b --dept d", "did you mean --depth?");
    refused("a b --radios 3", "did you mean --radius?");
    refused("a b --maxradius 3", "did you mean --max-radius?");
    refused("a b --device-id 3", "did you mean --device?");
    refused("a b -radius 3", "unknown option '-radius'; did you mean --radius?");
    refused("a b --radius-m m", "did you mean --radius-map?"); /* no abbreviations */
    refused("a b --xyzzy", "'satblur --help=all' lists");
    refused("a b --verify=yes", "takes no value");
    refused("a b --radius", "--radius needs a value; give pixels from 0");
    refused("a b --depth d --near", "--near needs a value; give 'white' or 'black'");
    refused("a b --radius 1 --jobs", "--jobs needs a value; give a number of pictures, 1 to 256");
    refused("a b --depth --radius 3", "--depth needs a value");
}

static void test_help(void **state)
{
    options o;
    problem p;
    assert_int_equal(parse("--help", &o, &p), ARGS_HELP);
    assert_int_equal(o.help, HELP_DAILY);
    assert_int_equal(parse("-h", &o, &p), ARGS_HELP);
    assert_int_equal(o.help, HELP_DAILY);
    assert_int_equal(parse("a --help=all", &o, &p), ARGS_HELP);
    assert_int_equal(o.help, HELP_ALL);
    assert_int_equal(parse("--help=fish", &o, &p), ARGS_HELP);
    assert_int_equal(o.help, HELP_FISH);
    refused("--help=some", "--help=some: expected --help, --help=all, ");
    assert_int_equal(parse("a b --version", &o, &p), ARGS_VERSION);
    assert_int_equal(parse("--help --nonsense", &o, &p), ARGS_WRONG);
}

static void refused_batch(const char *line, bool folder, const char *message)
{
    options o = accepted(line);
    problem p;
    if (args_check_batch(&o, folder, &p))
        fail_msg("'%s' was accepted for %s", line, folder ? "a folder" : "a file");
    if (!strstr(p.text, message))
        fail_msg("'%s' said '%s', without '%s'", line, p.text, message);
}

static void test_batch(void **state)
{
    options o = accepted("in out --depth-dir d --depth-suffix _z --suffix _b --format jpg --jobs 3 "
                         "--recursive --resume --report r --shard 2/8 --device cuda:all");
    problem p;
    assert_true(args_check_batch(&o, true, &p));
    assert_string_equal(o.map, "d");
    assert_string_equal(o.depth_suffix, "_z");
    assert_string_equal(o.suffix, "_b");
    assert_string_equal(o.format, "jpg");
    assert_string_equal(o.report, "r");
    assert_string_equal(o.text[OPT_SHARD], "2/8");
    assert_int_equal(o.jobs, 3);
    assert_int_equal(o.shard, 2);
    assert_int_equal(o.shards, 8);
    assert_true(o.all_devices);
    assert_int_equal(o.engine.device, SATB_DEVICE_CUDA);
    assert_int_equal(accepted("in out --radius 1 --device cuda:all --device cuda:1").all_devices,
                     0);

    o = accepted("out --files-from - --radius 3"); /* OUTPUT alone */
    assert_null(o.input);
    assert_string_equal(o.output, "out");
    o = accepted("in out --files-from list --radius 3");
    assert_string_equal(o.input, "in");
    o = accepted("in --files-from list --stats --report -");
    assert_string_equal(o.input, "in");
    assert_null(o.output);

    refused("--files-from - --radius 3", "OUTPUT is missing");
    refused("in out --depth-dir d --depth m", "exclude");
    refused("in out --radius 3 --format gif", "like png");
    refused("in out --radius 3 --suffix a/b", "without '/'");
    refused("in out --radius 3 --jobs 0", "1 to 256");
    refused("in out --radius 3 --shard 0/3", "I/N");
    refused("in out --radius 3 --shard 4/3", "I/N");
    refused("in out --radius 3 --shard 1", "I/N");
    refused("in out --radius 3 --focus auto --recursive", "--focus needs");
    refused_batch("in out --radius 3 --recursive", false, "--recursive is for folders");
    refused_batch("in out --radius 3 --resume", false, "--resume is for folders");
    refused_batch("in out --radius 3 --device cuda:all", false, "cuda:all is for folders");
    refused_batch("in out --radius 3 --timings", true, "--report");
    refused_batch("in --histogram h.svg", true, "one picture");
    refused_batch("in --stats", true, "--report");
    refused_batch("in --stats --report r --resume", true, "--resume needs an OUTPUT");
    refused_batch("in out --radius 3 --depth-suffix _d", true, "--depth-suffix needs");
}

static void test_slurm(void **state)
{
    unsetenv("SLURM_ARRAY_TASK_ID");
    refused("in out --radius 3 --shard slurm", "job array");
    setenv("SLURM_ARRAY_TASK_ID", "10", 1);
    setenv("SLURM_ARRAY_TASK_MIN", "4", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "5", 1);
    refused("in out --radius 3 --shard slurm", "job array"); /* 10 is the 7th of 5 */
    setenv("SLURM_ARRAY_TASK_STEP", "2", 1);
    const options o = accepted("in out --radius 3 --shard slurm");
    assert_int_equal(o.shard, 4);
    assert_int_equal(o.shards, 5);
}

/* Returns the help of that style, for free(). */
static char *printed(help_style style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    assert_non_null(memory);
    args_help(memory, style);
    fclose(memory);
    assert_non_null(text);
    return text;
}

static void check_row(const option_row *row)
{
    assert_non_null(row->name);
    assert_non_null(row->section);
    assert_true(row->help && strlen(row->help) <= 74 && strlen(row->help) > 4);
    assert_true(row->bytes == BYTES_SAME || row->bytes == BYTES_DIFFER ||
                row->bytes == BYTES_OF_FILE);
    assert_true(!row->argument == !row->read);
    if (!row->argument)
        return;
    assert_true(row->choices || row->expects);
    for (const option_choice *c = row->choices; c && c->word; c++)
        assert_true(c->word[0] && c->help && c->help[0]);
}

/* Every row is filled in, and the rows of a section stand together. */
static void test_rows(void **state)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        check_row(&args_rows[i]);
        for (int k = 0; i > 0 && k < i - 1; k++)
            if (strcmp(args_rows[k].section, args_rows[i].section) == 0)
                assert_string_equal(args_rows[i - 1].section, args_rows[i].section);
    }
}

/* Every option that is not for the program's own pages takes each of its choices. */
static void test_choices(void **state)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *row = &args_rows[i];
        for (const option_choice *c = row->choices; c && c->word; c++) {
            options o = {0};
            assert_true(row->read(row, &o, c->word));
            assert_false(row->read(row, &o, "?"));
        }
    }
}

/* Returns whether the text has the words, and not only as the beginning of a longer name. */
static bool has_name(const char *text, const char *words)
{
    for (const char *at = text; (at = strstr(at, words)); at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz-", at[strlen(words)]))
            return true;
    return false;
}

/* The manual page writes "-" as "\-". */
static void with_dashes(const char *name, char *out)
{
    for (; *name; name++) {
        if (*name == '-')
            *out++ = '\\';
        *out++ = *name;
    }
    *out = '\0';
}

/* --help=all, the manual page and each completion have every option. */
static void test_pages(void **state)
{
    static const char *const before[] = {[HELP_ALL] = "\n  --",
                                         [HELP_MAN] = ".TP\n\\fB\\-\\-",
                                         [HELP_BASH] = " --",
                                         [HELP_ZSH] = "\n    '--",
                                         [HELP_FISH] = "\ncomplete -c satblur -l "};
    for (help_style style = HELP_ALL; style <= HELP_FISH; style++) {
        char *text = printed(style), name[64], words[128];
        for (int i = 0; i < OPT_COUNT; i++) {
            snprintf(name, sizeof name, "%s", args_rows[i].name);
            if (style == HELP_MAN)
                with_dashes(args_rows[i].name, name);
            snprintf(words, sizeof words, "%s%s%s", before[style], name,
                     style == HELP_MAN ? "\\fR" : "");
            if (!has_name(text, words))
                fail_msg("help %d has no '%s'", (int)style, words);
        }
        free(text);
    }
}

/* --help has the daily options, and no others, on two screens. */
/* Each answer names an option that there is, to a word that is none. */
static void test_answers(void **state)
{
    char line[256], list[256], name[64];
    for (const args_answer *a = args_options_meant; a->said; a++) {
        snprintf(list, sizeof list, "%s", a->said);
        for (char *word = strtok(list, " "); word; word = strtok(NULL, " ")) {
            options o;
            problem p = {.text = ""};
            char *argv[] = {"satblur", "i.png", line, NULL};
            snprintf(line, sizeof line, "%s%s", word[1] ? "--" : "-", word);
            if (args_parse(3, argv, &o, &p) != ARGS_WRONG || !strstr(p.text, a->text))
                fail_msg("%s said '%s'", line, p.text);
        }
        for (const char *at = a->text; (at = strstr(at, "--")); at++) {
            int found = 0;
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 2, " ;,"), at + 2);
            for (int i = 0; i < OPT_COUNT; i++)
                found += strcmp(args_rows[i].name, name) == 0;
            if (!found)
                fail_msg("'%s': there is no --%s", a->text, name);
        }
    }
    for (const args_answer *a = args_values_meant; a->said; a++) {
        const int length = (int)strcspn(a->said, "=");
        snprintf(line, sizeof line, "i o --depth d --%s", a->said);
        snprintf(list, sizeof list, "did you mean '%s'?", a->text);
        refused(line, list);
        snprintf(line, sizeof line, "i o --depth d --%.*s=%s", length, a->said, a->text);
        accepted(line);
    }
}

/* Every row's units are some that values are freed from. */
static void test_units(void **state)
{
    static const char *const typed[] = {"1px", "1%", "1x", "f/1", "1mm", "1m", "1deg", "1fps"};
    for (int i = 0; i < OPT_COUNT; i++) {
        int known = args_rows[i].units == NULL;
        for (size_t k = 0; k < sizeof typed / sizeof *typed; k++)
            known += strcmp(args_without_units(i, typed[k]), typed[k]) != 0;
        if (!known)
            fail_msg("--%s: no unit is %s", args_rows[i].name, args_rows[i].units);
    }
    assert_string_equal(args_without_units(OPT_TILT_SHIFT, "10deg,50%,20%"), "10,0.5,0.2");
    assert_string_equal(args_without_units(OPT_FOCUS_KEYS, "0s:80%,2s:5,5"), "0s:0.8,2s:5,5");
    assert_string_equal(args_without_units(OPT_FSTOP, "F1.8"), "1.8");
    const char *const plain = "0.30"; /* what was typed without a unit stays, for --resume */
    assert_ptr_equal(args_without_units(OPT_FOCUS, plain), plain);
}

static void test_daily(void **state)
{
    char *text = printed(HELP_DAILY);
    int lines = 0;
    for (int i = 0; i < OPT_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "\n  --%s%s", args_rows[i].name,
                 args_rows[i].argument && args_rows[i].argument[0] == '[' ? "[" : " ");
        if (!strstr(text, name) != !args_rows[i].daily)
            fail_msg("--%s", args_rows[i].name);
    }
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1, lines++)
        assert_true(strcspn(line, "\n") <= 100);
    assert_true(lines > 20 && lines <= 50);
    free(text);
}

/* --format has the word of every format, and no others. */
static void test_formats(void **state)
{
    char words[128] = "";
    const option_choice *const first = args_rows[OPT_FORMAT].choices;
    for (const option_choice *c = first; c->word && !video_container_by_word(c->word); c++) {
        const bool more = c[1].word && !video_container_by_word(c[1].word);
        strcat(words, c == first ? "" : more ? ", " : " or ");
        strcat(words, c->word);
    }
    assert_string_equal(words, codec_words("").text);
}

/* Returns what --resume compares of one option with a value. */
static uint64_t signature(int option, const char *value)
{
    options o = {0};
    o.given[option] = true;
    o.text[option] = value;
    return manifest_signature(&o);
}

/* --resume compares the options that change bytes, and no others, as the rows say. */
static void test_bytes(void **state)
{
    const options none = {0};
    const uint64_t start = manifest_signature(&none);
    for (int i = 0; i < OPT_COUNT; i++) {
        const uint64_t one = signature(i, "1"), two = signature(i, "2");
        const bool is_compared = one != start, value_is_compared = one != two;
        if (is_compared != (args_rows[i].bytes != BYTES_SAME) ||
            value_is_compared != (args_rows[i].bytes == BYTES_DIFFER))
            fail_msg("--%s: compared %d, its value %d", args_rows[i].name, is_compared,
                     value_is_compared);
    }
    assert_true(signature(OPT_DEPTH, "a") == signature(OPT_DEPTH_DIR, "b"));
}

/* The numbers are those of 0.3.0: lists that an earlier build wrote are still good. */
static void test_signature_stays(void **state)
{
    if (SATB_VERSION != SATB_VERSION_NUMBER(0, 3, 0))
        skip();
    options o = accepted("in out --depth-dir d --focus 0.5 --bokeh square --quality 80 --jobs 3");
    assert_true(manifest_signature(&o) == UINT64_C(0xbde66749c5bf5338));
    o = accepted("in out --radius-map m --max-radius 5 --gamma --codec stb --stats --report r");
    assert_true(manifest_signature(&o) == UINT64_C(0xaced153489e3fbd5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_contradictions), UNIT(test_unknown), UNIT(test_help),
        UNIT(test_rows),           UNIT(test_batch),   UNIT(test_choices),
        UNIT(test_pages),          UNIT(test_daily),   UNIT(test_answers),
        UNIT(test_units),          UNIT(test_bytes),   UNIT(test_signature_stays),
        UNIT(test_formats),        UNIT(test_slurm),   UNIT(test_max_pixels),
        UNIT(test_gpu_memory),
    };
    format_choices_make(); /* as the parser does */
    return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
