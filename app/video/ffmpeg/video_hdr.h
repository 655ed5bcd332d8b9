/* Clips of high dynamic range: what their light is, which encoders hold it, and which of their metadata is not carried. */
#ifndef SATBLUR_APP_VIDEO_HDR_H
#define SATBLUR_APP_VIDEO_HDR_H

#include "codec/codec.h"
#include "video/ffmpeg/libav.h"

/* Returns whether the stream can be shown by Dolby Vision alone (profile 5). */
bool video_hdr_is_dolby_alone(const AVStream *stream);

/* Removes the metadata of Dolby Vision and HDR10+ from a decoded frame, as it describes the frame before the blur. is_first: a
 * note says so. */
void video_hdr_drop(const video_in *v, AVFrame *f, bool is_first);

/* Says in the picture of a frame what its light is. False: p has a sentence. */
bool video_hdr_describe(const AVFrame *f, const satb_curve *curve, picture *pic, problem *p);

/* Returns the codec to write, where the container's usual one is H.264: screens show high dynamic range of HEVC alone. */
enum AVCodecID video_hdr_codec(const video_in *from, const AVOutputFormat *format,
                               enum AVCodecID usual);

/* Refuses an encoder that would make 8 bits of frames like f, which have more. is_named: --pixel-format chose the bits. False: p
 * has a sentence. */
bool video_hdr_accept(const video_in *from, const AVCodecContext *encoder, const AVFrame *f,
                      bool is_named, problem *p);

#endif
