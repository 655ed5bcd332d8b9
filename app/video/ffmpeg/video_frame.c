/* A frame between FFmpeg's libraries and the pictures of this program. */
#include "image/pixels.h"
#include "video/ffmpeg/video_hdr.h"
#include "video/video_in.h"
#include "video/yuv.h"

#include <libavutil/imgutils.h>
#include <stdlib.h>
#include <string.h>

double video_frame_seconds(const video_frame *frame)
{
    return frame->seconds;
}

video_frame *video_frame_share(const video_frame *frame)
{
    video_frame *const copy = calloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    copy->seconds = frame->seconds;
    copy->light = frame->light;
    copy->av = av_frame_clone(frame->av);
    if (!copy->av) {
        free(copy);
        return NULL;
    }
    return copy;
}

bool video_frame_cut(video_frame *frame, const clip_part *part, problem *p)
{
    AVFrame *const f = frame->av;
    const bool is_across = part->half <= HALF_RIGHT;
    const int whole = is_across ? f->width : f->height, half = (whole - part->gap) / 2;
    const size_t rest = (size_t)(whole - half);
    if (part->half == HALF_NONE)
        return true;
    if (half < 1)
        return problem_set(p, "its frames of %d x %d pixels have no halves with a gap of %d",
                           f->width, f->height, part->gap);
    *(part->half == HALF_LEFT    ? &f->crop_right
      : part->half == HALF_RIGHT ? &f->crop_left
      : part->half == HALF_TOP   ? &f->crop_bottom
                                 : &f->crop_top) += rest;
    return true;
}

void video_frame_free(video_frame **frame)
{
    if (!*frame)
        return;
    packet_list_free(&(*frame)->others);
    av_frame_free(&(*frame)->av);
    free(*frame);
    *frame = NULL;
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Returns the colours by FFmpeg's numbers, which are those of H.273; those of BT.2100 where a file of light does not say. A part
 * has its own size. */
static yuv_colour colour_of(const AVFrame *f, const light_table *light)
{
    const int width = f->width - (int)(f->crop_left + f->crop_right);
    const int height = f->height - (int)(f->crop_top + f->crop_bottom);
    const enum AVColorSpace matrix =
        light && f->colorspace == AVCOL_SPC_UNSPECIFIED ? AVCOL_SPC_BT2020_NCL : f->colorspace;
    yuv_colour c = yuv_colour_of((int)matrix, f->color_range == AVCOL_RANGE_JPEG, width, height);
    c.light = light;
    return c;
}

/* Converts to a format that is worked on. */
static bool make_workable(AVFrame **f, bool as_light, problem *p)
{
    const enum AVPixelFormat format = (*f)->format;
    const enum AVPixelFormat working = libav_working_format(format, as_light);
    if (working == AV_PIX_FMT_NONE)
        return problem_set(p, "its pixel format is unknown");
    if (libav_is_full(format)) {
        (*f)->color_range = AVCOL_RANGE_JPEG;
        (*f)->format = working; /* the same samples */
    }
    return libav_convert(f, working, AVCOL_RANGE_UNSPECIFIED, p);
}

static bool is_planar(const AVFrame *f)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(f->format);
    return d->nb_components == 3 && !(d->flags & AV_PIX_FMT_FLAG_RGB);
}

static yuv_image yuv_of(const AVFrame *f)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(f->format);
    yuv_image yuv = {.width = f->width,
                     .height = f->height,
                     .bits = d->comp[0].depth,
                     .shift_x = d->log2_chroma_w,
                     .shift_y = d->log2_chroma_h};
    for (int i = 0; i < 3; i++) {
        yuv.planes[i] = f->data[i];
        yuv.strides[i] = f->linesize[i];
    }
    return yuv;
}

/* Copies rows between a frame of RGB or gray and a dense image of codes. */
static void copy_rows(const AVFrame *f, const satb_image *image, bool to_image)
{
    const size_t size = (size_t)image->stride;
    for (int y = 0; y < image->height; y++) {
        uint8_t *const a = f->data[0] + (ptrdiff_t)y * f->linesize[0];
        uint8_t *const b = (uint8_t *)image->data + y * image->stride;
        memcpy(to_image ? b : a, to_image ? a : b, size);
    }
}

