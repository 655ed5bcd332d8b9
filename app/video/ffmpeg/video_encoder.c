#include "video/ffmpeg/video_encoder.h"

#include "image/orientation.h"
#include "video/ffmpeg/encoder_options.h"
#include "video/ffmpeg/upright.h"
#include "video/ffmpeg/video_hdr.h"

#include <libavutil/opt.h>
#include <string.h>

/* Sets the profile: ProRes and DNxHR stay as they were; DNxHD, whose sizes and rates are few, becomes DNxHR. */
static void set_profile(const video_way *v, AVCodecContext *c)
{
    const AVCodecParameters *const from = v->from ? v->from->stream->codecpar : NULL;
    const int profile = from && from->codec_id == c->codec_id ? from->profile : -1;
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(c->pix_fmt);
    const char *const wide = d->log2_chroma_w == 0  ? "dnxhr_444"
                             : d->comp[0].depth > 8 ? "dnxhr_hqx"
                                                    : "dnxhr_hq";
    if (c->codec_id == AV_CODEC_ID_DNXHD && profile <= 0)
        (void)av_opt_set(c->priv_data, "profile", wide, 0);
    else if (profile >= 0 &&
             (c->codec_id == AV_CODEC_ID_DNXHD || c->codec_id == AV_CODEC_ID_PRORES))
        (void)av_opt_set_int(c->priv_data, "profile", profile, 0);
}

/* Notes H.264 that only programs on desktops decode. Frames of odd sides have no other format. */
static void tell_playable(const video_way *v, const AVCodecContext *c)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(c->pix_fmt);
    const bool is_even = c->width % 2 == 0 && c->height % 2 == 0;
    const bool is_hdr = v->from && v->from->about.hdr; /* which 8 bits do not hold */
    const bool is_usual = d->log2_chroma_w == 1 && d->log2_chroma_h == 1 && d->comp[0].depth == 8;
    const char *const blocks = libav_is_rgb(c->pix_fmt) ? "RGB"
                               : d->log2_chroma_w == 0  ? "4:4:4"
                               : d->log2_chroma_h == 0  ? "4:2:2"
                                                        : "4:2:0";
    if (c->codec_id == AV_CODEC_ID_H264 && !is_usual && d->nb_components > 1 &&
        !v->settings->pixel_format)
        message_note(v->settings->quiet,
                     "%s: is H.264 of %s with %d bits, which phones, televisions and browsers do "
                     "not play%s",
                     v->name, blocks, d->comp[0].depth,
                     is_hdr    ? ""
                     : is_even ? "; --pixel-format yuv420p plays everywhere"
                               : "; crop INPUT to even sides");
}

/* Notes that neither the container nor the stream says the curve of high dynamic range. */
static void tell_curve(const video_way *v, const AVCodecContext *c)
{
    const satb_curve *const curve = satb_curve_of((int)c->color_trc);
    const bool has_tags = !v->container->lacks_hdr || libav_has(c->codec_id, CODEC_HAS_HDR);
    if (!has_tags && curve && curve->is_hdr)
        message_note(v->settings->quiet,
                     "%s: has no place for the curve (%s); name it to what reads the video, like "
                     "ffmpeg -color_trc %s -i",
                     v->name, curve->name, av_color_transfer_name(c->color_trc));
}

static const AVRational *rates_of(const AVCodec *encoder)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *rates = NULL;
    (void)avcodec_get_supported_config(NULL, encoder, AV_CODEC_CONFIG_FRAME_RATE, 0, &rates, NULL);
    return rates;
#else
    return encoder->supported_framerates;
#endif
}

static const enum AVPixelFormat *formats_of(const AVCodec *encoder)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *formats = NULL;
    (void)avcodec_get_supported_config(NULL, encoder, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats,
                                       NULL);
    return formats;
#else
    return encoder->pix_fmts;
#endif
}

/* Returns the format with a chroma sample for each pixel if the sides are odd, which libx264 and libx265 take in no
 * other one. */
static enum AVPixelFormat format_of_sides(enum AVPixelFormat format, const AVCodec *encoder,
                                          const AVFrame *f)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(format);
    const bool is_odd = (d->log2_chroma_w && f->width % 2) || (d->log2_chroma_h && f->height % 2);
    const bool is_picky =
        strcmp(encoder->name, "libx264") == 0 || strcmp(encoder->name, "libx265") == 0;
    if (!is_odd || !is_picky)
        return format;
    return d->comp[0].depth > 8 ? AV_PIX_FMT_YUV444P10 : AV_PIX_FMT_YUV444P;
}

