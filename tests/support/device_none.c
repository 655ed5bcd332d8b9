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

int device_age_board(void)
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

#define PLAIN(NAME, JOB, WORK)                                                                     \
    int device_##NAME(const satk_##JOB *job)                                                       \
    {                                                                                              \
        (void)job;                                                                                 \
        return 1;                                                                                  \
    }
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    PLAIN(NAME, JOB, WORK)                                                                         \
    size_t device_##NAME##_scratch(const satk_##JOB *job)                                          \
    {                                                                                              \
        (void)job;                                                                                 \
        return 0;                                                                                  \
    }
SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
SCRATCH(sat, sat, "")
PLAIN(box, box, "")
PLAIN(scan_convert, scan_convert, "")
#undef PLAIN
#undef SCRATCH

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
