#include "video/ffmpeg/video_copies.h"

#include "format/hidden.h"
#include "video/ffmpeg/video_tags.h"

#include <stdlib.h>
#include <string.h>

/* --- Streams ---------------------------------------------------------------------------------- */

static bool describe_copy(AVStream *to, const AVStream *from)
{
    if (!to || avcodec_parameters_copy(to->codecpar, from->codecpar) < 0)
        return false;
    to->codecpar->codec_tag = 0;
    to->time_base = from->time_base;
    to->disposition = from->disposition;
    return video_tags_copy(&to->metadata, from->metadata);
}

/* Returns whether the container takes the stream beside the picture: a header is written into memory. */
static bool is_taken(const AVFormatContext *mux, const AVStream *picture, const AVStream *from)
{
    AVFormatContext *trial = NULL;
    uint8_t *header = NULL;
    bool taken = false;
    if (avformat_alloc_output_context2(&trial, mux->oformat, NULL, NULL) >= 0 &&
        avio_open_dyn_buf(&trial->pb) >= 0) {
        AVStream *const s = avformat_new_stream(trial, NULL);
        trial->strict_std_compliance = mux->strict_std_compliance;
        taken = describe_copy(s, picture) && describe_copy(avformat_new_stream(trial, NULL), from);
        if (taken) {
            s->codecpar->codec_tag = picture->codecpar->codec_tag;
            s->avg_frame_rate = picture->avg_frame_rate;
            taken = avformat_write_header(trial, NULL) >= 0;
        }
        avio_close_dyn_buf(trial->pb, &header);
        av_free(header);
        trial->pb = NULL;
    }
    avformat_free_context(trial);
    return taken;
}

/* Returns whether it is an attachment that may be a picture, as covers are. */
static bool is_cover(const AVCodecParameters *c)
{
    return c->codec_type == AVMEDIA_TYPE_ATTACHMENT && c->extradata_size > 0 &&
           hidden_picture((bytes){c->extradata, (size_t)c->extradata_size});
}

/* Adds a stream that is copied, where the container can hold it. */
static AVStream *add_copy(AVFormatContext *mux, const AVStream *picture, const AVStream *from)
{
    const enum AVMediaType type = from->codecpar->codec_type;
    const bool is_known = type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_SUBTITLE ||
                          type == AVMEDIA_TYPE_ATTACHMENT;
    if (!is_known || is_cover(from->codecpar) ||
        !libav_holds(mux->oformat, from->codecpar->codec_id) || !is_taken(mux, picture, from))
        return NULL;
    AVStream *const s = avformat_new_stream(mux, NULL);
    return describe_copy(s, from) ? s : NULL;
}

/* Returns whether a stream is lost; a time code stands among the tags, too. */
static bool is_lost(const video_copies *c, unsigned i)
{
    const AVStream *const s = c->from->file->streams[i];
    return s != c->from->stream && !c->at[i].to &&
           s->codecpar->codec_tag != MKTAG('t', 'm', 'c', 'd');
}

static bool is_data(const AVCodecParameters *c)
{
    return c->codec_type == AVMEDIA_TYPE_DATA || c->codec_type == AVMEDIA_TYPE_UNKNOWN;
}

/* Returns the name of a stream's codec: the four letters in the file where FFmpeg has none. */
static const char *codec_name(const AVCodecParameters *c, char letters[AV_FOURCC_MAX_STRING_SIZE])
{
    const bool is_named = c->codec_id != AV_CODEC_ID_NONE && c->codec_id != AV_CODEC_ID_BIN_DATA;
    return is_named || !c->codec_tag ? avcodec_get_name(c->codec_id)
                                     : av_fourcc_make_string(letters, c->codec_tag);
}

/* Lists the streams that are lost, tracks of data by their kinds. */
static void list_lost(const video_copies *c, copies_lost *lost)
{
    char letters[AV_FOURCC_MAX_STRING_SIZE], words[64];
    for (unsigned i = 0; i < c->from->file->nb_streams; i++) {
        const AVCodecParameters *const p = c->from->file->streams[i]->codecpar;
        const char *const name = codec_name(p, letters);
        const char *const kind = p->codec_type == AVMEDIA_TYPE_AUDIO      ? "sound"
                                 : p->codec_type == AVMEDIA_TYPE_SUBTITLE ? "subtitles"
                                 : p->codec_type == AVMEDIA_TYPE_VIDEO    ? "another picture"
                                                                          : "an attachment";
        snprintf(words, sizeof words, "%s (%s)", kind, name);
        if (is_lost(c, i))
            words_add(is_data(p) ? &lost->data : &lost->streams, is_data(p) ? name : words);
    }
}

bool video_copies_open(video_copies *c, AVFormatContext *mux, const AVStream *picture,
                       const video_in *from, copies_lost *lost)
{
    const AVFormatContext *const file = from ? from->file : NULL;
    *lost = (copies_lost){.data = {""}};
    *c = (video_copies){.from = from, .at = file ? calloc(file->nb_streams, sizeof *c->at) : NULL};
    for (unsigned i = 0; c->at && i < file->nb_streams; i++) {
        c->at[i].last = AV_NOPTS_VALUE;
        if (file->streams[i] != from->stream)
            c->at[i].to = add_copy(mux, picture, file->streams[i]);
    }
    if (c->at) {
        list_lost(c, lost);
        video_tags_lost(mux->oformat, file, &lost->tags, &lost->streams);
    }
    return !from || c->at;
}

/* Times that were rounded, as Matroska's are to milliseconds, may be equal, which few containers take. */
static void set_times(video_copy *copy, const AVOutputFormat *format, AVPacket *packet)
{
    const int64_t gap = format->flags & AVFMT_TS_NONSTRICT ? 0 : 1;
    if (packet->dts == AV_NOPTS_VALUE)
        return;
    if (copy->last != AV_NOPTS_VALUE && packet->dts < copy->last + gap)
        packet->dts = copy->last + gap;
    if (packet->pts != AV_NOPTS_VALUE && packet->pts < packet->dts)
        packet->pts = packet->dts;
    copy->last = packet->dts;
}

bool video_copies_take(video_copies *c, const AVOutputFormat *format, AVPacket *packet)
{
    video_copy *const copy = c->at ? &c->at[packet->stream_index] : NULL;
    if (!copy || !copy->to)
        return false;
    av_packet_rescale_ts(packet, c->from->file->streams[packet->stream_index]->time_base,
                         copy->to->time_base);
    packet->stream_index = copy->to->index;
    packet->pos = -1;
    set_times(copy, format, packet);
    return true;
}

void video_copies_free(video_copies *c)
{
    free(c->at);
    *c = (video_copies){0};
}