/* --- To pictures ------------------------------------------------------------------------------ */

static bool allocate(picture *pic, const AVFrame *f, int channels, int bits, bool is_light,
                     problem *p)
{
    *pic = (picture){.format = "video", .library = "libavcodec", .orientation = 1};
    pic->white = bits > 8 ? UINT16_MAX : UINT8_MAX;
    pic->image =
        (satb_image){.width = f->width, .height = f->height, .channels = channels, .bits = bits};
    pic->image.half = is_light;
    return pixels_make(&pic->image, NULL) ||
           problem_set(p, "not enough memory for a frame of %d x %d pixels", f->width, f->height);
}

/* Returns the number of whole blocks of chroma before a cut, which counts from the end; without a cut, that of all blocks. */
static int blocks_until(int length, size_t cut, int shift)
{
    return cut > 0 ? (length - (int)cut) >> shift : AV_CEIL_RSHIFT(length, shift);
}

/* Returns whether all chroma of the part that is left is within a tenth of gray: codecs leave some in gray pictures. A block
 * that the cut goes through does not count. */
static bool is_colourless(const yuv_image *yuv, const AVFrame *f)
{
    const int left = AV_CEIL_RSHIFT((int)f->crop_left, yuv->shift_x);
    const int top = AV_CEIL_RSHIFT((int)f->crop_top, yuv->shift_y);
    const int right = blocks_until(yuv->width, f->crop_right, yuv->shift_x);
    const int bottom = blocks_until(yuv->height, f->crop_bottom, yuv->shift_y);
    const int middle = 1 << (yuv->bits - 1), most = middle / 10;
    int far = 0;
    for (int i = 1; i < 3; i++)
        for (int y = top; y < bottom; y++) {
            const void *const row = yuv->planes[i] + y * yuv->strides[i];
            for (int x = left; x < right; x++)
                far +=
                    abs((yuv->bits > 8 ? ((const uint16_t *)row)[x] : ((const uint8_t *)row)[x]) -
                        middle) > most;
        }
    return far <= (right - left) * (bottom - top) / 1000;
}

/* Leaves the part of a dense picture that video_frame_cut() chose. */
static void cut_picture(satb_image *image, const AVFrame *f)
{
    const size_t pixel = (size_t)image->channels * ((size_t)image->bits / 8);
    const size_t before = (size_t)image->stride;
    image->width -= (int)(f->crop_left + f->crop_right);
    image->height -= (int)(f->crop_top + f->crop_bottom);
    image->stride = image->width * (ptrdiff_t)pixel;
    for (size_t y = 0; y < (size_t)image->height; y++) {
        uint8_t *const to = (uint8_t *)image->data + y * (size_t)image->stride;
        memmove(to, (uint8_t *)image->data + (f->crop_top + y) * before + f->crop_left * pixel,
                (size_t)image->stride);
    }
}

static bool is_cut(const AVFrame *f)
{
    return f->crop_left | f->crop_right | f->crop_top | f->crop_bottom;
}

bool video_frame_picture(const video_frame *frame, bool as_map, picture *pic, problem *p)
{
    const light_table *const light = as_map ? NULL : frame->light;
    AVFrame *f = av_frame_clone(frame->av);
    bool done = false;
    if (!f)
        return problem_set(p, "not enough memory for a frame");
    if (make_workable(&f, light, p)) {
        const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(f->format);
        const int bits = d->comp[0].depth > 8 || light ? 16 : 8;
        if (!is_planar(f)) {
            done = allocate(pic, f, d->nb_components, bits, light, p);
            if (done)
                copy_rows(f, &pic->image, true);
            if (done && light)
                light_of_codes(light, &pic->image);
        } else {
            const yuv_image yuv = yuv_of(f);
            const yuv_colour colour = colour_of(f, light);
            const bool gray = as_map && is_colourless(&yuv, f);
            done = allocate(pic, f, gray ? 1 : 3, bits, light, p);
            if (done && gray)
                done = yuv_to_gray(&yuv, colour.full, &pic->image) ||
                       problem_set(p, "not enough memory for a frame");
            else if (done)
                yuv_to_rgb(&yuv, colour, &pic->image);
        }
    }
    if (done && is_cut(f))
        cut_picture(&pic->image, f);
    done = done && (!light || video_hdr_describe(f, light->curve, &pic->meta, p));
    av_frame_free(&f);
    return done;
}

