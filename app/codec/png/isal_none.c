/* Compiled instead of isal_*.c where ISA-L is not found: libspng and stb do all. */
#include "codec/codec_format.h"

const char *isal_name(void)
{
    return NULL;
}

bool isal_decode_png(bytes in, satb_image *image, int threads)
{
    (void)in;
    (void)image;
    (void)threads;
    return false;
}

bool isal_encode_png(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    (void)image;
    (void)settings;
    (void)to;
    return problem_set(p, "ISA-L is not built in");
}
