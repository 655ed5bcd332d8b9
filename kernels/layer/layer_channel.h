/* One channel of a picture, blurred as a gray one, on the host. */
#ifndef SATK_LAYER_CHANNEL_H
#define SATK_LAYER_CHANNEL_H

#include "layer/layer.h"

/* Returns 1 if a job asks for one channel, whose result depends on no other. */
int satk_layer_is_channel(const satk_layer *job);

/* Do satk_layer_scratch_cpu() and satk_layer_cpu() for such a job. */
size_t satk_layer_channel_scratch(const satk_layer *job, int threads);
void satk_layer_channel(const satk_layer *job, int threads);

#endif
