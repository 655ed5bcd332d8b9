/* Pixels of a depth map that belong to a nearer surface in part, and show something farther in the rest. */
#ifndef SATB_DEPTH_RIMS_H
#define SATB_DEPTH_RIMS_H

#include <stddef.h>
#include <stdint.h>

typedef enum satb_rim_kind {
    SATB_RIM_SUBJECT,        /* a matte, or a map that is a mask, says how much is the subject's */
    SATB_RIM_BEFORE_SUBJECT, /* the same, of a pixel whose subject is the farther surface */
    SATB_RIM_EDGE /* the pixel lies on a ramp of a map that was halved; cover 0: it may still show the near surface */
} satb_rim_kind;

typedef struct satb_rim {
    int x, y;
    uint16_t near, far; /* codes of the map, in its bits */
    uint8_t cover;      /* the near surface's part, in 1/255 */
    uint8_t kind;
    uint8_t
        sample; /* of an edge: the pixels of a sample's longer side, of the half that shows it; at most 255 */
} satb_rim;

/* In no order. All 0: none. */
typedef struct satb_rims {
    satb_rim *at; /* malloc() */
    size_t count, capacity;
} satb_rims;

/* Return 0 if memory ran out. */
int satb_add_rim(satb_rims *to, const satb_rim *rim);
int satb_add_rims(satb_rims *to, const satb_rims *more);

void satb_free_rims(satb_rims *rims);

#endif
