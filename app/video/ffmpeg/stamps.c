#include "video/ffmpeg/stamps.h"

#include <libavutil/mathematics.h>
#include <math.h>
#include <stdlib.h>

enum {
    FINEST = 1000000
}; /* ticks a second in MP4 and MOV, whose frames last less than 2^32 ticks */

static const int64_t longest = INT64_C(1) << 48; /* ticks of a frame, of which some are added */

AVRational stamps_base(const video_container *to, const video_in *from, AVRational rate)
{
    if (!from || to->times != TIMES_FREE)
        return av_inv_q(rate);
    const AVRational base = from->stream->time_base;
    return to->is_mov && base.den > FINEST ? (AVRational){1, FINEST} : base;
}

void stamps_open(stamps *s, const video_container *to, AVRational base, AVRational rate)
{
    s->is_gapless = to->times == TIMES_GAPLESS;
    const int64_t step = av_rescale_q(1, av_inv_q(rate), base);
    s->step = av_clip64(step, 1, longest);
}

bool stamps_add(stamps *s, int64_t at, int64_t length, AVRational from, AVRational to)
{
    const int64_t tail = length > 0 && !s->is_gapless ? av_rescale_q(length, from, to) : 0;
    const double seconds = (double)at * av_q2d(from);
    if (s->count == s->capacity) {
        const size_t more = s->capacity ? 2 * s->capacity : 256;
        int64_t *const items = realloc(s->at, more * sizeof *items);
        if (!items)
            return false;
        s->at = items;
        s->capacity = more;
    }
    at = libav_add(av_rescale_q(at, from, to), 0);
    if (s->count > 0 && (s->is_gapless || at <= s->at[s->count - 1]))
        at = libav_add(s->at[s->count - 1], 1);
    s->at[s->count++] = at;
    s->tail = tail > 0 ? FFMIN(tail, longest) : s->step;
    const double offset = (double)at * av_q2d(to) - seconds;
    s->offset = s->count == 1 ? offset : s->offset;
    s->moved = fmax(s->moved, fabs(offset - s->offset));
    return true;
}

/* Returns the time of a frame. Those before the first one precede it at the clip's rate, and those behind the last one follow
 * by its length. */
static int64_t time_of(const stamps *s, int64_t number)
{
    const int64_t last = (int64_t)s->count - 1;
    return number == AV_NOPTS_VALUE ? AV_NOPTS_VALUE
           : number < 0             ? libav_add(s->at[0], number * s->step)
           : number > last          ? libav_add(s->at[last], (number - last) * s->tail)
                                    : s->at[number];
}

void stamps_set(const stamps *s, AVPacket *packet)
{
    const int64_t number = packet->pts;
    packet->dts = time_of(s, packet->dts);
    packet->pts = time_of(s, number);
    packet->duration =
        number == AV_NOPTS_VALUE ? 0 : libav_add(time_of(s, number + 1), -packet->pts);
}

void stamps_end(const stamps *s, int64_t dts, AVPacket *packet)
{
    const int64_t end = time_of(s, (int64_t)s->count);
    const int64_t sum = libav_add(libav_add(packet->dts, packet->duration), -dts);
    if (sum >= libav_add(end, -s->at[0]) || packet->pts < packet->dts)
        return;
    packet->dts = packet->pts;
    packet->duration = libav_add(end, -packet->pts);
}

void stamps_free(stamps *s)
{
    free(s->at);
    *s = (stamps){0};
}
