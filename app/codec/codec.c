/* All that is made from the table of formats: the format of a file or of a name, its limits, the lists of words. */
#include "codec/codec.h"

#include "base/paths.h"
#include "codec/codec_table.h"
#include "codec/convert.h"
#include "metadata/splice.h"

#include <string.h>
#include <strings.h>

static bool is_read(const codec *c)
{
    return c->decode || c->decode_values;
}

static bool is_picture(const codec *c)
{
    return c->encode || (c->decode && !c->is_map);
}

/* --- Names ------------------------------------------------------------------------------------ */

bool codec_has_ending(const char *path, const char *ending)
{
    const char *const dot = strrchr(path_base(path), '.');
    return dot && strcasecmp(dot + 1, ending) == 0;
}

static bool has_ending(const char *path, const codec *c)
{
    for (int i = 0; i < CODEC_ENDINGS && c->endings[i]; i++)
        if (codec_has_ending(path, c->endings[i]))
            return true;
    return false;
}

static const codec *named(const char *path)
{
    const bool is_hidden = path[path_stem(path)] == '\0'; /* ".png" is a name without an ending */
    for (int i = 0; i < codec_count && !is_hidden; i++)
        if (has_ending(path, &codecs[i]))
            return &codecs[i];
    return NULL;
}

bool codec_is_picture_name(const char *path)
{
    const codec *const c = named(path);
    return c && is_picture(c);
}

bool codec_may_move(const char *path)
{
    const codec *const c = named(path);
    return c && c->may_move;
}

bool codec_is_map_name(const char *path)
{
    return named(path) != NULL;
}

bool codec_may_hold_numbers(const char *path)
{
    const codec *const c = named(path);
    return c && c->decode_values;
}

const char *codec_ending_instead(const char *path)
{
    const codec *const c = named(path);
    return c && !c->encode ? "png" : NULL;
}

/* Adds "A", then ", A" and for the last " or A". */
static void add_word(format_words *w, const char *dot, const char *word, bool is_last)
{
    const size_t used = strlen(w->text);
    snprintf(w->text + used, sizeof w->text - used, "%s%s%s",
             used == 0 ? ""
             : is_last ? " or "
                       : ", ",
             dot, word);
}

format_words codec_words(const char *dot)
{
    format_words w = {.text = ""};
    int left = 0;
    for (int i = 0; i < codec_count; i++)
        left += codecs[i].encode != NULL;
    for (int i = 0; i < codec_count; i++)
        if (codecs[i].encode)
            add_word(&w, dot, codecs[i].endings[0], --left == 0);
    return w;
}

format_words codec_names_read(void)
{
    format_words w = {.text = ""};
    int left = 0;
    for (int i = 0; i < codec_count; i++)
        left += is_read(&codecs[i]) && is_picture(&codecs[i]);
    for (int i = 0; i < codec_count; i++)
        if (is_read(&codecs[i]) && is_picture(&codecs[i]))
            add_word(&w, "", codecs[i].name, --left == 0);
    return w;
}

/* Returns whether a file begins as those of a format do. */
static bool begins(bytes in, const codec *c)
{
    for (int i = 0; i < CODEC_MAGICS && c->magic[i]; i++) {
        const size_t size = strlen(c->magic[i]);
        if (in.size >= size && memcmp(in.data, c->magic[i], size) == 0)
            return true;
    }
    return false;
}

const codec *codec_of(bytes in, const char *path)
{
    for (int i = 0; i < codec_count; i++) {
        const codec *const c = &codecs[i];
        if (begins(in, c) || (c->is_other && c->is_other(in, path)))
            return c;
    }
    return NULL;
}

const codec *codec_of_start(bytes first, const char *path)
{
    const codec *found = codec_of(first, path);
    for (int i = 0; i < codec_count && !found; i++)
        if (codecs[i].may_start && codecs[i].may_start(first))
            found = &codecs[i];
    return found;
}

/* Returns a known format that is not read here, or NULL. */
static const foreign_format *foreign_of(bytes in)
{
    for (int i = 0; i < foreign_count; i++) {
        const foreign_format *const f = &foreign_formats[i];
        if (in.size >= f->at + f->size && memcmp(in.data + f->at, f->magic, f->size) == 0)
            return f;
    }
    return NULL;
}

bool codec_refuse(bytes in, const char *path, problem *p)
{
    const foreign_format *const f = foreign_of(in);
    problem inner;
    if (!f)
        problem_set(&inner, "not a picture of a known kind; give %s", codec_names_read().text);
    else
        problem_set_kind(&inner, f->is_optional ? PROBLEM_NOT_BUILT_IN : PROBLEM_PLAIN,
                         "%s is not read here; %s", f->name,
                         f->remedy ? f->remedy : "convert it to PNG");
    inner.format = f ? f->name : NULL;
    return problem_at(p, path, &inner);
}

void codec_list(FILE *to)
{
    for (int i = 0; i < codec_count; i++) {
        const char *const fast = codecs[i].fast ? codecs[i].fast() : NULL;
        if (is_read(&codecs[i]))
            fprintf(to, "%s%s: %s%s%s\n", codecs[i].name, codecs[i].is_map ? " (depth maps)" : "",
                    fast ? fast : "", fast ? ", " : "", codecs[i].library);
    }
    if (nvjpeg_name())
        fprintf(to, "JPEG with --codec gpu: %s, otherwise as without it\n", nvjpeg_name());
}

