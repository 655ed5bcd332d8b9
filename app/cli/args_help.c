/* --help and --help=all, for a terminal. */
#include "cli/args_help.h"

#include "cli/option_row.h"

#include <satblur.h>

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { WIDTH = 80 /* of --help=all */, COLUMN = 22 /* of the explanations of --help */ };

typedef struct paragraph { /* of lines from column `indent` to WIDTH */
    FILE *to;
    int indent, column; /* column 0: a line is to begin */
} paragraph;

static void end_line(paragraph *p)
{
    fputc('\n', p->to);
    p->column = 0;
}

/* Prints a word behind a blank or on a new line. */
static void put_word(paragraph *p, const char *word, int length)
{
    if (p->column && p->column + 1 + length > WIDTH)
        end_line(p);
    p->column += fprintf(p->to, "%*s%.*s", p->column ? 1 : p->indent, "", length, word);
}

/* Prints the words of text. '\n' in text ends a line. */
static void put_words(paragraph *p, const char *text)
{
    while (*text) {
        const int length = (int)strcspn(text, " \n");
        put_word(p, text, length);
        text += length;
        if (*text == '\n')
            end_line(p);
        text += *text != '\0';
    }
}

/* Writes "--name ARGUMENT". */
static void name_option(const option_row *row, char *out, size_t size)
{
    const char *const argument = row->argument ? row->argument : "";
    snprintf(out, size, "--%s%s%s", row->name, argument[0] && argument[0] != '[' ? " " : "",
             argument);
}

static void put_head(FILE *to)
{
    fprintf(to, "satblur %s: %s\n\n", satb_version(), args_summary);
    for (const help_text *u = args_usages; u->title; u++)
        fprintf(to, "  satblur %-45s %s\n", u->title, u->text);
}

/* Prints a section's title where it changes. */
static void put_section(FILE *to, const option_row *row, const char **section)
{
    if (*section != row->section)
        fprintf(to, "\n%s:\n", row->section);
    *section = row->section;
}

/* Returns whether the word is the title's first. */
static bool is_named(const char *title, const char *word)
{
    const size_t length = strcspn(title, " ");
    return strncasecmp(title, word, length) == 0 && word[length] == '\0';
}

/* Writes the title's first word in small letters. */
static void section_word(const char *title, char word[32])
{
    int length = 0;
    for (; title[length] && title[length] != ' ' && length < 31; length++)
        word[length] = (char)tolower((unsigned char)title[length]);
    word[length] = '\0';
}

/* --- --help ----------------------------------------------------------------------------------- */

/* Prints ": a, b or c" where the help does not name the choices. */
static void put_choices(FILE *to, const option_row *row)
{
    if (!row->choices || row->expects)
        return;
    for (const option_choice *c = row->choices; c->word; c++)
        fprintf(to, "%s%s", c == row->choices ? ": " : c[1].word ? ", " : " or ", c->word);
}

static void put_short_row(FILE *to, const option_row *row)
{
    char name[64];
    name_option(row, name, sizeof name);
    fprintf(to, "  %-*s%s", COLUMN - 2, name, row->help);
    put_choices(to, row);
    if (row->preset)
        fprintf(to, " [default: %s]", row->preset);
    fputc('\n', to);
}

static void help_daily(FILE *to)
{
    const char *section = NULL;
    put_head(to);
    for (int i = 0; i < OPT_COUNT; i++)
        if (args_rows[i].daily) {
            put_section(to, &args_rows[i], &section);
            put_short_row(to, &args_rows[i]);
        }
    fputs("\n--help=all prints every option, --help=depth a section; see also 'man satblur'.\n",
          to);
}

/* --- --help=all ------------------------------------------------------------------------------- */

static void put_plain(FILE *to, const char *text)
{
    fputs(text, to);
}

/* Prints "[LOW to HIGH; default: VALUE]", or what there is of it. */
static void put_values(paragraph *to, const option_row *row)
{
    const bool has_range = row->low < row->high;
    char range[40] = "", words[128];
    if (has_range)
        snprintf(range, sizeof range, "%.10g to %.10g", row->low, row->high);
    const int length =
        snprintf(words, sizeof words, "[%s%s%s%s]", range, has_range && row->preset ? "; " : "",
                 row->preset ? "default: " : "", row->preset ? row->preset : "");
    if (has_range || row->preset)
        put_word(to, words, length);
}

static void put_long_row(FILE *to, const option_row *row)
{
    paragraph text = {.to = to, .indent = 6};
    char name[64];
    name_option(row, name, sizeof name);
    fprintf(to, "  %s\n", name);
    put_words(&text, row->help);
    text.column += fprintf(to, ".");
    if (row->more)
        put_words(&text, row->more);
    put_values(&text, row);
    end_line(&text);
    for (const option_choice *c = row->choices; c && c->word; c++) {
        fprintf(to, "%*s%-12s  ", text.indent + 2, "", c->word);
        help_choice(to, c, put_plain);
        fputc('\n', to);
    }
}

/* Prints a term, and its meaning beside it. */
static void put_term(FILE *to, const help_text *row)
{
    enum { TERM = 22 };
    paragraph text = {.to = to, .indent = TERM};
    text.column = fprintf(to, "  %-*s", TERM - 3, row->title);
    put_words(&text, row->text);
    end_line(&text);
}

static void put_note(FILE *to, const help_note *n)
{
    paragraph text = {.to = to, .indent = 2};
    fprintf(to, "\n%s:\n", n->title);
    put_words(&text, n->text);
    end_line(&text);
    for (const help_text *row = n->rows ? n->rows() : NULL; row && row->title; row++)
        put_term(to, row);
}

void args_help_section(FILE *to, const char *section)
{
    const char *title = NULL;
    for (int i = 0; i < OPT_COUNT; i++)
        if (!section || is_named(args_rows[i].section, section)) {
            put_section(to, &args_rows[i], &title);
            put_long_row(to, &args_rows[i]);
        }
    for (const help_note *n = args_notes; n->title; n++)
        if (!section || is_named(n->title, section))
            put_note(to, n);
}

/* Prints the words of --help=SECTION. */
static void put_sections(FILE *to)
{
    paragraph text = {.to = to};
    fputc('\n', to);
    put_words(&text, "--help=SECTION prints one of these sections:");
    put_words(&text, args_help_sections());
    end_line(&text);
}

static void help_all(FILE *to)
{
    put_head(to);
    put_sections(to);
    args_help_section(to, NULL);
}

enum { SECTIONS = 512 }; /* bytes */

/* Adds the title's first word in small letters, unless it is there. */
static void add_section(char words[SECTIONS], const char *title)
{
    char word[32];
    const size_t used = strlen(words);
    section_word(title, word);
    if (!args_is_among(words, word))
        snprintf(words + used, SECTIONS - used, "%s%s", used > 0 ? " " : "", word);
}

const char *args_help_sections(void)
{
    static char words[SECTIONS];
    words[0] = '\0';
    for (int i = 0; i < OPT_COUNT; i++)
        add_section(words, args_rows[i].section);
    for (const help_note *n = args_notes; n->title; n++)
        add_section(words, n->title);
    return words;
}

void args_help(FILE *to, help_style style)
{
    switch (style) {
    case HELP_DAILY: help_daily(to); break;
    case HELP_ALL: help_all(to); break;
    case HELP_MAN: help_man(to); break;
    case HELP_BASH: help_bash(to); break;
    case HELP_ZSH: help_zsh(to); break;
    case HELP_FISH: help_fish(to); break;
    case HELP_JSON: help_json(to); break;
    }
}
