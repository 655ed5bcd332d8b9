/* The histogram as a picture for people: curves of the channels and the luminance on a linear and on a logarithmic
 * scale, with their means and percentiles below. cairo draws the same as SVG and as PNG. */
#ifndef SATBLUR_APP_HISTOGRAM_FIGURE_H
#define SATBLUR_APP_HISTOGRAM_FIGURE_H

#include "engine/engine.h"

/* Returns whether this build can draw. To be called before the work. */
bool histogram_figure_check(problem *p);

/* Draws the request's statistics into the file that --histogram names: whole or not at all. */
bool histogram_figure_write(const engine_request *q, problem *p);

#endif
