/* What programs and sensors mean by the numbers of their depth maps: the table of --depth-from. */
#ifndef SATBLUR_APP_DEPTH_PRESET_H
#define SATBLUR_APP_DEPTH_PRESET_H

#include <stdbool.h>

typedef enum depth_kind {
    DEPTH_DISPARITY, /* linear in 1/distance, of unknown scale: larger is nearer */
    DEPTH_RELATIVE,  /* linear in distance, of unknown scale: smaller is nearer */
    DEPTH_Z_BUFFER,  /* linear in 1/distance, of unknown scale: smaller is nearer */
    DEPTH_METRES     /* distance in metres, once divided by the scale; 0 is unknown */
} depth_kind;

typedef struct depth_meaning {
    depth_kind kind;
    double scale; /* numbers per metre, of DEPTH_METRES */
} depth_meaning;

typedef struct depth_preset {
    const char *name;      /* NULL ends the table */
    const char *source;    /* for --help: the program, capital first */
    depth_meaning numbers; /* of files of numbers: NPY, NPZ, PFM, EXR, TIFF with floats */
    depth_meaning codes;   /* of pictures with 8 or 16 bits */
    bool zero_is_unknown;  /* in pictures of DEPTH_DISPARITY and DEPTH_RELATIVE */
    bool is_packed;        /* pictures have values of 24 bits, red the lowest byte */
} depth_preset;

/* The rows, of depth_preset's members. They follow what the programs' own scripts write and what the data sets' pages say.
 * --help prints them as well. */
/* clang-format off */
#define DEPTH_PRESETS(ROW) \
    ROW("midas", "MiDaS: disparity", DISPARITY, DISPARITY, false, false) \
    ROW("depth-anything", "Depth Anything 1 and 2: disparity", DISPARITY, DISPARITY, false, false) \
    ROW("depth-anything-metric", "Metric Depth Anything: metres; pictures: distance", METRES(1), RELATIVE, false, false) \
    ROW("video-depth-anything", "Video Depth Anything: disparity", DISPARITY, DISPARITY, false, false) \
    ROW("depth-anything-3", "Depth Anything 3: distance, read as metres", METRES(1), RELATIVE, false, false) \
    ROW("da3", "The same as depth-anything-3", METRES(1), RELATIVE, false, false) \
    ROW("depth-pro", "Depth Pro: metres; pictures: disparity", METRES(1), DISPARITY, false, false) \
    ROW("marigold", "Marigold: relative distance", RELATIVE, RELATIVE, false, false) \
    ROW("zoedepth", "ZoeDepth, PatchFusion: metres; pictures: 256 per metre", METRES(1), METRES(256), false, false) \
    ROW("metric3d", "Metric3D: metres; pictures: 256 codes per metre", METRES(1), METRES(256), false, false) \
    ROW("moge", "MoGe: metres; pictures: disparity", METRES(1), DISPARITY, false, false) \
    ROW("kitti", "KITTI: metres; pictures: 256 codes per metre", METRES(1), METRES(256), false, false) \
    ROW("tum", "TUM and Kinect: metres; pictures: 5000 codes per metre", METRES(1), METRES(5000), false, false) \
    ROW("realsense", "RealSense, ZED and NYU: millimetres", METRES(1000), METRES(1000), false, false) \
    ROW("blender", "Blender: metres of the Z pass; pictures: the mist pass", METRES(1), RELATIVE, false, false) \
    ROW("nuke", "Nuke's renderer: 1/z, 0 is infinitely far", DISPARITY, DISPARITY, false, false) \
    ROW("unreal", "Unreal: centimetres", METRES(100), METRES(100), false, false) \
    ROW("middlebury", "Middlebury and ETH3D: disparity in pixels, 0 is unknown", DISPARITY, DISPARITY, true, false) \
    ROW("iphone", "iPhone LiDAR: metres; pictures: millimetres", METRES(1), METRES(1000), false, false) \
    ROW("colmap", "COLMAP: distance, read as metres", METRES(1), METRES(1), false, false) \
    ROW("carla", "CARLA: metres; pictures: 24 bits for 1 km", METRES(1), METRES(65.535), false, true) \
    ROW("zbuffer", "OpenGL, Direct3D: a z-buffer, 0 is nearest", Z_BUFFER, Z_BUFFER, false, false)
/* clang-format on */

extern const depth_preset depth_presets[]; /* ends with a name that is NULL */

/* Returns "disparity", "relative distance", "z-buffer" or "metres". */
const char *depth_kind_word(depth_kind kind);

/* Returns whether the smallest number of that kind, which has no unit, is the nearest. */
bool depth_is_near_black(depth_kind kind);

/* Returns the preset of that name; NULL: there is none. */
const depth_preset *depth_preset_of(const char *name);

#endif
