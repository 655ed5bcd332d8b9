/* Material for the tests: guarded memory, pictures of every layout, and what fills them. Everything
 * random comes from one 64-bit state, so a run can be repeated from its seed. */
#ifndef SATB_SAMPLE_H
#define SATB_SAMPLE_H

#include "common/plane.h"

#include <stddef.h>
#include <stdint.h>

/* --- Random ----------------------------------------------------------------------------------- */

uint64_t random_next(uint64_t *state);    /* splitmix64 */
int random_below(uint64_t *state, int n); /* 0 .. n - 1 */
void random_bytes(uint64_t *state, void *bytes,
                  size_t size); /* by all processors, same bytes on any number */

/* --- Memory ----------------------------------------------------------------------------------- */

/* An allocation whose payload lies between two guards (an output), or exactly fills it (an input,
 * so that a memory checker sees a read beyond it). Ends the program when memory runs out. */
typedef struct block {
    uint8_t *base;
    size_t size; /* of the allocation */
    size_t at;   /* where the payload begins */
    size_t bytes;
} block;

enum { BLOCK_GUARD = 256 };

block block_guarded(size_t bytes,
                    size_t skew); /* skew: bytes by which the payload is off a 64-byte boundary */
block block_exact(size_t bytes, size_t skew);
block block_like(const block *model);
void block_free(block *b);
void block_poison(
    block *b); /* all of it, guards included: a pattern that depends on the position */
int block_intact(const block *b); /* 1: both guards still hold the poison */
void *block_data(const block *b);

/* --- Pictures --------------------------------------------------------------------------------- */

typedef struct shape {
    int width, height, channels, bits;
    int pad;  /* bytes between the rows */
    int skew; /* bytes by which the first sample is off a 64-byte boundary */
} shape;

typedef struct picture {
    block memory;
    satk_plane plane;
} picture;

typedef enum fill {
    FILL_RANDOM,
    FILL_MAX,      /* every code the largest: sums wrap around, means must not */
    FILL_CONSTANT, /* one random code per channel: must come out as it went in */
    FILL_STEPS,    /* black and white patches: the sharpest edges */
    FILL_HOLES,    /* random, with alpha 0 nearly everywhere: windows without a visible pixel */
    FILL_BRIGHT,   /* random in the top eighth: sums near what a word holds, with any remainder */
    FILL_SPECKS,   /* random, with the largest alpha nearly everywhere: most windows are opaque */
    FILL_STAIRS,   /* STAIR pixels of every code in turn, and the largest alpha */
    FILLS
} fill;

enum {
    STAIR = 150
}; /* more than there are samples of linear light from one code of 8 bits to the next */

const char *fill_name(fill f);
size_t shape_row(const shape *s);   /* bytes of the samples of a row */
size_t shape_bytes(const shape *s); /* of the rows and the paddings between them */
picture picture_input(const shape *s, fill f, uint64_t *random);
picture picture_output(const shape *s);               /* guarded and poisoned */
void picture_copy(picture *to, const picture *from);  /* the rows, not what is between them */
int picture_same(const picture *a, const picture *b); /* 1: the rows, whatever is between them */
void picture_put(const satk_plane *plane, int x, int y, int channel, uint32_t code);
void picture_make_opaque(const satk_plane *plane); /* its last channel */

/* Makes codes half floats. The largest codes become the largest numbers, and half of the random ones are negative. */
void picture_make_halves(const satk_plane *plane, fill f);
void picture_free(picture *p);

#endif
