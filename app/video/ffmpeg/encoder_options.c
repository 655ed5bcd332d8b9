#include "video/ffmpeg/encoder_options.h"

#include "base/paths.h"
#include "video/ffmpeg/video_hdr.h"

#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the encoder's options set how many bits it spends. */
static bool sets_quality(const AVDictionary *options)
{
    static const char *const names[] = {"crf", "cq", "qp", "b", "global_quality"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        any |= av_dict_get(options, names[i], NULL, 0) != NULL;
    return any;
}

/* Returns the row of the encoder whose option sets its quality; NULL: it has none. */
static const video_encoder *scaled_encoder(const video_codec *row, const char *name)
{
    for (int i = 0; row && i < VIDEO_ENCODERS; i++)
        if (row->encoders[i].option && strcmp(row->encoders[i].name, name) == 0)
            return &row->encoders[i];
    return NULL;
}

/* Sets the quality. */
static bool set_quality(const video_way *v, AVCodecContext *c, problem *p)
{
    const video_codec *const row = libav_codec(c->codec_id);
    const video_encoder *const e = scaled_encoder(row, c->codec->name);
    char given[32];
    if (e) {
        snprintf(given, sizeof given, "%g", v->settings->crf);
        (void)av_opt_set(c->priv_data, e->option, v->settings->crf >= 0 ? given : e->value, 0);
        return true;
    }
    if (v->settings->crf >= 0 && c->priv_data && av_opt_find(c->priv_data, "crf", NULL, 0, 0))
        return av_opt_set_double(c->priv_data, "crf", v->settings->crf, 0) >= 0;
    if (v->settings->crf >= 0)
        return problem_set(p, "--crf %g: the encoder %s does not have the setting; leave out --crf",
                           v->settings->crf, c->codec->name);
    if (row && row->scale) {
        c->flags |= AV_CODEC_FLAG_QSCALE;
        c->global_quality = row->scale * FF_QP2LAMBDA;
    }
    return true;
}

/* Has libx265 write nothing but frames, and the light of the clip into them. The user's own parameters come last, and count. */
static bool set_x265(const video_way *v, const AVCodecContext *c, const AVFrame *f,
                     AVDictionary **options, problem *p)
{
    char light[256] = "";
    if (strcmp(c->codec->name, "libx265") != 0)
        return true;
    if (v->from)
        video_hdr_of_x265(v->from->stream, f, light, sizeof light);
    const AVDictionaryEntry *const own = av_dict_get(*options, "x265-params", NULL, 0);
    char *const words =
        text_new("log-level=none%s%s%s", light, own ? ":" : "", own ? own->value : "");
    const bool done = words && av_dict_set(options, "x265-params", words, 0) >= 0;
    free(words);
    return done || problem_set(p, "%s: not enough memory", v->name);
}

/* Reads --encoder-options: names and values, as in "preset=fast:tune=film". */
static bool read_options(const video_way *v, AVDictionary **options, problem *p)
{
    const char *const text = v->settings->encoder_options;
    return !text || av_dict_parse_string(options, text, "=", ":", 0) >= 0 ||
           problem_set(p,
                       "--encoder-options %s: expected NAME=VALUE, with colons between several, "
                       "like preset=fast:tune=film",
                       text);
}

/* Opens the encoder with those options. The ones that it does not know are left. */
static bool open_encoder(const video_way *v, AVCodecContext *c, AVDictionary **options, problem *p)
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

bool encoder_options_open(const video_way *v, AVCodecContext *c, const AVFrame *f, problem *p)
{
    AVDictionary *options = NULL;
    bool done = read_options(v, &options, p);
    if (v->settings->crf >= 0 || !sets_quality(options))
        done = done && set_quality(v, c, p);
    done = done && set_x265(v, c, f, &options, p) && open_encoder(v, c, &options, p);
    av_dict_free(&options);
    return done;
}
