/* Clips of high dynamic range: what their light is, which encoders hold it, and which of their metadata is not carried. */
#ifndef SATBLUR_APP_VIDEO_HDR_H
#define SATBLUR_APP_VIDEO_HDR_H

#include "metadata/metadata.h"
#include "video/ffmpeg/libav.h"

/* Returns whether the stream can be shown by Dolby Vision alone (profile 5). */
bool video_hdr_is_dolby_alone(const AVStream *stream);

/* Removes the metadata of Dolby Vision and HDR10+ from a decoded frame, as it describes the frame before the blur. is_first: a
 * note says so. */
void video_hdr_drop(const video_in *v, AVFrame *f, bool is_first);

/* Returns side data of the clip's header, or of its first frame if the header has none; NULL: neither has. Those of the frame
 * are the light of the display that the clip was made on, and the most light in it (HDR10). */
const uint8_t *video_hdr_side(const AVStream *stream, const AVFrame *first,
                              enum AVPacketSideDataType type, size_t *size);

/* Writes that light in the words of libx265, like ":max-cll=1000,400". Nothing is written of what the clip does not say. */
void video_hdr_of_x265(const AVStream *stream, const AVFrame *first, char *out, size_t size);

/* Says in the metadata of a frame what its light is. False: p has a sentence. */
bool video_hdr_describe(const AVFrame *f, const satb_curve *curve, metadata *m, problem *p);

/* Returns the container's usual codec. HEVC takes H.264's place, as screens show high dynamic range of it alone. */
enum AVCodecID video_hdr_codec(const video_way *way);

/* Refuses an encoder that would make 8 bits of frames like f, which have more. is_named: --pixel-format chose the bits. False: p
 * has a sentence. */
bool video_hdr_accept(const video_in *from, const AVCodecContext *encoder, const AVFrame *f,
                      bool is_named, problem *p);

#endif
