/* The choices of --format: the formats that are written, from the table of formats, and those of videos. */
#ifndef SATBLUR_APP_FORMAT_CHOICES_H
#define SATBLUR_APP_FORMAT_CHOICES_H

#include "cli/option_row.h"

/* Empty before format_choices_make(), which the parser calls. */
extern option_choice format_choices[];

void format_choices_make(void);

#endif