/* --- Writing ---------------------------------------------------------------------------------- */

static bool can_write(const codec *c, const char *path, problem *p)
{
    problem inner;
    return !c->writes || c->writes(&inner) || problem_at(p, path, &inner);
}

const codec *codec_for_output(const char *path, problem *p)
{
    for (int i = 0; i < codec_count; i++)
        if (codecs[i].encode && has_ending(path, &codecs[i]))
            return can_write(&codecs[i], path, p) ? &codecs[i] : NULL;
    problem_set(p, "%s: the ending names no format that can be written; use %s", path,
                codec_words(".").text);
    return NULL;
}

const codec *codec_by_word(const char *word, problem *p)
{
    for (int i = 0; i < codec_count; i++)
        if (codecs[i].encode &&
            (strcasecmp(codecs[i].name, word) == 0 || strcasecmp(codecs[i].endings[0], word) == 0))
            return &codecs[i];
    problem_set(p, "%s is not written here; give --format with one of %s", word,
                codec_words("").text);
    return NULL;
}

/* stb writes a gray JPEG as RGB. */
static unsigned channels_held(const codec *c, codec_choice choice)
{
    return c->encode == jpeg_encode && !jpeg_writes_gray(choice) ? RGB : c->channels;
}

/* Says what is lost, and what is converted. */
static void note_fit(const codec *c, const satb_image *image, const satb_image *fit, char note[128])
{
    const int deepest = image->bits < c->deepest ? image->bits : c->deepest; /* in the file */
    const bool clips = image->half && !fit->half, lifts = !image->half && fit->half;
    const bool rounds = !fit->half && !clips && deepest != image->bits;
    const bool moves = fit->channels != image->channels;
    const bool alpha = image->channels % 2 == 0 && fit->channels % 2 == 1;
    const char *const lost = clips    ? "high dynamic range"
                             : rounds ? "16 bits"
                             : lifts  ? "sRGB codes"
                                      : "";
    char words[32];
    if (fit->half)
        snprintf(words, sizeof words, "linear %s", picture_channel_words(fit->channels));
    else
        snprintf(words, sizeof words, "%d-bit %s", deepest, picture_channel_words(fit->channels));
    if (lost[0] || moves)
        snprintf(note, 128, "%s cannot hold %s%s%s; written as %s%s%s", c->name, lost,
                 lost[0] && moves ? " or " : "",
                 moves ? picture_channel_words(image->channels) : "", words,
                 clips ? ", light above white clipped" : "", alpha ? ", alpha dropped" : "");
}

bool codec_fit(const codec *c, const satb_image *image, codec_choice choice, satb_image *fit,
               char note[128], problem *p)
{
    const int side = c->largest_side ? c->largest_side : PICTURE_SIDE;
    *fit = *image;
    note[0] = '\0';
    fit->channels = convert_channels(channels_held(c, choice), image->channels);
    fit->half = c->halves == HALVES_ONLY || (c->halves == HALVES_TOO && image->half);
    fit->bits = fit->half ? 16 : c->deepest > 8 ? image->bits : 8;
    fit->stride = (ptrdiff_t)fit->width * fit->channels * (fit->bits / 8);
    if (fit->channels == 0) {
        return problem_set(
            p, "%s holds only gray, and the picture has colours; use .ppm, .pnm or .png", c->name);
    }
    if (image->width > side || image->height > side || picture_bytes(fit) > codec_most_bytes(c)) {
        return problem_set(p, "%s cannot hold %d x %d pixels; use .png", c->name, image->width,
                           image->height);
    }
    note_fit(c, image, fit, note);
    return true;
}

const char *codec_lacks(const codec *c, codec_setting setting)
{
    return c->settings & setting ? NULL : c->name;
}

bool codec_holds_light(const codec *c)
{
    return c->halves == HALVES_ONLY;
}

metadata_format codec_metadata(const codec *c)
{
    return c->meta;
}

static const char *encode_pixels(const codec *c, const satb_image *image,
                                 const encode_settings *settings, sink *to, problem *p)
{
    satb_image fit;
    char note[128];
    if (!codec_fit(c, image, settings->choice, &fit, note, p))
        return NULL;
    if (fit.channels == image->channels && fit.bits == image->bits && fit.half == image->half &&
        image->stride == fit.stride)
        return c->encode(image, settings, to, p);
    if (!convert_pixels(image, &fit, p))
        return NULL;
    const char *library = c->encode(&fit, settings, to, p);
    pixels_free(fit.data);
    return library;
}

const char *codec_encode(const codec *c, const satb_image *image, const encode_settings *settings,
                         sink *to, problem *p)
{
    splice s;
    if (!settings->meta || !metadata_is_spliced(c->meta) || metadata_is_empty(settings->meta))
        return encode_pixels(c, image, settings, to, p);
    if (!splice_begin(&s, settings->meta, c->meta, to)) {
        problem_set(p, "not enough memory to write its metadata");
        return NULL;
    }
    const char *library = encode_pixels(c, image, settings, &s.in, p);
    splice_end(&s);
    return library;
}
