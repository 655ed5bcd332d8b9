/* Highlights: lamps that are out of focus, taken out of a picture before its points of light are (points.h).
 *
 * find  A pixel is a light where its disc has a side, its alpha is not 0, its brightest sample is at least `threshold`, and
 *       it belongs to a lamp: a bright spot that is small, compact, and far brighter than its surroundings. Clipped light
 *       counts as white. A code within 1/64 of the largest was clipped.
 *
 *       Lamps are sought at levels of light: white, 1/4, 1/16 and 1/64 of it, rounded up. The first two are always asked, the
 *       others down to one that is not above the threshold. A pixel is bright at the levels that are not above its light.
 *       Rays and glow are less bright than their lamp, so at a higher level they do not hide it. As levels do not depend on
 *       the threshold, a lower threshold never finds fewer lights.
 *
 *       Sizes are tried from 3, or from `size` if that is less, up to size, each with its half, rounded up, added. At size s,
 *       near is the window of radius s around the pixel, and the ring is the rest of the window of radius s + s / 2, rounded
 *       up. Both end at the picture's edges. A size fits where
 *         - the ring has pixels, and their mean light is at most an eighth of the pixel's, or a quarter if the pixel was
 *           clipped (of lights cut to 10 bits; 0 where alpha is 0), and
 *         - the pixel is bright at a level at which
 *             near and ring have at most s^2 bright pixels, so large areas are no lamps,
 *             the ring has at most an eighth as many as near, so lines, writing and most textures are none, and
 *             s is at least 12, or size, if the level is white, so clipped dots of a texture are none.
 *       The first size that fits is s below.
 *
 *       In base, a light's colours are those of its surroundings where these are darker: the mean of the eight pixels at a
 *       distance of s + (s + 3) / 4 along the axes and diagonals, as far as they are in the picture, less than half as
 *       bright, and not of alpha 0; without any, black. All else is src. The difference is its light: src less base, sample
 *       by sample, with weights times alpha / the largest alpha, rounded half up.
 *
 *       Where light was clipped, the sensor lost some, and colour if it clipped all samples. That is in the glow: what
 *       unclipped pixels in the same eight directions have more than the pixel at that distance, sample by sample, at the
 *       distances from 1 that grow by a quarter, rounded up; and a sixteenth of white. Each sample of a light whose brightest
 *       sample was clipped is multiplied by a boost and by the glow's sample / the glow's brightest one, but is at least
 *       its light. The glow's proportions give way to the light's own as the darkest sample falls below clipped ones: in full
 *       at an eighth of all codes.
 *
 *       base  src without its lights
 *       halo  the parts of the boost that the samples of a clipped light get, of 255. Elsewhere it is 0.
 *       found the number of lamps in the rows `counted`: areas of lights that meet at sides or corners, less the holes in them
 *
 * src, base  of the same size and kind, apart from each other
 * dst       where the result of the blur will be: src is kept apart from it
 * halo      8 bits, of src's size and channels
 * map       the picture's size, its first channel counts; disc by code, 256 or 65536 entries
 * threshold a sample, at least the last of all levels
 * level, levels  of light, by satk_set_lamp_levels()
 * counted   rows of src, which may be a band of the picture
 * size      of the widest lamp in pixels: 1 .. SATK_MOST_LAMP
 * scratch   at least satk_highlight_scratch_*() bytes, 64-byte aligned; contents undefined before and after
 * The boost is at most SATK_MOST_BOOST / 256. */
#ifndef SATK_HIGHLIGHT_H
#define SATK_HIGHLIGHT_H

#include "common/plane.h"
#include "common/tone.h"
#include "layer/radii.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SATK_MOST_BOOST  (64u * SATK_ONE)
#define SATK_MOST_LAMP   480 /* the larger window has fewer than 2^21 pixels */
#define SATK_LAMP_LEVELS 4

typedef struct satk_highlight {
    satk_plane src, base, halo, dst;
    satk_tone tone;
    satk_plane map;
    const satk_disc *disc;
    uint32_t threshold;
    uint32_t level[SATK_LAMP_LEVELS]; /* least samples, falling */
    int levels, size;
    satk_range counted;
    uint32_t *found; /* [1] */
    void *scratch;
} satk_highlight;

/* Sets the levels for the threshold, and raises that to the last level if it is less. white: the largest sample */
static inline void satk_set_lamp_levels(satk_highlight *job, uint32_t white)
{
    for (int i = 0; i < SATK_LAMP_LEVELS; i++)
        job->level[i] = ((white - 1) >> 2 * i) + 1;
    job->threshold = job->threshold > job->level[3] ? job->threshold : job->level[3];
    job->levels = 2;
    while (job->level[job->levels - 1] > job->threshold)
        job->levels++;
}

size_t satk_highlight_scratch_cpu(const satk_highlight *job, int threads);
void satk_highlight_find_cpu(const satk_highlight *job, int threads);

size_t satk_highlight_scratch_cuda(const satk_highlight *job);
int satk_highlight_find_cuda(const satk_highlight *job,
                             void *stream); /* cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
