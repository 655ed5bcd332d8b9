/* Frames in planes, as other programs hold them, as images of the library and back. Samples that did not change keep their
 * bits.
 *   integers   of 8 bits are codes of 8 bits; those of 9 to 16 bits, each in 16, become codes of all 16 bits
 *   floats     of 16 or 32 bits become light in half floats, or codes of 16 bits: 0 is black, and 1 is white
 *   YUV        of integers becomes RGB by yuv.h */
#ifndef SATBLUR_APP_PLANAR_H
#define SATBLUR_APP_PLANAR_H

#include "video/yuv.h"

typedef struct planar_frame {
    yuv_image view; /* its planes; also of gray, R, G and B; bits may be 32, too */
    int planes;     /* 1 or 3 */
    bool is_yuv, is_float;
    bool is_light;     /* of floats */
    yuv_colour colour; /* of gray the range alone, and that of a map */
} planar_frame;

/* Makes a dense image, whose data is for free(), of a frame, or of its first plane as gray. Returns false if memory ran out. */
bool planar_read(const planar_frame *f, bool as_map, satb_image *image);

/* Writes what differs from the image before to the frame that it was read from. */
void planar_write(const planar_frame *f, const satb_image *before, const satb_image *after);

/* Makes a gray view of a plane. Returns false if the library does not take its samples, or not by themselves. */
bool planar_view(const planar_frame *f, int plane, satb_image *image);

#endif
