/* Prints the answers to --help. The options come from their rows, the prose around them from args_text.c. */
#ifndef SATBLUR_APP_ARGS_HELP_H
#define SATBLUR_APP_ARGS_HELP_H

#include "cli/option_row.h"
#include "engine/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints the help of that style. Errors stay in the stream. */
void args_help(FILE *to, help_style style);

/* Prints a section of --help=all, whose word is the first of its title; NULL: all sections. */
void args_help_section(FILE *to, const char *section);

/* Returns the words of all sections, with blanks between them. One thread calls it. */
const char *args_help_sections(void);

/* --- Between the files of the help ------------------------------------------------------------ */

typedef struct help_text {
    const char *title; /* NULL ends a list */
    const char *text;  /* '\n' ends a paragraph; lines are not wrapped */
} help_text;

extern const char args_summary[]; /* one clause, small first letter, no full stop */
extern const char args_description[];

/* The title is a command line behind "satblur"; the text says what it is for. */
extern const help_text args_usages[], args_examples[];

typedef struct help_note {
    const char *title;              /* a heading; NULL ends a list */
    const char *text;               /* its paragraphs, as of help_text */
    const help_text *(*rows)(void); /* terms and their meanings, behind the text; NULL: none */
} help_note;

extern const help_note args_notes[];

/* Return lists that other tables make: of formats, and of the keys of --report. */
const help_text *help_formats(void);
const help_text *help_report(void);
const help_text *help_summary(void);

/* Prints the options that a choice stands for, or else its help. put prints a text. */
void help_choice(FILE *to, const option_choice *c, void (*put)(FILE *to, const char *text));

void help_man(FILE *to);
void help_bash(FILE *to);
void help_zsh(FILE *to);
void help_fish(FILE *to);
void help_json(FILE *to);

#endif
