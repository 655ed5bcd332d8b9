#include "batch/batch_throttle.h"

/* So many pictures for each place go through before more is risked; twice as many each time that this was too much, as
 * finding it out costs some of them a second attempt. */
enum { LEAST_PATIENCE = 8, MOST_PATIENCE = 128 };

void batch_room_open(batch_room *room, int jobs)
{
    *room = (batch_room){.jobs = jobs, .places = jobs, .patience = LEAST_PATIENCE};
    pthread_mutex_init(&room->lock, NULL);
    pthread_cond_init(&room->left, NULL);
}

void batch_room_close(batch_room *room)
{
    pthread_mutex_destroy(&room->lock);
    pthread_cond_destroy(&room->left);
}

int batch_room_enter(batch_room *room, bool *may_wait)
{
    pthread_mutex_lock(&room->lock);
    while (room->taken >= room->places)
        pthread_cond_wait(&room->left, &room->lock);
    room->taken++;
    const int places = room->places;
    *may_wait = places > 1 || !room->is_short;
    pthread_mutex_unlock(&room->lock);
    return places;
}

/* Twice as many places, or no shortage any more. */
static void widen(batch_room *room)
{
    if (room->places == room->jobs) {
        room->is_short = room->has_widened = false;
        room->patience = LEAST_PATIENCE;
    } else {
        room->places = 2 * room->places < room->jobs ? 2 * room->places : room->jobs;
        room->has_widened = true;
    }
    room->done = 0;
    pthread_cond_broadcast(&room->left);
}

void batch_room_leave(batch_room *room, bool sufficed)
{
    pthread_mutex_lock(&room->lock);
    room->taken--;
    room->done += sufficed;
    if (room->is_short && room->done >= room->patience * room->places)
        widen(room);
    pthread_cond_signal(&room->left);
    pthread_mutex_unlock(&room->lock);
}

void batch_room_narrow(batch_room *room, int places)
{
    pthread_mutex_lock(&room->lock);
    if (room->places >= places) {
        room->places = places > 1 ? places / 2 : 1;
        room->done = 0;
        if (room->has_widened && room->patience < MOST_PATIENCE)
            room->patience *= 2;
        room->has_widened = false;
        room->is_short = true;
    }
    pthread_mutex_unlock(&room->lock);
}

bool batch_room_is_short(batch_room *room)
{
    pthread_mutex_lock(&room->lock);
    const bool is_short = room->is_short;
    pthread_mutex_unlock(&room->lock);
    return is_short;
}
