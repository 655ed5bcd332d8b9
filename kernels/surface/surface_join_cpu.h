/* Joins pixels that show two surfaces of depth to the nearer one. For the CPU; surface.h has it for CUDA devices.
 *
 * Along an edge of depth a picture is anti-aliased, but each pixel of a map is one surface. A mixture that counts as the
 * far one is blurred, or covered, with its part of the near one, and the near one's edge gets ragged.
 *
 * A pixel is beside something nearer where one of the 3 x 3 around it is nearer by more than satk_least_step() codes. N is
 * the mean colour of those of the 5 x 5 around it whose codes are closer to that of the nearest of the 3 x 3 than to its
 * own. F is the mean colour of the others, less those that are beside something nearer, and V is their variance: the mean
 * of the squared distances from F. Colours are red, green and blue of linear light, by the higher byte of 16 bits; alpha
 * does not count. With d = N - F and v = its colour - F, the pixel is mixed if
 *     v v > 16 V                     it is further from F than the far surface's own colours are,
 *     0 < v d <= d d                 between the two,
 *     (v d)^2 > 9/10 (v v) (d d)     and on their line, within 18 degrees.
 * The first has exact means, the others have means rounded down. A mixed pixel gets the code of the nearest of the 3 x 3.
 * v = alpha d is the equation of matting: A. R. Smith, J. F. Blinn, "Blue Screen Matting", SIGGRAPH 1996. Here it is only
 * decided whether it holds.
 *
 * src         the picture
 * map         its size, one channel
 * dst         like map, apart from it
 * linear      14-bit linear light of codes of 8 bits
 * near_black  1: small codes are near
 * work        at least satk_join_scratch_cpu() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_SURFACE_JOIN_CPU_H
#define SATK_SURFACE_JOIN_CPU_H

#include "common/plane.h"

enum { SATK_JOIN_ROWS = 32 }; /* at a time, at most */

typedef struct satk_joining {
    satk_plane src, map, dst;
    const uint32_t *linear; /* [256] */
    int near_black;
} satk_joining;

size_t satk_join_scratch_cpu(const satk_plane *map);

/* Writes rows first <= y < last of dst. Returns the number of mixed pixels. */
size_t satk_join_cpu(const satk_joining *job, int first, int last, void *work);

#endif
