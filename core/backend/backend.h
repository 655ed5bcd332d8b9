/* A back end: what a device can do. The operations (ops/op_*.c) are written once against this table, so devices differ
 * in their primitives alone, and these are compared bit by bit.
 *
 * Buffers are slots. The back end owns them, every call of the context reuses them, and they only grow. Work is queued in
 * order, and nothing is complete before finish().
 *
 * An entry is NULL where a device has no use for it: fits, reserve_all, add_*_need of a device without a limit of memory;
 * reaches, to_host, retain, release, host_buffer of a device that shares the host's memory; set_stream of one without
 * streams. */
#ifndef SATB_BACKEND_H
#define SATB_BACKEND_H

#include "base/context.h"
#include "kernels.h"

typedef enum satb_slot {
    SATB_SLOT_SRC,
    SATB_SLOT_DST,
    SATB_SLOT_MAP,
    SATB_SLOT_COVER,
    SATB_SLOT_TABLE,
    SATB_SLOT_SCRATCH,
    SATB_SLOT_BOARD, /* of tables; a build relies on what the one before left there */
    SATB_SLOT_RADII,
    SATB_SLOT_BASE, /* the picture without its points of light; the next five are theirs, too */
    SATB_SLOT_HALO,
    SATB_SLOT_RUNS,
    SATB_SLOT_LEFT,
    SATB_SLOT_DISCS,
    SATB_SLOT_OUTLINES,
    SATB_SLOT_FORMS,
    SATB_SLOT_WIDE, /* planes of a picture whose sides meet, see dof_wrap.h */
    SATB_SLOT_STATS,
    SATB_SLOT_LUT,
    SATB_SLOT_LIGHT, /* linear light of 8 bits, for surfaces */
    /* Depth: the caller's map and matte, and what becomes of them. The map that is made is in SATB_SLOT_MAP. */
    SATB_SLOT_GIVEN_MAP,
    SATB_SLOT_GIVEN_MATTE,
    SATB_SLOT_GIVEN_PROTECT,
    SATB_SLOT_CHANNEL,
    SATB_SLOT_FILLED,
    SATB_SLOT_MATTE,
    SATB_SLOT_PROTECT, /* coverage of the mask that protects parts of the picture */
    SATB_SLOT_RIMS,
    SATB_SLOT_SIGNED,  /* radii, for coverage */
    SATB_SLOT_COVERED, /* the map with its rims; SATB_SLOT_COVER has their coverage */
    SATB_SLOT_SIDES,
    SATB_SLOT_SEPARATED,
    SATB_SLOT_SHOWN, /* the picture, see shown.h */
    SATB_SLOT_TO_CODES,
    SATB_SLOT_TO_HALVES,
    SATB_SLOT_DECODE8,
    SATB_SLOT_DECODE16,
    SATB_SLOT_DECODE_HALF,
    SATB_SLOT_ENCODE8,
    SATB_SLOT_ENCODE16,
    SATB_SLOTS
} satb_slot;

/* The memory that a job needs: bytes of each slot. */
typedef struct satb_need {
    size_t bytes[SATB_SLOTS];
} satb_need;

/* Rows of a picture that are on the device at a time: those from begin to end, for the results from first to last. Rows
 * beyond the picture are those that the edge mode finds there. */
typedef struct satb_band {
    int first, last;
    int begin, end;
    satb_edge edge;
} satb_band;