/* Returns the format of the encoded frames. */
static enum AVPixelFormat choose_format(const video_way *v, const AVCodec *encoder,
                                        enum AVPixelFormat from, problem *p)
{
    const enum AVPixelFormat *const known = formats_of(encoder);
    const char *const name = v->settings->pixel_format;
    const bool is_mjpeg = encoder->id == AV_CODEC_ID_MJPEG;
    enum AVPixelFormat wanted = name ? av_get_pix_fmt(name) : from;
    if (wanted == AV_PIX_FMT_NONE) {
        problem_set(p,
                    "--pixel-format %s: FFmpeg does not know the format; choose one that 'ffmpeg "
                    "-pix_fmts' lists",
                    name);
        return AV_PIX_FMT_NONE;
    }
    if (is_mjpeg)
        wanted = libav_full_format(wanted);
    for (int i = 0; known && known[i] != AV_PIX_FMT_NONE; i++)
        if (known[i] == wanted)
            return wanted;
    if (!known || encoder->id == AV_CODEC_ID_WRAPPED_AVFRAME) /* Y4M has no RGB */
        return libav_is_rgb(wanted) && encoder->id == AV_CODEC_ID_WRAPPED_AVFRAME
                   ? AV_PIX_FMT_YUV444P
                   : wanted;
    if (!name) {
        const enum AVPixelFormat best = avcodec_find_best_pix_fmt_of_list(known, wanted, 0, NULL);
        return is_mjpeg ? libav_full_format(best) : best;
    }
    problem_set(p, "--pixel-format %s: the encoder %s does not take the format", name,
                encoder->name);
    return AV_PIX_FMT_NONE;
}

/* Returns the format that every player shows, for pictures that are encoded by one of the usual codecs. */
static enum AVPixelFormat playable_format(const AVCodec *encoder, const AVFrame *f)
{
    const bool deep = av_pix_fmt_desc_get(f->format)->comp[0].depth > 8;
    const enum AVPixelFormat wanted = deep ? AV_PIX_FMT_YUV420P10 : AV_PIX_FMT_YUV420P;
    const enum AVPixelFormat *const known = formats_of(encoder);
    bool is_known = false;
    for (int i = 0; known && known[i] != AV_PIX_FMT_NONE; i++)
        is_known |= known[i] == wanted;
    const bool is_even = f->width % 2 == 0 && f->height % 2 == 0;
    return libav_is_rgb(f->format) && libav_has(encoder->id, CODEC_USUAL) && is_known && is_even
               ? wanted
               : (enum AVPixelFormat)f->format;
}

AVRational video_encoder_rate(const video_way *v)
{
    const AVRational rate = v->from ? libav_rate(v->from) : (AVRational){0, 1};
    return rate.num > 0 ? rate : av_d2q(v->settings->rate, 1000000); /* as --fps N/D */
}

/* Returns frames a second that the encoder takes: MPEG-2 has few rates, and MPEG-4 no fine ones. Players go by the container's
 * times. */
static AVRational rate_of(const video_way *v, const AVCodec *encoder)
{
    const AVRational *const known = rates_of(encoder);
    AVRational rate = video_encoder_rate(v);
    if (encoder->id == AV_CODEC_ID_MPEG4)
        av_reduce(&rate.num, &rate.den, rate.num, rate.den, UINT16_MAX);
    return known ? known[av_find_nearest_q_idx(rate, known)] : rate;
}

/* Returns the shape of a pixel as players show it. Some codecs cannot say it, and the container's word is the first. f may have
 * been turned, with its pixels. */
static AVRational aspect_of(const video_way *v, const AVFrame *f)
{
    if (!v->from)
        return f->sample_aspect_ratio;
    const bool swaps = orientation_swaps(upright_turn(v->from, v->container));
    AVFrame stored = {.sample_aspect_ratio = f->sample_aspect_ratio};
    if (swaps && f->sample_aspect_ratio.num > 0)
        stored.sample_aspect_ratio = av_inv_q(f->sample_aspect_ratio);
    const AVRational r = av_guess_sample_aspect_ratio(v->from->file, v->from->stream, &stored);
    return swaps && r.num > 0 ? av_inv_q(r) : r;
}

static void describe_frames(const video_way *v, AVCodecContext *c, const AVFrame *f)
{
    c->width = f->width;
    c->height = f->height;
    c->sample_aspect_ratio = aspect_of(v, f);
    c->color_range = f->color_range;
    c->colorspace = f->colorspace;
    c->color_trc = f->color_trc;
    c->color_primaries = f->color_primaries;
    c->chroma_sample_location = f->chroma_location;
    c->framerate = rate_of(v, c->codec);
    c->time_base = av_inv_q(c->framerate); /* see stamps.h */
    if (libav_listed(c->codec_id, v->container->in_order)) {
        c->max_b_frames = 0;
        c->flags |= c->codec_id == AV_CODEC_ID_MPEG2VIDEO ? AV_CODEC_FLAG_LOW_DELAY : 0;
    }
    if (v->mux->oformat->flags & AVFMT_GLOBALHEADER)
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
}

