/* A program without FFmpeg's libraries: numbered files are clips, videos are refused. */
#include "video/video_out.h"

#include <satb_config.h>

#include <stddef.h>

static bool refuse(const char *path, problem *p)
{
#if SATB_HAVE_FFMPEG
    return problem_set(
        p, "%s: satblur-video, the program for videos, is missing; install satblur again", path);
#else
    return problem_set(
        p,
        "%s: this build reads and writes no video; install FFmpeg's libraries and build again, or "
        "use numbered files like in/%%05d.png",
        path);
#endif
}

const char *video_library(void)
{
    return NULL;
}

bool video_in_open(video_in **out, const char *path, const video_in_settings *settings, problem *p)
{
    (void)settings;
    *out = NULL;
    return refuse(path, p);
}

const video_about *video_in_about(const video_in *v)
{
    static const video_about none;
    (void)v;
    return &none;
}

void video_in_close(video_in **v)
{
    *v = NULL;
}

video_status video_in_next(video_in *v, video_frame **frame, problem *p)
{
    (void)v, (void)p;
    *frame = NULL;
    return VIDEO_END;
}

bool video_in_return(video_in *v, video_frame *frame, problem *p)
{
    (void)v, (void)frame;
    return refuse("video", p);
}

uint64_t video_in_damaged(const video_in *v)
{
    (void)v;
    return 0;
}

uint64_t video_in_missing(const video_in *v)
{
    (void)v;
    return 0;
}

bool video_in_is_cut(const video_in *v)
{
    (void)v;
    return false;
}

double video_frame_seconds(const video_frame *frame)
{
    (void)frame;
    return 0;
}

bool video_frame_picture(const video_frame *frame, bool as_map, picture *pic, problem *p)
{
    (void)frame, (void)as_map, (void)pic;
    return refuse("video", p);
}

bool video_frame_store(video_frame *frame, const satb_image *before, const satb_image *after,
                       problem *p)
{
    (void)frame, (void)before, (void)after;
    return refuse("video", p);
}

video_frame *video_frame_make(const satb_image *image, uint64_t number, double rate, problem *p)
{
    (void)image, (void)number, (void)rate;
    (void)refuse("video", p);
    return NULL;
}

bool video_frame_cut(video_frame *frame, const clip_part *part, problem *p)
{
    (void)frame, (void)part;
    return refuse("video", p);
}

video_frame *video_frame_share(const video_frame *frame)
{
    (void)frame;
    return NULL;
}

void video_frame_free(video_frame **frame)
{
    *frame = NULL;
}

void video_codec_list(FILE *to)
{
    (void)to;
}

bool video_out_open(video_out **out, const char *path, video_in *from,
                    const video_out_settings *settings, problem *p)
{
    (void)from, (void)settings;
    *out = NULL;
    return refuse(path, p);
}

bool video_out_leave(video_out *v, video_frame *frame, problem *p)
{
    (void)v, (void)frame;
    return refuse("video", p);
}

bool video_out_write(video_out *v, video_frame *frame, problem *p)
{
    (void)v, (void)frame;
    return refuse("video", p);
}

bool video_out_commit(video_out **v, problem *p)
{
    *v = NULL;
    return refuse("video", p);
}

void video_out_abort(video_out **v)
{
    *v = NULL;
}
