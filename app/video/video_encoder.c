#include "video/video_encoder.h"

#include <libavutil/opt.h>
#include <string.h>

/* Encoders that are preferred to FFmpeg's own choice, and how good a picture is where --crf is not given. */
typedef struct encoder_row {
    const char *name, *option, *value;
} encoder_row;

static const encoder_row encoders[] = {
    {"libx264", "crf", "18"},   {"libx265", "crf", "20"},    {"libvpx-vp9", "crf", "24"},
    {"libvpx", "crf", "8"},     {"libaom-av1", "crf", "24"}, {"libsvtav1", "crf", "26"},
    {"h264_nvenc", "cq", "19"}, {"hevc_nvenc", "cq", "21"},
};

static const AVCodec *find_encoder(const encoder_request *v, problem *p)
{
    const AVOutputFormat *const format = v->format;
    enum AVCodecID id = format->video_codec;
    if (v->settings->codec) {
        const AVCodec *const named = avcodec_find_encoder_by_name(v->settings->codec);
        if (named && named->type == AVMEDIA_TYPE_VIDEO)
            return named;
        problem_set(p,
                    "--video-codec %s: FFmpeg has no encoder of this name here; 'ffmpeg -encoders' "
                    "lists them",
                    v->settings->codec);
        return NULL;
    }
    /* FFmpeg's choice for AVI and Matroska depends on how it was built, and for MPEG-TS it is MPEG-2. */
    if (format->video_codec == AV_CODEC_ID_MPEG4 || strcmp(format->name, "matroska") == 0 ||
        strcmp(format->name, "mpegts") == 0)
        id = AV_CODEC_ID_H264;
    if (strcmp(format->name, "nut") == 0)
        id = AV_CODEC_ID_FFV1;
    const AVCodec *found = id == AV_CODEC_ID_H264 ? avcodec_find_encoder_by_name("libx264") : NULL;
    found = found ? found : avcodec_find_encoder(id);
    found = found ? found : avcodec_find_encoder(AV_CODEC_ID_MPEG4);
    if (!found)
        problem_set(p,
                    "%s: FFmpeg has no encoder for it here; name another ending, or --video-codec",
                    v->name);
    return found;
}

/* Notes that the clip becomes another codec, where one is known that keeps it in this container. */
static void tell_codec(const encoder_request *v, const AVCodec *encoder)
{
    static const struct {
        enum AVCodecID id;
        const char *word, *encoder;
    } kept[] = {
        {AV_CODEC_ID_PRORES, "ProRes", "prores_ks"}, {AV_CODEC_ID_DNXHD, "DNxHD/HR", "dnxhd"},
        {AV_CODEC_ID_HEVC, "HEVC", "libx265"},       {AV_CODEC_ID_VP9, "VP9", "libvpx-vp9"},
        {AV_CODEC_ID_AV1, "AV1", "libsvtav1"},       {AV_CODEC_ID_AV1, "AV1", "libaom-av1"},
        {AV_CODEC_ID_FFV1, "FFV1", "ffv1"}};
    const enum AVCodecID from = v->from ? v->from->stream->codecpar->codec_id : encoder->id;
    const bool is_lossless = encoder->id == AV_CODEC_ID_FFV1;
    if (v->settings->codec || from == encoder->id || is_lossless)
        return;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (kept[i].id == from && avcodec_find_encoder_by_name(kept[i].encoder) &&
            avformat_query_codec(v->format, from, FF_COMPLIANCE_NORMAL) == 1) {
            message_note(v->settings->quiet, "%s: was %s; %s is written; --video-codec %s keeps it",
                         v->from->name, kept[i].word,
                         encoder->id == AV_CODEC_ID_H264 ? "H.264" : avcodec_get_name(encoder->id),
                         kept[i].encoder);
            return;
        }
}

/* Sets the profile: ProRes and DNxHR stay as they were; DNxHD, whose sizes and rates are few, becomes DNxHR. */
static void set_profile(const encoder_request *v, AVCodecContext *c)
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

/* Sets the quality. */
static bool set_quality(const encoder_request *v, AVCodecContext *c, problem *p)
{
    char given[32];
    for (size_t i = 0; i < sizeof encoders / sizeof *encoders; i++) {
        const encoder_row *const e = &encoders[i];
        if (strcmp(c->codec->name, e->name) != 0)
            continue;
        snprintf(given, sizeof given, "%g", v->settings->crf);
        (void)av_opt_set(c->priv_data, e->option, v->settings->crf >= 0 ? given : e->value, 0);
        if (strcmp(e->name, "libx265") == 0)
            (void)av_opt_set(c->priv_data, "x265-params", "log-level=none", 0);
        return true;
    }
    if (v->settings->crf >= 0 && c->priv_data && av_opt_find(c->priv_data, "crf", NULL, 0, 0))
        return av_opt_set_double(c->priv_data, "crf", v->settings->crf, 0) >= 0;
    if (v->settings->crf >= 0)
        return problem_set(p, "--crf %g: the encoder %s has no such setting; leave out --crf",
                           v->settings->crf, c->codec->name);
    c->flags |= AV_CODEC_FLAG_QSCALE; /* of MPEG-2, MPEG-4 and MJPEG; others ignore it */
    c->global_quality = 3 * FF_QP2LAMBDA;
    return true;
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

/* Returns the format with a chroma sample for each pixel if the sides are odd, which libx264 takes in no other one. */
static enum AVPixelFormat format_of_sides(enum AVPixelFormat format, const AVCodec *encoder,
                                          const AVFrame *f)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(format);
    const bool is_odd = (d->log2_chroma_w && f->width % 2) || (d->log2_chroma_h && f->height % 2);
    if (!is_odd || strcmp(encoder->name, "libx264") != 0)
        return format;
    return d->comp[0].depth > 8 ? AV_PIX_FMT_YUV444P10 : AV_PIX_FMT_YUV444P;
}

