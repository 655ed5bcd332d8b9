/* The value of one option: what the row expects, and how a value that is none is refused. */
#include "base/line.h"
#include "cli/args.h"
#include "cli/args_help.h"
#include "codec/video_table.h"

#include <stdio.h>

/* Writes the words that complete "expected". */
static void describe_value(const option_row *row, line *out)
{
    *out = (line){.used = 0};
    for (const option_choice *c = row->choices; !row->expects && c->word; c++)
        line_add(out, "%s'%s'", c == row->choices ? "" : c[1].word ? ", " : " or ", c->word);
    if (row->expects)
        line_add(out, "%s", row->expects);
    if (row->expects && row->low < row->high)
        line_add(out, ", %.10g to %.10g", row->low, row->high);
}

bool args_lack_value(int option, problem *p)
{
    const option_row *const row = &args_rows[option];
    line expected;
    describe_value(row, &expected);
    return problem_set(p, "--%s needs a value; give %s", row->name, expected.text);
}

static bool is_container(const option_row *row, const char *value)
{
    char name[16];
    snprintf(name, sizeof name, ".%s", value);
    return row == &args_rows[OPT_FORMAT] && video_container_of(name);
}

/* Lists the choices that are containers for pipes. False: there are none. */
static bool list_pipes(const option_row *row, line *out)
{
    *out = (line){.used = 0};
    for (const option_choice *c = row->choices; c->word; c++)
        if (video_container_by_word(c->word))
            line_add_part(out, c->word);
    return out->used > 0;
}

static bool refuse_value(const option_row *row, const char *value, problem *p)
{
    line expected;
    const char *const meant = value ? args_meant_value(row, value) : NULL;
    if (value && is_container(row, value) && list_pipes(row, &expected))
        return problem_set(p,
                           "--format %s: a pipe takes clips as %s; give one of these, or name "
                           "OUTPUT like out.%s",
                           value, expected.text, value);
    describe_value(row, &expected);
    return problem_set(p, "--%s%c%s: expected %s%s%s%s", row->name,
                       row->argument[0] == '[' ? '=' : ' ', value && value[0] ? value : "''",
                       expected.text, meant ? "; did you mean '" : "", meant ? meant : "",
                       meant ? "'?" : "");
}

bool args_take_option(options *o, int i, const char *value, problem *p)
{
    const option_row *const row = &args_rows[i];
    const char *const plain = args_without_units(i, value);
    o->given[i] = true;
    o->text[i] = plain;
    return !row->read || row->read(row, o, plain) || refuse_value(row, value, p);
}

void help_choice(FILE *to, const option_choice *c, void (*put)(FILE *to, const char *text))
{
    if (!c->stands_for)
        put(to, c->help);
    for (const option_part *part = c->stands_for; part && part->value; part++) {
        put(to, part == c->stands_for ? "--" : " --");
        put(to, args_rows[part->option].name);
        put(to, " ");
        put(to, part->value);
    }
}
