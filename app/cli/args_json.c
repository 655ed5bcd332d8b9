/* --help=json: the table of options, for programs. */
#include "base/json.h"
#include "cli/args_help.h"
#include "cli/args_read.h"

static const char *type_of(const option_row *row)
{
    static const struct {
        option_reader *read;
        const char *type;
    } types[] = {{read_number, "number"}, {read_signed, "number"}, {read_positive, "number"},
                 {read_whole, "whole"},   {read_blades, "whole"},  {read_choice, "choice"},
                 {read_help, "choice"},   {read_word, "choice"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (row->read == types[i].read)
            return types[i].type;
    return row->argument ? "text" : "switch";
}

/* Prints ", "key": "text"", unless there is no text. */
static void put_member(FILE *to, const char *key, const char *text)
{
    if (!text)
        return;
    fprintf(to, ", \"%s\": ", key);
    json_string(to, text);
}

/* Prints the options that a choice sets, as members of an object. */
static void put_parts(FILE *to, const option_part *parts)
{
    for (const option_part *part = parts; part->value; part++) {
        fprintf(to, "%s\"%s\": ", part == parts ? ", \"sets\": {" : ", ",
                args_rows[part->option].name);
        json_string(to, part->value);
    }
    fputs("}", to);
}

static void put_choices(FILE *to, const option_choice *choices)
{
    fputs(", \"choices\": [", to);
    for (const option_choice *c = choices; c->word; c++) {
        fputs(c == choices ? "{\"word\": " : ", {\"word\": ", to);
        json_string(to, c->word);
        put_member(to, "help", c->help);
        if (c->stands_for)
            put_parts(to, c->stands_for);
        fputs("}", to);
    }
    fputs("]", to);
}

static void put_row(FILE *to, const option_row *row)
{
    fputs("{\"name\": ", to);
    json_string(to, row->name);
    put_member(to, "argument", row->argument);
    put_member(to, "section", row->section);
    put_member(to, "type", type_of(row));
    if (row->low < row->high)
        fprintf(to, ", \"low\": %.10g, \"high\": %.10g", row->low, row->high);
    put_member(to, "default", row->preset);
    if (row->choices)
        put_choices(to, row->choices);
    put_member(to, "help", row->help);
    put_member(to, "more", row->more);
    fputs("}", to);
}

void help_json(FILE *to)
{
    fputs("[\n", to);
    for (int i = 0; i < OPT_COUNT; i++) {
        put_row(to, &args_rows[i]);
        fputs(i + 1 < OPT_COUNT ? ",\n" : "\n]\n", to);
    }
}
