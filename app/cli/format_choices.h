/* The choices that other tables make: the formats of --format, and the codecs of --video-codec. */
#ifndef SATBLUR_APP_FORMAT_CHOICES_H
#define SATBLUR_APP_FORMAT_CHOICES_H

#include "cli/option_row.h"

/* Empty before format_choices_make(), which the parser calls. */
extern option_choice format_choices[], video_codec_choices[];

void format_choices_make(void);

#endif
