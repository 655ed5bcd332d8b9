/* WebP by libwebp: 8 bits, RGB or RGBA. Of an animation the first frame is read, as it stands on the canvas. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

enum { MOST_SIDE = 16383 };

/* --- Reading ---------------------------------------------------------------------------------- */

bool webp_is(bytes in, const char *path)
{
    (void)path;
    return in.size >= 12 && memcmp(in.data, "RIFF", 4) == 0 && memcmp(in.data + 8, "WEBP", 4) == 0;
}

static bool explain(VP8StatusCode code, problem *p)
{
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: return problem_set(p, "not enough memory for this WebP");
    case VP8_STATUS_NOT_ENOUGH_DATA:
    case VP8_STATUS_SUSPENDED: return problem_set(p, "the WebP is cut off; get a whole copy");
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return problem_set(p, "the WebP has an unknown feature; convert it to PNG");
    default: return problem_set(p, "the WebP is damaged; get a whole copy");
    }
}

bool webp_claim(bytes first, satb_image *shape, problem *p)
{
    WebPBitstreamFeatures f;
    const VP8StatusCode code = WebPGetFeatures(first.data, first.size, &f);
    *shape = (satb_image){.width = 0};
    if (code == VP8_STATUS_NOT_ENOUGH_DATA) /* a profile may stand before the pixels */
        return true;
    if (code != VP8_STATUS_OK)
        return explain(code, p);
    *shape = (satb_image){
        .width = f.width, .height = f.height, .channels = f.has_alpha ? 4 : 3, .bits = 8};
    return (f.width <= MOST_SIDE && f.height <= MOST_SIDE) ||
           problem_set(p, "claims %d x %d pixels, and a WebP has at most %d a side; it is damaged",
                       f.width, f.height, MOST_SIDE);
}

/* A still picture of one colour has no bits for its pixels. An animation's canvas may be far larger than its frames, and
 * libwebp has two of them. */
void webp_weigh(bytes in, picture_claim *claim)
{
    enum { CANVAS = 4 };
    WebPBitstreamFeatures f;
    const uint64_t pixels = (uint64_t)claim->width * (uint64_t)claim->height;
    if (WebPGetFeatures(in.data, in.size, &f) != VP8_STATUS_OK)
        return;
    claim->reach = f.has_animation ? 0 : (uint64_t)MOST_SIDE * MOST_SIDE;
    claim->memory += f.has_animation ? 2 * CANVAS * pixels : 0;
}

bool webp_probe(bytes in, satb_image *shape, problem *p)
{
    return webp_claim(in, shape, p) && (shape->width > 0 || explain(VP8_STATUS_NOT_ENOUGH_DATA, p));
}

static bool decode_still(bytes in, const satb_image *image, problem *p)
{
    WebPDecoderConfig c;
    if (!WebPInitDecoderConfig(&c))
        return problem_set(p, "libwebp has changed since satblur was built; build satblur again");
    c.options.use_threads = 1;
    c.output.colorspace = image->channels == 4 ? MODE_RGBA : MODE_RGB;
    c.output.is_external_memory = 1;
    c.output.u.RGBA.rgba = image->data;
    c.output.u.RGBA.stride = image->width * image->channels;
    c.output.u.RGBA.size = picture_bytes(image);
    const VP8StatusCode code = WebPDecode(in.data, in.size, &c);
    WebPFreeDecBuffer(&c.output);
    return code == VP8_STATUS_OK || explain(code, p);
}

/* Copies a canvas of RGBA. */
static void take_canvas(const uint8_t *canvas, const satb_image *image)
{
    uint8_t *to = image->data;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < pixels; i++, canvas += 4, to += image->channels)
        memcpy(to, canvas, (size_t)image->channels);
}

