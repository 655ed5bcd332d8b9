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

packet_list packet_list_take(packet_list *list, libav_moment until, bool is_whole)
{
    packet_list taken = {0};
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        AVPacket *const packet = list->items[i];
        const int64_t at = libav_add(packet->pts, is_whole ? packet->duration : 0);
        const bool is_before = packet->pts == AV_NOPTS_VALUE ||
                               av_compare_ts(at, packet->time_base, until.at, until.base) < 0;
        if (is_before && packet_list_add(&taken, packet))
            av_packet_free(&list->items[i]);
        else
            list->items[left++] = packet;
    }
    list->count = left;
    return taken;
}
