/* The depth maps or the masks of a clip, frame by frame: a clip of its own, or one picture for all frames. */
#ifndef SATBLUR_APP_COMPANION_H
#define SATBLUR_APP_COMPANION_H

#include "video/clip.h"

typedef struct companion {
    clip clip;
    clip_sync sync;
    clip_frame now, next; /* the frame in use, and the one after it */
    bool has_now, has_next;
} companion;

/* Opens what the options name for that role, if anything; a still is not read. Files and arrays have no rate of their own:
 * theirs is that of the clip `of`, or --fps. False: p has the line. */
bool companion_open(companion *c, source_role role, const clip *of, const options *o,
                    const decode_settings *settings, problem *p);
void companion_close(companion *c);

/* Refuses another number of frames than the clip's, where both are known and no sync is given. */
bool companion_accept(const companion *c, const clip *of, problem *p);

/* Shares the frame that belongs to a frame of the clip. SYNC_NONE: the one with its number. SYNC_FRAME: the same, and the last
 * one from there on. SYNC_TIME: the nearest in time. False: p has the line; it ended early. */
bool companion_frame(companion *c, const clip_frame *of, clip_frame *out, problem *p);

/* Refuses frames that are left when the clip has ended after that many, without a sync. */
bool companion_end(companion *c, uint64_t frames, problem *p);

#endif
