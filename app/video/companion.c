#include "video/companion.h"

#include "engine/source.h"
#include "video/clip_part.h"

#include <math.h>
#include <stdio.h>

/* Takes the frame after `next`, or none at the end. */
static bool look_ahead(companion *c, problem *p)
{
    const video_status status = clip_next(&c->clip, &c->next, p);
    c->has_next = status == VIDEO_FRAME;
    return status != VIDEO_FAILED;
}

static bool advance(companion *c, problem *p)
{
    if (c->has_now)
        clip_frame_free(&c->now);
    c->now = c->next;
    c->has_now = c->has_next;
    return look_ahead(c, p);
}

/* Returns whether it has frames of its own. */
static bool has_frames(const companion *c)
{
    return c->clip.kind != CLIP_NONE && c->clip.kind != CLIP_STILL && c->clip.kind != CLIP_HALF;
}

/* Refuses a part of what has none. */
static bool accept_part(const options *o, source_role role, const clip *of, problem *p)
{
    return !source_is_part(o, role) || of->kind == CLIP_VIDEO ||
           problem_set(p, "%s: is no video, so there is no %s in it; name files like map/%%05d.png",
                       of->name, o->source[role]);
}

bool companion_open(companion *c, source_role role, const clip *of, const options *o,
                    const decode_settings *settings, problem *p)
{
    const char *const name = source_file(o, role);
    clip_part part;
    *c = (companion){.sync = o->depth_sync};
    if (!accept_part(o, role, of, p) || !clip_part_read(o, role, &part, p))
        return false;
    if (part.half)
        c->clip = (clip){.kind = CLIP_HALF, .name = o->input, .is_map = true, .part = part};
    else if (name && role >= SOURCES_EACH)
        c->clip = (clip){.kind = CLIP_STILL, .name = name, .is_map = true};
    else if (!clip_open(&c->clip, role, o, settings, p))
        return false;
    if (c->clip.kind != CLIP_VIDEO && !o->given[OPT_FPS])
        c->clip.rate = of->rate;
    if (!has_frames(c))
        return true;
    return look_ahead(c, p) && advance(c, p) &&
           (c->has_now || problem_set(p, "%s: has no frames", c->clip.name));
}

void companion_close(companion *c)
{
    if (c->has_now)
        clip_frame_free(&c->now);
    if (c->has_next)
        clip_frame_free(&c->next);
    clip_close(&c->clip);
    *c = (companion){0};
}

bool companion_accept(const companion *c, const clip *of, problem *p)
{
    const uint64_t a = c->clip.count, b = of->count;
    const bool exact = c->clip.is_exact && of->is_exact;
    return !has_frames(c) || c->sync != SYNC_NONE || !exact || a == b ||
           problem_set(p,
                       "%s: has %llu frames, and %s has %llu; give --depth-sync time or "
                       "--depth-sync frame",
                       c->clip.name, (unsigned long long)a, of->name, (unsigned long long)b);
}

static bool refuse_end(const companion *c, const clip_frame *of, problem *p)
{
    return problem_set(p,
                       "%s: ends before frame %llu of the clip; give --depth-sync time or "
                       "--depth-sync frame",
                       c->clip.name, (unsigned long long)of->number);
}

bool companion_frame(companion *c, const clip_frame *of, clip_frame *out, problem *p)
{
    if (c->clip.kind == CLIP_HALF)
        return clip_frame_share(out, of, p) && clip_frame_cut(&c->clip, out, p);
    if (!has_frames(c)) {
        *out = (clip_frame){.number = of->number, .seconds = of->seconds};
        snprintf(out->path, sizeof out->path, "%s", c->clip.name ? c->clip.name : "");
        return true;
    }
    if (c->sync == SYNC_TIME) {
        while (c->has_next &&
               fabs(c->next.seconds - of->seconds) <= fabs(c->now.seconds - of->seconds))
            if (!advance(c, p))
                return false;
    } else {
        while (c->has_next && c->now.number < of->number)
            if (!advance(c, p))
                return false;
        if (c->now.number < of->number && c->sync == SYNC_NONE)
            return refuse_end(c, of, p);
    }
    return clip_frame_share(out, &c->now, p);
}

bool companion_end(companion *c, uint64_t frames, problem *p)
{
    return !has_frames(c) || c->sync != SYNC_NONE || !c->has_next ||
           problem_set(p,
                       "%s: has more frames than the clip, which has %llu; give --depth-sync time "
                       "or --depth-sync frame",
                       c->clip.name, (unsigned long long)frames);
}
