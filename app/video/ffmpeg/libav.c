#include "video/ffmpeg/libav.h"

#include <libavutil/avstring.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
#include <stdlib.h>
#include <string.h>

libav_words libav_error(int error)
{
    libav_words words;
    av_strerror(error, words.text, sizeof words.text);
    return words;
}

bool libav_listed(enum AVCodecID codec, const char *list)
{
    return av_match_name(avcodec_get_name(codec), list) != 0;
}

const video_codec *libav_codec(enum AVCodecID codec)
{
    return video_codec_of(avcodec_get_name(codec));
}

bool libav_has(enum AVCodecID codec, unsigned flags)
{
    const video_codec *const row = libav_codec(codec);
    return row && row->flags & flags;
}

bool libav_holds(const video_container *c, enum AVCodecID codec)
{
    const AVOutputFormat *const format = av_guess_format(c->muxer, NULL, NULL);
    return !libav_listed(codec, c->lacks) &&
           (c->takes ? libav_listed(codec, c->takes)
                     : avformat_query_codec(format, codec, FF_COMPLIANCE_EXPERIMENTAL) != 0);
}

libav_moment libav_zero(const video_in *v, const video_container *to)
{
    const bool has_clock =
        v && v->file->iformat->flags & AVFMT_TS_DISCONT && v->file->start_time != AV_NOPTS_VALUE;
    return (libav_moment){has_clock && !to->has_clock ? v->file->start_time : 0, AV_TIME_BASE_Q};
}

/* The lowest number is AV_NOPTS_VALUE. */
int64_t libav_add(int64_t at, int64_t ticks)
{
    return FFMAX(av_sat_add64(at, ticks), -INT64_MAX);
}

int64_t libav_since(libav_moment zero, int64_t at, AVRational base)
{
    const int64_t ticks = av_rescale_q(zero.at, zero.base, base);
    return at == AV_NOPTS_VALUE ? at : libav_add(at, -FFMAX(ticks, -INT64_MAX));
}

int64_t libav_length(const AVFrame *f)
{
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return f->duration;
#else
    return f->pkt_duration;
#endif
}

/* Returns whether the clip has fields, which DV and Matroska do not say before the first frame. */
static bool is_interlaced(const video_in *v, const AVFrame *first)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    const bool has_fields = first->flags & AV_FRAME_FLAG_INTERLACED;
#else
    const bool has_fields = first->interlaced_frame;
#endif
    return has_fields || v->stream->codecpar->field_order > AV_FIELD_PROGRESSIVE;
}

/* Returns whether the clip has alpha. VP8 and VP9 have it beside the stream, as a tag says. Every GIF has one, which nearly
 * always is opaque. */
static bool has_alpha(const video_in *v, const AVFrame *first)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(first->format);
    const bool is_known = d && d->flags & AV_PIX_FMT_FLAG_ALPHA && d->nb_components % 2 == 0 &&
                          v->stream->codecpar->codec_id != AV_CODEC_ID_GIF;
    return is_known || av_dict_get(v->stream->metadata, "alpha_mode", NULL, 0);
}

void libav_tell_first(const video_in *v, const AVFrame *first)
{
    const bool quiet = v->settings.quiet || v->settings.is_map;
    if (is_interlaced(v, first))
        message_note(quiet,
                     "%s: is interlaced, but is blurred and written as whole frames; make it "
                     "progressive first, by ffmpeg's filter bwdif",
                     v->name);
    if (has_alpha(v, first))
        message_note(quiet, "%s: its alpha is lost, because videos have none here", v->name);
}

AVRational libav_rate(const video_in *v)
{
    const AVRational mean = v->stream->avg_frame_rate;
    AVRational rate = av_guess_frame_rate(v->file, v->stream, NULL);
    if (rate.num <= 0 || rate.den <= 0)
        return (AVRational){0, 1};
    if (mean.num > 0 && mean.den > 0 && av_q2d(rate) > 2 * av_q2d(mean)) /* FFmpeg says the ticks */
        av_reduce(&rate.num, &rate.den, mean.num, mean.den, UINT16_MAX);
    return rate;
}

