/* HEIC and AVIF files: writing, with the metadata, which libheif puts into items of their own. */
#include "codec/codec_format.h"
#include "base/threads.h"
#include "image/shape.h"

#include <libheif/heif.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FULL_COLOURS_FROM = 90 }; /* AVIF of a higher quality has them */

const char *heif_name(void)
{
    return "libheif " LIBHEIF_VERSION;
}

static bool has_encoder(enum heif_compression_format format, const char *names, problem *p)
{
    return heif_have_encoder_for_format(format) ||
           problem_set(p, "this libheif has no encoder for it (%s); install one, or use .png",
                       names);
}

bool heic_writes(problem *p)
{
    return has_encoder(heif_compression_HEVC, "x265", p);
}

bool avif_writes(problem *p)
{
    return has_encoder(heif_compression_AV1, "aom", p);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static unsigned rounded_sample(const satb_image *image, const uint8_t *row, size_t at, int bits)
{
    const unsigned v = picture_sample(image, row, at);
    return image->bits == 16 ? (v * ((1u << bits) - 1) + UINT16_MAX / 2) / UINT16_MAX : v;
}

/* Copies channels first .. first + count - 1 of each pixel into a plane. */
static bool fill_plane(const satb_image *image, int first, int count, enum heif_channel channel,
                       int deep, struct heif_image *to)
{
    int stride;
    const int bits = image->bits == 16 ? deep : 8;
    if (heif_image_add_plane(to, channel, image->width, image->height, bits).code != heif_error_Ok)
        return false;
    uint8_t *const plane = heif_image_get_plane(to, channel, &stride);
    for (int y = 0; plane && y < image->height; y++) {
        const uint8_t *from = (const uint8_t *)image->data + y * image->stride;
        uint8_t *row = plane + (ptrdiff_t)y * stride;
        for (int i = 0; i < image->width * count; i++) {
            const int x = i / count, c = first + i % count;
            const unsigned v = rounded_sample(image, from, (size_t)(x * image->channels + c), bits);
            if (bits == 8)
                row[i] = (uint8_t)v;
            else
                ((uint16_t *)(void *)row)[i] = (uint16_t)v;
        }
    }
    return plane != NULL;
}

/* Fills one plane with all channels of a colour picture, or one each for gray and its alpha. */
static bool fill_planes(const satb_image *image, int deep, struct heif_image *to)
{
    if (image->channels >= 3)
        return fill_plane(image, 0, image->channels, heif_channel_interleaved, deep, to);
    return fill_plane(image, 0, 1, heif_channel_Y, deep, to) &&
           (image->channels == 1 || fill_plane(image, 1, 1, heif_channel_Alpha, deep, to));
}

static enum heif_chroma chroma_of(const satb_image *image)
{
    static const enum heif_chroma chromas[2][2] = {
        {heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA},
        {heif_chroma_interleaved_RRGGBB_LE, heif_chroma_interleaved_RRGGBBAA_LE}};
    if (image->channels < 3)
        return heif_chroma_monochrome;
    return chromas[image->bits == 16][image->channels - 3];
}

/* Names sRGB, and a profile where there is one. */
static void set_colours(struct heif_image *to, const metadata *meta)
{
    struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
    if (nclx) {
        nclx->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
        nclx->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
        nclx->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
        nclx->full_range_flag = 1;
        heif_image_set_nclx_color_profile(to, nclx);
        heif_nclx_color_profile_free(nclx);
    }
    if (meta && meta->icc.data)
        heif_image_set_raw_color_profile(to, "prof", meta->icc.data, meta->icc.size);
}

/* deep: the bits of samples that have 16. */
static struct heif_image *make_image(const satb_image *image, int deep, const metadata *meta)
{
    const bool is_gray = image->channels < 3;
    struct heif_image *to = NULL;
    if (heif_image_create(image->width, image->height,
                          is_gray ? heif_colorspace_monochrome : heif_colorspace_RGB,
                          chroma_of(image), &to)
            .code != heif_error_Ok)
        return NULL;
    if (fill_planes(image, deep, to)) {
        set_colours(to, meta);
        return to;
    }
    heif_image_release(to);
    return NULL;
}

/* --- Files ------------------------------------------------------------------------------------ */

/* The bytes do not depend on the threads: x265 works in rows with any number of them, but not with none. It has one more for
 * the picture. Phones show no HEVC of full colour resolution, so HEIC never has it. */
static void set_up_hevc(struct heif_encoder *encoder, int threads)
{
    char count[16];
    snprintf(count, sizeof count, "%d", threads);
    heif_encoder_set_parameter_string(encoder, "x265:frame-threads", "1");
    heif_encoder_set_parameter_string(encoder, "preset", "fast");
    heif_encoder_set_parameter_string(encoder, "chroma", "420");
    heif_encoder_set_parameter_string(encoder, "x265:pools", count);
}

/* aom works in rows with two threads or more, and the bytes are the same for any number of those; one is the caller's. Above quality 90 the
 * colours keep the full resolution, as in JPEG. */
static void set_up_av1(struct heif_encoder *encoder, int threads, int quality)
{
    heif_encoder_set_parameter_integer(encoder, "speed", 7);
    heif_encoder_set_parameter_integer(encoder, "threads", threads + 1);
    heif_encoder_set_parameter_string(encoder, "chroma",
                                      quality > FULL_COLOURS_FROM ? "444" : "420");
}

static struct heif_encoder *make_encoder(struct heif_context *context,
                                         enum heif_compression_format format, int threads,
                                         const encode_settings *settings)
{
    struct heif_encoder *encoder = NULL;
    if (heif_context_get_encoder_for_format(context, format, &encoder).code != heif_error_Ok)
        return NULL;
    heif_encoder_set_lossy_quality(encoder, settings->quality);
    heif_encoder_set_logging_level(encoder, 0);
    if (format == heif_compression_HEVC)
        set_up_hevc(encoder, threads);
    else
        set_up_av1(encoder, threads, settings->quality);
    return encoder;
}

static struct heif_error write_bytes(struct heif_context *context, const void *data, size_t size,
                                     void *user)
{
    (void)context;
    const bool done = sink_put(user, data, size);
    return (struct heif_error){done ? heif_error_Ok : heif_error_Encoding_error,
                               heif_suberror_Unspecified, done ? "Success" : "not written"};
}

static struct heif_error out_of_memory(void)
{
    return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified,
                               "not enough memory"};
}

