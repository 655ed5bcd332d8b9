/* Images that come from callers: checked, and brought to where the host can read them. */
#ifndef SATB_IMAGE_H
#define SATB_IMAGE_H

#include "base/context.h"

/* Returns OK for an image that satblur.h allows and that the context's device reaches, else ARG with a message, in which
 * `what` names the image: "source", "depth map". image and context may be NULL, which is refused. */
satb_status satb_check_image(satb_context *context, const satb_image *image, const char *what);

/* Does the same, and refuses half floats. */
satb_status satb_check_codes(satb_context *context, const satb_image *image, const char *what);

/* Checks an output in the same way. It must also have src's size, channels and bits, and half floats if src has. */
satb_status satb_check_output(satb_context *context, const satb_image *src, const satb_image *dst);

/* Checks how a picture is to be blurred. Errors: ARG. */
satb_status satb_check_look(satb_context *context, const satb_image *src, const satb_look *look);

/* Sets *view to the image in memory that the host can read: to the image itself, then *copy is NULL; or to a copy of an
 * image on the device, then the caller gives *copy back with satb_give(). view may be the image. Errors: NOMEM,
 * DEVICE_NOMEM, DEVICE; *copy is NULL then, and *view holds no image. */
satb_status satb_view_on_host(satb_context *context, const satb_image *image, satb_image *view,
                              void **copy);

/* Does the same, but always copies. */
satb_status satb_copy_on_host(satb_context *context, const satb_image *image, satb_image *view,
                              void **copy);

#endif
