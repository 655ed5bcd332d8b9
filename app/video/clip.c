#include "video/clip.h"

#include "base/paths.h"
#include "engine/source.h"
#include "image/pixels.h"
#include "video/clip_part.h"
#include "video/names/moves.h"
#include "video/names/numbered_set.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clip_map {
    atomic_int users;
    size_t size;
    uint8_t file[];
};

static bool open_video(clip *c, const options *o, problem *p)
{
    const bool is_input = !c->is_map || c->part.half;
    const video_in_settings settings = {.max_pixels = o->max_pixels,
                                        .track = c->part.track,
                                        .taken = is_input ? clip_part_tracks(o) : 0,
                                        .fails = o->damage_fails,
                                        .is_map = c->is_map,
                                        .is_codes = o->given[OPT_GAMMA],
                                        .quiet = o->given[OPT_QUIET]};
    if (!video_in_open(&c->video, c->name, &settings, p))
        return false;
    const video_about *const about = video_in_about(c->video);
    if (c->part.half && about->orientation != 1)
        return problem_set(
            p, "%s: is turned for display, and its halves are not; turn it first: ffmpeg -i IN OUT",
            c->name);
    c->kind = CLIP_VIDEO;
    c->count = about->frames;
    c->is_exact = about->is_counted;
    if (c->count == 0 && c->name != path_stdin && moves_as(c->name, &c->count) == MOVES_AS_PNG)
        c->is_exact = c->count > 0;
    c->rate = about->rate > 0 ? about->rate : o->fps;
    return true;
}

/* Opens the array of a file that has one with several maps; *found false: it has none. */
static bool open_array(clip *c, const decode_settings *settings, bool *found, problem *p)
{
    problem inner;
    *found = false;
    if (!npy_series_open(&c->array, c->name, settings, &inner))
        return problem_at(p, c->name, &inner);
    if (!c->array)
        return true;
    *found = true;
    c->kind = CLIP_ARRAY;
    c->count = npy_series_maps(c->array);
    c->is_exact = true;
    return true;
}

/* Opens numbered files: a pattern, a folder, or a name with *. */
static bool open_files(clip *c, const options *o, problem *p)
{
    numbered *const f = &c->files;
    uint64_t files = 0;
    const bool is_set = numbered_set_is(c->name);
    if (is_set && !(c->pattern = numbered_set_pattern(
                        c->name, c->is_map ? codec_is_map_name : codec_is_picture_name, &files, p)))
        return false;
    if (!numbered_find(f, is_set ? c->pattern : c->name, o->gaps_hold, p))
        return false;
    if (is_set && f->count - f->lacking != files)
        return problem_set(p, "%s: has files of several patterns; name one, like %s", c->name,
                           c->pattern);
    if (f->lacking > 0)
        message_note(o->given[OPT_QUIET],
                     "%s: %llu of %llu frames are missing; those before them are repeated", c->name,
                     (unsigned long long)f->lacking, (unsigned long long)f->count);
    c->kind = CLIP_NUMBERED;
    c->count = f->count;
    c->is_exact = true;
    return true;
}

bool clip_open(clip *c, source_role role, const options *o, const decode_settings *settings,
               problem *p)
{
    bool found;
    const bool is_map = role != SOURCE_INPUT, is_part = source_is_part(o, role);
    const char *const name = is_part ? o->input : source_file(o, role);
    *c = (clip){.name = name, .is_map = is_map, .rate = o->fps};
    if (!clip_part_read(o, role, &c->part, p))
        return false;
    if (!name)
        return true;
    if (is_part)
        return open_video(c, o, p);
    if (name == path_stdin || moves_by_name(name))
        return open_video(c, o, p);
    if (numbered_is(name) || numbered_set_is(name))
        return open_files(c, o, p);
    /* FFmpeg reads more than it writes here. */
    const picture_moves moves = is_map ? MOVES_NOT : moves_as(name, NULL);
    const bool is_picture = codec_is_picture_name(name) || moves == MOVES_NOT_PNG;
    if (!is_map && (!is_picture || codec_may_move(name) || moves == MOVES_AS_PNG))
        return open_video(c, o, p);
    if (moves == MOVES_AS_WEBP)
        return problem_set(
            p,
            "%s: is an animated WebP, which FFmpeg's libraries do not read; make files of its "
            "frames, by libwebp's anim_dump",
            name);
    if (is_map && (!open_array(c, settings, &found, p) || found))
        return found;
    c->kind = CLIP_STILL;
    return true;
}

