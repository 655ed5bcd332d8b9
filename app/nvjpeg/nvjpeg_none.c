/* Compiled instead of the other nvjpeg*.c where nvJPEG is not found. */
#include "nvjpeg/nvjpeg.h"

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

gpu_answer nvjpeg_decode(bytes in, satb_image *image, int gpu, bool stays, const char **library,
                         problem *p)
{
    (void)in;
    (void)image;
    (void)gpu;
    (void)stays;
    (void)library;
    (void)p;
    return GPU_LEAVES;
}

gpu_answer nvjpeg_encode(const satb_image *image, int quality, sink *to, problem *p)
{
    (void)image;
    (void)quality;
    (void)to;
    (void)p;
    return GPU_LEAVES;
}

bool nvjpeg_trim(int gpu)
{
    (void)gpu;
    return false;
}

void nvjpeg_set_low_memory(bool is_low)
{
    (void)is_low;
}
