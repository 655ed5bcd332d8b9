#include "depth/colour_scale.h"

#include <stddef.h>
#include <string.h>

const char *colour_scale_name(colour_scale scale)
{
    static const char *const names[COLOUR_SCALES] = {
        [COLOURS_INFERNO] = "inferno",   [COLOURS_MAGMA] = "magma",
        [COLOURS_PLASMA] = "plasma",     [COLOURS_VIRIDIS] = "viridis",
        [COLOURS_TURBO] = "turbo",       [COLOURS_JET] = "jet",
        [COLOURS_SPECTRAL] = "spectral", [COLOURS_OPENCV_JET] = "opencv_jet"};
    return names[scale];
}

bool colour_scale_is_near_first(colour_scale scale)
{
    return scale == COLOURS_SPECTRAL;
}

/* --- Control points --------------------------------------------------------------------------- */

typedef struct point {
    double at, value;
} point;

enum { MOST_POINTS = 11 };

/* Red, green and blue between points of a line; the last point is at 1. */
static const point jet[3][MOST_POINTS] = {
    {{0, 0}, {0.35, 0}, {0.66, 1}, {0.89, 1}, {1, 0.5}},
    {{0, 0}, {0.125, 0}, {0.375, 1}, {0.64, 1}, {0.91, 0}, {1, 0}},
    {{0, 0.5}, {0.11, 1}, {0.34, 1}, {0.65, 0}, {1, 0}},
};

/* Spectral in 255ths, at tenths of the scale. */
static const uint8_t spectral[3][MOST_POINTS] = {
    {158, 213, 244, 253, 254, 255, 230, 171, 102, 50, 94},
    {1, 62, 109, 174, 224, 255, 245, 221, 194, 136, 79},
    {66, 79, 67, 97, 139, 191, 152, 164, 165, 189, 162},
};

/* Returns the line's value at a code. The steps are those of matplotlib, so that all roundings are its own. */
static double line_value(const point *line, int code)
{
    if (code == 0)
        return line[0].value;
    const double x = 255 * (code / 255.0);
    int i = 0;
    while (line[i + 1].at * 255 < x)
        i++;
    const double from = line[i].at * 255, to = line[i + 1].at * 255;
    return (x - from) / (to - from) * (line[i + 1].value - line[i].value) + line[i].value;
}

static double spectral_value(int channel, int code)
{
    point line[MOST_POINTS];
    for (int i = 0; i < MOST_POINTS; i++)
        line[i] = (point){i == MOST_POINTS - 1 ? 1 : i * 0.1, spectral[channel][i] / 255.0};
    return line_value(line, code);
}

/* Returns OpenCV's jet: slopes of 4 codes a code, which it rounded once, in one place downwards. */
static int opencv_jet(int channel, int i)
{
    const int rising[] = {4 * i - 382, 4 * i - 128, 4 * i + 128};
    const int falling[] = {1148 - 4 * i, 892 - 4 * i, i == 159 ? 1 : 638 - 4 * i};
    const int value = rising[channel] < falling[channel] ? rising[channel] : falling[channel];
    return value < 0 ? 0 : value > UINT8_MAX ? UINT8_MAX : value;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Returns a channel of a listed colour in 8 bits. */
static int listed(colour_scale scale, int channel, int code, bool rounded)
{
    const char *const text = colour_scale_lists[scale] + (code * 3 + channel) * (ptrdiff_t)3;
    const int sixteenths = digit(text[0]) * 256 + digit(text[1]) * 16 + digit(text[2]);
    return (sixteenths + (rounded ? 8 : 0)) / 16;
}

static int table_value(colour_scale scale, int channel, int code, bool rounded)
{
    if (scale < COLOUR_LISTS)
        return listed(scale, channel, code, rounded);
    if (scale == COLOURS_OPENCV_JET)
        return opencv_jet(channel, code);
    const double value =
        scale == COLOURS_JET ? line_value(jet[channel], code) : spectral_value(channel, code);
    return (int)(value * 255 + (rounded ? 0.5 : 0));
}

colour_table colour_scale_table(colour_scale scale, bool rounded)
{
    colour_table table;
    for (int code = 0; code < 256; code++)
        for (int c = 0; c < 3; c++)
            table.rgb[code][c] = (uint8_t)table_value(scale, c, code, rounded);
    return table;
}
