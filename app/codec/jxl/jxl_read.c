/* JPEG XL files: reading. Of an animation the first frame counts. */
#include "codec/code_light.h"
#include "codec/codec_format.h"
#include "codec/decode_limit.h"
#include "codec/jxl/jxl_runner.h"
#include "format/jxl_file.h"
#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_EXTRA = 64 }; /* channels beside the colours */

bool jxl_is(bytes in, const char *path)
{
    static const uint8_t box[] = "\0\0\0\x0cJXL \r\n\x87\n", stream[] = "\xff\x0a";
    (void)path;
    return (in.size >= sizeof box - 1 && memcmp(in.data, box, sizeof box - 1) == 0) ||
           (in.size >= sizeof stream - 1 && memcmp(in.data, stream, sizeof stream - 1) == 0);
}

static bool explain(JxlDecoderStatus status, problem *p)
{
    return problem_set(p, status == JXL_DEC_NEED_MORE_INPUT
                              ? "the JPEG XL is cut off; get a whole copy"
                              : "the JPEG XL is damaged; get a whole copy");
}

static bool open_file(jxl_file *f, bytes in, int events, problem *p)
{
    return jxl_open(f, in, events) || problem_set(p, "not enough memory to read it");
}

/* --- Its shape -------------------------------------------------------------------------------- */

/* Floats that are no light become codes of 16 bits. */
static satb_image shape_of(const jxl_file *f)
{
    const JxlBasicInfo *const i = &f->info;
    const bool is_deep =
        i->exponent_bits_per_sample > 0 || i->bits_per_sample > 8 || i->alpha_bits > 8;
    satb_image shape = {.width = (int)i->xsize,
                        .height = (int)i->ysize,
                        .channels = (int)i->num_color_channels + (i->alpha_bits > 0),
                        .half = jxl_is_light(f)};
    shape.bits = shape.half || is_deep ? 16 : 8;
    shape.stride = (ptrdiff_t)shape.width * shape.channels * (shape.bits / 8);
    return shape;
}

/* Returns whether the picture has a channel of black. */
static bool has_ink(const jxl_file *f)
{
    JxlExtraChannelInfo extra;
    for (uint32_t i = 0; i < f->info.num_extra_channels; i++)
        if (JxlDecoderGetExtraChannelInfo(f->decoder, i, &extra) == JXL_DEC_SUCCESS &&
            extra.type == JXL_CHANNEL_BLACK)
            return true;
    return false;
}

static bool accept_head(const jxl_file *f, problem *p)
{
    if (f->info.xsize > PICTURE_SIDE || f->info.ysize > PICTURE_SIDE)
        return problem_set(p, "%u x %u pixels are too many; at most %d a side", f->info.xsize,
                           f->info.ysize, PICTURE_SIDE);
    if (f->info.num_extra_channels > MOST_EXTRA)
        return problem_set(p, "it has %u channels beside its colours, and %d are read; save fewer",
                           f->info.num_extra_channels, MOST_EXTRA);
    return !has_ink(f) || problem_set(p, "CMYK is not read here; save it as RGB");
}

bool jxl_probe(bytes in, satb_image *shape, problem *p)
{
    jxl_file f;
    bool done = open_file(&f, in, 0, p);
    const JxlDecoderStatus status = done ? jxl_next(&f) : JXL_DEC_ERROR;
    done = done && (status == JXL_DEC_SUCCESS || explain(status, p)) && accept_head(&f, p);
    if (done)
        *shape = shape_of(&f);
    jxl_close(&f);
    return done;
}

/* The library has a number of 32 bits of every sample. */
void jxl_weigh(bytes in, picture_claim *claim)
{
    enum { A_SAMPLE = 4 };
    jxl_file f;
    const bool is_open = jxl_open(&f, in, 0) && jxl_next(&f) == JXL_DEC_SUCCESS;
    const uint64_t channels = f.info.num_color_channels + f.info.num_extra_channels;
    if (is_open)
        claim->memory += A_SAMPLE * channels * (uint64_t)claim->width * (uint64_t)claim->height;
    jxl_close(&f);
}

unsigned jxl_white(bytes in)
{
    jxl_file f;
    const bool is_open = jxl_open(&f, in, 0) && jxl_next(&f) == JXL_DEC_SUCCESS;
    const uint32_t bits = is_open ? f.info.bits_per_sample : 8;
    const bool is_whole = !is_open || f.info.exponent_bits_per_sample == 0;
    jxl_close(&f);
    return is_whole && bits >= 1 && bits < 16 ? (1u << bits) - 1 : UINT16_MAX;
}

/* --- Linear light ----------------------------------------------------------------------------- */

typedef struct lighting {
    const satb_image *image;
    const float (*to_srgb)[3]; /* NULL: the primaries stay */
} lighting;

/* Takes pixels of a row, as floats. Several threads call it, for different pixels. */
static void take_light(void *user, size_t x, size_t y, size_t count, const void *pixels)
{
    const lighting *const l = user;
    const int channels = l->image->channels, colours = channels < 3 ? 1 : 3;
    const float *from = pixels;
    uint16_t *to =
        (uint16_t *)l->image->data + (y * (size_t)l->image->width + x) * (size_t)channels;
    for (size_t i = 0; i < count; i++, from += channels, to += channels) {
        const float alpha = channels % 2 == 0 ? fminf(fmaxf(from[colours], 0), 1) : 1;
        for (int c = 0; c < colours; c++) {
            float v = from[c];
            if (l->to_srgb && colours == 3)
                v = l->to_srgb[c][0] * from[0] + l->to_srgb[c][1] * from[1] +
                    l->to_srgb[c][2] * from[2];
            to[c] = half_of(alpha * v);
        }
        if (channels % 2 == 0)
            to[colours] = half_of(alpha);
    }
}

