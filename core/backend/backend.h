/* What a device must be able to do. The operations (op_*.c) are written once against this table, so
 * the devices cannot differ in logic, only in the primitives, and those are compared bit by bit. NULL may be
 * surface and host_room, and reaches, bring and keep of what has no memory but the host's.
 *
 * Buffers are slots: grow-only, owned by the back end, reused by every call of the context. Calls
 * are queued in order; nothing is complete before finish(). */
#ifndef SATB_BACKEND_H
#define SATB_BACKEND_H

#include "box/box.h"
#include "array/compact.h"
#include "base/context.h"
#include "stats/equalize.h"
#include "highlight/highlight.h"
#include "stats/histogram.h"
#include "layer/layer.h"
#include "array/reduce.h"
#include "sat/sat.h"
#include "array/scan.h"
#include "array/sort.h"
#include "spread/spread.h"
#include "surface/surface.h"

typedef enum satb_slot {
    SATB_SLOT_SRC,
    SATB_SLOT_DST,
    SATB_SLOT_MAP,
    SATB_SLOT_TABLE,
    SATB_SLOT_SCRATCH,
    SATB_SLOT_BOARD, /* of tables: what a build leaves there the next needs */
    SATB_SLOT_BANDS, /* the board of tables by bands */
    SATB_SLOT_RADII,
    SATB_SLOT_BASE, /* of highlights, with the three below: the picture without them */
    SATB_SLOT_MASK,
    SATB_SLOT_SEEN,
    SATB_SLOT_DISCS,
    SATB_SLOT_STATS,
    SATB_SLOT_LUT,
    SATB_SLOT_SURFACES, /* tables of surfaces */
    SATB_SLOT_DECODE8,
    SATB_SLOT_DECODE16,
    SATB_SLOT_ENCODE8,
    SATB_SLOT_ENCODE16,
    SATB_SLOTS
} satb_slot;

typedef enum satb_stage {
    SATB_STAGE_UPLOAD,
    SATB_STAGE_TABLE,
    SATB_STAGE_BLUR,
    SATB_STAGE_MEASURE,
    SATB_STAGE_EQUALIZE,
    SATB_STAGE_DOWNLOAD,
    SATB_STAGES
} satb_stage;

/* Bytes of each slot. */
typedef struct satb_room {
    size_t bytes[SATB_SLOTS];
} satb_room;

/* The rows of a picture that are there at a time: those from begin to end, for the results from first
 * to last. Rows beyond the picture are what the edge mode finds there. */
typedef struct satb_band {
    int first, last;
    int begin, end;
    satb_edge edge;
} satb_band;

