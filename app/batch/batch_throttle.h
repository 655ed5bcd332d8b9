/* How many pictures may be in work at a time: as many as there are jobs, but fewer where a GPU has too little memory
 * for them. How much pictures take is known when it is gone; so, as TCP finds what a network bears, by half as many
 * when it was too much, and by more again after a while (Jacobson, Congestion Avoidance and Control, 1988). */
#ifndef SATBLUR_APP_BATCH_ROOM_H
#define SATBLUR_APP_BATCH_ROOM_H

#include <pthread.h>
#include <stdbool.h>

typedef struct batch_room {
    int jobs, places; /* as many as there may ever be, and now */
    int taken;
    int done;                   /* pictures, since `places` was another */
    int patience;               /* how many, for each place, before there are more */
    bool is_short, has_widened; /* since places were taken away last */
    pthread_mutex_t lock;
    pthread_cond_t left;
} batch_room;

void batch_room_open(batch_room *room, int jobs);
void batch_room_close(batch_room *room);

/* Waits for a place. Returns how many there are; of 1, nobody else has one until it is left. may_wait: should memory run
 * out, another try will fare better: there will be fewer pictures, or nothing is kept for the next ones any more. */
int batch_room_enter(batch_room *room, bool *may_wait);

/* sufficed: memory has, so that there may be more places again after a while. */
void batch_room_leave(batch_room *room, bool sufficed);

/* Before leaving, when it has not: halves the places, unless that has happened since there were `places`, as it entered.
 * What is done about the shortage before leaving is done before another picture is alone. */
void batch_room_narrow(batch_room *room, int places);

/* Whether memory has run out lately: nothing is to be kept for the next pictures. */
bool batch_room_is_short(batch_room *room);

#endif
