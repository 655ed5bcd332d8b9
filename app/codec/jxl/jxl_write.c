/* JPEG XL files: writing, with the metadata, which libjxl puts into boxes of their own. */
#include "base/threads.h"
#include "codec/codec_format.h"
#include "codec/jxl/jxl_runner.h"
#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <jxl/encode.h>
#include <string.h>

enum { LOSSLESS_FROM = 100 }; /* the quality */

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Returns a half's number, or what stands for an infinity or NaN, which the format has no codes for. */
static float finite(uint16_t half)
{
    const uint16_t sign = half & 0x8000, size = half & 0x7fff;
    return half_to_float(size < HALF_INFINITY    ? half
                         : size == HALF_INFINITY ? (uint16_t)(sign | HALF_LARGEST)
                                                 : 0);
}

/* Copies light, with its colours divided by alpha: libjxl 0.7 has no way to write others. Halves that are multiplied by it again
 * are the same, unless alpha is 0. */
static void divide_light(const satb_image *image, float *to)
{
    const int channels = image->channels, colours = channels < 3 ? 1 : 3;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    const uint16_t *from = image->data;
    for (size_t i = 0; i < pixels; i++, from += channels, to += channels) {
        const float alpha = channels > colours ? finite(from[colours]) : 1;
        for (int c = 0; c < colours; c++)
            to[c] = alpha > 0 ? finite(from[c]) / alpha : 0;
        if (channels > colours)
            to[colours] = alpha;
    }
}

static bool add_light(const JxlEncoderFrameSettings *frame, const satb_image *image)
{
    const JxlPixelFormat format = {.num_channels = (uint32_t)image->channels,
                                   .data_type = JXL_TYPE_FLOAT,
                                   .endianness = JXL_NATIVE_ENDIAN};
    const size_t size = picture_bytes(image) * (sizeof(float) / sizeof(uint16_t));
    float *const copy = pixels_allocate(size);
    if (copy)
        divide_light(image, copy);
    const bool done =
        copy && JxlEncoderAddImageFrame(frame, &format, copy, size) == JXL_ENC_SUCCESS;
    pixels_free(copy);
    return done;
}

static bool add_codes(const JxlEncoderFrameSettings *frame, const satb_image *image)
{
    const JxlPixelFormat format = {.num_channels = (uint32_t)image->channels,
                                   .data_type =
                                       image->bits == 16 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                                   .endianness = JXL_NATIVE_ENDIAN};
    return JxlEncoderAddImageFrame(frame, &format, image->data, picture_bytes(image)) ==
           JXL_ENC_SUCCESS;
}

/* --- The file --------------------------------------------------------------------------------- */

/* Lossless halves are written as floats of 32 bits, because libjxl writes other halves for those below 2^-14. */
static bool set_shape(JxlEncoder *encoder, const satb_image *image, bool is_lossless)
{
    enum { HALF_EXPONENT = 5, FLOAT = 32, FLOAT_EXPONENT = 8 };
    const bool is_float = image->half && is_lossless;
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = (uint32_t)image->width;
    info.ysize = (uint32_t)image->height;
    info.bits_per_sample = is_float ? FLOAT : (uint32_t)image->bits;
    info.exponent_bits_per_sample = is_float ? FLOAT_EXPONENT : image->half ? HALF_EXPONENT : 0;
    info.num_color_channels = image->channels < 3 ? 1 : 3;
    info.uses_original_profile = is_lossless;
    if (image->channels % 2 == 0) {
        info.num_extra_channels = 1;
        info.alpha_bits = info.bits_per_sample;
        info.alpha_exponent_bits = info.exponent_bits_per_sample;
    }
    return JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS;
}

static bool set_colours(JxlEncoder *encoder, const satb_image *image, const metadata *meta)
{
    JxlColorEncoding colours;
    if (meta && meta->icc.data && !image->half)
        return JxlEncoderSetICCProfile(encoder, meta->icc.data, meta->icc.size) == JXL_ENC_SUCCESS;
    (image->half ? JxlColorEncodingSetToLinearSRGB
                 : JxlColorEncodingSetToSRGB)(&colours, image->channels < 3);
    return JxlEncoderSetColorEncoding(encoder, &colours) == JXL_ENC_SUCCESS;
}