/* Sets the container's name of the codec. */
static void set_tag(const video_way *v, AVCodecContext *c)
{
    if (v->container->is_mov && c->codec_id == AV_CODEC_ID_HEVC)
        c->codec_tag = MKTAG('h', 'v', 'c', '1'); /* the only one that some players know */
    if (v->container->is_mov && c->codec_id == AV_CODEC_ID_H264)
        c->codec_tag = MKTAG('a', 'v', 'c', '1'); /* otherwise AVC-Intra for some of 10 bits */
}

/* Refuses raw frames that FFmpeg writes into the container and does not read again. */
static bool check_raw(const video_way *v, const AVCodecContext *c, problem *p)
{
    return c->codec_id != AV_CODEC_ID_RAWVIDEO || !v->container->has_one_raw ||
           c->pix_fmt == AV_PIX_FMT_YUV420P ||
           problem_set(
               p,
               "%s: its container takes no raw frames of %s; give --pixel-format yuv420p, or "
               "name a .mkv or .nut",
               v->name, av_get_pix_fmt_name(c->pix_fmt));
}

/* Refuses Theora that FFmpeg writes and does not read again. */
static bool check_theora(const video_way *v, const AVCodecContext *c, problem *p)
{
    enum { NARROWEST = 18 };
    return c->codec_id != AV_CODEC_ID_THEORA || c->width >= NARROWEST ||
           problem_set(p, "%s: Theora takes no frames narrower than %d pixels; name a .mkv or .mp4",
                       v->name, NARROWEST);
}

/* Sets matrix and range of luma and chroma: what RGB becomes, and the limited range for codecs that cannot say another. */
static void set_colours(AVCodecContext *c, const AVFrame *f)
{
    if (libav_is_rgb(c->pix_fmt))
        return;
    if (libav_is_rgb(f->format)) {
        c->colorspace = libav_matrix_of_rgb(f, c->pix_fmt);
        c->color_range = AVCOL_RANGE_MPEG;
    }
    if (libav_is_full(c->pix_fmt))
        c->color_range = AVCOL_RANGE_JPEG;
    if (libav_has(c->codec_id, CODEC_LIMITED))
        c->color_range = AVCOL_RANGE_MPEG;
}

bool video_encoder_open(AVCodecContext **out, const AVCodec *found, const video_way *v,
                        const AVFrame *f, problem *p)
{
    AVCodecContext *const c = *out = avcodec_alloc_context3(found);
    problem inner;
    if (!c)
        return problem_set(p, "%s: not enough memory", v->name);
    describe_frames(v, c, f);
    c->pix_fmt = choose_format(v, found, format_of_sides(playable_format(found, f), found, f), p);
    set_tag(v, c);
    if (c->pix_fmt == AV_PIX_FMT_NONE || !check_raw(v, c, p) || !check_theora(v, c, p))
        return false;
    if (!video_hdr_accept(v->from, c, f, v->settings->pixel_format, &inner))
        return problem_at(p, v->name, &inner);
    set_colours(c, f);
    set_profile(v, c);
    tell_playable(v, c);
    tell_curve(v, c);
    return encoder_options_open(v, c, f, p);
}

static void send_empty_frame(AVCodecContext *c)
{
    AVFrame *f = av_frame_alloc();
    if (f) {
        f->width = c->width;
        f->height = c->height;
        f->format = c->pix_fmt;
        f->pts = 0;
        if (av_frame_get_buffer(f, 0) >= 0)
            (void)avcodec_send_frame(c, f);
    }
    av_frame_free(&f);
}

static void drain(AVCodecContext *c)
{
    AVPacket *packet = av_packet_alloc();
    (void)avcodec_send_frame(c, NULL);
    while (packet && avcodec_receive_packet(c, packet) >= 0)
        av_packet_unref(packet);
    av_packet_free(&packet);
}

void video_encoder_close(AVCodecContext **c, bool has_frames)
{
    /* libsvtav1 waits for ever for its threads unless it has had a frame and the end, and has given its packets. */
    if (*c && avcodec_is_open(*c) && strcmp((*c)->codec->name, "libsvtav1") == 0) {
        if (!has_frames)
            send_empty_frame(*c);
        drain(*c);
    }
    avcodec_free_context(c);
}
