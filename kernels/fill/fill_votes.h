/* Votes of a depth map's known samples on the depth of its holes. For the CPU. */
#ifndef SATK_FILL_VOTES_H
#define SATK_FILL_VOTES_H

#include "surface/bit_rows.h"
#include "fill/fill_rule.h"
#include "surface/surface_colours.h"
#include "surface/surface_vote_cpu.h"

typedef struct satk_fill_votes {
    satk_plane map; /* that is being filled */
    satk_plane src;
    uint32_t scale;       /* what makes the map's codes 16 bits */
    satk_colours pixels;  /* the picture's */
    satk_colours samples; /* the picture's at the samples; known only for those around holes */
    satk_bit_rows mute;   /* the samples without a vote: they are unknown */
    satk_likeness alike;
} satk_fill_votes;

/* Memory of votes: of a thread's row of bits, of columns, and of the samples' colours. */
typedef struct satk_fill_means {
    uint64_t *heard;     /* a row for each thread */
    satk_range *columns; /* by sample of a row */
    uint8_t *means;      /* SATK_MEAN bytes by sample */
} satk_fill_means;

enum { SATK_MEAN = 4 }; /* bytes of a mean colour, of which three count */

/* Returns whether a sample is known: it is not mute. */
static inline int satk_is_known(const satk_fill_votes *votes, int x, int y)
{
    return !satk_has_bit(&votes->mute, x, y);
}

/* Returns the votes of a map, with `mute` for memory: rows of zeros. */
satk_fill_votes satk_fill_votes_of(const satk_plane *map, const satk_plane *src,
                                   const satk_bit_rows *mute);

/* Finds the colours of all samples within `reach` of unknown ones, which may vote then. */
void satk_fill_find_means(satk_fill_votes *votes, int reach, const satk_fill_means *memory,
                          int threads);

/* Makes the 5 x 5 samples around one the voters at a place of a poll. Mute ones vote only if all are mute. */
void satk_fill_hear(const satk_fill_votes *votes, int x, int y, satk_poll *poll, int place);

#endif
