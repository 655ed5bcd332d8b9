/* The plane of --focus-plane: the depth map becomes one of the differences from a tilted plane of focus. Any plane in space
 * has disparities that are linear in the picture's coordinates. */
#ifndef SATBLUR_APP_FOCUS_PLANE_H
#define SATBLUR_APP_FOCUS_PLANE_H

#include "job/job.h"

/* Lets the parameters count the codes of a map of differences, see PLANE_FOCUS. */
void focus_plane_settle(satb_dof_params *dof);

/* Replaces the request's map, which has been accepted and aligned, by one of 16 bits. Holes that are to be filled stay
 * holes, with code 0. request.plane gets what was replaced. False: p has the line. */
bool focus_plane_apply(picture_job *j, problem *p);

#endif
