/* Coverage for blurs by layers: a pixel at a rim is a share of the nearer surface, and what is behind it is unknown.
 *
 * A rim shows (SATK_COVERED) if the radii of its two surfaces differ by SATK_SHARPER and the near one covers at least
 * SATK_LEAST_COVER: the pixel gets the near surface's code, and its coverage. All other pixels keep their code and are whole,
 * 255, but for strangers. The edge of a surface in a map (SATK_RIM_EDGE) shows only if the surface is blurred by SATK_SOFT:
 * the edges of sharp things are as smooth as in the picture, and a map's are off by some pixels, where what is sharp would
 * become transparent. But where the map's edge lies within what looks the same, whole pixels would be steps (SATK_BESIDE). So
 * there the edge is a pixel wide: a pixel gets the near code and rims.beside as its coverage, if that is at least
 * SATK_LEAST_COVER, the map has the far code there, and a pixel next to it, or at its corner, is both closer to the near code
 * and alike: to SATK_ALIKE_BESIDE codes of 8 bits a channel (root mean square).
 *
 * Where the near surface is much more blurred than a nearly sharp far one, the far half of an edge (SATK_DOUBTED) stays far,
 * but it may show the near surface: maps are off by some pixels there, and what shows it would stay sharp, as an outline of
 * what is blurred. So, with `doubts`:
 *   - Sharp pixels, whose radius is below SATK_SHARP and that are no rims, are doubtful, too, if a doubtful one is within
 *     `reach` pixels along both axes: twice the mean of the doubtful rims' samples, rounded up, and at most 1/128 of the
 *     picture's longer side, or 8. Their near code is the mean of those around, rounded.
 *   - A doubtful pixel is a stranger if sharp ones are around, and none of them has its colour, to SATK_ALIKE codes of 8 bits a
 *     channel (root mean square). 17 x 17 pixels are looked at, at steps of half the reach, rounded up. So a pixel that
 *     looks like the sharp surface stays one of it. Alpha does not count.
 *   - Any other doubtful pixel is a stranger, too, if more than seven tenths of the sharp and the doubtful pixels in the 7 x 7
 *     around it are such strangers: a colour that it has by chance, too, would become a speck.
 *   - A stranger gets its near code and coverage 0: it counts as unknown, and the blurred surface covers what is made up there.
 *
 * src      the picture
 * map      its size, one channel
 * rims     of the map
 * radius   by code: signed, in 1/256 pixel; below 0 behind the focus, above 0 before it
 * doubts   1: strangers are looked for
 * dst      like map, apart from it
 * cover    8 bits, the map's size
 * sides    8 bits, the map's size: what becomes of each pixel's colour (satk_colour_side); data NULL: not wanted
 * scratch  at least satk_cover_scratch_*() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_COVER_H
#define SATK_COVER_H

#include "common/plane.h"
#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_cover {
    satk_plane src, map, dst, cover, sides;
    satk_rims rims;
    const int32_t *radius;
    int doubts;
    void *scratch;
} satk_cover;

size_t satk_cover_scratch_cpu(const satk_cover *job, int threads);
void satk_cover_cpu(const satk_cover *job, int threads);

size_t satk_cover_scratch_cuda(const satk_cover *job);

/* cudaError_t; 0 = launched */
int satk_cover_cuda(const satk_cover *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
