/* Points of light that are out of focus: taken apart from the ground before it is blurred, and laid over the result as
 * apertures of their own radius.
 *
 * find  A pixel is as bright as its brightest sample; of half floats, that is divided by alpha, rounded down. But it is thin if
 *       its alpha is below 1 / SATK_THIN. With weights a thin pixel is void, as its colour is mostly rounding. Half floats may be
 *       light without alpha: a thin one is as bright as its sample, and void if that is 0.
 *       A pixel's surroundings are its cell of SATK_GRAY_CELL x SATK_GRAY_CELL pixels (as those of layer.h) and all that are at
 *       most `cells` away on both axes, as far as they are in the picture; of these, the pixels whose group is not below its own
 *       count. Void ones have no brightness and do not count; else all that is small in a cut-out would be light. But of half
 *       floats SATK_THIN void ones count as one, rounded half up for each cell and group; else a lamp in front of nothing would
 *       have no surroundings but itself. With
 *       g = SATK_POINT_RATIO times the mean of these, rounded down, a pixel of brightness b > g has the excess b - g g / b, its
 *       ground rounded down, times fade / SATK_ONE. So what is far above its surroundings, and most of their mean, has hardly
 *       any ground. Brightness has at most 24 bits here: a
 *       wider one loses its last bits. The colours of base are those of `from` less the part of its brightness that is excess,
 *       rounded half up; alpha stays. A pixel whose disc has cells = 0 has no excess, and is as in `from`.
 *       So the excess of a point that fades goes smoothly into the ground. A bright background that is seen through a gap has
 *       none, since what hides it does not count.
 *       If there is no point at all, base stays unknown where it is not `from`.
 *       found  1 for each group that has a point: a pixel that differs from src in base; else 0
 *       runs   1 for runs of SATK_POINT_RUN pixels of a row that have a point, else 0
 * add   Each point gives the pixels that its aperture covers their parts of its light. The light is src less base, sample by
 *       sample; with halo (highlight.h) that of a clipped pixel is its sample times boost / 256 times halo / 255, rounded
 *       half up, if that is more. With weights it is multiplied by alpha / the largest alpha, and with cover by the sixteenths
 *       that the pixel covers (layer.h) / 16, both rounded half up. It is given with `fraction` bits behind the point: a 65536th
 *       of a pixel gets 1 / A of it, rounded half up, where A is the light of all spans (outline.h).
 *       A pixel of dst gets the sums of all groups that are above 0 (an inner outline with a weight below 0 may be wider than
 *       the outer one in rows that both cover in part), each without its last 8 bits, times what it sees of it in 256ths: of
 *       the plane p of `left` of the group p + p / 128, and all of group 0. This, rounded down to 16 bits behind the point, is
 *       added to its samples, rounded half up; with weights it is divided by its alpha first, rounded down (and not where
 *       that is 0). If the largest sample is more
 *       than may be, all are multiplied by what makes it the largest, rounded down, so that the hue stays. But none falls
 *       below dst. With `alone` that is done to the light before it is added, and what is then more than may be is the most that
 *       may be: so a channel depends on no other of dst.
 *
 * A point has the nearest disc of all points at most SATK_LIGHT_NEAR pixels away on both axes whose brightest sample is not
 * below its own: the rim of a lamp may have the depth of the surface behind it.
 *
 * src, base, dst  of the same size and kind, apart from each other; dst is the blurred base
 * from      of find: src, or base, with lamps taken out of it (highlight.h)
 * halo      8 bits, of src's size and channels; data NULL: nothing is boosted
 * map       the picture's size, its first channel counts; disc by code, 256 or 65536 entries
 * cover     as in layer.h
 * left      a plane for each group of `lit` from 1 on, in their order (layer.h); data NULL: all is seen
 * runs      8 bits, one channel: a row of runs for each row of src
 * row, rows of the picture, as in layer.h
 * groups    those of the discs: 1 .. SATK_POINT_GROUPS
 * lit       of add: a bit for each group that was found
 * farthest  no aperture of a code that occurs reaches farther
 * fraction  57 less the bits of the largest light. So sums fit 63 bits and have a sign: the discs that hold a pixel add up to less
 *           than 2^6 of a light. If all pixels were points, they would add up to less than 31 at a distance below 2^9, and to
 *           less than 3.1 for each of its five doublings up to SATK_MOST_DISC
 * scratch   at least satk_points_scratch_*() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_POINTS_H
#define SATK_POINTS_H

#include "highlight/highlight.h"
#include "highlight/outline.h"
#include "layer/layer.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SATK_POINT_RATIO  4
#define SATK_THIN         16
#define SATK_POINT_GROUPS (SATK_MARKS + 1)
#define SATK_POINT_RUN    32

typedef struct satk_points {
    satk_plane src, from, base, halo, dst;
    satk_tone tone;
    satk_plane map, cover, left, runs;
    const satk_disc *disc;
    satk_outlines outlines;
    int row, rows;
    uint32_t boost;
    int groups;
    unsigned lit;
    uint32_t *found; /* [SATK_POINT_GROUPS] */
    int farthest, fraction;
    int alone; /* 0 or 1 */
    void *scratch;
} satk_points;

size_t satk_points_scratch_cpu(const satk_points *job, int threads);
void satk_points_find_cpu(const satk_points *job, int threads);
void satk_points_add_cpu(const satk_points *job, int threads);

size_t satk_points_scratch_cuda(const satk_points *job);
int satk_points_find_cuda(const satk_points *job, void *stream); /* cudaError_t; 0 = launched */
int satk_points_add_cuda(const satk_points *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
