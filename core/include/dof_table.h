/* The numbers and choices of satb_dof_params, a row each. They make the library's checks, the aperture and its
 * key, the program's ranges, defaults and help, Python's members, arguments and texts, the arguments of plug-ins, and
 * the parameters of tests. A new number is a member of satb_dof_params and a row here, in one of the lists. The header
 * is not installed. */
#ifndef SATB_DOF_TABLE_H
#define SATB_DOF_TABLE_H

#include <satblur.h>

/* A number: ROW(name, type, low, high, zero, preset, unit, text, note)
 *   name    of the member, and of Python's argument
 *   type    double or int
 *   low, high  the range
 *   zero    1: 0 is also allowed
 *   preset  the default of the program and of Python, and of a struct of zeros
 *   unit    words behind the range, with a blank before them; "" for none
 *   text    one clause of at most 74 characters, capital first, no full stop
 *   note    the format of a double for the program's note on the blur; NULL for none */
/* clang-format off */
#define SATB_DOF_FOCUS_RANGE(ROW) ROW(focus_range, double, 0, 2, 0, 0, " of disparity", \
    "Width of the band around the focus that stays sharp", NULL)
#define SATB_DOF_NEAR_SCALE(ROW) ROW(near_scale, double, 0, 1000, 0, 1, "", \
    "Factor of the blur radius in front of the focus; 0 is sharp", NULL)
#define SATB_DOF_FAR_SCALE(ROW) ROW(far_scale, double, 0, 1000, 0, 1, "", \
    "Factor of the blur radius behind the focus; 0 is sharp", NULL)

#define SATB_DOF_BLADES(ROW) ROW(blades, int, 3, SATB_MOST_BLADES, 1, 0, "", \
    "Number of blades of a polygonal aperture; 0 is a disc", "%g blades")
#define SATB_DOF_BLADE_ROTATION(ROW) ROW(blade_rotation, double, -360, 360, 0, 0, " degrees", \
    "Turn the polygon clockwise; at 0 a corner is at the top", NULL)
#define SATB_DOF_BLADE_CURVATURE(ROW) ROW(blade_curvature, double, 0, 1, 0, 0, "", \
    "Round the polygon's sides: 0 is straight, 1 is a disc", NULL)
#define SATB_DOF_SQUEEZE(ROW) ROW(squeeze, double, 1.0 / SATB_MOST_SQUEEZE, SATB_MOST_SQUEEZE, 1, 1, "", \
    "Height of the aperture shape by its width, like 2 for an anamorphic lens", "squeezed by %g")
#define SATB_DOF_VIGNETTE(ROW) ROW(vignette, double, 0, 1, 0, 0, "", \
    "Cat's eyes: cut the aperture shape towards the corners", "vignette %g")
#define SATB_DOF_BOKEH_EDGE(ROW) ROW(bokeh_edge, double, -1, 1, 0, 0, "", \
    "Rim of the aperture shape: bright up to 1, soft down to -1", "bokeh edge %g")
#define SATB_DOF_SPHERICAL(ROW) ROW(spherical, double, -1, 1, 0, 0, "", \
    "Rims are brighter behind the focus, and dimmer in front of it", "spherical %g")
#define SATB_DOF_ORIENTATION(ROW) ROW(orientation, int, 1, 8, 1, 1, "", \
    "EXIF orientation, which the automatic focus and the aperture need", NULL)
#define SATB_DOF_FRINGE(ROW) ROW(fringe, double, 0, 0.5, 0, 0, "", \
    "Colour fringes: red is blurred more in front of the focus, blue behind it", NULL)

#define SATB_DOF_HIGHLIGHTS(ROW) ROW(highlights, double, 1, SATB_MOST_HIGHLIGHTS, 1, 0, "", \
    "Highlights become bright discs; 4 to 16 suit night scenes", NULL)
#define SATB_DOF_HIGHLIGHT_THRESHOLD(ROW) ROW(highlight_threshold, double, 0.01, 1, 1, 0.5, "", \
    "Least brightness of a highlight, as a fraction of white", NULL)
#define SATB_DOF_HIGHLIGHT_SIZE(ROW) ROW(highlight_size, double, 0.01, SATB_MOST_HIGHLIGHT_SIZE, 1, 5, "", \
    "Width of the largest highlight, in % of the longer side", NULL)
/* clang-format on */

/* The numbers that turn depths into radii. */
#define SATB_DOF_DEPTH_NUMBERS(ROW)                                                                \
    SATB_DOF_FOCUS_RANGE(ROW)                                                                      \
    SATB_DOF_NEAR_SCALE(ROW)                                                                       \
    SATB_DOF_FAR_SCALE(ROW)

