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
    return video_tags_copy(&to->metadata, from->metadata, false);
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

/* Returns whether it is an attachment that may be a picture, as covers are. The bytes of fonts may look like one. */
static bool is_cover(const AVCodecParameters *c)
{
    const bool is_font = c->codec_id == AV_CODEC_ID_TTF || c->codec_id == AV_CODEC_ID_OTF;
    return c->codec_type == AVMEDIA_TYPE_ATTACHMENT && !is_font && c->extradata_size > 0 &&
           hidden_picture((bytes){c->extradata, (size_t)c->extradata_size});
}

/* Returns whether the container holds the stream. FFmpeg does not say that of attachments. */
static bool holds(const video_container *to, const AVCodecParameters *c)
{
    return c->codec_type == AVMEDIA_TYPE_ATTACHMENT ? strcmp(to->muxer, "matroska") == 0
                                                    : libav_holds(to, c->codec_id);
}

/* Adds a stream that is copied, where the container can hold it. */
static AVStream *add_copy(const video_copies *c, const AVStream *picture, const AVStream *from)
{
    const enum AVMediaType type = from->codecpar->codec_type;
    const bool is_known = type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_SUBTITLE ||
                          type == AVMEDIA_TYPE_ATTACHMENT;
    if (!is_known || is_cover(from->codecpar) || !holds(c->way->container, from->codecpar) ||
        !is_taken(c->way->mux, picture, from))
        return NULL;
    AVStream *const s = avformat_new_stream(c->way->mux, NULL);
    return describe_copy(s, from) ? s : NULL;
}

/* Returns whether a stream is lost; a time code stands among the tags, too, and what FFmpeg discards are titles of chapters. */
static bool is_lost(const video_copies *c, unsigned i)
{
    const AVStream *const s = c->way->from->file->streams[i];
    return s != c->way->from->stream && !c->at[i].to && s->discard != AVDISCARD_ALL &&
           s->codecpar->codec_tag != MKTAG('t', 'm', 'c', 'd');
}

static bool is_data(const AVCodecParameters *c)
{
    return c->codec_type == AVMEDIA_TYPE_DATA || c->codec_type == AVMEDIA_TYPE_UNKNOWN;
}

/* Returns whether a stream is never copied, whatever the container. */
static bool stays_behind(const AVCodecParameters *c)
{
    return is_data(c) || is_cover(c) || c->codec_type == AVMEDIA_TYPE_VIDEO;
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
    for (unsigned i = 0; i < c->count; i++) {
        const AVCodecParameters *const p = c->way->from->file->streams[i]->codecpar;
        const char *const name = codec_name(p, letters);
        const char *const kind = p->codec_type == AVMEDIA_TYPE_AUDIO      ? "sound"
                                 : p->codec_type == AVMEDIA_TYPE_SUBTITLE ? "subtitles"
                                 : p->codec_type == AVMEDIA_TYPE_VIDEO    ? "another picture"
                                                                          : "an attachment";
        snprintf(words, sizeof words, "%s (%s)", kind, name);
        if (is_lost(c, i))
            words_add(stays_behind(p) ? &lost->left : &lost->streams, is_data(p) ? name : words);
    }
}

/* Whether FFmpeg's Matroska has sound begin behind its lead, so that no time is below 0. Before version 60 this is done here. */
enum { HAS_LEAD = LIBAVFORMAT_VERSION_MAJOR >= 60 };

/* Returns the time for which a player decodes a stream before it plays it, where the container says so, in microseconds. */
static int64_t lead_of(const AVCodecParameters *c, const video_container *to)
{
    const bool says = to->has_lead && (HAS_LEAD || c->codec_id == AV_CODEC_ID_OPUS);
    return says && c->sample_rate > 0 ? av_rescale(c->initial_padding, AV_TIME_BASE, c->sample_rate)
                                      : 0;
}

/* Returns whether a time, from the start of what is shown on, is there in the container. Rounding moves times by half a
 * millisecond. */
static bool is_shown(const AVCodecParameters *c, const video_container *to, int64_t at,
                     AVRational base)
{
    const int64_t time = av_rescale_q(at, base, AV_TIME_BASE_Q);
    return at == AV_NOPTS_VALUE || libav_add(time, lead_of(c, to)) > -1000;
}

/* Returns whether no time is below 0 in Matroska, where FFmpeg, which forgets the lead, would move them all. */
static bool keeps_times(const video_copies *c)
{
    bool keeps = c->way->container->has_lead && !HAS_LEAD;
    for (unsigned i = 0; i < c->count; i++) {
        const AVStream *const s = c->way->from->file->streams[i];
        if (!c->way->settings->is_part && (s == c->way->from->stream || c->at[i].to))
            keeps &= is_shown(s->codecpar, c->way->container,
                              libav_since(c->way->zero, s->start_time, s->time_base), s->time_base);
    }
    return keeps;
}

