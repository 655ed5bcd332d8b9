/* The definitions, written out by brute force: the tests hold the kernels to them.
 *
 * Includes nothing of kernels/: own structs, own sample access, own sRGB in long double, own edges,
 * own rounding, 128-bit sums. Slow on purpose, O(pixels * window): obviously right is worth more
 * here than fast. */
#ifndef SATB_ORACLE_H
#define SATB_ORACLE_H

#include <stddef.h>
#include <stdint.h>

typedef struct oracle_plane {
    const void *data;
    ptrdiff_t pitch;
    int width, height, channels, bits; /* interleaved; 2 and 4 channels have alpha last */
} oracle_plane;

typedef enum oracle_edge {
    ORACLE_SHRINK, /* outside the picture is nothing */
    ORACLE_CLAMP,  /* aaa|abc|ccc */
    ORACLE_MIRROR, /* cba|abc|cba */
    ORACLE_WRAP,   /* abc|abc|abc */
    ORACLE_EDGES
} oracle_edge;

enum { ORACLE_HALF = 2 };

typedef struct oracle_look {
    int linear; /* 1: colour codes are sRGB and are averaged as light; ORACLE_HALF: all codes are half floats */
    int weighted; /* colour is weighted by alpha (2 or 4 channels) */
} oracle_look;

/* --- Codes and samples (oracle_sample.c) -------------------------------------------------------- */

/* Makes the tables of sRGB and of half floats; called once, first. */
void oracle_start(void);

/* Return the largest code of a width, and the largest linear sample: 8 bits decode to 14, 16 bits
 * to 20. */
uint32_t oracle_code_max(int bits);
uint32_t oracle_sample_max(int bits, const oracle_look *look);
uint32_t oracle_decode(int bits, uint32_t code);
uint32_t oracle_encode(int bits, uint32_t sample);

/* Return the multiple of 2^-20 of a half float, and the half float next to it. */
uint32_t oracle_decode_half(uint32_t code);
uint32_t oracle_encode_half(uint32_t sample);

/* Returns the code of 16 bits that v / (1 + v) has in sRGB, for the half float v. */
uint32_t oracle_shown(uint32_t code);

/* Return the sample of a code, and the code of a sample; is_alpha: of alpha. A half float keeps its own bits where the
 * sample is its own. */
uint32_t oracle_sample(const oracle_look *look, int bits, int is_alpha, uint32_t code);
uint32_t oracle_code_of(const oracle_look *look, int bits, int is_alpha, uint32_t sample,
                        uint32_t own);

/* Returns the channel that is alpha, or -1. */
int oracle_alpha(int channels);

uint32_t oracle_code(const oracle_plane *plane, int x, int y, int channel);

/* Finds the samples that a table sums at one pixel: out[channels]. */
void oracle_samples(const oracle_plane *src, const oracle_look *look, int x, int y, uint64_t *out);

/* Finds the sums of the samples (0..x, y), modulo 2^64: out[width * channels]. */
void oracle_row_prefix(const oracle_plane *src, const oracle_look *look, int y, uint64_t *out);

/* Returns one table word by its definition: the sum over all of (0..x, 0..y). */
uint64_t oracle_table_word(const oracle_plane *src, const oracle_look *look, int x, int y,
                           int channel);

typedef struct oracle_box {
    oracle_plane src;
    oracle_look look;
    oracle_edge edge;
    uint32_t radius_x, radius_y; /* Q8, unless map.data */
    oracle_plane map;            /* first channel */
    const uint32_t *lut;
} oracle_box;

typedef struct oracle_pixel {
    int x, y;
} oracle_pixel;

typedef struct oracle_codes {
    uint32_t c[4];
} oracle_codes;

/* Finds the blurred codes of the listed pixels, on all processors. */
void oracle_blur(const oracle_box *box, const oracle_pixel *pixels, size_t count,
                 oracle_codes *codes);

/* --- Depth of field by layers (oracle_layer.c, oracle_window.c, oracle_form.c) ---------------- */

enum { ORACLE_WINDOWS = 8, ORACLE_MARKS = 4 };

