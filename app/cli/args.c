/* The parser: getopt_long() splits the words, the rows read them. */
#include "cli/args.h"

#include "base/paths.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the edit distance (Levenshtein): the number of insertions, removals and replacements that turn a into b. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    const int width = (int)strlen(b);
    if (width > LONGEST)
        return LONGEST;
    for (int x = 0; x <= width; x++)
        row[x] = x;
    for (int y = 0; a[y]; y++) {
        int diagonal = row[0];
        row[0] = y + 1;
        for (int x = 1; x <= width; x++) {
            const int replaced = diagonal + (a[y] != b[x - 1]);
            diagonal = row[x];
            row[x] = minimum(replaced, 1 + minimum(row[x], row[x - 1]));
        }
    }
    return row[width];
}

/* Returns the option that was probably meant, or -1. An option that begins with the word is near it, and so is an
 * option with which the word begins. */
static int nearest_option(const char *word)
{
    int best = -1, best_distance = 1 + minimum(3, (int)strlen(word) / 2);
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *name = args_rows[i].name;
        const size_t shared = strlen(word) < strlen(name) ? strlen(word) : strlen(name);
        int distance = edit_distance(word, name);
        if (shared >= 3 && strncmp(word, name, shared) == 0)
            distance = minimum(distance, shared == strlen(word) ? 1 : 2);
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static bool unknown_option(const char *text, problem *p)
{
    char word[64];
    snprintf(word, sizeof word, "%s", text + strspn(text, "-"));
    word[strcspn(word, "=")] = '\0';
    const int near = nearest_option(word);
    if (near < 0)
        return problem_set(p, "unknown option '%s'; 'satblur --help=all' lists all options", text);
    return problem_set(p, "unknown option '%s'; did you mean --%s?", text, args_rows[near].name);
}

static bool take_file(options *o, const char *text, problem *p)
{
    if (text[0] == '\0')
        return problem_set(p, "a file name is empty; name INPUT and OUTPUT");
    if (!o->input) {
        o->input = text;
    } else if (!o->output) {
        o->output = text;
    } else {
        return problem_set(p,
                           "'%s' is one file too many after '%s' and '%s'; name INPUT and OUTPUT "
                           "only, or a folder as INPUT",
                           text, o->input, o->output);
    }
    return true;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* Writes "'a', 'b' or 'c'". */
static void list_choices(const option_choice *choices, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const option_choice *c = choices; c->word && used < size; c++) {
        const char *const before = c == choices ? "" : c[1].word ? ", " : " or ";
        used += (size_t)snprintf(out + used, size - used, "%s'%s'", before, c->word);
    }
}

/* Writes the words that complete "expected". */
static void describe_value(const option_row *row, char *out, size_t size)
{
    if (!row->expects)
        list_choices(row->choices, out, size);
    else if (row->low < row->high)
        snprintf(out, size, "%s, %.10g to %.10g", row->expects, row->low, row->high);
    else
        snprintf(out, size, "%s", row->expects);
}

static bool needs_value(const option_row *row, problem *p)
{
    char expected[sizeof p->text];
    describe_value(row, expected, sizeof expected);
    return problem_set(p, "--%s needs a value; give %s", row->name, expected);
}

bool args_take_option(options *o, int i, const char *value, problem *p)
{
    const option_row *const row = &args_rows[i];
    char expected[sizeof p->text];
    o->given[i] = true;
    o->text[i] = value;
    if (!row->read || row->read(row, o, value))
        return true;
    describe_value(row, expected, sizeof expected);
    return problem_set(p, "--%s%c%s: expected %s", row->name, row->argument[0] == '[' ? '=' : ' ',
                       value && value[0] ? value : "''", expected);
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
    out[OPT_COUNT] = (struct option){0};
}

/* Takes what getopt_long() answered for the word. */
static bool take_word(options *o, int answer, const char *word, problem *p)
{
    switch (answer) {
    case 1: return take_file(o, optarg, p);
    case 'h': return args_take_option(o, OPT_HELP, NULL, p);
    case ':': return needs_value(&args_rows[optopt - FIRST_LONG], p);
    case '?':
        if (optopt >= FIRST_LONG) {
            return problem_set(p, "--%s takes no value; leave out '%s'",
                               args_rows[optopt - FIRST_LONG].name, word + strcspn(word, "="));
        }
        return unknown_option(word, p);
    default:
        /* No abbreviations: they would break when another option begins alike. */
        if (strcspn(word + 2, "=") != strlen(args_rows[answer - FIRST_LONG].name))
            return unknown_option(word, p);
        if (optarg && !strchr(word, '=') && strncmp(optarg, "--", 2) == 0)
            return needs_value(&args_rows[answer - FIRST_LONG], p); /* it took the next option */
        return args_take_option(o, answer - FIRST_LONG, optarg, p);
    }
}

static bool parse_words(int argc, char **argv, options *o, problem *p)
{
    struct option long_options[OPT_COUNT + 1];
    fill_long_options(long_options);
    opterr = 0; /* the messages are ours */
    optind = 0; /* from the start, whatever was parsed before */
    for (;;) {
        const int at = optind ? optind : 1;
        const int answer = getopt_long(argc, argv, "-:h", long_options, NULL);
        if (answer == -1)
            break;
        if (!take_word(o, answer, argv[at], p))
            return false;
    }
    while (optind < argc) /* after "--" */
        if (!take_file(o, argv[optind++], p))
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

args_result args_parse(int argc, char **argv, options *o, problem *p)
{
    *o = (options){.quality = 92, .compression = 1, .max_pixels = PICTURE_PIXELS, .fps = 25};
    if (!parse_words(argc, argv, o, p) || !args_take_preset(o, p))
        return ARGS_WRONG;
    if (o->given[OPT_HELP])
        return ARGS_HELP;
    if (o->given[OPT_VERSION])
        return ARGS_VERSION;
    if (o->given[OPT_PAGE])
        return ARGS_PAGE;
    if (o->files_from && args_writes(o) && !o->output) { /* OUTPUT alone: names are as they are */
        o->output = o->input;
        o->input = NULL;
    }
    if (argc < 2) {
        problem_set(p, "no picture is given; 'satblur --help' shows how");
        return ARGS_WRONG;
    }
    const bool is_wanted = o->focus_view || (o->output && !o->stats && !o->histogram);
    if (o->input && is_wanted && !o->files_from && !args_writes(o)) {
        o->map = "embedded";
        o->given[OPT_DEPTH] = o->depth_implied = true;
    }
    settle_parameters(o);
    settle_streams(o);
    return args_check(o, p) ? ARGS_RUN : ARGS_WRONG;
}
