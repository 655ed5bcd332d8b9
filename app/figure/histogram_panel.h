/* The parts of the histogram's figure: text, a panel of curves with its axes, and strips that show where the pixels of a
 * channel lie. */
#ifndef SATBLUR_APP_HISTOGRAM_PANEL_H
#define SATBLUR_APP_HISTOGRAM_PANEL_H

#include <satblur.h>

#include <stdbool.h>
#include <cairo.h>

typedef struct colour {
    double r, g, b;
} colour;

typedef struct curve {
    const char *name;
    const satb_channel_stats *stats;
    colour ink;
    bool filled; /* an area; otherwise a line */
    bool scales; /* the linear scale is chosen so that it fits */
} curve;

typedef struct figure {
    cairo_t *cr;
    curve curves[5];
    int count;
    int bits;
    double left, width; /* of the axis of codes, in pixels */
} figure;

typedef enum panel_scale { PANEL_LINEAR, PANEL_LOGARITHMIC } panel_scale;

/* Draws text with x at its left end (align 0), middle (0.5) or right end (1); y is the baseline. */
void figure_text(cairo_t *cr, double x, double y, double align, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void figure_ink(cairo_t *cr, colour ink, double opacity);

/* Draws the curves between the heights top and bottom, with the axis of shares. */
void panel_draw(const figure *f, panel_scale scale, double top, double bottom);

/* Draws the axis of codes at height y, and its grid up to the height top. */
void panel_codes(const figure *f, double top, double y);

/* Draws one curve's mean and percentiles around height y, with the numbers right of the axis. */
void strip_draw(const figure *f, const curve *c, double y);

/* Draws the explanation of strip_draw(). */
void strip_legend(const figure *f, double y);

#endif
