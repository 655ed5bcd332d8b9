/* Highlights: points of light that are out of focus, taken out of a picture before it is blurred, and laid
 * over the result as discs of light.
 *
 * find  A pixel is a light where its disc has a side, its alpha is not 0, and it belongs to a lamp: a bright spot that is
 *       small, compact, and far brighter than its surroundings. Pixels of at least `threshold` are bright (by their
 *       brightest sample). Sizes are tried from 3, or from `size` if that is less, up to size, each with its half,
 *       rounded up, added. At size s, near is the window of radius s around the pixel, and the ring is the rest of the
 *       window of radius s + s / 2, rounded up. Both end at the picture's edges. A size fits where
 *         - near and ring have at most s^2 bright pixels, so large areas are no lamps,
 *         - the ring has less than a fifth as many as near, so lines and parts of an area are none, and
 *         - the pixel is at least 4 times as bright as the mean of the ring's unclipped pixels, of which there are some
 *           (brightest samples, cut to 10 bits).
 *       The first size that fits with at most an eighth as many in the ring counts; if there is none, the first that fits. In base, a light's colours are those of its surroundings where these are darker:
 *       the mean of the eight pixels at a distance of s + (s + 3) / 4 along the axes and diagonals, as far as they are in
 *       the picture, neither bright nor of alpha 0. All else is src. The difference is its light: src less base,
 *       sample by sample, with weights times alpha / the largest alpha, rounded half up.
 *       A brightest code within 1/64 of the largest was clipped: the sensor lost light and colour. The colour is in the
 *       glow around the lamp, in pixels that are not clipped and at least an eighth as bright as bright ones: near's
 *       light of these, less as many pixels of the ring's mean, and 1/32 of the lamp's white. Each sample of the clipped
 *       light is multiplied by boost / 256, but is at most the brightest sample thus multiplied in the glow's
 *       proportions, and at least the sample itself.
 *       base  src without its lights
 *       halo  a clipped light's colours in proportion to the brightest. That is 255 up to an eighth in the ring, and from
 *             there on falls to 0 at a fifth. Where no clipped light is, the halo stays as it was.
 *       mask  `behind` of every pixel
 *       found 1 where there is a light behind the focus, and where there is one before it; else 0
 * add   Every light of a side gives each pixel of its disc that is in the picture a share of itself: 2^32 / (the disc's
 *       pixels times their weights), rounded half up, in 2^-32. A
 *       pixel of dst gets their sum times seen / 255, with weights divided by its alpha (and not where that
 *       is 0): as a sample, rounded half up, at most the largest. The sum keeps 16 bits after the point; the
 *       product is rounded half up to 16 bits, the quotient down.
 *
 * A light has the nearest disc of all lights that are at most SATK_LIGHT_NEAR pixels away on both axes, as its
 * rim may have the depth of the surface behind it. A disc is the form of the light's patch at its radius: a pixel gets a
 * share times the sum of the weights of the boxes that hold it.
 *
 * As all are boxes, their differences along both axes are 0 but at their corners: these are added to planes
 * of deltas, whose summed-area tables are the lights' sums, as in spread.h.
 *
 * src, base, dst  of the same size and kind, apart from each other; dst is the blurred base
 * forms     of all discs (box/form.h)
 * row       of the picture, which is src's first
 * halo      8 bits, of src's size and channels
 * map       the picture's size, its first channel counts; disc by code, 256 or 65536 entries
 * mask      8 bits, one channel, of the picture's size
 * seen      like mask, the blurred mask; data NULL: all 255
 * farthest  no disc of a code that occurs reaches farther
 * boost     256 .. SATK_MOST_BOOST
 * threshold a sample, at least 1
 * size      of the widest lamp in pixels: 1 .. SATK_MOST_LAMP
 * scratch   of find and of add: at least satk_highlight_scratch_*() bytes, 64-byte aligned; contents undefined
 *           before and after
 * The sums fit 64 bits: boosted light has at most 26 bits (20 of a sample, 6 of the boost), 32 are behind the point, and the
 * discs that hold a pixel add up to less than 2^6 of a light. If all pixels were lights, they would add up to less than 3.2 for
 * each of the 21 doublings of the distance, and to less than 2 where no rim is bright. But a lamp ends after 9 of them, and
 * beyond it less than 0.54 of the pixels are clipped, which alone are boosted: the window of radius s + s / 2 around each has
 * at most 6/5 s^2 bright ones. 3.2 (9 + 12 * 0.54) is 50. */
#ifndef SATK_HIGHLIGHT_H
#define SATK_HIGHLIGHT_H

#include "box/form.h"
#include "common/plane.h"
#include "common/tone.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SATK_SHARE_BITS 32
#define SATK_LIGHT_NEAR 2
#define SATK_MOST_BOOST (64u * SATK_ONE)
#define SATK_MOST_LAMP  511 /* the larger window has fewer than 2^22 pixels */

typedef struct satk_disc {
    int radius; /* Q8 */
    int side;   /* -1 behind the focus, 1 before it, 0: no light is there */
    int behind; /* the part of the pixel that lies behind the focus, 0 .. 255 */
} satk_disc;

typedef struct satk_highlight {
    satk_plane src, base, halo, dst;
    satk_tone tone;
    satk_plane map;
    const satk_disc *disc;
    satk_forms forms;
    int row;
    uint32_t boost, threshold;
    int size;
    satk_plane mask, seen;
    uint32_t *found; /* [2] */
    int side;        /* of the lights that are added: -1 or 1 */
    int farthest;
    void *scratch;
} satk_highlight;

size_t satk_highlight_scratch_cpu(const satk_highlight *job, int threads);
void satk_highlight_find_cpu(const satk_highlight *job, int threads);
void satk_highlight_add_cpu(const satk_highlight *job, int threads);

size_t satk_highlight_scratch_cuda(const satk_highlight *job);
int satk_highlight_find_cuda(const satk_highlight *job,
                             void *stream); /* cudaError_t; 0 = launched */
int satk_highlight_add_cuda(const satk_highlight *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
