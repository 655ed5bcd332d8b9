/* JPEG: the libraries take turns, and the first that takes a picture reads or writes it. */
#include "codec/codec_format.h"
#include "codec/jpeg_check.h"
#include "image/pixels.h"
#include "nvjpeg/nvjpeg.h"

bool jpeg_probe(bytes in, satb_image *shape, problem *p)
{
    return jpeg_check(in, p) && stb_probe(in, shape, p);
}

/* stb has no standard Huffman tables of its own. */
static const char *decode_by_stb(bytes in, satb_image *image, const decode_settings *settings,
                                 problem *p)
{
    blob whole = {0};
    if (!jpeg_lacks_tables(in))
        return stb_decode(in, image, settings, p);
    const char *const library =
        jpeg_add_tables(in, &whole) ? stb_decode(blob_view(&whole), image, settings, p) : NULL;
    if (whole.failed)
        problem_set(p, "not enough memory to read the JPEG");
    blob_free(&whole);
    return library;
}

const char *jpeg_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    bool starved = false;
    const char *library = NULL;
    const gpu_answer gpu = settings->choice == CODEC_GPU
                               ? nvjpeg_decode(in, image, settings->gpu, settings->stays, &library, p)
                               : GPU_LEAVES;
    if (gpu != GPU_LEAVES)
        return gpu == GPU_DONE ? library : NULL;
    if (settings->choice != CODEC_PLAIN && turbo_decode(in, image, &starved))
        return turbo_name();
    if (starved) { /* rather than slightly other samples only this time */
        problem_set(p, "not enough memory for %d x %d pixels", image->width, image->height);
        return NULL;
    }
    return decode_by_stb(in, image, settings, p);
}

static const char *encode_on_host(const satb_image *image, const encode_settings *settings,
                                  sink *to, problem *p)
{
    if (settings->choice != CODEC_PLAIN && turbo_name())
        return turbo_encode(image, settings, to, p) ? turbo_name() : NULL;
    return stb_encode_jpeg(image, settings, to, p);
}

const char *jpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p)
{
    satb_image copy;
    const gpu_answer gpu =
        settings->choice == CODEC_GPU ? nvjpeg_encode(image, settings->quality, to, p) : GPU_LEAVES;
    if (gpu != GPU_LEAVES)
        return gpu == GPU_DONE ? nvjpeg_name() : NULL;
    if (!image->on_device)
        return encode_on_host(image, settings, to, p);
    if (!pixels_fetch(image, &copy, p))
        return NULL;
    const char *const library = encode_on_host(&copy, settings, to, p);
    pixels_free(copy.data);
    return library;
}
