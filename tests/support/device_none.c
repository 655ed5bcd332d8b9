/* The functions of device.h without CUDA: there is no device, and every call fails. */
#include "support/device.h"

int device_open(void)
{
    return 0;
}

const char *device_reason(void)
{
    return "built without CUDA";
}

const char *device_name(void)
{
    return "none";
}

const char *device_error(void)
{
    return "built without CUDA";
}

size_t device_free_memory(void)
{
    return 0;
}

int device_broken(void)
{
    return 1;
}

void *device_alloc(size_t bytes)
{
    (void)bytes;
    return NULL;
}

void device_free(void *memory)
{
    (void)memory;
}

int device_upload(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 1;
}

int device_download(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 1;
}

int device_copy(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 1;
}

int device_age_boards(void)
{
    return 1;
}

int device_box_fused_pays(const satk_box *job)
{
    (void)job;
    return 0;
}

size_t device_box_fused_scratch(const satk_box *job)
{
    (void)job;
    return 0;
}

int device_box_fused(const satk_box *job, void *scratch)
{
    (void)job;
    (void)scratch;
    return 1;
}

#define DEVICE_JOB(name)                                                                           \
    int device_##name(const satk_##name *job)                                                      \
    {                                                                                              \
        (void)job;                                                                                 \
        return 1;                                                                                  \
    }
#define DEVICE_SCRATCH(name)                                                                       \
    size_t device_##name##_scratch(const satk_##name *job)                                         \
    {                                                                                              \
        (void)job;                                                                                 \
        return 0;                                                                                  \
    }
DEVICE_JOB(sat)
DEVICE_SCRATCH(sat)
DEVICE_JOB(reduce)
DEVICE_SCRATCH(reduce)
DEVICE_JOB(scan)
DEVICE_SCRATCH(scan)
DEVICE_JOB(compact)
DEVICE_SCRATCH(compact)
DEVICE_JOB(sort)
DEVICE_SCRATCH(sort)
DEVICE_JOB(layer)
DEVICE_SCRATCH(layer)
DEVICE_JOB(spread)
DEVICE_SCRATCH(spread)
DEVICE_JOB(surface)
DEVICE_SCRATCH(surface)
DEVICE_JOB(cover)
DEVICE_SCRATCH(cover)
DEVICE_JOB(matte_plane)
DEVICE_SCRATCH(matte_plane)
DEVICE_JOB(follow)
DEVICE_SCRATCH(follow)
DEVICE_JOB(separate)
DEVICE_SCRATCH(separate)
DEVICE_JOB(show)
DEVICE_JOB(protect)
DEVICE_JOB(mix)

int device_unshow(const satk_show *job)
{
    (void)job;
    return 1;
}

DEVICE_JOB(fill)
DEVICE_SCRATCH(fill)
DEVICE_JOB(histogram)
DEVICE_JOB(luma)
DEVICE_JOB(codes)
DEVICE_JOB(patches)
DEVICE_JOB(radii)
DEVICE_JOB(coc)
DEVICE_SCRATCH(coc)
DEVICE_JOB(equal_lut)
DEVICE_JOB(equalize)
DEVICE_JOB(resample)
DEVICE_JOB(box)
DEVICE_JOB(scan_convert)
#undef DEVICE_JOB
#undef DEVICE_SCRATCH

int device_find_lights(const satk_highlight *job)
{
    (void)job;
    return 1;
}

size_t device_lights_scratch(const satk_highlight *job)
{
    (void)job;
    return 0;
}

int device_add_lights(const satk_highlight *job)
{
    (void)job;
    return 1;
}

void *device_stream(void)
{
    return NULL;
}

int device_wait(void)
{
    return 1;
}

int device_idle(void)
{
    return 1;
}

int device_copy_variants(void)
{
    return 0;
}

int device_widen(const void *in, void *out, size_t bytes_in, int variant)
{
    (void)in, (void)out, (void)bytes_in, (void)variant;
    return 1;
}

int device_traffic(const void *in, size_t bytes_in, void *out, size_t bytes_out, int variant)
{
    (void)in, (void)bytes_in, (void)out, (void)bytes_out, (void)variant;
    return 1;
}

int device_start(void)
{
    return 1;
}

double device_stop(void)
{
    return -1;
}