/* Returns planar luma and chroma of the depth and the blocks of `d`, or of the next finer ones. is_finest: a block is a pixel. */
static enum AVPixelFormat planar_format(const AVPixFmtDescriptor *d, bool is_finest)
{
    static const enum AVPixelFormat of[3][5] = {
        {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV420P9, AV_PIX_FMT_YUV420P10, AV_PIX_FMT_YUV420P12,
         AV_PIX_FMT_YUV420P16},
        {AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV422P9, AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV422P12,
         AV_PIX_FMT_YUV422P16},
        {AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV444P9, AV_PIX_FMT_YUV444P10, AV_PIX_FMT_YUV444P12,
         AV_PIX_FMT_YUV444P16}};
    const int bits = d->comp[0].depth;
    const int deep = bits <= 8 ? 0 : bits == 9 ? 1 : bits == 10 ? 2 : bits <= 12 ? 3 : 4;
    const bool is_420 = d->log2_chroma_w == 1 && d->log2_chroma_h == 1;
    const bool is_422 = d->log2_chroma_w == 1 && d->log2_chroma_h == 0;
    return of[is_finest ? 2 : is_420 ? 0 : is_422 ? 1 : 2][deep];
}

enum AVPixelFormat libav_working_format(enum AVPixelFormat format, bool as_light)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(format);
    if (!d)
        return AV_PIX_FMT_NONE;
    const bool deep = d->comp[0].depth > 8 || as_light;
    if (d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL))
        return deep ? AV_PIX_FMT_RGB48 : AV_PIX_FMT_RGB24;
    if (d->nb_components < 3)
        return deep ? AV_PIX_FMT_GRAY16 : AV_PIX_FMT_GRAY8;
    return planar_format(d, false);
}

enum AVPixelFormat libav_finest_format(enum AVPixelFormat format)
{
    return planar_format(av_pix_fmt_desc_get(format), true);
}

bool libav_is_rgb(enum AVPixelFormat format)
{
    return (av_pix_fmt_desc_get(format)->flags & AV_PIX_FMT_FLAG_RGB) != 0;
}

bool libav_is_full(enum AVPixelFormat format)
{
    const char *const name = av_get_pix_fmt_name(format);
    return name && strncmp(name, "yuvj", 4) == 0;
}

enum AVPixelFormat libav_full_format(enum AVPixelFormat format)
{
    return format == AV_PIX_FMT_YUV420P   ? AV_PIX_FMT_YUVJ420P
           : format == AV_PIX_FMT_YUV422P ? AV_PIX_FMT_YUVJ422P
           : format == AV_PIX_FMT_YUV444P ? AV_PIX_FMT_YUVJ444P
                                          : format;
}

/* Returns a context that converts without dithering and with exact rounding; NULL: there is none. The ranges are set before it
 * begins, as it would only copy samples between equal formats otherwise. */
static struct SwsContext *open_scaler(const AVFrame *from, const AVFrame *to)
{
    const bool from_full = from->color_range == AVCOL_RANGE_JPEG;
    const bool to_full = to->color_range == AVCOL_RANGE_JPEG;
    const struct {
        const char *name;
        int value;
    } rows[] = {{"srcw", from->width},
                {"srch", from->height},
                {"src_format", from->format},
                {"src_range", from_full},
                {"dstw", to->width},
                {"dsth", to->height},
                {"dst_format", to->format},
                {"dst_range", to_full},
                {"sws_flags", SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT |
                                  SWS_FULL_CHR_H_INP | SWS_BITEXACT}};
    const int *const table = sws_getCoefficients((int)to->colorspace);
    struct SwsContext *s = sws_alloc_context();
    for (size_t i = 0; s && i < sizeof rows / sizeof *rows; i++)
        (void)av_opt_set_int(s, rows[i].name, rows[i].value, 0);
    if (s && sws_init_context(s, NULL, NULL) < 0) {
        sws_freeContext(s);
        s = NULL;
    }
    if (s)
        (void)sws_setColorspaceDetails(s, table, from_full, table, to_full, 0, 1 << 16, 1 << 16);
    return s;
}

