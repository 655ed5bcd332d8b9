/* JPEG by nvJPEG, on a GPU. It gets only what is in perfect order (jpeg_order.h), as it neither warns nor
 * is known to bear the rest; whatever it leaves, the others read and judge. */
#include "nvjpeg/nvjpeg_private.h"

#include "nvjpeg/jpeg_validate.h"

const char *nvjpeg_name(void)
{
    return "nvJPEG";
}

/* Whether what the coder met leaves the picture to others: not if the GPU has failed, too. No copy is under way
 * any more, as memory is freed next. */
static gpu_answer answer(coder *c, const char *doing, const satb_image *image, problem *p)
{
    const bool is_idle = coder_could(c, cudaStreamSynchronize(c->stream));
    if (is_idle && c->trouble == TROUBLE_PICTURE)
        return GPU_LEAVES;
    if (c->trouble == TROUBLE_MEMORY)
        problem_set_oom(p, true, "not enough memory of CUDA device %d for %s %d x %d pixels",
                       c->device, doing, image->width, image->height);
    else
        problem_set(p, "CUDA device %d failed at %s: %s", c->device, doing, c->reason);
    return GPU_FAILED;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The header as nvJPEG reads it must be what was checked against the limits. */
static bool parse(coder *c, bytes file, const satb_image *image)
{
    unsigned width = 0, height = 0, channels = 0;
    if (!coder_did(c, nvjpegJpegStreamParse(c->handle, file.data, file.size, 0, 0, c->file)) ||
        !coder_did(c, nvjpegJpegStreamGetFrameDimensions(c->file, &width, &height)) ||
        !coder_did(c, nvjpegJpegStreamGetComponentsNum(c->file, &channels)))
        return false;
    return coder_did(c, width == (unsigned)image->width && height == (unsigned)image->height &&
                                channels == (unsigned)image->channels
                            ? NVJPEG_STATUS_SUCCESS
                            : NVJPEG_STATUS_BAD_JPEG);
}

/* Where the picture is to stay, or the coder's own memory. */
static nvjpegImage_t target(const coder *c, const satb_image *image)
{
    return (nvjpegImage_t){.channel = {image->on_device ? image->data : c->pixels},
                           .pitch = {(size_t)image->width * (size_t)image->channels}};
}

static bool decode_by_engines(coder *c, bytes file, const satb_image *image)
{
    engines *const e = image->channels == 1 ? c->gray : c->rgb;
    const nvjpegImage_t out = target(c, image);
    int unsupported = 0;
    c->trouble = TROUBLE_PICTURE;
    if (!e ||
        !coder_did(c,
                   nvjpegDecodeBatchedSupportedEx(c->handle, c->file, c->decoding, &unsupported)) ||
        unsupported != 0 || !engines_decode(e, c, file, &out))
        return false;
    c->trouble = TROUBLE_NONE;
    return true;
}

static bool decode_by(coder *c, int decoder, const satb_image *image)
{
    nvjpegImage_t out = target(c, image);
    int unsupported = 0;
    c->trouble = TROUBLE_PICTURE;
    if (!c->decoders[decoder].decoder ||
        !coder_did(c, nvjpegDecoderJpegSupported(c->decoders[decoder].decoder, c->file, c->decoding,
                                                 &unsupported)) ||
        unsupported != 0 ||
        !coder_did(c, nvjpegDecodeJpeg(c->handle, c->decoders[decoder].decoder,
                                       c->decoders[decoder].state, c->file, &out, c->decoding,
                                       c->stream)) ||
        !coder_wait(c))
        return false;
    c->trouble = TROUBLE_NONE;
    return true;
}

/* The engines, or the first decoder that takes it: which is the file's affair alone, as their samples differ. A
 * failure that is not the picture's ends the search. */
static bool decode(coder *c, bytes file, const satb_image *image, const char **library)
{
    const nvjpegOutputFormat_t format = image->channels == 1 ? NVJPEG_OUTPUT_Y : NVJPEG_OUTPUT_RGBI;
    if (!parse(c, file, image)) {
        c->is_soiled = false; /* nothing was begun */
        return false;
    }
    if (!coder_did(c, nvjpegDecodeParamsSetOutputFormat(c->decoding, format)) ||
        (!image->on_device && !coder_reserve_pixels(c, picture_bytes(image))))
        return false;
    *library = "nvJPEG (engines)";
    if (decode_by_engines(c, file, image))
        return true;
    if (c->trouble != TROUBLE_PICTURE || !coder_open_decoders(c))
        return false;
    for (int i = 0; i < DECODERS && c->trouble == TROUBLE_PICTURE; i++) {
        *library = coder_kinds[i].name;
        if (decode_by(c, i, image))
            return true;
    }
    return false;
}

static bool fetch(coder *c, const void *data, void *host, size_t size)
{
    return coder_could(c, cudaMemcpyAsync(host, data, size, cudaMemcpyDeviceToHost, c->stream)) &&
           coder_wait(c);
}

/* Where it is to stay on the coder's GPU, if there is memory. */
static void place(const coder *c, const decode_settings *settings, satb_image *image)
{
    image->data = settings->stays ? nvjpeg_allocate(c->device, picture_bytes(image)) : NULL;
    image->on_device = image->data != NULL;
}

/* From the coder's own memory to the host's. */
static gpu_answer take_out(coder *c, satb_image *image, problem *p)
{
    const size_t size = picture_bytes(image);
    image->data = pixels_allocate(size);
    if (!image->data) {
        problem_set(p, "not enough memory for %d x %d pixels", image->width, image->height);
        return GPU_FAILED;
    }
    pixels_pin(image->data);
    return fetch(c, c->pixels, image->data, size) ? GPU_DONE : answer(c, "decoding", image, p);
}

gpu_answer nvjpeg_decode(bytes in, satb_image *image, const decode_settings *settings,
                         const char **library, problem *p)
{
    bytes file = in;
    gpu_answer result = GPU_DONE;
    bool starved;
    coder *const c = jpeg_in_order(in, image, &file.size, &starved)
                         ? coder_take(settings->stays ? settings->gpu : ANY_GPU)
                         : NULL;
    if (starved) { /* rather than other samples only this time */
        problem_set(p, "not enough memory to look through the file");
        return GPU_FAILED;
    }
    if (!c)
        return GPU_LEAVES;
    place(c, settings, image);
    if (c->trouble != TROUBLE_NONE ||
        !(decode(c, file, image, library) || (coder_again(c) && decode(c, file, image, library))))
        result = answer(c, "decoding", image, p);
    else if (!image->on_device)
        result = take_out(c, image, p);
    if (result != GPU_DONE)
        pixels_drop(image);
    coder_give(c);
    return result;
}

bool nvjpeg_fetch(const void *data, void *host, size_t size, problem *p)
{
    coder *const c = coder_take(blocks_gpu_of(data));
    const bool done = c->trouble == TROUBLE_NONE && fetch(c, data, host, size);
    if (!done) {
        problem_set_oom(p, c->trouble == TROUBLE_MEMORY,
                       "CUDA device %d failed at fetching pixels: %s", c->device, c->reason);
        (void)cudaStreamSynchronize(c->stream); /* their memory is freed next */
    }
    coder_give(c);
    return done;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Above 90 the colours keep the full resolution, as the others do it. */
static bool set_up(coder *c, int quality)
{
    const nvjpegChromaSubsampling_t colours = quality > 90 ? NVJPEG_CSS_444 : NVJPEG_CSS_420;
    return coder_did(c, nvjpegEncoderParamsSetQuality(c->encoding, quality, c->stream)) &&
           coder_did(c, nvjpegEncoderParamsSetSamplingFactors(c->encoding, colours, c->stream));
}

/* Where the coder's GPU can read the picture: where it is, or a copy. */
static bool bring(coder *c, const satb_image *image, const void **pixels)
{
    const size_t size = picture_bytes(image);
    *pixels = image->data;
    if (image->on_device)
        return true;
    if (!coder_reserve_pixels(c, size))
        return false;
    pixels_pin(image->data);
    *pixels = c->pixels;
    return coder_could(
        c, cudaMemcpyAsync(c->pixels, image->data, size, cudaMemcpyHostToDevice, c->stream));
}

/* Leaves the file in c->packed. */
static bool encode(coder *c, const satb_image *image, int quality, size_t *size)
{
    const void *pixels;
    nvjpegImage_t from = {.pitch = {(size_t)image->width * 3}};
    if (!bring(c, image, &pixels))
        return false;
    from.channel[0] = (unsigned char *)pixels;
    return set_up(c, quality) &&
           coder_did(c,
                     nvjpegEncodeImage(c->handle, c->encoder, c->encoding, &from, NVJPEG_INPUT_RGBI,
                                       image->width, image->height, c->stream)) &&
           coder_wait(c) && /* nvJPEG would wait for the size, but awake */
           coder_did(c,
                     nvjpegEncodeRetrieveBitstream(c->handle, c->encoder, NULL, size, c->stream)) &&
           coder_reserve_packed(c, *size) &&
           coder_did(c, nvjpegEncodeRetrieveBitstream(c->handle, c->encoder, c->packed, size,
                                                      c->stream)) &&
           coder_wait(c);
}

/* The file begins as the others' do: with JFIF's segment of version 1.1, no density, and no comment. */
static void put(sink *to, bytes file, size_t head)
{
    static const uint8_t jfif[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F',
                                   0,    1,    1,    0,    0, 1,  0,   1,   0,   0};
    sink_put(to, jfif, sizeof jfif);
    sink_put(to, file.data + head, file.size - head);
}

gpu_answer nvjpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                         problem *p)
{
    gpu_answer result = GPU_DONE;
    size_t size = 0;
    coder *const c = coder_take(image->on_device ? blocks_gpu_of(image->data) : ANY_GPU);
    if (!c)
        return GPU_LEAVES;
    if (c->trouble != TROUBLE_NONE ||
        !(encode(c, image, settings->quality, &size) ||
          (coder_again(c) && encode(c, image, settings->quality, &size)))) {
        result = answer(c, "encoding", image, p);
    } else {
        const bytes file = {.data = c->packed, .size = size};
        const size_t head = jpeg_head_size(file);
        if (head > 0)
            put(to, file, head);
        else
            result = GPU_LEAVES;
    }
    coder_give(c);
    return result;
}
