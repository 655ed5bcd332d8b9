/* A picture of half floats as the codes that a screen shows, for the steps that compare or mix colours as they are seen: see
 * "Half floats" in satblur.h. */
#ifndef SATB_SHOWN_H
#define SATB_SHOWN_H

#include "backend/backend.h"

/* Makes *shown the codes of a picture, whose plane is `halves`, in SATB_SLOT_SHOWN. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_show(satb_context *context, const satk_plane *halves, satk_plane *shown);

/* Turns codes of that picture, of which some may have changed, into half floats. Errors: as of satb_show(). */
satb_status satb_unshow(satb_context *context, const satk_plane *halves, const satk_plane *codes);

/* Adds the bytes that both need. Returns OK. */
satb_status satb_add_shown_need(const satb_image *picture, satb_need *need);

#endif