enum AVColorSpace libav_matrix_of_rgb(const AVFrame *rgb, enum AVPixelFormat to)
{
    const satb_curve *const curve = satb_curve_of((int)rgb->color_trc);
    return libav_is_full(to)        ? AVCOL_SPC_BT470BG /* JPEG's */
           : curve && curve->is_hdr ? AVCOL_SPC_BT2020_NCL
                                    : AVCOL_SPC_BT709; /* HD's */
}

bool libav_convert(AVFrame **frame, enum AVPixelFormat format, enum AVColorRange range, problem *p)
{
    AVFrame *const from = *frame;
    const bool is_full = from->color_range == AVCOL_RANGE_JPEG;
    const bool is_same_range =
        range == AVCOL_RANGE_UNSPECIFIED || is_full == (range == AVCOL_RANGE_JPEG);
    if (from->format == format && (is_same_range || libav_is_rgb(format)))
        return true;
    AVFrame *to = av_frame_alloc();
    if (!to || av_frame_copy_props(to, from) < 0) {
        av_frame_free(&to);
        return problem_set(p, "not enough memory for a frame");
    }
    to->format = format;
    to->width = from->width;
    to->height = from->height;
    if (libav_is_rgb(from->format) && !libav_is_rgb(format)) {
        to->colorspace = libav_matrix_of_rgb(from, format);
        to->color_range = AVCOL_RANGE_MPEG;
    }
    if (range != AVCOL_RANGE_UNSPECIFIED)
        to->color_range = range;
    struct SwsContext *const scaler = open_scaler(from, to);
    bool done = scaler && av_frame_get_buffer(to, 0) >= 0 &&
                sws_scale(scaler, (const uint8_t *const *)from->data, from->linesize, 0,
                          from->height, to->data, to->linesize) == from->height;
    sws_freeContext(scaler);
    if (!done) {
        av_frame_free(&to);
        return problem_set(p, "frames of %s cannot be converted to %s",
                           av_get_pix_fmt_name(from->format), av_get_pix_fmt_name(format));
    }
    av_frame_free(frame);
    *frame = to;
    return true;
}

const uint8_t *libav_side(const AVStream *stream, enum AVPacketSideDataType type, size_t *size)
{
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    const AVCodecParameters *const c = stream->codecpar;
    const AVPacketSideData *const side =
        av_packet_side_data_get(c->coded_side_data, c->nb_coded_side_data, type);
    *size = side ? side->size : 0;
    return side ? side->data : NULL;
#else
    *size = 0;
    return av_stream_get_side_data(stream, type, size);
#endif
}

bool libav_set_side(AVStream *stream, enum AVPacketSideDataType type, const uint8_t *data,
                    size_t size)
{
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
    AVCodecParameters *const c = stream->codecpar;
    AVPacketSideData *const side =
        av_packet_side_data_new(&c->coded_side_data, &c->nb_coded_side_data, type, size, 0);
    uint8_t *const to = side ? side->data : NULL;
#else
    uint8_t *const to = av_stream_new_side_data(stream, type, size);
#endif
    if (to)
        memcpy(to, data, size);
    return to != NULL;
}

bool libav_find_stream(video_in *v, problem *p)
{
    const video_in_settings *const s = &v->settings;
    const bool is_asked = s->track || s->taken;
    int count = 0;
    for (unsigned i = 0; i < v->file->nb_streams && is_asked && !v->stream; i++) {
        AVStream *const stream = v->file->streams[i];
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO ||
            (stream->disposition & AV_DISPOSITION_ATTACHED_PIC))
            continue;
        count++;
        if (s->track ? count == s->track : count > TRACKS_MOST || !(s->taken >> count & 1))
            v->stream = stream;
    }
    const int best = av_find_best_stream(v->file, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (!is_asked && best >= 0)
        v->stream = v->file->streams[best];
    if (is_asked && !v->stream && s->track)
        return problem_set(p, "%s: has no video track %d, but %d of them; see ffprobe", v->name,
                           s->track, count);
    return v->stream || problem_set(p, "%s: has no %svideo stream", v->name,
                                    is_asked && count > 0 ? "other " : "");
}
