/* --help=man: the manual page, in the macros of man(7). */
#include "cli/args_help.h"

#include "cli/option_row.h"

#include <satblur.h>

#include <string.h>

/* Prints text so that groff shows every character as it is: dashes and quotes that can be copied into a shell. */
static void put_text(FILE *to, const char *text)
{
    static const struct {
        char plain;
        const char *escaped;
    } escapes[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    const char *at = text;
    if (*at == '.') /* would be a macro */
        fputs("\\&", to);
    for (; *at; at++) {
        const char *as = NULL;
        for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
            if (*at == escapes[i].plain)
                as = escapes[i].escaped;
        if (as)
            fputs(as, to);
        else
            fputc(*at, to);
    }
}

static void put_line(FILE *to, const char *macro, const char *text, const char *end)
{
    fputs(macro, to);
    put_text(to, text);
    fputs(end, to);
}

/* Prints the paragraphs of text. */
static void put_paragraphs(FILE *to, const char *text)
{
    char part[2048];
    while (*text) {
        const size_t length = strcspn(text, "\n");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        put_line(to, "", part, "\n");
        text += length;
        if (*text++ != '\n')
            return;
        fputs(".PP\n", to);
    }
}

static void put_choices(FILE *to, const option_choice *choices)
{
    fputs(".RS\n", to);
    for (const option_choice *c = choices; c->word; c++) {
        put_line(to, ".TP\n.B ", c->word, "\n");
        put_line(to, "", c->help, ".\n");
    }
    fputs(".RE\n", to);
}

static void put_row(FILE *to, const option_row *row)
{
    const char *const argument = row->argument ? row->argument : "";
    const char *const space = argument[0] && argument[0] != '[' ? " " : "";
    put_line(to, ".TP\n\\fB\\-\\-", row->name, "\\fR");
    fprintf(to, "%s\\fI", space);
    put_line(to, "", argument, "\\fR\n");
    put_line(to, "", row->help, ".\n");
    if (row->more)
        put_line(to, "", row->more, "\n");
    if (row->preset)
        put_line(to, "The default is ", row->preset, ".\n");
    if (row->choices)
        put_choices(to, row->choices);
}

static void put_options(FILE *to)
{
    const char *section = NULL;
    fputs(".SH OPTIONS\n", to);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (section != args_rows[i].section)
            put_line(to, ".SS ", args_rows[i].section, "\n");
        section = args_rows[i].section;
        put_row(to, &args_rows[i]);
    }
}

/* Prints a list of command lines with their texts. */
static void put_commands(FILE *to, const help_text *list)
{
    for (const help_text *c = list; c->title; c++) {
        put_line(to, ".TP\n\\fBsatblur\\fR ", c->title, "\n");
        put_line(to, "", c->text, "\n");
    }
}

void help_man(FILE *to)
{
    fprintf(to, ".\\\" Made by 'satblur --help=man'.\n.TH SATBLUR 1 \"\" \"satblur %s\" \"User Commands\"\n",
            SATB_VERSION);
    put_line(to, ".SH NAME\nsatblur \\- ", args_summary, "\n");
    fputs(".SH SYNOPSIS\n", to);
    put_commands(to, args_usages);
    put_line(to, ".SH DESCRIPTION\n", args_description, "\n");
    put_options(to);
    for (const help_text *n = args_notes; n->title; n++) {
        put_line(to, ".SH \"", n->title, "\"\n");
        put_paragraphs(to, n->text);
    }
    fputs(".SH EXAMPLES\n", to);
    put_commands(to, args_examples);
}
