#include "video/ffmpeg/video_tags.h"

#include "format/hidden.h"
#include "video/ffmpeg/light.h"

#include <libavutil/avstring.h>
#include <stdio.h>
#include <string.h>

/* Returns whether a tag tells about the file that it was in: its brand, its encoder, its packets. */
static bool is_of_file(const char *key)
{
    static const char *const names[] = {"encoder",           "major_brand", "minor_version",
                                        "compatible_brands", "vendor_id",   "DURATION"};
    static const char *const begins[] = {"BPS", "NUMBER_OF_", "_STATISTICS_", "DURATION-"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        any |= av_strcasecmp(key, names[i]) == 0;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        any |= strncmp(key, begins[i], strlen(begins[i])) == 0;
    return any;
}

/* --- What is lost --------------------------------------------------------------------------------- */

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

static bool is_one_of(const AVOutputFormat *format, const char *const *names, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any |= strcmp(format->name, names[i]) == 0;
    return any;
}

/* Returns whether a tag is written into the container and can be read again. */
static bool holds_tag(const AVOutputFormat *format, const char *key)
{
    static const char *const none[] = {"mpegts", "mpeg", "mxf", "yuv4mpegpipe"};
    static const char *const no_keys[] = {"avi", "3gp"}; /* but for their own */
    return !is_one_of(format, none, sizeof none / sizeof *none) &&
           !(is_key(key) && is_one_of(format, no_keys, sizeof no_keys / sizeof *no_keys));
}

/* Returns whether chapters are written into the container and can be read again. */
static bool holds_chapters(const AVOutputFormat *format)
{
    static const char *const names[] = {"avi", "mpegts", "flv", "mxf", "ogv", "mpeg"};
    return !is_one_of(format, names, sizeof names / sizeof *names);
}

/* Returns the words of a tag that a person knows: "make" of com.apple.quicktime.make. */
static const char *plain_name(const char *key)
{
    const char *at = key;
    for (int i = 0; i < 3 && is_key(key) && strchr(at, '.'); i++)
        at = strchr(at, '.') + 1;
    return at;
}

void video_tags_lost(const AVOutputFormat *format, const AVFormatContext *file, word_list *tags,
                     word_list *streams)
{
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(file->metadata, "", tag, AV_DICT_IGNORE_SUFFIX)))
        if (!is_of_file(tag->key) && !holds_tag(format, tag->key))
            words_add(tags, plain_name(tag->key));
    if (file->nb_chapters > 0 && !holds_chapters(format))
        words_add(streams, "chapters");
}

/* --- What is kept --------------------------------------------------------------------------------- */

bool video_tags_copy(AVDictionary **to, const AVDictionary *from)
{
    const AVDictionaryEntry *tag = NULL;
    while ((tag = av_dict_get(from, "", tag, AV_DICT_IGNORE_SUFFIX)))
        if (!is_of_file(tag->key) &&
            !hidden_picture((bytes){(const uint8_t *)tag->value, strlen(tag->value)}) &&
            av_dict_set(to, tag->key, tag->value, 0) < 0)
            return false;
    return true;
}

static bool copy_chapters(AVFormatContext *mux, const AVFormatContext *from)
{
    mux->chapters = av_calloc(from->nb_chapters + 1, sizeof *mux->chapters);
    for (unsigned i = 0; mux->chapters && i < from->nb_chapters; i++) {
        AVChapter *const c = av_mallocz(sizeof *c);
        if (!c)
            return false;
        *c = *from->chapters[i];
        c->metadata = NULL;
        (void)video_tags_copy(&c->metadata, from->chapters[i]->metadata);
        mux->chapters[mux->nb_chapters++] = c;
    }
    return mux->chapters != NULL;
}

/* Copies what the header says about all frames: the turn, the light of the display that it was made on, the sphere around a
 * camera, two eyes. */
static bool copy_sides(AVStream *picture, const AVStream *from, const AVFrame *first)
{
    static const enum AVPacketSideDataType types[] = {
        AV_PKT_DATA_DISPLAYMATRIX, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
        AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_SPHERICAL, AV_PKT_DATA_STEREO3D};
    bool done = true;
    for (size_t i = 0; i < sizeof types / sizeof *types && done; i++) {
        size_t size;
        const uint8_t *const side = light_side(from, first, types[i], &size);
        done = !side || libav_set_side(picture, types[i], side, size);
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

bool video_tags_describe(const video_in *from, AVFormatContext *mux, AVStream *picture,
                         const AVCodec *encoder, const AVFrame *first)
{
    if (!from)
        return set_encoder(picture, encoder);
    const AVFormatContext *const file = from->file;
    const AVStream *const stream = from->stream;
    picture->disposition = stream->disposition;
    return video_tags_copy(&mux->metadata, file->metadata) &&
           video_tags_copy(&picture->metadata, stream->metadata) && copy_chapters(mux, file) &&
           copy_sides(picture, stream, first) && set_encoder(picture, encoder);
}
