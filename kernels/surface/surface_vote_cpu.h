/* Votes of a map's samples on the depth of points of the picture: 5 x 5 voters around each point vote for their codes. A
 * vote counts the more the closer the voter is, and the more its colour is the point's. For the CPU, which fills holes so.
 *
 * close     (3 - |x|) (3 - |y|), with x and y from the voter to the point in samples: in 1/256 each, and the product
 *           rounded down to 1/256
 * alike     satk_likeness, by the sum of the squared differences of red, green and blue over 16, rounded down; beyond the
 *           table its last
 * code      the votes, close * alike, are counted in eight bins of the voters' range of codes. The two neighbouring bins
 *           with most votes are one surface (of equals the higher two). The point gets the mean of their codes, weighted
 *           by votes, rounded half up
 * support   those votes; they fit 32 bits, as the closenesses' sum is at most 81 * 2^8 */
#ifndef SATK_SURFACE_VOTE_CPU_H
#define SATK_SURFACE_VOTE_CPU_H

#include "common/cpu_level.h"

#include <stdint.h>

enum {
    SATK_HEARING = 2, /* samples to each side that vote */
    SATK_SIDE = 2 * SATK_HEARING + 1,
    SATK_VOTERS = SATK_SIDE * SATK_SIDE,
    SATK_POINTS = 16, /* that are decided at a time */
    SATK_STEP = 256,  /* from a sample to the next, in places */
    SATK_LIKENESSES = 640
};

/* Voters, row by row, and the points around them. Colours have red in the lowest byte; the highest
 * byte does not matter. */
typedef struct satk_poll {
    _Alignas(64) uint32_t code[SATK_VOTERS][SATK_POINTS]; /* 0 .. 65535 */
    uint32_t colour[SATK_VOTERS][SATK_POINTS];
    uint32_t voters[SATK_POINTS];           /* bits: which of them vote */
    uint32_t place[SATK_POINTS];            /* of each point: where its voters are */
    uint32_t own[SATK_POINTS];              /* its colour */
    int32_t x[SATK_POINTS], y[SATK_POINTS]; /* from the middle voter, in places: at most a step */
    uint32_t decided[SATK_POINTS], support[SATK_POINTS]; /* out */
} satk_poll;

/* By distance of colours: 1 + 2^16 e^-d/s, with a standard deviation of 12 in each channel. at[d] is 1 +
 * coarse[d / 32] * fine[d % 32] / 2^46, rounded half up: where sixteen look-ups take longer than two
 * products. */
typedef struct satk_likeness {
    uint32_t at[SATK_LIKENESSES], coarse[32], fine[32];
} satk_likeness;

/* Decides the first `count` points; all others may be anything. */
typedef void satk_vote_function(satk_poll *poll, int count, const satk_likeness *alike);

satk_vote_function satk_vote_cpu, satk_vote_plain, satk_vote_avx2, satk_vote_avx512;

#endif
