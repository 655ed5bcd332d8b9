/* Memory of a CUDA device: entries of the back end's table, see backend.h. */
#ifndef SATB_CUDA_MEMORY_H
#define SATB_CUDA_MEMORY_H

#include "backend/backend.h"

void satb_cuda_trim(satb_context *context);
int satb_cuda_fits(satb_context *context, const satb_need *need, size_t *limit);
satb_status satb_cuda_reserve_all(satb_context *context, const satb_need *need);
satb_status satb_cuda_reserve(satb_context *context, satb_slot slot, size_t bytes, void **data);
satb_status satb_cuda_output(satb_context *context, satb_slot slot, const satb_image *image,
                             const satb_band *band, satk_plane *plane);
satb_status satb_cuda_upload(satb_context *context, satb_slot slot, const satb_image *image,
                             const satb_band *band, satk_plane *plane);
satb_status satb_cuda_download(satb_context *context, const satk_plane *plane,
                               const satb_band *band, const satb_image *image);
satb_status satb_cuda_copy(satb_context *context, const satk_plane *src, const satk_plane *dst);
int satb_cuda_reaches(satb_context *context, const void *data);
satb_status satb_cuda_to_host(satb_context *context, const satb_image *image,
                              const satb_image *host);
void satb_cuda_retain(satb_context *context, satb_slot slot);
void satb_cuda_release(satb_context *context);
satb_status satb_cuda_upload_bytes(satb_context *context, satb_slot slot, const void *bytes,
                                   size_t size, int once, const void **data);
satb_status satb_cuda_output_bytes(satb_context *context, satb_slot slot, void *host, size_t bytes,
                                   void **data);
void *satb_cuda_host_buffer(satb_context *context, size_t bytes);
satb_status satb_cuda_fetch(satb_context *context, void *host, const void *data, size_t bytes);

#endif
