/* Blur by layers of a picture whose left and right sides meet, as those of a panorama do. Kernels see it with columns of the
 * other side beyond either side, as far as windows reach. */
#ifndef SATB_DOF_WRAP_H
#define SATB_DOF_WRAP_H

#include "blur/dof_blur.h"

/* Returns the columns beyond either side: at most `reach`, the picture's own, and what a picture may have. */
int satb_wide_margin(const satb_image *picture, int reach);

/* Adds the bytes that the wide planes of `rows` rows take. */
void satb_add_wide_need(const satb_dof_blur *blur, int margin, int rows, satb_need *need);

/* Makes wide planes of a band, and copies all but the result. Errors: DEVICE_NOMEM, NOMEM, DEVICE. */
satb_status satb_widen(satb_context *context, const satb_band_planes *planes, int margin,
                       satb_band_planes *wide);

/* Copies the middle of the wide result to the band's. Errors: DEVICE. */
satb_status satb_narrow(satb_context *context, const satb_band_planes *wide, int margin,
                        const satb_band_planes *planes);

#endif
