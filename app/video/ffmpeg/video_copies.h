/* Streams that a clip has beside its picture and that are copied: sound, subtitles, fonts. */
#ifndef SATBLUR_APP_VIDEO_COPIES_H
#define SATBLUR_APP_VIDEO_COPIES_H

#include "video/ffmpeg/video_tags.h"

typedef struct video_copy {
    AVStream *to; /* NULL: it is left out */
    int64_t last; /* its last packet's time; AV_NOPTS_VALUE: none */
} video_copy;

typedef struct video_copies {
    const video_in *from; /* NULL: nothing is copied */
    libav_moment zero;    /* the time that becomes 0 */
    bool is_part;         /* nothing before that time is kept */
    unsigned count;       /* streams that the clip has when its first frame is written */
    bool has_late;        /* a stream that came later is left out */
    uint64_t refused;     /* packets that the container does not take, as they are damaged */
    video_copy *at;       /* by the clip's stream */
} video_copies;

/* What is lost: what the container does not take, and tracks of data, which are not copied. */
typedef struct copies_lost {
    word_list streams, tags, data;
} copies_lost;

/* Adds the streams that the container takes beside the picture, and lists what is lost. The clip is locked. False: memory ran out. */
bool video_copies_open(video_copies *c, AVFormatContext *mux, const AVStream *picture,
                       const video_in *from, libav_moment zero, bool is_part, copies_lost *lost);

/* Makes a packet of the clip one of the new file. False: its stream is left out. */
bool video_copies_take(video_copies *c, const AVOutputFormat *format, AVPacket *packet);

/* Notes what was left out on the way. A pipe carries the picture on purpose. */
void video_copies_note(const video_copies *c, const char *name, bool quiet, bool is_pipe);

void video_copies_free(video_copies *c);

#endif
