/* Depth of field by layers: the picture is cut into slabs of depth, every slab is blurred by its own
 * aperture, and the slabs are laid over each other.
 *
 * A pixel's position along the slabs is p = position[code of the map], in 1/16 of a slab, 0 = the
 * farthest slab. It belongs to slab k with m = 16 - |p - 16 k|, at least 0, so to one or two of them,
 * and 16 in all. Where a pixel's coverage is a < 16 sixteenths, m is a m / 16, rounded half up; the rest
 * shows something farther whose colour is unknown. b is 0 if the pixel lies wholly before the slab
 * (p - 16 k is at least 16), otherwise 16.
 *
 * Over a slab's window around a pixel, A is the sum of m, V of b, and C of m times the samples of
 * tone.h; S is the window's area. From the nearest slab to the farthest, T is the light that is left
 * (65536 at first), and T' what was left before the slab that is one nearer. Each slab lays R = T', from
 * its aperture to its widest window, since its pixels may be in both slabs and do not hide themselves:
 *     D = V if V is at least S or the window is the widest, otherwise S
 *     share = R A / D, rounded half up, at most T     pixels that nearer slabs hide are in no sum
 *     result += share * (C / A)                       the mean with 8 more bits, rounded half up
 *     T -= share
 *     R -= R V / D, rounded half up                   0 if D is V
 * and the pixel is result / (65536 - T), without the 8 bits and rounded half up. A window with A = 0
 * has no share. V is 16 S where nothing is hidden. So where less than a sixteenth of a window is seen, its
 * part of the light falls with the part that is seen, and wider windows make up the rest: hidden pixels
 * pass smoothly into those around. Windows shrink at the edges, and so do their areas.
 *
 * A pixel looks no farther than what hides it is blurred. M is the sum of share r^2 over the slabs that have laid a share; r
 * is the reach of a slab's aperture in pixels. Where surfaces hide all within d pixels, they have laid at least (d / r)^2 of
 * the light, so M is at least 65536 d^2. Slabs that are not coarse obey two rules:
 *     A window is used if it is the first, or if the window before it has a reach r with 65536 (r - soft)^2 < 2 M or
 *     r < soft. M is that before the slab.
 *     While T is between 0 and 65536, let d be the first of 0, 1, 2, 4, 8 .. for which 65536 d^2 is at least 1.3 M, at most
 *     the farthest reach of all windows of such slabs in use. If E is above k at all pixels with |dx| <= d and |dy| <= d,
 *     neither slab k nor a farther one is laid. E is p / 16, rounded down, where a is 16; a pixel that is covered in part
 *     shows unknown things, and has E = 0.
 * So a surface without holes that is nearly in focus keeps its colours, however its depth changes, and what lies beyond its
 * rim gives it no light. In M, and beside it, r and d count in 2^u pixels, rounded down, with the least u for which all
 * apertures in use reach less than 256: M has 32 bits.
 *
 * Coarse slabs, whose windows are wide, count in cells of SATK_CELL x SATK_CELL pixels. Their windows
 * are of cells, around a cell, and have all pixels of these, so their result is the same all over a cell.
 * The cells lie alike from both ends of an axis: the first and the last lack the same number of pixels,
 * and of an axis of odd length, which has an odd number of cells, the middle one has SATK_CELL - 1. The
 * slabs nearer than every other one are laid over each other by cell, and so are those behind every
 * other; where there is no other, all are of the latter. At a pixel each of these two groups is one
 * slab more, between the four cells whose centres are nearest: with w the weights of linear
 * interpolation, in 1/64, which are 64 together (satk_centre_of()),
 *     A = sum of w (65536 - T of the cell)      V = 64 * 65536
 *     C = sum of w (result of the cell / 16, rounded half up)
 *     the mean C / A is rounded half up with 4 more bits, and then shifted to have 8
 * In M, r of the nearer group is the reach of its widest aperture. The farther group obeys the second rule, where k is its
 * nearest slab; if all slabs in use are coarse, none does.
 * The slabs next to such a group find its T' in the same way: behind the nearer group, T' is 65536 less
 * A / 64, rounded half up, with T of the cell before the group's farthest slab, if that is the one next to
 * them. The farther group lays T' if the slab next to it is its neighbour.
 *
 * Colours weighted by alpha (tone.h) are result / alpha's result instead, at most the largest sample:
 * faint alpha is rounded, and their quotient may be above it. The source's codes stay where nothing
 * came (T = 65536), its colours where alpha's result is 0.
 *
 * The model is that of layered, occlusion-aware depth of field (M. Kraus, M. Strengert, "Depth-of-
 * Field Rendering by Pyramidal Image Processing", 2007; Y. Sheng et al., "Dr. Bokeh", 2024); the
 * windows are read from summed-area tables, so their cost does not depend on their size.
 *
 * With a pattern, codes of 8 bits are dithered (tone.h): a pixel's colours are its means with SATK_DITHER_BITS more bits, by the
 * threshold of its place in the picture. Alpha is rounded. Codes of 16 bits, and half floats, are never dithered.
 *
 * With a channel, its codes alone are asked for: those of the others may stay as they are in dst, or be set as well.
 *
 * left says what a pixel sees of points of light at some depths (points.h): its plane i is what is left before slab mark[i],
 * 255 T / 65536, rounded half up; and 0 if that slab obeys the second rule.
 *
 * src, dst  of the same size and kind; dst is apart from src and map, whose neighbours are read
 * map       the picture's size, its first channel counts; position by code, 0 .. 16 (count - 1)
 * cover     the picture's size, one channel of 8 bits: a = (16 c + 127) / 255, at least 1; data NULL:
 *           every pixel has a = 16
 * slabs     count of them, in host memory, 1 .. SATK_MAX_SLABS
 * soft      pixels that a pixel looks farther: across rims that are covered in part, which hide and lay little
 * forms     of all windows, of at most SATK_WINDOW_BOXES boxes; count 0: windows are stacks. A pixel's window
 *           has the form of its patch of pixels, a cell's that of its patch of cells
 * word      of the tables, 32 or 64: 16 times the largest sample (with weights, times the largest
 *           alpha) times the area in the picture of the largest window of a slab in use fits it; with
 *           64 bits, 256 times that does, too (the caller has checked)
 * left      8 bits, one channel, of src's size: the first of `marks` planes, which begin height * pitch apart
 * mark      of each, falling: slabs that are neither farther than all in use nor coarse, but for the nearest of the coarse ones
 *           behind the others
 * most      the bytes that tables on a device take at most, if one slab does not need more; 0: SATK_LAYER_BYTES, and more
 *           for a large picture. Results are the same. Checks run small pictures in parts by it
 * scratch   at least satk_layer_scratch_*() bytes, 64-byte aligned; contents undefined before and
 *           after */
