/* A picture from memory: what is refused before anything is allocated, the pixels, and the metadata. */
#include "codec/codec.h"

#include "codec/channel.h"
#include "codec/isolate.h"
#include "format/beside.h"
#include "format/exif.h"
#include "format/icc.h"
#include "image/half.h"

#include <string.h>

bool picture_allows(const satb_image *shape, uint64_t max_pixels, problem *p)
{
    const uint64_t pixels = (uint64_t)shape->width * (uint64_t)shape->height;
    const uint64_t most = max_pixels ? max_pixels : PICTURE_PIXELS;
    if (shape->width > PICTURE_SIDE || shape->height > PICTURE_SIDE || pixels > PICTURE_PIXELS_MOST)
        return problem_set(p, "%d x %d pixels are too many; at most %d a side and %llu in all",
                           shape->width, shape->height, PICTURE_SIDE,
                           (unsigned long long)PICTURE_PIXELS_MOST);
    if (pixels <= most)
        return true;
    p->width = shape->width, p->height = shape->height, p->most = most;
    return problem_set_kind(p, PROBLEM_TOO_LARGE,
                            "%d x %d pixels are more than the %llu that --max-pixels allows; raise "
                            "it if you trust the file",
                            shape->width, shape->height, (unsigned long long)most);
}

bool picture_has_bytes(const picture_claim *c, bytes in, problem *p)
{
    enum { DEFLATED = 1032 };                  /* bytes, of one */
    const uint64_t anyway = (uint64_t)5 << 28; /* a white picture of 20000 x 20000 pixels */
    if (c->reach > 0 && c->unpacked / c->reach > in.size)
        return problem_set(p, "claims %d x %d pixels in %zu bytes; the file is damaged or cut off",
                           c->width, c->height, in.size);
    return c->memory <= anyway || (c->memory - anyway) / DEFLATED <= in.size ||
           problem_set(p,
                       "claims %d x %d pixels in %zu bytes, which take %llu MB; save it as an RGB "
                       "PNG, unless the file is damaged",
                       c->width, c->height, in.size, (unsigned long long)(c->memory >> 20));
}

/* Refuses before anything is allocated: a header of 30 bytes may claim any size. */
static bool within_limits(const codec *c, bytes in, const satb_image *shape, uint64_t max_pixels,
                          problem *p)
{
    const int width = shape->width, height = shape->height;
    if (width < 1 || height < 1)
        return problem_set(p, "claims %d x %d pixels; the file is damaged", width, height);
    picture_claim claim = {.width = width,
                           .height = height,
                           .unpacked = (uint64_t)width * (uint64_t)height,
                           .reach = c->pixels_per_byte,
                           .memory = picture_bytes(shape)};
    if (c->weigh)
        c->weigh(in, &claim);
    if (!picture_has_bytes(&claim, in, p) || !picture_allows(shape, max_pixels, p))
        return false;
    return picture_bytes(shape) <= codec_most_bytes(c) ||
           problem_set(p, "%d x %d pixels are too many for %s here (2 GiB); use PNG or PNM", width,
                       height, c->name);
}

/* Adds to the note how many samples a blur takes for others. */
static void note_odd(picture *pic)
{
    const half_odd odd = half_count_odd(&pic->image);
    const size_t used = strlen(pic->note);
    char low[96] = "", high[96] = "";
    if (odd.low > 0)
        snprintf(low, sizeof low, "%llu sample%s", (unsigned long long)odd.low,
                 odd.low == 1 ? " is negative or not a number and blurs as 0"
                              : "s are negative or not numbers and blur as 0");
    if (odd.high > 0)
        snprintf(high, sizeof high, "%llu sample%s", (unsigned long long)odd.high,
                 odd.high == 1 ? " is brighter than 4096 and blurs as 4096"
                               : "s are brighter than 4096 and blur as 4096");
    if (low[0] || high[0])
        snprintf(pic->note + used, sizeof pic->note - used, "%s%s%s%s", used ? "; " : "", low,
                 low[0] && high[0] ? "; " : "", high);
}

/* Replaces the codes by light, of sRGB's primaries where the profile's are known. */
static bool make_light(picture *pic, const decode_settings *s, problem *p)
{
    satb_image lit;
    double matrix[3][3];
    const bool moves = icc_to_srgb(blob_view(&pic->meta.icc), matrix);
    if (!gain_map_light(&pic->gain, &pic->image, moves ? matrix : NULL, s->threads, &lit, p))
        return false;
    if (moves)
        metadata_lose_profile(&pic->meta);
    pixels_drop(&pic->image);
    pixels_drop(&pic->gain.image);
    pic->image = lit;
    return true;
}

static void add_note(picture *pic, const char *text)
{
    const size_t used = strlen(pic->note);
    snprintf(pic->note + used, sizeof pic->note - used, "%s%s", used ? "; " : "", text);
}

