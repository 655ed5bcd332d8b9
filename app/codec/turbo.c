/* JPEG by libjpeg-turbo, for speed, through its TurboJPEG interface: errors come back as a result
 * (jpeglib.h leaves by longjmp), warnings can be errors, and a progressive file's scans are
 * limited. It takes only what is in perfect order; whatever it leaves, stb judges: a CMYK file, or
 * one with a warning. */
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

/* The header's size and kind must be what stb found, which was checked against the limits. */
static bool decode(tjhandle tj, bytes in, satb_image *image, bool *starved)
{
    int width, height, sampling, space;
    if (tjDecompressHeader3(tj, in.data, in.size, &width, &height, &sampling, &space) != 0 ||
        width != image->width || height != image->height ||
        (space == TJCS_GRAY ? 1 : 3) != image->channels || space == TJCS_CMYK || space == TJCS_YCCK)
        return false;
    image->data = pixels_allocate(picture_bytes(image));
    *starved = !image->data;
    if (image->data &&
        tjDecompress2(tj, in.data, in.size, image->data, width, 0, height,
                      space == TJCS_GRAY ? TJPF_GRAY : TJPF_RGB,
                      TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT) == 0)
        return true;
    pixels_free(image->data);
    image->data = NULL;
    return false;
}

/* What its library says when it has no memory begins with "Insufficient memory". */
bool turbo_decode(bytes in, satb_image *image, bool *starved)
{
    tjhandle tj = tjInitDecompress();
    *starved = !tj;
    const bool done = tj && decode(tj, in, image, starved);
    if (tj && !done && strstr(tjGetErrorStr2(tj), "Insufficient memory"))
        *starved = true;
    if (tj)
        tjDestroy(tj);
    return done;
}

/* Above 90 the colours keep the full resolution, as stb does it. */
bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    tjhandle tj = tjInitCompress();
    unsigned char *out = NULL;
    unsigned long size = 0;
    const bool done =
        tj && tjCompress2(tj, image->data, image->width, 0, image->height, TJPF_RGB, &out, &size,
                          settings->quality > 90 ? TJSAMP_444 : TJSAMP_420, settings->quality,
                          TJFLAG_ACCURATEDCT) == 0;
    if (done)
        sink_put(to, out, size);
    tjFree(out);
    if (tj)
        tjDestroy(tj);
    return done || problem_set(p, "not enough memory to write the picture");
}