/* --- From pictures ---------------------------------------------------------------------------- */

/* Leaves the part of a workable frame that video_frame_cut() chose. Where that begins within a block of chroma, each pixel gets
 * its own chroma first, and blocks are made anew behind the cut. */
static bool cut_frame(AVFrame **f, problem *p)
{
    const enum AVPixelFormat format = (*f)->format;
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(format);
    const size_t x = (*f)->crop_left >> d->log2_chroma_w << d->log2_chroma_w;
    const size_t y = (*f)->crop_top >> d->log2_chroma_h << d->log2_chroma_h;
    const bool is_within = (*f)->crop_left != x || (*f)->crop_top != y;
    if (!is_cut(*f))
        return true;
    if (is_within && !libav_convert(f, libav_finest_format(format), AVCOL_RANGE_UNSPECIFIED, p))
        return false;
    if (av_frame_apply_cropping(*f, AV_FRAME_CROP_UNALIGNED) < 0)
        return problem_set(p, "a frame of %d x %d pixels cannot be cut in two", (*f)->width,
                           (*f)->height);
    return libav_convert(f, format, AVCOL_RANGE_UNSPECIFIED, p);
}

/* Gives a frame of RGB the codes of light that differs from that before. */
static void light_to_rows(const video_frame *frame, const satb_image *before,
                          const satb_image *after)
{
    const AVFrame *const f = frame->av;
    const size_t count = (size_t)after->width * (size_t)after->channels;
    for (int y = 0; y < after->height; y++)
        light_to_codes(frame->light, (const uint16_t *)before->data + (size_t)y * count,
                       (const uint16_t *)after->data + (size_t)y * count, count,
                       (void *)(f->data[0] + (ptrdiff_t)y * f->linesize[0]));
}

bool video_frame_store(video_frame *frame, const satb_image *before, const satb_image *after,
                       problem *p)
{
    if (!make_workable(&frame->av, frame->light, p) || !cut_frame(&frame->av, p))
        return false;
    if (av_frame_make_writable(frame->av) < 0)
        return problem_set(p, "not enough memory for a frame");
    if (is_planar(frame->av)) {
        const yuv_image yuv = yuv_of(frame->av);
        yuv_of_rgb(&yuv, colour_of(frame->av, frame->light), before, after);
    } else if (frame->light)
        light_to_rows(frame, before, after);
    else
        copy_rows(frame->av, after, false);
    return true;
}

video_frame *video_frame_make(const satb_image *image, uint64_t number, double rate, problem *p)
{
    video_frame *f = calloc(1, sizeof *f);
    AVFrame *const av = f ? f->av = av_frame_alloc() : NULL;
    if (av) {
        static const enum AVPixelFormat formats[2][4] = {
            /* by bits and channels */
            {AV_PIX_FMT_GRAY8, AV_PIX_FMT_YA8, AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA},
            {AV_PIX_FMT_GRAY16, AV_PIX_FMT_YA16, AV_PIX_FMT_RGB48, AV_PIX_FMT_RGBA64}};
        av->format = formats[image->bits == 16][image->channels - 1];
        av->width = image->width;
        av->height = image->height;
        av->pts = (int64_t)number;
        av->color_trc = AVCOL_TRC_IEC61966_2_1;
        av->color_primaries = AVCOL_PRI_BT709;
        f->seconds = (double)number / rate;
    }
    if (!av || av_frame_get_buffer(av, 0) < 0) {
        video_frame_free(&f);
        problem_set(p, "not enough memory for a frame");
        return NULL;
    }
    copy_rows(av, image, false);
    return f;
}
