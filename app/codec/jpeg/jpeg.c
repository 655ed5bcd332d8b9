/* JPEG: nvJPEG where it is asked for, libjpeg-turbo, stb; the first that takes a picture reads or writes it. Whether
 * a file is refused does not depend on that order: jpeg_check() and stb decide. */
#include "codec/codec_format.h"
#include "codec/jpeg/jpeg_check.h"
#include "image/pixels.h"
#include "nvjpeg/jpeg_validate.h"
#include "nvjpeg/nvjpeg.h"

bool jpeg_probe(bytes in, satb_image *shape, problem *p)
{
    return jpeg_check(in, p) && stb_probe(in, shape, p);
}

static const char *decode_by_stb(bytes in, satb_image *image, const decode_settings *settings,
                                 problem *p)
{
    blob copy = {0};
    const char *library = NULL;
    if (jpeg_prepare_for_stb(in, &copy, p))
        library = stb_decode(copy.data ? blob_view(&copy) : in, image, settings, p);
    blob_free(&copy);
    return library;
}

/* Finds damage by our own validation, which knows the usual kind of JPEG alone. */
static void find_damage(bytes in, const satb_image *image, problem *warning)
{
    size_t size;
    const jpeg_verdict verdict = jpeg_validate(in, image, &size);
    if (verdict == JPEG_DAMAGED)
        problem_set(warning, "its entropy-coded data is not whole");
}

/* Reads a file that libjpeg-turbo has left with that warning. stb reads damaged files in silence, so p gets a
 * sentence. */
static const char *decode_with_note(bytes in, satb_image *image, const decode_settings *settings,
                                    const problem *warning, problem *p)
{
    const char *const library = decode_by_stb(in, image, settings, p);
    if (library && warning->text[0])
        problem_set(p, "the JPEG is damaged, so the picture may be wrong: %.150s", warning->text);
    return library;
}

const char *jpeg_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    problem warning = {.text = ""};
    bool out_of_memory = false;
    const bool asks = settings->choice != CODEC_PLAIN && turbo_name();
    const char *library = NULL;
    const gpu_answer gpu =
        settings->choice == CODEC_GPU
            ? nvjpeg_decode(in, image, settings->gpu, settings->stays, &library, p)
            : GPU_LEAVES;
    if (gpu != GPU_LEAVES)
        return gpu == GPU_DONE ? library : NULL;
    if (asks && turbo_decode(in, image, &out_of_memory, &warning))
        return turbo_name();
    if (out_of_memory) { /* rather than slightly other samples only this time */
        problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for %d x %d pixels", image->width,
                         image->height);
        return NULL;
    }
    if (!asks)
        find_damage(in, image, &warning);
    return decode_with_note(in, image, settings, &warning, p);
}

bool jpeg_writes_gray(codec_choice choice)
{
    return choice != CODEC_PLAIN && turbo_name();
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
    const bool may_be_gpu = settings->choice == CODEC_GPU && image->channels == 3;
    const gpu_answer gpu = may_be_gpu ? nvjpeg_encode(image, settings->quality, to, p) : GPU_LEAVES;
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
