/* The formats: which one a file is, what is refused before anything is allocated, and what each can
 * hold. */
#include "codec/codec.h"

#include "format/exif.h"
#include "metadata/splice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LARGEST_SIDE   (1 << 24) /* the library's limits */
#define LARGEST_PIXELS ((uint64_t)1 << 31)
#define STB_BYTES      ((uint64_t)INT32_MAX) /* stb counts bytes in int */

struct codec {
    const char *name, *ending;
    bool (*matches)(bytes in, const char *path);
    bool (*probe)(bytes in, satb_image *shape, problem *p);
    const char *(*decode)(bytes in, satb_image *image, const decode_settings *settings, problem *p);
    const char *(*encode)(const satb_image *image, const encode_settings *settings, sink *to,
                          problem *p);
    uint64_t pixels_per_byte; /* more than the format can pack into a byte: a bound on what a small
                                 file may claim */
    uint64_t largest_bytes;   /* decoded */
    int largest_side;         /* writing */
    int deepest;              /* bits per sample, writing */
    unsigned channels;        /* writing: bit n is set where n channels can be held */
    metadata_format meta;
};

enum { CODEC_COUNT = 8 };
static const struct codec codecs[CODEC_COUNT];

/* --- Reading ---------------------------------------------------------------------------------- */

static bool has_ending(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') && strcasecmp(dot + 1, ending) == 0;
}

static bool begins(bytes in, const char *with, size_t size)
{
    return in.size >= size && memcmp(in.data, with, size) == 0;
}

static bool is_png(bytes in, const char *path)
{
    (void)path;
    return begins(in, "\x89PNG\r\n\x1a\n", 8);
}

static bool is_jpeg(bytes in, const char *path)
{
    (void)path;
    return begins(in, "\xff\xd8\xff", 3);
}

static bool is_bmp(bytes in, const char *path)
{
    (void)path;
    return begins(in, "BM", 2);
}

static bool is_pnm(bytes in, const char *path)
{
    (void)path;
    return begins(in, "P5", 2) || begins(in, "P6", 2);
}

/* A TGA begins with nothing certain: its name or the footer of version 2 must say so. */
static bool is_tga(bytes in, const char *path)
{
    static const char footer[] = "TRUEVISION-XFILE.";
    return has_ending(path, "tga") ||
           (in.size > sizeof footer &&
            memcmp(in.data + in.size - sizeof footer, footer, sizeof footer) == 0);
}

