#include "video/ffmpeg/encoder_options.h"

#include "base/paths.h"
#include "video/ffmpeg/light.h"

#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>

/* How good a picture is where --crf is not given. */
typedef struct encoder_row {
    const char *name, *option, *value;
} encoder_row;

static const encoder_row encoders[] = {
    {"libx264", "crf", "18"},   {"libx265", "crf", "20"},    {"libvpx-vp9", "crf", "24"},
    {"libvpx", "crf", "8"},     {"libaom-av1", "crf", "24"}, {"libsvtav1", "crf", "26"},
    {"h264_nvenc", "cq", "19"}, {"hevc_nvenc", "cq", "21"},
};

/* Returns whether the encoder's options set how many bits it spends. */
static bool sets_quality(const AVDictionary *options)
{
    static const char *const names[] = {"crf", "cq", "qp", "b", "global_quality"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        any |= av_dict_get(options, names[i], NULL, 0) != NULL;
    return any;
}

/* Returns whether the codec would have few bits a second without a fixed quantiser. ProRes and DNxHR have the rate of their
 * profile. */
static bool has_scale(enum AVCodecID codec)
{
    static const enum AVCodecID known[] = {
        AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MSMPEG4V2,
        AV_CODEC_ID_MSMPEG4V3,  AV_CODEC_ID_WMV1,       AV_CODEC_ID_WMV2,  AV_CODEC_ID_H261,
        AV_CODEC_ID_H263,       AV_CODEC_ID_H263P,      AV_CODEC_ID_FLV1,  AV_CODEC_ID_RV10,
        AV_CODEC_ID_RV20,       AV_CODEC_ID_MJPEG,      AV_CODEC_ID_AMV,   AV_CODEC_ID_SPEEDHQ,
        AV_CODEC_ID_SNOW,       AV_CODEC_ID_THEORA};
    bool any = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        any |= codec == known[i];
    return any;
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
        return true;
    }
    if (v->settings->crf >= 0 && c->priv_data && av_opt_find(c->priv_data, "crf", NULL, 0, 0))
        return av_opt_set_double(c->priv_data, "crf", v->settings->crf, 0) >= 0;
    if (v->settings->crf >= 0)
        return problem_set(p, "--crf %g: the encoder %s does not have the setting; leave out --crf",
                           v->settings->crf, c->codec->name);
    if (has_scale(c->codec_id)) {
        c->flags |= AV_CODEC_FLAG_QSCALE;
        c->global_quality =
            (c->codec_id == AV_CODEC_ID_THEORA ? 9 : 3) * FF_QP2LAMBDA; /* 10 is its best */
    }
    return true;
}

/* Has libx265 write nothing but frames, and the light of the clip into them. The user's own parameters come last, and count. */
static bool set_x265(const encoder_request *v, const AVCodecContext *c, const AVFrame *f,
                     AVDictionary **options, problem *p)
{
    char light[256] = "";
    if (strcmp(c->codec->name, "libx265") != 0)
        return true;
    if (v->from)
        light_of_x265(v->from->stream, f, light, sizeof light);
    const AVDictionaryEntry *const own = av_dict_get(*options, "x265-params", NULL, 0);
    char *const words =
        text_new("log-level=none%s%s%s", light, own ? ":" : "", own ? own->value : "");
    const bool done = words && av_dict_set(options, "x265-params", words, 0) >= 0;
    free(words);
    return done || problem_set(p, "%s: not enough memory", v->name);
}

/* Reads --encoder-options: names and values, as in "preset=fast:tune=film". */
static bool read_options(const encoder_request *v, AVDictionary **options, problem *p)
{
    const char *const text = v->settings->encoder_options;
    return !text || av_dict_parse_string(options, text, "=", ":", 0) >= 0 ||
           problem_set(p,
                       "--encoder-options %s: expected NAME=VALUE, with colons between several, "
                       "like preset=fast:tune=film",
                       text);
}

/* Opens the encoder with those options. The ones that it does not know are left. */
static bool open_encoder(const encoder_request *v, AVCodecContext *c, AVDictionary **options,
                         problem *p)
{
    const char *const name = c->codec->name, *const text = v->settings->encoder_options;
    const int error = avcodec_open2(c, c->codec, options);
    const AVDictionaryEntry *const left = av_dict_get(*options, "", NULL, AV_DICT_IGNORE_SUFFIX);
    if (error < 0 && text)
        return problem_set(
            p,
            "--encoder-options %s: the encoder %s refuses a value, or the %d x %d frames of %s; "
            "see 'ffmpeg -h encoder=%s'",
            text, name, c->width, c->height, av_get_pix_fmt_name(c->pix_fmt), name);
    if (error < 0)
        return problem_set(p, "%s: the encoder %s does not take %d x %d frames of %s: %s", v->name,
                           name, c->width, c->height, av_get_pix_fmt_name(c->pix_fmt),
                           libav_error(error).text);
    return !left || problem_set(p,
                                "--encoder-options %s: the encoder %s has no option %s; see "
                                "'ffmpeg -h encoder=%s', and write colons within a value \\:",
                                text, name, left->key, name);
}

bool encoder_options_open(const encoder_request *v, AVCodecContext *c, const AVFrame *f, problem *p)
{
    AVDictionary *options = NULL;
    bool done = read_options(v, &options, p);
    if (v->settings->crf >= 0 || !sets_quality(options))
        done = done && set_quality(v, c, p);
    done = done && set_x265(v, c, f, &options, p) && open_encoder(v, c, &options, p);
    av_dict_free(&options);
    return done;
}
