/* The parser: getopt_long() splits the words, the rows read them. */
#include "cli/args.h"

#include "base/paths.h"
#include "cli/args_help.h"
#include "cli/args_read.h"
#include "cli/format_choices.h"
#include "codec/video_table.h"
#include "engine/source.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Files ------------------------------------------------------------------------------------ */

static paths files; /* those of the command line, in its order; there is one command line */

static bool take_file(char *text, problem *p)
{
    if (text[0] == '\0')
        return problem_set(p, "a file name is empty; name INPUT and OUTPUT");
    files.at[files.count++] = text;
    return true;
}

/* Takes -o OUTPUT. */
static bool take_output(options *o, const char *text, problem *p)
{
    if (text[0] == '\0')
        return problem_set(p, "-o '': a file name is empty; name OUTPUT");
    if (o->output)
        return problem_set(p, "-o is given twice, for '%s' and '%s'; give it once", o->output,
                           text);
    o->output = text;
    return true;
}

static bool names_folder(const char *name)
{
    return path_is_folder(name) || name[strlen(name) - 1] == '/';
}

/* Returns whether the files are pictures for a folder, as for cp: several, or one that is no folder itself, nor frames. */
static bool are_for_folder(const options *o, size_t inputs)
{
    const char *const first = files.at[0];
    if (!o->output || !names_folder(o->output) || o->files_from)
        return false;
    return inputs > 1 ||
           (codec_is_picture_name(first) && !names_folder(first) && !strchr(path_base(first), '%'));
}

/* Refuses a folder among several inputs. */
static bool check_inputs(size_t inputs, problem *p)
{
    for (size_t i = 0; i < inputs && inputs > 1; i++)
        if (names_folder(files.at[i]))
            return problem_set(
                p,
                "'%s' is a folder among several inputs; leave it out, or give one folder "
                "and OUTPUT, with --depth-dir DIR for the maps",
                files.at[i]);
    return true;
}

/* Refuses files beyond INPUT and an OUTPUT that is no folder. */
static bool refuse_files(const options *o, size_t inputs, problem *p)
{
    const char *const last = o->output;
    const bool is_last = inputs < files.count;
    const bool may_be_made = path_stem(last) == strlen(last) && access(last, F_OK) != 0;
    if (is_last && may_be_made && strcmp(last, "-") != 0)
        return problem_set(p,
                           "'%s' is not a folder; give '%s/' to make it a folder for %zu pictures",
                           last, last, inputs);
    if (is_last && inputs == 2 && !args_writes(o))
        return problem_set(p, "'%s' is one file too many; if it is the depth map, give --depth %s",
                           last, last);
    if (is_last && video_container_of(last))
        return problem_set(
            p,
            "'%s' is one file too many; name the frames of a clip by one word, like 'in/*.png' in "
            "quotes",
            files.at[1]);
    return problem_set(p,
                       "'%s' is one file too many, because '%s' is not a folder; name one INPUT "
                       "and one OUTPUT, or a folder last",
                       files.at[1], last);
}

/* Tells INPUT, OUTPUT and lists of inputs apart. */
static bool settle_files(options *o, problem *p)
{
    const bool has_last = !o->output && files.count > 1;
    const size_t inputs = files.count - has_last;
    if (has_last)
        o->output = files.at[inputs];
    if (inputs == 0)
        return true;
    if (!o->files_from && !check_inputs(inputs, p))
        return false;
    if (are_for_folder(o, inputs)) {
        o->named = &files;
        o->named_count = inputs;
        return true;
    }
    o->input = files.at[0];
    return inputs == 1 || refuse_files(o, inputs, p);
}

/* --- Words ------------------------------------------------------------------------------------ */

enum { FIRST_LONG = 256 }; /* getopt_long()'s value of option i is FIRST_LONG + i */

static void fill_long_options(struct option *out)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *const argument = args_rows[i].argument;
        const int kind = !argument            ? no_argument
                         : argument[0] == '[' ? optional_argument
                                              : required_argument;
        out[i] = (struct option){args_rows[i].name, kind, NULL, FIRST_LONG + i};
    }
    out[OPT_COUNT] = (struct option){"output", required_argument, NULL, 'o'};
    out[OPT_COUNT + 1] = (struct option){0};
}

/* Options that have a letter, too; -o OUTPUT, or --output, is none of the rows. */
static const struct {
    char letter;
    int option;
} letters[] = {{'h', OPT_HELP}, {'q', OPT_QUIET}, {'v', OPT_VERBOSE}};

/* Takes a letter. A word like -quality is one of another program's options, and no letters. */
static bool take_letter(options *o, int letter, const char *word, problem *p)
{
    if (letter == 'o' && strpbrk(word + 2, "./"))
        return problem_set(p, "unknown option '%s'; give OUTPUT after a space: -o OUTPUT", word);
    if (word[2] != '\0')
        return args_refuse_option(word, p);
    if (letter == 'o')
        return take_output(o, optarg, p);
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter)
            return args_take_option(o, letters[i].option, NULL, p);
    return args_refuse_option(word, p);
}

