/* The kernels on a CUDA device: entries of the back end's table, see backend.h. */
#ifndef SATB_CUDA_JOBS_H
#define SATB_CUDA_JOBS_H

#include "backend/backend.h"

satb_status satb_cuda_sat(satb_context *context, satk_sat *job);
satb_status satb_cuda_blur(satb_context *context, const satk_box *job);
satb_status satb_cuda_radii(satb_context *context, const satk_radii *job);
satb_status satb_cuda_coc(satb_context *context, satk_coc *job);
satb_status satb_cuda_layer(satb_context *context, satk_layer *job);
satb_status satb_cuda_spread(satb_context *context, satk_spread *job);
satb_status satb_cuda_find_lights(satb_context *context, satk_highlight *job);
satb_status satb_cuda_add_lights(satb_context *context, satk_highlight *job);
satb_status satb_cuda_resample(satb_context *context, satk_resample *job);
satb_status satb_cuda_surface(satb_context *context, satk_surface *job);
satb_status satb_cuda_rim_codes(satb_context *context, const satk_rim_codes *job);
satb_status satb_cuda_cover(satb_context *context, satk_cover *job);
satb_status satb_cuda_matte_plane(satb_context *context, satk_matte_plane *job);
satb_status satb_cuda_follow(satb_context *context, satk_follow *job);
satb_status satb_cuda_separate(satb_context *context, satk_separate *job);
satb_status satb_cuda_show(satb_context *context, const satk_show *job);
satb_status satb_cuda_unshow(satb_context *context, const satk_show *job);
satb_status satb_cuda_protect(satb_context *context, const satk_protect *job);
satb_status satb_cuda_mix(satb_context *context, const satk_mix *job);
satb_status satb_cuda_fill(satb_context *context, satk_fill *job);
satb_status satb_cuda_histogram(satb_context *context, satk_histogram *job);
satb_status satb_cuda_luma(satb_context *context, satk_luma *job);
satb_status satb_cuda_codes(satb_context *context, satk_codes *job);
satb_status satb_cuda_patches(satb_context *context, const satk_patches *job);
satb_status satb_cuda_equal_lut(satb_context *context, const satk_equal_lut *job);
satb_status satb_cuda_equalize(satb_context *context, const satk_equalize *job);
satb_status satb_cuda_reduce(satb_context *context, satk_reduce *job);
satb_status satb_cuda_scan(satb_context *context, satk_scan *job);
satb_status satb_cuda_compact(satb_context *context, satk_compact *job);
satb_status satb_cuda_sort(satb_context *context, satk_sort *job);

void satb_cuda_add_sat_need(satb_context *context, const satk_sat *job, satb_need *need);
void satb_cuda_add_blur_need(satb_context *context, const satk_box *job, satb_need *need);
void satb_cuda_add_coc_need(satb_context *context, const satk_coc *job, satb_need *need);
void satb_cuda_add_layer_need(satb_context *context, const satk_layer *job, satb_need *need);
void satb_cuda_add_spread_need(satb_context *context, const satk_spread *job, satb_need *need);
void satb_cuda_add_lights_need(satb_context *context, const satk_highlight *job, satb_need *need);
void satb_cuda_add_surface_need(satb_context *context, const satk_surface *job, satb_need *need);
void satb_cuda_add_cover_need(satb_context *context, const satk_cover *job, satb_need *need);
void satb_cuda_add_matte_plane_need(satb_context *context, const satk_matte_plane *job,
                                    satb_need *need);
void satb_cuda_add_follow_need(satb_context *context, const satk_follow *job, satb_need *need);
void satb_cuda_add_separate_need(satb_context *context, const satk_separate *job, satb_need *need);
void satb_cuda_add_fill_need(satb_context *context, const satk_fill *job, satb_need *need);
void satb_cuda_add_scan_need(satb_context *context, const satk_scan *job, satb_need *need);

#endif
