/* Votes of a depth map's known samples on the depth of unknown ones beside them, for holes. */
#ifndef SATB_DEPTH_VOTES_H
#define SATB_DEPTH_VOTES_H

#include "base/context.h"
#include "depth/bit_rows.h"
#include "surface/surface_colours.h"
#include "surface/surface_vote_cpu.h"

/* About the votes of a neighbour of the point's own colour. */
#define SATB_NEIGHBOUR ((uint32_t)1536 << 16)

typedef struct satb_votes {
    satb_context *context;
    satb_image map; /* one channel */
    uint32_t scale; /* what makes the map's codes 16 bits: 257 or 1 */
    const satb_image *picture;
    satk_colours pixels;  /* the picture's */
    satk_colours samples; /* the picture's at the samples; known only for those that vote */
    uint8_t *means;       /* memory of these, or NULL */
    satb_bit_rows mute;   /* the samples without a vote: they are unknown; none at first */
    satk_likeness alike;
} satb_votes;

/* Fills the table of likeness by the distance of colours. */
void satb_fill_likeness(satk_likeness *likeness);

/* Returns 0 if memory ran out; the votes are to be closed in any case. */
int satb_open_votes(satb_context *context, satb_votes *votes, const satb_image *map,
                    const satb_image *picture);

void satb_close_votes(satb_votes *votes);

/* Finds the colours of all samples within `reach` of unknown ones, which may vote then. Returns 0 if memory ran out. */
int satb_call_votes(satb_votes *votes, int reach, int threads);

/* --- Votes ------------------------------------------------------------------------------------ */

/* Makes the 5 x 5 samples around one the voters at a place of a poll. Mute ones vote only if all are mute. */
void satb_hear(const satb_votes *votes, int x, int y, satk_poll *poll, int place);

#endif