/* EXIF stands behind the four bytes of an offset, 0. */
static bool add_exif(JxlEncoder *encoder, const blob *exif)
{
    blob box = {.size = 0};
    const bool done =
        blob_add(&box, "\0\0\0", 4) && blob_add(&box, exif->data, exif->size) &&
        JxlEncoderAddBox(encoder, "Exif", box.data, box.size, JXL_FALSE) == JXL_ENC_SUCCESS;
    blob_free(&box);
    return done;
}

static bool add_boxes(JxlEncoder *encoder, const metadata *meta)
{
    if (!meta || (!meta->exif.data && !meta->xmp.data))
        return true;
    return JxlEncoderUseBoxes(encoder) == JXL_ENC_SUCCESS &&
           (!meta->exif.data || add_exif(encoder, &meta->exif)) &&
           (!meta->xmp.data || JxlEncoderAddBox(encoder, "xml ", meta->xmp.data, meta->xmp.size,
                                                JXL_FALSE) == JXL_ENC_SUCCESS);
}

/* Returns the distance of cjxl for a quality: JxlEncoderDistanceFromQuality() of libjxl 0.8, up to the largest of 0.7. */
static float distance_of(int quality)
{
    const float q = (float)quality, most = 15;
    const float distance =
        quality >= 30 ? 0.1F + (100 - q) * 0.09F : 53 / 3000.0F * q * q - 23 / 20.0F * q + 25;
    return distance < most ? distance : most;
}

/* The library's own effort, 7, takes some four times as long for a file that is some 5 % smaller. */
static bool set_up_frame(JxlEncoderFrameSettings *frame, int quality)
{
    enum { EFFORT = 4, LOSSLESS_EFFORT = 3 };
    const bool is_lossless = quality >= LOSSLESS_FROM;
    return frame &&
           JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT,
                                            is_lossless ? LOSSLESS_EFFORT : EFFORT) ==
               JXL_ENC_SUCCESS &&
           (is_lossless
                ? JxlEncoderSetFrameLossless(frame, JXL_TRUE)
                : JxlEncoderSetFrameDistance(frame, distance_of(quality))) == JXL_ENC_SUCCESS;
}

/* Passes the file on, piece by piece. */
static bool put_file(JxlEncoder *encoder, sink *to)
{
    uint8_t piece[1 << 14];
    JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT;
    while (status == JXL_ENC_NEED_MORE_OUTPUT && !to->failed) {
        uint8_t *next = piece;
        size_t left = sizeof piece;
        status = JxlEncoderProcessOutput(encoder, &next, &left);
        sink_put(to, piece, (size_t)(next - piece));
    }
    return status == JXL_ENC_SUCCESS || to->failed;
}

static bool encode_with(JxlEncoder *encoder, const satb_image *image,
                        const encode_settings *settings, sink *to)
{
    int threads = settings->threads > 0 ? settings->threads : satb_processors();
    const bool is_lossless = settings->quality >= LOSSLESS_FROM;
    if (JxlEncoderSetParallelRunner(encoder, jxl_run, &threads) != JXL_ENC_SUCCESS ||
        !set_shape(encoder, image, is_lossless) || !set_colours(encoder, image, settings->meta) ||
        !add_boxes(encoder, settings->meta))
        return false;
    JxlEncoderFrameSettings *const frame = JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (!set_up_frame(frame, settings->quality) ||
        !(image->half ? add_light : add_codes)(frame, image))
        return false;
    JxlEncoderCloseInput(encoder);
    return put_file(encoder, to);
}

/* Returns the bytes that encoding takes at most. Without memory the library ends the program. */
static size_t bytes_needed(const satb_image *image)
{
    enum { FIXED = 64 << 20, A_PIXEL = 48, A_SAMPLE = 24 };
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    return FIXED + (A_PIXEL + A_SAMPLE * (size_t)image->channels) * pixels;
}

const char *jxl_encode(const satb_image *image, const encode_settings *settings, sink *to,
                       problem *p)
{
    JxlEncoder *const encoder =
        threads_have_memory(bytes_needed(image)) ? JxlEncoderCreate(NULL) : NULL;
    if (!encoder) {
        problem_set(p, "not enough memory to write it");
        return NULL;
    }
    const bool done = encode_with(encoder, image, settings, to);
    JxlEncoderDestroy(encoder);
    if (!done)
        problem_set(p, "libjxl could not write it; use .png");
    return done ? "libjxl" : NULL;
}
