#include "video/ffmpeg/upright.h"

#include "image/orientation.h"

int upright_turn(const video_in *from, const video_container *to)
{
    return from && !to->is_mov ? from->about.orientation : 1;
}

/* Returns a plane of samples, or of packed pixels. */
static satb_image plane_of(const AVFrame *f, int i)
{
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get(f->format);
    const bool is_chroma = i == 1 || i == 2;
    const int across = is_chroma ? d->log2_chroma_w : 0, down = is_chroma ? d->log2_chroma_h : 0;
    const int bits = d->comp[0].depth > 8 ? 16 : 8;
    return (satb_image){.data = f->data[i],
                        .stride = f->linesize[i],
                        .width = -((-f->width) >> across),
                        .height = -((-f->height) >> down),
                        .channels = d->comp[0].step * 8 / bits,
                        .bits = bits};
}

static void describe_turned(AVFrame *to, const AVFrame *from, bool swaps)
{
    to->format = from->format;
    to->width = swaps ? from->height : from->width;
    to->height = swaps ? from->width : from->height;
    if (swaps && from->sample_aspect_ratio.num > 0)
        to->sample_aspect_ratio = av_inv_q(from->sample_aspect_ratio);
}

bool upright_frame(AVFrame **frame, int orientation, problem *p)
{
    const bool swaps = orientation_swaps(orientation);
    const AVPixFmtDescriptor *const d = av_pix_fmt_desc_get((*frame)->format);
    if (orientation == 1)
        return true;
    if (swaps && d->log2_chroma_w != d->log2_chroma_h &&
        !libav_convert(frame, libav_finest_format((*frame)->format), AVCOL_RANGE_UNSPECIFIED, p))
        return false;
    AVFrame *to = av_frame_alloc();
    bool done = to && av_frame_copy_props(to, *frame) >= 0;
    if (done) {
        describe_turned(to, *frame, swaps);
        done = av_frame_get_buffer(to, 0) >= 0;
    }
    for (int i = 0; done && i < AV_NUM_DATA_POINTERS && (*frame)->data[i]; i++) {
        const satb_image stored = plane_of(*frame, i), upright = plane_of(to, i);
        orientation_copy(&stored, &upright, orientation);
    }
    if (!done) {
        av_frame_free(&to);
        return problem_set(p, "not enough memory for a frame");
    }
    av_frame_free(frame);
    *frame = to;
    return true;
}
