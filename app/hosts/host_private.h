/* Between the files of the hosts' functions. */
#ifndef SATBLUR_APP_HOST_PRIVATE_H
#define SATBLUR_APP_HOST_PRIVATE_H

#include "base/line.h"
#include "base/message.h"
#include "job/picture_job.h"
#include "video/focus_path.h"

typedef struct satb_host {
    char program[8], *lines; /* words, which the options point to */
    options o;
    picture_job job;
    bool is_clip, is_done; /* the job's pictures were worked on */
    uint64_t frame;
    focus_path focus; /* of a clip */
    message_notes notes;
    line meaning; /* of the map that was read */
} satb_host;

/* Returns a host of parsed lines, for satb_host_close(). NULL: p has the line. */
satb_host *host_new(const char *lines, problem *p);

/* Keeps the line for satb_host_problem(), and closes h, which may be NULL. Returns NULL. */
satb_host *host_fail(satb_host *h, const problem *p);

#endif
