/* What one call of the library shares between its parts: a depth map is made, a picture is blurred by it, and parts of it are
 * laid back. The map has it, on the stack of the call. */
#ifndef SATB_CALL_H
#define SATB_CALL_H

#include "backend/backend.h"

/* Images that kernels have left in slots, and that later parts of the call read. */
typedef enum satb_kept {
    SATB_KEPT_SRC, /* these three are read by bands */
    SATB_KEPT_MAP,
    SATB_KEPT_COVER,
    SATB_KEPT_PROTECT,
    SATB_KEPT
} satb_kept;

enum { SATB_COPIES = SATB_KEPT + 4 }; /* of what is kept, or of a picture, map, matte and mask */

typedef struct satb_call {
    satb_image *kept[SATB_KEPT]; /* NULL: there is none */
    void *copies[SATB_COPIES];   /* memory of images that were copied to the host */
    int copy_count;
    double depth_ms; /* time of the host's that the depth map has taken, for the call's timings */
    satb_timings before; /* those of the context when the call began */
    int is_done;         /* it succeeded, so its own timings count */
} satb_call;

/* Keeps an image, which kernels of the context have left in the slot, until the call ends: whatever other slots need, its
 * memory stays. It takes the place of the one kept before. */
void satb_keep(satb_call *call, satb_context *context, satb_slot slot, satb_kept which,
               satb_image *image);

/* Makes *image the image in memory that the host can read, until the call ends. data NULL: there is none. Errors: as of
 * satb_view_on_host(). */
satb_status satb_bring(satb_call *call, satb_context *context, satb_image *image);

/* Brings all images that are kept to the host. Their slots may be used for others then. Errors: the same. */
satb_status satb_bring_kept(satb_call *call, satb_context *context);

/* Ends the call: nothing is kept any more, and its copies are freed. If it is not done, the timings are those from before. */
void satb_end_call(satb_call *call, satb_context *context);

#endif
