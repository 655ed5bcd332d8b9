/* Tests of the command line: every kind of value, every contradiction, and the table of options. */
#include "batch/batch_manifest.h"
#include "cli/args.h"
#include "cli/args_help.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Splits a line at blanks ("''" stands for an empty word) and parses it after the program's name. */
static args_result parse(const char *line, options *o, problem *p)
{
    static char words[512];
    char *argv[32] = {"satblur"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") == 0 ? "" : word;
    p->text[0] = '\0';
    return args_parse(argc, argv, o, p);
}

static options accepted(const char *line)
{
    options o;
    problem p;
    if (parse(line, &o, &p) != ARGS_RUN)
        fail_msg("'%s' was refused: %s", line, p.text);
    return o;
}

static void refused(const char *line, const char *message)
{
    options o;
    problem p;
    if (parse(line, &o, &p) != ARGS_WRONG)
        fail_msg("'%s' was accepted", line);
    if (!strstr(p.text, message))
        fail_msg("'%s' said '%s', without '%s'", line, p.text, message);
    assert_null(strchr(p.text, '\n'));
}

static void test_defaults(void **state)
{
    (void)state;
    const options o = accepted("in.png out.png --depth d.png");
    assert_string_equal(o.input, "in.png");
    assert_string_equal(o.output, "out.png");
    assert_string_equal(o.depth, "d.png");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_AUTO);
    assert_int_equal(o.dof.strength, SATB_STRENGTH_DEFAULT);
    assert_int_equal(o.dof.depth_type, SATB_DEPTH_DISPARITY);
    assert_int_equal(o.dof.near_black, 0);
    assert_int_equal(o.dof.look.gamma, 0);
    assert_int_equal(o.dof.look.edge, SATB_EDGE_SHRINK);
    assert_int_equal(o.engine.device, SATB_DEVICE_AUTO);
    assert_int_equal(o.engine.threads, 0);
    assert_null(o.engine.sat);
    assert_int_equal(o.quality, 92);
    assert_int_equal(o.compression, 1);
    assert_int_equal(o.stats, STATS_NONE);
    assert_true(args_writes(&o));
}

static void test_order_and_spelling(void **state)
{
    (void)state;
    options o = accepted("--radius=2.5 in.png --gamma out.png");
    assert_true(o.box.radius_x == 2.5 && o.box.radius_y == 2.5);
    assert_int_equal(o.box.look.gamma, 1);
    o = accepted("--radius 3,0.25 -- --in.png -out.png");
    assert_true(o.box.radius_x == 3 && o.box.radius_y == 0.25);
    assert_string_equal(o.input, "--in.png");
    assert_string_equal(o.output, "-out.png");
    o = accepted("in.png out.png --radius 1 --radius 4");
    assert_true(o.box.radius_x == 4);
}

static void test_focus(void **state)
{
    (void)state;
    options o = accepted("i.png o.png --depth d.png --focus 0.25 --focus-range 0.1");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_VALUE);
    assert_true(o.dof.focus == 0.25 && o.dof.focus_range == 0.1);
    o = accepted("i.png o.png --depth d.png --focus 2.5m --distance 1,inf");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_DISTANCE);
    assert_true(o.dof.focus == 2.5 && o.dof.distance_near == 1 && isinf(o.dof.distance_far));
    o = accepted("i.png o.png --depth d.png --focus-at 12,0");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_POINT);
    assert_int_equal(o.dof.focus_x, 12);
    assert_int_equal(o.dof.focus_y, 0);
    o = accepted("i.png o.png --depth d.png --focus auto");
    assert_int_equal(o.dof.focus_mode, SATB_FOCUS_AUTO);
}

