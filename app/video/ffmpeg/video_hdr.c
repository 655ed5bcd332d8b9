#include "video/ffmpeg/video_hdr.h"

#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>
#include <math.h>
#include <stdio.h>

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

/* --- The display ------------------------------------------------------------------------------ */

const uint8_t *video_hdr_side(const AVStream *stream, const AVFrame *first,
                              enum AVPacketSideDataType type, size_t *size)
{
    static const struct {
        enum AVPacketSideDataType type;
        enum AVFrameSideDataType in_frame;
    } rows[] = {{AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA},
                {AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL}};
    const uint8_t *const header = libav_side(stream, type, size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !header; i++) {
        const AVFrameSideData *const side =
            rows[i].type == type ? av_frame_get_side_data(first, rows[i].in_frame) : NULL;
        if (side) {
            *size = side->size;
            return side->data;
        }
    }
    return header;
}

/* Returns a number in units of 1 / scale. */
static unsigned scaled(AVRational q, unsigned scale)
{
    return q.den > 0 && q.num > 0 ? (unsigned)(fmin(av_q2d(q) * scale, INT32_MAX) + 0.5) : 0;
}

void video_hdr_of_x265(const AVStream *stream, const AVFrame *first, char *out, size_t size)
{
    enum { PLACES = 50000, NITS = 10000 };
    size_t had, has;
    const AVMasteringDisplayMetadata *const m =
        (const void *)video_hdr_side(stream, first, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &had);
    const AVContentLightMetadata *const c =
        (const void *)video_hdr_side(stream, first, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &has);
    int used = 0;
    out[0] = '\0';
    if (m && had >= sizeof *m && m->has_primaries && m->has_luminance) {
        unsigned at[3][2]; /* red, green, blue; x, y */
        for (int i = 0; i < 6; i++)
            at[i / 2][i % 2] = scaled(m->display_primaries[i / 2][i % 2], PLACES);
        used = snprintf(out, size, ":master-display=G(%u,%u)B(%u,%u)R(%u,%u)WP(%u,%u)L(%u,%u)",
                        at[1][0], at[1][1], at[2][0], at[2][1], at[0][0], at[0][1],
                        scaled(m->white_point[0], PLACES), scaled(m->white_point[1], PLACES),
                        scaled(m->max_luminance, NITS), scaled(m->min_luminance, NITS));
    }
    if (c && has >= sizeof *c && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ":max-cll=%u,%u", c->MaxCLL, c->MaxFALL);
}

/* --- The light -------------------------------------------------------------------------------- */

bool video_hdr_describe(const AVFrame *f, const satb_curve *curve, metadata *m, problem *p)
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
            return metadata_add_light(m, rows[i].xy, (float)curve->white) ||
                   problem_set(p, "not enough memory for a frame");
    return true;
}

/* --- The encoder ------------------------------------------------------------------------------ */

enum AVCodecID video_hdr_codec(const video_way *v)
{
    const enum AVCodecID usual = avcodec_descriptor_get_by_name(v->container->codec)->id;
    const bool becomes_hevc = v->from && v->from->about.hdr && usual == AV_CODEC_ID_H264 &&
                              libav_holds(v->container, AV_CODEC_ID_HEVC) &&
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
