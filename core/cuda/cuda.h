/* Between the files of the CUDA back end: backend_cuda.c has the device and its clock,
 * backend_cuda_memory.c its memory, backend_cuda_jobs.c launches kernels on it. */
#ifndef SATB_BACKEND_CUDA_H
#define SATB_BACKEND_CUDA_H

#include "backend/backend.h"

#include <cuda_runtime_api.h>

typedef struct cuda_buffer {
    void *data;
    size_t size;
    int is_filled;   /* with what is written once */
    uint32_t builds; /* of a board: tables since it was cleared */
    /* The data of the image whose samples are all here, be it the host's or on a device; `data` itself: an image that
     * is here alone, see keep(); NULL: no whole image. */
    const void *holds;
} cuda_buffer;

typedef struct cuda_device {
    int index;
    cudaStream_t stream;
    cuda_buffer slots[SATB_SLOTS];
    size_t held, cap; /* bytes of all slots, and the most that they may have; cap 0: what is free */
    int under_way;    /* a call is */
    cudaEvent_t marks[SATB_STAGES + 1]; /* its stage i runs from marks[i] to marks[i + 1] */
    satb_stage stages[SATB_STAGES];
    int stage_count;
    double ms[SATB_STAGES]; /* of its stages before these */
    cudaEvent_t asleep;     /* for satb_cuda_wait() */
    cuda_buffer host;       /* memory of the host's that the device reaches */
} cuda_device;

/* A CUDA error as a status of ours. what: "copying to it", ... */
satb_status satb_cuda_check(satb_context *context, int error, const char *what);

/* Until all that was begun is done. */
satb_status satb_cuda_wait(satb_context *context);

/* Entries of the back end's table; see backend.h. */
satb_status satb_cuda_begin(satb_context *context, satb_stage stage);

void satb_cuda_trim(satb_context *context);
int satb_cuda_fits(satb_context *context, const satb_room *room, size_t *limit);
satb_status satb_cuda_make_room(satb_context *context, const satb_room *room);
satb_status satb_cuda_reserve(satb_context *context, satb_slot slot, size_t bytes, void **data);
satb_status satb_cuda_output(satb_context *context, satb_slot slot, const satb_image *image,
                             const satb_band *band, satk_plane *plane);
satb_status satb_cuda_upload(satb_context *context, satb_slot slot, const satb_image *image,
                             const satb_band *band, satk_plane *plane);
satb_status satb_cuda_download(satb_context *context, const satk_plane *plane,
                               const satb_band *band, const satb_image *image);
int satb_cuda_reaches(satb_context *context, const void *data);
satb_status satb_cuda_bring(satb_context *context, const satb_image *image, const satb_image *host);
void satb_cuda_keep(satb_context *context, satb_slot slot);
satb_status satb_cuda_upload_bytes(satb_context *context, satb_slot slot, const void *bytes,
                                   size_t size, int once, const void **data);
satb_status satb_cuda_output_bytes(satb_context *context, satb_slot slot, void *host, size_t bytes,
                                   void **data);
void *satb_cuda_host_room(satb_context *context, size_t bytes);
satb_status satb_cuda_fetch(satb_context *context, void *host, const void *data, size_t bytes);

satb_status satb_cuda_sat(satb_context *context, satk_sat *job);
satb_status satb_cuda_blur(satb_context *context, const satk_box *job);
satb_status satb_cuda_layer(satb_context *context, satk_layer *job);
satb_status satb_cuda_spread(satb_context *context, satk_spread *job);
satb_status satb_cuda_find_lights(satb_context *context, satk_highlight *job);
satb_status satb_cuda_add_lights(satb_context *context, satk_highlight *job);
satb_status satb_cuda_surface(satb_context *context, satk_surface *job);
satb_status satb_cuda_histogram(satb_context *context, satk_histogram *job);
satb_status satb_cuda_luma(satb_context *context, satk_luma *job);
satb_status satb_cuda_equalize(satb_context *context, const satk_equalize *job);
satb_status satb_cuda_reduce(satb_context *context, satk_reduce *job);
satb_status satb_cuda_scan(satb_context *context, satk_scan *job);
satb_status satb_cuda_compact(satb_context *context, satk_compact *job);
satb_status satb_cuda_sort(satb_context *context, satk_sort *job);

void satb_cuda_add_sat_room(satb_context *context, const satk_sat *job, satb_room *room);
void satb_cuda_add_blur_room(satb_context *context, const satk_box *job, satb_room *room);
void satb_cuda_add_layer_room(satb_context *context, const satk_layer *job, satb_room *room);
void satb_cuda_add_spread_room(satb_context *context, const satk_spread *job, satb_room *room);
void satb_cuda_add_lights_room(satb_context *context, const satk_highlight *job, satb_room *room);
void satb_cuda_add_surface_room(satb_context *context, const satk_surface *job, satb_room *room);
void satb_cuda_add_scan_room(satb_context *context, const satk_scan *job, satb_room *room);

#endif
