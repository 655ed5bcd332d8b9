#include "video/ffmpeg/libav.h"

#include <stdlib.h>

bool packet_list_add(packet_list *list, AVPacket *packet)
{
    if (list->count == list->capacity) {
        const size_t more = list->capacity ? 2 * list->capacity : 8;
        AVPacket **const items = realloc(list->items, more * sizeof *items);
        if (!items)
            return false;
        list->items = items;
        list->capacity = more;
    }
    list->items[list->count] = av_packet_clone(packet);
    return list->items[list->count] && ++list->count;
}

void packet_list_free(packet_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        av_packet_free(&list->items[i]);
    free(list->items);
    *list = (packet_list){0};
}

bool packet_list_move(packet_list *to, packet_list *from)
{
    bool done = true;
    for (size_t i = 0; i < from->count && done; i++)
        done = packet_list_add(to, from->items[i]);
    packet_list_free(from);
    return done;
}

/* Returns -1, 0 or 1: a time of the packet is before the moment, at it, or behind it. */
static int compare(const AVPacket *packet, int64_t at, libav_moment to)
{
    return av_compare_ts(at, packet->time_base, to.at, to.base);
}

packet_list packet_list_take(packet_list *list, libav_moment until)
{
    packet_list taken = {0};
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        AVPacket *const packet = list->items[i];
        const bool begins =
            packet->pts == AV_NOPTS_VALUE || compare(packet, packet->pts, until) < 0;
        if (begins && packet_list_add(&taken, packet))
            av_packet_free(&list->items[i]);
        else
            list->items[left++] = packet;
    }
    list->count = left;
    return taken;
}

/* Returns, by stream, when its last packet begins until that time, for av_free(). NULL: memory ran out. */
static int64_t *last_begins(const packet_list *list, libav_moment until)
{
    size_t streams = 1;
    for (size_t i = 0; i < list->count; i++)
        streams = FFMAX(streams, (size_t)list->items[i]->stream_index + 1);
    int64_t *const last = av_malloc_array(streams, sizeof *last);
    for (size_t i = 0; i < streams && last; i++)
        last[i] = AV_NOPTS_VALUE;
    for (size_t i = 0; i < list->count && last; i++) {
        const AVPacket *const packet = list->items[i];
        if (packet->pts > last[packet->stream_index] && compare(packet, packet->pts, until) <= 0)
            last[packet->stream_index] = packet->pts;
    }
    return last;
}

bool packet_list_drop(packet_list *list, libav_moment until, bool drops_untimed)
{
    int64_t *const last = last_begins(list, until);
    size_t left = 0;
    for (size_t i = 0; i < list->count && last; i++) {
        AVPacket *const packet = list->items[i];
        const int64_t end = libav_add(packet->pts, packet->duration);
        const bool is_over = packet->pts == AV_NOPTS_VALUE ? drops_untimed
                             : packet->duration > 0        ? compare(packet, end, until) < 0
                                                    : packet->pts < last[packet->stream_index];
        if (is_over)
            av_packet_free(&list->items[i]);
        else
            list->items[left++] = packet;
    }
    list->count = last ? left : list->count;
    av_free(last);
    return last != NULL;
}

/* Lets the clock of a transport stream go on where it jumps, as it does where two recordings were joined. */
static void mend_clock(video_in *v)
{
    AVPacket *const p = v->packet;
    const AVStream *const s = v->file->streams[p->stream_index];
    const bool is_steady = s == v->stream || s->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (is_steady && (size_t)s->index < FF_ARRAY_ELEMS(v->reached) && p->dts != AV_NOPTS_VALUE) {
        int64_t *const reached = &v->reached[s->index];
        const int64_t at = av_rescale_q(p->dts, s->time_base, AV_TIME_BASE_Q);
        const int64_t gap = libav_add(libav_add(at, v->moved), -*reached);
        if (*reached > 0 && (gap < -AV_TIME_BASE / 10 || gap > 10 * AV_TIME_BASE))
            v->moved = libav_add(v->moved, -gap);
        *reached = libav_add(libav_add(at, v->moved),
                             av_rescale_q(p->duration, s->time_base, AV_TIME_BASE_Q));
    }
    p->pts = libav_since((libav_moment){-v->moved, AV_TIME_BASE_Q}, p->pts, s->time_base);
    p->dts = libav_since((libav_moment){-v->moved, AV_TIME_BASE_Q}, p->dts, s->time_base);
}

int libav_read_packet(video_in *v)
{
    const int error = av_read_frame(v->file, v->packet);
    if (error >= 0 && v->file->iformat->flags & AVFMT_TS_DISCONT)
        mend_clock(v);
    return error;
}

bool libav_keep_other(video_in *v, problem *p)
{
    const AVStream *const s = v->file->streams[v->packet->stream_index];
    v->packet->time_base = s->time_base;
    return s == v->stream || !v->keeps_others || packet_list_add(&v->others, v->packet) ||
           problem_set(p, "%s: not enough memory", v->name);
}

/* Pictures of a fragment or of a transport stream may stand before the sound beside them. Other streams lie closer together. */
bool libav_read_others(video_in *v, libav_moment until, problem *p)
{
    const int64_t end = av_rescale_q(until.at, until.base, AV_TIME_BASE_Q);
    bool done = true, is_behind = v->is_drained || v->file->nb_streams == 1;
    while (done && !is_behind && libav_read_packet(v) >= 0) {
        const bool is_picture = v->packet->stream_index == v->stream->index;
        const int64_t late = libav_add(end, is_picture ? 10 * AV_TIME_BASE : AV_TIME_BASE / 2);
        const int64_t at = v->packet->dts;
        done = libav_keep_other(v, p);
        is_behind = at != AV_NOPTS_VALUE &&
                    av_compare_ts(at, v->packet->time_base, late, AV_TIME_BASE_Q) > 0;
        av_packet_unref(v->packet);
    }
    return done;
}