/* Returns the number of ITU-T H.273 for its primaries. 2: it has none. */
static int primaries_of(const JxlColorEncoding *c)
{
    enum { UNKNOWN = 2, DISPLAY_P3 = 12 };
    if (c->color_space == JXL_COLOR_SPACE_GRAY)
        return JXL_PRIMARIES_SRGB;
    if (c->white_point != JXL_WHITE_POINT_D65)
        return UNKNOWN;
    return c->primaries == JXL_PRIMARIES_P3 ? DISPLAY_P3 : (int)c->primaries;
}

/* --- Its pixels ------------------------------------------------------------------------------- */

/* Tells the library where the samples go. Of PQ and HLG they are codes at first. */
static bool set_output(const jxl_file *f, satb_image *image, lighting *l)
{
    JxlPixelFormat format = {.num_channels = (uint32_t)image->channels,
                             .data_type = image->bits == 16 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
                             .endianness = JXL_NATIVE_ENDIAN};
    *l = (lighting){.image = image, .to_srgb = code_light_to_srgb(primaries_of(&f->colours))};
    if (!image->half || f->colours.transfer_function != JXL_TRANSFER_FUNCTION_LINEAR)
        return JxlDecoderSetImageOutBuffer(f->decoder, &format, image->data,
                                           picture_bytes(image)) == JXL_DEC_SUCCESS;
    format.data_type = JXL_TYPE_FLOAT;
    return JxlDecoderSetImageOutCallback(f->decoder, &format, take_light, l) == JXL_DEC_SUCCESS;
}

static bool decode_frame(jxl_file *f, satb_image *image, problem *p)
{
    lighting l;
    JxlDecoderStatus status = jxl_next(f);
    if (status != JXL_DEC_NEED_IMAGE_OUT_BUFFER)
        return explain(status, p);
    if (!image->half && jxl_is_light(f) && f->info.exponent_bits_per_sample > 0)
        return problem_set(p, "its floats are no codes; convert it to EXR");
    if (!pixels_make(image, p))
        return false;
    status = set_output(f, image, &l) ? jxl_next(f) : JXL_DEC_ERROR;
    if (status != JXL_DEC_FULL_IMAGE)
        return explain(status, p);
    if (!image->half || f->colours.transfer_function == JXL_TRANSFER_FUNCTION_LINEAR)
        return true;
    image->half = 0;
    return code_light_picture(image, satb_curve_of((int)f->colours.transfer_function),
                              primaries_of(&f->colours), p);
}

/* --- Notes ------------------------------------------------------------------------------------ */

/* Returns the number of frames that follow the first one, as far as the file is sound. */
static unsigned count_further(bytes in)
{
    jxl_file f;
    unsigned count = 0;
    if (jxl_open(&f, in, JXL_DEC_FRAME))
        while (jxl_next(&f) == JXL_DEC_FRAME)
            count++;
    jxl_close(&f);
    return count > 1 ? count - 1 : 0;
}

static void note_light(const jxl_file *f, problem *p)
{
    const int primaries = primaries_of(&f->colours);
    const satb_curve *const curve = satb_curve_of((int)f->colours.transfer_function);
    if (f->colours.transfer_function != JXL_TRANSFER_FUNCTION_LINEAR)
        problem_set(p, "its colours (%s%s) were read as light, with 1 for diffuse white",
                    curve->name,
                    primaries == JXL_PRIMARIES_2100 ? ", BT.2020 primaries"
                    : code_light_to_srgb(primaries) ? ", Display P3 primaries"
                                                    : "");
    else if (primaries != JXL_PRIMARIES_SRGB && !code_light_to_srgb(primaries))
        problem_set(p, "its light has primaries that are unknown here, and is taken for sRGB's");
}

static void note_rest(const jxl_file *f, const satb_image *image, bytes in, problem *p)
{
    const unsigned further = f->info.have_animation ? count_further(in) : 0;
    if (image->half)
        note_light(f, p);
    else if (f->info.exponent_bits_per_sample > 0)
        problem_set(p, "its floats are read as codes of 16 bits");
    const size_t used = strlen(p->text);
    if (further > 0)
        snprintf(p->text + used, sizeof p->text - used, "%s%u further frame%s not read",
                 used ? "; " : "", further, further == 1 ? " is" : "s are");
}

const char *jxl_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    jxl_file f;
    int threads = settings->threads > 0 ? settings->threads : 1;
    decode_limit(image);
    bool done = open_file(&f, in, JXL_DEC_FULL_IMAGE, p) &&
                ((JxlDecoderSetUnpremultiplyAlpha(f.decoder, JXL_TRUE) == JXL_DEC_SUCCESS &&
                  JxlDecoderSetParallelRunner(f.decoder, jxl_run, &threads) == JXL_DEC_SUCCESS) ||
                 explain(JXL_DEC_ERROR, p)) &&
                decode_frame(&f, image, p);
    if (done)
        note_rest(&f, image, in, p);
    else
        pixels_drop(image);
    jxl_close(&f);
    return done ? "libjxl" : NULL;
}