#ifndef SATK_LAYER_H
#define SATK_LAYER_H

#include "box/form.h"
#include "common/plane.h"
#include "common/tone.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SATK_MAX_SLABS  128
#define SATK_SLAB       16 /* positions from a slab to the next */
#define SATK_WINDOWS    8  /* of a slab, at most */
#define SATK_LIGHT_BITS 16
#define SATK_CELL       4 /* pixels of a side */
#define SATK_MARKS      4 /* at most */

#define SATK_WINDOW_BOXES 20 /* of a form of windows, at most */

/* The bytes that tables on a device, squares, and the light that batches of slabs share may always take: a call at 3840 x 2160
 * takes 1.5 GB with it. */
#ifndef SATK_LAYER_BYTES
#define SATK_LAYER_BYTES ((size_t)1037 << 20)
#endif

/* A disc of whole pixels as a stack of boxes: rows |dy| <= middle_rows have |dx| <= middle, those
 * beyond, to |dy| <= rows, have |dx| <= outer. rows is at least middle_rows, and that in a square.
 *
 * In a job with forms it is such a form (form.h) at a radius. What several boxes hold counts with the sum of their weights, in
 * A, V and C and in the window's area. */
typedef struct satk_stack {
    int middle;      /* of a form: at least its reach along the columns */
    int middle_rows; /* of a form: its radius, Q8, in squares */
    int outer;       /* of a form: 0 */
    int rows;        /* of a form: at least its reach along the rows */
} satk_stack;

/* The pixels that may belong to a slab k. */
typedef enum satk_use {
    SATK_UNUSED,       /* none */
    SATK_USED,         /* some */
    SATK_USED_BETWEEN, /* some, and E is k at none of them */
} satk_use;

typedef struct satk_slab {
    satk_stack window[SATK_WINDOWS]; /* the aperture, and wider ones; rows never fewer, and none
                                      * reaches beyond the last one's largest number */
    int windows;                     /* of these, 1 .. SATK_WINDOWS */
    satk_use used;
    int is_before; /* 1: in the focus or before it; 0: behind it */
    int coarse;    /* 1: windows are of cells; of the slabs in use, none that is
                                      * coarse lies between two that are not */
} satk_slab;

typedef struct satk_layer {
    satk_plane src, dst;
    satk_tone tone;
    satk_plane map, cover;
    const uint16_t *position;
    const satk_slab *slabs;
    int count, soft;
    satk_forms forms;
    int word;
    satk_pattern pattern;
    int channel; /* one more than the number of the only colour that is asked for; 0: all channels are */
    /* src is a part of a picture: its first row there, and the picture's rows; 0: src is all of it */
    int row, rows;
    satk_plane left;
    int marks, mark[SATK_MARKS]; /* 0 .. SATK_MARKS */
    size_t most;
    void *scratch;
} satk_layer;

/* Returns plane i of `left`. */
SATK_FN satk_plane satk_left_plane(const satk_plane *left, int i)
{
    satk_plane plane = *left;

    plane.data = (uint8_t *)left->data + (ptrdiff_t)i * left->height * left->pitch;
    return plane;
}

size_t satk_layer_scratch_cpu(const satk_layer *job, int threads);
void satk_layer_cpu(const satk_layer *job, int threads);

size_t satk_layer_scratch_cuda(const satk_layer *job);
int satk_layer_cuda(const satk_layer *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