/* The numbers of the aperture. */
#define SATB_DOF_SHAPE_NUMBERS(ROW)                                                                \
    SATB_DOF_BLADES(ROW)                                                                           \
    SATB_DOF_BLADE_ROTATION(ROW)                                                                   \
    SATB_DOF_BLADE_CURVATURE(ROW)                                                                  \
    SATB_DOF_SQUEEZE(ROW)                                                                          \
    SATB_DOF_VIGNETTE(ROW)                                                                         \
    SATB_DOF_BOKEH_EDGE(ROW)                                                                       \
    SATB_DOF_SPHERICAL(ROW)                                                                        \
    SATB_DOF_ORIENTATION(ROW)

/* The numbers of colours and highlights. */
#define SATB_DOF_LIGHT_NUMBERS(ROW)                                                                \
    SATB_DOF_FRINGE(ROW)                                                                           \
    SATB_DOF_HIGHLIGHTS(ROW)                                                                       \
    SATB_DOF_HIGHLIGHT_THRESHOLD(ROW)                                                              \
    SATB_DOF_HIGHLIGHT_SIZE(ROW)

#define SATB_DOF_NUMBERS(ROW)                                                                      \
    SATB_DOF_DEPTH_NUMBERS(ROW)                                                                    \
    SATB_DOF_SHAPE_NUMBERS(ROW)                                                                    \
    SATB_DOF_LIGHT_NUMBERS(ROW)

/* The choices: ROW(name, type, last, text, word...), of an enum from 0 to last. The words are those of its values in order. */
/* clang-format off */
#define SATB_DOF_CHOICES(ROW) \
    ROW(focus_mode, satb_focus, SATB_FOCUS_POINT, "Meaning of the focus", "auto", "value", "distance", "point") \
    ROW(strength, satb_strength, SATB_STRENGTH_LENS, "Strength of the blur", "default", "radius", "lens") \
    ROW(depth_type, satb_depth_type, SATB_DEPTH_LINEAR, "Values of the map, linear in 1/distance or in distance", "disparity", "linear") \
    ROW(holes, satb_holes, SATB_HOLES_FILL, "Meaning of the value 0 in the map", "default", "none", "far", "near", "fill") \
    ROW(edges, satb_depth_edges, SATB_DEPTH_EDGES_KEEP, "Soft edges of the map", "fit", "keep") \
    ROW(method, satb_method, SATB_METHOD_SPREAD, "Blur method", "default", "layered", "gather", "spread") \
    ROW(bokeh, satb_bokeh, SATB_BOKEH_SMOOTH, "Aperture shape", "disc", "square", "smooth") \
    ROW(rounding, satb_rounding, SATB_ROUNDING_NEAREST, "Rounding to 8 bits", "dither", "nearest")

/* The words of satb_edge, which the other blurs have, too. */
#define SATB_EDGE_WORDS "shrink", "clamp", "mirror", "wrap"

/* The other numbers, without `scaled`: ROW(name, type, none, usual, text). Their ranges depend on others or on the picture. none
 * stands for no value, in arguments; in a struct that is 0. A slider ends at usual; 1 of an int is yes. */
#define SATB_DOF_OTHERS(ROW) \
    ROW(focus, double, NAN, 1, "Depth in focus: 0 far, 1 near; or metres, if the mode is distance") \
    ROW(focus_x, int, -1, 10000, "Pixel whose depth is in focus, from the left") \
    ROW(focus_y, int, -1, 10000, "Pixel whose depth is in focus, from the top") \
    ROW(focus_area, int, 0, 10000, "Area where the automatic focus looks: left, top, width, height") \
    ROW(max_radius, double, NAN, 200, "Largest radius in pixels; by default 2 % of the longer side") \
    ROW(fstop, double, 0, 32, "F-number of a real lens, instead of a radius") \
    ROW(focal_mm, double, 0, 300, "Focal length of the lens in millimetres") \
    ROW(sensor_mm, double, 0, 60, "Width of the sensor in millimetres; 0 is 36") \
    ROW(near_black, int, 0, 1, "The smallest value of the map is nearest, not the largest") \
    ROW(range_low, double, 0, 1, "Value of the map that becomes 0 of the full scale") \
    ROW(range_high, double, 0, 1, "Value of the map that becomes 1; 0 is the full scale") \
    ROW(distance_near, double, 0, 100, "Metres at the nearest end of the map; 0 is unknown") \
    ROW(distance_far, double, 0, 1000, "Metres at the farthest end of the map; 0 is unknown")
/* clang-format on */

#endif
