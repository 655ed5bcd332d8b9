/* The words that options have a choice of. args_table.c alone includes this. */
#ifndef SATBLUR_APP_OPTION_CHOICES_H
#define SATBLUR_APP_OPTION_CHOICES_H

#include "cli/option_row.h"

#include "depth/colour_scale.h"
#include "depth/depth_preset.h"

/* Choices are stored as int, in fields that are int or an enum. */
_Static_assert(sizeof(satb_method) == sizeof(int) && sizeof(satb_bokeh) == sizeof(int) &&
                   sizeof(satb_depth_type) == sizeof(int) && sizeof(satb_holes) == sizeof(int) &&
                   sizeof(satb_depth_edges) == sizeof(int) &&
                   sizeof(satb_rounding) == sizeof(int) && sizeof(satb_edge) == sizeof(int) &&
                   sizeof(satb_device) == sizeof(int) && sizeof(codec_choice) == sizeof(int) &&
                   sizeof(help_style) == sizeof(int) && sizeof(clip_sync) == sizeof(int),
               "an enum is an int");

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* presets alone stand for options */
/* clang-format off */
static const option_choice stats_styles[] = {
    {"json", STATS_JSON, "One JSON object"},
    {0},
};
static const option_choice focus_words[] = {
    {"auto", 0, "The subject: sharp, upright, near the middle"},
    {0},
};
static const option_choice ditherings[] = {
    {"on", SATB_ROUNDING_DITHER, "Dither every blur"},
    {"off", SATB_ROUNDING_NEAREST, "Round to the nearest code"},
    {0},
};
static const option_choice grains[] = {
    {"auto", 0, "As much as flat parts of the picture have"},
    {0},
};
#define PARTS(...) (const option_part[]){__VA_ARGS__, {0}}
static const option_choice dof_presets[] = {
    {"portrait", 0, "A person", PARTS({OPT_FOCUS_RANGE, "0.1"}, {OPT_MAX_RADIUS, "3%"})},
    {"street", 0, "Nearly all sharp", PARTS({OPT_FOCUS_RANGE, "0.15"}, {OPT_MAX_RADIUS, "1%"})},
    {"macro", 0, "Small things", PARTS({OPT_FOCUS_RANGE, "0.03"}, {OPT_MAX_RADIUS, "5%"}, {OPT_BOKEH, "smooth"})},
    {"cine", 0, "Lights at night", PARTS({OPT_FOCUS_RANGE, "0.05"}, {OPT_MAX_RADIUS, "2.5%"}, {OPT_HIGHLIGHTS, "6"})},
    {"miniature", 0, "A toy, without a map", PARTS({OPT_TILT_SHIFT, "0,0.55,0.12"}, {OPT_MAX_RADIUS, "2.5%"})},
    {0},
};
static const option_choice methods[] = {
    {"layered", SATB_METHOD_LAYERED, "Layers of depth, laid over each other almost as by a lens"},
    {"gather", SATB_METHOD_GATHER, "The mean of a square around each pixel: faster, with halos"},
    {"spread", SATB_METHOD_SPREAD, "Each pixel spreads over a square; no object covers another"},
    {0},
};
static const option_choice bokehs[] = {
    {"disc", SATB_BOKEH_DISC, "A disc"},
    {"square", SATB_BOKEH_SQUARE, "A square"},
    {"smooth", SATB_BOKEH_SMOOTH, "Brightest in the middle, with soft edges"},
    {0},
};
static const option_choice depth_types[] = {
    {"disparity", SATB_DEPTH_DISPARITY, "Linear in 1/distance, as from Depth Anything or stereo"},
    {"linear", SATB_DEPTH_LINEAR, "Linear in distance, as from depth sensors"},
    {0},
};
#define PRESET(name, words, numbers, codes, zero_is_unknown, is_packed) {name, 0, words},
static const option_choice depth_sources[] = {DEPTH_PRESETS(PRESET) {0}};
static const option_choice colours[] = {
    {"white", 0, "The largest value is nearest"},
    {"black", 1, "The smallest value is nearest"},
    {0},
};
static const option_choice colormaps[] = {
    {"auto", COLORMAP_AUTO, "The scale that fits; gray maps do not change"},
    {"none", COLORMAP_NONE, "The first channel, whatever the colours"},
    {"packed", COLORMAP_PACKED, "Values of 24 bits; red is the highest byte"},
    {"packed-low", COLORMAP_PACKED_LOW, "Values of 24 bits; red is the lowest byte"},
    {"inferno", COLORMAP_NAMED + 2 * COLOURS_INFERNO, "matplotlib's, from black to light yellow"},
    {"inferno_r", COLORMAP_NAMED + 2 * COLOURS_INFERNO + 1, "The same, reversed"},
    {"magma", COLORMAP_NAMED + 2 * COLOURS_MAGMA, "matplotlib's, from black to a light cream"},
    {"magma_r", COLORMAP_NAMED + 2 * COLOURS_MAGMA + 1, "The same, reversed"},
    {"plasma", COLORMAP_NAMED + 2 * COLOURS_PLASMA, "matplotlib's, from blue to yellow"},
    {"plasma_r", COLORMAP_NAMED + 2 * COLOURS_PLASMA + 1, "The same, reversed"},
    {"viridis", COLORMAP_NAMED + 2 * COLOURS_VIRIDIS, "matplotlib's, from violet to yellow"},
    {"viridis_r", COLORMAP_NAMED + 2 * COLOURS_VIRIDIS + 1, "The same, reversed"},
    {"turbo", COLORMAP_NAMED + 2 * COLOURS_TURBO, "The rainbow from dark blue to dark red"},
    {"turbo_r", COLORMAP_NAMED + 2 * COLOURS_TURBO + 1, "The same, reversed"},
    {"jet", COLORMAP_NAMED + 2 * COLOURS_JET, "matplotlib's, from blue to red"},
    {"jet_r", COLORMAP_NAMED + 2 * COLOURS_JET + 1, "The same, reversed"},
    {"opencv_jet", COLORMAP_NAMED + 2 * COLOURS_OPENCV_JET, "OpenCV's COLORMAP_JET, from blue to red"},
    {"opencv_jet_r", COLORMAP_NAMED + 2 * COLOURS_OPENCV_JET + 1, "The same, reversed"},
    {"spectral", COLORMAP_NAMED + 2 * COLOURS_SPECTRAL, "matplotlib's Spectral, from red to blue"},
    {"spectral_r", COLORMAP_NAMED + 2 * COLOURS_SPECTRAL + 1, "The same, reversed"},
    {0},
};
static const option_choice holes[] = {
    {"none", SATB_HOLES_NONE, "A depth like any other"},
    {"far", SATB_HOLES_FAR, "Unknown; the farthest depth is assumed"},
    {"near", SATB_HOLES_NEAR, "Unknown; the nearest depth is assumed"},
    {"fill", SATB_HOLES_FILL, "Unknown; filled from around, if large from the far side"},
    {0},
};
static const option_choice depth_edges[] = {
    {"fit", SATB_DEPTH_EDGES_FIT, "Soft edges are cut at their middle"},
    {"keep", SATB_DEPTH_EDGES_KEEP, "The map is used unchanged"},
    {0},
};
static const option_choice edges[] = {
    {"shrink", SATB_EDGE_SHRINK, "Nothing: windows end at the border"},
    {"clamp", SATB_EDGE_CLAMP, "The pixel at the border, repeated"},
    {"mirror", SATB_EDGE_MIRROR, "The picture, mirrored"},
    {"wrap", SATB_EDGE_WRAP, "The picture, repeated"},
    {0},
};
static const option_choice devices[] = {
    {"auto", SATB_DEVICE_AUTO, "A GPU, unless the CPU is faster for one picture"},
    {"cpu", SATB_DEVICE_CPU, "The CPU"},
    {"cuda", SATB_DEVICE_CUDA, "The first NVIDIA GPU; cuda:N is number N, from 0"},
    {"cuda:all", SATB_DEVICE_CUDA, "All NVIDIA GPUs, for folders"},
    {0},
};
static const option_choice codecs[] = {
    {"fast", CODEC_FAST, "libdeflate, and libjpeg-turbo if it is built in"},
    {"stb", CODEC_PLAIN, "Only stb and libspng; slower"},
    {"gpu", CODEC_GPU, "nvJPEG for the JPEGs that it supports; otherwise fast"},
    {0},
};
static const option_choice help_styles[] = {
    {"all", HELP_ALL, "Every option"},
    {"man", HELP_MAN, "The manual page, for man"},
    {"bash", HELP_BASH, "Completions for bash"},
    {"zsh", HELP_ZSH, "Completions for zsh"},
    {"fish", HELP_FISH, "Completions for fish"},
    {"json", HELP_JSON, "The table of options as JSON, for programs"},
    {0},
};
static const option_choice syncs[] = {
    {"time", SYNC_TIME, "The nearest in time; the last one stays"},
    {"frame", SYNC_FRAME, "The same number; the last one stays"},
    {0},
};
static const option_choice gaps[] = {
    {"stop", 0, "Refused before the first frame"},
    {"hold", 1, "The frame before them is repeated"},
    {0},
};
static const option_choice on_errors[] = {
    {"conceal", 0, "Used as the decoder repairs them, and counted"},
    {"fail", 1, "Refused; nothing is written"},
    {0},
};
/* clang-format on */
#pragma GCC diagnostic pop

#endif