bool video_copies_open(video_copies *c, const video_way *way, const AVStream *picture,
                       copies_lost *lost)
{
    const AVFormatContext *const file = way->from ? way->from->file : NULL;
    *lost = (copies_lost){.left = {""}};
    c->way = way;
    c->count = file ? file->nb_streams : 0;
    c->at = file ? calloc(file->nb_streams, sizeof *c->at) : NULL;
    for (unsigned i = 0; c->at && i < c->count; i++) {
        c->at[i].last = AV_NOPTS_VALUE;
        if (file->streams[i] != way->from->stream)
            c->at[i].to = add_copy(c, picture, file->streams[i]);
    }
    if (c->at) {
        list_lost(c, lost);
        if (keeps_times(c))
            way->mux->avoid_negative_ts = 0;
    }
    return !way->from || c->at;
}

/* --- Packets ---------------------------------------------------------------------------------- */

/* Times that were rounded, as Matroska's are to milliseconds, may be equal, which few containers take. */
static void set_times(video_copy *copy, const AVOutputFormat *format, AVPacket *packet)
{
    const int64_t gap = format->flags & AVFMT_TS_NONSTRICT ? 0 : 1;
    if (packet->dts == AV_NOPTS_VALUE)
        return;
    if (copy->last != AV_NOPTS_VALUE && packet->dts < libav_add(copy->last, gap))
        packet->dts = libav_add(copy->last, gap);
    if (packet->pts != AV_NOPTS_VALUE && packet->pts < packet->dts)
        packet->pts = packet->dts;
    copy->last = packet->dts;
}

/* Changes times to those from a moment on. */
static void move_times(AVPacket *packet, libav_moment zero, AVRational base)
{
    packet->pts = libav_since(zero, packet->pts, base);
    packet->dts = libav_since(zero, packet->dts, base);
}

/* Cuts a packet where the part begins. Only subtitles can begin later than they did. False: it ends before. */
static bool cut(const AVCodecParameters *c, AVPacket *packet)
{
    const int64_t end = libav_add(packet->pts, packet->duration);
    if (packet->pts == AV_NOPTS_VALUE || packet->pts >= 0)
        return true;
    if (c->codec_type != AVMEDIA_TYPE_SUBTITLE || (packet->duration > 0 && end <= 0))
        return end > 0;
    packet->pts = packet->dts = 0;
    packet->duration = FFMAX(end, 0);
    return true;
}

/* Makes a packet of the clip one of the new file. False: its stream is left out. */
static bool take(video_copies *c, AVPacket *packet)
{
    const bool is_late = (unsigned)packet->stream_index >= c->count;
    const AVStream *const to = is_late ? NULL : c->at[packet->stream_index].to;
    const AVRational base = packet->time_base;
    c->has_late |= is_late;
    if (!to)
        return false;
    move_times(packet, c->way->zero, base);
    if (c->way->settings->is_part && !cut(to->codecpar, packet))
        return false;
    if (!c->way->container->is_mov &&
        (packet->flags & AV_PKT_FLAG_DISCARD ||
         !is_shown(to->codecpar, c->way->container, packet->pts, base)))
        return false;
    if (!HAS_LEAD)
        move_times(packet,
                   (libav_moment){-lead_of(to->codecpar, c->way->container), AV_TIME_BASE_Q}, base);
    av_packet_rescale_ts(packet, base, to->time_base);
    packet->time_base = to->time_base;
    packet->pos = -1;
    set_times(&c->at[packet->stream_index], c->way->mux->oformat, packet);
    packet->stream_index = to->index;
    return true;
}

bool video_copies_leave(video_copies *c, packet_list *list, libav_moment begin)
{
    const int64_t second = av_rescale_q(AV_TIME_BASE, AV_TIME_BASE_Q, begin.base);
    begin.at = libav_add(begin.at, -second);
    return packet_list_move(&c->waiting, list) && packet_list_drop(&c->waiting, begin, true);
}

int video_copies_write(video_copies *c, packet_list *list, libav_moment until)
{
    packet_list ready = *list;
    int error = 0;
    if (c->way->settings->is_part) {
        if (!packet_list_move(&c->waiting, list) ||
            !packet_list_drop(&c->waiting, c->way->zero, false))
            return AVERROR(ENOMEM);
        ready = packet_list_take(&c->waiting, until);
    }
    *list = (packet_list){0};
    for (size_t i = 0; i < ready.count && error >= 0; i++) {
        AVPacket *const packet = ready.items[i];
        error = take(c, packet) ? av_interleaved_write_frame(c->way->mux, packet) : 0;
        c->refused += error == AVERROR_INVALIDDATA;
        error = error == AVERROR_INVALIDDATA ? 0 : error;
    }
    packet_list_free(&ready);
    return error;
}

void video_copies_note(const video_copies *c, const char *name, bool quiet, bool is_pipe)
{
    if (c->has_late)
        message_note(quiet || is_pipe,
                     "%s: streams that begin after the clip's first frame are left out", name);
    if (c->refused)
        message_note(quiet, "%s: %llu damaged packets of other streams are left out", name,
                     (unsigned long long)c->refused);
}

void video_copies_free(video_copies *c)
{
    free(c->at);
    packet_list_free(&c->waiting);
    *c = (video_copies){0};
}