typedef struct satb_backend {
    satb_status (*open)(satb_context *, const satb_config *); /* sets device and name */
    void (*close)(satb_context *);
    /* Gives back all slots and the host_room(); no call is under way. */
    void (*trim)(satb_context *);

    /* Whether the slots may have so much room together; if not, *limit is what they may have. */
    int (*fits)(satb_context *, const satb_room *, size_t *limit);
    /* Gives every slot its room, and takes what others have too much of if it is short. NULL: what the
     * call needs is not known; if there is a limit, all slots are given back. */
    satb_status (*make_room)(satb_context *, const satb_room *);
    /* A slot of at least this many bytes, contents undefined. Other pointers into the slot become
     * invalid. */
    satb_status (*reserve)(satb_context *, satb_slot, size_t bytes, void **data);
    /* The band of an image where kernels can read it; the plane is the band. Where context->goes_on, a whole image
     * that the slot holds by an earlier upload() or download() is not copied again: it is known by its data. */
    satb_status (*upload)(satb_context *, satb_slot, const satb_image *, const satb_band *,
                          satk_plane *);
    /* Bytes where kernels can read them; `once`: the slot's contents never change, so later calls
     * copy nothing. */
    satb_status (*upload_bytes)(satb_context *, satb_slot, const void *, size_t bytes, int once,
                                const void **data);
    /* Where kernels write the band of an image, and the way back: output() before, download(), of the
     * rows from first to last, after. */
    satb_status (*output)(satb_context *, satb_slot, const satb_image *, const satb_band *,
                          satk_plane *);
    satb_status (*download)(satb_context *, const satk_plane *, const satb_band *,
                            const satb_image *);
    /* Whether the memory of an image that is on_device is this device's. */
    int (*reaches)(satb_context *, const void *data);
    /* Copies an image that is on_device to one of the host's, of the same shape, and waits. */
    satb_status (*bring)(satb_context *, const satb_image *, const satb_image *host);
    /* What kernels have left in a slot is a whole image, known by the slot's own data. While context->goes_on, it
     * stays there, whatever room others are made. */
    void (*keep)(satb_context *, satb_slot);
    /* The same for bytes: where kernels write what fetch() brings to host, and, after waiting, the
     * way there (from anywhere in a slot). */
    satb_status (*output_bytes)(satb_context *, satb_slot, void *host, size_t bytes, void **data);
    satb_status (*fetch)(satb_context *, void *host, const void *data, size_t bytes);
    /* Memory of the host that is copied to and from without waiting; NULL: there is not so much, and no message.
     * Owned by the back end; what an earlier call gave becomes invalid. */
    void *(*host_room)(satb_context *, size_t bytes);

    satb_status (*sat)(satb_context *, satk_sat *); /* fills in the scratch */
    /* Table and window means, in memory of its own; job.table is nobody's. Ends in stage BLUR. */
    satb_status (*blur)(satb_context *, const satk_box *);
    satb_status (*layer)(satb_context *, satk_layer *);           /* fills in the scratch */
    satb_status (*spread)(satb_context *, satk_spread *);         /* fills in the scratch */
    satb_status (*find_lights)(satb_context *, satk_highlight *); /* src becomes apart from dst */
    satb_status (*add_lights)(satb_context *, satk_highlight *);  /* fills in the scratch */
    /* Fills in the scratch. NULL: maps are the host's work (depth_map.c), and host_room() is NULL, too. */
    satb_status (*surface)(satb_context *, satk_surface *);
    satb_status (*histogram)(satb_context *, satk_histogram *); /* fills in the scratch */
    satb_status (*luma)(satb_context *, satk_luma *);           /* fills in the scratch */
    satb_status (*equalize)(satb_context *, const satk_equalize *);

    /* Arrays; each fills in the scratch. */
    satb_status (*reduce)(satb_context *, satk_reduce *);
    satb_status (*scan)(satb_context *, satk_scan *);
    satb_status (*compact)(satb_context *, satk_compact *);
    satb_status (*sort)(satb_context *, satk_sort *);

    /* Add what they take of slots of their own. Of the job's pointers it only counts which are NULL. */
    void (*add_sat_room)(satb_context *, const satk_sat *, satb_room *);
    void (*add_blur_room)(satb_context *, const satk_box *, satb_room *);
    void (*add_layer_room)(satb_context *, const satk_layer *, satb_room *);
    void (*add_spread_room)(satb_context *, const satk_spread *, satb_room *);
    void (*add_lights_room)(satb_context *, const satk_highlight *, satb_room *);
    void (*add_surface_room)(satb_context *, const satk_surface *, satb_room *);
    void (*add_scan_room)(satb_context *, const satk_scan *, satb_room *);

    /* After an error: waits, so that nothing of the caller's is still being copied. */
    void (*settle)(satb_context *);

    /* A stage begins and the one before ends; so does the call that ends with finish() or settle().
     * finish() ends the last stage, waits, and fills the context's timings. */
    satb_status (*begin)(satb_context *, satb_stage);
    satb_status (*finish)(satb_context *);
} satb_backend;

extern const satb_backend satb_backend_cpu, satb_backend_cuda;

/* The image as a plane; all of it as a band. */
satk_plane satb_plane_of(const satb_image *image);
satb_band satb_whole(const satb_image *image);

/* Bytes from a row of the image to the next in a slot of a device: a multiple of 16. */
size_t satb_pitch(const satb_image *image);

/* The picture's row that is at y, which may be beyond the picture's height (any edge but shrink). */
int satb_row_at(satb_edge edge, int y, int height);

/* The status that every operation ends with, after settling what an error left under way. */
satb_status satb_settled(satb_context *context, satb_status status);

/* The context's timings, from milliseconds by stage. */
void satb_set_timings(satb_context *context, const double ms[SATB_STAGES]);

#endif