typedef struct satb_backend {
    satb_status (*open)(satb_context *, const satb_config *); /* sets device and name */
    void (*close)(satb_context *);
    /* Queues later calls on a caller's stream, after what is queued. finish() does not wait then, unless images of the call
     * are in the host's memory. */
    satb_status (*set_stream)(satb_context *, void *stream);
    /* Frees all slots and the host_buffer(). No call may be under way. */
    void (*trim)(satb_context *);

    /* Returns whether the slots may grow to what is needed, all together. If not, *limit is the bytes that they may
     * have. */
    int (*fits)(satb_context *, const satb_need *, size_t *limit);
    /* Reserves every slot. If memory is short, slots that are larger than needed are freed. A need of NULL is an unknown
     * one: all slots are freed if there is a limit. */
    satb_status (*reserve_all)(satb_context *, const satb_need *);
    /* Makes the slot at least so large, with undefined contents. Other pointers into the slot become invalid. */
    satb_status (*reserve)(satb_context *, satb_slot, size_t bytes, void **data);
    /* Copies the band of an image to where kernels read it: the plane is the band. A whole image that the slot holds since an
     * upload() or download() of the call is not copied again; its data pointer identifies it. */
    satb_status (*upload)(satb_context *, satb_slot, const satb_image *, const satb_band *,
                          satk_plane *);
    /* Copies bytes to where kernels read them. `once` says that the slot's contents never change, so later calls copy
     * nothing. */
    satb_status (*upload_bytes)(satb_context *, satb_slot, const void *, size_t bytes, int once,
                                const void **data);
    /* Reserves the plane that kernels write a band of an image to. download() then copies the rows from first to last to
     * the image. */
    satb_status (*output)(satb_context *, satb_slot, const satb_image *, const satb_band *,
                          satk_plane *);
    satb_status (*download)(satb_context *, const satk_plane *, const satb_band *,
                            const satb_image *);
    /* Copies a plane that kernels read to another of its shape. */
    satb_status (*copy)(satb_context *, const satk_plane *src, const satk_plane *dst);
    /* Returns whether the memory of an image with on_device set is this device's. */
    int (*reaches)(satb_context *, const void *data);
    /* Copies an image with on_device set to one of the same shape in host memory, and waits. */
    satb_status (*to_host)(satb_context *, const satb_image *, const satb_image *host);
    /* Declares that kernels have left a whole image in the slot, which the slot's own data pointer identifies. It stays there,
     * whatever other slots need, and slots hold what was copied to them, until release(): begin() forgets them then. */
    void (*retain)(satb_context *, satb_slot);
    void (*release)(satb_context *);
    /* Reserves bytes that kernels write to. fetch() waits, and copies bytes from anywhere in a slot to the host. */
    satb_status (*output_bytes)(satb_context *, satb_slot, void *host, size_t bytes, void **data);
    satb_status (*fetch)(satb_context *, void *host, const void *data, size_t bytes);
    /* Returns host memory that copies do not wait for, or NULL without a message. The back end owns it; the memory of an
     * earlier call becomes invalid. */
    void *(*host_buffer)(satb_context *, size_t bytes);

    /* Builds a table; fills in the scratch. */
    satb_status (*sat)(satb_context *, satk_sat *);
    /* Builds a table in memory of its own and averages windows; ignores job.table. Ends in stage BLUR. */
    satb_status (*blur)(satb_context *, const satk_box *);
    /* Add the bytes of the slots that the entry of that name reserves itself. The job's pointers are not followed; only
     * whether they are NULL counts. */
    void (*add_sat_need)(satb_context *, const satk_sat *, satb_need *);
    void (*add_blur_need)(satb_context *, const satk_box *, satb_need *);
    /* The kernels of kernels.h, which fill in the scratch, and add_NAME_need() of those that have it. */
#define PLAIN(NAME, JOB, WORK) satb_status (*NAME)(satb_context *, const satk_##JOB *);
#define SCRATCH(NAME, JOB, WORK)                                                                   \
    satb_status (*NAME)(satb_context *, satk_##JOB *);                                             \
    void (*add_##NAME##_need)(satb_context *, const satk_##JOB *, satb_need *);
    SATK_KERNELS(PLAIN, SCRATCH, SCRATCH)
#undef PLAIN
#undef SCRATCH

    /* Ends a call after an error: waits, so that no copy of the caller's memory is under way. */
    void (*settle)(satb_context *);

    /* Begins a stage other than DEPTH, which ends the one before. The first stage begins the call, and finish() or settle()
     * ends it. finish() waits, see set_stream(), and fills the context's timings. */
    satb_status (*begin)(satb_context *, satb_stage);
    /* Ends a part of a call, whose results stay on the device. Waits for copies from and to the host's images alone. */
    satb_status (*pause)(satb_context *);
    satb_status (*finish)(satb_context *);
} satb_backend;

extern const satb_backend satb_backend_cpu, satb_backend_cuda;

/* Return the image as a plane, and all of it as a band. */
satk_plane satb_plane_of(const satb_image *image);
satb_band satb_whole(const satb_image *image);

/* Returns the bytes from a row of the image to the next in a slot of a device: a multiple of 16. */
size_t satb_pitch(const satb_image *image);

/* Returns the picture's row that the edge mode finds at y, which may be beyond the picture. Not for SHRINK. */
int satb_row_at(satb_edge edge, int y, int height);

/* Queues a copy of bytes in a slot to the host. *host are the bytes, from finish() on until the context's next call. Errors:
 * DEVICE_NOMEM, DEVICE. */
satb_status satb_bring_bytes(satb_context *context, void *data, size_t bytes, const void **host);

/* Returns the status, after settling the call if it is an error. Every operation ends with this. */
satb_status satb_settled(satb_context *context, satb_status status);

#endif
