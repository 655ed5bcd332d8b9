/* What a video is, and how one is read and written. */
#ifndef SATBLUR_APP_VIDEO_ABOUT_H
#define SATBLUR_APP_VIDEO_ABOUT_H

#include <curves.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct video_in video_in;
typedef struct video_frame video_frame; /* as it was decoded; its pixels are shared */

/* A part of a video: a track, or a half of each frame. */
enum { TRACKS_MOST = 31 };
typedef enum clip_half { HALF_NONE, HALF_LEFT, HALF_RIGHT, HALF_TOP, HALF_BOTTOM } clip_half;
typedef struct clip_part {
    int track; /* among those of pictures, from 1 on; 0: the best that no other clip has */
    clip_half half;
    int gap; /* pixels between the halves */
} clip_part;

typedef struct video_about {
    int width, height;     /* as stored */
    double rate;           /* frames a second; 0: unknown */
    uint64_t frames;       /* 0: unknown */
    bool is_counted;       /* the file says that number; otherwise it is estimated */
    int orientation;       /* EXIF's number for the turn that displays it upright */
    const satb_curve *hdr; /* its frames are light by that curve, in half floats; NULL: codes */
} video_about;

typedef struct video_in_settings {
    uint64_t max_pixels;
    int track;      /* among those of pictures, from 1 on; 0: the best that is not taken */
    unsigned taken; /* 1 << N: track N is read as another clip */
    bool fails;     /* the first damaged frame ends the clip; otherwise it is concealed */
    bool is_map;    /* a depth map or a matte: its transfer curve does not count */
    bool is_codes;  /* blurred as they are, whatever the transfer curve */
    bool quiet;     /* no notes */
} video_in_settings;

typedef struct video_out_settings {
    const char *format; /* a word like "y4m"; NULL: by the name's ending */
    const char *codec;  /* a word like "hevc", or FFmpeg's name of the encoder; NULL: the input's
                           own, or the container's */
    const char *encoder_options; /* "NAME=VALUE:NAME=VALUE"; NULL: none */
    const char
        *pixel_format; /* FFmpeg's name; NULL: the input's, or the nearest that the encoder has */
    double crf;        /* below 0: a good one for the encoder */
    double rate;       /* frames a second, of frames without times */
    bool quiet;        /* no notes */
    bool is_new;       /* that of output.h */
    bool is_part;      /* the first frame is not the clip's first, or the last not its last */
    double length;     /* seconds of a part, about; 0: until the end */
} video_out_settings;

#endif
