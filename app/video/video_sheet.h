/* A contact sheet: small frames of a clip, row by row, in one picture. */
#ifndef SATBLUR_APP_VIDEO_SHEET_H
#define SATBLUR_APP_VIDEO_SHEET_H

#include "base/message.h"
#include "codec/codec.h"
#include "engine/options.h"

#include <satblur.h>

#include <stdint.h>

typedef struct video_sheet {
    satb_image image;                                      /* data NULL: no frame has come */
    int columns, width, height, frame_width, frame_height; /* of a cell, and of its frame */
} video_sheet;

/* Adds the frame with that number of so many. False: p has a sentence. */
bool video_sheet_add(video_sheet *s, uint64_t number, uint64_t count, const satb_image *frame,
                     problem *p);

/* Writes the sheet as OUTPUT, and frees it. False: p has the line. */
bool video_sheet_write(video_sheet *s, const options *o, const codec *format, problem *p);

void video_sheet_free(video_sheet *s);

#endif