/* The name of a known format that is not read here, or NULL. */
static const char *foreign(bytes in)
{
    static const struct {
        const char *name, *magic;
        size_t at, size;
    } known[] = {
        {"GIF", "GIF8", 0, 4},
        {"WebP", "WEBP", 8, 4},
        {"TIFF", "II*\0", 0, 4},
        {"TIFF", "MM\0*", 0, 4},
        {"HEIF or AVIF", "ftyp", 4, 4},
        {"PSD", "8BPS", 0, 4},
        {"OpenEXR", "v/1\x01", 0, 4},
        {"Radiance HDR", "#?", 0, 2},
        {"JPEG XL", "\xff\x0a", 0, 2},
        {"plain PNM", "P1", 0, 2},
        {"plain PGM", "P2", 0, 2},
        {"plain PPM", "P3", 0, 2},
        {"PBM", "P4", 0, 2},
        {"PAM", "P7", 0, 2},
        {"float PFM", "PF", 0, 2},
        {"float PFM", "Pf", 0, 2},
        {"PDF", "%PDF", 0, 4},
        {"JPEG 2000", "jP  ", 4, 4},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (in.size >= known[i].at + known[i].size &&
            memcmp(in.data + known[i].at, known[i].magic, known[i].size) == 0)
            return known[i].name;
    return NULL;
}

/* Refuses before anything is allocated: a header of 30 bytes may claim any size. */
static bool within_limits(const struct codec *c, bytes in, const satb_image *shape,
                          uint64_t max_pixels, problem *p)
{
    const int64_t width = shape->width, height = shape->height;
    if (width < 1 || height < 1) {
        return problem_set(p, "claims %lld x %lld pixels; the file is damaged", (long long)width,
                           (long long)height);
    }
    const uint64_t pixels = (uint64_t)width * (uint64_t)height;
    if (pixels / c->pixels_per_byte > in.size) {
        return problem_set(p,
                           "claims %lld x %lld pixels in %zu bytes; the file is damaged or cut off",
                           (long long)width, (long long)height, in.size);
    }
    if (width > LARGEST_SIDE || height > LARGEST_SIDE || pixels > LARGEST_PIXELS) {
        return problem_set(
            p, "%lld x %lld pixels are too many; at most 16777216 a side and 2147483648 in all",
            (long long)width, (long long)height);
    }
    if (pixels > max_pixels) {
        return problem_set(p,
                           "%lld x %lld pixels are more than the %llu that --max-pixels allows; "
                           "raise it if the file is to be trusted",
                           (long long)width, (long long)height, (unsigned long long)max_pixels);
    }
    if (picture_bytes(shape) > c->largest_bytes) {
        return problem_set(p, "%lld x %lld pixels are too many for %s here (2 GiB); use PNG or PNM",
                           (long long)width, (long long)height, c->name);
    }
    return true;
}

static bool decode(picture *pic, const struct codec *c, bytes in, const decode_settings *settings,
                   problem *p)
{
    static const decode_settings defaults;
    const decode_settings *const s = settings ? settings : &defaults;
    const uint64_t most = s->max_pixels ? s->max_pixels : PICTURE_PIXELS;
    pic->format = c->name;
    if (!c->probe(in, &pic->image, p) || !within_limits(c, in, &pic->image, most, p) ||
        !(pic->library = c->decode(in, &pic->image, s, p))) {
        picture_free(pic);
        return false;
    }
    metadata_read(&pic->meta, c->meta, in);
    if (pic->meta.starved) { /* rather than a picture that has lost something only this time */
        picture_free(pic);
        return problem_set(p, "not enough memory for its metadata");
    }
    pic->orientation = exif_orientation(blob_view(&pic->meta.exif));
    pic->image.stride = (ptrdiff_t)pic->image.width * pic->image.channels * (pic->image.bits / 8);
    return true;
}

bool picture_decode(picture *pic, const void *data, size_t size, const char *path,
                    const decode_settings *settings, problem *p)
{
    *pic = (picture){.format = ""};
    const bytes in = {.data = data, .size = size};
    if (size == 0)
        return problem_set(p, "%s: the file is empty; give a picture", path);
    for (size_t i = 0; i < CODEC_COUNT; i++) {
        if (codecs[i].matches && codecs[i].matches(in, path)) {
            problem inner;
            return decode(pic, &codecs[i], in, settings, &inner) || problem_at(p, path, &inner);
        }
    }
    const char *other = foreign(in);
    if (other)
        return problem_set(p, "%s: %s is not read here; convert it to PNG", path, other);
    return problem_set(
        p, "%s: not a picture that is known here; give PNG, JPEG, BMP, TGA, PGM or PPM", path);
}

void picture_free(picture *pic)
{
    pixels_drop(&pic->image);
    metadata_free(&pic->meta);
    *pic = (picture){.format = ""};
}

void codec_list(FILE *to)
{
    const char *isal = isal_name(), *turbo = turbo_name(), *gpu = nvjpeg_name();
    fprintf(to, "PNG: %s%slibspng, stb with libdeflate\n", isal ? isal : "", isal ? ", " : "");
    fprintf(to, "JPEG: %s%sstb\n", turbo ? turbo : "", turbo ? ", " : "");
    if (gpu)
        fprintf(to, "JPEG with --codec gpu: %s; what it does not take, as above\n", gpu);
    fprintf(to, "BMP, TGA: stb\nPGM, PPM: satblur\n");
}

/* --- Writing ---------------------------------------------------------------------------------- */

const codec *codec_for_output(const char *path, problem *p)
{
    for (size_t i = 0; i < CODEC_COUNT; i++)
        if (has_ending(path, codecs[i].ending))
            return &codecs[i];
    problem_set(p,
                "%s: the ending names no format that is written here; use .png, .jpg, .bmp, .tga, "
                ".pgm, .ppm or .pnm",
                path);
    return NULL;
}

/* The channels to write: the same, or with colour added, or without alpha; 0 where colour would be
 * lost. */
static int fit_channels(const struct codec *c, int channels)
{
    static const int candidates[5][4] = {{0}, {1, 3}, {2, 4, 1, 3}, {3}, {4, 3}};
    for (int i = 0; i < 4 && candidates[channels][i]; i++)
        if (c->channels & (1u << candidates[channels][i]))
            return candidates[channels][i];
    return 0;
}

bool codec_fit(const codec *c, const satb_image *image, const char *path, satb_image *fit,
               char note[128], problem *p)
{
    *fit = *image;
    note[0] = '\0';
    fit->channels = fit_channels(c, image->channels);
    fit->bits = image->bits < c->deepest ? image->bits : c->deepest;
    fit->stride = (ptrdiff_t)fit->width * fit->channels * (fit->bits / 8);
    if (fit->channels == 0) {
        return problem_set(
            p, "%s: %s holds gray only and the picture is colour; use .ppm, .pnm or .png", path,
            c->name);
    }
    if (image->width > c->largest_side || image->height > c->largest_side ||
        picture_bytes(fit) > c->largest_bytes) {
        return problem_set(p, "%s: %s cannot hold %d x %d pixels; use .png", path, c->name,
                           image->width, image->height);
    }
    if (fit->channels == image->channels && fit->bits == image->bits)
        return true;
    const bool alpha = image->channels % 2 == 0 && fit->channels % 2 == 1;
    snprintf(note, 128, "%s cannot hold %s%s%s; written as %d-bit %s%s", c->name,
             fit->bits != image->bits ? "16 bits" : "",
             fit->bits != image->bits && fit->channels != image->channels ? " or " : "",
             fit->channels != image->channels ? picture_channel_words(image->channels) : "",
             fit->bits, picture_channel_words(fit->channels), alpha ? ", alpha dropped" : "");
    return true;
}

metadata_format codec_metadata(const codec *c)
{
    return c->meta;
}

static unsigned sample(const satb_image *image, const uint8_t *row, size_t at)
{
    return image->bits == 16 ? ((const uint16_t *)(const void *)row)[at] : row[at];
}

/* Converts a row to the channels and bits of fit, which holds at least the colour that the row has.
 */
static void convert_row(const satb_image *image, const uint8_t *row, const satb_image *fit,
                        uint8_t *out)
{
    const int from = image->channels, to = fit->channels;
    const int colours = from >= 3 ? 3 : 1;
    for (int x = 0; x < image->width; x++) {
        for (int c = 0; c < to; c++) {
            const bool alpha = to % 2 == 0 && c == to - 1;
            const int source = alpha ? from - 1 : c < colours ? c : 0;
            const unsigned v = sample(image, row, (size_t)x * (size_t)from + (size_t)source);
            const size_t at = (size_t)x * (size_t)to + (size_t)c;
            if (fit->bits == 16)
                ((uint16_t *)(void *)out)[at] = (uint16_t)v;
            else
                out[at] = (uint8_t)(image->bits == 16 ? (v * 255u + 32767u) / 65535u : v);
        }
    }
}

static const char *encode_pixels(const codec *c, const satb_image *image,
                                 const encode_settings *settings, sink *to, problem *p)
{
    satb_image fit;
    char note[128];
    if (!codec_fit(c, image, "output", &fit, note, p))
        return NULL;
    if (note[0] == '\0' && image->stride == fit.stride)
        return c->encode(image, settings, to, p);
    fit.data = pixels_allocate(picture_bytes(&fit));
    if (!fit.data) {
        problem_set(p, "not enough memory to convert %d x %d pixels", fit.width, fit.height);
        return NULL;
    }
    for (int y = 0; y < image->height; y++) {
        convert_row(image, (const uint8_t *)image->data + y * image->stride, &fit,
                    (uint8_t *)fit.data + y * fit.stride);
    }
    const char *library = c->encode(&fit, settings, to, p);
    pixels_free(fit.data);
    return library;
}

const char *codec_encode(const codec *c, const satb_image *image, const encode_settings *settings,
                         sink *to, problem *p)
{
    splice s;
    if (!settings->meta || c->meta == METADATA_NONE || metadata_is_empty(settings->meta))
        return encode_pixels(c, image, settings, to, p);
    if (!splice_begin(&s, settings->meta, c->meta, to)) {
        problem_set(p, "not enough memory to write its metadata");
        return NULL;
    }
    const char *library = encode_pixels(c, image, settings, &s.in, p);
    splice_end(&s);
    return library;
}

/* Deflate packs at most 1032 bytes into one, so a PNG of one bit per pixel holds 8256 pixels a
 * byte; a JPEG needs 2 bits for a block of 64 pixels, or 1 in a progressive scan; an RLE packet of
 * a TGA holds 128 pixels in 2 bytes. */
static const struct codec codecs[CODEC_COUNT] = {
    {"PNG", "png", is_png, png_probe, png_decode, png_encode, 16384, UINT64_MAX, LARGEST_SIDE, 16,
     0x1e, METADATA_PNG},
    {"JPEG", "jpg", is_jpeg, jpeg_probe, jpeg_decode, jpeg_encode, 2048, STB_BYTES, 65535, 8,
     1u << 3, METADATA_JPEG},
    {"BMP", "bmp", is_bmp, stb_probe, stb_decode, stb_encode_bmp, 8, STB_BYTES, LARGEST_SIDE, 8,
     1u << 3 | 1u << 4, METADATA_NONE},
    {"PNM", "pnm", is_pnm, pnm_probe, pnm_decode, pnm_encode, 1, UINT64_MAX, LARGEST_SIDE, 16,
     1u << 1 | 1u << 3, METADATA_NONE},
    {"TGA", "tga", is_tga, tga_probe, tga_decode, stb_encode_tga, 64, STB_BYTES, 65535, 8, 0x1e,
     METADATA_NONE},
    {.name = "PGM",
     .ending = "pgm",
     .encode = pnm_encode,
     .pixels_per_byte = 1,
     .largest_bytes = UINT64_MAX,
     .largest_side = LARGEST_SIDE,
     .deepest = 16,
     .channels = 1u << 1},
    {.name = "PPM",
     .ending = "ppm",
     .encode = pnm_encode,
     .pixels_per_byte = 1,
     .largest_bytes = UINT64_MAX,
     .largest_side = LARGEST_SIDE,
     .deepest = 16,
     .channels = 1u << 3},
    {.name = "JPEG",
     .ending = "jpeg",
     .encode = jpeg_encode,
     .pixels_per_byte = 1,
     .largest_bytes = STB_BYTES,
     .largest_side = 65535,
     .deepest = 8,
     .channels = 1u << 3,
     .meta = METADATA_JPEG},
};
