#include "video/ffmpeg/video_hdr.h"

#include <libavutil/dovi_meta.h>

/* --- Metadata of each frame ------------------------------------------------------------------- */

static const AVDOVIDecoderConfigurationRecord *dolby_of(const AVStream *stream)
{
    size_t size;
    const uint8_t *const side = libav_side(stream, AV_PKT_DATA_DOVI_CONF, &size);
    return size >= sizeof(AVDOVIDecoderConfigurationRecord) ? (const void *)side : NULL;
}

bool video_hdr_is_dolby_alone(const AVStream *stream)
{
    const AVDOVIDecoderConfigurationRecord *const dolby = dolby_of(stream);
    return dolby && dolby->dv_profile == 5 && dolby->dv_bl_signal_compatibility_id == 0;
}

static bool has_side(const AVFrame *f, enum AVFrameSideDataType type)
{
    return av_frame_get_side_data(f, type) != NULL;
}

void video_hdr_drop(const video_in *v, AVFrame *f, bool is_first)
{
    const bool has_dolby = dolby_of(v->stream) || has_side(f, AV_FRAME_DATA_DOVI_METADATA) ||
                           has_side(f, AV_FRAME_DATA_DOVI_RPU_BUFFER);
    const bool has_plus = has_side(f, AV_FRAME_DATA_DYNAMIC_HDR_PLUS);
    if (is_first && !v->settings.is_map && (has_dolby || has_plus))
        message_note(v->settings.quiet,
                     "%s: its metadata of %s is lost, because it describes frames before the blur",
                     v->name,
                     !has_plus    ? "Dolby Vision"
                     : !has_dolby ? "HDR10+"
                                  : "Dolby Vision and HDR10+");
    av_frame_remove_side_data(f, AV_FRAME_DATA_DOVI_METADATA);
    av_frame_remove_side_data(f, AV_FRAME_DATA_DOVI_RPU_BUFFER);
    av_frame_remove_side_data(f, AV_FRAME_DATA_DYNAMIC_HDR_PLUS);
}

/* --- The light -------------------------------------------------------------------------------- */

bool video_hdr_describe(const AVFrame *f, const satb_curve *curve, picture *pic, problem *p)
{
    static const struct {
        enum AVColorPrimaries primaries;
        float xy[8];
    } rows[] = {
        {AVCOL_PRI_BT709, {0.64F, 0.33F, 0.3F, 0.6F, 0.15F, 0.06F, 0.3127F, 0.329F}},
        {AVCOL_PRI_BT2020, {0.708F, 0.292F, 0.17F, 0.797F, 0.131F, 0.046F, 0.3127F, 0.329F}},
        {AVCOL_PRI_SMPTE432, {0.68F, 0.32F, 0.265F, 0.69F, 0.15F, 0.06F, 0.3127F, 0.329F}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].primaries == f->color_primaries)
            return metadata_add_light(&pic->meta, rows[i].xy, (float)curve->white) ||
                   problem_set(p, "not enough memory for a frame");
    return true;
}

/* --- The encoder ------------------------------------------------------------------------------ */

enum AVCodecID video_hdr_codec(const video_in *from, const AVOutputFormat *format,
                               enum AVCodecID usual)
{
    const bool becomes_hevc = from && from->about.hdr && usual == AV_CODEC_ID_H264 &&
                              libav_holds(format, AV_CODEC_ID_HEVC) &&
                              avcodec_find_encoder_by_name("libx265");
    return becomes_hevc ? AV_CODEC_ID_HEVC : usual;
}

static int depth_of(int format)
{
    return av_pix_fmt_desc_get((enum AVPixelFormat)format)->comp[0].depth;
}

bool video_hdr_accept(const video_in *from, const AVCodecContext *encoder, const AVFrame *f,
                      bool is_named, problem *p)
{
    enum { LEAST = 10 };
    const satb_curve *const hdr = from ? from->about.hdr : NULL;
    const int bits = depth_of(encoder->pix_fmt);
    return !hdr || bits >= LEAST || bits >= depth_of(f->format) ||
           problem_set(
               p, "high dynamic range (%s) needs %d bits, and %s of the encoder %s has %d; %s",
               hdr->name, LEAST, av_get_pix_fmt_name(encoder->pix_fmt), encoder->codec->name, bits,
               is_named ? "leave out --pixel-format"
                        : "write a .mp4, .mov or .mkv, with --video-codec hevc");
}
