/* JPEG: what is checked before any library sees it, and who reads and writes it. */
#include "codec/codec_format.h"
#include "format/jpeg_segment.h"
#include "image/pixels.h"
#include "nvjpeg/nvjpeg.h"

#include <string.h>

/* Whether the Huffman tables of a DHT segment are whole and have at most 256 codes each: stb writes
 * as many into its arrays as the file says. */
static bool sound_tables(const uint8_t *data, size_t size)
{
    while (size > 0) {
        size_t codes = 0;
        for (size_t i = 1; i <= 16 && size >= 17; i++)
            codes += data[i];
        if (size < 17 || codes > 256 || codes > size - 17)
            return false;
        data += 17 + codes;
        size -= 17 + codes;
    }
    return true;
}

/* Walks a JPEG from marker to marker to its end, before stb sees it. */
static bool sound_jpeg(bytes in, problem *p)
{
    enum { DHT = 0xc4, EOI = 0xd9 };
    size_t at = 2;
    for (int marker = jpeg_next_marker(in, &at); marker != EOI;
         marker = jpeg_next_marker(in, &at)) {
        const size_t left = in.size - at;
        const size_t length = left < 2 ? 0 : (size_t)in.data[at] << 8 | in.data[at + 1];
        if (marker == 0 || length > left)
            return problem_set(p, "the file is cut off; get a whole copy");
        if (length < 2 || (marker == DHT && !sound_tables(in.data + at + 2, length - 2)))
            return problem_set(p, "the JPEG is damaged; get a whole copy");
        at += length;
    }
    return true;
}

bool jpeg_probe(bytes in, satb_image *shape, problem *p)
{
    return sound_jpeg(in, p) && stb_probe(in, shape, p);
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
    return stb_decode(in, image, settings, p);
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