static void test_scales(void **state)
{
    (void)state;
    options o = accepted("i.png o.png --depth d.png");
    assert_int_equal(o.dof.scaled, 0);
    o = accepted("i.png o.png --depth d.png --near-scale 0");
    assert_int_equal(o.dof.scaled, 1);
    assert_true(o.dof.near_scale == 0 && o.dof.far_scale == 1);
    o = accepted("i.png o.png --depth d.png --far-scale 2.5");
    assert_true(o.dof.near_scale == 1 && o.dof.far_scale == 2.5);
    o = accepted("i.png o.png --depth d.png --far-scale 0.5 --near-scale 3");
    assert_true(o.dof.scaled && o.dof.near_scale == 3 && o.dof.far_scale == 0.5);
}

static void test_holes_and_circles(void **state)
{
    static const char *const words[] = {"none", "far", "near", "fill"};
    static const satb_holes ways[] = {SATB_HOLES_NONE, SATB_HOLES_FAR, SATB_HOLES_NEAR,
                                      SATB_HOLES_FILL};

    (void)state;
    options o = accepted("i.png o.png --depth d.png");
    assert_int_equal(o.dof.holes, SATB_HOLES_DEFAULT);
    assert_null(o.coc);
    for (int i = 0; i < 4; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --depth d.png --depth-holes %s", words[i]);
        o = accepted(line);
        assert_int_equal(o.dof.holes, ways[i]);
    }
    o = accepted("i.png o.png --depth d.png --dump-coc c.png");
    assert_string_equal(o.coc, "c.png");
}

static void test_depth_and_lens(void **state)
{
    (void)state;
    options o = accepted("i.png o.png --depth d.png --near black --depth-type linear "
                         "--depth-range 10,200 --max-radius 30");
    assert_int_equal(o.dof.near_black, 1);
    assert_int_equal(o.dof.depth_type, SATB_DEPTH_LINEAR);
    assert_int_equal(o.dof.strength, SATB_STRENGTH_RADIUS);
    assert_true(o.range_a == 10 && o.range_b == 200 && o.dof.max_radius == 30);
    o = accepted("i.png o.png --depth d.png --fstop 2.8 --focal 50 --sensor 23.5 --distance 1,8");
    assert_int_equal(o.dof.strength, SATB_STRENGTH_LENS);
    assert_true(o.dof.fstop == 2.8 && o.dof.focal_mm == 50 && o.dof.sensor_mm == 23.5);
    o = accepted("i.png o.png --radius-map m.png --max-radius 0.5");
    assert_string_equal(o.radius_map, "m.png");
    assert_true(o.dof.max_radius == 0.5);
}

static void test_method(void **state)
{
    (void)state;
    options o = accepted("i.png o.png --depth d.png");
    assert_int_equal(o.dof.method, SATB_METHOD_DEFAULT);
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_DISC);
    o = accepted("i.png o.png --depth d.png --method layered --bokeh square --edge shrink");
    assert_int_equal(o.dof.method, SATB_METHOD_LAYERED);
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_SQUARE);
    o = accepted("i.png o.png --depth d.png --method layered --bokeh disc");
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_DISC);
    o = accepted("i.png o.png --depth d.png --bokeh smooth --highlights 2");
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_SMOOTH);
    o = accepted("i.png o.png --depth d.png --method gather --bokeh square --edge mirror");
    assert_int_equal(o.dof.method, SATB_METHOD_GATHER);
    assert_int_equal(o.dof.look.edge, SATB_EDGE_MIRROR);
    o = accepted("i.png o.png --depth d.png --edge wrap --bokeh square");
    assert_int_equal(o.dof.method, SATB_METHOD_DEFAULT); /* which is gather there */
    o = accepted("i.png o.png --depth d.png --method spread --edge shrink --bokeh square");
    assert_int_equal(o.dof.method, SATB_METHOD_SPREAD);
    refused("a b --depth d --method Layered",
            "--method Layered: expected 'layered', 'gather' or 'spread'");
    refused("a b --depth d --method spread --edge wrap",
            "--method spread cannot be combined with --edge wrap");
    refused("a b --depth d --bokeh disc --method spread",
            "--bokeh disc and --method spread exclude each other");
    refused("a b --depth d --method", "--method needs a value");
    refused("a b --depth d --bokeh ring", "--bokeh ring: expected 'disc', 'square' or 'smooth'");
    refused("a b --depth d --method layered --edge mirror",
            "--method layered cannot be combined with --edge mirror");
    refused("a b --depth d --edge clamp --method layered",
            "--method layered cannot be combined with --edge clamp");
    refused("a b --depth d --bokeh disc --method gather", "exclude each other");
    refused("a b --depth d --bokeh disc --edge wrap",
            "--bokeh disc cannot be combined with --edge wrap");
    refused("a b --depth d --bokeh smooth --method gather",
            "--bokeh smooth and --method gather exclude each other");
    refused("a b --depth d --bokeh smooth --method spread",
            "--bokeh smooth and --method spread exclude each other");
    refused("a b --depth d --bokeh smooth --edge clamp",
            "--bokeh smooth cannot be combined with --edge clamp");
    refused("a b --radius 1 --method gather", "--method needs --depth MAP");
    refused("a b --radius-map m --max-radius 1 --bokeh square", "--bokeh needs --depth MAP");
    refused("a b --equalize --method layered", "--method needs --depth MAP");
    refused("a --stats --bokeh disc", "--bokeh needs --depth MAP");
}

