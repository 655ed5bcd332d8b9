/* Parts of INPUT, a video, that are the clips of other roles. */
#ifndef SATBLUR_APP_CLIP_PART_H
#define SATBLUR_APP_CLIP_PART_H

#include "base/message.h"
#include "engine/options.h"
#include "video/video_about.h"

/* Reads the part that the role's source names, if it names one: "track:2", "half:right", or "half:right:50" with a gap of
 * 50 pixels. Of INPUT it is the half that the other roles leave. False: p has the line. */
bool clip_part_read(const options *o, source_role role, clip_part *part, problem *p);

/* Returns a bit, 1 << N, for each track of INPUT that is the clip of another role. */
unsigned clip_part_tracks(const options *o);

#endif
