/* The times of a clip's frames on their way round an encoder. Encoders count frames, one a tick, as many of them take neither
 * fine ticks nor frames of different lengths; the container gets the times. */
#ifndef SATBLUR_APP_STAMPS_H
#define SATBLUR_APP_STAMPS_H

#include "video/ffmpeg/libav.h"

typedef struct stamps {
    int64_t *
        at; /* by the frame's number, in ticks of the container; each is later than the one before */
    size_t count, capacity;
    bool is_gapless; /* the container shows a frame at each tick */
    int64_t step;    /* ticks of a frame at the clip's rate; at least 1 */
    int64_t tail;    /* ticks of the last frame; at least 1 */
    double offset;   /* seconds: what the first time was moved by */
    double moved;    /* seconds: the most that a time was moved by more than the first */
} stamps;

/* Returns the ticks that suit the container best; it may choose others. The times of pictures count frames. */
AVRational stamps_base(const video_container *to, const video_in *from, AVRational rate);

/* Sets the step for ticks of that length in that container. */
void stamps_open(stamps *s, const video_container *to, AVRational base, AVRational rate);

/* Adds the next frame's time and its length, 0 for unknown. False: memory ran out. */
bool stamps_add(stamps *s, int64_t at, int64_t length, AVRational from, AVRational to);

/* Changes a packet's numbers of frames to times. */
void stamps_set(const stamps *s, AVPacket *packet);

/* Moves the decoding of the last packet to its showing, if the sum of all lengths, of which MP4 makes the clip's, would be too
 * small: encoders that see frames of different lengths in another order leave that. dts: of the first packet. */
void stamps_end(const stamps *s, int64_t dts, AVPacket *packet);

void stamps_free(stamps *s);

#endif
