/* Rims: pixels of a depth map that belong to a nearer surface in part, and show something farther in the rest. */
#ifndef SATK_RIMS_H
#define SATK_RIMS_H

#include "common/rule.h"

typedef enum satk_rim_kind {
    SATK_RIM_NONE,
    SATK_RIM_EDGE, /* the pixel lies on a ramp of a map; cover 0: it may still show the near surface */
    SATK_RIM_SUBJECT,       /* a matte, or a map that is a mask, says how much is the subject's */
    SATK_RIM_BEFORE_SUBJECT /* the same, of a pixel whose subject is the farther surface */
} satk_rim_kind;

/* What becomes of a pixel's colour at a rim: it stays a mixture, or becomes that of one side. */
typedef enum satk_colour_side {
    SATK_COLOUR_KEEP,
    SATK_COLOUR_SUBJECT,
    SATK_COLOUR_BACKGROUND
} satk_colour_side;

/* Planes of the map's size, row by row without gaps. Only `kind` is known where it is SATK_RIM_NONE. */
typedef struct satk_rims {
    uint16_t *near, *far; /* codes of the map, in its bits */
    uint8_t *kind;        /* a satk_rim_kind */
    uint8_t *cover;       /* the near surface's part, in 1/255 */
    uint8_t *
        sample; /* of SATK_RIM_EDGE: the pixels of a sample's longer side, of the half that shows it; at most 255 */
    uint8_t *
        beside; /* of SATK_RIM_EDGE: the near surface's part, in 1/255, if its edge is a pixel wide and begins at the ramp's middle */
} satk_rims;

static inline size_t satk_rims_bytes(size_t pixels)
{
    return pixels * (2 * sizeof(uint16_t) + 4 * sizeof(uint8_t));
}

/* Returns the planes of a map of that many pixels, in memory of satk_rims_bytes(). */
static inline satk_rims satk_rims_in(void *memory, size_t pixels)
{
    uint16_t *const near = (uint16_t *)memory, *const far = near + pixels;
    uint8_t *const kind = (uint8_t *)(far + pixels);

    return (satk_rims){near, far, kind, kind + pixels, kind + 2 * pixels, kind + 3 * pixels};
}

#endif
