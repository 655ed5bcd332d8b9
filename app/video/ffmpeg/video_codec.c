#include "video/ffmpeg/video_codec.h"

#include "video/ffmpeg/video_hdr.h"
#include "video/video_out.h"

static const char *name_of(enum AVCodecID id)
{
    const video_codec *const row = libav_codec(id);
    return row && row->name ? row->name : avcodec_get_name(id);
}

/* Returns the best encoder that this build of FFmpeg has; NULL: none. */
static const AVCodec *encoder_of(const video_codec *row)
{
    const AVCodec *found = NULL;
    for (int i = 0; i < VIDEO_ENCODERS && row->encoders[i].name && !found; i++)
        found = avcodec_find_encoder_by_name(row->encoders[i].name);
    return found;
}

void video_codec_list(FILE *to)
{
    fputs("\nEncoders of this build, for --video-codec:\n", to);
    for (int i = 0; i < video_codec_count; i++) {
        const AVCodec *const encoder = encoder_of(&video_codecs[i]);
        if (video_codecs[i].word)
            fprintf(to, "  %-12s%s\n", video_codecs[i].word, encoder ? encoder->name : "none");
    }
}

static const AVCodec *find_named(const video_way *v, problem *p)
{
    const char *const name = v->settings->codec;
    const video_codec *const row = video_codec_by_word(name);
    const AVCodec *const named = row ? encoder_of(row) : avcodec_find_encoder_by_name(name);
    if (!named || named->type != AVMEDIA_TYPE_VIDEO)
        problem_set(p,
                    "--video-codec %s: FFmpeg has no encoder of this name; choose one that "
                    "'satblur --help=all' or 'ffmpeg -encoders' lists",
                    name);
    else if (!libav_holds(v->container, named->id))
        problem_set(
            p,
            "--video-codec %s: %s takes no %s, so %s cannot be written; name another ending, "
            "or leave out --video-codec",
            name, v->mux->oformat->long_name, avcodec_get_name(named->id), v->name);
    else
        return named;
    return NULL;
}

/* Notes that the clip becomes another codec, and how it would keep its own. Of those that do not stay, the ones are noted that
 * the container takes. */
static void tell_change(const video_way *v, const video_codec *from, const AVCodec *encoder)
{
    const char *const name = v->from->name, *const to = name_of(encoder->id);
    const bool quiet = v->settings->quiet;
    const enum AVCodecID id = v->from->stream->codecpar->codec_id;
    const bool stays = from->flags & CODEC_STAYS, is_held = libav_holds(v->container, id);
    if (id == AV_CODEC_ID_H264 || libav_has(encoder->id, CODEC_LOSSLESS) ||
        (!stays && !(is_held && encoder_of(from))))
        return;
    if (!encoder_of(from))
        message_note(quiet,
                     "%s: was %s, but %s is written, because FFmpeg here has no encoder of %s",
                     name, from->name, to, from->name);
    else if (!is_held)
        message_note(quiet, "%s: was %s, but %s is written, because %s takes no %s; a .%s keeps it",
                     name, from->name, to, v->mux->oformat->long_name, from->name, from->ending);
    else
        message_note(quiet, "%s: was %s, but %s is written; --video-codec %s keeps it", name,
                     from->name, to, from->word);
}

/* Returns whether the clip stays what it is. Lossless outputs are for other programs. */
static bool keeps(const video_way *v, const video_codec *from, enum AVCodecID id,
                  enum AVCodecID usual)
{
    return from->flags & CODEC_STAYS && !libav_has(usual, CODEC_LOSSLESS) &&
           libav_holds(v->container, id) && encoder_of(from);
}

const AVCodec *video_codec_find(const video_way *v, problem *p)
{
    if (v->settings->codec)
        return find_named(v, p);
    const enum AVCodecID own = v->from ? v->from->stream->codecpar->codec_id : AV_CODEC_ID_NONE;
    const video_codec *from = libav_codec(own), *row;
    enum AVCodecID id = video_hdr_codec(v);
    if (from && keeps(v, from, own, id))
        id = own;
    row = libav_codec(id);
    const AVCodec *found = row ? encoder_of(row) : NULL;
    found = found ? found : avcodec_find_encoder(id);
    found = found ? found : avcodec_find_encoder(AV_CODEC_ID_MPEG4);
    if (!found)
        problem_set(
            p, "%s: FFmpeg has no encoder for this ending; name another ending, or --video-codec",
            v->name);
    else if (from && from->word && own != found->id)
        tell_change(v, from, found);
    return found;
}
