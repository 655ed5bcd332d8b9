/* --help=bash, =zsh and =fish: completions. They know the options, the choices, and where a file or a folder is
 * expected. */
#include "cli/args_help.h"

#include "cli/option_row.h"

#include <stdbool.h>
#include <string.h>

typedef enum value_kind {
    VALUE_NONE,
    VALUE_CHOICE,
    VALUE_FILE,
    VALUE_FOLDER,
    VALUE_FREE
} value_kind;

static value_kind kind_of(const option_row *row)
{
    const char *const argument = row->argument;
    return !argument                                                       ? VALUE_NONE
           : row->choices                                                  ? VALUE_CHOICE
           : strcmp(argument, "FILE") == 0 || strcmp(argument, "MAP") == 0 ? VALUE_FILE
           : strcmp(argument, "DIR") == 0                                  ? VALUE_FOLDER
                                                                           : VALUE_FREE;
}

/* Returns whether the value may be left out; then it stands behind '='. */
static bool is_optional(const option_row *row)
{
    return row->argument && row->argument[0] == '[';
}

/* Prints text with a backslash before each of the characters of `special`. */
static void put_escaped(FILE *to, const char *text, const char *special)
{
    for (const char *c = text; *c; c++) {
        if (strchr(special, *c))
            fputc('\\', to);
        fputc(*c, to);
    }
}

/* --- bash ------------------------------------------------------------------------------------- */

/* Prints "--name | --name=" of the rows of a kind, as a pattern of `case`. */
static void put_pattern(FILE *to, value_kind kind)
{
    bool first = true;
    for (int i = 0; i < OPT_COUNT; i++)
        if (kind_of(&args_rows[i]) == kind) {
            fprintf(to, "%s--%s | --%s=", first ? "    " : " | \\\n    ", args_rows[i].name,
                    args_rows[i].name);
            first = false;
        }
    fputs(")\n", to);
}

static void put_bash_choices(FILE *to)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *const row = &args_rows[i];
        if (kind_of(row) != VALUE_CHOICE)
            continue;
        if (is_optional(row))
            fprintf(to, "    --%s=) words='", row->name);
        else
            fprintf(to, "    --%s | --%s=) words='", row->name, row->name);
        for (const option_choice *c = row->choices; c->word; c++)
            fprintf(to, "%s%s", c == row->choices ? "" : " ", c->word);
        fputs("' ;;\n", to);
    }
}

static void put_bash_options(FILE *to)
{
    fputs("    -*) words='", to);
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *const row = &args_rows[i];
        fprintf(to, "%s--%s", i ? " " : "", row->name);
        for (const option_choice *c = row->choices; is_optional(row) && c->word; c++)
            fprintf(to, " --%s=%s", row->name, c->word);
    }
    fputs("' ;;\n", to);
}

void help_bash(FILE *to)
{
    fputs("# Completions of satblur for bash; made by 'satblur --help=bash'.\n"
          "_satblur()\n"
          "{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
          "    COMPREPLY=()\n"
          "    # In '--name=value', '=' is a word of its own.\n"
          "    if [[ $word == = ]]; then\n"
          "        before+='=' word=\n"
          "    elif [[ $before == = ]]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD-2]}=\n"
          "    fi\n"
          "    case $before in\n",
          to);
    put_bash_choices(to);
    put_pattern(to, VALUE_FILE);
    fputs("        return ;; # the shell completes files\n", to);
    put_pattern(to, VALUE_FOLDER);
    fputs("        compopt -o filenames 2> /dev/null\n"
          "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
          "        return ;;\n",
          to);
    put_pattern(to, VALUE_FREE);
    fputs("        compopt +o default +o bashdefault 2> /dev/null\n"
          "        return ;;\n"
          "    esac\n"
          "    [[ $words ]] || case $word in\n",
          to);
    put_bash_options(to);
    fputs("    esac\n"
          "    [[ ! $words ]] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "}\n"
          "complete -o default -o bashdefault -F _satblur satblur\n",
          to);
}

/* --- zsh -------------------------------------------------------------------------------------- */

/* Prints text inside an argument of _arguments in single quotes. */
static void put_zsh_text(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '\'')
            fputs("'\\''", to);
        else if (strchr(":[]\\", *c))
            fprintf(to, "\\%c", *c);
        else
            fputc(*c, to);
}

/* Prints ((word\:"help" ...)). _arguments takes one backslash away, and the shell another. */
static void put_zsh_choices(FILE *to, const option_choice *choices)
{
    fputs("((", to);
    for (const option_choice *c = choices; c->word; c++) {
        fputs(c == choices ? "" : " ", to);
        for (const char *w = c->word; *w; w++)
            fprintf(to, *w == ':' ? "\\\\\\:" : "%c", *w);
        fputs("\\:\"", to);
        put_zsh_text(to, c->help);
        fputc('"', to);
    }
    fputs("))", to);
}

static void put_zsh_row(FILE *to, const option_row *row)
{
    const value_kind kind = kind_of(row);
    fprintf(to, "    '--%s%s[", row->name, kind == VALUE_NONE ? "" : is_optional(row) ? "=-" : "=");
    put_zsh_text(to, row->help);
    fputc(']', to);
    if (kind != VALUE_NONE) {
        fputs(is_optional(row) ? "::" : ":", to);
        put_zsh_text(to, is_optional(row) ? row->name : row->argument);
        fputc(':', to);
    }
    switch (kind) {
    case VALUE_CHOICE: put_zsh_choices(to, row->choices); break;
    case VALUE_FILE: fputs("_files", to); break;
    case VALUE_FOLDER: fputs("_files -/", to); break;
    case VALUE_FREE: fputc(' ', to); break;
    case VALUE_NONE: break;
    }
    fputs("' \\\n", to);
}

void help_zsh(FILE *to)
{
    fputs("#compdef satblur\n"
          "# Completions of satblur for zsh; made by 'satblur --help=zsh'.\n"
          "_arguments -S \\\n",
          to);
    for (int i = 0; i < OPT_COUNT; i++)
        put_zsh_row(to, &args_rows[i]);
    fputs("    '1:INPUT:_files' \\\n"
          "    '2:OUTPUT:_files'\n",
          to);
}

/* --- fish ------------------------------------------------------------------------------------- */

static void put_fish_choices(FILE *to, const option_choice *choices)
{
    fputs(" -a \"", to);
    for (const option_choice *c = choices; c->word; c++) {
        fprintf(to, "%s%s\\t'", c == choices ? "" : " ", c->word);
        put_escaped(to, c->help, "'\\");
        fputc('\'', to);
    }
    fputc('"', to);
}

static void put_fish_row(FILE *to, const option_row *row)
{
    fprintf(to, "complete -c satblur -l %s -d '", row->name);
    put_escaped(to, row->help, "'\\");
    fputc('\'', to);
    switch (kind_of(row)) {
    case VALUE_CHOICE:
        fputs(is_optional(row) ? " -f" : " -x", to);
        put_fish_choices(to, row->choices);
        break;
    case VALUE_FILE: fputs(" -r -F", to); break;
    case VALUE_FOLDER: fputs(" -x -a '(__fish_complete_directories)'", to); break;
    case VALUE_FREE: fputs(" -x", to); break;
    case VALUE_NONE: break;
    }
    fputc('\n', to);
}

void help_fish(FILE *to)
{
    fputs("# Completions of satblur for fish; made by 'satblur --help=fish'.\n", to);
    for (int i = 0; i < OPT_COUNT; i++)
        put_fish_row(to, &args_rows[i]);
}
