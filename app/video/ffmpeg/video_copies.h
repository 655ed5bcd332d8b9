/* What a clip has beside its picture and is copied: sound, subtitles, chapters, fonts, tags, the turn. */
#ifndef SATBLUR_APP_VIDEO_COPIES_H
#define SATBLUR_APP_VIDEO_COPIES_H

#include "video/ffmpeg/libav.h"

enum { COPIES_WORDS = 4096 }; /* bytes for the words of lost streams */

typedef struct video_copy {
    AVStream *to; /* NULL: it is left out */
    int64_t last; /* its last packet's time; AV_NOPTS_VALUE: none */
} video_copy;

typedef struct video_copies {
    const video_in *from; /* NULL: nothing is copied */
    video_copy *at;       /* by the other's stream */
} video_copies;

/* Adds the streams that the container takes beside the picture, and lists those that are lost as ", sound (aac)". False:
 * memory ran out. */
bool video_copies_open(video_copies *c, AVFormatContext *mux, const AVStream *picture,
                       const video_in *from, char lost[COPIES_WORDS]);

/* Makes a packet of the clip one of the new file. False: its stream is left out. */
bool video_copies_take(video_copies *c, const AVOutputFormat *format, AVPacket *packet);

/* Copies tags and chapters, and the matrix that players turn the picture by. False: memory ran out. */
bool video_copies_describe(const video_copies *c, AVFormatContext *mux, AVStream *picture);

void video_copies_free(video_copies *c);

#endif
