/* The forms of an aperture over a picture. Towards the corners the lens cuts them (optical vignetting): a disc of the rim's
 * size, shifted by vignette times the distance from the centre in half diagonals, lets through what is in both. */
#ifndef SATB_FORMS_H
#define SATB_FORMS_H

#include "blur/aperture.h"

/* The disc that cuts a form, in radii, without the squeeze. */
typedef struct satb_pupil {
    double x, y, radius;
} satb_pupil;

/* Returns half of the disc's width in a row. */
double satb_half_pupil(const satb_pupil *pupil, double y);

/* Returns the disc that cuts at a patch of squares of `cell` pixels, in the upright picture. half: of the picture's diagonal in
 * pixels. sign: 1, or -1 to cut on the side away from the centre. */
satb_pupil satb_pupil_of_patch(const satb_aperture *aperture, const satk_form_patches *patches,
                               int column, int row, int cell, double half, int sign);

typedef struct satb_forms {
    satk_forms windows; /* their boxes: see satb_forms_at() */
    satk_form_box *box;
    size_t bytes;
} satb_forms;

/* Makes the forms for a picture of this size. aperture: lives as long as they do. Errors: NOMEM; there is nothing to free then. */
satb_status satb_make_forms(satb_context *context, const satb_aperture *aperture, int width,
                            int height, satb_forms *forms);

/* Sets the places of the boxes. memory: what kernels read, with all boxes. */
void satb_forms_at(satb_forms *forms, const void *memory);

void satb_free_forms(satb_forms *forms);

#endif
