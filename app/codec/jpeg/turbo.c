/* JPEG by libjpeg-turbo, for speed, through its TurboJPEG interface: errors come back as a result (jpeglib.h leaves
 * by longjmp), warnings can be errors, and a progressive file's scans are limited. turbo_decode() takes only files
 * without a warning; CMYK and damaged files are left to stb. */
#include "codec/codec_format.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

const char *turbo_name(void)
{
    return "libjpeg-turbo";
}

/* Decodes a JPEG. The header's size and kind must be those that stb found, which were checked
 * against the limits. CMYK is decoded for the warnings alone. */
static bool decode_jpeg(tjhandle tj, bytes in, satb_image *image, bool *out_of_memory)
{
    int width, height, sampling, space;
    if (tjDecompressHeader3(tj, in.data, in.size, &width, &height, &sampling, &space) != 0 ||
        width != image->width || height != image->height ||
        (space == TJCS_GRAY ? 1 : 3) != image->channels)
        return false;
    const bool is_cmyk = space == TJCS_CMYK || space == TJCS_YCCK;
    const size_t pixels = (size_t)width * (size_t)height;
    image->data = pixels_allocate(is_cmyk ? 4 * pixels : picture_bytes(image));
    *out_of_memory = !image->data;
    if (image->data &&
        tjDecompress2(tj, in.data, in.size, image->data, width, 0, height,
                      is_cmyk              ? TJPF_CMYK
                      : space == TJCS_GRAY ? TJPF_GRAY
                                           : TJPF_RGB,
                      TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT) == 0 &&
        !is_cmyk)
        return true;
    pixels_free(image->data);
    image->data = NULL;
    return false;
}

/* Returns whether memory ran out: the library's error begins with "Insufficient memory" then. */
static bool is_out_of_memory(tjhandle tj)
{
    return strstr(tjGetErrorStr2(tj), "Insufficient memory") != NULL;
}

bool turbo_decode(bytes in, satb_image *image, bool *out_of_memory, problem *warning)
{
    tjhandle tj = tjInitDecompress();
    *out_of_memory = !tj;
    const bool done = tj && decode_jpeg(tj, in, image, out_of_memory);
    if (tj && !done) {
        *out_of_memory |= is_out_of_memory(tj);
        if (tjGetErrorCode(tj) == TJERR_WARNING)
            problem_set(warning, "%s", tjGetErrorStr2(tj));
    }
    if (tj)
        tjDestroy(tj);
    return done;
}

/* Above quality 90 the colours keep the full resolution, as stb does it. */
static bool encode_jpeg(tjhandle tj, const satb_image *image, int quality, sink *to)
{
    const bool is_gray = image->channels == 1;
    unsigned char *out = NULL;
    unsigned long size = 0;
    const bool done = tjCompress2(tj, image->data, image->width, 0, image->height,
                                  is_gray ? TJPF_GRAY : TJPF_RGB, &out, &size,
                                  is_gray        ? TJSAMP_GRAY
                                  : quality > 90 ? TJSAMP_444
                                                 : TJSAMP_420,
                                  quality, TJFLAG_ACCURATEDCT) == 0;
    if (done)
        sink_put(to, out, size);
    tjFree(out);
    return done;
}

bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    tjhandle tj = tjInitCompress();
    const bool done = tj && encode_jpeg(tj, image, settings->quality, to);
    if (!tj || (!done && is_out_of_memory(tj)))
        problem_set(p, "not enough memory to write the picture");
    else if (!done)
        problem_set(p, "the JPEG could not be written (%s)", tjGetErrorStr2(tj));
    if (tj)
        tjDestroy(tj);
    return done;
}
