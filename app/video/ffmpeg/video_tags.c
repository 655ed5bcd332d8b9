#include "video/ffmpeg/video_tags.h"

#include "base/paths.h"
#include "format/hidden.h"
#include "video/ffmpeg/upright.h"
#include "video/ffmpeg/video_hdr.h"

#include <libavutil/avstring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a tag tells about the file that it was in: its brand, its encoder, its packets, its alpha. */
static bool is_of_file(const char *key)
{
    static const char *const names[] = {"encoder",           "major_brand", "minor_version",
                                        "compatible_brands", "vendor_id",   "DURATION",
                                        "alpha_mode"};
    static const char *const begins[] = {"BPS", "NUMBER_OF_", "_STATISTICS_", "DURATION-"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        any |= av_strcasecmp(key, names[i]) == 0;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        any |= strncmp(key, begins[i], strlen(begins[i])) == 0;
    return any;
}

/* Returns whether a phone or a camera has named the tag for itself, as in com.apple.quicktime.make. */
static bool is_key(const char *name)
{
    return av_strncasecmp(name, "com.", 4) == 0;
}

bool video_tags_have_keys(const AVFormatContext *file)
{
    const AVDictionaryEntry *tag = NULL;
    bool any = false;
    while ((tag = av_dict_get(file->metadata, "", tag, AV_DICT_IGNORE_SUFFIX)))
        any |= is_key(tag->key);
    return any;
}

/* Returns whether a tag is carried: it is not of the file that it was in, nor the time code of another frame, and holds no
 * picture, as Ogg's covers are: it would show what is blurred. */
static bool is_carried(const AVDictionaryEntry *tag, bool is_part)
{
    return !is_of_file(tag->key) && !(is_part && av_strcasecmp(tag->key, "timecode") == 0) &&
           !hidden_picture((bytes){(const uint8_t *)tag->value, strlen(tag->value)});
}

bool video_tags_copy(AVDictionary **to, const AVDictionary *from, bool is_part)
{
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(from, "", tag, AV_DICT_IGNORE_SUFFIX)))
        if (is_carried(tag, is_part) && av_dict_set(to, tag->key, tag->value, 0) < 0)
            return false;
    return true;
}

/* Cuts a chapter where a part of the clip begins and ends. False: it is not within. */
static bool cut(const video_way *v, AVChapter *chapter)
{
    const double length = v->settings->length / av_q2d(chapter->time_base);
    const int64_t most = length > 0 && length < 0x1p62 ? (int64_t)length : INT64_MAX;
    if (!v->settings->is_part)
        return true;
    chapter->start = FFMAX(libav_since(v->zero, chapter->start, chapter->time_base), 0);
    chapter->end = FFMIN(libav_since(v->zero, chapter->end, chapter->time_base), most);
    return chapter->start < chapter->end;
}

static bool copy_chapters(const video_way *v)
{
    AVFormatContext *const mux = v->mux;
    const AVFormatContext *const from = v->from->file;
    mux->chapters = av_calloc(from->nb_chapters + 1, sizeof *mux->chapters);
    for (unsigned i = 0; mux->chapters && i < from->nb_chapters; i++) {
        AVChapter chapter = *from->chapters[i];
        if (!cut(v, &chapter))
            continue;
        AVChapter *const to = mux->chapters[mux->nb_chapters] = av_memdup(&chapter, sizeof chapter);
        if (!to)
            return false;
        mux->nb_chapters++;
        to->metadata = NULL;
        (void)video_tags_copy(&to->metadata, from->chapters[i]->metadata, false);
    }
    return mux->chapters != NULL;
}

/* Copies what the header says about all frames: the turn unless they are turned, the light of the display that the clip was
 * made on, the sphere around a camera, two eyes. */
static bool copy_sides(AVStream *picture, const AVStream *from, const AVFrame *first, int turned)
{
    static const enum AVPacketSideDataType types[] = {
        AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
        AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D};
    bool done = true;
    for (size_t i = 0; i < sizeof types / sizeof *types && done; i++) {
        size_t size;
        const uint8_t *const side = video_hdr_side(from, first, types[i], &size);
        const bool is_done = types[i] == AV_PKT_DATA_DISPLAYMATRIX && turned != 1;
        done = !side || is_done || libav_set_side(picture, types[i], side, size);
    }
    return done;
}