/* Returns whether the word is the whole name of an option. getopt_long() takes abbreviations, too, which would break when
 * another option begins alike. */
static bool is_whole(const char *word)
{
    const size_t length = strcspn(word += 2, "=");
    for (int i = 0; i < OPT_COUNT; i++)
        if (strlen(args_rows[i].name) == length && strncmp(args_rows[i].name, word, length) == 0)
            return true;
    return strncmp("output", word, length) == 0 && length == strlen("output");
}

/* Takes what getopt_long() answered for the word. */
static bool take_word(options *o, int answer, const char *word, problem *p)
{
    if (answer == 1)
        return take_file(optarg, p);
    if (word[1] == '-' && !is_whole(word))
        return args_refuse_option(word, p);
    if ((answer == ':' && optopt == 'o') || (answer == 'o' && strncmp(optarg, "--", 2) == 0))
        return problem_set(p, "%s needs a value; give the name of OUTPUT", word);
    if (word[1] != '-')
        return take_letter(o, answer, word, p);
    if (answer == 'o')
        return take_output(o, optarg, p);
    if (answer == ':')
        return args_lack_value(optopt - FIRST_LONG, p);
    if (answer == '?')
        return problem_set(p, "--%s takes no value; leave out '%s'",
                           args_rows[optopt - FIRST_LONG].name, word + strcspn(word, "="));
    if (optarg && !strchr(word, '=') && strncmp(optarg, "--", 2) == 0)
        return args_lack_value(answer - FIRST_LONG, p); /* it took the next option */
    return args_take_option(o, answer - FIRST_LONG, optarg, p);
}

static bool parse_words(int argc, char **argv, options *o, problem *p)
{
    struct option long_options[OPT_COUNT + 2];
    fill_long_options(long_options);
    files.count = 0;
    opterr = 0; /* the messages are ours */
    optind = 0; /* from the start, whatever was parsed before */
    for (;;) {
        const int at = optind ? optind : 1;
        const int answer = getopt_long(argc, argv, "-:hqvo:", long_options, NULL);
        if (answer == -1)
            break;
        if (!take_word(o, answer, argv[at], p))
            return false;
    }
    while (optind < argc) /* after "--" */
        if (!take_file(argv[optind++], p))
            return false;
    return true;
}

/* Takes the codes of --depth-range as millimetres if the map is that of a sensor. */
static void settle_distances(options *o)
{
    o->in_millimetres = o->dof.depth_type == SATB_DEPTH_LINEAR && o->dof.near_black &&
                        o->given[OPT_DEPTH_RANGE] && o->range_b > 1 && o->range_a > 0 &&
                        o->range_b <= 65535 && !o->range_in_percent && !o->given[OPT_DISTANCE] &&
                        !o->given[OPT_DEPTH_SCALE] && !o->given[OPT_DEPTH_FROM];
    if (o->in_millimetres) {
        o->dof.distance_near = o->range_a / 1000;
        o->dof.distance_far = o->range_b / 1000;
    }
}

/* Sets the focus of a map that the program makes. */
static void settle_plane(options *o)
{
    if (!o->given[OPT_TILT_SHIFT] && !o->given[OPT_FOCUS_PLANE])
        return;
    o->dof.focus_mode = SATB_FOCUS_VALUE;
    o->dof.focus = PLANE_FOCUS / 65535.0;
}

/* Derives the parameters that follow from which options were given. */
static void settle_parameters(options *o)
{
    const bool lens = o->given[OPT_FSTOP] || o->given[OPT_FOCAL];
    o->dof.strength = lens                       ? SATB_STRENGTH_LENS
                      : o->given[OPT_MAX_RADIUS] ? SATB_STRENGTH_RADIUS
                                                 : SATB_STRENGTH_DEFAULT;
    o->dof.scaled = o->given[OPT_NEAR_SCALE] || o->given[OPT_FAR_SCALE];
    if (o->dof.scaled && !o->given[OPT_NEAR_SCALE])
        o->dof.near_scale = 1;
    if (o->dof.scaled && !o->given[OPT_FAR_SCALE])
        o->dof.far_scale = 1;
    settle_distances(o);
    settle_plane(o);
    o->look.gamma = o->given[OPT_GAMMA];
    o->dof.look = o->box.look = o->look;
}

/* Lets "-" be standard input or output. A file with that name is "./-". */
static void settle_streams(options *o)
{
    for (source_role r = 0; r < SOURCES; r++)
        if (o->source[r] && strcmp(o->source[r], "-") == 0)
            o->source[r] = path_stdin;
    if (o->output && strcmp(o->output, "-") == 0)
        o->output = path_stdout;
}

