/* What --help prints. Options come from their rows; the prose around them from args_text.c. */
#ifndef SATBLUR_APP_ARGS_HELP_H
#define SATBLUR_APP_ARGS_HELP_H

#include "engine/options.h"

#include <stddef.h>
#include <stdio.h>

/* Prints the help of that style. The caller looks for errors of the stream. */
void args_help(FILE *to, help_style style);

/* --- Between the files of the help ------------------------------------------------------------ */

typedef struct help_text {
    const char *title; /* NULL ends a list */
    const char *text;  /* paragraphs, parted by '\n', unwrapped */
} help_text;

extern const char args_summary[];     /* one clause, small first letter, no full stop */
extern const char args_description[];
extern const help_text args_usages[]; /* titles: a command line after "satblur"; texts: a few words */
extern const help_text args_examples[]; /* the same */
extern const help_text args_notes[];  /* titles: headings; texts: paragraphs */

void help_man(FILE *to);
void help_bash(FILE *to);
void help_zsh(FILE *to);
void help_fish(FILE *to);

#endif
