/* --help=man: the manual page, in the macros of man(7). */
#include "cli/args_help.h"

#include "cli/option_row.h"

#include <satblur.h>

#include <ctype.h>
#include <string.h>

/* Returns what groff needs for a character: dashes and quotes stay as they are, to be copied into a shell. NULL: the
 * character itself. */
static const char *escape_of(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    default: return NULL;
    }
}

static void put_text(FILE *to, const char *text, size_t length)
{
    if (*text == '.') /* would be a macro */
        fputs("\\&", to);
    for (size_t i = 0; i < length; i++) {
        const char *const escape = escape_of(text[i]);
        if (escape)
            fputs(escape, to);
        else
            fputc(text[i], to);
    }
}

static void put_whole(FILE *to, const char *text)
{
    put_text(to, text, strlen(text));
}

static void put_line(FILE *to, const char *begin, const char *text, const char *end)
{
    fputs(begin, to);
    put_text(to, text, strlen(text));
    fputs(end, to);
}

static void put_paragraphs(FILE *to, const char *text)
{
    for (;;) {
        const size_t length = strcspn(text, "\n");
        put_text(to, text, length);
        fputs("\n", to);
        if (!text[length])
            return;
        fputs(".PP\n", to);
        text += length + 1;
    }
}

static void put_choices(FILE *to, const option_choice *choices)
{
    fputs(".RS\n", to);
    for (const option_choice *c = choices; c->word; c++) {
        put_line(to, ".TP\n.B ", c->word, "\n");
        help_choice(to, c, put_whole);
        fputs(".\n", to);
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
    if (row->low < row->high)
        fprintf(to, "The range is %.10g to %.10g.\n", row->low, row->high);
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

static void put_heading(FILE *to, const char *title)
{
    fputs(".SH \"", to);
    for (const char *c = title; *c; c++)
        fputc(toupper((unsigned char)*c), to);
    fputs("\"\n", to);
}

void help_man(FILE *to)
{
    fputs(".\\\" Made by 'satblur --help=man'.\n", to);
    fprintf(to, ".TH SATBLUR 1 \"\" \"satblur %s\" \"User Commands\"\n", SATB_VERSION);
    put_line(to, ".SH NAME\nsatblur \\- ", args_summary, "\n");
    fputs(".SH SYNOPSIS\n", to);
    put_commands(to, args_usages);
    put_line(to, ".SH DESCRIPTION\n", args_description, "\n");
    put_options(to);
    for (const help_text *n = args_notes; n->title; n++) {
        put_heading(to, n->title);
        put_paragraphs(to, n->text);
    }
    fputs(".SH EXAMPLES\n", to);
    put_commands(to, args_examples);
}
