/* Compiled instead of codec_nvjpeg*.c where nvJPEG is not found: --codec gpu says so. */
#include "codec/codec.h"

const char *nvjpeg_name(void)
{
    return NULL;
}

bool nvjpeg_open(int first, int count, int users, problem *p)
{
    (void)first;
    (void)count;
    (void)users;
    return problem_set(p, "--codec gpu: nvJPEG is not built in; leave it out");
}

void nvjpeg_close(void)
{
}

gpu_answer nvjpeg_decode(bytes in, satb_image *image, const decode_settings *settings,
                         const char **library, problem *p)
{
    (void)in;
    (void)image;
    (void)settings;
    (void)library;
    (void)p;
    return GPU_LEAVES;
}

gpu_answer nvjpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                         problem *p)
{
    (void)image;
    (void)settings;
    (void)to;
    (void)p;
    return GPU_LEAVES;
}

void *nvjpeg_allocate(int gpu, size_t size)
{
    (void)gpu;
    (void)size;
    return NULL;
}

void nvjpeg_free(void *data)
{
    (void)data;
}

bool nvjpeg_trim(int gpu)
{
    (void)gpu;
    return false;
}

void nvjpeg_set_short(bool is_short)
{
    (void)is_short;
}

bool nvjpeg_fetch(const void *data, void *host, size_t size, problem *p)
{
    (void)data;
    (void)host;
    (void)size;
    return problem_set(p, "nvJPEG is not built in");
}