/* Reads the gain map that the file says it has. False: memory ran out, and p has a sentence. */
static bool take_gain(picture *pic, const codec *c, bytes in, const decode_settings *s, problem *p)
{
    problem inner = {.text = ""};
    char note[200];
    if (s->gain == GAIN_LEAVE || pic->image.half || !c->read_gain ||
        !words_have(&pic->meta.lost, BESIDE_GAIN_MAP))
        return true;
    const gain_status found = c->read_gain(in, &pic->image, s, &pic->gain, &inner);
    if (found != GAIN_READ)
        pixels_drop(&pic->gain.image);
    if (found == GAIN_UNFIT && inner.kind == PROBLEM_MEMORY) {
        *p = inner;
        return false;
    }
    if (found == GAIN_UNFIT) {
        snprintf(note, sizeof note, "its gain map is not read (%.150s)", inner.text);
        add_note(pic, note);
    }
    if (found == GAIN_READ)
        words_remove(&pic->meta.lost, BESIDE_GAIN_MAP);
    if (found != GAIN_READ || s->gain == GAIN_KEEP)
        return true;
    add_note(pic, "its gain map was read, so it is light, with 1 for the picture's own white");
    return make_light(pic, s, p);
}

static bool decode_picture(picture *pic, const codec *c, bytes in, const char *path,
                           const decode_settings *s, problem *p)
{
    satb_image *const image = &pic->image;
    problem inner;
    pic->format = c->name;
    if (c->is_map && !s->as_map)
        return problem_set(p,
                           "%s: %s holds a depth map, not a picture; give it to --depth, or save a "
                           "picture as PNG",
                           path, c->name);
    if (s->as_map && c->decode_values) {
        const values_status status = c->decode_values(in, s, &pic->values, &inner);
        pic->library = c->library;
        pic->orientation = 1;
        if (status != VALUES_NONE)
            return status == VALUES_READ || problem_at(p, path, &inner);
    }
    if (!c->probe(in, image, &inner) || !within_limits(c, in, image, s->max_pixels, &inner))
        return problem_at(p, path, &inner);
    pic->white = c->white ? c->white(in) : image->bits == 16 ? UINT16_MAX : UINT8_MAX;
    if (c->has_codes && (s->as_map || s->codes_only))
        image->half = 0;
    if (image->half && (s->as_map || s->codes_only))
        return problem_set(p, "%s: %s holds light, not depths or codes; convert it to PNG", path,
                           c->name);
    if (s->accept && !s->accept(s->user, image, p))
        return false;
    inner.text[0] = '\0';
    pic->library = c->decode(in, image, s, &inner);
    if (!pic->library)
        return problem_at(p, path, &inner);
    snprintf(pic->note, sizeof pic->note, "%.250s", inner.text);
    metadata_read(&pic->meta, c->meta, in);
    if (pic->meta.out_of_memory) /* rather than a picture that has lost something only this time */
        return problem_set_kind(p, PROBLEM_MEMORY, "%s: not enough memory for its metadata", path);
    pic->orientation = exif_orientation(blob_view(&pic->meta.exif));
    image->stride = (ptrdiff_t)image->width * image->channels * (image->bits / 8);
    if (!take_gain(pic, c, in, s, &inner))
        return problem_at(p, path, &inner);
    if (image->half)
        note_odd(pic);
    return true;
}

/* Keeps the channel that was asked for of a map of codes. Numbers have been taken from it already. */
static bool take_channel(picture *pic, const char *path, const decode_settings *s, problem *p)
{
    problem inner;
    return !s->as_map || !s->channel || !pic->image.data ||
           picture_take_channel(&pic->image, s->channel, &inner) || problem_at(p, path, &inner);
}

bool picture_decode(picture *pic, const void *data, size_t size, const char *path,
                    const decode_settings *settings, problem *p)
{
    static const decode_settings defaults;
    *pic = (picture){.format = ""};
    const bytes in = {.data = data, .size = size};
    if (size == 0)
        return problem_set(p, "%s: the file is empty; give a picture", path);
    const codec *const c = codec_of(in, path);
    if (!c)
        return codec_refuse(in, path, p);
    settings = settings ? settings : &defaults;
    const isolate_status status =
        c->is_isolated ? isolate_decode(pic, c, in, path, settings, p) : ISOLATE_OFF;
    if ((status == ISOLATE_READ ||
         (status == ISOLATE_OFF && decode_picture(pic, c, in, path, settings, p))) &&
        take_channel(pic, path, settings, p))
        return true;
    picture_free(pic);
    return false;
}

void picture_lose_gain(picture *pic)
{
    words_add(&pic->meta.lost, pic->gain.image.data ? BESIDE_GAIN_MAP : "");
    pixels_drop(&pic->gain.image);
}

void picture_swap_pixels(picture *pic, picture *other)
{
    const picture before = *pic;
    pic->image = other->image;
    pic->gain = other->gain;
    pic->library = other->library;
    other->image = before.image;
    other->gain = before.gain;
    other->library = before.library;
    const bool had_light = before.gain.image.data || before.image.half;
    if (had_light && !pic->gain.image.data && !pic->image.half)
        words_add(&pic->meta.lost, BESIDE_GAIN_MAP);
}

void picture_free(picture *pic)
{
    pixels_drop(&pic->image);
    pixels_drop(&pic->gain.image);
    pixels_free(pic->values.data);
    metadata_free(&pic->meta);
    pixels_free(pic->file.data);
    *pic = (picture){.format = ""};
}
