/* A depth map in one channel of a picture of codes. */
#ifndef SATBLUR_APP_CHANNEL_H
#define SATBLUR_APP_CHANNEL_H

#include "base/message.h"

#include <satblur.h>

/* Keeps the channel of that name ("alpha") or letter, Y of gray, in a dense image. False: p has a sentence. */
bool picture_take_channel(satb_image *image, const char *name, problem *p);

#endif