/* Returns the format of the encoded frames. */
static enum AVPixelFormat choose_format(const encoder_request *v, const AVCodec *encoder,
                                        enum AVPixelFormat from, problem *p)
{
    const enum AVPixelFormat *const known = formats_of(encoder);
    const char *const name = v->settings->pixel_format;
    enum AVPixelFormat wanted = name ? av_get_pix_fmt(name) : from;
    if (wanted == AV_PIX_FMT_NONE) {
        problem_set(p,
                    "--pixel-format %s: FFmpeg knows no such format; 'ffmpeg -pix_fmts' lists them",
                    name);
        return AV_PIX_FMT_NONE;
    }
    for (int i = 0; known && known[i] != AV_PIX_FMT_NONE; i++)
        if (known[i] == wanted)
            return wanted;
    if (!known || encoder->id == AV_CODEC_ID_WRAPPED_AVFRAME) /* Y4M has no RGB */
        return libav_is_rgb(wanted) && !known ? AV_PIX_FMT_YUV444P : wanted;
    if (!name)
        return avcodec_find_best_pix_fmt_of_list(known, from, 0, NULL);
    problem_set(p, "--pixel-format %s: the encoder %s does not take it", name, encoder->name);
    return AV_PIX_FMT_NONE;
}

/* Returns the format that every player shows, for pictures that are encoded by one of the usual codecs. */
static enum AVPixelFormat playable_format(const AVCodec *encoder, const AVFrame *f)
{
    static const enum AVCodecID usual[] = {AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8,
                                           AV_CODEC_ID_VP9,  AV_CODEC_ID_AV1,  AV_CODEC_ID_MPEG4};
    const bool deep = av_pix_fmt_desc_get(f->format)->comp[0].depth > 8;
    const enum AVPixelFormat wanted = deep ? AV_PIX_FMT_YUV420P10 : AV_PIX_FMT_YUV420P;
    const enum AVPixelFormat *const known = formats_of(encoder);
    bool is_usual = false, is_known = false;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        is_usual |= encoder->id == usual[i];
    for (int i = 0; known && known[i] != AV_PIX_FMT_NONE; i++)
        is_known |= known[i] == wanted;
    const bool is_even = f->width % 2 == 0 && f->height % 2 == 0;
    return libav_is_rgb(f->format) && is_usual && is_known && is_even
               ? wanted
               : (enum AVPixelFormat)f->format;
}

/* Returns whether a frame's time is its number: Y4M says a rate alone, as which FFmpeg writes the time base; MPEG-4 and MPEG-2
 * cannot say every time. */
static bool has_fixed_rate(const encoder_request *v, const AVCodecContext *c)
{
    return strcmp(v->format->name, "yuv4mpegpipe") == 0 || c->time_base.den > 65535 ||
           c->codec_id == AV_CODEC_ID_MPEG2VIDEO;
}

static void describe_frames(const encoder_request *v, AVCodecContext *c, const AVFrame *f)
{
    const AVRational rate = av_d2q(v->settings->rate, 1000000); /* as --fps N/D */
    c->width = f->width;
    c->height = f->height;
    c->sample_aspect_ratio = f->sample_aspect_ratio;
    c->color_range = f->color_range;
    c->colorspace = f->colorspace;
    c->color_trc = f->color_trc;
    c->color_primaries = f->color_primaries;
    c->chroma_sample_location = f->chroma_location;
    c->time_base = v->from ? v->from->stream->time_base : av_inv_q(rate);
    c->framerate = rate;
    if (v->from && v->from->about.rate > 0)
        c->framerate = av_guess_frame_rate(v->from->file, v->from->stream, NULL);
    if (has_fixed_rate(v, c))
        c->time_base = av_inv_q(c->framerate);
    if (v->format->flags & AVFMT_GLOBALHEADER)
        c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
}

bool video_encoder_open(AVCodecContext **out, const encoder_request *v, const AVFrame *f,
                        problem *p)
{
    const AVCodec *const found = find_encoder(v, p);
    AVCodecContext *const c = found ? *out = avcodec_alloc_context3(found) : NULL;
    if (!found)
        return false;
    if (!c)
        return problem_set(p, "%s: not enough memory", v->name);
    describe_frames(v, c, f);
    c->pix_fmt = choose_format(v, found, format_of_sides(playable_format(found, f), found, f), p);
    const bool is_mp4 = strcmp(v->format->name, "mp4") == 0 || strcmp(v->format->name, "mov") == 0;
    if (c->codec_id == AV_CODEC_ID_HEVC && is_mp4)
        c->codec_tag = MKTAG('h', 'v', 'c', '1'); /* the only one that some players know */
    if (libav_is_rgb(f->format) && c->pix_fmt != AV_PIX_FMT_NONE && !libav_is_rgb(c->pix_fmt)) {
        c->colorspace = AVCOL_SPC_BT709; /* as libav_convert() makes them */
        c->color_range = AVCOL_RANGE_MPEG;
    }
    if (c->pix_fmt == AV_PIX_FMT_NONE || !set_quality(v, c, p))
        return false;
    set_profile(v, c);
    tell_codec(v, found);
    const int error = avcodec_open2(c, found, NULL);
    return error >= 0 || problem_set(p, "%s: the encoder %s does not take %d x %d frames of %s: %s",
                                     v->name, found->name, f->width, f->height,
                                     av_get_pix_fmt_name(c->pix_fmt), libav_error(error).text);
}