/* Takes "help", unless a file has that name, and a section beside --help or it. */
static void settle_help(options *o, size_t words)
{
    const bool says_help = files.count == words && (words == 1 || words == 2) &&
                           strcmp(files.at[0], "help") == 0 && access("help", F_OK) != 0;
    o->given[OPT_HELP] |= says_help;
    const char *const section = files.count == says_help + 1u ? files.at[says_help] : NULL;
    if (!o->given[OPT_HELP] || !section || o->help_section || o->help != HELP_DAILY)
        return;
    if (!read_choice(&args_rows[OPT_HELP], o, section) &&
        args_is_among(args_help_sections(), section))
        o->help_section = section;
}

static bool check_help(const options *o, problem *p)
{
    return !o->help_section || args_is_among(args_help_sections(), o->help_section) ||
           problem_set(p, "--help=%s: expected %s; the sections are %s", o->help_section,
                       args_rows[OPT_HELP].expects, args_help_sections());
}

/* Refuses what --page would leave undone. */
static bool check_page(const options *o, problem *p)
{
    static const int beside[] = {OPT_PAGE, OPT_ONNXRUNTIME, OPT_NO_CLOBBER, OPT_QUIET, OPT_VERBOSE};
    const char *const file = files.count > 0 ? files.at[0] : o->output;
    if (file)
        return problem_set(p, "--page writes no picture; leave out '%s'", file);
    for (int i = 0; i < OPT_COUNT; i++) {
        bool allowed = !o->given[i] || o->by_preset[i];
        for (size_t k = 0; k < sizeof beside / sizeof *beside; k++)
            allowed |= i == beside[k];
        if (!allowed)
            return args_exclude(p, "page", args_rows[i].name);
    }
    return true;
}

/* Takes a program that is named for this run as the wish for its map or matte. */
static void settle_wishes(options *o)
{
    if ((o->given[OPT_DEPTH_PROCESS] || o->given[OPT_DEPTH_COMMAND]) && !o->map) {
        o->map = source_auto;
        o->given[OPT_DEPTH] = true;
    }
    if (o->given[OPT_MATTE_COMMAND] && !o->matte) {
        o->matte = source_auto;
        o->given[OPT_MATTE] = true;
    }
}

/* Takes the photo's own map, or that of a program, as no operation is given. */
static void imply_map(options *o)
{
    const bool has_matte = source_program_of(o, SOURCE_MATTE);
    o->map = has_matte || source_program_of(o, SOURCE_MAP) ? source_auto : "embedded";
    o->given[OPT_DEPTH] = o->depth_implied = true;
    if (has_matte) {
        o->matte = source_auto;
        o->given[OPT_MATTE] = true;
    }
}

/* Drops the programs of the configuration file that make nothing in this run. */
static void drop_programs(options *o)
{
    static const int programs[] = {OPT_DEPTH_PROCESS, OPT_DEPTH_COMMAND, OPT_MATTE_COMMAND};
    const bool are_used = source_may_be_made(o, SOURCE_MAP) || source_may_be_made(o, SOURCE_MATTE);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        o->given[programs[i]] &= are_used || !o->by_config[programs[i]];
}

/* Takes the configuration file, and what follows from the lack of an operation. */
static bool settle_config(options *o, problem *p)
{
    const bool is_wanted = o->focus_view || (o->output && !o->stats && !o->histogram);
    const bool implies = (o->input || o->named) && is_wanted && !o->files_from && !args_writes(o);
    if (!args_take_config(o, implies ? NEEDS_DEPTH : 0, p))
        return false;
    if (implies)
        imply_map(o);
    drop_programs(o);
    return true;
}

args_result args_parse(int argc, char **argv, options *o, problem *p)
{
    format_choices_make();
    *o = (options){.quality = 92,
                   .compression = 1,
                   .max_pixels = PICTURE_PIXELS,
                   .fps = 25,
                   .depth_jobs = 1,
                   .depth_timeout = 300,
                   .depth_size = 1024};
    char **const room = realloc(files.at, ((size_t)argc + 1) * sizeof *files.at);
    if (!room) {
        problem_set(p, "not enough memory for the names of the files");
        return ARGS_FAILED;
    }
    files.at = room;
    if (!parse_words(argc, argv, o, p) || !args_take_preset(o, p))
        return ARGS_WRONG;
    settle_wishes(o);
    settle_help(o, (size_t)argc - (argc > 0));
    if (o->given[OPT_HELP])
        return check_help(o, p) ? ARGS_HELP : ARGS_WRONG;
    if (o->given[OPT_VERSION])
        return ARGS_VERSION;
    if (o->given[OPT_PAGE])
        return check_page(o, p) ? ARGS_PAGE : ARGS_WRONG;
    if (!settle_files(o, p))
        return ARGS_WRONG;
    if (o->files_from && args_writes(o) && !o->output) { /* OUTPUT alone: names are as they are */
        o->output = o->input;
        o->input = NULL;
    }
    if (argc < 2) {
        problem_set(p, "no picture is given; see 'satblur --help'");
        return ARGS_WRONG;
    }
    if (!settle_config(o, p))
        return ARGS_WRONG;
    settle_parameters(o);
    settle_streams(o);
    return args_check(o, p) ? ARGS_RUN : ARGS_WRONG;
}
