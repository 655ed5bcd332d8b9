#include "video/ffmpeg/video_codec.h"

#include "video/ffmpeg/video_hdr.h"
#include "video/video_out.h"

#include <string.h>

enum { ENCODERS = 3 };

typedef struct codec_row {
    const char *word; /* of --video-codec */
    const char *name; /* for messages */
    enum AVCodecID id;
    bool stays;         /* a clip of this codec stays one where the container takes it */
    const char *ending; /* of a container that takes it */
    const char *encoders[ENCODERS]; /* the best first */
} codec_row;

static const codec_row rows[] = {
    {"h264", "H.264", AV_CODEC_ID_H264, false, "mp4", {"libx264", "libopenh264", "h264_nvenc"}},
    {"hevc", "HEVC", AV_CODEC_ID_HEVC, true, "mp4", {"libx265", "hevc_nvenc"}},
    {"prores", "ProRes", AV_CODEC_ID_PRORES, true, "mov", {"prores_ks", "prores_aw"}},
    {"dnxhr", "DNxHD/HR", AV_CODEC_ID_DNXHD, true, "mov", {"dnxhd"}},
    {"av1", "AV1", AV_CODEC_ID_AV1, false, "mp4", {"libsvtav1", "libaom-av1", "librav1e"}},
    {"vp9", "VP9", AV_CODEC_ID_VP9, false, "webm", {"libvpx-vp9"}},
    {"ffv1", "FFV1", AV_CODEC_ID_FFV1, false, "mkv", {"ffv1"}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static const codec_row *row_of(enum AVCodecID id)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].id == id)
            return &rows[i];
    return NULL;
}

static const char *name_of(enum AVCodecID id)
{
    const codec_row *const row = row_of(id);
    return row ? row->name : avcodec_get_name(id);
}

/* Returns the best encoder that this build of FFmpeg has; NULL: none. */
static const AVCodec *encoder_of(const codec_row *row)
{
    const AVCodec *found = NULL;
    for (int i = 0; i < ENCODERS && row->encoders[i] && !found; i++)
        found = avcodec_find_encoder_by_name(row->encoders[i]);
    return found;
}

void video_codec_list(FILE *to)
{
    fputs("\nEncoders of this build, for --video-codec:\n", to);
    for (int i = 0; i < ROWS; i++) {
        const AVCodec *const encoder = encoder_of(&rows[i]);
        fprintf(to, "  %-12s%s\n", rows[i].word, encoder ? encoder->name : "none");
    }
}

static const AVCodec *find_word(const char *word)
{
    for (int i = 0; i < ROWS; i++)
        if (strcmp(rows[i].word, word) == 0)
            return encoder_of(&rows[i]);
    return avcodec_find_encoder_by_name(word);
}

static const AVCodec *find_named(const encoder_request *v, problem *p)
{
    const char *const name = v->settings->codec;
    const AVCodec *const named = find_word(name);
    if (!named || named->type != AVMEDIA_TYPE_VIDEO)
        problem_set(p,
                    "--video-codec %s: FFmpeg has no encoder of this name; choose one that "
                    "'satblur --help=all' or 'ffmpeg -encoders' lists",
                    name);
    else if (!libav_holds(v->format, named->id))
        problem_set(
            p,
            "--video-codec %s: %s takes no %s, so %s cannot be written; name another ending, "
            "or leave out --video-codec",
            name, v->format->long_name, avcodec_get_name(named->id), v->name);
    else
        return named;
    return NULL;
}

/* Returns the codec that is written into a container, unless --video-codec names another. FFmpeg's choice for AVI and Matroska
 * depends on how it was built. It is MPEG-2 for MPEG-TS, MPEG-1 for MPEG-PS and H.263, which has few sizes, for 3GP. */
static enum AVCodecID usual_codec(const AVOutputFormat *format)
{
    static const struct {
        const char *format;
        enum AVCodecID id;
    } usual[] = {{"matroska", AV_CODEC_ID_H264},
                 {"mpegts", AV_CODEC_ID_H264},
                 {"3gp", AV_CODEC_ID_H264},
                 {"mpeg", AV_CODEC_ID_MPEG2VIDEO},
                 {"nut", AV_CODEC_ID_FFV1}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(format->name, usual[i].format) == 0)
            return usual[i].id;
    return format->video_codec == AV_CODEC_ID_MPEG4 ? AV_CODEC_ID_H264 : format->video_codec;
}

/* Notes that the clip becomes another codec, and how it would keep its own. Of those that do not stay, the ones are noted that
 * the container takes. */
static void tell_change(const encoder_request *v, const codec_row *from, const AVCodec *encoder)
{
    const char *const name = v->from->name, *const to = name_of(encoder->id);
    const bool quiet = v->settings->quiet;
    const bool is_lossless =
        encoder->id == AV_CODEC_ID_FFV1 || encoder->id == AV_CODEC_ID_WRAPPED_AVFRAME;
    const bool could_stay = libav_holds(v->format, from->id) && encoder_of(from);
    if (from->id == AV_CODEC_ID_H264 || is_lossless || (!from->stays && !could_stay))
        return;
    if (!encoder_of(from))
        message_note(quiet,
                     "%s: was %s, but %s is written, because FFmpeg here has no encoder of %s",
                     name, from->name, to, from->name);
    else if (!libav_holds(v->format, from->id))
        message_note(quiet, "%s: was %s, but %s is written, because %s takes no %s; a .%s keeps it",
                     name, from->name, to, v->format->long_name, from->name, from->ending);
    else
        message_note(quiet, "%s: was %s, but %s is written; --video-codec %s keeps it", name,
                     from->name, to, from->word);
}

/* Returns whether the clip stays what it is. Lossless outputs are for other programs. */
static bool keeps(const encoder_request *v, const codec_row *from, enum AVCodecID usual)
{
    return from && from->stays && usual != AV_CODEC_ID_FFV1 && libav_holds(v->format, from->id) &&
           encoder_of(from);
}

const AVCodec *video_codec_find(const encoder_request *v, problem *p)
{
    if (v->settings->codec)
        return find_named(v, p);
    enum AVCodecID id = video_hdr_codec(v->from, v->format, usual_codec(v->format));
    const codec_row *const from = v->from ? row_of(v->from->stream->codecpar->codec_id) : NULL;
    if (keeps(v, from, id))
        id = from->id;
    const codec_row *const row = row_of(id);
    const AVCodec *found = row ? encoder_of(row) : NULL;
    found = found ? found : avcodec_find_encoder(id);
    found = found ? found : avcodec_find_encoder(AV_CODEC_ID_MPEG4);
    if (!found)
        problem_set(
            p, "%s: FFmpeg has no encoder for this ending; name another ending, or --video-codec",
            v->name);
    else if (from && from->id != found->id)
        tell_change(v, from, found);
    return found;
}