static void test_highlights(void **state)
{
    (void)state;
    options o = accepted("i.png o.png --depth d.png");
    assert_true(o.dof.highlights == 0);
    o = accepted("i.png o.png --depth d.png --highlights 1");
    assert_true(o.dof.highlights == 1);
    o = accepted("i.png o.png --depth d.png --method layered --bokeh square --highlights 7.5");
    assert_true(o.dof.highlights == 7.5);
    refused("a b --depth d --highlights 0.9", "--highlights 0.9: expected a factor, 1 to 64");
    refused("a b --depth d --highlights 65", "expected a factor, 1 to 64");
    refused("a b --depth d --highlights", "--highlights needs a value");
    refused("a b --depth d --highlights 2 --method gather",
            "--highlights and --method gather exclude each other");
    refused("a b --depth d --method spread --highlights 2",
            "--highlights and --method spread exclude each other");
    refused("a b --depth d --highlights 2 --edge mirror",
            "--highlights cannot be combined with --edge mirror");
    refused("a b --radius 1 --highlights 2", "--highlights needs --depth MAP");
}

static void test_engine_and_output(void **state)
{
    (void)state;
    options o = accepted(
        "i.png o.png --radius 1 --device cuda:3 --threads 7 --edge wrap --sat rows-columns");
    assert_int_equal(o.engine.device, SATB_DEVICE_CUDA);
    assert_int_equal(o.engine.cuda_index, 3);
    assert_int_equal(o.engine.threads, 7);
    assert_string_equal(o.engine.sat, "rows-columns");
    assert_int_equal(o.box.look.edge, SATB_EDGE_WRAP);
    o = accepted("i.png o.png --radius 1 --quality 100 --compression 0 --verify --timings --quiet");
    assert_int_equal(o.quality, 100);
    assert_int_equal(o.compression, 0);
    assert_true(o.given[OPT_VERIFY] && o.given[OPT_TIMINGS] && o.given[OPT_QUIET]);
}

static void test_stats(void **state)
{
    (void)state;
    options o = accepted("i.png --stats");
    assert_int_equal(o.stats, STATS_TEXT);
    assert_null(o.output);
    assert_false(args_writes(&o));
    o = accepted("i.png --stats=json");
    assert_int_equal(o.stats, STATS_JSON);
    o = accepted("i.png o.png --radius 1 --stats");
    assert_true(args_writes(&o));
    refused("i.png --stats=xml", "--stats=xml: expected --stats or --stats=json");
    refused("i.png o.png --stats", "alone writes no picture");
}

