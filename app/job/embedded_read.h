/* The map and the matte that lie within the picture's own file. */
#ifndef SATBLUR_APP_EMBEDDED_READ_H
#define SATBLUR_APP_EMBEDDED_READ_H

#include "job/job.h"

/* Returns whether the options ask for either. */
bool embedded_is_wanted(const options *o);

/* Takes the meaning of the codes of a photo's own map into the options, where the user has given no other. */
void embedded_take_meaning(options *o, const embedded_meaning *m);

/* Takes them from the file of j->input, which is freed, and what they mean into j's own options, where the user has given
 * nothing else. If the file has the photo before it was blurred, that photo becomes the picture; settings are those of the
 * picture. False: p has the line. */
bool embedded_read(picture_job *j, const decode_settings *settings, problem *p);

#endif
