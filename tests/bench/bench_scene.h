/* A scene with depth, for the rows of satbench that need what photographs and maps of networks have: discs of several
 * depths and thin strands before a wall that comes nearer towards its foot. Its unit is 1/1920 of a picture's width, so
 * it looks the same in every size of 16 : 9. Pixels are drawn by all processors. */
#ifndef SATB_BENCH_SCENE_H
#define SATB_BENCH_SCENE_H

#include <satblur.h>

#include <stdint.h>

#define SCENE_WIDTH   1920
#define SCENE_HEIGHT  1080
#define SCENE_SUBJECT 4 /* the number of the largest disc */

/* Returns 16 random bits that belong to a pair of numbers. */
uint32_t scene_hash(uint32_t x, uint32_t y);

/* Returns the distance of a point from the edge of what is before the wall, in units; positive inside. *object becomes
 * the number of the disc or strand whose edge it is. NULL is allowed. */
double scene_within(double x, double y, int *object);

/* Return the disparity of the wall, and of an object: 0 .. 1. */
double scene_wall(double y);
double scene_object(int object);

/* The drawers fill an image in host memory; its shape has been set. */

/* Draws the picture: noise over the colours of its surfaces, anti-aliased along edges, and small lamps on the wall. An
 * alpha is the largest everywhere. */
void scene_draw_picture(const satb_image *picture);

/* Draws the exact map of the picture that has the map's size: a pixel has the depth of one surface. No code is 0. */
void scene_draw_map(const satb_image *map);

/* Sets about a twentieth of a map to 0: spots along the rims of its objects. */
void scene_draw_holes(const satb_image *map);

/* Draws how much of each pixel belongs to the largest disc, whose outline is 4 units wide: black to white. */
void scene_draw_subject(const satb_image *map);

/* Draws the scene in RGBA, with the subject as alpha. */
void scene_draw_cutout(const satb_image *picture);

/* Draws radii: the distance from a disparity, in codes that are multiples of 5. */
void scene_draw_radii(const satb_image *map, double focus);

/* Makes a map smaller by a whole number: a code is the mean of those in its place. */
void scene_shrink(const satb_image *from, const satb_image *to);

/* Makes a map larger, bilinearly, with aligned pixel centres, as the scripts of depth networks do. Both have the same
 * bits. */
void scene_enlarge(const satb_image *from, const satb_image *to);

#endif
