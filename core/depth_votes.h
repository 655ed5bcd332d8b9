/* Whose depth a point of the picture has: the samples of a depth map around it vote. */
#ifndef SATB_DEPTH_VOTES_H
#define SATB_DEPTH_VOTES_H

#include "context.h"

enum {
    SATB_HEARING = 2, /* samples to each side that vote */
    SATB_STEP = 256   /* from a sample to the next, in satb_point */
};

enum { /* bits of a sample's kind */
       SATB_EDGE = 1,
       SATB_MUTE = 2,      /* has no vote: it belongs to no surface, or is not known */
       SATB_NEAR_EDGE = 4, /* pixels here are decided */
       SATB_HEARD = 8,     /* may be asked for its vote */
       SATB_RIM = 16,      /* a hole that is next to what is known */
       SATB_NEWS = 32      /* a hole that has got another voter */
};

#define SATB_NEIGHBOUR ((uint64_t)1536 << 16)

typedef struct satb_votes {
    int width, height; /* of the map */
    uint16_t *depth;   /* its codes, times scale */
    uint8_t *colour;   /* 3 per sample: the picture's where the sample is; NULL: of one size */
    uint8_t *kind;     /* per sample; 0 at first */
    uint32_t *likeness;
    const satb_image *picture;
} satb_votes;

/* To be closed in any case. 0: out of memory. */
int satb_open_votes(satb_votes *votes, const satb_image *map, const satb_image *picture,
                    uint32_t scale, int threads);

void satb_close_votes(satb_votes *votes);

/* Adds a bit to the kind of the samples within reach of (x, y), to each side. */
void satb_mark_around(const satb_votes *votes, int x, int y, int reach, uint8_t bit);

/* Finds the colours of the samples that are heard, before the first vote. */
void satb_voter_colours(const satb_votes *votes, int threads);

/* The colour of a sample that is heard. */
void satb_voter_colour(const satb_votes *votes, int x, int y, uint32_t *rgb);

/* 8-bit red, green and blue of a pixel; gray is three equal ones. */
void satb_colour_of(const satb_image *picture, int x, int y, uint32_t *rgb);

typedef struct satb_point { /* from the first sample's centre, and its colour */
    int64_t u, v;
    uint32_t rgb[3];
} satb_point;

/* The point lies in sample (x, y). The 5 x 5 samples around vote for their codes (those that are mute
 * only where all are), each the more the closer it is and the more its colour is the point's. Returns
 * the mean of the quarter of the voters' range that has most votes. *support (support may be NULL):
 * those votes; a neighbour of the point's own colour has about SATB_NEIGHBOUR. */
uint32_t satb_vote(const satb_votes *votes, int x, int y, const satb_point *point,
                   uint64_t *support);

#endif