/* A stack of boxes: rows |dy| <= middle_rows have |dx| <= middle; those beyond, to |dy| <= rows,
 * have |dx| <= outer. In a layer with forms it is such a form times a radius, middle_rows / 256, and a pixel counts with the sum
 * of the weights of the boxes that hold it. */
typedef struct oracle_stack {
    int middle, middle_rows, outer, rows;
} oracle_stack;

typedef struct oracle_slab {
    oracle_stack
        window[ORACLE_WINDOWS]; /* the next make up the rest where less than a sixteenth is seen */
    int windows;
    int used;   /* 0: nothing belongs to it */
    int coarse; /* windows are of cells of 4 x 4 pixels; those in use are nearer than all that are not, or farther */
    int before; /* 1: of the focus */
} oracle_slab;

/* Sides in 1/65536, to the right and down. Centres on a side belong to the box on the inner side of it, towards 0. */
typedef struct oracle_form_box {
    int64_t left, right, top, bottom, weight;
} oracle_form_box;

/* A form for each side of the focus and for each patch of width x height squares, which are pixels or cells. Patches have `side`
 * squares a side and begin at both ends of an axis; one in the middle has the fewer than 2 side squares that are left. */
typedef struct oracle_forms {
    const oracle_form_box *boxes; /* [behind, before][down][across][count] */
    int count, side, width, height;
} oracle_forms;

const oracle_form_box *oracle_form_at(const oracle_forms *forms, int before, int x, int y);

/* Returns 1 if the box, times radius / 256, holds the pixel dx, dy beside the centre. */
int oracle_in_form_box(const oracle_form_box *box, int64_t radius, int dx, int dy);

typedef struct oracle_layer {
    oracle_plane src;
    oracle_look look;
    oracle_plane map;         /* first channel */
    oracle_plane cover;       /* 8 bits; or no data: 255 everywhere */
    const uint16_t *position; /* by code, in 1/16 of a slab, 0 = the farthest */
    const oracle_slab *slabs;
    int count, soft;                /* soft: pixels that windows may look farther */
    oracle_forms forms, cell_forms; /* count 0: windows are stacks */
    int marks, mark[ORACLE_MARKS];  /* slabs, before which the light that is left counts */
    const uint8_t (*thresholds)
        [8]; /* of colours of 8 bits, in 1/128, by row and column; NULL: they are rounded */
} oracle_layer;

/* Returns the cells of an axis of n pixels. */
int oracle_cells(int n);

/* left: by pixel and mark, what is left of 255. */
void oracle_layers(const oracle_layer *layer, const oracle_pixel *pixels, size_t count,
                   oracle_codes *codes, uint8_t (*left)[ORACLE_MARKS]);

/* --- Depth of field by spreading (oracle_spread.c) -------------------------------------------- */

typedef struct oracle_spread {
    oracle_plane src;
    oracle_look look;
    oracle_plane map;    /* first channel */
    const uint32_t *lut; /* Q8 radius by code */
    int bits; /* a source's light is 2^bits, but for the rounding of each pixel's share */
} oracle_spread;

void oracle_spreads(const oracle_spread *spread, const oracle_pixel *pixels, size_t count,
                    oracle_codes *codes);

/* Return the patches of 2^shift pixels of an axis, and the one that a pixel lies in. */
int oracle_patches(int n, int shift);
int oracle_patch_at(int at, int n, int shift);

/* --- Highlights (oracle_highlight.c) ----------------------------------------------------------- */

/* By code of the map: the radius in 1/256; the side of lights there, behind (-1) the focus, before it (1) or none (0); their group;
 * the part of excess that becomes points, in 1/256, and the cells to the farthest of its surroundings; 0: none does. */
typedef struct oracle_disc {
    int radius, side, group, fade, cells;
} oracle_disc;

typedef struct oracle_highlight {
    oracle_plane src, base; /* base: of oracle_lamps() */
    oracle_look look;
    oracle_plane map; /* first channel */
    const oracle_disc *disc;
    uint32_t threshold;
    int size;
} oracle_highlight;

/* What a pixel's light leaves: the side of the light, or 0 if there is none; the codes that stay; the halo, which
 * counts if `clipped` is 1. */
