/* The configuration file: options for all runs, a line each. The command line comes first. */
#include "cli/args.h"

#include "base/paths.h"
#include "base/whole_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 16 }; /* bytes */

typedef struct config_row {
    char *value; /* NULL: it has none */
    int line;    /* 0: the file has no such option */
} config_row;

static struct {
    char *path;
    blob text, words; /* the values lie in text; words: of args_config_words() */
    config_row rows[OPT_COUNT];
} config; /* there is one command line, and one file */

/* --- Reading ---------------------------------------------------------------------------------- */

/* Returns the file's path, for free(). NULL: there is no home, or memory ran out. */
static char *find_path(void)
{
    const char *const base = getenv("XDG_CONFIG_HOME"), *const home = getenv("HOME");
    if (base && base[0] == '/')
        return text_new("%s/satblur/config", base);
    return home && home[0] ? text_new("%s/.config/satblur/config", home) : NULL;
}

/* Cuts off the blanks on both sides. */
static char *trim(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static int find_option(const char *name)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (strcmp(args_rows[i].name, name) == 0)
            return i;
    return -1;
}

/* Refuses a line that no run could use. A value that the command line overrides is not looked at. */
static bool check_row(const options *o, int option, const char *name, const char *value, problem *p)
{
    char text[80];
    options unused = {.map = NULL};
    if (option < 0) {
        snprintf(text, sizeof text, "--%s", name);
        return args_refuse_option(text, p);
    }
    const option_row *const row = &args_rows[option];
    if (row->of_run)
        return problem_set(p, "%s applies to one run only; give --%s on the command line", name,
                           name);
    if (!value && row->argument && row->argument[0] != '[')
        return args_lack_value(option, p);
    if (value && !row->argument)
        return problem_set(p, "%s takes no value; leave out '= %s'", name, value);
    return o->given[option] || args_take_option(&unused, option, value, p);
}

static bool read_line(const options *o, char *text, int number, problem *p)
{
    char *name = trim(text), *const equals = strchr(name, '=');
    if (name[0] == '\0' || name[0] == '#')
        return true;
    char *const value = equals ? trim(equals + 1) : NULL;
    if (equals)
        *equals = '\0';
    name = trim(name);
    const int option = find_option(name);
    if (!check_row(o, option, name, value, p))
        return false;
    config_row *const row = &config.rows[option];
    if (row->line)
        return problem_set(p, "%s is set in line %d, too; leave out one of them", name, row->line);
    *row = (config_row){value, number};
    return true;
}

static bool read_lines(const options *o, problem *p)
{
    char *rest = (char *)config.text.data, *line;
    problem inner;
    if (strlen(rest) != config.text.size)
        return problem_set(p, "%s: is not a text file; --no-config ignores it", config.path);
    for (int number = 1; (line = strsep(&rest, "\n")); number++)
        if (!read_line(o, line, number, &inner))
            return problem_set(p, "%s:%d: %s", config.path, number, inner.text);
    return true;
}

static bool read_file(const options *o, problem *p)
{
    problem inner;
    free(config.path);
    blob_free(&config.text);
    memset(config.rows, 0, sizeof config.rows);
    config.path = find_path();
    if (!config.path || access(config.path, F_OK) != 0)
        return true;
    if (!whole_file_read(config.path, 0, MOST, &config.text, &inner))
        return problem_set(p, "%s: %s; --no-config ignores it", config.path, inner.text);
    return read_lines(o, p);
}

/* --- Use -------------------------------------------------------------------------------------- */

bool args_take_config(options *o, unsigned met, problem *p)
{
    bool applies[OPT_COUNT];
    if (o->given[OPT_NO_CONFIG])
        return true;
    if (!read_file(o, p))
        return false;
    met |= args_given_operations(o) | NEEDS_BATCH | NEEDS_CLIP;
    for (int i = 0; i < OPT_COUNT; i++) /* before any takes another's place */
        applies[i] = config.rows[i].line && !args_is_settled(o, i) &&
                     (!args_rows[i].needs || args_rows[i].needs & met);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!applies[i])
            continue;
        o->by_config[i] = true;
        if (!args_take_option(o, i, config.rows[i].value, p))
            return false;
    }
    return !o->by_config[OPT_DOF_PRESET] || args_take_preset(o, p);
}

/* Returns whether the text has the option's name. */
static bool names(const char *text, const char *option)
{
    char word[80];
    snprintf(word, sizeof word, "--%s", option);
    for (const char *at = text; (at = strstr(at, word)); at++) {
        const char next = at[strlen(word)];
        if (!islower((unsigned char)next) && next != '-')
            return true;
    }
    return false;
}

static bool add_words(const char *text)
{
    return blob_add(&config.words, text, strlen(text));
}

const char *args_config_words(const options *o)
{
    bool is_first = true;
    blob_free(&config.words);
    for (int i = 0; i < OPT_COUNT; i++)
        if (o->by_config[i] && o->given[i]) {
            if (is_first)
                add_words(config.path);
            add_words(is_first ? " sets --" : ", --");
            add_words(args_rows[i].name);
            is_first = false;
        }
    return !is_first && blob_add(&config.words, "", 1) ? (const char *)config.words.data : "";
}

void args_explain_config(const options *o, problem *p)
{
    problem whole;
    for (int i = 0; i < OPT_COUNT; i++)
        if (o->by_config[i] && names(p->text, args_rows[i].name)) {
            problem_set(&whole, "%s; %s:%d sets --%s, and --no-config ignores it", p->text,
                        config.path, config.rows[i].line, args_rows[i].name);
            *p = whole;
            break;
        }
}
