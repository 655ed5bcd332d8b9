/* What a video's header says beside its streams: tags, chapters, the turn, the light of the display. */
#ifndef SATBLUR_APP_VIDEO_TAGS_H
#define SATBLUR_APP_VIDEO_TAGS_H

#include "metadata/metadata_fields.h"
#include "video/ffmpeg/libav.h"

/* Returns whether the file has tags like com.apple.quicktime.make, which MP4 and MOV hold in a place of their own. */
bool video_tags_have_keys(const AVFormatContext *file);

/* Lists the tags that the container does not hold, and adds "chapters" to the streams. */
void video_tags_lost(const AVOutputFormat *format, const AVFormatContext *file, word_list *tags,
                     word_list *streams);

/* Copies tags, but for those of the file alone and those that may hold a picture, as Ogg's covers do: it would show what is
 * blurred. False: memory ran out. */
bool video_tags_copy(AVDictionary **to, const AVDictionary *from);

/* Copies tags, chapters and the header's side data of a clip, NULL for none, and names the encoder. first: the first frame.
 * False: memory ran out. */
bool video_tags_describe(const video_in *from, AVFormatContext *mux, AVStream *picture,
                         const AVCodec *encoder, const AVFrame *first);

#endif
