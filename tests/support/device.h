/* The GPU as the tests see it: memory, copies, launches, a clock. device.c is compiled where CUDA
 * is, device_none.c where it is not; both have all functions. One device, one stream of its own
 * (non-blocking, so that a launcher that ignores its stream is not ordered by chance). */
#ifndef SATB_TEST_DEVICE_H
#define SATB_TEST_DEVICE_H

#include "kernels.h"

int device_open(void);           /* returns 1 if a device is usable; called first */
const char *device_reason(void); /* why none is */
const char *device_name(void);
const char *device_error(void); /* the last failure, as a text */
size_t device_free_memory(void);
int device_broken(
    void); /* 1: a kernel has broken the device's context; nothing will work any more */

/* Return 0 or a cudaError_t. device_alloc() returns uninitialised memory, or NULL on failure. */
void *device_alloc(size_t bytes);
void device_free(void *memory);
int device_upload(void *to, const void *from, size_t bytes);
int device_download(void *to, const void *from, size_t bytes);
int device_copy(void *to, const void *from, size_t bytes); /* both on the device; queued only */

/* Queue a primitive. The job's pointers are device memory. Return 0 or a cudaError_t. */
size_t device_sat_scratch(const satk_sat *job);
int device_sat(const satk_sat *job); /* the board is its own */
/* Clears the board and sets the number of its builds to SATK_SAT_BUILDS - 1. The next build has the
 * last number, and the one after it has number 1, so words that builds 1, 2, ... had left would pass
 * for new ones. */
int device_age_board(void);
int device_box(const satk_box *job);
int device_box_fused_pays(const satk_box *job);
size_t device_box_fused_scratch(const satk_box *job);
int device_box_fused(const satk_box *job, void *scratch);
int device_scan_convert(const satk_scan_convert *job);
/* The kernels of kernels.h, and the bytes of those that have scratch. */
#define PLAIN(NAME, JOB, WORK) int device_##NAME(const satk_##JOB *job);
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    int device_##NAME(const satk_##JOB *job);                                                      \
    size_t device_##NAME##_scratch(const satk_##JOB *job);
SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
#undef PLAIN
#undef SCRATCH

int device_wait(void);
int device_idle(void);     /* waits for all streams of the device, and not for this one alone */
void *device_stream(void); /* for launches that are not the kernels' */

/* The yardsticks of satbench, see copy_cuda.cu. */
int device_copy_variants(void);
int device_widen(const void *in, void *out, size_t bytes_in, int variant);
int device_traffic(const void *in, size_t bytes_in, void *out, size_t bytes_out, int variant);

/* Return the device time between device_start() and device_stop(), in milliseconds; negative on an
 * error. */
int device_start(void);
double device_stop(void);

#endif
