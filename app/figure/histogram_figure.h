/* The histogram as a picture for people: curves of the channels and the luminance on a linear and on
 * a logarithmic scale, and where their means and percentiles lie. Drawn by cairo, the same for SVG
 * and PNG. */
#ifndef SATBLUR_APP_HISTOGRAM_FIGURE_H
#define SATBLUR_APP_HISTOGRAM_FIGURE_H

#include "engine/engine.h"

/* Whether this build can draw. To be asked before the work. */
bool histogram_figure_check(problem *p);

/* Draws the job's statistics into the file that --histogram names: whole or not at all. */
bool histogram_figure_write(const engine_request *q, problem *p);

#endif
