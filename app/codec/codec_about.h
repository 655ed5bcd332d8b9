/* A format in words, from its row: for the help, and for the manual's table. */
#ifndef SATBLUR_APP_CODEC_ABOUT_H
#define SATBLUR_APP_CODEC_ABOUT_H

#include "codec/codec_format.h"

typedef struct codec_facts { /* "": none */
    char endings[64];        /* ".jpg, .jpeg" */
    const char *reads;       /* "all kinds" */
    char writes[24];         /* "gray, RGB, alpha" */
    char bits[32];           /* of what is written: "8, 16 bits, floats" */
    bool has_alpha;          /* what is written */
    const char *map;         /* of a depth map: "codes, numbers" */
    const char *keeps;       /* metadata: "ICC, EXIF" */
} codec_facts;

/* Returns the facts of a row of the table. */
codec_facts codec_about(const codec *c);

#endif
