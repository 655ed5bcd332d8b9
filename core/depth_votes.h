/* Whose depth a point of the picture has: the samples of a depth map around it vote. */
#ifndef SATB_DEPTH_VOTES_H
#define SATB_DEPTH_VOTES_H

#include "context.h"

enum {
    SATB_HEARING = 2, /* samples to each side that vote */
    SATB_SIDE = 2 * SATB_HEARING + 1,
    SATB_LANES = 8,     /* room for a side, and */
    SATB_VOICES = 32,   /* room for the 5 x 5, in whole vectors */
    SATB_VOTE_BINS = 8, /* of the voters' range of codes; two neighbours are one surface */
    SATB_STEP = 256     /* from a sample to the next, in places */
};

#define SATB_NEIGHBOUR ((uint32_t)1536 << 16)

typedef struct satb_colours { /* 8-bit red, green and blue of pixels; gray is three equal ones */
    const uint8_t *data;
    ptrdiff_t stride;
    size_t pixel;  /* bytes from one to the next */
    size_t rgb[3]; /* and from its first to those that count */
} satb_colours;

typedef struct satb_votes {
    satb_image map; /* one channel */
    void *owned;    /* the map's memory, if it is to be freed with the votes */
    uint32_t scale; /* what the map's codes are multiplied by */
    const satb_image *picture;
    satb_colours pixels;  /* the picture's */
    satb_colours samples; /* the picture's where the samples are; known where they vote */
    void *means;          /* memory of these, or NULL */
    size_t words;         /* of a row of bits */
    uint64_t *edge;       /* a bit for each sample (see satb_bit_row()), 0 at first */
    uint64_t *mute;       /* has no vote: it belongs to no surface, or is not known */
    uint32_t *likeness;   /* by distance of colours */
} satb_votes;

/* To be closed in any case. 0: out of memory. */
int satb_open_votes(satb_votes *votes, const satb_image *map, const satb_image *picture,
                    uint32_t scale);

void satb_close_votes(satb_votes *votes);

/* Makes ready for votes on the samples within `reach` of those with such a bit. 0: out of memory. */
int satb_call_votes(satb_votes *votes, const uint64_t *bits, int reach, int threads);

/* --- Bits ------------------------------------------------------------------------------------- */

/* A row of bits: sample x has bit x % 64 of word x / 64, and words -1 and [words - 2] are 0. */
static inline uint64_t *satb_bit_row(const satb_votes *votes, const uint64_t *bits, int y)
{
    return (uint64_t *)bits + (size_t)y * votes->words + 1;
}

/* The samples of row y within `reach` of those with such a bit. out: a row's words. */
void satb_bits_around(const satb_votes *votes, const uint64_t *bits, int y, int reach,
                      uint64_t *out);

/* --- Votes ------------------------------------------------------------------------------------ */

/* A pixel's colour, red in the lowest byte. */
static inline uint32_t satb_colour_of(const satb_colours *colours, int x, int y)
{
    const uint8_t *const p = colours->data + y * colours->stride + (size_t)x * colours->pixel;

    return p[colours->rgb[0]] | (uint32_t)p[colours->rgb[1]] << 8 |
           (uint32_t)p[colours->rgb[2]] << 16;
}

typedef struct satb_voices { /* all 0 before its first use */
    uint32_t low, high;      /* extremes of the codes */
    uint8_t first[SATB_VOTE_BINS +
                  1];           /* by bins, eighths of that range; the last: how many there are */
    uint8_t place[SATB_VOICES]; /* in the 5 x 5: SATB_LANES row + column */
    uint16_t code[SATB_VOICES];
    uint16_t red[SATB_VOICES], green[SATB_VOICES], blue[SATB_VOICES];
} satb_voices;

/* The 5 x 5 samples around one (those that are mute only where all are). */
void satb_hear(const satb_votes *votes, int x, int y, satb_voices *voices);

typedef struct satb_point { /* that lies in the sample in the middle */
    const uint16_t *x,
        *y; /* how close it is to the samples' columns and rows: SATB_LANES of each */
    uint32_t colour;
} satb_point;

/* away: from the centre of the sample in the middle, in 1/SATB_STEP, at most half of it. */
void satb_come_close(int away, uint16_t close[SATB_LANES]);

/* The voices vote for their codes, each the more the closer it is and the more its colour is the
 * point's. Returns the mean of the quarter of the voters' range that has most votes. *support (support
 * may be NULL): those votes; a neighbour of the point's own colour has about SATB_NEIGHBOUR. */
uint32_t satb_vote(const satb_votes *votes, const satb_voices *voices, const satb_point *point,
                   uint32_t *support);

#endif