static struct heif_error add_metadata(struct heif_context *context,
                                      const struct heif_image_handle *handle, const metadata *meta)
{
    struct heif_error error = {heif_error_Ok, heif_suberror_Unspecified, "Success"};
    if (meta && meta->exif.data)
        error =
            heif_context_add_exif_metadata(context, handle, meta->exif.data, (int)meta->exif.size);
    if (meta && meta->xmp.data && error.code == heif_error_Ok)
        error = heif_context_add_XMP_metadata(context, handle, meta->xmp.data, (int)meta->xmp.size);
    return error;
}

/* x265 fills tables of its functions when the process's first picture comes, and one that comes meanwhile calls what is not
 * there yet. So that picture is encoded alone. */
static struct heif_error first_alone(struct heif_context *context, const struct heif_image *image,
                                     struct heif_encoder *encoder,
                                     const struct heif_encoding_options *options,
                                     struct heif_image_handle **handle)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool had_one;
    pthread_mutex_lock(&lock);
    const bool is_first = !had_one;
    if (!is_first)
        pthread_mutex_unlock(&lock);
    const struct heif_error error =
        heif_context_encode_image(context, image, encoder, options, handle);
    if (is_first) {
        had_one = true;
        pthread_mutex_unlock(&lock);
    }
    return error;
}

/* A gray picture whose size the encoder rounds up is cropped by a property. For colours a grid of one tile crops, which
 * Apple's programs read better, but libheif reads all grids as RGB. */
static struct heif_error encode_image(struct heif_context *context, const struct heif_image *image,
                                      struct heif_encoder *encoder,
                                      struct heif_image_handle **handle)
{
    struct heif_encoding_options *options = heif_encoding_options_alloc();
    if (!options)
        return out_of_memory();
    if (heif_image_get_colorspace(image) == heif_colorspace_monochrome)
        options->macOS_compatibility_workaround = 0;
    const struct heif_error error = first_alone(context, image, encoder, options, handle);
    heif_encoding_options_free(options);
    return error;
}

