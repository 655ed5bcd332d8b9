/* Decoding and encoding by nvJPEG. It neither reports damage nor tolerates it, so it gets only files that
 * jpeg_validate() found sound; all others are left to the codecs of the host. */
#include "nvjpeg/nvjpeg.h"

#include "image/pixels.h"
#include "image/shape.h"
#include "nvjpeg/jpeg_validate.h"
#include "nvjpeg/nvjpeg_private.h"

const char *nvjpeg_name(void)
{
    return "nvJPEG";
}

/* Returns the answer to the codec's error, after all copies have ended, as their memory is freed next. A picture that
 * was refused is left to others, unless the GPU has failed, too. */
static gpu_answer answer(nvjpeg_codec *c, const char *doing, const satb_image *image, problem *p)
{
    const bool is_idle = nvjpeg_codec_could(c, cudaStreamSynchronize(c->stream));
    if (is_idle && c->error == NVJPEG_ERROR_PICTURE)
        return GPU_LEAVES;
    if (c->error == NVJPEG_ERROR_MEMORY)
        problem_set_kind(p, PROBLEM_DEVICE_MEMORY,
                         "not enough memory of CUDA device %d for %s %d x %d pixels", c->device,
                         doing, image->width, image->height);
    else
        problem_set(p, "CUDA device %d failed at %s: %s", c->device, doing, c->reason);
    return GPU_FAILED;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Parses the file. The header as nvJPEG reads it must be the one that was checked against the limits. */
static bool parse_jpeg(nvjpeg_codec *c, bytes file, const satb_image *image)
{
    unsigned width = 0, height = 0, channels = 0;
    if (!nvjpeg_codec_did(c,
                          nvjpegJpegStreamParse(c->handle, file.data, file.size, 0, 0, c->file)) ||
        !nvjpeg_codec_did(c, nvjpegJpegStreamGetFrameDimensions(c->file, &width, &height)) ||
        !nvjpeg_codec_did(c, nvjpegJpegStreamGetComponentsNum(c->file, &channels)))
        return false;
    return nvjpeg_codec_did(c, width == (unsigned)image->width &&
                                       height == (unsigned)image->height &&
                                       channels == (unsigned)image->channels
                                   ? NVJPEG_STATUS_SUCCESS
                                   : NVJPEG_STATUS_BAD_JPEG);
}

/* Returns the place for the pixels: where they stay, or the codec's own memory. */
static nvjpegImage_t target(const nvjpeg_codec *c, const satb_image *image)
{
    return (nvjpegImage_t){.channel = {image->on_device ? image->data : c->pixels},
                           .pitch = {(size_t)image->width * (size_t)image->channels}};
}

static bool decode_by_hardware(nvjpeg_codec *c, bytes file, const satb_image *image)
{
    hw_decoder *const d = image->channels == 1 ? c->gray : c->rgb;
    const nvjpegImage_t out = target(c, image);
    int unsupported = 0;
    c->error = NVJPEG_ERROR_PICTURE;
    if (!d ||
        !nvjpeg_codec_did(
            c, nvjpegDecodeBatchedSupportedEx(c->handle, c->file, c->decoding, &unsupported)) ||
        unsupported != 0 || !hw_decoder_decode(d, c, file, &out))
        return false;
    c->error = NVJPEG_ERROR_NONE;
    return true;
}

static bool decode_by(nvjpeg_codec *c, int decoder, const satb_image *image)
{
    nvjpegImage_t out = target(c, image);
    int unsupported = 0;
    c->error = NVJPEG_ERROR_PICTURE;
    if (!c->decoders[decoder].decoder ||
        !nvjpeg_codec_did(c, nvjpegDecoderJpegSupported(c->decoders[decoder].decoder, c->file,
                                                        c->decoding, &unsupported)) ||
        unsupported != 0 ||
        !nvjpeg_codec_did(c, nvjpegDecodeJpeg(c->handle, c->decoders[decoder].decoder,
                                              c->decoders[decoder].state, c->file, &out,
                                              c->decoding, c->stream)) ||
        !nvjpeg_codec_wait(c))
        return false;
    c->error = NVJPEG_ERROR_NONE;
    return true;
}

/* Decodes by the hardware, or by the first decoder that takes the file. The file alone decides between them, as their
 * samples differ: a failure of another kind ends the search. */
static bool decode_jpeg(nvjpeg_codec *c, bytes file, const satb_image *image, const char **library)
{
    const nvjpegOutputFormat_t format = image->channels == 1 ? NVJPEG_OUTPUT_Y : NVJPEG_OUTPUT_RGBI;
    if (!parse_jpeg(c, file, image)) {
        c->needs_reset = false; /* nothing was begun */
        return false;
    }
    if (!nvjpeg_codec_did(c, nvjpegDecodeParamsSetOutputFormat(c->decoding, format)) ||
        (!image->on_device && !nvjpeg_codec_reserve_pixels(c, picture_bytes(image))))
        return false;
    *library = "nvJPEG (engines)";
    if (decode_by_hardware(c, file, image))
        return true;
    if (c->error != NVJPEG_ERROR_PICTURE || !nvjpeg_codec_open_decoders(c))
        return false;
    for (int i = 0; i < DECODERS && c->error == NVJPEG_ERROR_PICTURE; i++) {
        *library = nvjpeg_decoder_kinds[i].name;
        if (decode_by(c, i, image))
            return true;
    }
    return false;
}

static bool fetch(nvjpeg_codec *c, const void *data, void *host, size_t size)
{
    return nvjpeg_codec_could(
               c, cudaMemcpyAsync(host, data, size, cudaMemcpyDeviceToHost, c->stream)) &&
           nvjpeg_codec_wait(c);
}

/* Reserves memory of the codec's GPU for a picture that stays; without that memory, the picture does not stay. */
static void reserve_stay(const nvjpeg_codec *c, bool stays, satb_image *image)
{
    image->data = stays ? device_pixels_allocate(c->device, picture_bytes(image)) : NULL;
    image->on_device = image->data != NULL;
}

/* Copies the pixels from the codec's own memory to the host. */
static gpu_answer copy_to_host(nvjpeg_codec *c, satb_image *image, problem *p)
{
    if (!pixels_make(image, p))
        return GPU_FAILED;
    pixels_pin(image->data);
    return fetch(c, c->pixels, image->data, picture_bytes(image)) ? GPU_DONE
                                                                  : answer(c, "decoding", image, p);
}

gpu_answer nvjpeg_decode(bytes in, satb_image *image, int gpu, bool stays, const char **library,
                         problem *p)
{
    bytes file = in;
    gpu_answer result = GPU_DONE;
    const jpeg_verdict verdict = jpeg_validate(in, image, &file.size);
    nvjpeg_codec *const c =
        verdict == JPEG_SOUND ? nvjpeg_codec_acquire(stays ? gpu : NVJPEG_ANY_GPU) : NULL;
    if (verdict == JPEG_STARVED) { /* rather than other samples only this time */
        problem_set_kind(p, PROBLEM_MEMORY, "not enough memory to look through the file");
        return GPU_FAILED;
    }
    if (!c)
        return GPU_LEAVES;
    reserve_stay(c, stays, image);
    if (c->error != NVJPEG_ERROR_NONE ||
        !(decode_jpeg(c, file, image, library) ||
          (nvjpeg_codec_retry(c) && decode_jpeg(c, file, image, library))))
        result = answer(c, "decoding", image, p);
    else if (!image->on_device)
        result = copy_to_host(c, image, p);
    if (result != GPU_DONE)
        pixels_drop(image);
    nvjpeg_codec_release(c);
    return result;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Above quality 90 the colours keep the full resolution, as in the other encoders. */
static bool set_up(nvjpeg_codec *c, int quality)
{
    const nvjpegChromaSubsampling_t colours = quality > 90 ? NVJPEG_CSS_444 : NVJPEG_CSS_420;
    return nvjpeg_codec_did(c, nvjpegEncoderParamsSetQuality(c->encoding, quality, c->stream)) &&
           nvjpeg_codec_did(c,
                            nvjpegEncoderParamsSetSamplingFactors(c->encoding, colours, c->stream));
}

/* Finds the pixels on the codec's GPU, or copies them there. */
static bool to_device(nvjpeg_codec *c, const satb_image *image, const void **pixels)
{
    const size_t size = picture_bytes(image);
    *pixels = image->data;
    if (image->on_device)
        return true;
    if (!nvjpeg_codec_reserve_pixels(c, size))
        return false;
    pixels_pin(image->data);
    *pixels = c->pixels;
    return nvjpeg_codec_could(
        c, cudaMemcpyAsync(c->pixels, image->data, size, cudaMemcpyHostToDevice, c->stream));
}

/* Encodes into c->encoded. */
static bool encode_jpeg(nvjpeg_codec *c, const satb_image *image, int quality, size_t *size)
{
    const void *pixels;
    nvjpegImage_t from = {.pitch = {(size_t)image->width * 3}};
    if (!to_device(c, image, &pixels))
        return false;
    from.channel[0] = (unsigned char *)pixels;
    return set_up(c, quality) &&
           nvjpeg_codec_did(c, nvjpegEncodeImage(c->handle, c->encoder, c->encoding, &from,
                                                 NVJPEG_INPUT_RGBI, image->width, image->height,
                                                 c->stream)) &&
           nvjpeg_codec_wait(c) && /* nvJPEG would spin for the size */
           nvjpeg_codec_did(
               c, nvjpegEncodeRetrieveBitstream(c->handle, c->encoder, NULL, size, c->stream)) &&
           nvjpeg_codec_reserve_file(c, *size) &&
           nvjpeg_codec_did(c, nvjpegEncodeRetrieveBitstream(c->handle, c->encoder, c->encoded,
                                                             size, c->stream)) &&
           nvjpeg_codec_wait(c);
}

/* Writes the file with the other encoders' begin: JFIF's segment of version 1.1, no density, and no comment. */
static void put_file(sink *to, bytes file, size_t head)
{
    static const uint8_t jfif[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F',
                                   0,    1,    1,    0,    0, 1,  0,   1,   0,   0};
    sink_put(to, jfif, sizeof jfif);
    sink_put(to, file.data + head, file.size - head);
}

gpu_answer nvjpeg_encode(const satb_image *image, int quality, sink *to, problem *p)
{
    gpu_answer result = GPU_DONE;
    size_t size = 0;
    nvjpeg_codec *const c =
        nvjpeg_codec_acquire(image->on_device ? device_pixels_gpu(image->data) : NVJPEG_ANY_GPU);
    if (!c)
        return GPU_LEAVES;
    if (c->error != NVJPEG_ERROR_NONE ||
        !(encode_jpeg(c, image, quality, &size) ||
          (nvjpeg_codec_retry(c) && encode_jpeg(c, image, quality, &size)))) {
        result = answer(c, "encoding", image, p);
    } else {
        const bytes file = {.data = c->encoded, .size = size};
        const size_t head = jpeg_head_size(file);
        if (head > 0)
            put_file(to, file, head);
        else
            result = GPU_LEAVES;
    }
    nvjpeg_codec_release(c);
    return result;
}