/* Names the encoder of the picture, as ffmpeg does. */
static bool set_encoder(AVStream *picture, const AVCodec *encoder)
{
    char name[96];
    snprintf(name, sizeof name, LIBAVCODEC_IDENT " %s", encoder->name);
    return av_dict_set(&picture->metadata, "encoder", name, 0) >= 0;
}

bool video_tags_describe(const video_way *v, AVStream *picture, const AVCodec *encoder,
                         const AVFrame *first)
{
    if (!v->from)
        return set_encoder(picture, encoder);
    const AVFormatContext *const file = v->from->file;
    const AVStream *const stream = v->from->stream;
    picture->disposition = stream->disposition;
    return video_tags_copy(&v->mux->metadata, file->metadata, v->settings->is_part) &&
           video_tags_copy(&picture->metadata, stream->metadata, v->settings->is_part) &&
           copy_chapters(v) &&
           copy_sides(picture, stream, first, upright_turn(v->from, v->container)) &&
           set_encoder(picture, encoder);
}

/* --- What is lost --------------------------------------------------------------------------------- */

/* Returns the words of a tag that a person knows: "make" of com.apple.quicktime.make. */
static const char *plain_name(const char *key)
{
    const char *at = key;
    for (int i = 0; i < 3 && is_key(key) && strchr(at, '.'); i++)
        at = strchr(at, '.') + 1;
    return at;
}

/* Returns whether tags of a new file have one with the same name, or with the same text: names differ between containers. */
static bool has_tag(const AVDictionary *in, const AVDictionaryEntry *tag)
{
    const AVDictionaryEntry *at = NULL;
    bool any = false;
    while (!any && (at = av_dict_get(in, "", at, AV_DICT_IGNORE_SUFFIX)))
        any = !is_of_file(at->key) &&
              (av_strcasecmp(at->key, tag->key) == 0 || strcmp(at->value, tag->value) == 0);
    return any;
}

/* Returns whether the file or a stream of it has the tag. */
static bool is_kept(const AVFormatContext *file, const AVDictionaryEntry *tag)
{
    bool any = has_tag(file->metadata, tag);
    for (unsigned i = 0; i < file->nb_streams && !any; i++)
        any = has_tag(file->streams[i]->metadata, tag);
    return any;
}

/* Opens a file with all its tags: those of FLV come with the first packet. NULL: it cannot be read. */
static AVFormatContext *open_again(const char *path)
{
    AVFormatContext *file = NULL;
    AVPacket *packet = av_packet_alloc();
    char *const url = text_new("file:%s", path);
    if (packet && url && avformat_open_input(&file, url, NULL, NULL) >= 0)
        (void)av_read_frame(file, packet);
    av_packet_free(&packet);
    free(url);
    return file;
}

void video_tags_tell_lost(const video_way *v, const char *path)
{
    const AVFormatContext *const was = v->from->file;
    const AVDictionaryEntry *tag = NULL;
    AVFormatContext *file = open_again(path);
    word_list lost = {""};
    while (file && (tag = av_dict_get(was->metadata, "", tag, AV_DICT_IGNORE_SUFFIX)))
        if (is_carried(tag, v->settings->is_part) && !is_kept(file, tag) &&
            !av_match_name(tag->key, v->container->unread))
            words_add(&lost, plain_name(tag->key));
    tag = av_dict_get(v->from->stream->metadata, "timecode", NULL, 0);
    if (file && tag && is_carried(tag, v->settings->is_part) && !is_kept(file, tag))
        words_add(&lost, tag->key);
    if (file && v->mux->nb_chapters > 0 && file->nb_chapters == 0)
        message_note(false, "%s: lost, because the container does not take it: chapters", v->name);
    if (lost.text[0])
        message_note(false, "%s: tags are lost, because the container does not take them: %s",
                     v->name, lost.text);
    avformat_close_input(&file);
}