static void test_figure_and_equalize(void **state)
{
    (void)state;
    options o = accepted("i.png --histogram h.svg");
    assert_string_equal(o.histogram, "h.svg");
    assert_null(o.output);
    assert_false(args_writes(&o));
    o = accepted("i.png --histogram a/b.PNG --stats=json");
    assert_int_equal(o.stats, STATS_JSON);
    o = accepted("i.png o.png --depth d.png --histogram h.png");
    assert_true(args_writes(&o));
    o = accepted("i.png o.jpg --equalize --quality 50 --stats --verify");
    assert_true(args_writes(&o) && o.given[OPT_EQUALIZE]);
    refused("i.png --histogram h.jpg", "--histogram h.jpg: expected");
    refused("i.png --histogram svg", "expected");
    refused("i.png --histogram .png", "expected");
    refused("i.png --histogram", "needs a value");
    refused("i.png o.png --histogram h.svg", "--histogram alone writes no picture");
    refused("i.png o.png --stats --histogram h.svg", "--stats alone writes no picture");
    refused("i.png o.png --equalize --histogram o.png", "name two files");
    refused("i.png --equalize", "OUTPUT is missing");
    refused("i.png o.png --equalize --radius 1", "exclude each other");
    refused("i.png o.png --equalize --depth d.png", "exclude each other");
    refused("i.png o.png --equalize --radius-map d.png --max-radius 1", "exclude each other");
    refused("i.png o.png --equalize --edge wrap", "--edge needs a blur");
    refused("i.png o.png --equalize=2", "takes no value");
}

static void test_numbers(void **state)
{
    static const char *const wrong[] = {
        "nan", "NAN", "inf", "-1",  "+1",  "0x1p3", "1e999", "1.2.3", "1e",   ".",     "1,2,3",
        "1,",  ",1",  "''",  "1px", "1e+", "--1",   "1-2",   "9e9",   "1,-2", "1,nan", "infinity"};
    static const char *const right[] = {"0",   "1",       "1.",  ".5",  "1e2",
                                        "1E2", "8388608", "0,0", "1e-3"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --radius=%s",
                 strcmp(wrong[i], "''") ? wrong[i] : "");
        refused(line, "expected");
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        char line[64];
        snprintf(line, sizeof line, "i.png o.png --radius %s", right[i]);
        accepted(line);
    }
    refused("i.png o.png --depth d --focus 1.01", "--focus 1.01: expected");
    refused("i.png o.png --depth d --focus m", "--focus m: expected");
    refused("i.png o.png --depth d --focus 0m", "--focus 0m: expected");
    refused("i.png o.png --depth d --focus 2mm", "expected");
    refused("i.png o.png --depth d --focus-at 1", "expected");
    refused("i.png o.png --depth d --focus-at 1.5,2", "expected");
    refused("i.png o.png --depth d --focus-at -1,2", "expected");
    refused("i.png o.png --depth d --focus-range 3", "expected");
    refused("i.png o.png --depth d --depth-range 5,5", "expected");
    refused("i.png o.png --depth d --distance 0,5", "expected");
    refused("i.png o.png --depth d --distance inf,inf", "expected");
    refused("i.png o.png --depth d --distance 1,INF", "expected");
    refused("i.png o.png --radius 1 --threads 0", "expected");
    refused("i.png o.png --radius 1 --sat columns", "'one-pass' or 'rows-columns'");
    refused("i.png o.png --radius 1 --threads 2000", "expected");
    refused("i.png o.png --radius 1 --threads 2.0", "expected");
    refused("i.png o.png --radius 1 --quality 0", "expected");
    refused("i.png o.png --radius 1 --compression 13", "expected");
    refused("i.png o.png --radius 1 --device cuda:", "expected");
    refused("i.png o.png --radius 1 --device cuda:-1", "expected");
    refused("i.png o.png --radius 1 --device CUDA", "expected");
    refused("i.png o.png --radius 1 --edge reflect", "expected");
    refused("i.png o.png --depth d --near grey", "expected");
}

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
    (void)state;
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
    (void)state;
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
    (void)state;
    refused("i.png o.png", "nothing to do");
    refused("", "nothing was asked for; 'satblur --help'");
    refused("--radius 1", "INPUT is missing");
    refused("i.png --radius 1", "OUTPUT is missing");
    refused("a b c --radius 1", "one file too many");
    refused("a '' --radius 1", "empty");
    refused("a b --radius 1 --depth d", "exclude each other");
    refused("a b --radius 1 --radius-map d --max-radius 1", "exclude each other");
    refused("a b --depth d --radius-map m", "exclude each other");
    refused("a b --radius 1 --max-radius 3", "--max-radius needs --depth MAP or --radius-map MAP");
    refused("a b --radius 1 --near black", "--near needs --depth MAP");
    refused("a b --radius-map m --max-radius 1 --focus 1", "--focus needs --depth MAP");
    refused("a b --radius-map m", "needs --max-radius");
    refused("a --stats --gamma", "--gamma needs a blur");
    refused("a --stats --quality 3", "--quality needs an OUTPUT");
    refused("a b --depth d --max-radius 3 --sensor 36", "exclude each other");
    refused("a b --depth d --fstop 2 --focal 50", "--distance NEAR,FAR is missing");
    refused("a b --depth d --focal 50 --distance 1,2", "--fstop N is missing");
    refused("a b --depth d --sensor 50", "--fstop N is missing");
    refused("a b --depth d --focus 0.1 --focus-at 1,1", "exclude each other");
    refused("a b --depth d --focus 2m", "needs --distance");
    refused("a b --depth d --focus 20m --distance 1,10", "outside --distance");
    refused("a b --depth d --depth-type linear --distance 1,inf", "not inf");
}

