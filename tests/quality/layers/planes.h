// Scenes made of textured planes, seen through a thin lens.
//
// A plane has at each point of the picture a colour (linear light), an alpha and a disparity
// q = q0 + qx x + qy y in [0, 1]; 1 is nearest. A lens sample (u, v) of the unit aperture displaces
// a point by R (q - focus) (u, v) pixels, and of the points that come to lie on one another the one
// with the larger disparity is in front.
//
// Scenes are written in pixels of full size; `scale` divides them all, but not the steps of planes
// that move.
#ifndef QUALITY_PLANES_H
#define QUALITY_PLANES_H

#include "quality/vec.h"

#include <stddef.h>
#include <stdint.h>

enum {
    PLANES_MAX = 48,
    LIGHTS_SCORED = 24,
    // Texels per pixel and direction. Each is one flat square, so that a pixel is an exact mean.
    TEXELS = 4
};

typedef struct {
    float r, g, b, a; // straight alpha
} rgba;

struct plane;

// The plane at a point of the full-size picture; w is the width of a texel there, over which
// outlines are smoothed.
typedef rgba painter(const struct plane *plane, float x, float y, float w);

struct plane {
    painter *paint;
    float q0, qx, qy;
    float left, top, right, bottom; // beyond, paint() is transparent; all 0 = it never is
    int detail;                     // points per texel and direction, 0 = 1
    int step_x, step_y;             // texels that it moves from one frame to the next
    // What paint() makes of these is its own affair.
    vec3 a, b;        // colours
    float x, y, size; // place
    float p[4];       // numbers
    int seed;
    painter *under[2]; // painters that it mixes

    // Filled in by plane_raster().
    const struct tableau *scene;
    int column, row, columns, rows; // the pixels that are stored
    float *texels;                  // see plane_row()
    int moved_x, moved_y;           // texels, see tableau_move()
};

enum aperture { DISC, SQUARE, HEXAGON };
enum depth_kind { DEPTH_16, DEPTH_8, DEPTH_HALF_SOFT };

struct spot_light {
    float x, y, radius; // of the spot that the lens makes of it
};

struct tableau {
    char name[32];
    int width, height;
    float radius, focus; // R; the disparity in focus
    enum aperture aperture;
    float vignette;        // how far the lens's rim cuts the aperture in the corners, in radii
    float edge, spherical; // brightness of a disc's rim, -1 to 1; `spherical` has two signs
    enum depth_kind depth;
    int samples;                     // through the lens, 0 = 1024
    int shrink;                      // divides all sizes, 0 = 1
    int frames;                      // of a moving scene, 0 = it stands still
    float subject_low, subject_high; // disparities of the subject whose leaks are measured, or 0
    int plane_count, light_count;
    struct plane planes[PLANES_MAX]; // from front to back
    struct spot_light lights[LIGHTS_SCORED];
};

// Each makes scene `index` of its file, or says by 0 that there is none.
typedef int tableau_maker(int index, struct tableau *scene);
tableau_maker scenes_near, scenes_floor, scenes_night, scenes_edge, scenes_alike, scenes_moving;

struct plane *tableau_add(struct tableau *scene, painter *paint, float q);
void tableau_light(struct tableau *scene, float x, float y, float q, float size);

static inline float plane_disparity(const struct plane *p, float x, float y)
{
    return p->q0 + p->qx * x + p->qy * y;
}

// Divides sizes and the blur by `scale` (the planes' texels are made accordingly), then paints.
void tableau_raster(struct tableau *scene, int scale);
void tableau_free(struct tableau *scene);
// Moves the planes to where they are in a frame. The disparity of a slanted plane stays with the
// pixels of the picture, so it moves along its rows of equal disparity only.
void tableau_move(struct tableau *scene, int frame);

// Premultiplied texels of pixel row `row`, phase (px, py): four rows, red, green, blue, alpha, of
// plane->columns numbers each.
static inline const float *plane_row(const struct plane *p, int row, int px, int py)
{
    const size_t index = ((size_t)(py * TEXELS + px) * (size_t)p->rows + (size_t)(row - p->row));
    return p->texels + index * 4 * (size_t)p->columns;
}

static inline int floor_div(int a, int b)
{
    return a / b - (a % b < 0);
}

// Linear light, three numbers per pixel. tableau_lens() with samples lens positions, rounded up to
// a multiple of TEXELS^2.
void tableau_lens(const struct tableau *scene, int samples, float *rgb);
void tableau_pinhole(const struct tableau *scene, float *rgb, float *depth, float *soft_depth);

// 1 when planes change their order somewhere, so that it has to be found for each pixel.
int tableau_crosses(const struct tableau *scene);

#endif
