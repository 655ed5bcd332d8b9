/* What a video's header says beside its streams: tags, chapters, the turn, the light of the display. */
#ifndef SATBLUR_APP_VIDEO_TAGS_H
#define SATBLUR_APP_VIDEO_TAGS_H

#include "video/ffmpeg/libav.h"

/* Returns whether the file has tags like com.apple.quicktime.make, which MP4 and MOV hold in a place of their own. */
bool video_tags_have_keys(const AVFormatContext *file);

/* Copies tags, but for those of the file alone, and those that may hold a picture. is_part: the time code is another. False:
 * memory ran out. */
bool video_tags_copy(AVDictionary **to, const AVDictionary *from, bool is_part);

/* Copies tags, chapters and the header's side data of a clip, and names the encoder. A part has the chapters within
 * it. first: the first frame. False: memory ran out. */
bool video_tags_describe(const video_way *way, AVStream *picture, const AVCodec *encoder,
                         const AVFrame *first);

/* Notes the tags and the chapters of the clip that cannot be read from the file that was written at `path`. */
void video_tags_tell_lost(const video_way *way, const char *path);

#endif
