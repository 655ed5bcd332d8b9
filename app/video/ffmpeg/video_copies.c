#include "video/ffmpeg/video_copies.h"

#include "format/hidden.h"

#include <stdlib.h>
#include <string.h>

/* --- Streams ---------------------------------------------------------------------------------- */

/* Copies tags, but for those that may hold a picture, as Ogg's covers do: it would show what is blurred. */
static bool copy_tags(AVDictionary **to, const AVDictionary *from)
{
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(from, "", tag, AV_DICT_IGNORE_SUFFIX)))
        if (!hidden_picture((bytes){(const uint8_t *)tag->value, strlen(tag->value)}) &&
            av_dict_set(to, tag->key, tag->value, 0) < 0)
            return false;
    return true;
}

static bool describe_copy(AVStream *to, const AVStream *from)
{
    if (!to || avcodec_parameters_copy(to->codecpar, from->codecpar) < 0)
        return false;
    to->codecpar->codec_tag = 0;
    to->time_base = from->time_base;
    to->disposition = from->disposition;
    return copy_tags(&to->metadata, from->metadata);
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

/* Adds words for a stream that is lost. Returns their number of letters. */
static size_t add_words(char *to, size_t room, const AVCodecParameters *c)
{
    const char *const kind = c->codec_type == AVMEDIA_TYPE_AUDIO        ? "sound"
                             : c->codec_type == AVMEDIA_TYPE_SUBTITLE   ? "subtitles"
                             : c->codec_type == AVMEDIA_TYPE_VIDEO      ? "another picture"
                             : c->codec_type == AVMEDIA_TYPE_ATTACHMENT ? "an attachment"
                                                                        : "data";
    const bool is_timecode =
        c->codec_tag == MKTAG('t', 'm', 'c', 'd'); /* stands among the tags, too */
    return is_timecode
               ? 0
               : (size_t)snprintf(to, room, ", %s (%s)", kind, avcodec_get_name(c->codec_id));
}

/* Returns whether chapters are written into the container and can be read again. */
static bool holds_chapters(const AVOutputFormat *format)
{
    static const char *const names[] = {"avi", "mpegts", "flv", "mxf", "ogv", "mpeg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(format->name, names[i]) == 0)
            return false;
    return true;
}

bool video_copies_open(video_copies *c, AVFormatContext *mux, const AVStream *picture,
                       const video_in *from, char lost[COPIES_WORDS])
{
    const AVFormatContext *const file = from ? from->file : NULL;
    size_t used = 0;
    lost[0] = '\0';
    *c = (video_copies){.from = from, .at = file ? calloc(file->nb_streams, sizeof *c->at) : NULL};
    for (unsigned i = 0; c->at && i < file->nb_streams; i++) {
        if (file->streams[i] == from->stream)
            continue;
        c->at[i] = (video_copy){add_copy(mux, picture, file->streams[i]), AV_NOPTS_VALUE};
        if (!c->at[i].to && used < COPIES_WORDS)
            used += add_words(lost + used, COPIES_WORDS - used, file->streams[i]->codecpar);
    }
    if (file && file->nb_chapters > 0 && !holds_chapters(mux->oformat) && used < COPIES_WORDS)
        snprintf(lost + used, COPIES_WORDS - used, ", chapters");
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

/* --- Tags, chapters, the turn ----------------------------------------------------------------- */

static bool copy_chapters(AVFormatContext *mux, const AVFormatContext *from)
{
    mux->chapters = av_calloc(from->nb_chapters + 1, sizeof *mux->chapters);
    for (unsigned i = 0; mux->chapters && i < from->nb_chapters; i++) {
        AVChapter *const c = av_mallocz(sizeof *c);
        if (!c)
            return false;
        *c = *from->chapters[i];
        c->metadata = NULL;
        (void)copy_tags(&c->metadata, from->chapters[i]->metadata);
        mux->chapters[mux->nb_chapters++] = c;
    }
    return mux->chapters != NULL;
}

bool video_copies_describe(const video_copies *c, AVFormatContext *mux, AVStream *picture)
{
    if (!c->from)
        return true;
    const AVFormatContext *const file = c->from->file;
    const AVStream *const stream = c->from->stream;
    picture->disposition = stream->disposition;
    return copy_tags(&mux->metadata, file->metadata) &&
           copy_tags(&picture->metadata, stream->metadata) && copy_chapters(mux, file) &&
           libav_add_side_data(picture, AV_PKT_DATA_DISPLAYMATRIX,
                               libav_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX));
}
