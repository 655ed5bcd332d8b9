/* The GPU as the tests see it: memory, copies, launches, a clock. device.c is compiled where CUDA
 * is, device_none.c where it is not; both have all functions. One device, one stream of its own
 * (non-blocking, so that a launcher that ignores its stream is not ordered by chance). */
#ifndef SATB_TEST_DEVICE_H
#define SATB_TEST_DEVICE_H

#include "box/box.h"
#include "array/compact.h"
#include "stats/codes.h"
#include "stats/equalize.h"
#include "highlight/highlight.h"
#include "cover/cover.h"
#include "fill/fill.h"
#include "surface/resample.h"
#include "surface/surface.h"
#include "stats/histogram.h"
#include "stats/patches.h"
#include "layer/layer.h"
#include "layer/coc.h"
#include "layer/radii.h"
#include "matte/follow.h"
#include "matte/matte_plane.h"
#include "protect/mix.h"
#include "protect/protect.h"
#include "matte/separate.h"
#include "surface/show.h"
#include "array/reduce.h"
#include "sat/sat.h"
#include "array/scan.h"
#include "array/sort.h"
#include "spread/spread.h"

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
/* Clears the boards and sets the number of their builds to SATK_SAT_BUILDS - 1. The next build has
 * the last number, and the one after it has number 1, so words that builds 1, 2, ... had left would
 * pass for new ones. */
int device_age_boards(void);
int device_box(const satk_box *job);
int device_box_fused_pays(const satk_box *job);
size_t device_box_fused_scratch(const satk_box *job);
int device_box_fused(const satk_box *job, void *scratch);
size_t device_reduce_scratch(const satk_reduce *job);
int device_reduce(const satk_reduce *job);
size_t device_scan_scratch(const satk_scan *job);
int device_scan(const satk_scan *job);
int device_scan_convert(const satk_scan_convert *job);
int device_histogram(const satk_histogram *job);
size_t device_compact_scratch(const satk_compact *job);
int device_compact(const satk_compact *job);
size_t device_sort_scratch(const satk_sort *job);
int device_sort(const satk_sort *job);
int device_luma(const satk_luma *job);
int device_codes(const satk_codes *job);
int device_equal_lut(const satk_equal_lut *job);
int device_equalize(const satk_equalize *job);
size_t device_layer_scratch(const satk_layer *job);
int device_layer(const satk_layer *job); /* job's slabs being the host's */
size_t device_spread_scratch(const satk_spread *job);
int device_spread(const satk_spread *job);
size_t device_surface_scratch(const satk_surface *job);
int device_surface(const satk_surface *job);
int device_patches(const satk_patches *job);
int device_radii(const satk_radii *job);
size_t device_coc_scratch(const satk_coc *job);
int device_coc(const satk_coc *job);
int device_resample(const satk_resample *job);
size_t device_cover_scratch(const satk_cover *job);
int device_cover(const satk_cover *job);
size_t device_matte_plane_scratch(const satk_matte_plane *job);
int device_matte_plane(const satk_matte_plane *job);
size_t device_follow_scratch(const satk_follow *job);
int device_follow(const satk_follow *job);
size_t device_separate_scratch(const satk_separate *job);
int device_separate(const satk_separate *job);
int device_show(const satk_show *job);
int device_unshow(const satk_show *job);
int device_protect(const satk_protect *job);
int device_mix(const satk_mix *job);
size_t device_fill_scratch(const satk_fill *job);
int device_fill(const satk_fill *job);
int device_find_lights(const satk_highlight *job);
size_t device_lights_scratch(const satk_highlight *job);
int device_add_lights(const satk_highlight *job);
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
