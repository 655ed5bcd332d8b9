/* Compiled instead of turbo.c where libjpeg-turbo is not found: stb does all. */
#include "codec/codec_format.h"

const char *turbo_name(void)
{
    return NULL;
}

bool turbo_decode(bytes in, satb_image *image, bool *out_of_memory, problem *warning)
{
    (void)warning;
    (void)in;
    (void)image;
    *out_of_memory = false;
    return false;
}

bool turbo_encode(const satb_image *image, const encode_settings *settings, sink *to, problem *p)
{
    (void)image;
    (void)settings;
    (void)to;
    return problem_set(p, "libjpeg-turbo is not built in");
}