typedef struct oracle_spot {
    int side, clipped;
    oracle_codes codes, halo;
} oracle_spot;

oracle_spot oracle_light(const oracle_highlight *h, int x, int y);

/* Returns the number of areas of lights in rows first to last, by src and base; less the holes in them. */
uint32_t oracle_lamps(const oracle_highlight *h, int first, int last);

/* --- Points of light (oracle_points.c) --------------------------------------------------------- */

/* An outline at a radius of 1: Q16; the integrals of its sides in Q24, `strips` + 1 of each. */
typedef struct oracle_outline {
    int middle, half, weight;
    const int *left, *right;
} oracle_outline;

enum { ORACLE_GROUPS = 5 };

typedef struct oracle_points {
    oracle_plane src, from, base, halo, dst; /* halo: data NULL: none */
    oracle_look look;
    oracle_plane map, cover; /* first channel; cover: data NULL: none */
    const oracle_disc *disc;
    int shift;                     /* of patches */
    const oracle_outline *outline; /* [side][patch][level] */
    int levels, strips, along_columns;
    uint32_t boost;                     /* in 1/256 */
    int row, rows;                      /* of the picture */
    const uint8_t *left[ORACLE_GROUPS]; /* [y][x] by group, dense; NULL: all is seen */
    unsigned groups;                    /* of oracle_add_points(), a bit each */
    int alone;                          /* 1: the hue is that of the light, not of the sum */
} oracle_points;

/* Returns the codes that a pixel's excess leaves. */
oracle_codes oracle_ground(const oracle_points *p, int x, int y);

/* Adds the light of points to the codes of dst, the blurred base. Returns 0 if memory is short. */
int oracle_add_points(const oracle_points *p, const oracle_pixel *pixels, size_t count,
                      oracle_codes *codes);

/* --- Mattes (oracle_matte.c) ------------------------------------------------------------------- */

/* Returns a picture's coverage at a pixel, by a matte of any size. */
uint32_t oracle_cover(const oracle_plane *src, int width, int height, int x, int y);

typedef struct oracle_matte {
    oracle_plane matte, map; /* matte: coverage */
    int near_black;
} oracle_matte;

/* What becomes of the rim of a pixel. */
enum { ORACLE_RIM_STAYS, ORACLE_RIM_NONE, ORACLE_RIM_SUBJECT, ORACLE_RIM_BEFORE };

typedef struct oracle_followed {
    uint32_t code;
    int decided; /* 1: the matte decides the code */
    int kind;
    uint32_t cover, near, far; /* of a rim */
} oracle_followed;

/* Finds what becomes of every pixel of the map. Returns 0 if memory is short. */
int oracle_follow(const oracle_matte *m, oracle_followed *pixels);

/* Returns the codes of a pixel with one side's colour. */
oracle_codes oracle_separated(const oracle_plane *src, const oracle_plane *matte, oracle_pixel p,
                              int of_subject);

/* --- Statistics ------------------------------------------------------------------------------- */

typedef struct oracle_moments {
    uint64_t sum, sum_squares;
    uint32_t min, max;
} oracle_moments;

oracle_moments oracle_measure(const oracle_plane *src, int channel);

/* Counts the codes of one channel: bins[2^bits]. */
void oracle_bins(const oracle_plane *src, int channel, uint64_t *bins);

/* Returns the luminance of a pixel: gray's code, or BT.709's weighted mean of R, G and B, rounded
 * half up; -1 where alpha is 0. */
int32_t oracle_luma(const oracle_plane *src, int x, int y);

/* Finds the codes that occur in the first channel: bit c % 32 of words[c / 32] is 1 for a code c that does. */
void oracle_code_set(const oracle_plane *src, uint32_t *words);

/* Counts the luminances of the pixels that have one: bins[2^bits]. */
void oracle_luma_bins(const oracle_plane *src, uint64_t *bins);

/* Finds the codes of a pixel whose luminance becomes lut[luminance]. */
oracle_codes oracle_equalized(const oracle_plane *src, const uint16_t *lut, int x, int y);

#endif
