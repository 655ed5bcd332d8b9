/* The forms of an aperture over a picture. Towards the corners the lens cuts them (optical vignetting): a disc of the rim's
 * size, shifted by vignette times the distance from the centre in half diagonals, lets through what is in both. */
#ifndef SATB_FORMS_H
#define SATB_FORMS_H

#include "blur/aperture.h"

typedef struct satb_forms {
    satk_forms windows, lights; /* their boxes: see satb_forms_at() */
    satk_form_box *box;         /* of the windows, then of the lights */
    size_t bytes;
} satb_forms;

/* Makes the forms for a picture of this size. aperture: lives as long as they do. with_lights: 0 leaves those out. Errors:
 * NOMEM; there is nothing to free then. */
satb_status satb_make_forms(satb_context *context, const satb_aperture *aperture, int width,
                            int height, int with_lights, satb_forms *forms);

/* Sets the places of the boxes. memory: what kernels read, with all boxes. */
void satb_forms_at(satb_forms *forms, const void *memory);

void satb_free_forms(satb_forms *forms);

#endif