void clip_close(clip *c)
{
    npy_series_close(c->array);
    c->array = NULL;
    free(c->pattern);
    c->pattern = NULL;
    video_in_close(&c->video);
}

/* Reads the array's next map into the frame. */
static bool next_map(clip *c, clip_frame *f, problem *p)
{
    problem inner;
    const size_t size = npy_series_bytes(c->array);
    f->map = pixels_allocate(sizeof *f->map + size);
    if (!f->map)
        return problem_set(p, "%s: not enough memory for a map", c->name);
    f->map->users = 1;
    f->map->size = size;
    if (npy_series_next(c->array, f->map->file, &inner))
        return true;
    clip_frame_free(f);
    return problem_at(p, c->name, &inner);
}

/* Names the next file, or the last one before it that is there. */
static bool name_file(clip *c, char path[4096], problem *p)
{
    const long long number = c->files.first + (long long)c->at;
    if (!numbered_name(c->files.pattern, number, path, p))
        return false;
    if (c->files.lacking > 0 && !path_is_file(AT_FDCWD, path))
        return numbered_name(c->files.pattern, c->there, path, p);
    c->there = number;
    return true;
}

video_status clip_next(clip *c, clip_frame *f, problem *p)
{
    *f = (clip_frame){.number = c->at, .seconds = (double)c->at / c->rate};
    snprintf(f->path, sizeof f->path, "%s", c->name);
    if (c->kind == CLIP_VIDEO) {
        const video_status status = video_in_next(c->video, &f->video, p);
        if (status == VIDEO_FRAME) {
            f->seconds = video_frame_seconds(f->video);
            c->at++;
        }
        return status;
    }
    const bool is_counted = c->kind == CLIP_NUMBERED || c->kind == CLIP_ARRAY;
    if (is_counted && c->at == c->count)
        return VIDEO_END;
    if (c->kind == CLIP_ARRAY) {
        if (!next_map(c, f, p))
            return VIDEO_FAILED;
    } else if (c->kind == CLIP_NUMBERED) {
        if (!name_file(c, f->path, p))
            return VIDEO_FAILED;
    }
    c->at++;
    return VIDEO_FRAME;
}

bool clip_frame_cut(const clip *c, clip_frame *f, problem *p)
{
    problem inner;
    return !f->video || video_frame_cut(f->video, &c->part, &inner) ||
           problem_at(p, c->name, &inner);
}

bool clip_frame_share(clip_frame *to, const clip_frame *from, problem *p)
{
    *to = *from;
    if (to->map)
        atomic_fetch_add(&to->map->users, 1);
    to->video = from->video ? video_frame_share(from->video) : NULL;
    return !from->video == !to->video || problem_set(p, "not enough memory for a frame");
}

void clip_frame_free(clip_frame *f)
{
    video_frame_free(&f->video);
    if (f->map && atomic_fetch_sub(&f->map->users, 1) == 1)
        pixels_free(f->map);
    f->map = NULL;
}

/* Reads a map of the array as if it were a file of its own. */
static bool load_map(const clip *c, const clip_map *map, const decode_settings *settings,
                     picture *pic, problem *p)
{
    if (!picture_decode(pic, map->file, map->size, c->name, settings, p))
        return false;
    pic->format = npy_series_format(c->array);
    snprintf(pic->values.from, sizeof pic->values.from, "%.*s", (int)sizeof pic->values.from - 1,
             npy_series_array(c->array));
    pic->values.is_metres = pic->values.is_assumed =
        pic->values.data && npy_series_is_distance(c->array);
    return true;
}

bool clip_frame_load(const clip *c, const clip_frame *f, const decode_settings *settings,
                     picture *pic, problem *p)
{
    problem inner;
    char at[48];
    if (f->map)
        return load_map(c, f->map, settings, pic, p);
    if (!f->video)
        return picture_load(pic, f->path, settings, p);
    if (video_frame_picture(f->video, c->is_map, pic, &inner)) {
        pic->orientation = c->kind == CLIP_HALF ? 1 : video_in_about(c->video)->orientation;
        return true;
    }
    snprintf(at, sizeof at, "frame %llu: ", (unsigned long long)f->number);
    return problem_set(p, "%s: %s%s", c->name, at, inner.text);
}
