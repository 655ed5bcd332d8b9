#include "video/clip_range.h"

#include "base/paths.h"
#include "base/threads.h"
#include "batch/progress.h"
#include "job/map_numbers.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>

typedef struct search {
    clip maps;
    const decode_settings *settings;
    const options *o;
    progress progress;
    depth_span span;
    pthread_mutex_t lock; /* of maps, span and all below */
    bool is_over, failed;
    problem failure;
} search;

/* Opens the maps again. The notes are those of the first time. */
static bool open_again(search *s, problem *p)
{
    problem notes = {.text = ""};
    message_collect(&notes);
    const bool done = clip_open(&s->maps, SOURCE_MAP, s->o, s->settings, p);
    message_collect(NULL);
    return done;
}

/* Takes the next map, and adds its numbers. VIDEO_END: there is none, or *needed is false: its scale is not theirs. */
static video_status add_map(search *s, depth_span *span, bool *needed, problem *p)
{
    video_status status = VIDEO_END;
    clip_frame f;
    picture map;
    pthread_mutex_lock(&s->lock);
    if (!s->is_over) {
        status = clip_next(&s->maps, &f, p);
        s->is_over = status != VIDEO_FRAME;
    }
    pthread_mutex_unlock(&s->lock);
    if (status != VIDEO_FRAME)
        return status;
    bool done =
        clip_frame_cut(&s->maps, &f, p) && clip_frame_load(&s->maps, &f, s->settings, &map, p);
    clip_frame_free(&f);
    if (!done)
        return VIDEO_FAILED;
    *needed = map_span_is_needed(s->o, &map);
    done = !*needed || map_span_add(s->o, &map, span, p);
    picture_free(&map);
    return !done ? VIDEO_FAILED : *needed ? VIDEO_FRAME : VIDEO_END;
}

/* Adds maps until there are none. */
static void add_maps(void *user)
{
    search *const s = user;
    depth_span own;
    problem notes = {.text = ""}, p = {.text = ""};
    bool needed;
    video_status status = VIDEO_FAILED;
    message_collect(&notes);
    if (depth_span_open(&own, s->span.bins, &p))
        while ((status = add_map(s, &own, &needed, &p)) == VIDEO_FRAME)
            progress_count(&s->progress, ITEM_DONE, NULL);
    message_collect(NULL);
    pthread_mutex_lock(&s->lock);
    s->is_over = true;
    if (status == VIDEO_FAILED && !s->failed) {
        s->failed = true;
        s->failure = p;
    }
    depth_span_join(&s->span, &own);
    pthread_mutex_unlock(&s->lock);
    depth_span_close(&own);
}

/* Adds all maps. *needed false: the first one's scale is not set by its numbers. */
static bool add_all(search *s, int threads, bool *needed, problem *p)
{
    problem notes = {.text = ""};
    message_collect(&notes);
    const video_status first = add_map(s, &s->span, needed, p);
    message_collect(NULL);
    if (first != VIDEO_FRAME)
        return first == VIDEO_END;
    progress_start(&s->progress, s->maps.count, "maps", s->o->given[OPT_QUIET]);
    progress_count(&s->progress, ITEM_DONE, NULL);
    threads_together(threads, add_maps, s);
    (void)progress_end(&s->progress);
    if (s->failed)
        *p = s->failure;
    return !s->failed;
}

/* Sets the range as --depth-range would, and says it. */
static bool set_range(const search *s, options *o, problem *p)
{
    const depth_span *const span = &s->span;
    const bool in_percent = o->range_in_percent;
    const double given[2] = {o->range_a, o->range_b};
    char words[64] = "";
    if (span->known == 0)
        return problem_set(p, "%s: no number in it is a depth; check the files, or --depth-type",
                           s->maps.name);
    o->given[OPT_DEPTH_RANGE] = o->range_of_clip = true;
    o->range_in_percent = false;
    o->range_a = in_percent ? depth_span_percentile(span, given[0]) : span->least;
    o->range_b = in_percent           ? depth_span_percentile(span, given[1])
                 : span->has_infinite ? INFINITY
                                      : span->most;
    if (in_percent && o->range_a >= o->range_b)
        return problem_set(p, "%s: --depth-range %g%%,%g%%: both are %g; give a wider range",
                           s->maps.name, given[0], given[1], o->range_a);
    if (in_percent)
        snprintf(words, sizeof words, " (%g to %g%%)", given[0], given[1]);
    else if (span->has_infinite)
        snprintf(words, sizeof words, " and infinity");
    message_note(!o->given[OPT_VERBOSE], "%s: depth range %.4g to %.4g%s over %llu maps",
                 s->maps.name, o->range_a, in_percent ? o->range_b : span->most, words,
                 (unsigned long long)span->maps);
    return true;
}

bool clip_range_find(const clip *maps, const decode_settings *settings, int threads, options *o,
                     problem *p)
{
    static const picture codes;
    const bool is_video = maps->kind == CLIP_VIDEO || maps->kind == CLIP_HALF;
    if (!o->given[OPT_DEPTH] || maps->kind == CLIP_NONE || maps->kind == CLIP_STILL ||
        (o->given[OPT_DEPTH_RANGE] && !o->range_in_percent) ||
        (is_video && !map_span_is_needed(o, &codes)))
        return true;
    if (is_video && (maps->name == path_stdin || !path_is_file(AT_FDCWD, maps->name)))
        return problem_set(p,
                           "%s: the range of its depths needs all maps, but a pipe can be read "
                           "only once; give --depth-range A,B",
                           maps->name);
    search s = {.settings = settings, .o = o, .lock = PTHREAD_MUTEX_INITIALIZER};
    bool needed = true;
    bool done = depth_span_open(&s.span, o->range_in_percent, p) && open_again(&s, p) &&
                add_all(&s, threads, &needed, p);
    done = done && (!needed || set_range(&s, o, p));
    clip_close(&s.maps);
    depth_span_close(&s.span);
    return done;
}
