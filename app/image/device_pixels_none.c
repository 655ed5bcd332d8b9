/* Compiled instead of device_pixels.c where nvJPEG is not found: no pixels stay on a GPU. */
#include "image/device_pixels.h"

void device_pixels_open(int gpu)
{
    (void)gpu;
}

void device_pixels_close(void)
{
}

void *device_pixels_allocate(int gpu, size_t size)
{
    (void)gpu;
    (void)size;
    return NULL;
}

void device_pixels_free(void *data)
{
    (void)data;
}

int device_pixels_gpu(const void *data)
{
    (void)data;
    return 0;
}

bool device_pixels_fetch(const void *data, size_t stride, void *host, size_t row, size_t rows,
                         problem *p)
{
    (void)data;
    (void)stride;
    (void)host;
    (void)row;
    (void)rows;
    return problem_set(p, "nvJPEG is not built in");
}

bool device_pixels_trim(int gpu)
{
    (void)gpu;
    return false;
}

void device_pixels_set_low_memory(bool is_low)
{
    (void)is_low;
}