/* Decodes the first frame; p says that there are more. */
static bool decode_animation(bytes in, const satb_image *image, problem *p)
{
    const WebPData data = {in.data, in.size};
    WebPAnimDecoderOptions options;
    WebPAnimInfo info;
    uint8_t *canvas;
    int time;
    if (!WebPAnimDecoderOptionsInit(&options))
        return problem_set(p, "libwebp has changed since satblur was built; build satblur again");
    options.color_mode = MODE_RGBA;
    options.use_threads = 1;
    WebPAnimDecoder *const decoder = WebPAnimDecoderNew(&data, &options);
    const bool done = decoder && WebPAnimDecoderGetInfo(decoder, &info) &&
                      (int)info.canvas_width == image->width &&
                      (int)info.canvas_height == image->height &&
                      WebPAnimDecoderGetNext(decoder, &canvas, &time);
    if (done)
        take_canvas(canvas, image);
    if (done && info.frame_count > 1)
        problem_set(p, "%u further frame%s not read", info.frame_count - 1,
                    info.frame_count == 2 ? " is" : "s are");
    WebPAnimDecoderDelete(decoder);
    return done || problem_set(p, "the WebP animation is damaged or cut off; get a whole copy");
}

const char *webp_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    WebPBitstreamFeatures f;
    (void)settings;
    const VP8StatusCode code = WebPGetFeatures(in.data, in.size, &f);
    if (code != VP8_STATUS_OK) {
        explain(code, p);
        return NULL;
    }
    const bool done = pixels_make(image, p) && (f.has_animation ? decode_animation(in, image, p)
                                                                : decode_still(in, image, p));
    return done ? "libwebp" : NULL;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Quality 100 is without loss, and so is a picture that was. */
static bool set_config(WebPConfig *c, const encode_settings *settings)
{
    enum { LOSSLESS_LEVEL = 6, MOST_QUALITY = 100 };
    const bool lossless =
        settings->quality >= MOST_QUALITY ||
        (settings->meta && settings->meta->from == METADATA_WEBP && settings->meta->is_lossless);
    if (!WebPConfigInit(c) || (lossless && !WebPConfigLosslessPreset(c, LOSSLESS_LEVEL)))
        return false;
    if (!lossless)
        c->quality = (float)settings->quality;
    c->exact = lossless; /* colours below clear pixels are kept */
    c->thread_level = settings->threads != 1;
    return WebPValidateConfig(c);
}

/* Encodes the pixels into `out`, for WebPMemoryWriterClear(). */
static bool encode_pixels(const satb_image *image, const WebPConfig *c, WebPMemoryWriter *out)
{
    WebPPicture picture;
    const int stride = image->width * image->channels;
    if (!WebPPictureInit(&picture))
        return false;
    picture.width = image->width;
    picture.height = image->height;
    picture.use_argb = c->lossless;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = out;
    const bool done =
        (image->channels == 4 ? WebPPictureImportRGBA(&picture, image->data, stride)
                              : WebPPictureImportRGB(&picture, image->data, stride)) &&
        WebPEncode(c, &picture);
    WebPPictureFree(&picture);
    return done;
}

static bool put_chunk(WebPMux *mux, const char *name, const blob *what)
{
    const WebPData data = {what->data, what->size};
    return !what->data || WebPMuxSetChunk(mux, name, &data, 0) == WEBP_MUX_OK;
}

/* Puts the file, with the metadata around its pixels. */
static bool put_file(const WebPMemoryWriter *pixels, const metadata *m, sink *to)
{
    if (!m || (!m->icc.data && !m->exif.data && !m->xmp.data)) {
        sink_put(to, pixels->mem, pixels->size);
        return true;
    }
    const WebPData image = {pixels->mem, pixels->size};
    WebPData all = {NULL, 0};
    WebPMux *const mux = WebPMuxNew();
    const bool done = mux && WebPMuxSetImage(mux, &image, 0) == WEBP_MUX_OK &&
                      put_chunk(mux, "ICCP", &m->icc) && put_chunk(mux, "EXIF", &m->exif) &&
                      put_chunk(mux, "XMP ", &m->xmp) && WebPMuxAssemble(mux, &all) == WEBP_MUX_OK;
    if (done)
        sink_put(to, all.bytes, all.size);
    WebPDataClear(&all);
    WebPMuxDelete(mux);
    return done;
}

const char *webp_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p)
{
    WebPConfig c;
    WebPMemoryWriter pixels;
    WebPMemoryWriterInit(&pixels);
    const bool done = set_config(&c, settings) && encode_pixels(image, &c, &pixels) &&
                      put_file(&pixels, settings->meta, to);
    WebPMemoryWriterClear(&pixels);
    if (!done)
        problem_set(p, "not enough memory to write the WebP");
    return done ? "libwebp" : NULL;
}
