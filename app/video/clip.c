#include "video/clip.h"

#include "base/paths.h"
#include "image/pixels.h"
#include "image/shape.h"
#include "video/video_out.h"

#include <stdio.h>
#include <string.h>

static bool open_video(clip *c, const options *o, problem *p)
{
    const video_in_settings settings = {.max_pixels = o->max_pixels,
                                        .fails = o->damage_fails,
                                        .is_map = c->is_map,
                                        .is_codes = o->given[OPT_GAMMA]};
    if (!video_in_open(&c->video, c->name, &settings, p))
        return false;
    const video_about *const about = video_in_about(c->video);
    c->kind = CLIP_VIDEO;
    c->count = about->frames;
    c->is_exact = about->is_counted;
    c->rate = about->rate > 0 ? about->rate : o->fps;
    return true;
}

bool clip_open(clip *c, const char *name, bool is_map, const options *o, problem *p)
{
    *c = (clip){.name = name, .is_map = is_map, .rate = o->fps};
    if (!name)
        return true;
    if (name == path_stdin || video_out_is_name(name))
        return open_video(c, o, p);
    if (numbered_is(name)) {
        c->kind = CLIP_NUMBERED;
        if (!numbered_find(&c->files, name, p))
            return false;
        c->count = c->files.count;
        c->is_exact = true;
        return true;
    }
    c->kind = CLIP_STILL;
    return true;
}

void clip_close(clip *c)
{
    video_in_close(&c->video);
    picture_free(&c->still);
}

bool clip_keep_still(clip *c, const decode_settings *settings, problem *p)
{
    return c->kind != CLIP_STILL || picture_load(&c->still, c->name, settings, p);
}

video_status clip_next(clip *c, clip_frame *f, problem *p)
{
    *f = (clip_frame){.number = c->at, .seconds = (double)c->at / c->rate};
    if (c->kind == CLIP_VIDEO) {
        const video_status status = video_in_next(c->video, &f->video, p);
        if (status == VIDEO_FRAME) {
            f->seconds = video_frame_seconds(f->video);
            c->at++;
        }
        return status;
    }
    if (c->kind == CLIP_NUMBERED) {
        if (c->at == c->files.count)
            return VIDEO_END;
        if (!numbered_name(c->files.pattern, c->files.first + (long long)c->at, f->path, p))
            return VIDEO_FAILED;
    } else
        snprintf(f->path, sizeof f->path, "%s", c->name);
    c->at++;
    return VIDEO_FRAME;
}

bool clip_frame_share(clip_frame *to, const clip_frame *from, problem *p)
{
    *to = *from;
    to->video = from->video ? video_frame_share(from->video) : NULL;
    return !from->video == !to->video || problem_set(p, "not enough memory for a frame");
}

void clip_frame_free(clip_frame *f)
{
    video_frame_free(&f->video);
}

/* Copies the still's pixels or numbers; it has no metadata that count here. */
static bool copy_still(const picture *still, picture *pic, problem *p)
{
    const satb_image *const image = &still->image;
    const size_t size = image->data ? picture_bytes(image) : 0;
    *pic = (picture){.image = *image,
                     .format = still->format,
                     .library = still->library,
                     .white = still->white,
                     .values = still->values,
                     .orientation = still->orientation};
    pic->image.data = size ? pixels_allocate(size) : NULL;
    if (still->values.data &&
        !values_allocate(&pic->values, still->values.width, still->values.height, p))
        return false;
    if ((size > 0) != (pic->image.data != NULL))
        return problem_set(p, "not enough memory for a map");
    if (size)
        memcpy(pic->image.data, image->data, size);
    if (still->values.data)
        memcpy(pic->values.data, still->values.data,
               (size_t)still->values.width * (size_t)still->values.height * sizeof(float));
    return true;
}

bool clip_frame_load(const clip *c, const clip_frame *f, const decode_settings *settings,
                     picture *pic, problem *p)
{
    problem inner;
    char at[48];
    if (c->still.format)
        return copy_still(&c->still, pic, &inner) || problem_at(p, c->name, &inner);
    if (!f->video)
        return picture_load(pic, f->path, settings, p);
    if (video_frame_picture(f->video, c->is_map, pic, &inner)) {
        pic->orientation = video_in_about(c->video)->orientation;
        return true;
    }
    snprintf(at, sizeof at, "frame %llu: ", (unsigned long long)f->number);
    return problem_set(p, "%s: %s%s", c->name, at, inner.text);
}