static struct heif_error write_file(struct heif_context *context, const struct heif_image *image,
                                    struct heif_encoder *encoder, const metadata *meta, sink *to)
{
    struct heif_writer writer = {.writer_api_version = 1, .write = write_bytes};
    struct heif_image_handle *handle = NULL;
    struct heif_error error = encode_image(context, image, encoder, &handle);
    if (error.code == heif_error_Ok)
        error = add_metadata(context, handle, meta);
    if (error.code == heif_error_Ok)
        error = heif_context_write(context, &writer, to);
    if (handle)
        heif_image_handle_release(handle);
    return error;
}

static bool explain(problem *p, struct heif_error error)
{
    return error.code == heif_error_Memory_allocation_error
               ? problem_set(p, "not enough memory to write it")
               : problem_set(p, "libheif could not write it (%.200s); use .png", error.message);
}

/* The text of an error lives as long as the context. */
static bool encode_with(const satb_image *image, enum heif_compression_format format, int threads,
                        const encode_settings *settings, sink *to, problem *p)
{
    const int deep = format == heif_compression_HEVC ? HEIC_DEEPEST : AVIF_DEEPEST;
    struct heif_error error = out_of_memory();
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder =
        context ? make_encoder(context, format, threads, settings) : NULL;
    struct heif_image *picture = encoder ? make_image(image, deep, settings->meta) : NULL;
    if (picture)
        error = write_file(context, picture, encoder, settings->meta, to);
    const bool done = error.code == heif_error_Ok || to->failed || explain(p, error);
    if (picture)
        heif_image_release(picture);
    if (encoder)
        heif_encoder_release(encoder);
    if (context)
        heif_context_free(context);
    return done;
}

enum { A_THREAD = 8 << 20 }; /* bytes, with its stack */

/* Returns the bytes that encoding takes at most beside its threads. */
static size_t bytes_needed(const satb_image *image, enum heif_compression_format format,
                           int quality)
{
    enum { FIXED = 12 << 20, A_PIXEL = 12, A_SAMPLE = 10, A_FULL_SAMPLE = 24 };
    const bool is_full = format == heif_compression_AV1 && quality > FULL_COLOURS_FROM;
    const size_t a_pixel = A_PIXEL + (size_t)image->channels * (is_full ? A_FULL_SAMPLE : A_SAMPLE);
    return FIXED + a_pixel * (size_t)image->width * (size_t)image->height;
}

/* How many threads a library has: those that it is asked for, and more that it starts in any case. */
typedef struct thread_use {
    int wanted, more;
} thread_use;

/* x265 has one for the picture beside its workers. aom's first one is the caller's. */
static thread_use threads_of(enum heif_compression_format format, int threads)
{
    enum { MOST_AV1 = 15 };
    const int all = threads > 0 ? threads : satb_processors();
    if (format == heif_compression_HEVC)
        return (thread_use){.wanted = all, .more = 1};
    return (thread_use){.wanted = all < 2 ? 1 : all <= MOST_AV1 ? all - 1 : MOST_AV1};
}

/* Without memory or threads x265 ends the program, or waits for ever. One thread has to do where there is not enough for all. */
static const char *encode(const satb_image *image, enum heif_compression_format format,
                          const encode_settings *settings, sink *to, problem *p)
{
    thread_use use = threads_of(format, settings->threads);
    const size_t needed = bytes_needed(image, format, settings->quality);
    if (!threads_have_memory(needed + A_THREAD * (size_t)(use.wanted + use.more)))
        use.wanted = 1;
    if (!threads_have_memory(needed + A_THREAD * (size_t)(use.wanted + use.more))) {
        problem_set(p, "not enough memory to write it");
        return NULL;
    }
    use.wanted = threads_take(use.wanted, use.more);
    if (use.wanted == 0) {
        problem_set(p, "too few threads can be started to write it; allow more, or use .png");
        return NULL;
    }
    const bool done = encode_with(image, format, use.wanted, settings, to, p);
    threads_give_back(use.wanted, use.more);
    return done ? heif_name() : NULL;
}

const char *heic_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p)
{
    return encode(image, heif_compression_HEVC, settings, to, p);
}

const char *avif_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p)
{
    return encode(image, heif_compression_AV1, settings, to, p);
}
