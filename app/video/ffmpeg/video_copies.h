/* Streams that a clip has beside its picture and that are copied: sound, subtitles, fonts. */
#ifndef SATBLUR_APP_VIDEO_COPIES_H
#define SATBLUR_APP_VIDEO_COPIES_H

#include "metadata/metadata_fields.h"
#include "video/ffmpeg/libav.h"

typedef struct video_copy {
    AVStream *to; /* NULL: it is left out */
    int64_t last; /* its last packet's time; AV_NOPTS_VALUE: none */
} video_copy;

typedef struct video_copies {
    const video_way *way; /* of a part, nothing before its zero is kept */
    unsigned count;       /* streams that the clip has when its first frame is written */
    bool has_late;        /* a stream that came later is left out */
    uint64_t refused;     /* packets that the container does not take, as they are damaged */
    video_copy *at;       /* by the clip's stream */
    packet_list waiting;  /* of a part, until the frame beside them comes */
} video_copies;

/* What is lost: streams that the container does not take, and tracks of data and other pictures, which are not copied. */
typedef struct copies_lost {
    word_list streams, left;
} copies_lost;

/* Adds the streams that the container takes beside the picture, and lists what is lost. The
 * clip is locked. False: memory ran out. */
bool video_copies_open(video_copies *c, const video_way *way, const AVStream *picture,
                       copies_lost *lost);

/* Keeps the packets beside a frame at `begin`, which a part leaves out. False: memory ran out. */
bool video_copies_leave(video_copies *c, packet_list *list, libav_moment begin);

/* Writes packets of the clip: all, or those of a part that begin before a time. The list is empty afterwards. Returns FFmpeg's
 * error; 0: none. */
int video_copies_write(video_copies *c, packet_list *list, libav_moment until);

/* Notes what was left out on the way. A pipe carries the picture on purpose. */
void video_copies_note(const video_copies *c, const char *name, bool quiet, bool is_pipe);

void video_copies_free(video_copies *c);

#endif