static void test_unknown(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
    options o = accepted("in out --depth-dir d --depth-suffix _z --suffix _b --format jpg --jobs 3 "
                         "--recursive --resume --report r --shard 2/8 --device cuda:all");
    problem p;
    assert_true(args_check_batch(&o, true, &p));
    assert_string_equal(o.depth_dir, "d");
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
    refused("in out --radius 3 --format gif", "'png'");
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
static void test_daily(void **state)
{
    char *text = printed(HELP_DAILY);
    int lines = 0;
    (void)state;
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
    (void)state;
    for (const option_choice *c = first; c->word; c++) {
        strcat(words, c == first ? "" : c[1].word ? ", " : " or ");
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
    (void)state;
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

/* The numbers are those of 0.2.0: lists that an earlier build wrote are still good. */
static void test_signature_stays(void **state)
{
    (void)state;
    if (strcmp(SATB_VERSION, "0.2.0") != 0)
        skip();
    options o = accepted("in out --depth-dir d --focus 0.5 --bokeh square --quality 80 --jobs 3");
    assert_true(manifest_signature(&o) == UINT64_C(0x229d3912e539ed35));
    o = accepted("in out --radius-map m --max-radius 5 --gamma --codec stb --stats --report r");
    assert_true(manifest_signature(&o) == UINT64_C(0x31df0447b5f88594));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_order_and_spelling),
        cmocka_unit_test(test_focus),
        cmocka_unit_test(test_depth_and_lens),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_holes_and_circles),
        cmocka_unit_test(test_method),
        cmocka_unit_test(test_highlights),
        cmocka_unit_test(test_engine_and_output),
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_figure_and_equalize),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_batch),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_daily),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_signature_stays),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_slurm),
        cmocka_unit_test(test_max_pixels),
        cmocka_unit_test(test_gpu_memory),
    };
    return cmocka_run_group_tests_name("args", tests, NULL, NULL);
}
