#include "video/video_sheet.h"

#include "image/pixels.h"
#include "image/shape.h"
#include "job/picture_job.h"

#include <math.h>
#include <string.h>

enum { CELL = 480 /* pixels of the longer side, at most */, GAP = 4, GAP_CODE = 32 };

/* Chooses columns: about as many as rows, with few empty cells. */
static int columns_of(int count)
{
    const int square = (int)ceil(sqrt(count)), more = square + 1;
    const int empty = (square - count % square) % square, emptier = (more - count % more) % more;
    return emptier < empty ? more : square;
}

static bool begin(video_sheet *s, int count, const satb_image *frame, problem *p)
{
    const int side = frame->width > frame->height ? frame->width : frame->height;
    const double scale = side > CELL ? (double)CELL / side : 1;
    s->columns = columns_of(count);
    s->frame_width = frame->width;
    s->frame_height = frame->height;
    s->width = (int)fmax(1, floor(frame->width * scale + 0.5));
    s->height = (int)fmax(1, floor(frame->height * scale + 0.5));
    const int rows = (count + s->columns - 1) / s->columns;
    s->image = (satb_image){.width = s->columns * (s->width + GAP) - GAP,
                            .height = rows * (s->height + GAP) - GAP,
                            .channels = frame->channels,
                            .bits = 8};
    if (!pixels_make(&s->image, NULL))
        return problem_set(p, "not enough memory for a sheet of %d x %d pixels", s->image.width,
                           s->image.height);
    memset(s->image.data, GAP_CODE, picture_bytes(&s->image));
    return true;
}

/* Returns the mean of a channel's samples in a block, in 8 bits. */
static uint8_t mean_of(const satb_image *f, int left, int right, int top, int bottom, int channel)
{
    const uint64_t count = (uint64_t)(right - left) * (uint64_t)(bottom - top);
    uint64_t sum = 0;
    for (int y = top; y < bottom; y++) {
        const uint8_t *const row = (const uint8_t *)f->data + y * f->stride;
        for (int x = left; x < right; x++) {
            const int at = x * f->channels + channel;
            sum += f->bits == 16 ? ((const uint16_t *)(const void *)row)[at] : row[at];
        }
    }
    const uint64_t white = f->bits == 16 ? UINT16_MAX : UINT8_MAX;
    return (uint8_t)((sum * UINT8_MAX + count * white / 2) / (count * white));
}

/* Returns where a cell's pixel begins in the frame. */
static int begin_of(int at, int cell, int frame)
{
    return (int)((int64_t)at * frame / cell);
}

bool video_sheet_add(video_sheet *s, uint64_t number, uint64_t count, const satb_image *frame,
                     problem *p)
{
    if (frame->half)
        return problem_set(p, "a sheet has no linear light; leave out --frames, and name "
                              "files like out/%%05d.exr");
    if (!s->image.data && !begin(s, (int)count, frame, p))
        return false;
    if (frame->width != s->frame_width || frame->height != s->frame_height ||
        frame->channels != s->image.channels)
        return problem_set(p, "a frame is %d x %d, and the first one was %d x %d", frame->width,
                           frame->height, s->frame_width, s->frame_height);
    const int left = (int)(number % (uint64_t)s->columns) * (s->width + GAP);
    const int top = (int)(number / (uint64_t)s->columns) * (s->height + GAP);
    for (int y = 0; y < s->height; y++) {
        uint8_t *to = (uint8_t *)s->image.data + (top + y) * s->image.stride;
        to += (ptrdiff_t)left * frame->channels;
        for (int x = 0; x < s->width; x++)
            for (int c = 0; c < frame->channels; c++)
                *to++ = mean_of(frame, begin_of(x, s->width, frame->width),
                                begin_of(x + 1, s->width, frame->width),
                                begin_of(y, s->height, frame->height),
                                begin_of(y + 1, s->height, frame->height), c);
    }
    return true;
}

bool video_sheet_write(video_sheet *s, const options *o, const codec *format, problem *p)
{
    options plain = *o; /* the figures are not the sheet's */
    picture_job j;
    if (!s->image.data)
        return problem_set(p, "%s: no frame was finished for the sheet", o->output);
    plain.coc = plain.focus_view = plain.histogram = NULL;
    picture_job_begin(&j, &plain, format);
    j.orientation = 1;
    j.request.dst = s->image;
    s->image.data = NULL;
    const bool done = picture_job_write(&j, p) && picture_job_commit(&j, p);
    picture_job_free(&j);
    return done;
}

void video_sheet_free(video_sheet *s)
{
    pixels_free(s->image.data);
    *s = (video_sheet){.columns = 0};
}
