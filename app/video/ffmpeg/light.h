/* The light of the display that a clip was made on, and the most light in it (HDR10): the header says it, or the frames. */
#ifndef SATBLUR_APP_LIGHT_H
#define SATBLUR_APP_LIGHT_H

#include "video/ffmpeg/libav.h"

/* Returns side data of the clip's header, or of its first frame if the header has none; NULL: neither has. */
const uint8_t *light_side(const AVStream *stream, const AVFrame *first,
                          enum AVPacketSideDataType type, size_t *size);

/* Writes the light in the words of libx265, like ":max-cll=1000,400". Nothing is written of what the clip does not say. */
void light_of_x265(const AVStream *stream, const AVFrame *first, char *out, size_t size);

#endif
